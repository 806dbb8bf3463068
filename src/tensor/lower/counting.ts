// Counts, membership and other small statistics of whole tensors.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { dtypeName, promote } from '../types/dtype.ts';
import { toFloat } from './elementwise.ts';
import * as move from './move.ts';
import { contract, inWide, typeOf } from './narrow.ts';
import { extreme, spreadAlong } from './reduce.ts';
import { scatter } from './scatter.ts';
import { dimOf, mismatch } from './shapes.ts';
import { flat, search, sort } from './sorting.ts';

/** Whether each element is in the other tensor: its elements are sorted and searched by bisection. */
export function isIn(b: Builder, elements: Value, others: Value, inverts: boolean): Value {
  const type = promote(tensorTypeOf(elements).elementType, tensorTypeOf(others).elementType);
  const [x, set] = [b.convert(elements, type), flat(b, b.convert(others, type))];
  const shape = shapeOf(x);
  const size = shapeOf(set)[0]!;
  if (size === 0) return b.fill('i1', shape, inverts);
  const sorted = sort(b, 'isin', set, 0, false)[0];
  const place = search(b, 'isin', sorted, x, { isRight: false, isInt32: true });
  const nearest = move.indexSelect(b, 'isin', sorted, 0, b.minimum(place, b.like(place, size - 1)));
  const found = b.compare('EQ', nearest, x);
  return inverts ? b.unary('not', found) : found;
}
/** Histogram: the number of elements in each of several equal bins from `low` to `high`; elements outside are ignored. */
export function histogram(b: Builder, x: Value, bins: number, low: number, high: number): Value {
  const type = tensorTypeOf(x).elementType;
  if (!isFloat(type))
    throw new TrenioError(
      'BAD_DTYPE',
      { op: 'histc', got: dtypeName(type), expected: 'floats' },
      { location: b.location },
    );
  if (bins < 1 || low > high)
    throw new TrenioError(
      'WRONG_ARGUMENT',
      {
        call: 'histc',
        argument: bins < 1 ? 'bins' : 'max',
        got: String(bins < 1 ? bins : high),
        expected: bins < 1 ? 'a number above 0' : 'a number of at least min',
        fix: bins < 1 ? 'give at least one bin' : 'swap min and max',
      },
      { location: b.location },
    );
  const values = flat(b, x);
  const none = b.fill(type, [bins], 0);
  const size = shapeOf(values)[0]!;
  if (size === 0) return none;
  const one = (v: number): Value => b.fill(type, [], v);
  const ofData = low === high && low === 0;
  const ends = ofData
    ? [extreme(b, 'minimum', values, 0, false), extreme(b, 'maximum', values, 0, false)]
    : [one(low), one(high)];
  const isOne = b.compare('EQ', ends[0]!, ends[1]!);
  const [from, to] = [
    b.select(isOne, b.subtract(ends[0]!, one(1)), ends[0]!),
    b.select(isOne, b.add(ends[1]!, one(1)), ends[1]!),
  ].map(end => b.broadcastInDim(end, [], [size]));
  const scaled = b.divide(b.multiply(b.subtract(values, from!), b.like(values, bins)), b.subtract(to!, from!));
  const bin = b.minimum(b.convert(b.unary('floor', scaled), 'i32'), b.fill('i32', [size], bins - 1));
  const isInside = b.binary('and', b.compare('GE', values, from!), b.compare('LE', values, to!));
  // positions after the last bin are dropped
  const place = b.select(isInside, bin, b.fill('i32', [size], bins));
  return scatter(b, 'histc', none, 0, place, 1, 'add');
}
/** The covariance matrix of variables, which are the rows. */
export function covariance(b: Builder, input: Value, correction: number): Value {
  const rank = shapeOf(input).length;
  if (rank > 2) throw mismatch(b, 'cov', shapeOf(input), [-1, -1], 'rows of observations have at most two dims');
  const x = move.atLeast(b, toFloat(b, input), 2);
  const count = shapeOf(x)[1]!;
  const total = inWide(b, x, wide => b.sum(wide, [1]));
  const off = b.subtract(x, spreadAlong(b, b.divide(total, b.like(total, count)), [1], shapeOf(x)));
  const dims = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [1],
  };
  const products = b.convert(contract(b, off, off, typeOf(off), dims), typeOf(off));
  const scaled = b.divide(products, b.like(products, Math.max(0, count - correction)));
  return rank === 2 && shapeOf(x)[0] !== 1 ? scaled : b.reshape(scaled, []);
}
export function correlation(b: Builder, input: Value): Value {
  const all = covariance(b, input, 1);
  const shape = shapeOf(all);
  if (shape.length === 0) return b.divide(all, all);
  const variables = shape[0]!;
  const positions = b.constant(
    literal(
      'i32',
      [variables],
      Array.from({ length: variables }, (_, i) => i * (variables + 1)),
    ),
  );
  const variances = move.indexSelect(b, 'corrcoef', flat(b, all), 0, positions);
  const deviations = b.unary('sqrt', variances);
  const scaled = [0, 1].reduce((x, dim) => b.divide(x, b.broadcastInDim(deviations, [dim], shape)), all);
  return b.minimum(b.maximum(scaled, b.like(scaled, -1)), b.like(scaled, 1));
}
/** The trapezoidal rule, with given points or a constant step. */
export function trapezoid(b: Builder, y: Value, x: Value | number, dim: number): Value {
  const shape = shapeOf(y);
  const along = dimOf(b, 'trapezoid', shape, dim);
  if (shape.length === 0) throw mismatch(b, 'trapezoid', shape, [1], 'at least one dim is needed');
  const size = shape[along]!;
  const type = typeof x === 'number' ? typeOf(y) : promote(typeOf(y), typeOf(x));
  const floats = toFloat(b, b.convert(y, type));
  const pairs = (v: Value, at: number, length: number): readonly [Value, Value] => [
    move.slice(b, v, at, 1, length, 1),
    move.slice(b, v, at, 0, Math.max(0, length - 1), 1),
  ];
  const [later, earlier] = pairs(floats, along, size);
  const heights = b.add(later, earlier);
  const widths = (): Value => {
    if (typeof x === 'number') return b.like(heights, x);
    const points = b.convert(x, typeOf(floats));
    const own = shapeOf(points);
    if (own.length === 1 && own[0] === size)
      return b.broadcastInDim(b.subtract(...pairs(points, 0, size)), [along], shapeOf(heights));
    if (own.join() === shape.join()) return b.subtract(...pairs(points, along, size));
    throw mismatch(b, 'trapezoid', shape, own, 'x has one dim as long as that of y, or the shape of y');
  };
  const total = b.sum(b.multiply(heights, widths()), [along]);
  return b.multiply(total, b.like(total, 0.5));
}
export const sizeOf = (x: Value): number => shapeOf(x)[0] ?? 0;
/** The Vandermonde matrix: powers of a vector as columns, decreasing unless `isIncreasing`. */
export function vander(b: Builder, input: Value, columns: number, isIncreasing: boolean): Value {
  const x = isFloat(tensorTypeOf(input).elementType) ? input : b.convert(input, 'i64');
  const size = shapeOf(move.onlyRank(b, 'vander', x, 1))[0]!;
  const powers: Value[] = [b.like(x, 1)];
  for (let i = 1; i < columns; i++) powers.push(b.multiply(powers[i - 1]!, x));
  if (columns === 0) return b.fill(tensorTypeOf(x).elementType, [size, 0], 0);
  return move.stack(b, isIncreasing ? powers : powers.toReversed(), 1);
}
/** The Cartesian product of vectors: all tuples with one element of each. */
export function cartesianProduct(b: Builder, vectors: readonly Value[]): Value {
  for (const x of vectors) move.onlyRank(b, 'cartesianProd', x, 1);
  if (vectors.length === 1) return vectors[0]!;
  return move.stack(
    b,
    move.meshgrid(b, vectors, false).map(x => flat(b, x)),
    1,
  );
}
/** All combinations of r elements of a vector, in order. */
export function combinations(b: Builder, x: Value, r: number, isRepeated: boolean): Value {
  const size = shapeOf(move.onlyRank(b, 'combinations', x, 1))[0]!;
  const found: number[] = [];
  const taken: number[] = [];
  const take = (from: number): void => {
    if (taken.length === r) {
      found.push(...taken);
      return;
    }
    for (let i = from; i < size; i++) {
      taken.push(i);
      take(isRepeated ? i : i + 1);
      taken.pop();
    }
  };
  take(0);
  const rows = r === 0 ? 0 : found.length / r;
  if (rows === 0) return b.fill(tensorTypeOf(x).elementType, r === 0 ? [0] : [0, r], 0);
  return move.indexSelect(b, 'combinations', x, 0, b.constant(literal('i32', [rows, r], found)));
}
