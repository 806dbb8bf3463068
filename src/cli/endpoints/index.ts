// `trenio endpoints …`: endpoints of a job server. Only descriptions; the implementation is imported when a command runs.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { commonOptions, fleetOptions, invokeOptions } from './endpoints-options.ts';

const endpoint = { name: 'endpoint', description: 'The name of an endpoint.', required: true } as const;

const ls = defineCommand({
  name: 'endpoints ls',
  summary: 'List endpoints.',
  description: 'Lists endpoints, the latest first.',
  positionals: [],
  options: commonOptions,
  examples: [{ command: 'trenio endpoints ls --json | jq -r .endpoints[].name', explanation: 'for scripts' }],
  run: async (input, context) => (await import('./commands.ts')).listThem(input, context),
});

const show = defineCommand({
  name: 'endpoints show',
  summary: 'Show an endpoint.',
  description: 'Shows the state of an endpoint, its variants and their number of instances.',
  positionals: [endpoint],
  options: commonOptions,
  examples: [{ command: 'trenio endpoints show polarity', explanation: 'state, models, instances' }],
  run: async (input, context) => (await import('./commands.ts')).showOne(input, context),
});

const create = defineCommand({
  name: 'endpoints create',
  summary: 'Serve a model as an endpoint.',
  description: 'Creates an endpoint with one variant, and waits until it is in service.',
  positionals: [endpoint],
  options: fleetOptions,
  examples: [
    { command: 'trenio endpoints create polarity -m polarity -n 2', explanation: 'two replicas on ml.c5.xlarge' },
  ],
  run: async (input, context) => (await import('./commands.ts')).createOne(input, context),
});

const update = defineCommand({
  name: 'endpoints update',
  summary: 'Switch to another model or other instances without downtime.',
  description: [
    'Starts the new replicas next to the old ones, and shifts traffic when all of them are ready. If one fails, the old ones stay',
    'and the command fails.',
  ].join('\n'),
  positionals: [endpoint],
  options: fleetOptions,
  examples: [{ command: 'trenio endpoints update polarity -m polarity-2', explanation: 'another model' }],
  run: async (input, context) => (await import('./commands.ts')).updateOne(input, context),
});

const invoke = defineCommand({
  name: 'endpoints invoke',
  summary: 'Send a request to an endpoint.',
  description: 'Sends a request and prints the response.',
  positionals: [endpoint],
  options: invokeOptions,
  examples: [
    {
      command: 'trenio endpoints invoke polarity -b \'{"inputs": "A lovely book"}\'',
      explanation: 'from the command line',
    },
    { command: 'trenio endpoints invoke polarity --content-type text/csv < rows.csv', explanation: 'from a file' },
  ],
  run: async (input, context) => (await import('./commands.ts')).invokeOne(input, context),
});

const remove = defineCommand({
  name: 'endpoints delete',
  summary: 'Delete endpoints.',
  description:
    'Stops the replicas of endpoints, and deletes their configurations. Models are kept; see trenio models delete.',
  positionals: [{ ...endpoint, name: 'endpoints', description: 'Names of endpoints.', many: true }],
  options: commonOptions,
  examples: [{ command: 'trenio endpoints delete polarity', explanation: 'the model can be deployed again' }],
  run: async (input, context) => (await import('./commands.ts')).deleteThem(input, context),
});

export const endpointCommands: CommandGroup = {
  name: 'endpoints',
  summary: 'Create, invoke, update and delete endpoints of a job server.',
  description: 'Works on a job server, as `trenio jobs` does. `trenio deploy` serves a model without one.',
  commands: [ls, show, create, update, invoke, remove],
};
