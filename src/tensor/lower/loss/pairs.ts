// Losses of pairs of elements: an input and a target of the same shape, a loss per element, reduced. They are computed in f32
// for low-precision floats and under autocast.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { atLeastZero, unify } from '../elementwise.ts';
import { inFull, typeOf } from '../narrow.ts';
import { checkSame, type Reduction, reduced, refused, warnOfBroadcast, weighted } from './reduction.ts';

/** The losses of elements; `rest` are the optional tensors that were given. */
type Body = (x: Value, y: Value, rest: readonly Value[]) => Value;
export interface PairLoss {
  readonly call: string;
  readonly input: Value;
  readonly target: Value;
  /** The reduction of the losses; a function of the optional tensors for special reductions. */
  readonly reduction: Reduction | ((each: Value, rest: readonly Value[]) => Value);
  readonly rest?: readonly (Value | undefined)[];
}
export function pairLoss(b: Builder, { call, input, target, reduction, rest = [] }: PairLoss, body: Body): Value {
  const [u, v] = unify(b, call, input, target, true);
  warnOfBroadcast(b, call, input, target);
  return inFull(b, u, wide => {
    const type = typeOf(wide);
    const more = rest.filter(one => one !== undefined).map(one => b.convert(one, type));
    const each = body(wide, b.convert(v, type), more);
    return typeof reduction === 'string' ? reduced(b, each, reduction) : reduction(each, more);
  });
}
/** Checks targets that must not broadcast. @throws {WRONG_ARGUMENT} */
export const checkShape = (b: Builder, call: string, input: Value, target: Value): void =>
  checkSame(b, call, 'the target', input, target);
/** The divisor of `batchmean`. */
export const firstSize = (x: Value): number => shapeOf(x)[0] ?? 1;
const plus = (b: Builder, x: Value, term: number): Value => b.add(x, b.like(x, term));
const times = (b: Builder, x: Value, factor: number): Value => b.multiply(x, b.like(x, factor));
/** log(1 + exp(-|x|)). */
const tail = (b: Builder, x: Value): Value =>
  b.unary('log_plus_one', b.unary('exponential', b.negate(b.unary('abs', x))));
/** log(1 + exp(x)), without overflow. */
const softplus = (b: Builder, x: Value): Value => b.add(tail(b, x), b.maximum(x, b.like(x, 0)));

/**
 * A loss of differences with a weight per element: the mean divides by the sum of the weights, or (`byCount`) by their number.
 */
export function weightedLoss(
  b: Builder,
  loss: Omit<PairLoss, 'rest' | 'reduction'> & { readonly reduction: Reduction },
  weight: Value | undefined,
  each: (x: Value, y: Value) => Value,
  byCount = false,
): Value {
  if (weight === undefined) return pairLoss(b, loss, each);
  checkSame(b, loss.call, 'weight', loss.input, weight);
  const { reduction } = loss;
  const byWeight = (all: Value, [w]: readonly Value[]): Value => b.divide(b.sum(all), b.sum(w!));
  return pairLoss(
    b,
    { ...loss, rest: [weight], reduction: reduction === 'mean' && !byCount ? byWeight : reduction },
    (x, y, [w]) => weighted(b, loss.call, each(x, y), w),
  );
}
export function squaredDifference(b: Builder, x: Value, y: Value): Value {
  const off = b.subtract(x, y);
  return b.multiply(off, off);
}
export const absoluteDifference = (b: Builder, x: Value, y: Value): Value => b.unary('abs', b.subtract(x, y));
/** d² / 2 below the limit, and linear with slope `limit` above. */
export function bent(b: Builder, u: Value, v: Value, limit: number): Value {
  const size = b.unary('abs', b.subtract(u, v));
  const isNear = b.compare('LT', size, b.like(size, limit));
  const near = b.select(isNear, size, b.like(size, 0));
  const curve = times(b, b.multiply(near, near), 0.5);
  const line = times(b, plus(b, size, -0.5 * limit), limit);
  return b.select(isNear, curve, line);
}
/** d² / (2 · beta) below beta, and |d| - beta / 2 above. */
export const smooth = (b: Builder, u: Value, v: Value, beta: number): Value =>
  beta === 0 ? absoluteDifference(b, u, v) : times(b, bent(b, u, v, beta), 1 / beta);

/**
 * -(y · log x + (1 - y) · log(1 - x)), with logarithms of at least -100. The gradient is (x - y) / max(x · (1 - x), 1e-12): near
 * 0 and 1 that of a line through the value, as in PyTorch.
 */
export function ofProbabilities({ b, stop }: Pick<Context, 'b' | 'stop'>, x: Value, y: Value): Value {
  const log = (v: Value): Value => b.maximum(b.unary('log', v), b.like(v, -100));
  const fixed = b.reshape(x, shapeOf(x));
  stop(fixed);
  const least = b.like(x, 1e-12);
  const isSteep = b.compare('LT', b.multiply(fixed, b.subtract(b.like(x, 1), fixed)), least);
  const free = b.select(isSteep, fixed, x);
  const hit = b.multiply(y, log(free));
  const miss = b.multiply(b.subtract(b.like(y, 1), y), log(b.subtract(b.like(x, 1), free)));
  const slope = b.select(isSteep, b.divide(b.subtract(fixed, y), least), b.like(x, 0));
  stop(slope);
  return b.subtract(b.multiply(b.subtract(x, fixed), slope), b.add(hit, miss));
}
/** max(x, 0) - x · y + log(1 + exp(-|x|)); the losses of positives are multiplied by `positive`. */
export function ofLogits(b: Builder, x: Value, y: Value, positive: Value | undefined): Value {
  if (positive === undefined) return b.add(b.subtract(b.maximum(x, b.like(x, 0)), b.multiply(x, y)), tail(b, x));
  const [, p] = unify(b, 'binaryCrossEntropyWithLogits', y, positive);
  const scale = plus(b, b.multiply(plus(b, p, -1), y), 1);
  const bend = b.add(tail(b, x), b.maximum(b.negate(x), b.like(x, 0)));
  return b.add(b.multiply(b.subtract(b.like(y, 1), y), x), b.multiply(scale, bend));
}
/** log(1 + exp(-y · x)). */
export const softMargin = (b: Builder, x: Value, y: Value): Value => softplus(b, b.negate(b.multiply(x, y)));
/** x for targets of 1, max(0, margin - x) for targets of -1. */
export function hinge(b: Builder, x: Value, y: Value, margin: number): Value {
  const far = atLeastZero(b, b.subtract(b.like(x, margin), x));
  const zero = b.like(x, 0);
  const near = b.select(b.compare('EQ', y, b.like(y, -1)), zero, x);
  return b.add(near, b.select(b.compare('EQ', y, b.like(y, 1)), zero, far));
}
/** y · (log y - x). */
export function divergence(b: Builder, x: Value, y: Value, isLog: boolean): Value {
  if (isLog) return b.multiply(b.unary('exponential', y), b.subtract(y, x));
  const isZero = b.compare('EQ', y, b.like(y, 0));
  // without a safe logarithm: the gradient of y at 0 is NaN, as in PyTorch
  const own = b.select(isZero, b.like(y, 0), b.multiply(y, b.unary('log', y)));
  return b.subtract(own, b.multiply(y, x));
}
export interface PoissonLoss {
  readonly logInput: boolean;
  readonly full: boolean;
  readonly eps: number;
}
export function poisson(b: Builder, x: Value, y: Value, { logInput, full, eps }: PoissonLoss): Value {
  const each = logInput
    ? b.subtract(b.unary('exponential', x), b.multiply(y, x))
    : b.subtract(x, b.multiply(y, b.unary('log', plus(b, x, eps))));
  if (!full) return each;
  const isLarge = b.compare('GT', y, b.like(y, 1));
  const safe = b.select(isLarge, y, b.like(y, 1));
  const log = b.unary('log', safe);
  const stirling = b.add(b.subtract(b.multiply(safe, log), safe), times(b, plus(b, log, Math.log(2 * Math.PI)), 0.5));
  return b.add(each, b.select(isLarge, stirling, b.like(y, 0)));
}
export interface GaussianLoss {
  readonly full: boolean;
  readonly eps: number;
}
export function gaussian(
  { b, stop }: Pick<Context, 'b' | 'stop'>,
  x: Value,
  y: Value,
  variance: Value,
  { full, eps }: GaussianLoss,
): Value {
  const [, wide] = unify(b, 'gaussianNllLoss', x, variance);
  const least = raised(b, stop, wide, eps);
  const off = b.subtract(x, y);
  const each = times(b, b.add(b.unary('log', least), b.divide(b.multiply(off, off), least)), 0.5);
  return full ? plus(b, each, 0.5 * Math.log(2 * Math.PI)) : each;
}
/** max(x, least) with the gradient of x, where PyTorch changes a value without recording gradients. */
export function raised(b: Builder, stop: (v: Value) => void, x: Value, least: number): Value {
  const missing = b.maximum(b.subtract(b.like(x, least), x), b.like(x, 0));
  stop(missing);
  return b.add(x, missing);
}
/** A variance per element, or per row: expanded to the dims of the input. @throws {WRONG_ARGUMENT} */
export function varianceFor(b: Builder, x: Value, variance: Value): Value {
  const [shape, given] = [shapeOf(x), shapeOf(variance)];
  if (given.length === shape.length - 1 && given.every((d, i) => d === shape[i]))
    return b.reshape(variance, [...given, 1]);
  if (given.length === shape.length && given.every((d, i) => d === shape[i] || d === 1)) return variance;
  throw refused(
    b,
    { call: 'gaussianNllLoss', argument: 'variance' },
    `[${given}]`,
    `a variance for each element of [${shape}], or for each row`,
  );
}
