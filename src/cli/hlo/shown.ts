// Programs can come from untrusted sources, so control characters in the output of these commands are escaped.
import type { OutputStream } from '../../base/output-stream.ts';
import { printable } from '../../base/printable.ts';
import type { CliContext } from '../command/command.ts';

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
/** For output that is a program: unchanged in a file or pipe, escaped on a terminal. */
export const showingOnTerminal = (context: CliContext): CliContext =>
  context.stdout.isTTY === true ? showing(context) : { ...context, stderr: shown(context.stderr) };
