// Sums of many floats in pieces that are added in pairs: one after another, the rounding errors of many additions would be
// visible in a mean. The pieces, and so the bits of a sum, depend on the length alone: not on the number of threads,
// nor on whether the program knew the length. Other reductions continue through pieces.
//
//   piece 0 1 2 3 4   ((0 + 1) + (2 + 3)) + 4
import { type Accumulator, isExact } from '../../ir/accumulator.ts';

export interface Pieces {
  /** A piece ends after at least this number of elements, at the end of an innermost loop or of this many of its steps. */
  readonly each: number;
  /** At level k, a sum of 2^k pieces waits for the next 2^k: the number of levels. */
  readonly levels: number;
}

/** Whether partial results are added in pieces. */
export function isRoundedSum(accumulator: Accumulator | undefined): accumulator is Accumulator {
  if (accumulator === undefined) return false;
  const { name } = accumulator;
  return name === 'add' && !isExact(accumulator);
}
