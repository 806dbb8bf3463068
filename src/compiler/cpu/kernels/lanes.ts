// In which order a pass over a row combines elements: how many partial results it keeps side by side. They are folded in a
// fixed tree, so the bits of a sum depend on the shape only, not on how wide the machine's vectors are.
import { isExact } from '../../ir/accumulator.ts';
import { type Extent, isAtLeast } from '../../ir/extent.ts';
import type { Loop } from '../../ir/index-expr.ts';
import type { Reduction } from '../../ir/node.ts';
import type { ElementOrder } from '../ir/row.ts';
import { vectorLanes } from '../target/registers.ts';

/**
 * The lanes of rows of at least this length, longest first. The longest get two vectors of lanes: an addition takes several
 * cycles, so one chain of them would wait. Shorter rows than all of these are summed element by element.
 */
const laneSteps = [
  { from: 512, lanes: 2 * vectorLanes },
  { from: 2 * vectorLanes, lanes: vectorLanes },
  { from: 8, lanes: 8 },
] as const;

/** The order of a pass whose innermost loop is this one. */
export function orderOf(
  reductions: readonly Pick<Reduction, 'accumulator'>[],
  innermost: Loop | undefined,
): ElementOrder {
  const accumulators = reductions.map(r => r.accumulator);
  if (accumulators.includes(undefined)) return { kind: 'given' };
  if (accumulators.length === 0) return { kind: 'any' };
  const size: Extent = innermost?.size ?? 0;
  if (accumulators.every(a => isExact(a!)) && !isAtLeast(size, 2 * vectorLanes)) return { kind: 'any' };
  const step = laneSteps.find(({ from }) => isAtLeast(size, from));
  return step === undefined ? { kind: 'given' } : { kind: 'lanes', lanes: step.lanes };
}
