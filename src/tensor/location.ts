// The position of a tensor call in the user's code: the first stack frame outside this library.
// Capturing a stack costs about 1 µs per frame, so it is done once for each call on a tensor (not for the ops that the call
// records), and only for a few frames, from the method that the user called: inside a library layer there is no user frame
// nearby, and the line that called the outermost layer (`withinCall`) is used instead.
import type { SourceLocation } from '../base/errors.ts';
import { type Called, farFrames, userFrame } from '../base/user-frame.ts';

const nearFrames = 5;

let outermostCall: SourceLocation | undefined;
/** The location of all ops, which may be unknown. */
let fixed: { readonly location: SourceLocation | undefined } | undefined;

/** The user's line that is running now. `from`: a function on the stack; the search starts at its caller. */
export function userLocation(from: Called = userLocation): SourceLocation | undefined {
  if (fixed !== undefined) return fixed.location;
  return userFrame(nearFrames, from) ?? outermostCall ?? userFrame(farFrames, from);
}

/** Runs `body`, a call into a layer of the library, whose ops belong to the user's line that made the outermost call. */
export function withinCall<T>(body: () => T): T {
  if (outermostCall !== undefined) return body();
  outermostCall = fixed === undefined ? userFrame(farFrames, withinCall) : fixed.location;
  try {
    return body();
  } finally {
    outermostCall = undefined;
  }
}

/** Runs `body` with one location for all of its ops: for library code that records many (an optimizer's step). */
export function atOneLocation<T>(body: () => T, location = userLocation()): T {
  if (fixed !== undefined) return body();
  fixed = { location };
  try {
    return body();
  } finally {
    fixed = undefined;
  }
}
