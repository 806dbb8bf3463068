// Gradients of many backward() calls, added pairwise, like a binary counter: two adjacent sums of 2^k calls become one of
// 2^(k+1).
//
//   calls   1    2    3       4              5           6           7               8
//   kept    g0   g01  g01 g2  g01+g23=g0…3   g0…3 g4     g0…3 g45    g0…3 g45 g6     g0…7
//
// This way the sum of n gradients, n a power of two, is one balanced tree over them, whichever rank adds which part: a rank with
// n / W of them has a subtree, and the all-reduce (pairwise in rank order) adds the levels above. The bits of a step are the
// same for 1 rank that accumulates 4 micro-batches, 2 ranks with 2 each and 4 ranks with 1. The error grows with log n too,
// not with n. For other n the sum adds the kept sums from the last to the first, (g0…3 + (g45 + g6)): the same for the same n.
//
// Gradients of bf16, f16 and smaller types are summed in f32, as in the all-reduce, and rounded once, when the sum is read.
//
// The cost in memory while a step accumulates: as many gradients of each parameter as there are ones in the binary
// representation of the number of calls so far, at most log2(n) + 1. Two calls take no more than one.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import { type ElementType, isFloat } from '../../hlo/types.ts';
import type { PartialGradient, TensorImpl } from '../tensor-impl.ts';

/** The key of programs that add to a gradient or read it: '2 f32,0 f32' after 5 calls. */
export const levelsOf = (leaf: TensorImpl): string =>
  leaf.partials.map(({ level, impl }) => `${level} ${impl.type.elementType}`).join();

/** The type in which gradients of this type are summed. */
export const sumTypeOf = (type: ElementType): ElementType =>
  isFloat(type) && type !== 'f64' && !type.startsWith('complex') ? 'f32' : type;

/** How one more gradient is added. */
export interface Addition {
  /** The sums that do not change. */
  readonly kept: readonly PartialGradient[];
  /** The sums that the new gradient is added to, the last first; the first of them takes over the result. */
  readonly merged: readonly PartialGradient[];
  /** The level of the result. */
  readonly level: number;
}

/** Which sums one more gradient joins. */
export function additionTo(partials: readonly PartialGradient[]): Addition {
  let level = 0;
  let kept = partials.length;
  while (kept > 0 && partials[kept - 1]!.level === level) {
    kept--;
    level++;
  }
  return { kept: partials.slice(0, kept), merged: partials.slice(kept).reverse(), level };
}

/** The sum of all, from the last to the first. */
export const sumOf = (b: Builder, values: readonly Value[]): Value => values.reduceRight((sum, v) => b.add(v, sum));
