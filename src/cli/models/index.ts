// `trenio models …`: models on a job server, which endpoints serve. Only descriptions.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { commonOptions, createOptions } from './models-options.ts';

const model = { name: 'model', description: 'The name of a model.', required: true } as const;

const ls = defineCommand({
  name: 'models ls',
  summary: 'List models.',
  description: 'Lists models, the latest first.',
  positionals: [],
  options: commonOptions,
  examples: [{ command: 'trenio models ls', explanation: 'all of them' }],
  run: async (input, context) => (await import('./commands.ts')).listThem(input, context),
});

const show = defineCommand({
  name: 'models show',
  summary: 'Show a model.',
  description: 'Shows the image and the archive of a model.',
  positionals: [model],
  options: commonOptions,
  examples: [{ command: 'trenio models show polarity', explanation: 'image and archive' }],
  run: async (input, context) => (await import('./commands.ts')).showOne(input, context),
});

const create = defineCommand({
  name: 'models create',
  summary: 'Create a model from a training job or an archive.',
  description: 'A model is an archive of files and an image that serves them.',
  positionals: [model],
  options: createOptions,
  examples: [
    { command: 'trenio models create polarity --job first', explanation: 'the result of a training job' },
    { command: 'trenio models create mine --model-data s3://data/model.tar.gz', explanation: 'an archive' },
  ],
  run: async (input, context) => (await import('./commands.ts')).createOne(input, context),
});

const remove = defineCommand({
  name: 'models delete',
  summary: 'Delete models.',
  description: 'Deletes models. Their archives are kept in the object store.',
  positionals: [{ ...model, name: 'models', description: 'Names of models.', many: true }],
  options: commonOptions,
  examples: [{ command: 'trenio models delete polarity', explanation: 'endpoints that serve it keep running' }],
  run: async (input, context) => (await import('./commands.ts')).deleteThem(input, context),
});

export const modelCommands: CommandGroup = {
  name: 'models',
  summary: 'List, show, create and delete models of a job server.',
  description: 'Works with a job server, like `trenio jobs`.',
  commands: [ls, show, create, remove],
};
