// Normalization as ops: two reductions over some dims and one elementwise chain.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { sameShape } from '../../hlo/types.ts';
import { toFloat } from './elementwise.ts';
import { inFull, inWide, typeOf } from './narrow.ts';
import { mean, spreadAlong, variance } from './reduce.ts';
import { mismatch } from './shapes.ts';

/** @throws {SHAPE_MISMATCH} if the last dims differ */
export function checkLastDims(
  b: Builder,
  call: string,
  x: Value,
  shape: readonly number[],
  ...perElement: readonly (Value | undefined)[]
): void {
  const given = shapeOf(x);
  const from = given.slice(given.length - shape.length);
  if (shape.length === 0 || shape.length > given.length || shape.some((d, i) => d !== from[i]))
    throw mismatch(b, call, given, shape, 'the last dims of the input must be those of the layer');
  for (const value of perElement)
    if (value !== undefined && !sameShape(shapeOf(value), shape))
      throw mismatch(b, call, shapeOf(value), shape, 'weight and bias must have the shape of the layer');
}
const shareOf = (shape: readonly number[], over: readonly number[]): number =>
  1 / over.reduce((n, d) => n * shape[d]!, 1);

/** (x - mean) / √(variance + eps) over some dims. */
export function standardize(b: Builder, x: Value, over: readonly number[], eps: number): Value {
  const shape = shapeOf(x);
  const share = shareOf(shape, over);
  const sum = b.sum(x, over);
  const mean = b.multiply(sum, b.like(sum, share));
  const off = b.subtract(x, spreadAlong(b, mean, over, shape));
  const squares = b.sum(b.multiply(off, off), over);
  const variance = b.multiply(squares, b.like(squares, share));
  const scale = b.unary('rsqrt', b.add(variance, b.like(variance, eps)));
  return b.multiply(off, spreadAlong(b, scale, over, shape));
}
/** x · weight + bias, where weight and bias lie along some dims of x. */
export function scaleAndShift(
  b: Builder,
  x: Value,
  dims: readonly number[],
  weight: Value | undefined,
  bias: Value | undefined,
): Value {
  let y = x;
  const along = (v: Value): Value => b.broadcastInDim(b.convert(v, typeOf(x)), dims, shapeOf(x));
  if (weight !== undefined) y = b.multiply(y, along(weight));
  if (bias !== undefined) y = b.add(y, along(bias));
  return y;
}

const lastDims = (x: Value, dims: number): number[] =>
  shapeOf(x)
    .map((_, i) => i)
    .slice(shapeOf(x).length - dims);

/** Layer normalization: over the last `dims` dims, times weight, plus bias. */
export function normalize(
  b: Builder,
  x: Value,
  dims: number,
  weight: Value | undefined,
  bias: Value | undefined,
  eps: number,
): Value {
  const over = lastDims(x, dims);
  return inFull(b, toFloat(b, x), wide => scaleAndShift(b, standardize(b, wide, over, eps), over, weight, bias));
}

/** x / √(mean of squares + eps) over the last `dims` dims, times weight (Zhang and Sennrich, 2019). */
export function normalizeByRms(b: Builder, x: Value, dims: number, weight: Value | undefined, eps: number): Value {
  const over = lastDims(x, dims);
  return inFull(b, toFloat(b, x), wide => {
    const squares = b.sum(b.multiply(wide, wide), over);
    const mean = b.multiply(squares, b.like(squares, shareOf(shapeOf(x), over)));
    const scale = b.unary('rsqrt', b.add(mean, b.like(mean, eps)));
    return scaleAndShift(b, b.multiply(wide, spreadAlong(b, scale, over, shapeOf(x))), over, weight, undefined);
  });
}

/** Over each of some groups of channels of [N, C, …], times weight, plus bias, both by channel (Wu and He, 2018). */
export function normalizeGroups(
  b: Builder,
  x: Value,
  groups: number,
  weight: Value | undefined,
  bias: Value | undefined,
  eps: number,
): Value {
  const shape = shapeOf(x);
  const [n, c] = shape as [number, number];
  if (shape.length < 2 || groups < 1 || c % groups !== 0)
    throw mismatch(b, 'groupNorm', shape, [groups], `the groups must divide the ${c} channels`);
  for (const one of [weight, bias])
    if (one !== undefined && (shapeOf(one).length !== 1 || shapeOf(one)[0] !== c))
      throw mismatch(b, 'groupNorm', shape, shapeOf(one), `weight and bias have an element for each of ${c} channels`);
  return inFull(b, toFloat(b, x), wide => {
    const count = shape.reduce((product, d) => product * d, 1);
    const grouped = b.reshape(wide, [n, groups, count / Math.max(1, n * groups)]);
    const y = b.reshape(standardize(b, grouped, [2], eps), shape);
    return scaleAndShift(b, y, [1], weight, bias);
  });
}
/** The dims after the channels. */
const spatial = (x: Value): number[] => shapeOf(x).flatMap((_, i) => (i < 2 ? [] : [i]));
/** Over the spatial dims of each channel of each instance [N, C, …], times weight, plus bias, both by channel. */
export function normalizeInstances(
  b: Builder,
  x: Value,
  weight: Value | undefined,
  bias: Value | undefined,
  eps: number,
): Value {
  const shape = shapeOf(x);
  for (const one of [weight, bias])
    if (one !== undefined && (shape.length < 3 || shapeOf(one).length !== 1 || shapeOf(one)[0] !== shape[1]))
      throw mismatch(b, 'instanceNorm', shape, shapeOf(one), 'the second dim of the input is that of the layer');
  if (shape.length < 3 || shape.slice(2).reduce((n, d) => n * d, 1) <= 1)
    throw mismatch(b, 'instanceNorm', shape, [1], 'each channel needs more than one element');
  return inWide(b, toFloat(b, x), wide => scaleAndShift(b, standardize(b, wide, spatial(x), eps), [1], weight, bias));
}
/** Running statistics [C] moved towards the mean of those of the instances. */
export function movedStatistic(
  b: Builder,
  x: Value,
  running: Value,
  which: 'mean' | 'variance',
  momentum: number,
): Value {
  const wide = b.convert(x, typeOf(running));
  const each = which === 'mean' ? mean(b, wide, spatial(x), false) : variance(b, wide, spatial(x), false, 1);
  const all = mean(b, each, 0, false);
  return b.add(b.multiply(running, b.like(running, 1 - momentum)), b.multiply(all, b.like(all, momentum)));
}
