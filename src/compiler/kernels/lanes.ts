// How many partial results a reduction along a row keeps side by side. They are folded in a fixed tree, so the sum of a row
// depends on its length only, not on how wide the machine's vectors are.
import type { Loop } from '../ir/index-expr.ts';
import { vectorLanes } from '../target/registers.ts';

/** Rows at least so long get two vectors of lanes: an addition takes several cycles, so that one chain of them would wait. */
const longRow = 512;
export function lanesFor(loop: Loop | undefined): number {
  if (loop === undefined || loop.size < 2 * vectorLanes) return 0;
  return loop.size < longRow ? vectorLanes : 2 * vectorLanes;
}
