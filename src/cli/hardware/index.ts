// `trenio hardware …`: the catalog of machines. Only descriptions; the implementation is imported when a command runs.
import type { CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/command.ts';
import { calibrateCommand } from './calibrate.ts';
import { claimsOptions, lsOptions, showOptions } from './hardware-options.ts';

const ls = defineCommand({
  name: 'hardware ls',
  summary: 'List machines: chips, peaks, memory, fabric, network, price.',
  description: [
    'Lists the machines of the catalog, and this one if it has been measured (trenio hardware calibrate). Peaks are for dense',
    'matrix multiplies; memory and bandwidth are totals over all accelerators. The price is on demand per hour, or that of a',
    'capacity block if there is no on-demand price.',
  ].join('\n'),
  positionals: [],
  options: lsOptions,
  examples: [
    { command: 'trenio hardware ls', explanation: 'a readable table' },
    { command: 'trenio hardware ls --profile launch', explanation: 'with the figures from the announcements' },
    {
      command: "trenio hardware ls --json | jq '.machines[].name'",
      explanation: 'the names, for scripts',
    },
  ],
  run: async (input, context) => (await import('./list.ts')).listHardware(input, context),
});

const show = defineCommand({
  name: 'hardware show',
  summary: 'Show all figures of a machine or chip, with sources.',
  description: [
    'Prints every figure with its source document, and the values in other documents where they differ. Names that start with ml.',
    'are machines of SageMaker. Figures marked with a question mark are disputed, inferred or second-hand.',
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
  summary: 'Compare published figures with computed ones.',
  description: [
    'Lists the figures in the announcements of Trn1, Trn2 and UltraClusters next to the values computed from the catalog, with',
    'the difference. docs/figures.md has the same list with all derivations.',
  ].join('\n'),
  positionals: [],
  options: claimsOptions,
  examples: [
    { command: 'trenio hardware claims', explanation: 'all figures' },
    { command: 'trenio hardware claims --contradictions', explanation: 'only figures that contradict other sources' },
  ],
  run: async (input, context) => (await import('./claims.ts')).showClaims(input, context),
});

export const hardwareCommands: CommandGroup = {
  name: 'hardware',
  summary: 'Show figures, sources and prices of cloud machines, and measure this one.',
  description: [
    'The catalog of chips and machines. Every value has its source; where documents disagree, all values are listed. This machine',
    'is included once it has been measured.',
  ].join('\n'),
  commands: [ls, show, claims, calibrateCommand],
};
