// Iterates over two lists in parallel, such as the operands of an op and their slots.
import { invariant } from './errors.ts';

/** The pairs of elements of two lists of equal length. */
export function zip<A, B>(first: readonly A[], second: readonly B[]): (readonly [A, B])[] {
  invariant(first.length === second.length, `lists of ${first.length} and ${second.length} elements`);
  return first.map((a, i) => [a, second[i] as B]);
}
