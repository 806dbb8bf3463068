// `trenio hardware calibrate`: the description of the command; what it does is imported when it runs.
import { defineCommand } from '../command.ts';

export const calibrateCommand = defineCommand({
  name: 'hardware calibrate',
  summary: 'Measure this machine, so that steps on it can be predicted.',
  description: [
    'Runs small programs through the same compiler and runtime as any step: multiplies of many sizes in f32 and bf16,',
    'convolutions, element operations, memory, rows looked up and added, starts of kernels and programs. Takes some seconds;',
    'close other programs first. What it finds is kept in the cache directory for this processor, compiler and number of',
    'threads (TRENIO_NUM_THREADS), and used by trenio run --plan and trenio plan. Measured again after any of them changes.',
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
