// The options of the commands of `trenio jobs`.
import type { CommandInput, Options } from '../command/command.ts';
import { jsonOption, serverOptions } from '../server-option.ts';

const common = { ...serverOptions, json: jsonOption } as const;

export const createOptions = {
  'entry-point': {
    kind: 'text',
    short: 'e',
    placeholder: 'FILE',
    description: 'The training script, relative to --source-dir if that is given.',
  },
  'source-dir': {
    kind: 'text',
    placeholder: 'DIR',
    description: 'A folder of code that is uploaded. Default: only the entry point.',
  },
  'instance-type': {
    kind: 'text',
    short: 't',
    placeholder: 'TYPE',
    default: 'ml.trn1.2xlarge',
    description: 'The type of the instances.',
  },
  'instance-count': {
    kind: 'integer',
    short: 'n',
    placeholder: 'N',
    min: 1,
    max: 1000,
    default: 1,
    description: 'The number of instances.',
  },
  image: {
    kind: 'text',
    placeholder: 'NAME',
    description: 'The training image. Default: trenio, which runs the entry point.',
  },
  distributed: { kind: 'flag', description: 'Run one process per core of each instance, with `trenio run`.' },
  hyperparameter: {
    kind: 'list',
    short: 'H',
    placeholder: 'NAME=VALUE',
    description: 'An option of the script, which receives --NAME VALUE.',
  },
  input: {
    kind: 'list',
    short: 'i',
    placeholder: 'CHANNEL=DATA',
    description: 'Input data: s3://bucket/prefix, or a local file or folder, which is uploaded.',
  },
  metric: {
    kind: 'list',
    placeholder: 'NAME=REGEX',
    description: 'A metric in the output; the first group of the regular expression is the value.',
  },
  env: { kind: 'list', placeholder: 'NAME=VALUE', description: 'An environment variable.' },
  tag: { kind: 'list', placeholder: 'NAME=VALUE', description: 'A tag of the job.' },
  checkpoints: {
    kind: 'text',
    placeholder: 'S3-URI',
    description: 'The location that /opt/ml/checkpoints is copied from and to.',
  },
  output: {
    kind: 'text',
    placeholder: 'S3-URI',
    description: 'The location of the model. Default: the default bucket.',
  },
  spot: { kind: 'flag', description: 'Use spot instances; needs --max-wait.' },
  'max-run': {
    kind: 'integer',
    placeholder: 'SECONDS',
    min: 1,
    max: 2_419_200,
    description: 'Time limit. Default: a day.',
  },
  'max-wait': {
    kind: 'integer',
    placeholder: 'SECONDS',
    min: 1,
    max: 2_419_200,
    description: 'Time limit of a spot job for waiting and running together.',
  },
  name: {
    kind: 'text',
    placeholder: 'NAME',
    description: 'The name of the job. Default: derived from the image and the time.',
  },
  follow: {
    kind: 'flag',
    short: 'f',
    description: 'Follow the output of the job until it ends; Ctrl-C leaves it running.',
  },
  ...common,
} as const satisfies Options;

export const lsOptions = {
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    description: 'InProgress, Completed, Failed, Stopping or Stopped.',
  },
  contains: { kind: 'text', placeholder: 'TEXT', description: 'Text in the name.' },
  limit: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 100_000,
    default: 20,
    description: 'List at most N jobs, latest first.',
  },
  ...common,
} as const satisfies Options;

export const logsOptions = {
  follow: { kind: 'flag', short: 'f', description: 'Follow the log until the job ends, or until Ctrl-C.' },
  ...common,
} as const satisfies Options;

export const commonOptions = common satisfies Options;

export type CreateInput = CommandInput<typeof createOptions>;
export type LsInput = CommandInput<typeof lsOptions>;
export type LogsInput = CommandInput<typeof logsOptions>;
export type CommonInput = CommandInput<typeof commonOptions>;
