// Products, norms, reductions that skip NaN, and functions of differences.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isContinuous, isFloat } from '../../hlo/types.ts';
import { areFinite, isNan } from './elementary.ts';
import { binary, toFloat } from './elementwise.ts';
import { vectorNorm } from './linalg/norms.ts';
import * as move from './move.ts';
import { inFull, inWide } from './narrow.ts';
import { type Dims, extreme, keepReduced, spreadAlong, sum } from './reduce.ts';
import { dimOf, dimsOf, mismatch } from './shapes.ts';

/** Integers and booleans in i64, unless their type `isGiven`. */
export function product(b: Builder, x: Value, dim: number | undefined, keepDim: boolean, isGiven: boolean): Value {
  const { elementType } = tensorTypeOf(x);
  const dims = dimsOf(b, 'prod', shapeOf(x), dim);
  const wide = isContinuous(elementType) || isGiven ? x : b.convert(x, 'i64');
  return inFull(b, wide, w =>
    keepReduced(b, b.reduce('multiply', w, b.fill(tensorTypeOf(w).elementType, [], 1), dims), x, dims, keepDim),
  );
}
export const zeroForNan = (b: Builder, x: Value): Value =>
  isFloat(tensorTypeOf(x).elementType) ? b.select(isNan(b, x), b.like(x, 0), x) : x;
export function nanMean(b: Builder, x: Value, dim: Dims, keepDim: boolean): Value {
  return inWide(b, toFloat(b, x), w => {
    const total = sum(b, zeroForNan(b, w), dim, keepDim);
    const counted = b.convert(b.unary('not', isNan(b, w)), tensorTypeOf(w).elementType);
    return b.divide(total, sum(b, counted, dim, keepDim));
  });
}
/** `stop` marks the maximum as not worth a gradient: it cancels. */
export function logSumExp(b: Builder, x: Value, dim: Dims, keepDim: boolean, stop: (v: Value) => void): Value {
  const dims = dimsOf(b, 'logsumexp', shapeOf(x), dim);
  return inFull(b, toFloat(b, x), w => {
    const largest = extreme(b, 'maximum', w, dims, false);
    const top = b.select(areFinite(b, largest), largest, b.like(largest, 0));
    stop(top);
    const low = b.subtract(w, spreadAlong(b, top, dims, shapeOf(x)));
    const total = b.unary('log', b.sum(b.unary('exponential', low), dims));
    return keepReduced(b, b.add(total, top), x, dims, keepDim);
  });
}
export function differences(b: Builder, x: Value, times: number, dim: number): Value {
  const shape = shapeOf(x);
  const at = dimOf(b, 'diff', shape, dim);
  if (shape.length === 0) throw mismatch(b, 'diff', shape, [1], 'at least one dim is needed');
  let value = x;
  for (let i = 0; i < times; i++) {
    const size = shapeOf(value)[at]!;
    const [later, earlier] = [
      move.slice(b, value, at, 1, size, 1),
      move.slice(b, value, at, 0, Math.max(0, size - 1), 1),
    ];
    value = tensorTypeOf(x).elementType === 'i1' ? b.compare('NE', later, earlier) : b.subtract(later, earlier);
  }
  return value;
}
export function cross(b: Builder, x: Value, y: Value, dim: number | undefined): Value {
  const [sx, sy] = [shapeOf(x), shapeOf(y)];
  if (sx.length !== sy.length) throw mismatch(b, 'cross', sx, sy, 'both must have as many dims');
  const at = dim === undefined ? sx.indexOf(3) : dimOf(b, 'cross', sx, dim);
  if (sx[at] !== 3 || sy[at] !== 3)
    throw mismatch(b, 'cross', sx, sy, `${dim === undefined ? 'a dim' : `dim ${dim}`} of both must have size 3`);
  const part = (of: Value, i: number): Value => move.slice(b, of, at, i, i + 1, 1);
  const product = (i: number, j: number): Value => binary(b, 'multiply', 'cross', part(x, i), part(y, j));
  const parts = [0, 1, 2].map(i => b.subtract(product((i + 1) % 3, (i + 2) % 3), product((i + 2) % 3, (i + 1) % 3)));
  return move.cat(b, parts, at);
}
/** All pairs of rows: x [batch…, m, k], y [batch…, n, k] → [batch…, m, n]. */
export function distances(b: Builder, x: Value, y: Value, p: number): Value {
  const [sx, sy] = [shapeOf(x), shapeOf(y)];
  if (sx.length < 2 || sy.length < 2 || sx.at(-1) !== sy.at(-1))
    throw mismatch(b, 'cdist', sx, sy, 'both are rows of vectors of one length');
  const off = binary(b, 'subtract', 'cdist', move.unsqueeze(b, x, -2), move.unsqueeze(b, y, -3));
  return vectorNorm(b, off, p, -1, false);
}
