// Prints an uncaught TrenioError as its message and the stack frames in the user's code, instead of Node's excerpt of library
// code with the full stack and the fields of the error. Other errors, and programs that handle uncaught errors themselves, are
// left to Node.
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { readVariable } from './environment.ts';
import { formatLocation, type TrenioError } from './errors.ts';
import { printableLine } from './printable.ts';
import { originalPosition } from './source-map.ts';

const libraryUrl = new URL('..', import.meta.url).href;
const isTest = /\.(test|bench)\.[mc]?[jt]s:/;

/** The frames of a stack outside this library and Node. */
export function userFrames(stack: string): readonly string[] {
  return stack
    .split('\n')
    .filter(line => /^ {4}at /.test(line) && !line.includes('node:'))
    .filter(line => !line.includes(libraryUrl) || isTest.test(line))
    .map(inOriginal);
}

/** The frame with its position in the original TypeScript, if there is a source map. */
function inOriginal(frame: string): string {
  const found = /(?<file>(?:file:\/\/)?\/[^()]+):(?<line>\d+):(?<column>\d+)/.exec(frame);
  const { file, line, column } = found?.groups ?? {};
  if (found === null || file === undefined) return frame;
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  const compiled = { file: path, line: Number(line), column: Number(column) };
  const original = originalPosition(compiled);
  if (original === compiled) return frame;
  return frame.replace(found[0], `${original.file}:${original.line}:${original.column}`);
}

/** The error's message, then the user's frames that are not already in it. */
export function describeUncaught(error: TrenioError): string {
  const { name, message, location } = error;
  const told = location === undefined ? undefined : formatLocation(location);
  const frames = userFrames(error.stack ?? '').filter(
    line => told === undefined || !printableLine(line).includes(told),
  );
  return [`${name}: ${message}`, ...frames.map(printableLine)].join('\n');
}

let telling = false;

/** From now on, an uncaught TrenioError ends this process with just its message (TRENIO_DEBUG=1: with Node's full output). */
export function tellUncaughtErrors(): void {
  if (telling || !isMainThread) return;
  telling = true;
  process.on('uncaughtExceptionMonitor', error => {
    // Compare names, because an error from another copy of this package is not an instance of our class.
    if (!/^TrenioError \[\w+\]$/.test(error.name)) return;
    // Another handler processes it, and the process may continue.
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
    if (wantsEverything()) return;
    process.stderr.write(`${describeUncaught(error as TrenioError)}\n`);
    process.exit(1);
  });
}

function wantsEverything(): boolean {
  try {
    return readVariable('TRENIO_DEBUG') === true;
  } catch {
    // An invalid TRENIO_DEBUG must not hide the error being reported.
    return true;
  }
}
