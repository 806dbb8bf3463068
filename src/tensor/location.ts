// Where in the user's code a tensor call was written: the first stack frame outside this library.
// Taking a stack costs about 1 µs a frame, so it is taken once for each call on a tensor (not for the ops that the call
// records), and only a few frames of it, from the method that the user called on: inside a library layer no user frame is near,
// and then the line that called the outermost layer (`withinCall`) stands for it.
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from '../base/errors.ts';
import { originalPosition } from '../base/source-map.ts';

const libraryUrl = new URL('..', import.meta.url).href;
const libraryPath = fileURLToPath(libraryUrl);
const nearFrames = 5;
const farFrames = 40;

function isUserFile(file: string | null | undefined): file is string {
  if (!file || file.startsWith('node:')) return false;
  if (file.startsWith(libraryUrl) || file.startsWith(libraryPath)) return /\.(test|bench)\.[mc]?[jt]s$/.test(file);
  return true;
}

const interned = new Map<string, SourceLocation>();
function intern(file: string, line: number, column: number): SourceLocation {
  const key = `${file}:${line}:${column}`;
  let location = interned.get(key);
  if (location === undefined) {
    location = originalPosition({ file: file.startsWith('file:') ? fileURLToPath(file) : file, line, column });
    interned.set(key, location);
  }
  return location;
}

function firstUserFrame(_error: Error, frames: NodeJS.CallSite[]): unknown {
  for (const frame of frames) {
    const file = frame.getFileName();
    if (isUserFile(file)) return intern(file, frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0);
  }
  return undefined;
}

type Called = (...args: never) => unknown;

function capture(frames: number, from: Called): SourceLocation | undefined {
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

let outermostCall: SourceLocation | undefined;
let fixed: SourceLocation | undefined;

/** The user's line that is running now. `from`: a function that is running, from whose caller on it is looked for. */
export function userLocation(from: Called = userLocation): SourceLocation | undefined {
  return fixed ?? capture(nearFrames, from) ?? outermostCall ?? capture(farFrames, from);
}

/** Runs `body`, a call into a layer of the library, whose ops belong to the user's line that made the outermost call. */
export function withinCall<T>(body: () => T): T {
  if (outermostCall !== undefined) return body();
  outermostCall = fixed ?? capture(farFrames, withinCall);
  try {
    return body();
  } finally {
    outermostCall = undefined;
  }
}

/** Runs `body` with one location for all of its ops: for library code that records many (an optimizer's step). */
export function atOneLocation<T>(body: () => T): T {
  if (fixed !== undefined) return body();
  fixed = userLocation();
  try {
    return body();
  } finally {
    fixed = undefined;
  }
}
