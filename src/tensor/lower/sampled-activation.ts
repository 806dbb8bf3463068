// Activations that use random numbers, and those of several operands.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { randomBits } from '../random/random-bits.ts';
import type { Context } from '../surface/row.ts';
import { leakyRelu } from './activation.ts';
import { toFloat } from './elementwise.ts';
import { narrow } from './move.ts';
import { inFull, inWide, widen } from './narrow.ts';
import { extreme, softmax } from './reduce.ts';
import { dimOf, mismatch } from './shapes.ts';

/** x above 0, weight · x elsewhere: one slope, or one for each channel of [N, C, …]. @throws {SHAPE_MISMATCH} */
export function prelu(b: Builder, x: Value, weight: Value): Value {
  const [shape, given] = [shapeOf(x), shapeOf(weight)];
  const channels = shape.length > 1 ? shape[1]! : 1;
  const count = given.reduce((n, d) => n * d, 1);
  if (given.length > 1 || (count !== 1 && count !== channels))
    throw mismatch(b, 'prelu', shape, given, `the weight has one slope, or one for each of ${channels} channels`);
  return inWide(b, x, wide => {
    const flat = b.reshape(widen(b, weight), count === 1 ? [] : [count]);
    const slopes = b.broadcastInDim(flat, count === 1 ? [] : [1], shapeOf(wide));
    return b.select(b.compare('GT', wide, b.like(wide, 0)), wide, b.multiply(slopes, wide));
  });
}
/** leakyRelu with slopes that are uniform in [low, high] while training, and their mean otherwise. */
export function rrelu({ b, trace, device }: Context, x: Value, low: number, high: number, training: boolean): Value {
  if (!training) return inWide(b, toFloat(b, x), wide => leakyRelu(b, wide, (low + high) / 2));
  return inWide(b, toFloat(b, x), wide => {
    const bits = b.convert(randomBits(b, trace, device, shapeOf(wide)), 'f32');
    const share = b.multiply(bits, b.like(bits, 2 ** -32));
    const slopes = b.add(b.multiply(share, b.like(share, high - low)), b.like(share, low));
    const isAbove = b.compare('GT', wide, b.like(wide, 0));
    return b.select(isAbove, wide, b.multiply(b.convert(slopes, tensorTypeOf(wide).elementType), wide));
  });
}
/** The first half along a dim, times sigmoid of the second half. @throws {SHAPE_MISMATCH} for a dim of odd size */
export function glu(b: Builder, x: Value, dim: number): Value {
  const along = dimOf(b, 'glu', shapeOf(x), dim);
  const size = shapeOf(x)[along] ?? 1;
  if (size % 2 !== 0) throw mismatch(b, 'glu', shapeOf(x), [2], `dim ${dim} must have an even size`);
  return inWide(b, x, wide => {
    const half = (i: number): Value => narrow(b, wide, along, (i * size) / 2, size / 2);
    return b.multiply(half(0), b.unary('logistic', half(1)));
  });
}
/** softmax((x + gumbel noise) / tau); `hard` gives exactly one-hot values with the gradient of the soft ones. */
export function gumbelSoftmax(
  { b, trace, device, stop }: Context,
  x: Value,
  { tau, hard, dim }: { readonly tau: number; readonly hard: boolean; readonly dim: number },
): Value {
  const bits = b.convert(randomBits(b, trace, device, shapeOf(x)), 'f32');
  // Uniform in (0, 1), both ends excluded.
  const uniform = b.multiply(b.add(bits, b.like(bits, 0.5)), b.like(bits, (1 - 2 ** -24) * 2 ** -32));
  const noise = b.negate(b.unary('log', b.negate(b.unary('log', uniform))));
  const soft = inFull(b, x, wide => {
    const sum = b.add(wide, b.convert(noise, tensorTypeOf(wide).elementType));
    return softmax(b, b.multiply(sum, b.like(sum, 1 / tau)), dim, stop);
  });
  if (!hard) return soft;
  const top = extreme(b, 'maximum', soft, dim, true);
  const isTop = b.compare(
    'EQ',
    soft,
    b.broadcastInDim(
      top,
      shapeOf(soft).map((_, i) => i),
      shapeOf(soft),
    ),
  );
  const off = b.subtract(b.convert(isTop, tensorTypeOf(soft).elementType), soft);
  stop(off);
  return b.add(off, soft);
}
