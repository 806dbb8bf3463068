// Order along a dim: sort, and functions of sorted elements. As in PyTorch, NaN is greater than any number, and equal
// elements keep their order. Values are gathered at the indices, so that gradients flow to the chosen elements alone.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat, sameShape, tensorType } from '../../hlo/types.ts';
import { promote, scalarType } from '../types/dtype.ts';
import { isNan, ofFloats } from './elementary.ts';
import { noComplex, type Operand } from './elementwise.ts';
import * as move from './move.ts';
import { dtypeOf } from './narrow.ts';
import { type Found, withIndices } from './positions.ts';
import { argExtreme, lowestOf, spreadAlong } from './reduce.ts';
import { running } from './running.ts';
import { dimOf, formatShape, mismatch } from './shapes.ts';

/** The sorted elements and their indices, as i32. No gradient flows through either. */
function sorted(b: Builder, x: Value, along: number, isDescending: boolean): readonly [Value, Value] {
  const { elementType, shape } = tensorTypeOf(noComplex(b, 'sort', x));
  const [element, position] = [tensorType(elementType), tensorType('i32')];
  const before = b.region([element, element, position, position], (inner, [p, q]) => {
    const [low, high] = isDescending ? [q!, p!] : [p!, q!];
    const isLess = inner.compare('LT', low, high);
    if (!isFloat(elementType)) return [isLess];
    const isLast = inner.binary('and', inner.compare('NE', high, high), inner.compare('EQ', low, low));
    return [inner.binary('or', isLess, isLast)];
  });
  const [values, indices] = b.emit(
    'sort',
    [x, b.iota(tensorType('i32', shape), along)],
    {
      dimension: along,
      isStable: true,
    },
    [before],
  );
  return [values!, indices!];
}
const firstOf = (b: Builder, x: Value, along: number, count: number): Value => move.slice(b, x, along, 0, count, 1);
const dropped = (b: Builder, x: Value, along: number): Value => b.reshape(x, shapeOf(x).toSpliced(along, 1));
/** The result for a tensor without dims: itself, at index 0. */
const single = (b: Builder, x: Value): Found => [b.reshape(x, []), b.fill('i64', [], 0)];

export function sort(b: Builder, op: string, x: Value, dim: number, isDescending: boolean): Found {
  const along = dimOf(b, op, shapeOf(x), dim);
  if (shapeOf(x).length === 0) return single(b, x);
  return withIndices(b, x, along, sorted(b, x, along, isDescending)[1]);
}
/** @throws {OUT_OF_RANGE} unless 0 ≤ k ≤ the size of the dim */
export function topk(b: Builder, x: Value, k: number, dim: number, isLargest: boolean): Found {
  const along = dimOf(b, 'topk', shapeOf(x), dim);
  checkRank(b, 'topk', x, k, along, 0);
  if (shapeOf(x).length === 0) return single(b, x);
  return withIndices(b, x, along, firstOf(b, sorted(b, x, along, isLargest)[1], along, k));
}
/** The k-th smallest, counted from 1. @throws {OUT_OF_RANGE} */
export function kthValue(b: Builder, x: Value, k: number, dim: number, keepDim: boolean): Found {
  const along = dimOf(b, 'kthvalue', shapeOf(x), dim);
  checkRank(b, 'kthvalue', x, k, along, 1);
  if (shapeOf(x).length === 0) return single(b, x);
  const at = move.slice(b, sorted(b, x, along, false)[1], along, k - 1, k, 1);
  return kept(b, withIndices(b, x, along, at), along, keepDim);
}
const kept = (b: Builder, found: Found, along: number, keepDim: boolean): Found =>
  keepDim ? found : [dropped(b, found[0], along), dropped(b, found[1], along)];

/** The lower of the two middle elements. NaN if an element is NaN; with `skipsNan`, that of the other elements. */
export function median(b: Builder, op: string, x: Value, dim: number, keepDim: boolean, skipsNan: boolean): Found {
  const shape = shapeOf(x);
  const along = dimOf(b, op, shape, dim);
  if (shape.length === 0) return single(b, x);
  checkNotEmpty(b, op, x, along);
  const indices = sorted(b, x, along, false)[1];
  return kept(
    b,
    withIndices(b, x, along, move.gather(b, indices, along, middle(b, x, along, skipsNan))),
    along,
    keepDim,
  );
}
/** The median of all elements; without any, NaN or the least integer. */
export function medianOfAll(b: Builder, op: string, x: Value, skipsNan: boolean): Value {
  const { elementType, shape } = tensorTypeOf(x);
  if (shape.includes(0))
    return b.fill(elementType, [], isFloat(elementType) ? Number.NaN : lowestOf(elementType, 'maximum'));
  return median(b, op, flat(b, x), 0, false, skipsNan)[0];
}
/** The position of the median in sorted order, with NaN last. */
function middle(b: Builder, x: Value, along: number, skipsNan: boolean): Value {
  const shape = shapeOf(x);
  const one = shape.with(along, 1);
  const size = shape[along]!;
  const half = b.fill('i32', one, Math.floor((size - 1) / 2));
  if (!isFloat(tensorTypeOf(x).elementType)) return half;
  const numbers = b.reshape(b.sum(b.convert(b.unary('not', isNan(b, x)), 'i32'), [along]), one);
  if (!skipsNan) return b.select(b.compare('EQ', numbers, b.like(numbers, size)), half, numbers);
  const last = b.maximum(b.subtract(numbers, b.like(numbers, 1)), b.like(numbers, 0));
  return b.divide(last, b.like(numbers, 2));
}
/** All elements in one dim. */
export const flat = (b: Builder, x: Value): Value => b.reshape(x, [shapeOf(x).reduce((n, d) => n * d, 1)]);

/** The most frequent element, the smallest of several; its last position. */
export function mode(b: Builder, x: Value, dim: number, keepDim: boolean): Found {
  const shape = shapeOf(x);
  const along = dimOf(b, 'mode', shape, dim);
  if (shape.length === 0) return single(b, x);
  checkNotEmpty(b, 'mode', x, along);
  const size = shape[along]!;
  const [values, indices] = sorted(b, x, along, false);
  const position = b.iota(tensorType('i32', shape), along);
  const begins = isNewAlong(b, values, along);
  const starts = running(b, [b.select(begins, position, b.like(position, 0))], along, (c, [p], [q]) => [
    c.maximum(p!, q!),
  ])[0]!;
  const lengths = b.subtract(position, starts);
  const end = argExtreme(b, 'maximum', lengths, along, true);
  return kept(b, withIndices(b, x, along, size === 1 ? indices : move.gather(b, indices, along, end)), along, keepDim);
}
/** Where an element of a sorted dim differs from the previous one. */
export function isNewAlong(b: Builder, x: Value, along: number): Value {
  const size = shapeOf(x)[along]!;
  const first = b.fill('i1', shapeOf(x).with(along, Math.min(size, 1)), true);
  if (size < 2) return first;
  const rest = b.compare('NE', move.slice(b, x, along, 1, size, 1), move.slice(b, x, along, 0, size - 1, 1));
  return b.concatenate([first, rest], along);
}

export const interpolations = ['linear', 'lower', 'higher', 'midpoint', 'nearest'] as const;
export type Interpolation = (typeof interpolations)[number];
export interface QuantileOptions {
  readonly dim: number | undefined;
  readonly keepDim: boolean;
  readonly interpolation: Interpolation;
  readonly skipsNan: boolean;
}
/** Quantiles q (no dims, or one, which leads the result) along a dim; of all elements without one. */
export function quantile(b: Builder, op: string, input: Value, q: Value, options: QuantileOptions): Value {
  const { dim, keepDim, interpolation, skipsNan } = options;
  const type = tensorTypeOf(input).elementType;
  if ((type !== 'f32' && type !== 'f64') || tensorTypeOf(q).elementType !== type)
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: `${dtypeOf(input)} and q of ${dtypeOf(q)}`, expected: 'both float32, or both float64' },
      { location: b.location },
    );
  if (shapeOf(q).length > 1)
    throw new TrenioError(
      'WRONG_ARGUMENT',
      { call: op, argument: 'q', got: formatShape(shapeOf(q)), expected: 'at most one dim', fix: 'flatten it' },
      { location: b.location },
    );
  const x = dim === undefined || shapeOf(input).length === 0 ? flat(b, input) : input;
  const shape = shapeOf(x);
  const along = dimOf(b, op, shape, dim ?? 0);
  checkNotEmpty(b, op, x, along);
  const count = shapeOf(q)[0] ?? 1;
  // the quantiles take the place of the dim: x [.., n, ..] and q [k] → [.., k, ..]
  const wanted = shape.with(along, count);
  const values = move.gather(b, x, along, sorted(b, x, along, false)[1]);
  const numbers = b.reshape(b.sum(b.convert(b.unary('not', isNan(b, x)), type), [along]), shape.with(along, 1));
  const spread = (v: Value): Value =>
    b.broadcastInDim(
      v,
      shape.map((_, i) => i),
      wanted,
    );
  const [one, size] = [b.like(numbers, 1), b.like(numbers, shape[along]!)];
  const end = spread(b.subtract(skipsNan ? b.maximum(numbers, one) : size, one));
  const rank = b.multiply(b.broadcastInDim(b.reshape(q, [count]), [along], wanted), end);
  // the last element in order is NaN if any is
  const ranks = skipsNan ? rank : b.select(spread(b.compare('NE', numbers, size)), end, rank);
  const at = (place: Value): Value => move.gather(b, values, along, b.convert(place, 'i32'));
  const [low, high] = [b.unary('floor', ranks), b.unary('ceil', ranks)];
  const between = (): Value => {
    switch (interpolation) {
      case 'lower':
        return at(low);
      case 'higher':
        return at(high);
      case 'nearest':
        return at(b.unary('round_nearest_even', ranks));
      default: {
        const weight = interpolation === 'midpoint' ? b.like(ranks, 0.5) : b.subtract(ranks, low);
        return interpolated(b, at(low), at(high), weight);
      }
    }
  };
  const found = between();
  // the dim of the quantiles comes first, if there is one
  const order = [along, ...shape.map((_, i) => i).filter(i => i !== along)];
  const led = b.transpose(found, order);
  const rest = shape.toSpliced(along, 1);
  const all = dim === undefined ? shapeOf(input).map(() => 1) : shapeOf(input).length === 0 ? [] : shape.with(along, 1);
  const out = keepDim ? all : rest;
  return b.reshape(led, shapeOf(q).length === 0 ? out : [count, ...out]);
}

/** One quantile given as a number. @throws {OUT_OF_RANGE} */
export function quantileOf(b: Builder, op: string, x: Value, q: number): Value {
  if (q >= 0 && q <= 1)
    return b.fill(isFloat(tensorTypeOf(x).elementType) ? tensorTypeOf(x).elementType : 'f32', [], q);
  throw new TrenioError(
    'WRONG_ARGUMENT',
    { call: op, argument: 'q', got: String(q), expected: 'a number from 0 to 1', fix: 'divide percentages by 100' },
    { location: b.location },
  );
}
/** Sequences in the order of a sorter, if there is one. */
export function ordered(b: Builder, sequence: Value, sorter: Value | undefined): Value {
  if (sorter === undefined) return sequence;
  if (!sameShape(shapeOf(sorter), shapeOf(sequence)))
    throw mismatch(
      b,
      'searchsorted',
      shapeOf(sequence),
      shapeOf(sorter),
      'the sorter must have the shape of the sequences',
    );
  return move.gather(b, sequence, -1, sorter);
}
function ofOneType(b: Builder, sequence: Value, values: Operand): readonly [Value, Value] {
  const own = tensorTypeOf(sequence).elementType;
  if (typeof values !== 'object') {
    const type = scalarType(values, own);
    return [b.convert(sequence, type), b.fill(type, [], values)];
  }
  const type = promote(own, tensorTypeOf(values).elementType);
  return [b.convert(sequence, type), b.convert(values, type)];
}

/** Between two elements, from the nearer one: exact at both ends, like PyTorch's lerp. */
function interpolated(b: Builder, from: Value, to: Value, weight: Value): Value {
  const distance = b.subtract(to, from);
  const rest = b.subtract(b.like(weight, 1), weight);
  const isNearFirst = b.compare('LT', weight, b.like(weight, 0.5));
  return b.select(isNearFirst, b.add(from, b.multiply(weight, distance)), b.subtract(to, b.multiply(rest, distance)));
}

export interface SearchOptions {
  readonly isRight: boolean;
  readonly isInt32: boolean;
}
/**
 * How many elements of a sorted sequence are below each value (with `isRight`: not above it), by halving. The sequence has
 * one dim, or the leading dims of the values.
 */
export function search(b: Builder, op: string, unlike: Value, wanted: Operand, options: SearchOptions): Value {
  const [sequence, values] = ofOneType(b, unlike, wanted);
  const [from, to] = [shapeOf(sequence), shapeOf(values)];
  const isOne = from.length === 1;
  if (
    !isOne &&
    (from.length === 0 || from.length !== to.length || from.some((d, i) => i < from.length - 1 && d !== to[i]))
  )
    throw new TrenioError(
      'SHAPE_MISMATCH',
      { op, left: formatShape(from), right: formatShape(to), detail: 'all dims but the last one must be equal' },
      { location: b.location },
    );
  const type = options.isInt32 ? 'i32' : 'i64';
  const size = from.at(-1)!;
  let found: Value = b.fill('i32', to, 0);
  for (let step = 2 ** Math.floor(Math.log2(Math.max(size, 1))); step >= 1 && size > 0; step /= 2) {
    const next = b.add(found, b.like(found, step));
    const place = b.subtract(b.minimum(next, b.like(next, size)), b.like(next, 1));
    const element = isOne ? move.indexSelect(b, op, sequence, 0, place) : move.gather(b, sequence, -1, place);
    // NaN is above all numbers
    const isBelow = b.unary('not', b.compare(options.isRight ? 'GT' : 'GE', element, values));
    const isNumber = b.compare('EQ', element, element);
    const isCounted = options.isRight ? b.binary('or', isNumber, b.compare('NE', values, values)) : isNumber;
    const isInside = b.compare('LE', next, b.like(next, size));
    const goes = b.binary('and', isInside, b.binary('and', isBelow, isCounted));
    found = b.select(goes, next, found);
  }
  return b.convert(found, type);
}

/** Scales the slices along a dim whose p-norm is above `limit` down to it. */
export function renorm(b: Builder, input: Value, p: number, dim: number, limit: number): Value {
  if (shapeOf(input).length < 2)
    throw new TrenioError(
      'WRONG_ARGUMENT',
      {
        call: 'renorm',
        argument: 'input',
        got: formatShape(shapeOf(input)),
        expected: 'at least 2 dims',
        fix: 'add a dim with unsqueeze(1)',
      },
      { location: b.location },
    );
  return ofFloats(b, input, x => {
    const along = dimOf(b, 'renorm', shapeOf(x), dim);
    const others = shapeOf(x).flatMap((_, i) => (i === along ? [] : [i]));
    const normOf = (of: Value): Value =>
      p === Infinity
        ? b.reduce('maximum', of, b.fill(tensorTypeOf(of).elementType, [], 0), others)
        : power(b, b.sum(power(b, of, p), others), 1 / p);
    const across = (of: Value): Value => spreadAlong(b, of, others, shapeOf(x));
    const all = normOf(b.unary('abs', x));
    const tooLong = b.compare('GT', all, b.like(all, limit));
    // the others have no part in the gradient, whatever they hold
    const norm = normOf(b.unary('abs', b.select(across(tooLong), x, b.like(x, 1))));
    const factor = b.divide(b.like(norm, limit), b.add(norm, b.like(norm, 1e-7)));
    const scale = b.select(tooLong, factor, b.like(norm, 1));
    return b.multiply(x, b.convert(across(scale), tensorTypeOf(x).elementType));
  });
}
const power = (b: Builder, x: Value, p: number): Value =>
  p === 1 ? x : p === 2 ? b.multiply(x, x) : p === 0.5 ? b.unary('sqrt', x) : b.binary('power', x, b.like(x, p));

function checkRank(b: Builder, op: string, x: Value, k: number, along: number, from: number): void {
  const size = shapeOf(x)[along] ?? 1;
  if (k >= from && k <= size) return;
  throw new TrenioError(
    'OUT_OF_RANGE',
    { op, index: `k = ${k}`, size, dim: along, shape: formatShape(shapeOf(x)) },
    { location: b.location },
  );
}
export function checkNotEmpty(b: Builder, op: string, x: Value, along: number): void {
  if (shapeOf(x)[along] !== 0) return;
  throw new TrenioError('EMPTY_REDUCTION', { op, shape: formatShape(shapeOf(x)) }, { location: b.location });
}
