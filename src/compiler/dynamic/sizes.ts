// Sizes of dims in emitted C: numbers where they are known, names of int64_t where the program finds them when it runs,
// so that what is known folds into the code.

/** `undefined`: any size; the other operands of an elementwise op decide (a scalar broadcast to an unknown size). */
export type Size = number | string | undefined;
export type Sizes = readonly Size[];
/** Sizes that are all decided. */
export type KnownSizes = readonly (number | string)[];

/** Sizes that come from data are refused above this: so products of two of them fit into saturating arithmetic. */
export const largestSize = 2 ** 47;

/** The number that an integer constant of C is, if it is one. */
export function constantOf(text: string): number | undefined {
  const match = /^\(?(-?\d+)(?:LL|ULL|u)?\)?$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
