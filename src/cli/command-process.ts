// The process of the `trenio` command: connects the command line to the real streams and signals, and sets the exit code.
import { setImmediate } from 'node:timers/promises';
import { forgetVariable, inheritedVariables, readVariable } from '../base/environment.ts';
import { Interrupted, wasStopRequested } from '../base/interrupted.ts';
import { runCli } from './cli.ts';
import type { CliContext } from './command/command.ts';
import { owningPackageManager, whenEnded } from './command/package-manager.ts';
import { commands } from './commands.ts';

const interruption = new AbortController();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// Signals that were ignored at start stay ignored: SIGHUP under nohup, SIGINT for background jobs of a script.
const ignored = readVariable('TRENIO_IGNORED_SIGNALS') ?? [];
// The variable describes this process only; child processes get their own.
forgetVariable('TRENIO_IGNORED_SIGNALS');
for (const signal of signals) {
  process.on(signal, () => {
    if (ignored.includes(signal)) return;
    // The first signal asks the command to clean up and exit; a second one exits at once.
    if (interruption.signal.aborted) process.exit(new Interrupted(signal).exitCode);
    interruption.abort(new Interrupted(signal));
  });
}
// One that came while this module was loaded.
if (wasStopRequested() && !ignored.includes('SIGTERM')) interruption.abort(new Interrupted('SIGTERM'));
const manager = owningPackageManager(inheritedVariables(), ignored);
if (manager !== undefined) whenEnded(manager, () => interruption.abort(new Interrupted('SIGTERM')));
// `trenio … | head`: the reader has exited, so clean up and exit.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => interruption.abort(new Interrupted('SIGPIPE')));
}

const context: CliContext = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  environment: inheritedVariables(),
  signal: interruption.signal,
  endAtOnce: async () => {
    // A whole turn of the event loop: signals that came while JavaScript ran are only delivered in one.
    await setImmediate();
    await setImmediate();
    for (const signal of signals) process.removeAllListeners(signal);
    interruption.signal.throwIfAborted();
  },
  commands,
};
const exitCode = await runCli(process.argv.slice(2), context);
// Output to a pipe is asynchronous and must be flushed before the process exits.
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise(resolve => {
    stream.write('', () => resolve());
  });
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(exitCode);
