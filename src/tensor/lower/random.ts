// Random numbers within programs: bits become uniform numbers, and these become other distributions through their quantiles.
// The bits come from `random-bits.ts`, or from the generator passed to a call.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isFloat, tensorType } from '../../hlo/types.ts';
import type { Device } from '../device.ts';
import { samplesOfCall } from '../func/randomness.ts';
import { userLocation } from '../location.ts';
import type { Generator } from '../random/generator.ts';
import { randomBits } from '../random/random-bits.ts';
import type { Trace } from '../step/trace.ts';
import { dtypeName } from '../types/dtype.ts';
import { widen } from './narrow.ts';
import { running } from './running.ts';
import { broadcastTo, formatShape, mismatch } from './shapes.ts';
import { search, topk } from './sorting.ts';

/** The source of random bits. */
export interface Source {
  readonly b: Builder;
  readonly trace: Trace;
  readonly device: Device;
  readonly generator: Generator | undefined;
}
export function bits({ b, trace, device, generator }: Source, shape: readonly number[]): Value {
  if (generator === undefined) return randomBits(b, trace, device, shape);
  samplesOfCall(userLocation());
  const state = trace.hostArgument(generator.input);
  return b.emit('rng_bit_generator', [state], { rngAlgorithm: 'PHILOX', type: tensorType('ui32', shape) })[1]!;
}
/** Between 0 and 1, never either: (23 bits + ½) / 2²³, as f32. */
export function uniform(source: Source, shape: readonly number[]): Value {
  const { b } = source;
  const word = bits(source, shape);
  const high = b.convert(b.binary('shift_right_logical', word, b.like(word, 9)), 'f32');
  return b.multiply(b.add(high, b.like(high, 0.5)), b.like(high, 2 ** -23));
}
export function standardNormal(source: Source, shape: readonly number[]): Value {
  const { b } = source;
  const u = uniform(source, shape);
  const centered = b.subtract(b.multiply(u, b.like(u, 2)), b.like(u, 1));
  return b.multiply(b.emit1('chlo.erf_inv', [centered], {}), b.like(u, Math.SQRT2));
}
const affine = (b: Builder, x: Value, factor: number, offset: number): Value =>
  b.add(b.multiply(x, b.like(x, factor)), b.like(x, offset));
const ln = (b: Builder, x: Value): Value => b.unary('log', x);

/** Samples that fill a tensor in place: numbers of one distribution in its shape and type. */
export const fillers = {
  normal: (source: Source, shape: readonly number[], mean: number, std: number): Value =>
    affine(source.b, standardNormal(source, shape), std, mean),
  uniform: (source: Source, shape: readonly number[], from: number, to: number): Value =>
    affine(source.b, uniform(source, shape), to - from, from),
  exponential: (source: Source, shape: readonly number[], rate: number): Value =>
    affine(source.b, ln(source.b, uniform(source, shape)), -1 / rate, 0),
  /** The number of trials up to the first success: at least 1. */
  geometric: (source: Source, shape: readonly number[], p: number): Value =>
    source.b.maximum(
      source.b.unary('ceil', affine(source.b, ln(source.b, uniform(source, shape)), 1 / Math.log1p(-p), 0)),
      source.b.fill('f32', shape, 1),
    ),
  cauchy: (source: Source, shape: readonly number[], median: number, sigma: number): Value => {
    const angle = affine(source.b, uniform(source, shape), Math.PI, -Math.PI / 2);
    return affine(source.b, source.b.emit1('chlo.tan', [angle], {}), sigma, median);
  },
  logNormal: (source: Source, shape: readonly number[], mean: number, std: number): Value =>
    source.b.unary('exponential', affine(source.b, standardNormal(source, shape), std, mean)),
  /** Integers in [from, to), as i64. */
  random: (source: Source, shape: readonly number[], from: number, to: number): Value => {
    const { b } = source;
    const word = b.convert(bits(source, shape), 'ui64');
    const scaled = b.multiply(word, b.fill('ui64', shape, BigInt(to - from)));
    const offset = b.convert(b.binary('shift_right_logical', scaled, b.fill('ui64', shape, 32n)), 'i64');
    return b.add(offset, b.fill('i64', shape, BigInt(from)));
  },
} as const;

/** 1 with the probability that an element is, else 0. */
export function bernoulli(source: Source, probabilities: Value): Value {
  const { b } = source;
  const { shape, elementType } = tensorTypeOf(probabilities);
  if (!isFloat(elementType)) throw notFloat(b, 'bernoulli', elementType);
  const p = b.convert(probabilities, 'f32');
  return b.convert(b.compare('LT', uniform(source, shape), p), elementType);
}
/**
 * Positions sampled with weights, row by row: with replacement through the running sum, without through the largest
 * log weight + Gumbel noise (Kool et al., 2019).
 */
export function multinomial(source: Source, weights: Value, count: number, isReplaced: boolean): Value {
  const { b } = source;
  const { shape, elementType } = tensorTypeOf(weights);
  if (!isFloat(elementType)) throw notFloat(b, 'multinomial', elementType);
  if (shape.length !== 1 && shape.length !== 2)
    throw mismatch(b, 'multinomial', shape, [-1, -1], 'weights have one dim, or two');
  const last = shape.length - 1;
  if (count < 1 || shape[last]! < 1 || (!isReplaced && count > shape[last]!))
    throw new TrenioError(
      'OUT_OF_RANGE',
      { op: 'multinomial', index: `${count} samples`, size: shape[last]!, dim: last, shape: formatShape(shape) },
      { location: b.location },
    );
  const wide = widen(b, weights);
  if (!isReplaced) {
    const noise = b.negate(ln(b, b.negate(ln(b, b.convert(uniform(source, shape), tensorTypeOf(wide).elementType)))));
    return topk(b, b.add(ln(b, wide), noise), count, last, true)[1];
  }
  const [sums] = running(b, [wide], last, (c, [p], [q]) => [c.add(p!, q!)]);
  const starts = shape.map((d, i) => (i === last ? d - 1 : 0));
  const wanted = shape.with(last, count);
  const total = broadcastTo(b, b.slice(sums!, starts, shape), wanted);
  const u = b.convert(uniform(source, wanted), tensorTypeOf(wide).elementType);
  const found = search(b, 'multinomial', sums!, b.multiply(u, total), { isRight: true, isInt32: false });
  return b.minimum(found, b.like(found, shape[last]! - 1));
}
const notFloat = (b: Builder, op: string, got: ElementType): TrenioError =>
  new TrenioError(
    'BAD_DTYPE',
    { op, got: dtypeName(got), expected: 'probabilities, in floats' },
    { location: b.location },
  );
