// `trenio cache …`: the directory of compiled programs. Only descriptions; the implementation is imported when a command runs.
import type { CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/command.ts';
import { lsOptions, pruneOptions, verifyOptions } from './cache-options.ts';

const ls = defineCommand({
  name: 'cache ls',
  summary: 'List the compiled programs in the cache.',
  description: [
    'Lists the entries of the cache, most recently used first: machine code (library), descriptions of the modules that it was',
    'compiled from (program), compiled functions that several programs can share (object), and sources that the C compiler',
    'rejected (failed).',
  ].join('\n'),
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio cache ls', explanation: 'a readable table' },
    { command: 'trenio cache ls --json | jq .bytes', explanation: 'the total size' },
  ],
  run: async (input, context) => (await import('./commands.ts')).listCache(input, context),
});

const prune = defineCommand({
  name: 'cache prune',
  summary: 'Remove compiled programs.',
  description: [
    'Removes all entries, those not used for some time, or the least recently used ones until the rest is small enough. This is',
    'safe while programs run and compile: loaded code stays in memory. Removed programs are compiled again when needed.',
  ].join('\n'),
  positionals: [],
  options: pruneOptions,
  examples: [
    { command: 'trenio cache prune --max-bytes 1073741824', explanation: 'keep the 1 GiB used last' },
    { command: 'trenio cache prune --older-than 30d', explanation: 'remove entries not used for thirty days' },
    { command: 'trenio cache prune --all', explanation: 'remove everything' },
  ],
  run: async (input, context) => (await import('./commands.ts')).pruneCache(input, context),
});

const verify = defineCommand({
  name: 'cache verify',
  summary: 'Check the cache for damaged entries.',
  description: [
    'Compares the hash of every entry with the one stored when it was written. Exits with 0 if all are intact, and with 1 if some',
    'are damaged and --remove was not given. A damaged entry is never loaded: it is compiled again when needed.',
  ].join('\n'),
  positionals: [],
  options: verifyOptions,
  examples: [
    { command: 'trenio cache verify', explanation: 'list damaged entries' },
    { command: 'trenio cache verify --remove', explanation: 'remove damaged entries' },
  ],
  run: async (input, context) => (await import('./commands.ts')).verifyCache(input, context),
});

export const cacheCommands: CommandGroup = {
  name: 'cache',
  summary: 'List, prune and verify the cache of compiled programs.',
  description: [
    'Works on the cache directory: TRENIO_CACHE_DIR, default ~/.cache/trenio. TRENIO_CACHE_MAX_BYTES limits its size: old entries',
    'are removed automatically.',
  ].join('\n'),
  commands: [ls, prune, verify],
};
