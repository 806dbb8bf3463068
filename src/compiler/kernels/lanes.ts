// In which order a pass over a row combines elements: how many partial results it keeps side by side. They are folded in a
// fixed tree, so the bits of a sum depend on the shape only, not on how wide the machine's vectors are.
import { isExact } from '../ir/accumulator.ts';
import type { Loop } from '../ir/index-expr.ts';
import type { Reduction } from '../ir/node.ts';
import type { ElementOrder } from '../ir/row.ts';
import { vectorLanes } from '../target/registers.ts';

/** Rows of at least this length get two vectors of lanes: an addition takes several cycles, so one chain of them would wait. */
const longRow = 512;
/** Lanes of rows that are too short for a whole vector of them; shorter rows are summed element by element. */
const shortRowLanes = 8;

/** The order of a pass whose innermost loop is this one. */
export function orderOf(reductions: readonly Reduction[], innermost: Loop | undefined): ElementOrder {
  const accumulators = reductions.map(r => r.accumulator);
  if (accumulators.includes(undefined)) return { kind: 'given' };
  if (accumulators.length === 0) return { kind: 'any' };
  const size = innermost?.size ?? 0;
  if (size >= longRow) return { kind: 'lanes', lanes: 2 * vectorLanes };
  if (size >= 2 * vectorLanes) return { kind: 'lanes', lanes: vectorLanes };
  if (accumulators.every(a => isExact(a!))) return { kind: 'any' };
  return size >= shortRowLanes ? { kind: 'lanes', lanes: shortRowLanes } : { kind: 'given' };
}
