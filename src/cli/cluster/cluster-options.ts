// The options of the commands of `trenio cluster`, named as those of `pcluster`.
import type { CommandInput, Options } from '../command/command.ts';

const region = {
  region: {
    kind: 'text',
    short: 'r',
    placeholder: 'REGION',
    description: 'Region in names and prices. Default: the one in the file, else us-east-1.',
  },
} as const satisfies Options;
export const nameOptions = {
  'cluster-name': { kind: 'text', short: 'n', placeholder: 'NAME', description: 'The cluster. Required.' },
  ...region,
} as const satisfies Options;
export const createOptions = {
  ...nameOptions,
  'cluster-configuration': {
    kind: 'text',
    short: 'c',
    placeholder: 'FILE',
    description: 'Configuration file of ParallelCluster 3 (YAML). Required.',
  },
  provider: {
    kind: 'text',
    placeholder: 'PROVIDER',
    default: 'local',
    description: 'Where nodes come from: local; ssh, your own hosts; or existing, a running Slurm.',
  },
  hosts: {
    kind: 'text',
    placeholder: 'FILE',
    description: 'With --provider ssh: your Linux hosts, one [user@]name[:port] per line, in the order of the nodes.',
  },
  'ssh-config': {
    kind: 'text',
    placeholder: 'FILE',
    description: "With --provider ssh: the configuration file of ssh. Default: the user's.",
  },
  'slurm-conf': {
    kind: 'text',
    placeholder: 'FILE',
    description: "The existing Slurm's slurm.conf. Default: SLURM_CONF, else /etc/slurm/slurm.conf.",
  },
  'skip-missing-scripts': {
    kind: 'flag',
    description: 'Go on without scripts of CustomActions that cannot be read here (s3://, https://).',
  },
  'dry-run': { kind: 'flag', description: 'Check the file and show the plan; create nothing.' },
  dryrun: { kind: 'text', placeholder: 'BOOLEAN', description: 'The same, as pcluster spells it: true or false.' },
  json: {
    kind: 'flag',
    description: 'One JSON object at the end, no progress. Default if the output is not a terminal.',
  },
} as const satisfies Options;
export const updateOptions = {
  ...nameOptions,
  'cluster-configuration': createOptions['cluster-configuration'],
  hosts: {
    kind: 'text',
    placeholder: 'FILE',
    description:
      'With ssh hosts: all hosts of the cluster after the update. Nodes keep their hosts; others get the rest.',
  },
  'ssh-config': {
    kind: 'text',
    placeholder: 'FILE',
    description: "With --hosts: the configuration file of ssh. Default: the cluster's.",
  },
  'skip-missing-scripts': createOptions['skip-missing-scripts'],
  'dry-run': { kind: 'flag', description: 'Check the file and show the changes; apply nothing.' },
  dryrun: createOptions.dryrun,
  json: createOptions.json,
} as const satisfies Options;
export const listOptions = {
  ...region,
  'cluster-status': {
    kind: 'list',
    placeholder: 'STATUS',
    description: 'Only clusters in this state, such as CREATE_COMPLETE. Default: all.',
  },
} as const satisfies Options;
export const instancesOptions = {
  ...nameOptions,
  'node-type': { kind: 'text', placeholder: 'TYPE', description: 'HeadNode or ComputeNode. Default: both.' },
  'queue-name': { kind: 'text', placeholder: 'QUEUE', description: 'Only the nodes of this queue.' },
} as const satisfies Options;
export const fleetOptions = {
  ...nameOptions,
  status: { kind: 'text', placeholder: 'STATUS', description: 'START_REQUESTED or STOP_REQUESTED. Required.' },
} as const satisfies Options;
export const logOptions = {
  ...nameOptions,
  'log-stream-name': {
    kind: 'text',
    placeholder: 'LOG',
    description: 'supervisor, slurmctld, munged, or the name of a node. Default: slurmctld.',
  },
  limit: { kind: 'integer', placeholder: 'N', min: 1, max: 1_000_000, default: 100, description: 'The last N lines.' },
} as const satisfies Options;
export const exportOptions = {
  ...nameOptions,
  'output-file': { kind: 'text', placeholder: 'FILE', description: 'The archive. Default: NAME-logs.tar.gz.' },
} as const satisfies Options;
export const submitOptions = {
  ...nameOptions,
  nodes: { kind: 'integer', placeholder: 'N', min: 1, max: 65_536, default: 1, description: 'Nodes of the job.' },
  queue: { kind: 'text', placeholder: 'QUEUE', description: 'The queue. Default: the first one in the file.' },
  'nproc-per-node': {
    kind: 'text',
    placeholder: 'N',
    description: 'Ranks on each node, for trenio run. Default: 1, or those of the layout.',
  },
  layout: {
    kind: 'text',
    placeholder: 'AXIS=N,…',
    description: 'The mesh of initDeviceMesh(), such as dp_shard=4,tp=2, for trenio run.',
  },
  time: { kind: 'text', placeholder: 'TIME', description: "Time limit, in Slurm's format: '1:00:00'." },
  reservation: { kind: 'text', placeholder: 'NAME', description: 'Run in this reservation.' },
  print: { kind: 'flag', description: 'Print the batch script and do not submit it.' },
} as const satisfies Options;

export type ListInput = CommandInput<typeof listOptions>;
export type InstancesInput = CommandInput<typeof instancesOptions>;
export type NameInput = CommandInput<typeof nameOptions>;
export type CreateInput = CommandInput<typeof createOptions>;
export type UpdateInput = CommandInput<typeof updateOptions>;
export type FleetInput = CommandInput<typeof fleetOptions>;
export type LogInput = CommandInput<typeof logOptions>;
export type ExportInput = CommandInput<typeof exportOptions>;
export type SubmitInput = CommandInput<typeof submitOptions>;

export const sshOptions = {
  ...nameOptions,
  node: { kind: 'text', placeholder: 'NODE', description: 'A running node. Default: the head node.' },
} as const satisfies Options;
export const configureOptions = {
  config: { kind: 'text', short: 'c', placeholder: 'FILE', description: 'The file to write. Required.' },
  ...region,
  queue: { kind: 'text', placeholder: 'NAME', description: 'The name of the queue. Default: queue1.' },
  'instance-type': {
    kind: 'text',
    short: 't',
    placeholder: 'TYPE',
    description: 'The instance type of its nodes. Default: trn1.32xlarge.',
  },
  'min-count': { kind: 'text', placeholder: 'N', description: 'Nodes that always run. Default: 0.' },
  'max-count': { kind: 'text', placeholder: 'N', description: 'The maximum number of nodes. Default: 16.' },
  'capacity-type': { kind: 'text', placeholder: 'TYPE', description: 'ONDEMAND or SPOT. Default: ONDEMAND.' },
  'shared-dir': { kind: 'text', placeholder: 'DIR', description: 'Mount a shared folder here, such as /shared.' },
} as const satisfies Options;
export type SshInput = CommandInput<typeof sshOptions>;
export type ConfigureInput = CommandInput<typeof configureOptions>;
