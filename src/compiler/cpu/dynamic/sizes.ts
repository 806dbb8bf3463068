// Sizes of dims in emitted C: numbers where they are known, names of int64_t where the program finds them when it runs,
// so that known sizes are folded into the code.

/** `undefined`: any size; the other operands of an elementwise op decide (a scalar broadcast to an unknown size). */
export type Size = number | string | undefined;
export type Sizes = readonly Size[];
/** Sizes that are all determined. */
export type KnownSizes = readonly (number | string)[];

/** Larger sizes from data are rejected, so that products of two of them fit into saturating arithmetic. */
export const largestSize = 2 ** 47;

/** The value of an integer constant of C, if it is one. */
export function constantOf(text: string): number | undefined {
  const match = /^\(?(-?\d+)(?:LL|ULL|u)?\)?$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
