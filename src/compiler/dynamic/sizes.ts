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

/** The linear index of an element of a row-major array, as C. Only sizes after the first matter. */
export function linearText(sizes: Sizes, index: readonly string[]): string {
  let text = '0';
  index.forEach((at, d) => {
    const size = sizes[d]!;
    if (text !== '0' && size !== 1) text = `${atom(text)} * ${size}`;
    if (at !== '0' && size !== 1) text = text === '0' ? at : `${text} + ${atom(at)}`;
  });
  return text;
}

/** Text that can be used next to any operator. */
const atom = (text: string): string => (/^[\w.]+$/.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`);

/** `a + b`, without zeros. */
export function sumText(a: string | number, b: string | number): string {
  if (typeof a === 'number' && typeof b === 'number') return String(a + b);
  if (String(a) === '0') return String(b);
  return String(b) === '0' ? String(a) : `${a} + ${atom(String(b))}`;
}
