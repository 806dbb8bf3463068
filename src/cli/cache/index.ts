// `trenio cache …`: the directory of compiled programs. Descriptions alone; what a command does is imported when it runs.
import type { CommandGroup } from '../command.ts';
import { defineCommand } from '../command.ts';
import { lsOptions, pruneOptions, verifyOptions } from './options.ts';

const ls = defineCommand({
  name: 'cache ls',
  summary: 'Show what compiled programs are kept.',
  description: [
    'Lists the entries of the cache, used last first: machine code (library), what is known of the modules it was made from',
    '(program), compiled functions that further programs may have too (object), and sources that the C compiler refused',
    '(failed).',
  ].join('\n'),
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio cache ls', explanation: 'a table for people' },
    { command: 'trenio cache ls --json | jq .bytes', explanation: 'the size of all of it' },
  ],
  run: async (input, context) => (await import('./commands.ts')).listCache(input, context),
});

const prune = defineCommand({
  name: 'cache prune',
  summary: 'Remove compiled programs.',
  description: [
    'Removes entries of the cache: all of them, those not used for a while, or those used longest ago until the rest is small',
    'enough. Safe while programs run and compile: what they have loaded stays theirs. What is missing is compiled again.',
  ].join('\n'),
  positionals: [],
  options: pruneOptions,
  examples: [
    { command: 'trenio cache prune --max-bytes 1073741824', explanation: 'keep 1 GiB, used last' },
    { command: 'trenio cache prune --older-than 30d', explanation: 'what nobody has used for thirty days' },
    { command: 'trenio cache prune --all', explanation: 'everything' },
  ],
  run: async (input, context) => (await import('./commands.ts')).pruneCache(input, context),
});

const verify = defineCommand({
  name: 'cache verify',
  summary: 'Check that what is kept is what was written.',
  description: [
    'Hashes every entry again. Ends with 0 when all are whole and with 1 when some are damaged, unless --remove removes those.',
    'A damaged entry is never loaded: it is made again when it is needed.',
  ].join('\n'),
  positionals: [],
  options: verifyOptions,
  examples: [
    { command: 'trenio cache verify', explanation: 'say which are damaged' },
    { command: 'trenio cache verify --remove', explanation: 'and remove them' },
  ],
  run: async (input, context) => (await import('./commands.ts')).verifyCache(input, context),
});

export const cacheCommands: CommandGroup = {
  name: 'cache',
  summary: 'List, prune and verify the compiled programs that are kept.',
  description: [
    'Works on the directory in which compiled programs are kept: TRENIO_CACHE_DIR, or else ~/.cache/trenio. TRENIO_CACHE_MAX_BYTES',
    'says how large it may become by itself.',
  ].join('\n'),
  commands: [ls, prune, verify],
};
