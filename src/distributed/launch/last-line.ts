// The line of the script that last used the library, kept where another thread can read it while the main thread is blocked:
//
//   | offset of the last line | line \0 line \0 … |
//
// A script has few such lines; if the memory is full, later ones are dropped.
import type { SourceLocation } from '../../base/errors.ts';
import { onUserLine } from '../../base/user-frame.ts';

const BYTES = 1 << 14;

/** Starts recording the lines. Returns the memory. */
export function noteLastLine(): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(BYTES);
  const last = new Int32Array(shared, 0, 1);
  const bytes = new Uint8Array(shared);
  const offsets = new Map<SourceLocation, number>();
  let end = 4;
  onUserLine(location => {
    let offset = offsets.get(location);
    if (offset === undefined) {
      const text = new TextEncoder().encode(`${location.file}:${location.line}:${location.column}\0`);
      if (end + text.length > BYTES) return;
      bytes.set(text, end);
      offset = end;
      offsets.set(location, offset);
      end += text.length;
    }
    Atomics.store(last, 0, offset);
  });
  return shared;
}
