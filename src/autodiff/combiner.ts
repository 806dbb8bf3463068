// Recognizes the computation in the region of a reducing op. Rules support sums, products, maxima and minima; a region
//   (a₀, a₁, … b₀, b₁, …) → (a₀ ∘ b₀, a₁ ∘ b₁, …)
// is split into one ∘ per component. Otherwise the result is undefined, and the rule rejects the op with a reason.
import { isIn } from '../hlo/per-op.ts';
import type { Region, Value } from '../hlo/program.ts';

/** `second`: the region returns b unchanged, as a scatter that overwrites does. */
export type Combiner = 'add' | 'multiply' | 'maximum' | 'minimum' | 'second';

/** The combiner of component i of n. */
export function combinerOf(region: Region, i: number, n: number): Combiner | undefined {
  const [a, b] = [region.args[i], region.args[n + i]];
  const result = region.results[i];
  if (result === b) return 'second';
  const op = result?.op;
  if (op === undefined || !isIn(commutative, op)) return undefined;
  const [x, y] = op.operands;
  return (x === a && y === b) || (x === b && y === a) ? op.name : undefined;
}
const commutative: { readonly [N in Exclude<Combiner, 'second'>]: true } = {
  add: true,
  multiply: true,
  maximum: true,
  minimum: true,
};

/** How a region prefers one of two elements: it keeps the first when `compare(direction, first, second)`. */
export interface Selector {
  readonly direction: 'GE' | 'GT' | 'LE' | 'LT';
  readonly prefers: 'maximum' | 'minimum';
}

function selectorBetween(
  predicate: Value | undefined,
  first: Value | undefined,
  second: Value | undefined,
): Selector | undefined {
  const op = predicate?.op;
  if (op?.name !== 'compare' || op.operands[0] !== first || op.operands[1] !== second) return undefined;
  const direction = op.attributes.comparisonDirection;
  switch (direction) {
    case 'GE':
    case 'GT':
      return { direction, prefers: 'maximum' };
    case 'LE':
    case 'LT':
      return { direction, prefers: 'minimum' };
    default:
      return undefined;
  }
}

/** The selector of a select region (a, b) → compare(a, b). */
export function selectorOf(region: Region): Selector | undefined {
  return selectorBetween(region.results[0], region.args[0], region.args[1]);
}

/** The selector of a region over pairs, (a, p, b, q) → compare(a, b) ? (a, p) : (b, q). */
export function pairSelectorOf(region: Region): Selector | undefined {
  const { args, results } = region;
  if (args.length !== 4 || results.length !== 2) return undefined;
  const predicate = results[0]!.op?.operands[0];
  const selects = results.every((result, i) => {
    const op = result.op;
    return (
      op?.name === 'select' &&
      op.operands[0] === predicate &&
      op.operands[1] === args[i] &&
      op.operands[2] === args[i + 2]
    );
  });
  return selects ? selectorBetween(predicate, args[0], args[2]) : undefined;
}
