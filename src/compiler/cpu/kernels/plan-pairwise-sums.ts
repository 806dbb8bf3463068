// The pieces of sums of floats (cpu/ir/pairwise-sum.ts): from shapes only, so that sums do not depend on threads or fusion.
import { boundOf, type Extent } from '../../ir/extent.ts';
import type { Reduction } from '../../ir/node.ts';
import { isRoundedSum, type Pieces } from '../ir/pairwise-sum.ts';

/** The elements of a piece that each partial result adds one after another: up to a few units in the last place of error. */
const inOrder = 32;
/**
 * The most steps, at most `steps`, of loops that go through elements in blocks: a divisor or a multiple of a piece, so that
 * pieces end at the same elements as without blocks.
 */
export const stepsOfWholePieces = (steps: number): number =>
  steps < inOrder ? 2 ** Math.floor(Math.log2(Math.max(1, steps))) : steps - (steps % inOrder);

/** Enough for any memory. */
const mostLevels = 24;

/**
 * Undefined if no reduction has more than one piece. `elements`: the number in each reduction; `beside`: the partial results
 * kept in parallel.
 */
export function planPieces(
  reductions: readonly Pick<Reduction, 'accumulator'>[],
  elements: Extent,
  beside = 1,
): Pieces | undefined {
  const each = inOrder * beside;
  const longest = boundOf(elements) ?? Infinity;
  if (longest <= each || !reductions.some(r => isRoundedSum(r.accumulator))) return undefined;
  return { each, levels: Math.min(mostLevels, Math.floor(Math.log2(longest / each)) + 1) };
}
