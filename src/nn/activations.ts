// Activation functions as functions of tensors, except those that are rows of the tensor surface (relu, gelu, silu, softmax …).
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { lower, randomBits, record, type Tensor, wrongArgument } from '../tensor/index.ts';
import { type Settings, settle } from './settings.ts';

/** An elementwise function, computed in f32 for narrow floats. */
const elementwise = (call: string, x: Tensor, body: (b: Builder, x: Value) => Value): Tensor =>
  record(call, [x], (b, [v]) => lower.inWide(b, lower.toFloat(b, v!), wide => body(b, wide)));

/** min(max(x, 0), 6). */
export const relu6 = (x: Tensor): Tensor => elementwise('relu6', x, (b, v) => lower.hardTanh(b, v, 0, 6));
/** softmax(-x). */
export const softmin = (x: Tensor, dim: number): Tensor => x.neg().softmax(dim);
/** x · tanh(softplus(x)). */
export const mish = (x: Tensor): Tensor => elementwise('mish', x, lower.mish);

/** x above 0, alpha · (exp(x) - 1) elsewhere. */
export const elu = (x: Tensor, alpha = 1): Tensor => elementwise('elu', x, (b, v) => lower.elu(b, v, alpha));
/** x above 0, alpha · (exp(x / alpha) - 1) elsewhere. */
export const celu = (x: Tensor, alpha = 1): Tensor =>
  elementwise('celu', x, (b, v) => lower.elu(b, v, alpha, 1, 1 / alpha));
/** The self-normalising function of Klambauer et al., 2017. */
export const selu = (x: Tensor): Tensor => elementwise('selu', x, lower.selu);
/** x above 0, slope · x elsewhere. */
export const leakyRelu = (x: Tensor, negativeSlope = 0.01): Tensor =>
  elementwise('leakyRelu', x, (b, v) => lower.leakyRelu(b, v, negativeSlope));
/**
 * x above 0, weight · x elsewhere: weight [1], or [C] for x [N, C, …].
 * @throws {SHAPE_MISMATCH} where the channels differ
 */
export function prelu(x: Tensor, weight: Tensor): Tensor {
  return record('prelu', [x, weight], (b, [v, w]) => {
    const channels = x.ndim > 1 ? x.shape[1]! : 1;
    const count = weight.numel();
    if (weight.ndim > 1 || (count !== 1 && count !== channels))
      throw lower.mismatch(
        b,
        'prelu',
        x.shape,
        weight.shape,
        `the weight has one slope, or one for each of ${channels} channels`,
      );
    return lower.inWide(b, v!, wide => {
      const flat = b.reshape(lower.widen(b, w!), count === 1 ? [] : [count]);
      const slopes = b.broadcastInDim(flat, count === 1 ? [] : [1], shapeOf(wide));
      return b.select(b.compare('GT', wide, b.like(wide, 0)), wide, b.multiply(slopes, wide));
    });
  });
}
/**
 * Options of `rrelu`. The slope is a random number between `lower` (1/8) and `upper` (1/3) while training, else their mean.
 */
export interface RReluSettings {
  readonly lower?: number;
  readonly upper?: number;
  readonly training?: boolean;
}
/** leakyRelu with slopes that are uniform in [lower, upper] while training, and their mean otherwise. */
export function rrelu(x: Tensor, ...rest: Settings<RReluSettings, ['lower', 'upper', 'training']>): Tensor {
  const {
    lower: low = 1 / 8,
    upper = 1 / 3,
    training = false,
  } = settle<RReluSettings>('rrelu', ['lower', 'upper', 'training'], rest);
  if (!training) return leakyRelu(x, (low + upper) / 2);
  return record('rrelu', [x], (b, [v], trace) =>
    lower.inWide(b, v!, wide => {
      const bits = b.convert(randomBits(b, trace, x.device, x.shape), 'f32');
      const share = b.multiply(bits, b.like(bits, 2 ** -32));
      const slopes = b.add(b.multiply(share, b.like(share, upper - low)), b.like(share, low));
      const isAbove = b.compare('GT', wide, b.like(wide, 0));
      return b.select(isAbove, wide, b.multiply(b.convert(slopes, tensorTypeOf(wide).elementType), wide));
    }),
  );
}
/** x within [minVal, maxVal], those elsewhere. */
export const hardtanh = (x: Tensor, minVal = -1, maxVal = 1): Tensor =>
  elementwise('hardtanh', x, (b, v) => lower.hardTanh(b, v, minVal, maxVal));
/** relu6(x + 3) / 6. */
export const hardsigmoid = (x: Tensor): Tensor => elementwise('hardsigmoid', x, lower.hardSigmoid);
/** x · relu6(x + 3) / 6. */
export const hardswish = (x: Tensor): Tensor => elementwise('hardswish', x, lower.hardSwish);
/** x outside of [-lambda, lambda], 0 within. */
export const hardshrink = (x: Tensor, lambda = 0.5): Tensor =>
  elementwise('hardshrink', x, (b, v) => lower.hardShrink(b, v, lambda));
/** x drawn towards 0 by lambda; 0 within [-lambda, lambda]. */
export const softshrink = (x: Tensor, lambda = 0.5): Tensor =>
  elementwise('softshrink', x, (b, v) => lower.softShrink(b, v, lambda));
/** x - tanh(x). */
export const tanhshrink = (x: Tensor): Tensor => elementwise('tanhshrink', x, lower.tanhShrink);
/** log(1 + exp(beta · x)) / beta; x itself where beta · x is above the threshold. */
export const softplus = (x: Tensor, beta = 1, threshold = 20): Tensor =>
  elementwise('softplus', x, (b, v) => lower.softplus(b, v, beta, threshold));
/** x / (1 + |x|). */
export const softsign = (x: Tensor): Tensor => elementwise('softsign', x, lower.softSign);
/** log(sigmoid(x)), without overflow. */
export const logsigmoid = (x: Tensor): Tensor => elementwise('logsigmoid', x, lower.logSigmoid);
/** x above the threshold, `value` elsewhere. */
export const threshold = (x: Tensor, limit: number, value: number): Tensor =>
  elementwise('threshold', x, (b, v) => lower.threshold(b, v, limit, value));
/**
 * The first half along a dim, times sigmoid of the second half.
 * @throws {WRONG_ARGUMENT} for a dim of odd size
 */
export function glu(x: Tensor, dim = -1): Tensor {
  const size = x.size(dim);
  if (size % 2 !== 0) throw wrongArgument({ call: 'glu', argument: `the size of dim ${dim}` }, size, 'an even number');
  const along = dim < 0 ? dim + x.ndim : dim;
  return record('glu', [x], (b, [v]) =>
    lower.inWide(b, v!, wide => {
      const half = (i: number): Value => lower.narrow(b, wide, along, (i * size) / 2, size / 2);
      return b.multiply(half(0), b.unary('logistic', half(1)));
    }),
  );
}
/**
 * A sample that is nearly one-hot along a dim (Jang et al., 2017): softmax((x + gumbel noise) / tau). `hard` gives exactly
 * one-hot values with the gradient of the soft ones.
 */
export function gumbelSoftmax(
  x: Tensor,
  options: { readonly tau?: number; readonly hard?: boolean; readonly dim?: number } = {},
): Tensor {
  const {
    tau = 1,
    hard = false,
    dim = -1,
  } = settle<typeof options>('gumbelSoftmax', ['tau', 'hard', 'dim'], [options]);
  const soft = record('gumbelSoftmax', [x], (b, [v], trace) => {
    const bits = b.convert(randomBits(b, trace, x.device, x.shape), 'f32');
    // Uniform in (0, 1), both ends excluded.
    const uniform = b.multiply(b.add(bits, b.like(bits, 0.5)), b.like(bits, (1 - 2 ** -24) * 2 ** -32));
    const noise = b.negate(b.unary('log', b.negate(b.unary('log', uniform))));
    return lower.inFull(b, v!, wide => {
      const sum = b.add(wide, b.convert(noise, tensorTypeOf(wide).elementType));
      return lower.softmax(b, b.multiply(sum, b.like(sum, 1 / tau)), dim, value => trace.stopped.add(value));
    });
  });
  if (!hard) return soft;
  const best = soft.detach().eq(soft.detach().amax(dim, true)).to(soft.dtype);
  return best.sub(soft.detach()).add(soft);
}
