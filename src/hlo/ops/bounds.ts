// Types whose unknown sizes have bounds (`tensor<?xf32, #stablehlo.bounds<8>>`): how sizes and bounds of several operands
// are combined. Static tensors are handled by the first line of each function.
import { type Bounds, dynamicDim, sameShape, type TensorType } from '../types.ts';
import { type Checker, withShape } from './shape-checks.ts';

/** The elements of `like` with this shape and, if there are any, bounds. */
export function boundedType(like: TensorType, shape: readonly number[], bounds?: Bounds): TensorType {
  const type = withShape(like, shape);
  return bounds?.some(b => b !== undefined) ? { ...type, bounds } : type;
}

interface Extent {
  readonly size: number;
  readonly bound: number | undefined;
}
const isKnown = (size: number): boolean => size !== dynamicDim;
const extentOf = ({ shape, bounds }: TensorType, d: number): Extent => ({ size: shape[d]!, bound: bounds?.[d] });

/** The most precise extent: a known size, or else the smallest bound. */
function mostSpecific(require: Checker, constraint: number | string, a: Extent, b: Extent): Extent {
  if (isKnown(a.size) || isKnown(b.size)) {
    const size = isKnown(a.size) ? a.size : b.size;
    require(!isKnown(a.size) || !isKnown(b.size) || a.size === b.size, constraint, () =>
      `sizes ${a.size} and ${b.size} differ`);
    const bound = a.bound ?? b.bound;
    require(bound === undefined || size <= bound, constraint, () => `size ${size} exceeds the bound ${bound}`);
    return { size, bound: undefined };
  }
  const bound = a.bound === undefined || b.bound === undefined ? (a.bound ?? b.bound) : Math.min(a.bound, b.bound);
  return { size: dynamicDim, bound };
}
/** The common extent of branches that return different sizes. */
function leastSpecific(_require: Checker, _constraint: number | string, a: Extent, b: Extent): Extent {
  if (a.size === b.size && isKnown(a.size)) return a;
  const [p, q] = [isKnown(a.size) ? a.size : a.bound, isKnown(b.size) ? b.size : b.bound];
  return { size: dynamicDim, bound: p === undefined || q === undefined ? undefined : Math.max(p, q) };
}
function concatenated(a: Extent, b: Extent): Extent {
  if (isKnown(a.size) && isKnown(b.size)) return { size: a.size + b.size, bound: undefined };
  const [p, q] = [isKnown(a.size) ? a.size : a.bound, isKnown(b.size) ? b.size : b.bound];
  return { size: dynamicDim, bound: p === undefined || q === undefined ? undefined : p + q };
}

const isStatic = ({ shape, bounds }: TensorType): boolean => bounds === undefined && !shape.includes(dynamicDim);
function typeOf(like: TensorType, extents: readonly Extent[]): TensorType {
  return boundedType(
    like,
    extents.map(e => e.size),
    extents.map(e => e.bound),
  );
}
type Merge = typeof mostSpecific;
function merged(require: Checker, constraint: number | string, types: readonly TensorType[], merge: Merge): TensorType {
  const first = types[0]!;
  if (types.every(t => isStatic(t) && sameShape(t.shape, first.shape))) return first;
  const extents = first.shape.map((_, d) =>
    types.map(t => extentOf(t, d)).reduce((a, b) => merge(require, constraint, a, b)),
  );
  return typeOf(first, extents);
}
/**
 * One type for operands that all have the same shape: the elements of the first, each size taken from an operand in which it is
 * known.
 */
export const mostSpecificType = (
  require: Checker,
  constraint: number | string,
  types: readonly TensorType[],
): TensorType => merged(require, constraint, types, mostSpecific);
/**
 * A common type for alternative values, such as those of the branches of `if`. The caller has checked that they are compatible.
 */
export const leastSpecificType = (
  require: Checker,
  constraint: number | string,
  types: readonly TensorType[],
): TensorType => merged(require, constraint, types, leastSpecific);

/** The type of operands one after another along `dimension`. */
export function concatenatedType(
  require: Checker,
  constraint: number | string,
  types: readonly TensorType[],
  dimension: number,
): TensorType {
  const first = types[0]!;
  if (types.every(isStatic)) {
    let total = 0;
    for (const t of types) total += t.shape[dimension]!;
    return boundedType(
      first,
      first.shape.map((size, d) => (d === dimension ? total : size)),
    );
  }
  const extents = first.shape.map((_, d) =>
    types
      .map(t => extentOf(t, d))
      .reduce((a, b) => (d === dimension ? concatenated(a, b) : mostSpecific(require, constraint, a, b))),
  );
  return typeOf(first, extents);
}

/** Sizes computed from those of an operand; unknown if `map` returns unknown, with a bound computed from the bound. */
export function mapExtents(type: TensorType, map: (sizeOrBound: number, d: number) => number): TensorType {
  const { shape, bounds } = type;
  return boundedType(
    type,
    shape.map((size, d) => (isKnown(size) ? map(size, d) : size)),
    bounds?.map((bound, d) => {
      const mapped = bound === undefined ? dynamicDim : map(bound, d);
      return mapped === dynamicDim ? undefined : mapped;
    }),
  );
}
