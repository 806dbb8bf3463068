// `trenio help [command]`

import { version } from '../base/version.ts';
import { defineCommand } from './command.ts';
import { findCommand } from './find-command.ts';
import { commandHelp, overview } from './usage.ts';

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'Show what the commands do.',
  description: 'Lists the commands, or shows one command’s usage, options and examples.',
  positionals: [{ name: 'command', description: 'The command to explain.', required: false }],
  options: {},
  examples: [
    { command: 'trenio help', explanation: 'all commands' },
    { command: 'trenio help run', explanation: 'everything about run' },
  ],
  run: async ({ positionals: [name] }, { commands, stdout }) => {
    stdout.write(`${name === undefined ? overview(commands, version) : commandHelp(findCommand(commands, name))}\n`);
    return 0;
  },
});
