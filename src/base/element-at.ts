// Elements of lists whose lengths are known from elsewhere, such as the dims of a tensor.
import { invariant } from './errors.ts';

/** Element `i` of a list, which must exist. */
export function elementAt<T>(list: readonly T[], i: number): T {
  invariant(Number.isInteger(i) && i >= 0 && i < list.length, `element ${i} of a list of ${list.length}`);
  return list[i] as T;
}
