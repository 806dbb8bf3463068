// `trenio top`: a screen that follows the training processes of this user. Only the description; the implementation is imported
// when the command runs.
import { defineCommand } from '../command/command.ts';
import { topOptions } from './top-options.ts';

export const topCommand = defineCommand({
  name: 'top',
  summary: 'Follow training processes on a screen: cores, memory, steps, loss.',
  description: [
    'Shows your training processes on this host: what the cores do (kernels, collectives, the script), memory by kind, step time,',
    'throughput, MFU and loss; with TRENIO_PROFILE=1 also groups of kernels. The arrow keys choose a process and go back in time.',
    'Processes record this in memory by themselves (docs/monitor.md); looking at it does not slow them down.',
    '',
    'Keys: ↑ ↓ choose · ← → back and forward in time, End now · s sort, r reverse · t tree · / filter · k send a signal ·',
    'f percent or FLOP/s · ? help · q quit',
  ].join('\n'),
  positionals: [],
  options: topOptions,
  examples: [
    { command: 'trenio top', explanation: 'a screen, until q' },
    { command: 'trenio top --sort step --filter bert', explanation: 'slowest steps first, one script only' },
    { command: 'trenio top --once', explanation: 'print it once' },
    { command: 'trenio top --once --json | jq .processes[].rates.stepMs', explanation: 'step times, for scripts' },
  ],
  run: async (input, context) => (await import('./top.ts')).top(input, context),
});
