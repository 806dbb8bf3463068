// `trenio hardware …`: what machines there are. Descriptions alone; what a command does is imported when it runs.
import type { CommandGroup } from '../command.ts';
import { defineCommand } from '../command.ts';
import { calibrateCommand } from './calibrate.ts';
import { claimsOptions, lsOptions, showOptions } from './options.ts';

const ls = defineCommand({
  name: 'hardware ls',
  summary: 'List machines: chips, peaks, memory, fabric, network, price.',
  description: [
    'Lists every machine of the catalogue, and this one if it has been measured (trenio hardware calibrate). Peaks are of dense',
    'multiplies, memory and bandwidth of all accelerators together. The price is that of an hour on demand; where there is none,',
    'that of a capacity block.',
  ].join('\n'),
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio hardware ls', explanation: 'a table for people' },
    { command: 'trenio hardware ls --profile launch', explanation: 'with the figures of the announcements' },
    {
      command: "trenio hardware ls --json | jq '.machines[].name'",
      explanation: 'the names, for a program',
    },
  ],
  run: async (input, context) => (await import('./list.ts')).listHardware(input, context),
});

const show = defineCommand({
  name: 'hardware show',
  summary: 'Show all that is known of a machine or a chip, with sources.',
  description: [
    'Prints every figure with the document it was read from, and what other documents say. A name with ml. before it is a machine',
    'of the managed service. Figures marked with a question mark are disputed, inferred or second-hand.',
  ].join('\n'),
  positionals: [{ name: 'name', description: 'A machine or a chip: trn1.32xlarge, trainium2.', required: true }],
  options: showOptions,
  examples: [
    { command: 'trenio hardware show trn1.32xlarge', explanation: 'an instance' },
    { command: 'trenio hardware show trainium2 --profile launch', explanation: 'a chip, as it was announced' },
  ],
  run: async (input, context) => (await import('./show.ts')).showHardware(input, context),
});

const claims = defineCommand({
  name: 'hardware claims',
  summary: 'Hold the printed figures against the computed ones.',
  description: [
    'Every figure that the announcements of Trn1, Trn2 and UltraClusters print, beside what follows from the catalogue, with the',
    'difference. docs/figures.md is the same with all derivations.',
  ].join('\n'),
  positionals: [],
  options: claimsOptions,
  examples: [
    { command: 'trenio hardware claims', explanation: 'all of them' },
    { command: 'trenio hardware claims --contradictions', explanation: 'those that cannot be meant' },
  ],
  run: async (input, context) => (await import('./claims.ts')).showClaims(input, context),
});

export const hardwareCommands: CommandGroup = {
  name: 'hardware',
  summary: 'Machines that can be rented, and this one: figures, sources, prices.',
  description: [
    'The catalogue of chips and machines, every value with its source and, where documents disagree, with what each says; and this',
    'machine, once it has been measured.',
  ].join('\n'),
  commands: [ls, show, claims, calibrateCommand],
};
