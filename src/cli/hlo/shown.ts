// Programs are files from anywhere: what commands say of them is made fit to be shown, wherever in it their names and
// strings are.
import type { OutputStream } from '../../base/output-stream.ts';
import { printable } from '../../base/printable.ts';
import type { CliContext } from '../command.ts';

const shown = (stream: OutputStream): OutputStream => ({
  ...(stream.isTTY === undefined ? {} : { isTTY: stream.isTTY }),
  ...(stream.columns === undefined ? {} : { columns: stream.columns }),
  write: text => stream.write(printable(text)),
  once: (event, listener) => stream.once(event, listener),
});

export const showing = (context: CliContext): CliContext => ({
  ...context,
  stdout: shown(context.stdout),
  stderr: shown(context.stderr),
});
/** For output that is a program: as it is, unless a terminal would obey what is in it. */
export const showingOnTerminal = (context: CliContext): CliContext =>
  context.stdout.isTTY === true ? showing(context) : { ...context, stderr: shown(context.stderr) };
