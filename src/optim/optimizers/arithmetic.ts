// Helpers shared by optimizer updates. Each is elementwise, so that a whole update remains one kernel.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';

/** A step scalar, broadcast to the shape of the parameter. */
export const wide = (b: Builder, scalar: Value, like: Value, shape: readonly number[]): Value =>
  b.broadcastInDim(b.convert(scalar, like.type.kind === 'tensor' ? like.type.elementType : 'f32'), [], shape);
/** x · factor. */
export const times = (b: Builder, x: Value, factor: number): Value => b.multiply(x, b.like(x, factor));
/** x + addend. */
export const plus = (b: Builder, x: Value, addend: number): Value => b.add(x, b.like(x, addend));
/** from + (to − from) · weight, like PyTorch's `lerp` for small weights. */
export const lerp = (b: Builder, from: Value, to: Value, weight: Value): Value =>
  b.add(from, b.multiply(b.subtract(to, from), weight));
/** The moving mean of squares: decay · mean + share · x². */
export const meanOfSquares = (b: Builder, mean: Value, x: Value, decay: Value, share: Value): Value =>
  b.add(b.multiply(mean, decay), b.multiply(b.multiply(x, x), share));
/** gradient + parameter · weightDecay: the penalty of L2 regularization. */
export const penalized = (b: Builder, gradient: Value, parameter: Value, weightDecay: number): Value =>
  weightDecay === 0 ? gradient : b.add(gradient, times(b, parameter, weightDecay));

/** 1 − βⁿ for a count on the device, as −expm1(n ln β): this avoids cancellation for β near 1. */
export const biasCorrection = (b: Builder, beta: number, n: Value): Value =>
  beta === 0 ? b.like(n, 1) : b.negate(b.unary('exponential_minus_one', b.multiply(n, b.like(n, Math.log(beta)))));
/** base^n for a number n on the device. */
export const powerOf = (b: Builder, base: number, n: Value): Value =>
  b.unary('exponential', b.multiply(n, b.like(n, Math.log(base))));
/** nᵉ for a number n > 0 on the device. */
export const toThePower = (b: Builder, n: Value, exponent: number): Value =>
  b.unary('exponential', times(b, b.unary('log', n), exponent));

/** The Euclidean norm of all elements, as a scalar. */
export const norm = (b: Builder, x: Value): Value => b.unary('sqrt', b.sum(b.multiply(x, x)));
