// The options of `trenio monitor`.
export const monitorOptions = {
  'config-file': {
    kind: 'text',
    short: 'c',
    placeholder: 'FILE',
    description: "What to report, in neuron-monitor's format.",
  },
  period: {
    kind: 'text',
    placeholder: 'TIME',
    description: "Time between reports: 500ms, 5s, 1m. Default: the file's, or 5s.",
  },
  count: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Stop after this many reports.',
  },
  json: { kind: 'flag', description: 'Accepted, as in other commands: reports are always JSON.' },
  prometheus: {
    kind: 'integer',
    placeholder: 'PORT',
    min: 0,
    max: 65_535,
    description: 'Serve OpenMetrics at http://127.0.0.1:PORT/metrics instead; 0 for any free port.',
  },
  host: { kind: 'text', placeholder: 'ADDRESS', default: '127.0.0.1', description: 'The address to serve on.' },
  verbose: {
    kind: 'integer',
    placeholder: 'LEVEL',
    min: 0,
    max: 4,
    default: 0,
    description: '1 or more: report on standard error when processes start and end.',
  },
} as const;
