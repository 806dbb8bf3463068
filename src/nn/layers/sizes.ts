// Sizes of windows and steps: one number for all spatial dims, or one for each.
import { lower } from '../../tensor/index.ts';

/** One number for all spatial dims, or one for each. */
export type Size = number | readonly number[];
export const { sizesOf } = lower;
/** One number for both spatial dims of an image, or one for each. */
export type Pair = number | readonly [number, number];

/** A size in Python's syntax: (3, 3), or (3,). */
export const tupleText = (sizes: readonly number[]): string =>
  sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(', ')})`;
