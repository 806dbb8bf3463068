// The position of a tensor call in the user's code: the first stack frame outside this library.
// Capturing a stack costs about 1 µs per frame, so it is done once for each call on a tensor (not for the ops that the call
// records), and only for a few frames, from the method that the user called: inside a library layer there is no user frame
// nearby, and the user's line that called the layer (`withinLayer`) is used instead. Ops in layers also have the layer's name.
// A layer in whose first forward no call had a user's line nearby is not searched again.
import type { SourceLocation } from '../base/errors.ts';
import { type Called, farFrames, userFrame } from '../base/user-frame.ts';

const nearFrames = 5;
/** From `withinLayer` to the code that called the layer. More would find the caller of a layer of this library. */
const layerFrames = 8;

let outermostCall: SourceLocation | undefined;
/** The location of all ops, which may be unknown. */
let fixed: { readonly location: SourceLocation | undefined } | undefined;

/** The user's line that is running now. `from`: a function on the stack; the search starts at its caller. */
export function userLocation(from: Called = userLocation): SourceLocation | undefined {
  if (fixed !== undefined) return fixed.location;
  if (calls === 'library' && outermostCall !== undefined) return outermostCall;
  const near = userFrame(nearFrames, from);
  if (near === undefined) {
    if (calls === 'unknown') calls = 'not found';
    return outermostCall ?? userFrame(farFrames, from);
  }
  calls = 'user';
  return layer === undefined ? near : inLayer(near, layer);
}

/** The name of the layer whose forward runs: `u2.0`. */
let layer: string | undefined;
const named = new WeakMap<SourceLocation, Map<string, SourceLocation>>();
/** The same line in a layer. Equal ones are the same object. */
function inLayer(location: SourceLocation, name: string): SourceLocation {
  const known = named.get(location) ?? new Map<string, SourceLocation>();
  named.set(location, known);
  const found = known.get(name) ?? { ...location, layer: name };
  known.set(name, found);
  return found;
}

/** The callers found in the forward that runs, as far as it was searched; `library`: known from an earlier run. */
type Calls = 'unknown' | 'not found' | 'user' | 'library';
let calls: Calls = 'unknown';
/** Layers whose calls are all made by this library. */
const libraryLayers = new WeakSet<object>();

/** Classes of modules by what calls other modules in their forward: the user's code, or this library's. */
const callers = new WeakMap<object, 'user' | 'library'>();

/**
 * Runs `body`, the forward of the layer `name`, '' for the outermost one. Its ops belong to the user's line that called it, or,
 * if this library did, to the line of the layer around it. `caller`: the class of that layer. `module`: the layer, unless
 * other code than its forward may run, too.
 */
export function withinLayer<T>(name: string, caller: object | undefined, module: object | undefined, body: () => T): T {
  const before = { layer, outermostCall, calls };
  layer = name === '' ? undefined : name;
  if (fixed !== undefined) outermostCall ??= fixed.location;
  else {
    const line = caller === undefined ? userFrame(farFrames, withinLayer) : lineOfCall(caller);
    const at = line ?? outermostCall;
    outermostCall = at === undefined || layer === undefined ? at : inLayer(at, layer);
  }
  calls = module !== undefined && libraryLayers.has(module) ? 'library' : 'unknown';
  try {
    const result = body();
    if ((calls as Calls) === 'not found' && module !== undefined) libraryLayers.add(module);
    return result;
  } finally {
    ({ layer, outermostCall, calls } = before);
  }
}
/** Only classes of the user's are searched for each call. */
function lineOfCall(caller: object): SourceLocation | undefined {
  if (callers.get(caller) === 'library') return undefined;
  const found = userFrame(layerFrames, withinLayer);
  if (!callers.has(caller)) callers.set(caller, found === undefined ? 'library' : 'user');
  return found;
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
