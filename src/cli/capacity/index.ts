// `trenio capacity …`: capacity blocks, whose instances clusters and training jobs use. Only descriptions; the implementation
// is imported when a command runs.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { blockOptions, buyOptions, extendOptions, lsOptions, searchOptions } from './capacity-options.ts';

const commands = () => import('./commands.ts');
const block = { name: 'block', description: 'The id of a block (cr-…), or its name.', required: true } as const;

const search = defineCommand({
  name: 'capacity search',
  summary: 'Find blocks to buy.',
  description: [
    'Shows up to three offerings: the earliest start at which the instances are free, and the next ones. Blocks have 1, 2, 4 … 64',
    'instances, last 1 to 14 days or 3 to 26 weeks, and start at once or up to 8 weeks ahead. Prices come from the catalog.',
  ].join('\n'),
  positionals: [],
  options: searchOptions,
  examples: [
    { command: 'trenio capacity search -t trn1.32xlarge -n 16 --days 2', explanation: 'the first offering starts now' },
    {
      command: 'trenio capacity search -t p5.48xlarge -n 4 --days 7 --start 2026-12-01 --json',
      explanation: 'from the first of December',
    },
  ],
  run: async (input, context) => (await commands()).search(input, context),
});
const buy = defineCommand({
  name: 'capacity buy',
  summary: 'Buy an offering.',
  description: [
    'Buys a block. A queue with CapacityType: CAPACITY_BLOCK names it as its CapacityReservationId. With --cluster, the block',
    'reserves nodes of its instance type in that cluster instead, for jobs with --reservation.',
  ].join('\n'),
  positionals: [{ name: 'offering', description: 'An id from the output of search.', required: true }],
  options: buyOptions,
  examples: [
    { command: 'trenio capacity buy cbo-5b22…', explanation: 'prints the block, cr-…' },
    { command: 'trenio capacity buy cbo-5b22… --cluster demo', explanation: 'a reservation in the cluster demo' },
  ],
  run: async (input, context) => (await commands()).buy(input, context),
});
const extend = defineCommand({
  name: 'capacity extend',
  summary: 'Extend a block.',
  description: 'Extends a block, up to an hour before its end. Its clusters are updated within seconds.',
  positionals: [block],
  options: extendOptions,
  examples: [
    { command: 'trenio capacity extend cr-0a1b2c3d4e5f60718 --days 1 --dry-run', explanation: 'the price only' },
    { command: 'trenio capacity extend cr-0a1b2c3d4e5f60718 --days 1', explanation: 'one day longer' },
  ],
  run: async (input, context) => (await commands()).extend(input, context),
});
const ls = defineCommand({
  name: 'capacity ls',
  summary: 'List the blocks, as a calendar.',
  description:
    'Lists blocks by their start, including those bought through the API of EC2 or SageMaker (training plans).',
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio capacity ls', explanation: 'blocks that have not ended' },
    { command: 'trenio capacity ls --all --json', explanation: 'all, for scripts' },
  ],
  run: async (input, context) => (await commands()).list(input, context),
});
const show = defineCommand({
  name: 'capacity show',
  summary: 'Show a block.',
  description: 'Shows a block with its extensions and the price paid.',
  positionals: [block],
  options: blockOptions,
  examples: [{ command: 'trenio capacity show cr-0a1b2c3d4e5f60718', explanation: 'one block' }],
  run: async (input, context) => (await commands()).show(input, context),
});

export const capacityCommands: CommandGroup = {
  name: 'capacity',
  summary: 'Capacity blocks: reserved instances with a start and an end.',
  description:
    'Searches, buys and extends capacity blocks, whose instances clusters and training jobs use (docs/clusters.md).',
  commands: [search, buy, extend, ls, show],
};
