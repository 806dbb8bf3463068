// `trenio ls`: the cores and memory of this machine, and the Trenio processes that use them. Only the description; the
// implementation is imported when it runs.
import { defineCommand } from '../command/command.ts';
import { lsOptions } from './ls-options.ts';

export const lsCommand = defineCommand({
  name: 'ls',
  summary: 'Show cores, instruction sets, memory, and the Trenio processes that use them.',
  description: [
    'Lists the cores available on this machine with their vector and bf16 instructions, the memory, and the Trenio processes',
    'running on them.',
  ].join('\n'),
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio ls', explanation: 'a table' },
    { command: 'trenio ls --topology --wide', explanation: 'with NUMA nodes and whole command lines' },
    { command: 'trenio ls --json | jq .machine.bf16', explanation: 'the bf16 instructions, for scripts' },
    { command: 'trenio ls -j', explanation: 'for scripts that read neuron-ls' },
  ],
  run: async (input, context) => (await import('./list-machine.ts')).listMachine(input.options, context),
});
