// Sums, means, extremes and functions based on them: softmax, normalization statistics.

import { TrenioError } from '../../base/errors.ts';
import type { BinaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isFloat, tensorType } from '../../hlo/types.ts';
import { noComplex, toFloat } from './elementwise.ts';
import { inFull, inWide } from './narrow.ts';
import { dimOf, dimsOf, formatShape, mismatch, type Shape } from './shapes.ts';

export type Dims = number | readonly number[] | undefined;

const typeOf = (x: Value): ElementType => tensorTypeOf(x).elementType;

/** The result of a reduction, with reduced dims kept as 1 if requested. */
export function keepReduced(
  b: Builder,
  reduced: Value,
  from: Value,
  dims: readonly number[],
  keepDims: boolean,
): Value {
  if (!keepDims || dims.length === 0) return reduced;
  return b.reshape(
    reduced,
    shapeOf(from).map((d, i) => (dims.includes(i) ? 1 : d)),
  );
}
/** A value of the shape without `dims`, repeated along them again to the shape of `like`. */
export function spreadAlong(b: Builder, x: Value, dims: readonly number[], like: readonly number[]): Value {
  return b.broadcastInDim(
    x,
    like.map((_, i) => i).filter(i => !dims.includes(i)),
    like,
  );
}

export function sum(b: Builder, x: Value, dim: Dims, keepDims: boolean): Value {
  const wide = typeOf(x) === 'i1' ? b.convert(x, 'i32') : x;
  const dims = dimsOf(b, 'sum', shapeOf(x), dim);
  return inFull(b, wide, w => keepReduced(b, b.sum(w, dims), x, dims, keepDims));
}
/** The sum, as in PyTorch: integers and booleans in i64, unless `isGiven` (a type; that of booleans is their `or`). */
export function total(b: Builder, x: Value, dim: Dims, keepDims: boolean, isGiven: boolean): Value {
  const type = typeOf(x);
  if (isGiven && type === 'i1') {
    const dims = dimsOf(b, 'sum', shapeOf(x), dim);
    return keepReduced(b, b.reduce('or', x, b.fill('i1', [], false), dims), x, dims, keepDims);
  }
  if (isFloat(type) || type.startsWith('complex') || isGiven) return sum(b, x, dim, keepDims);
  // booleans are counted in i32, which holds any count of elements in memory
  return type === 'i1' ? b.convert(sum(b, x, dim, keepDims), 'i64') : sum(b, b.convert(x, 'i64'), dim, keepDims);
}
export function mean(b: Builder, x: Value, dim: Dims, keepDims: boolean): Value {
  const dims = dimsOf(b, 'mean', shapeOf(x), dim);
  const count = dims.reduce((n, d) => n * shapeOf(x)[d]!, 1);
  return inWide(b, toFloat(b, x), floats => {
    const total = b.sum(floats, dims);
    return keepReduced(b, b.multiply(total, b.like(total, 1 / count)), x, dims, keepDims);
  });
}
/** Variance over `dim`; `correction` 1 divides by n - 1 as PyTorch does by default. */
export function variance(b: Builder, x: Value, dim: Dims, keepDims: boolean, correction: number): Value {
  const dims = dimsOf(b, 'var', shapeOf(x), dim);
  const count = dims.reduce((n, d) => n * shapeOf(x)[d]!, 1);
  return inWide(b, toFloat(b, x), floats => {
    const center = spreadAlong(b, mean(b, floats, dims, false), dims, shapeOf(x));
    const off = b.subtract(floats, center);
    const total = b.sum(squaredSize(b, off), dims);
    const scaled = b.multiply(total, b.like(total, 1 / (count - correction)));
    if (count >= correction) return keepReduced(b, scaled, x, dims, keepDims);
    // too few elements: divided by 0, with the gradient of the formula, as in PyTorch
    const quotient = b.select(b.compare('EQ', total, b.like(total, 0)), b.like(total, NaN), b.like(total, Infinity));
    return keepReduced(b, b.add(scaled, quotient), x, dims, keepDims);
  });
}
export const deviation = (b: Builder, x: Value, dim: Dims, keepDims: boolean, correction: number): Value =>
  inWide(b, toFloat(b, x), w => aboveZero(b, variance(b, w, dim, keepDims, correction), v => b.unary('sqrt', v)));
/** |x|² of each element, in the real type of complex numbers. */
export function squaredSize(b: Builder, x: Value): Value {
  if (!typeOf(x).startsWith('complex')) return b.multiply(x, x);
  const [real, imaginary] = [b.emit1('real', [x], {}), b.emit1('imag', [x], {})];
  return b.add(b.multiply(real, real), b.multiply(imaginary, imaginary));
}
/** A root whose gradient at 0 is 0 instead of infinite: for the norm of zeros, or the deviation of equal values. */
export function aboveZero(b: Builder, x: Value, root: (x: Value) => Value): Value {
  const isZero = b.compare('EQ', x, b.like(x, 0));
  return b.select(isZero, b.like(x, 0), root(b.select(isZero, b.like(x, 1), x)));
}
/** A value that was reduced along `dim` of x with the dim kept, without that dim. */
export function dropDim(b: Builder, op: string, x: Value, reduced: Value, dim: number): Value {
  const shape = shapeOf(x);
  const along = dimOf(b, op, shape, dim);
  return shape.length === 0
    ? reduced
    : b.reshape(
        reduced,
        shape.filter((_, i) => i !== along),
      );
}

const integerRange: Partial<Record<ElementType, readonly [bigint, bigint]>> = {
  i1: [0n, 1n],
  i8: [-(2n ** 7n), 2n ** 7n - 1n],
  i16: [-(2n ** 15n), 2n ** 15n - 1n],
  i32: [-(2n ** 31n), 2n ** 31n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  ui8: [0n, 2n ** 8n - 1n],
  ui16: [0n, 2n ** 16n - 1n],
  ui32: [0n, 2n ** 32n - 1n],
  ui64: [0n, 2n ** 64n - 1n],
};
/** The neutral element of `maximum` (or `minimum`). */
export function lowestOf(type: ElementType, name: 'maximum' | 'minimum'): number | bigint {
  const range = integerRange[type];
  if (range === undefined) return name === 'maximum' ? -Infinity : Infinity;
  return range[name === 'maximum' ? 0 : 1];
}
export function extreme(b: Builder, name: 'maximum' | 'minimum', x: Value, dim: Dims, keepDims: boolean): Value {
  const op = name === 'maximum' ? 'max' : 'min';
  const dims = dimsOf(b, op, shapeOf(x), dim);
  if (dims.some(d => shapeOf(x)[d] === 0)) {
    throw new TrenioError('EMPTY_REDUCTION', { op, shape: formatShape(shapeOf(x)) }, { location: b.location });
  }
  return keepReduced(b, b.reduce(name, x, b.fill(typeOf(x), [], lowestOf(typeOf(x), name)), dims), x, dims, keepDims);
}
/** The position of the extreme along one dim: the first one, as i32. Without a dim, the position in the flattened tensor. */
export function argExtreme(
  b: Builder,
  name: 'maximum' | 'minimum',
  x: Value,
  dim: number | undefined,
  keepDims: boolean,
): Value {
  if (dim === undefined) {
    const flat = b.reshape(x, [shapeOf(x).reduce((n, d) => n * d, 1)]);
    const found = argExtreme(b, name, flat, 0, false);
    return keepDims
      ? b.reshape(
          found,
          shapeOf(x).map(() => 1),
        )
      : found;
  }
  const op = name === 'maximum' ? 'argmax' : 'argmin';
  const shape = shapeOf(x);
  const along = dimOf(b, op, shape, dim);
  if (shape.length === 0) return b.fill('i32', [], 0);
  const best = spreadAlong(b, extreme(b, name, x, along, false), [along], shape);
  const indices = b.iota(tensorType('i32', shape), along);
  const isBest = b.compare('EQ', x, best);
  // NaN, which is equal to nothing, counts as the extreme
  const isHit = isFloat(typeOf(x)) ? b.binary('or', isBest, b.compare('NE', x, x)) : isBest;
  const found = b.select(isHit, indices, b.fill('i32', shape, shape[along]! - 1));
  const first = b.reduce('minimum', found, b.fill('i32', [], 2 ** 31 - 1), [along]);
  return keepReduced(b, first, x, [along], keepDims);
}
/** All or any along dims, of booleans. */
export function logical(b: Builder, name: 'and' | 'or', x: Value, dim: Dims, keepDims: boolean): Value {
  const truth = b.convert(x, 'i1');
  // In PyTorch, an empty list of dims means no reduction for these two.
  const isNone = typeof dim === 'object' && dim.length === 0;
  const dims = isNone ? [] : dimsOf(b, name === 'and' ? 'all' : 'any', shapeOf(x), dim);
  return keepReduced(b, b.reduce(name as BinaryName, truth, b.fill('i1', [], name === 'and'), dims), x, dims, keepDims);
}

/** x minus its maximum along `dim`: nothing overflows. `stop` marks the maximum as not worth a gradient: it cancels. */
function shifted(b: Builder, op: string, x: Value, dim: number, stop: (v: Value) => void): [Value, number] {
  const floats = toFloat(b, x);
  const along = dimOf(b, op, shapeOf(x), dim);
  if (shapeOf(x).length === 0) return [b.subtract(floats, floats), 0];
  if (shapeOf(x).includes(0)) return [floats, along];
  const top = extreme(b, 'maximum', floats, along, false);
  stop(top);
  return [b.subtract(floats, spreadAlong(b, top, [along], shapeOf(x))), along];
}
const dimsAlong = (x: Value, along: number): number[] => (shapeOf(x).length === 0 ? [] : [along]);

export function softmax(b: Builder, narrow: Value, dim: number, stop: (v: Value) => void): Value {
  return inFull(b, narrow, x => {
    const [low, along] = shifted(b, 'softmax', noComplex(b, 'softmax', x), dim, stop);
    const powers = b.unary('exponential', low);
    const dims = dimsAlong(x, along);
    return b.divide(powers, spreadAlong(b, b.sum(powers, dims), dims, shapeOf(x)));
  });
}
export function logSoftmax(b: Builder, narrow: Value, dim: number, stop: (v: Value) => void): Value {
  return inFull(b, narrow, x => {
    const [low, along] = shifted(b, 'logSoftmax', noComplex(b, 'logSoftmax', x), dim, stop);
    const dims = dimsAlong(x, along);
    const total = b.unary('log', b.sum(b.unary('exponential', low), dims));
    return b.subtract(low, spreadAlong(b, total, dims, shapeOf(x)));
  });
}
/** x summed over the dims that broadcasting from `size` would add or repeat. */
export function sumTo(b: Builder, x: Value, size: Shape): Value {
  const shape = shapeOf(x);
  const lead = shape.length - size.length;
  if (lead < 0 || size.some((d, i) => d !== 1 && d !== shape[i + lead]))
    throw mismatch(b, 'sumToSize', shape, size, 'the size must broadcast to the shape of the input');
  const dims = shape.map((_, d) => d).filter(d => d < lead || (size[d - lead] === 1 && shape[d] !== 1));
  return dims.length === 0 ? x : b.reshape(total(b, x, dims, false, false), size);
}
