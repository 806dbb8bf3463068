// `trenio jobs …`: training jobs on a job server. Only descriptions; the implementation is imported when a command runs.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { commonOptions, createOptions, logsOptions, lsOptions } from './jobs-options.ts';

const job = { name: 'job', description: 'The name of a job.', required: true } as const;
const jobs = { name: 'jobs', description: 'Names of jobs.', required: true, many: true } as const;

const create = defineCommand({
  name: 'jobs create',
  summary: 'Start a training job.',
  description: [
    'Uploads the code and local data to the default bucket, and starts a job. The script finds its data in the folders',
    'SM_CHANNEL_<CHANNEL>, and writes its model to SM_MODEL_DIR. Prints the name of the job.',
  ].join('\n'),
  positionals: [],
  options: createOptions,
  examples: [
    {
      command: 'trenio jobs create -e train.ts -i train=data/ -f',
      explanation: 'one instance, followed until it ends',
    },
    {
      command: 'trenio jobs create -e train.ts --source-dir src -t ml.trn1.32xlarge -n 2 --distributed -H epochs=3',
      explanation: 'two instances, one process for each of their cores',
    },
    {
      command: 'trenio jobs create -e train.ts --spot --max-wait 7200 --checkpoints s3://data/checkpoints',
      explanation: 'on spot instances, resumed from checkpoints',
    },
  ],
  run: async (input, context) => (await import('./create.ts')).createJob(input, context),
});

const ls = defineCommand({
  name: 'jobs ls',
  summary: 'List training jobs.',
  description: 'Lists jobs, the latest first.',
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio jobs ls', explanation: 'the latest 20' },
    { command: 'trenio jobs ls --status Failed --json | jq -r .jobs[].name', explanation: 'for scripts' },
  ],
  run: async (input, context) => (await import('./commands.ts')).listThem(input, context),
});

const show = defineCommand({
  name: 'jobs show',
  summary: 'Show a training job.',
  description: 'Shows the state and history of a job, its settings, metrics, times and cost.',
  positionals: [job],
  options: commonOptions,
  examples: [
    { command: 'trenio jobs show first', explanation: 'readable text' },
    { command: 'trenio jobs show first --json | jq .billableSeconds', explanation: 'for scripts' },
  ],
  run: async (input, context) => (await import('./commands.ts')).showOne(input, context),
});

const logs = defineCommand({
  name: 'jobs logs',
  summary: 'Print the log of a training job.',
  description: 'Prints the log lines of a job; with several instances, each line starts with its host.',
  positionals: [job],
  options: logsOptions,
  examples: [
    { command: 'trenio jobs logs first', explanation: 'so far' },
    { command: 'trenio jobs logs -f first', explanation: 'until the job ends; Ctrl-C leaves it running' },
  ],
  run: async (input, context) => (await import('./commands.ts')).printLog(input, context),
});

const stop = defineCommand({
  name: 'jobs stop',
  summary: 'Stop training jobs.',
  description: 'The scripts get SIGTERM, and two minutes later SIGKILL. The contents of the model folder are kept.',
  positionals: [jobs],
  options: commonOptions,
  examples: [{ command: 'trenio jobs stop first second', explanation: 'two jobs' }],
  run: async (input, context) => (await import('./commands.ts')).stopThem(input, context),
});

const interrupt = defineCommand({
  name: 'jobs interrupt',
  summary: 'Interrupt a spot job.',
  description: [
    'The job is interrupted as on spot instances: SIGTERM, two minutes for a checkpoint, SIGKILL; then it restarts. Use this to test',
    'that a job resumes from its checkpoint.',
  ].join('\n'),
  positionals: [jobs],
  options: commonOptions,
  examples: [{ command: 'trenio jobs interrupt first', explanation: 'a job that was created with --spot' }],
  run: async (input, context) => (await import('./commands.ts')).interruptThem(input, context),
});

const remove = defineCommand({
  name: 'jobs delete',
  summary: 'Delete training jobs that have ended.',
  description: 'Deletes the records of jobs. Their models and data are kept in the object store.',
  positionals: [jobs],
  options: commonOptions,
  examples: [{ command: 'trenio jobs delete first', explanation: 'its name can be used again' }],
  run: async (input, context) => (await import('./commands.ts')).deleteThem(input, context),
});

const compare = defineCommand({
  name: 'jobs compare',
  summary: 'Compare training jobs: settings, metrics, cost.',
  description:
    'Prints a table with a column for each job: the hyperparameters that differ, the last metrics, times and cost.',
  positionals: [jobs],
  options: commonOptions,
  examples: [
    { command: 'trenio jobs compare first second', explanation: 'two jobs' },
    { command: 'trenio jobs compare $(trenio jobs ls --json | jq -r .jobs[].name)', explanation: 'the latest' },
  ],
  run: async (input, context) => (await import('./compare.ts')).compareThem(input, context),
});

const cost = defineCommand({
  name: 'jobs cost',
  summary: 'Show the cost of training jobs.',
  description: 'Shows the billed seconds and the cost of jobs, and their sum. Without names: of all jobs.',
  positionals: [{ ...jobs, description: 'Names of jobs. Default: all.', required: false }],
  options: commonOptions,
  examples: [
    { command: 'trenio jobs cost', explanation: 'of all jobs' },
    { command: 'trenio jobs cost first second --json', explanation: 'for scripts' },
  ],
  run: async (input, context) => (await import('./compare.ts')).costOfThem(input, context),
});

export const jobCommands: CommandGroup = {
  name: 'jobs',
  summary: 'Start, list, follow, stop and compare training jobs.',
  description: [
    'Works with the job server at AWS_ENDPOINT_URL, with the key in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,',
    'or with the `trenio server` on this machine (docs/server.md).',
  ].join('\n'),
  commands: [create, ls, show, logs, stop, interrupt, remove, compare, cost],
};
