// The command line as a function from arguments to an exit code. `main.ts` passes in the process; tests pass their own context.
//
// Exit codes: 0 success · 1 failure, described by the message · 2 wrong command line · 128 + n ended by signal n.
// `trenio run` exits with the code of the rank that failed.
import { hideBlockedProgress } from '../base/blocked-progress.ts';
import { readVariable } from '../base/environment.ts';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { Interrupted } from '../base/interrupted.ts';
import { nearestName } from '../base/nearest.ts';
import { printable } from '../base/printable.ts';
import { version } from '../base/version.ts';
import { type CliContext, isGroup } from './command/command.ts';
import { findCommand } from './command/find-command.ts';
import { parseCommandLine } from './command/parse.ts';
import { commandHelp, helpOf, overview } from './command/usage.ts';

const USAGE_ERRORS: ReadonlySet<string> = new Set([
  'UNKNOWN_COMMAND',
  'UNKNOWN_OPTION',
  'MISSING_ARGUMENT',
  'BAD_ARGUMENT',
]);

export async function runCli(words: readonly string[], context: CliContext): Promise<number> {
  try {
    return await dispatch(words, context);
  } catch (error) {
    // After a signal, pending work fails with errors of various kinds; report the signal.
    if (context.signal.aborted && context.signal.reason instanceof Interrupted) return context.signal.reason.exitCode;
    context.stderr.write(`${describeError(error, debug(context))}\n`);
    return isTrenioError(error) && USAGE_ERRORS.has(error.code) ? 2 : 1;
  }
}

async function dispatch(words: readonly string[], context: CliContext): Promise<number> {
  const [name, ...others] = words;
  if (name === undefined || name === '--help' || name === '-h') {
    context.stdout.write(`${overview(context.commands, version)}\n`);
    // No command given: show the list, and exit with an error.
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    context.stdout.write(`${version}\n`);
    return 0;
  }
  if (name.startsWith('-')) {
    const known = ['--help', '--version'];
    throw new TrenioError('UNKNOWN_OPTION', {
      command: '<command>',
      option: name,
      nearest: nearestName(name, known),
      known,
    });
  }
  const { command, rest } = findCommand(context.commands, [name, ...others]);
  if (isGroup(command)) {
    context.stdout.write(`${helpOf(command)}\n`);
    return rest.length === 0 ? 2 : 0;
  }
  const input = parseCommandLine(command, [...(command.wordsFrom?.(context.environment) ?? []), ...rest]);
  if (input === 'help') {
    context.stdout.write(`${commandHelp(command)}\n`);
    return 0;
  }
  using _ = (input.options as { readonly json?: unknown }).json === true ? hideBlockedProgress() : undefined;
  return await command.run(input, context);
}

/** The message of an error. The stack is added on request, and for errors that are bugs in Trenio. */
function describeError(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return printable(`trenio: ${String(error)}`);
  if (!isTrenioError(error)) return printable(`trenio: unexpected error: ${error.stack ?? error.message}`);
  const stack = withStack
    ? `\n${(error.stack ?? '')
        .split('\n')
        .filter(line => /^\s+at /.test(line))
        .join('\n')}`
    : '';
  return `trenio: ${error.message}${stack}`;
}

function debug(context: CliContext): boolean {
  try {
    return readVariable('TRENIO_DEBUG', context.environment) === true;
  } catch {
    // A bad TRENIO_DEBUG must not hide the error that is being reported.
    return true;
  }
}
