// Sizes of windows and steps: one number for all spatial dims, or one for each.
import { wrongArgument, wrongText } from '../check-arguments.ts';

/** One number for all spatial dims, or one for each; a list of one number, too, is for all. */
export type Size = number | readonly number[];

/**
 * A size for each of n dims, integers of at least `least`.
 * @throws {WRONG_ARGUMENT}
 */
export function sizesOf(call: string, argument: string, size: Size, n: number, least = 1): readonly number[] {
  const all = typeof size === 'number' ? size : Array.isArray(size) && size.length === 1 ? size[0] : undefined;
  const list = all === undefined ? size : new Array<number>(n).fill(all);
  const isFit =
    Array.isArray(list) && list.length === n && list.every(value => Number.isSafeInteger(value) && value >= least);
  if (isFit) return list;
  const expected = `${n === 1 ? 'an integer' : `an integer or ${n} of them`} of at least ${least}`;
  if (Array.isArray(size) && size.every(value => typeof value === 'number'))
    throw wrongText({ call, argument }, `[${size.join(', ')}]`, expected);
  throw wrongArgument({ call, argument }, size, expected);
}
