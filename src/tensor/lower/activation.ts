// Activation functions that take several ops. At a kink, the gradient is the same as in PyTorch: comparisons choose the side, so
// that the gradient is not split. Where a branch is not chosen, it gets an input at which it does not overflow, so that its
// gradient is 0 and not NaN.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import { noComplex } from './elementwise.ts';
import { typeOf } from './narrow.ts';

const scaled = (b: Builder, x: Value, factor: number): Value => (factor === 1 ? x : b.multiply(x, b.like(x, factor)));
const plus = (b: Builder, x: Value, term: number): Value => (term === 0 ? x : b.add(x, b.like(x, term)));

/** x where x > `threshold`, `value` elsewhere. */
export const threshold = (b: Builder, x: Value, limit: number, value: number): Value =>
  b.select(b.compare('LE', x, b.like(x, limit)), b.like(x, value), x);
/** x where x > 0, slope · x elsewhere. */
export const leakyRelu = (b: Builder, x: Value, slope: number): Value =>
  b.select(b.compare('GT', noComplex(b, 'leakyRelu', x), b.like(x, 0)), x, scaled(b, x, slope));
/** scale · x where x > 0, scale · alpha · (exp(x · inner) - 1) elsewhere. */
export function elu(b: Builder, x: Value, alpha: number, scale = 1, inner = 1): Value {
  const isLow = b.compare('LE', x, b.like(x, 0));
  const low = b.select(isLow, x, b.like(x, 0));
  const curve = scaled(b, b.unary('exponential_minus_one', scaled(b, low, inner)), alpha * scale);
  return b.select(isLow, curve, scaled(b, x, scale));
}
/** Klambauer et al., 2017. */
export const selu = (b: Builder, x: Value): Value => elu(b, x, 1.6732632423543772, 1.0507009873554805);
/** x clamped to [low, high]; at the limits the gradient is 0. */
export function hardTanh(b: Builder, x: Value, low: number, high: number): Value {
  const top = b.select(b.compare('GE', x, b.like(x, high)), b.like(x, high), x);
  return b.select(b.compare('LE', x, b.like(x, low)), b.like(x, low), top);
}
/** relu6(x + 3) / 6. NaN has no gradient. */
export function hardSigmoid(b: Builder, x: Value): Value {
  const isBent = b.compare('LT', b.unary('abs', x), b.like(x, 3));
  const low = b.select(b.compare('LE', x, b.like(x, -3)), b.like(x, 0), b.like(x, Number.NaN));
  const flat = b.select(b.compare('GE', x, b.like(x, 3)), b.like(x, 1), low);
  return b.select(isBent, scaled(b, plus(b, x, 3), 1 / 6), flat);
}
/** x · relu6(x + 3) / 6. The gradient of NaN is that of x. */
export function hardSwish(b: Builder, x: Value): Value {
  const isLow = b.compare('LT', x, b.like(x, 3));
  const low = b.select(isLow, x, b.like(x, 0));
  const upper = b.select(isLow, scaled(b, b.multiply(low, plus(b, low, 3)), 1 / 6), x);
  return b.select(b.compare('LE', x, b.like(x, -3)), b.like(x, -0), upper);
}
export function hardShrink(b: Builder, x: Value, lambda: number): Value {
  const isIn = b.binary('and', b.compare('GE', x, b.like(x, -lambda)), b.compare('LE', x, b.like(x, lambda)));
  return b.select(isIn, b.like(x, 0), x);
}
export function softShrink(b: Builder, x: Value, lambda: number): Value {
  const lower = b.select(b.compare('LT', x, b.like(x, -lambda)), plus(b, x, lambda), scaled(b, x, 0));
  return b.select(b.compare('GT', x, b.like(x, lambda)), plus(b, x, -lambda), lower);
}
/** log(1 + exp(beta · x)) / beta, and x itself where beta · x is above the threshold. */
export function softplus(b: Builder, x: Value, beta: number, limit: number): Value {
  const inner = scaled(b, x, beta);
  const isLinear = b.compare('GT', inner, b.like(x, limit));
  const low = b.select(isLinear, b.like(x, 0), inner);
  return b.select(isLinear, x, scaled(b, b.unary('log_plus_one', b.unary('exponential', low)), 1 / beta));
}
/** log(1 + exp(-|x|)): the nonlinear part of log(1 + exp(x)). */
const bend = (b: Builder, x: Value): Value =>
  b.unary('log_plus_one', b.unary('exponential', b.negate(b.unary('abs', x))));
export const logSigmoid = (b: Builder, x: Value): Value => b.subtract(b.minimum(x, b.like(x, 0)), bend(b, x));
export const mish = (b: Builder, x: Value): Value =>
  b.multiply(x, b.unary('tanh', b.add(b.maximum(x, b.like(x, 0)), bend(b, x))));
export const tanhShrink = (b: Builder, x: Value): Value => b.subtract(x, b.unary('tanh', x));
export const softSign = (b: Builder, x: Value): Value =>
  b.divide(x, b.convert(plus(b, b.unary('abs', x), 1), typeOf(x)));
