// Normalisation as ops: two reductions over some dims and one elementwise chain.
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, type Value } from '../hlo/program.ts';
import { lower } from '../tensor/index.ts';

const shareOf = (shape: readonly number[], over: readonly number[]): number =>
  1 / over.reduce((n, d) => n * shape[d]!, 1);

/** (x - mean) / √(variance + eps) over some dims. */
export function standardise(b: Builder, x: Value, over: readonly number[], eps: number): Value {
  const shape = shapeOf(x);
  const share = shareOf(shape, over);
  const sum = b.sum(x, over);
  const mean = b.multiply(sum, b.like(sum, share));
  const off = b.subtract(x, lower.spreadAlong(b, mean, over, shape));
  const squares = b.sum(b.multiply(off, off), over);
  const variance = b.multiply(squares, b.like(squares, share));
  const scale = b.unary('rsqrt', b.add(variance, b.like(variance, eps)));
  return b.multiply(off, lower.spreadAlong(b, scale, over, shape));
}
/** x · weight + bias, of which both lie along some dims of x. */
export function scaleAndShift(
  b: Builder,
  x: Value,
  dims: readonly number[],
  weight: Value | undefined,
  bias: Value | undefined,
): Value {
  let y = x;
  const along = (v: Value): Value => b.broadcastInDim(b.convert(v, lower.typeOf(x)), dims, shapeOf(x));
  if (weight !== undefined) y = b.multiply(y, along(weight));
  if (bias !== undefined) y = b.add(y, along(bias));
  return y;
}

const lastDims = (x: Value, dims: number): number[] =>
  shapeOf(x)
    .map((_, i) => i)
    .slice(shapeOf(x).length - dims);

/** Layer normalisation: over the last `dims` dims, times weight, plus bias. */
export function normalise(
  b: Builder,
  x: Value,
  dims: number,
  weight: Value | undefined,
  bias: Value | undefined,
  eps: number,
): Value {
  const over = lastDims(x, dims);
  return lower.inFull(b, x, wide => scaleAndShift(b, standardise(b, wide, over, eps), over, weight, bias));
}

/** x / √(mean of squares + eps) over the last `dims` dims, times weight (Zhang and Sennrich, 2019). */
export function normaliseByRms(b: Builder, x: Value, dims: number, weight: Value | undefined, eps: number): Value {
  const over = lastDims(x, dims);
  return lower.inFull(b, x, wide => {
    const squares = b.sum(b.multiply(wide, wide), over);
    const mean = b.multiply(squares, b.like(squares, shareOf(shapeOf(x), over)));
    const scale = b.unary('rsqrt', b.add(mean, b.like(mean, eps)));
    return scaleAndShift(b, b.multiply(wide, lower.spreadAlong(b, scale, over, shapeOf(x))), over, weight, undefined);
  });
}
