// The options of `trenio ls`.
export const lsOptions = {
  json: { kind: 'flag', description: 'One JSON object: {"machine", "cores", "gpus", "processes", "training"}.' },
  'json-output': {
    kind: 'flag',
    short: 'j',
    description: 'Print JSON in the format of neuron-ls: a list with one object per NUMA node.',
  },
  wide: { kind: 'flag', short: 'w', description: 'Do not truncate command lines.' },
  topology: { kind: 'flag', short: 't', description: 'Also show the NUMA nodes and the distances between them.' },
  'show-all-procs': {
    kind: 'flag',
    short: 'a',
    description: 'Accepted, as in neuron-ls: all processes are always shown.',
  },
} as const;
