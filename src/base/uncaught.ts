// What a process that dies of a TrenioError prints: the text of the error and the lines of the user's code that led to it,
// instead of Node's source excerpt of this library, its stack and the fields of the error object. Other errors, and
// programs that handle uncaught errors themselves, are left to Node.
import { isMainThread } from 'node:worker_threads';
import { readVariable } from './environment.ts';
import { formatLocation, type TrenioError } from './errors.ts';
import { printableLine } from './printable.ts';

const libraryUrl = new URL('..', import.meta.url).href;
const isTest = /\.(test|bench)\.[mc]?[jt]s:/;

/** The frames of a stack that are neither this library's nor Node's. */
export function userFrames(stack: string): readonly string[] {
  return stack
    .split('\n')
    .filter(line => /^ {4}at /.test(line) && !line.includes('node:'))
    .filter(line => !line.includes(libraryUrl) || isTest.test(line));
}

/** The error's text, then the user's lines that it does not name already. */
export function describeUncaught(error: TrenioError): string {
  const { name, message, location } = error;
  const told = location === undefined ? undefined : formatLocation(location);
  const frames = userFrames(error.stack ?? '').filter(
    line => told === undefined || !printableLine(line).includes(told),
  );
  return [`${name}: ${message}`, ...frames.map(printableLine)].join('\n');
}

let telling = false;

/** From now on a TrenioError that nobody catches ends this process with its text alone. TRENIO_DEBUG=1: with all of Node's. */
export function tellUncaughtErrors(): void {
  if (telling || !isMainThread) return;
  telling = true;
  process.on('uncaughtExceptionMonitor', error => {
    // Of another copy of this package, too: then it is not an instance of our class.
    if (!/^TrenioError \[\w+\]$/.test(error.name)) return;
    // Somebody else deals with it, and the process may live on.
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
    // A bad TRENIO_DEBUG must not hide the error that is being told.
    return true;
  }
}
