// Returns unused memory to the system. Recording and compiling a program leaves far more garbage than training: 100 to 200 MB for
// a model of a few layers. V8 keeps this memory, because its young generation never shrinks while a script is busy, so it would
// stay allocated for the whole run.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all garbage; the heap's empty pages go back to the system, some of them on another thread. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** The minimum growth of the heap: to collect takes longer than to record and compile a small program. */
const leastGrowth = { share: 1.25, bytes: 48 << 20 };
/** The heap that the last collection left; before the first, about the heap of the imported library. */
let leftBytes = 64 << 20;

/**
 * Collects the garbage left by compiling a program, unless it is small. `settle`: waits for queued work, which keeps its
 * arguments alive; `trim`: returns memory freed by native code to the system.
 */
export function collectAfterCompiling(settle: () => void, trim: () => void): void {
  const heapBytes = (): number => getHeapStatistics().total_heap_size;
  if (heapBytes() < leastGrowth.share * leftBytes + leastGrowth.bytes) return;
  settle();
  collectGarbage();
  trim();
  leftBytes = heapBytes();
}
