// `trenio help [command]`

import { TrenioError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import { type AnyCommand, defineCommand } from './command.ts';
import { findCommand } from './find-command.ts';
import { helpOf, overview } from './usage.ts';

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'Show help for a command.',
  description: 'Lists the commands, or shows one command’s usage, options and examples.',
  positionals: [{ name: 'command', description: 'The command to explain.', required: false, many: true }],
  options: {},
  examples: [
    { command: 'trenio help', explanation: 'all commands' },
    { command: 'trenio help run', explanation: 'everything about run' },
    { command: 'trenio help hlo verify', explanation: 'everything about a command of a group' },
  ],
  run: async ({ positionals: [name, ...others] }, { commands, stdout }) => {
    stdout.write(`${name === undefined ? overview(commands, version) : helpFor(commands, [name, ...others])}\n`);
    return 0;
  },
});

function helpFor(commands: readonly AnyCommand[], words: readonly [string, ...string[]]): string {
  const { command, rest } = findCommand(commands, words);
  const [extra] = rest;
  if (extra === undefined) return helpOf(command);
  throw new TrenioError('BAD_ARGUMENT', {
    command: 'help',
    argument: `'${extra}'`,
    got: 'an extra word',
    expected: `only trenio help ${command.name}`,
  });
}
