// `trenio server keys …`: the access keys of a job server. Only descriptions; the implementation is imported when a command runs.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { createOptions, keyOptions, rotateOptions } from './server-keys-options.ts';

const id = { name: 'id', description: 'The id of a key.', required: true } as const;

const ls = defineCommand({
  name: 'server keys ls',
  summary: 'List the access keys of a job server.',
  description: 'Lists the keys with their roles, without their secrets.',
  positionals: [],
  options: keyOptions,
  examples: [
    { command: 'trenio server keys ls', explanation: 'for people' },
    { command: 'trenio server keys ls --json | jq -r .keys[].id', explanation: 'for scripts' },
  ],
  run: async (input, context) => (await import('./commands.ts')).listKeys(input, context),
});

const create = defineCommand({
  name: 'server keys create',
  summary: 'Make an access key.',
  description: [
    'Makes a key and prints it with its secret, which is not shown again. An admin may do everything; a developer changes jobs, data',
    'and endpoints; a read-only key reads. --actions narrows a key further, to some actions in the words of IAM.',
  ].join('\n'),
  positionals: [],
  options: createOptions,
  examples: [
    { command: 'trenio server keys create --role read-only --name dashboard', explanation: 'a key that only reads' },
    {
      command: "trenio server keys create --role developer --actions 's3:*,sagemaker:InvokeEndpoint'",
      explanation: 'a key for data and requests to endpoints',
    },
  ],
  run: async (input, context) => (await import('./commands.ts')).createKey(input, context),
});

const rotate = defineCommand({
  name: 'server keys rotate',
  summary: 'Replace an access key by a new one.',
  description:
    'Makes a key with the same rights. The old one is accepted for some hours more, so that clients can be changed.',
  positionals: [id],
  options: rotateOptions,
  examples: [
    { command: 'trenio server keys rotate AKIA…', explanation: 'the old key ends in a day' },
    { command: 'trenio server keys rotate AKIA… --overlap-hours 0', explanation: 'a secret that others know: at once' },
  ],
  run: async (input, context) => (await import('./commands.ts')).rotateKey(input, context),
});

const disable = defineCommand({
  name: 'server keys disable',
  summary: 'Refuse an access key from now on.',
  description: 'The server refuses the key at once, in the console too. `enable` accepts it again.',
  positionals: [id],
  options: keyOptions,
  examples: [{ command: 'trenio server keys disable AKIA…', explanation: 'at once, while the server runs' }],
  run: async (input, context) => (await import('./commands.ts')).disableKey(input, context),
});

const enable = defineCommand({
  name: 'server keys enable',
  summary: 'Accept an access key again.',
  description: 'Accepts a key again that was disabled.',
  positionals: [id],
  options: keyOptions,
  examples: [{ command: 'trenio server keys enable AKIA…', explanation: 'with the secret that it had' }],
  run: async (input, context) => (await import('./commands.ts')).enableKey(input, context),
});

const remove = defineCommand({
  name: 'server keys rm',
  summary: 'Delete an access key.',
  description: 'Deletes a key. The last key of an admin cannot be deleted.',
  positionals: [id],
  options: keyOptions,
  examples: [{ command: 'trenio server keys rm AKIA…', explanation: 'it is refused from now on' }],
  run: async (input, context) => (await import('./commands.ts')).removeKey(input, context),
});

export const serverKeyCommands: CommandGroup = {
  name: 'server keys',
  summary: 'List, create, rotate and disable the access keys of a job server.',
  description: [
    'Works on the keys in the folder of a server on this machine, whether it runs or not; one that runs sees changes at once.',
    'Changes are recorded in the audit log (trenio server audit).',
  ].join('\n'),
  commands: [ls, create, rotate, disable, enable, remove],
};
