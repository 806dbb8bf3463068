// `trenio cluster …`: Slurm clusters from configuration files of ParallelCluster. Only descriptions; the implementation is
// imported when a command runs.
import { type Command, type CommandGroup, defineCommand } from '../command/command.ts';
import {
  configureOptions,
  createOptions,
  exportOptions,
  fleetOptions,
  instancesOptions,
  listOptions,
  logOptions,
  nameOptions,
  sshOptions,
  submitOptions,
  updateOptions,
} from './cluster-options.ts';
import { ignoredOptions, notesOn, optionsOf } from './pcluster-options.ts';

const commands = () => import('./commands.ts');

const create = defineCommand({
  name: 'cluster create-cluster',
  summary: 'Create a cluster from a configuration file.',
  description: [
    'Starts a real Slurm with the queues and nodes of the file, all on this machine: each node is virtual, with its own',
    'processes, host name and network address if namespaces are allowed (as root). To Slurm, nodes have the cores, the memory and the',
    'accelerators of their instance type; their jobs share this machine.',
    '',
    'Settings that need AWS (subnets, volumes, directories) are checked and stored, but have no effect.',
  ].join('\n'),
  positionals: [],
  options: createOptions,
  examples: [
    {
      command: 'trenio cluster create-cluster --cluster-name demo --cluster-configuration cluster.yaml',
      explanation: 'ready when it returns',
    },
    { command: 'trenio cluster create-cluster -n demo -c cluster.yaml --dry-run', explanation: 'only check the file' },
  ],
  run: async (input, context) => (await commands()).create(input, context),
});
const update = defineCommand({
  name: 'cluster update-cluster',
  summary: 'Change a cluster to another configuration.',
  description: [
    'Shows the differences and applies them: more nodes and new queues at once; smaller or changed queues once the affected nodes have',
    'no jobs (QueueUpdateStrategy: TERMINATE requeues their jobs instead). Changes that need a new cluster are rejected.',
  ].join('\n'),
  positionals: [],
  options: updateOptions,
  examples: [
    {
      command: 'trenio cluster update-cluster -n demo -c cluster.yaml --dry-run',
      explanation: 'the changes, and their requirements',
    },
    { command: 'trenio cluster update-cluster -n demo -c cluster.yaml', explanation: 'apply them' },
    {
      command: 'trenio cluster update-cluster -n lab -c cluster.yaml --hosts hosts',
      explanation: 'add, remove or replace ssh hosts',
    },
  ],
  run: async (input, context) => (await commands()).update(input, context),
});
const describe = defineCommand({
  name: 'cluster describe-cluster',
  summary: 'Describe a cluster as JSON.',
  description: 'Prints the output of pcluster, and the states of the nodes and processes of the cluster.',
  positionals: [],
  options: nameOptions,
  examples: [{ command: 'trenio cluster describe-cluster -n demo', explanation: 'its current state' }],
  run: async (input, context) => (await commands()).describe(input, context),
});
const list = defineCommand({
  name: 'cluster list-clusters',
  summary: 'List the clusters of this machine as JSON.',
  description: 'Prints {"clusters": […]}.',
  positionals: [],
  options: listOptions,
  examples: [{ command: 'trenio cluster list-clusters', explanation: 'all of them' }],
  run: async (input, context) => (await commands()).list(input, context),
});
const remove = defineCommand({
  name: 'cluster delete-cluster',
  summary: 'End the jobs of a cluster and delete it.',
  description: 'Ends its jobs and processes, and removes its networks, folders and logs. See export-cluster-logs.',
  positionals: [],
  options: nameOptions,
  examples: [{ command: 'trenio cluster delete-cluster -n demo', explanation: 'leaves nothing behind' }],
  run: async (input, context) => (await commands()).remove(input, context),
});
const instances = defineCommand({
  name: 'cluster describe-cluster-instances',
  summary: 'List the running nodes as JSON.',
  description: 'Prints {"instances": […]}: the head node and the compute nodes, with addresses and Slurm states.',
  positionals: [],
  options: instancesOptions,
  examples: [{ command: 'trenio cluster describe-cluster-instances -n demo', explanation: 'the running nodes' }],
  run: async (input, context) => (await commands()).instances(input, context),
});
const fleet = defineCommand({
  name: 'cluster describe-compute-fleet',
  summary: 'Show whether the compute nodes are started.',
  description: 'Prints {"status", "lastStatusUpdatedTime"}.',
  positionals: [],
  options: nameOptions,
  examples: [{ command: 'trenio cluster describe-compute-fleet -n demo', explanation: 'RUNNING or STOPPED' }],
  run: async (input, context) => (await commands()).describeFleet(input, context),
});
const updateFleet = defineCommand({
  name: 'cluster update-compute-fleet',
  summary: 'Start or stop the compute nodes.',
  description: 'Stopping ends all nodes and their jobs; slurmctld and the queue keep running.',
  positionals: [],
  options: fleetOptions,
  examples: [
    {
      command: 'trenio cluster update-compute-fleet -n demo --status STOP_REQUESTED',
      explanation: 'nodes end; queued jobs wait',
    },
  ],
  run: async (input, context) => (await commands()).updateFleet(input, context),
});
const logs = defineCommand({
  name: 'cluster get-cluster-log-events',
  summary: 'Show the log of a daemon or node.',
  description: 'Prints the last lines of a log of the cluster.',
  positionals: [],
  options: logOptions,
  examples: [
    { command: 'trenio cluster get-cluster-log-events -n demo', explanation: "slurmctld's" },
    {
      command: 'trenio cluster get-cluster-log-events -n demo --log-stream-name queue1-st-trn1-1',
      explanation: "a node's slurmd",
    },
  ],
  run: async (input, context) => (await commands()).logs(input, context),
});
const exportLogs = defineCommand({
  name: 'cluster export-cluster-logs',
  summary: 'Write all logs of a cluster into an archive.',
  description: 'Writes the logs, the configuration and the files of Slurm, without keys.',
  positionals: [],
  options: exportOptions,
  examples: [{ command: 'trenio cluster export-cluster-logs -n demo', explanation: 'demo-logs.tar.gz' }],
  run: async (input, context) => (await commands()).exportLogs(input, context),
});
const shell = defineCommand({
  name: 'cluster shell',
  summary: 'Run a shell, or a command, with the Slurm of a cluster.',
  description:
    "Sets SLURM_CONF, so that sinfo, squeue, sbatch, srun, scancel and scontrol are about this cluster. Its exit code is the shell's.",
  positionals: [{ name: 'command', description: 'A command. Default: $SHELL.', required: false }],
  rest: { name: 'args', description: 'Arguments of the command.' },
  options: nameOptions,
  examples: [
    { command: 'trenio cluster shell -n demo', explanation: 'a shell; leave it with exit' },
    { command: 'trenio cluster shell -n demo sinfo -N', explanation: 'one command' },
  ],
  run: async (input, context) => (await commands()).shell(input, context),
});
const submit = defineCommand({
  name: 'cluster submit',
  summary: 'Run a training script on nodes of a cluster.',
  description: [
    'Writes a batch script and submits it with sbatch: all ranks start with srun and trenio run, and a job',
    'that is preempted or loses a node is requeued and resumes from its checkpoint.',
  ].join('\n'),
  positionals: [{ name: 'script', description: 'The training script.', required: true }],
  rest: { name: 'args', description: 'Arguments of the script.' },
  options: submitOptions,
  examples: [
    { command: 'trenio cluster submit -n demo --nodes 16 train.ts', explanation: 'one rank on each of 16 nodes' },
    {
      command: 'trenio cluster submit -n demo --nodes 4 --layout dp_shard=4,tp=2 train.ts',
      explanation: 'two ranks on each of 4 nodes',
    },
    { command: 'trenio cluster submit -n demo --nodes 2 --print train.ts --epochs 3', explanation: 'show the script' },
  ],
  run: async (input, context) => (await commands()).submit(input, context),
});

const ssh = defineCommand({
  name: 'cluster ssh',
  summary: 'Open a shell on the head node, or on a compute node.',
  description:
    "Enters a running node: its processes, network and file systems. The head node is this machine, with the cluster's Slurm.",
  positionals: [{ name: 'command', description: 'A command. Default: $SHELL.', required: false }],
  rest: { name: 'args', description: 'Arguments of the command.' },
  options: sshOptions,
  examples: [
    { command: 'trenio cluster ssh -n demo --node queue1-st-trn1-1', explanation: 'look around on a node' },
    { command: 'trenio cluster ssh -n demo --node queue1-st-trn1-1 ps ax', explanation: 'one command' },
  ],
  run: async (input, context) => (await import('./node-commands.ts')).ssh(input, context),
});
const rest = defineCommand({
  name: 'cluster rest',
  summary: "Run Slurm's REST interface on a socket.",
  description:
    'Runs slurmrestd on a Unix socket that only its owner can open, until it is interrupted. No port is opened.',
  positionals: [],
  options: nameOptions,
  examples: [{ command: 'trenio cluster rest -n demo', explanation: 'prints the curl command' }],
  run: async (input, context) => (await import('./node-commands.ts')).rest(input, context),
});
const streams = defineCommand({
  name: 'cluster list-cluster-log-streams',
  summary: 'List the logs of a cluster as JSON.',
  description: 'Prints {"logStreams": […]}, the names for get-cluster-log-events.',
  positionals: [],
  options: nameOptions,
  examples: [{ command: 'trenio cluster list-cluster-log-streams -n demo', explanation: 'all logs' }],
  run: async (input, context) => (await import('./node-commands.ts')).logStreams(input, context),
});
const configure = defineCommand({
  name: 'cluster configure',
  summary: 'Write a configuration file.',
  description:
    'Asks for the values that are not given as options, if the input is a terminal, and writes a file for create-cluster.',
  positionals: [],
  options: configureOptions,
  examples: [
    { command: 'trenio cluster configure -c cluster.yaml', explanation: 'asks for all values' },
    {
      command:
        'trenio cluster configure -c cluster.yaml -t trn1.32xlarge --min-count 2 --max-count 16 --shared-dir /shared',
      explanation: 'without questions',
    },
  ],
  run: async (input, context) => (await import('./configure.ts')).configure(input, context),
});

const versionCommand = defineCommand({
  name: 'cluster version',
  summary: 'Show the version of ParallelCluster whose files are read.',
  description: 'Prints {"version"}.',
  positionals: [],
  options: {},
  examples: [{ command: 'trenio cluster version', explanation: 'as pcluster version' }],
  run: async (_input, context) => (await commands()).version(context),
});

/** The command with the options of pcluster that have no effect here. */
function withIgnored(command: Command): Command {
  const ignored = ignoredOptions(command.name.replace(/^cluster /, ''), command.options);
  return {
    ...command,
    options: { ...command.options, ...optionsOf(ignored) },
    run: (input, context) => {
      for (const note of notesOn(ignored, input.options)) context.stderr.write(`trenio ${command.name}: ${note}\n`);
      return command.run(input, context);
    },
  };
}

export const clusterCommands: CommandGroup = {
  name: 'cluster',
  summary: 'Slurm clusters on this machine, from configuration files of ParallelCluster.',
  description:
    'Has the commands and options of pcluster; clusters are virtual and run on this machine (docs/clusters.md).',
  commands: [
    create,
    update,
    describe,
    list,
    remove,
    instances,
    fleet,
    updateFleet,
    logs,
    exportLogs,
    streams,
    ssh,
    shell,
    submit,
    configure,
    rest,
    versionCommand,
  ].map(withIgnored),
};

/** `trenio pcluster …`: the same, for fingers that are used to it. */
export const pclusterCommands: CommandGroup = {
  ...clusterCommands,
  name: 'pcluster',
  summary: 'The same as trenio cluster.',
  commands: clusterCommands.commands.map(command => ({
    ...command,
    name: command.name.replace(/^cluster/, 'pcluster'),
  })),
};
