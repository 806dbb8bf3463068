// The first stack frame outside this library: the user's line. The line of ops inside a layer is determined in
// src/tensor/location.ts.
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from './errors.ts';
import { originalPosition } from './source-map.ts';

const libraryUrl = new URL('..', import.meta.url).href;
const libraryPath = fileURLToPath(libraryUrl);
/** The number of frames to search if the caller may be far up the stack. */
export const farFrames = 40;

function isUserFile(file: string | null | undefined): file is string {
  if (!file || file.startsWith('node:')) return false;
  if (file.startsWith(libraryUrl) || file.startsWith(libraryPath)) return /\.(test|bench)\.[mc]?[jt]s$/.test(file);
  return true;
}

let listener: ((location: SourceLocation) => void) | undefined;
/** Calls `given` with each line that is found from now on. Equal lines are the same object. */
export function onUserLine(given: (location: SourceLocation) => void): void {
  listener = given;
}

const interned = new Map<string, SourceLocation>();
function intern(file: string, line: number, column: number): SourceLocation {
  const key = `${file}:${line}:${column}`;
  let location = interned.get(key);
  if (location === undefined) {
    location = originalPosition({ file: file.startsWith('file:') ? fileURLToPath(file) : file, line, column });
    interned.set(key, location);
  }
  listener?.(location);
  return location;
}

function firstUserFrame(_error: Error, frames: NodeJS.CallSite[]): unknown {
  for (const frame of frames) {
    const file = frame.getFileName();
    if (isUserFile(file)) return intern(file, frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0);
  }
  return undefined;
}

export type Called = (...args: never) => unknown;

/** The first of `count` stack frames that is outside this library, starting with the caller of `from`. */
export function userFrame(frames: number, from: Called): SourceLocation | undefined {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = frames;
  Error.prepareStackTrace = firstUserFrame;
  const holder: { stack?: unknown } = {};
  Error.captureStackTrace(holder, from);
  const location = holder.stack as SourceLocation | undefined;
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace as NonNullable<typeof prepareStackTrace>;
  return location;
}
