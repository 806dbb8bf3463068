// `trenio hardware calibrate`: the description of the command. The implementation is imported when it runs.
import { defineCommand } from '../command/command.ts';

export const calibrateCommand = defineCommand({
  name: 'hardware calibrate',
  summary: 'Measure this machine, to predict the time of steps on it.',
  description: [
    'Runs small programs through the same compiler and runtime as a training step: matrix multiplies of many sizes in f32 and',
    'bf16, convolutions, element operations, memory, gather and scatter, kernel and program launches. This takes some seconds;',
    'close other programs first. The result is stored in the cache directory for this processor, compiler and number of threads',
    '(TRENIO_NUM_THREADS), and used by trenio run --plan and trenio plan. Measure again after any of these changes.',
  ].join('\n'),
  positionals: [],
  options: {
    json: { kind: 'flag', description: 'The rates as JSON.' },
  },
  examples: [
    { command: 'trenio hardware calibrate', explanation: 'measure, and print the rates' },
    { command: 'TRENIO_NUM_THREADS=1 trenio hardware calibrate', explanation: 'for programs on one thread' },
  ],
  run: async ({ options }, context) => (await import('./calibrate-here.ts')).calibrateHere(options, context),
});
