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

/** By file, then by line and column as one number. */
const interned = new Map<string, Map<number, SourceLocation>>();
function intern(file: string, frame: NodeJS.CallSite): SourceLocation {
  const positions = interned.get(file) ?? new Map<number, SourceLocation>();
  interned.set(file, positions);
  const line = frame.getLineNumber() ?? 0;
  const column = frame.getColumnNumber() ?? 0;
  const position = line * 2 ** 26 + column;
  let location = positions.get(position);
  if (location === undefined) {
    location = originalPosition({ file: file.startsWith('file:') ? fileURLToPath(file) : file, line, column });
    positions.set(position, location);
  }
  listener?.(location);
  return location;
}

function firstUserFrame(_error: Error, frames: NodeJS.CallSite[]): unknown {
  for (const frame of frames) {
    const file = frame.getFileName();
    if (isUserFile(file)) return intern(file, frame);
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
