// `trenio profile …`: descriptions; the implementation is imported when a command runs.
import type { CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/command.ts';
import { runOptions, viewOptions } from './profile-options.ts';

const run = defineCommand({
  name: 'profile run',
  summary: 'Profile some steps of a training script.',
  description: [
    'Runs the script like `trenio run`, and records some of its steps: the activity of each thread, every call of every',
    'kernel, collectives, compiling, waiting for data. A step ends where an optimizer steps. Writes to a folder: rank-N.json for each',
    'rank, trace.json for Perfetto (https://ui.perfetto.dev), and index.html, a page that opens without a server. Prints the',
    'kernels that took longest, and where the time went. With several machines, each launcher writes the ranks of its machine to',
    'FOLDER/node-K; `trenio profile view FOLDER` shows all of them.',
  ].join('\n'),
  positionals: [{ name: 'script', description: 'A TypeScript or JavaScript file.', required: true }],
  rest: { name: 'args', description: 'Arguments of the script.' },
  options: runOptions,
  examples: [
    { command: 'trenio profile run train.ts', explanation: 'twenty steps, after skipping five' },
    {
      command: 'trenio profile run --nproc_per_node=2 --steps 50 --out profiles/two train.ts --epochs 1',
      explanation: 'fifty steps of two ranks',
    },
    {
      command: 'trenio profile run --layout pp=2 train.ts',
      explanation: 'two ranks, with the actions of their stages',
    },
    {
      command: 'trenio profile run --nnodes 2 --rdzv-endpoint host1:29400 train.ts',
      explanation: 'on each of two machines',
    },
  ],
  run: async (input, context) => (await import('./commands.ts')).profileScript(input, context),
});

const view = defineCommand({
  name: 'profile view',
  summary: 'Show a profile, or the differences between two.',
  description: [
    'Reads a folder written by `trenio profile run`, or a file written by a profiler in a script (`Profile.save`). Prints the kernels',
    'that took longest and where the time went; with --out, writes the page; with --diff, compares with another profile, kernel by',
    'kernel.',
  ].join('\n'),
  positionals: [{ name: 'profile', description: 'A folder or a file.', required: true }],
  options: viewOptions,
  examples: [
    { command: 'trenio profile view profiles/one', explanation: 'the slowest kernels, and where the time went' },
    { command: 'trenio profile view profiles/new --diff profiles/old', explanation: 'which kernels became slower' },
    { command: 'trenio profile view profile.json --out profile.html', explanation: 'a page with the flame chart' },
  ],
  run: async (input, context) => (await import('./commands.ts')).viewProfile(input, context),
});

export const profileCommands: CommandGroup = {
  name: 'profile',
  summary: 'Record where the time of a training script goes, and show it.',
  description: 'Profiles of training, step by step and kernel by kernel. In a script: the namespace `profiler`.',
  commands: [run, view],
};
