// The commands that pages of the console run. They only compute, and name no file of this machine: a page's words are parsed by
// the command's own parser, and all other commands, options and arguments are refused.
//
//   plan [s3://BUCKET/KEY] …            a named model, or a program in the server's object store; without --html and --trace
//   hardware ls, hardware show NAME
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { type AnyCommand, defineCommand, isGroup } from '../command/command.ts';
import { findCommand } from '../command/find-command.ts';
import { parseCommandLine } from '../command/parse.ts';
import { hardwareCommands } from '../hardware/index.ts';
import { planCommand } from '../plan/index.ts';
import { planOptions } from '../plan/plan-options.ts';

/** A StableHLO program from the object store. */
export interface StoredProgram {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ConsoleCommand {
  /** With `--json`. */
  readonly words: readonly string[];
  /** The object that is planned instead of a model. */
  readonly program: { readonly bucket: string; readonly key: string } | undefined;
}

const { html: _html, trace: _trace, ...options } = planOptions;
const hardwareNames: ReadonlySet<string> = new Set(['hardware ls', 'hardware show']);

/** @param program the program that was named */
export const consoleCommands = (program?: StoredProgram): readonly AnyCommand[] => [
  defineCommand({
    ...planCommand,
    positionals: [{ name: 'program', description: 'A StableHLO program: s3://BUCKET/KEY.', required: false }],
    options,
    run: async (input, context) =>
      (await import('../plan/plan.ts')).runPlan(
        { ...input, options: { ...input.options, html: undefined, trace: undefined } },
        context,
        program,
      ),
  }),
  { ...hardwareCommands, commands: hardwareCommands.commands.filter(({ name }) => hardwareNames.has(name)) },
];

/** @throws {CONSOLE_COMMAND_REFUSED} */
export function consoleCommand(given: readonly string[]): ConsoleCommand {
  const words = [...given, '--json'];
  try {
    const { command, rest } = findCommand(consoleCommands(), words as [string, ...string[]]);
    const input = isGroup(command) ? 'help' : parseCommandLine(command, rest);
    if (input === 'help') throw refused('it prints a help text');
    const [name] = input.positionals;
    if (command.name !== 'plan' || name === undefined) return { words, program: undefined };
    const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(name) ?? [];
    if (bucket === undefined || key === undefined)
      throw refused(`'${name}' is not a program in the object store (s3://BUCKET/KEY)`);
    return { words, program: { bucket, key } };
  } catch (error) {
    if (!isTrenioError(error) || isTrenioError(error, 'CONSOLE_COMMAND_REFUSED')) throw error;
    throw refused(error.message.split('\n')[0]!);
  }
}

const refused = (problem: string): TrenioError => new TrenioError('CONSOLE_COMMAND_REFUSED', { problem });
