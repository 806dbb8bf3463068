// The process of the `trenio` command: gives the command line the real streams and signals, and ends with its exit code.
import { forgetVariable, inheritedVariables, readVariable } from '../base/environment.ts';
import { Interrupted } from '../base/interrupted.ts';
import { runCli } from './cli.ts';
import type { CliContext } from './command.ts';
import { commands } from './commands.ts';
import { owningPackageManager, whenEnded } from './package-manager.ts';

const interruption = new AbortController();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// Signals that were ignored when the command was started stay so: SIGHUP under nohup, SIGINT in the background of a script.
const ignored = readVariable('TRENIO_IGNORED_SIGNALS') ?? [];
// Of this process alone; what it starts is told anew.
forgetVariable('TRENIO_IGNORED_SIGNALS');
for (const signal of signals) {
  process.on(signal, () => {
    if (ignored.includes(signal)) return;
    // The first asks the command to clean up and end; a second one means now.
    if (interruption.signal.aborted) process.exit(new Interrupted(signal).exitCode);
    interruption.abort(new Interrupted(signal));
  });
}
const manager = owningPackageManager(inheritedVariables(), ignored);
if (manager !== undefined) whenEnded(manager, () => interruption.abort(new Interrupted('SIGTERM')));
// `trenio … | head`: nobody reads any more, so there is nothing left to do but clean up.
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
  endAtOnce: () => {
    for (const signal of signals) process.removeAllListeners(signal);
  },
  commands,
};
const exitCode = await runCli(process.argv.slice(2), context);
// Output to a pipe is asynchronous: it must be out before the process ends.
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise(resolve => {
    stream.write('', () => resolve());
  });
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(exitCode);
