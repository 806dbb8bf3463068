// Elements of lists whose lengths follow from something else, such as the dims of a tensor.
import { invariant } from './errors.ts';

/** Element `i` of a list that has one. */
export function elementAt<T>(list: readonly T[], i: number): T {
  invariant(Number.isInteger(i) && i >= 0 && i < list.length, `element ${i} of a list of ${list.length}`);
  return list[i] as T;
}
