// `trenio explain …`: descriptions; the implementation is imported when a command runs.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { commsOptions } from './comms-options.ts';

const comms = defineCommand({
  name: 'explain comms',
  summary: 'Show what ranks send in a step, by line of the script.',
  description: [
    'From a program with shardings: each collective of a device, with the bytes that it sends and the ranks that exchange them, and',
    'operands that are gathered for an op that cannot be divided, with the constraint that avoids it. From a profile',
    '(`trenio profile run`): also the time of each collective in a step, which includes waiting for late ranks. A script prints the table of its',
    'last step with `trenio run --explain-comms`.',
  ].join('\n'),
  positionals: [
    { name: 'file', description: 'A program (.mlir), or the folder or file of a profile.', required: true },
  ],
  options: commsOptions,
  examples: [
    {
      command: 'trenio explain comms step.mlir',
      explanation: 'what each device sends, from the shardings of a program',
    },
    { command: 'trenio explain comms profile --json', explanation: 'the exposed time of each collective, as JSON' },
  ],
  run: async (input, context) => (await import('./comms.ts')).explainComms(input, context),
});

export const explainCommands: CommandGroup = {
  name: 'explain',
  summary: 'Explain what ranks send to each other.',
  description: 'What a layout costs, and which annotation of the script changes it.',
  commands: [comms],
};
