// The index of `x[…]`: parsed from the caller's arguments and checked, one entry per dim.
import { TrenioError } from '../../base/errors.ts';
import { isInteger } from '../../hlo/types.ts';
import { described } from '../check-arguments.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import { Traced } from '../traced.ts';

/**
 * Entries start ≤ i < stop of a dim, each step-th: Python's `start:stop:step`.
 * @example
 * const everySecond: Slice = slice(0, undefined, 2);
 * tensor([1, 2, 3, 4]).at(everySecond) // [1, 3]
 */
export class Slice {
  /** The first index; undefined for the beginning. */
  readonly start: number | undefined;
  /** The index after the last one; undefined for the end. */
  readonly stop: number | undefined;
  /** The distance between indices. */
  readonly step: number;
  constructor(start: number | undefined, stop: number | undefined, step: number) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}
/**
 * A slice for `x.at(…)`: Python's `start:stop:step`. Negative numbers count from the end; omitted or null means up to that end.
 *
 *     x.at(slice(1, 5)) // x[1:5]
 *     x.at(slice(null, null, 2)) // x[::2]
 *     x.at(slice(), 0) // x[:, 0]
 * @example
 * tensor([1, 2, 3, 4]).at(slice(1, 3)) // [2, 3]
 */
export const slice = (start?: number | null, stop?: number | null, step?: number | null): Slice =>
  new Slice(start ?? undefined, stop ?? undefined, step ?? 1);

/**
 * One entry of an index: a number; a slice, also as text (`'1:5'`, `':'`, `'::2'`); `null` for a new dim; `'...'` for all dims
 * that are not named; a tensor or an array of integers; a tensor or an array of booleans, which selects the positions where it
 * is true.
 */
export type Index = number | Slice | string | null | Traced | readonly number[] | readonly boolean[];

export type IndexEntry =
  | { readonly kind: 'number'; readonly at: number }
  | { readonly kind: 'slice'; readonly slice: Slice }
  | { readonly kind: 'new' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'tensor'; readonly index: Traced }
  | { readonly kind: 'mask'; readonly mask: Traced };

/** How an array becomes a tensor next to `x`. */
export type MakeTensor = (data: readonly number[] | readonly boolean[], dtype: 'i64' | 'i1') => Traced;

const whole = new Slice(undefined, undefined, 1);
const sliceText = /^\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(-?\d+)?\s*)?$/;

/** @throws {BAD_INDEX} */
export function readIndex(
  op: string,
  shape: readonly number[],
  given: readonly unknown[],
  make: MakeTensor,
): IndexEntry[] {
  const entries = given.map(one => readEntry(op, shape, one, make));
  const used = entries.reduce((n, entry) => n + dimsOf(entry), 0);
  if (used > shape.length) throw badIndex(op, shape, `${used} dims are indexed, and there are ${shape.length}`);
  const rests = entries.filter(({ kind }) => kind === 'rest').length;
  if (rests > 1) throw badIndex(op, shape, "'...' is there more than once");
  const fill = new Array<IndexEntry>(shape.length - used).fill({ kind: 'slice', slice: whole });
  if (rests === 0) return [...entries, ...fill];
  return entries.flatMap(entry => (entry.kind === 'rest' ? fill : [entry]));
}

const dimsOf = (entry: IndexEntry): number => {
  switch (entry.kind) {
    case 'new':
    case 'rest':
      return 0;
    case 'mask':
      return entry.mask.ndim;
    default:
      return 1;
  }
};

function readEntry(op: string, shape: readonly number[], given: unknown, make: MakeTensor): IndexEntry {
  if (given === null) return { kind: 'new' };
  if (typeof given === 'number') {
    if (!Number.isSafeInteger(given)) throw badIndex(op, shape, `${given} is not an integer`);
    return { kind: 'number', at: given };
  }
  if (given instanceof Slice) return { kind: 'slice', slice: checkSlice(op, shape, given) };
  if (typeof given === 'string') {
    if (given === '...') return { kind: 'rest' };
    const found = sliceText.exec(given);
    if (found === null) throw badIndex(op, shape, `${described(given)} is not a slice such as '1:5', and not '...'`);
    const [start, stop, step] = found.slice(1).map(text => (text === undefined ? undefined : Number(text)));
    return { kind: 'slice', slice: checkSlice(op, shape, new Slice(start, stop, step ?? 1)) };
  }
  if (given instanceof Traced) return tensorEntry(op, shape, given);
  if (Array.isArray(given)) {
    const list = given as readonly unknown[];
    if (list.length > 0 && list.every(x => typeof x === 'boolean'))
      return tensorEntry(op, shape, make(list as boolean[], 'i1'));
    if (list.every(x => Number.isSafeInteger(x))) return tensorEntry(op, shape, make(list as number[], 'i64'));
  }
  throw badIndex(
    op,
    shape,
    `${described(given)} is not a number, slice, null, '...', tensor, or array of integers or booleans`,
  );
}

function tensorEntry(op: string, shape: readonly number[], index: Traced): IndexEntry {
  const { elementType } = index.type;
  if (elementType === 'i1') return { kind: 'mask', mask: index };
  if (isInteger(elementType)) return { kind: 'tensor', index };
  throw badIndex(op, shape, `a tensor of ${index.dtype} is not an index: use integers or booleans`);
}

function checkSlice(op: string, shape: readonly number[], given: Slice): Slice {
  const { start, stop, step } = given;
  for (const bound of [start, stop, step])
    if (bound !== undefined && !Number.isSafeInteger(bound))
      throw badIndex(op, shape, `a slice has ${described(bound)} where an integer is expected`);
  if (step < 1) throw badIndex(op, shape, `the step ${step} of a slice is not positive: use flip() to reverse a dim`);
  return given;
}

export const badIndex = (op: string, shape: readonly number[], problem: string): TrenioError =>
  new TrenioError('BAD_INDEX', { op, shape: formatShape(shape), problem }, { location: userLocation() });
