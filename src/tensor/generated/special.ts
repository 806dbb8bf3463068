// The functions of the namespace special that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call } from '../surface/call.ts';
import { besselRows } from '../surface/rows/bessel.ts';
import { binaryRows } from '../surface/rows/binary.ts';
import { elementaryRows } from '../surface/rows/elementary.ts';
import { polynomialRows } from '../surface/rows/polynomials.ts';
import { moreReductions } from '../surface/rows/reductions-more.ts';
import { specialRows } from '../surface/rows/special.ts';
import { unary } from '../surface/rows/unary.ts';
import type { Tensor } from '../tensor.ts';
import type { LogsumexpOptions, SpecialRoundOptions } from './options.ts';

/**
 * exp(x) − 1, accurate for small x.
 *
 * PyTorch: `torch.expm1`, `Tensor.expm1`, `torch.special.expm1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1e-6]).expm1() // [1e-6]
 */
export function expm1(input: Tensor): Tensor;
export function expm1(...args: readonly unknown[]): unknown {
  return call(unary.expm1, undefined, args);
}

/**
 * log(1 + x), accurate for small x.
 *
 * PyTorch: `torch.log1p`, `Tensor.log1p`, `torch.special.log1p`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1e-6]).log1p() // [1e-6]
 */
export function log1p(input: Tensor): Tensor;
export function log1p(...args: readonly unknown[]): unknown {
  return call(unary.log1p, undefined, args);
}

/**
 * 1 / (1 + exp(−x)).
 *
 * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`, `torch.special.expit`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0]).sigmoid() // [0.5]
 */
export function expit(input: Tensor): Tensor;
export function expit(...args: readonly unknown[]): unknown {
  return call(unary.sigmoid, undefined, args);
}

/**
 * The error function of each element.
 *
 * PyTorch: `torch.erf`, `Tensor.erf`, `torch.special.erf`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0, 9]).erf() // [0, 1]
 */
export function erf(input: Tensor): Tensor;
export function erf(...args: readonly unknown[]): unknown {
  return call(unary.erf, undefined, args);
}

/**
 * 2 raised to the power of each element.
 *
 * PyTorch: `torch.exp2`, `Tensor.exp2`, `torch.special.exp2`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([3]).exp2() // [8]
 */
export function exp2(input: Tensor): Tensor;
export function exp2(...args: readonly unknown[]): unknown {
  return call(elementaryRows.exp2, undefined, args);
}

/**
 * 1 minus the error function.
 *
 * PyTorch: `torch.erfc`, `Tensor.erfc`, `torch.special.erfc`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).erfc() // [1]
 */
export function erfc(input: Tensor): Tensor;
export function erfc(...args: readonly unknown[]): unknown {
  return call(elementaryRows.erfc, undefined, args);
}

/**
 * The inverse of the error function.
 *
 * PyTorch: `torch.erfinv`, `Tensor.erfinv`, `torch.special.erfinv`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).erfinv() // [0]
 */
export function erfinv(input: Tensor): Tensor;
export function erfinv(...args: readonly unknown[]): unknown {
  return call(elementaryRows.erfinv, undefined, args);
}

/**
 * The logarithm of the absolute value of the gamma function.
 *
 * PyTorch: `torch.lgamma`, `Tensor.lgamma`, `torch.special.gammaln`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([3]).lgamma() // [0.693…]
 */
export function gammaln(input: Tensor): Tensor;
export function gammaln(...args: readonly unknown[]): unknown {
  return call(elementaryRows.lgamma, undefined, args);
}

/**
 * The derivative of `lgamma`.
 *
 * Differs from PyTorch: The gradient at the poles is infinite; PyTorch gives large numbers there.
 *
 * PyTorch: `torch.digamma`, `Tensor.digamma`, `torch.special.psi`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).digamma() // [-0.577…]
 */
export function psi(input: Tensor): Tensor;
export function psi(...args: readonly unknown[]): unknown {
  return call(elementaryRows.digamma, undefined, args);
}

/**
 * sin(πx) / (πx), 1 at 0.
 *
 * PyTorch: `torch.sinc`, `Tensor.sinc`, `torch.special.sinc`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).sinc() // [1]
 */
export function sinc(input: Tensor): Tensor;
export function sinc(...args: readonly unknown[]): unknown {
  return call(elementaryRows.sinc, undefined, args);
}

/**
 * log(x / (1 − x)).
 *
 * PyTorch: `torch.logit`, `Tensor.logit`, `torch.special.logit`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0.5]).logit() // [0]
 */
export function logit(input: Tensor): Tensor;
export function logit(...args: readonly unknown[]): unknown {
  return call(elementaryRows.logit, undefined, args);
}

/**
 * input · log(other), 0 where the input is 0.
 *
 * PyTorch: `torch.xlogy`, `Tensor.xlogy`, `torch.special.xlogy`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([0, 2]).xlogy(tensor([0, 1])) // [0, 0]
 */
export function xlogy(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function xlogy(...args: readonly unknown[]): unknown {
  return call(binaryRows.xlogy, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 0.
 *
 * PyTorch: `torch.i0`, `Tensor.i0`, `torch.special.i0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.i0(tensor([0])) // [1]
 */
export function i0(input: Tensor): Tensor;
export function i0(...args: readonly unknown[]): unknown {
  return call(specialRows.i0, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 0, times exp(−|x|).
 *
 * PyTorch: `torch.special.i0e`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.i0e(tensor([0])) // [1]
 */
export function i0e(input: Tensor): Tensor;
export function i0e(...args: readonly unknown[]): unknown {
  return call(specialRows.i0e, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 1.
 *
 * PyTorch: `torch.special.i1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.i1(tensor([0])) // [0]
 */
export function i1(input: Tensor): Tensor;
export function i1(...args: readonly unknown[]): unknown {
  return call(specialRows.i1, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 1, times exp(−|x|).
 *
 * PyTorch: `torch.special.i1e`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.i1e(tensor([0])) // [0]
 */
export function i1e(input: Tensor): Tensor;
export function i1e(...args: readonly unknown[]): unknown {
  return call(specialRows.i1e, undefined, args);
}

/**
 * −x · log(x), 0 at 0, −∞ below 0.
 *
 * PyTorch: `torch.special.entr`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.entr(tensor([0, 1])) // [0, 0]
 */
export function entr(input: Tensor): Tensor;
export function entr(...args: readonly unknown[]): unknown {
  return call(specialRows.entr, undefined, args);
}

/**
 * exp(x²) · erfc(x), without overflow for large x.
 *
 * PyTorch: `torch.special.erfcx`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.erfcx(tensor([0])) // [1]
 */
export function erfcx(input: Tensor): Tensor;
export function erfcx(...args: readonly unknown[]): unknown {
  return call(specialRows.erfcx, undefined, args);
}

/**
 * The cumulative distribution function of the standard normal distribution.
 *
 * PyTorch: `torch.special.ndtr`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.ndtr(tensor([0])) // [0.5]
 */
export function ndtr(input: Tensor): Tensor;
export function ndtr(...args: readonly unknown[]): unknown {
  return call(specialRows.ndtr, undefined, args);
}

/**
 * The logarithm of `ndtr`, accurate also far below 0.
 *
 * PyTorch: `torch.special.log_ndtr`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.logNdtr(tensor([0])) // [-0.693…]
 */
export function logNdtr(input: Tensor): Tensor;
export function logNdtr(...args: readonly unknown[]): unknown {
  return call(specialRows.logNdtr, undefined, args);
}

/**
 * The inverse of `ndtr`.
 *
 * PyTorch: `torch.special.ndtri`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.ndtri(tensor([0.5])) // [0]
 */
export function ndtri(input: Tensor): Tensor;
export function ndtri(...args: readonly unknown[]): unknown {
  return call(specialRows.ndtri, undefined, args);
}

/**
 * input · log(1 + other), 0 where the input is 0.
 *
 * PyTorch: `torch.special.xlog1py`.
 *
 * @param input - The factor.
 * @param other - What is behind the logarithm.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Special functions
 * @example
 * special.xlog1py(tensor([0]), tensor([-1])) // [0]
 */
export function xlog1py(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function xlog1py(...args: readonly unknown[]): unknown {
  return call(specialRows.xlog1py, undefined, args);
}

/**
 * The logarithm of the gamma function of p variables.
 *
 * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
 *
 * @param input - The tensor.
 * @param p - The number of variables.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.multigammaln(tensor([3]), 2) // [1.55…]
 */
export function multigammaln(input: Tensor, p: number): Tensor;
/**
 * The logarithm of the gamma function of p variables.
 *
 * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
 *
 * @param input - The tensor.
 * @param named.p - The number of variables.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.multigammaln(tensor([3]), 2) // [1.55…]
 */
export function multigammaln(input: Tensor, named: { readonly p: number }): Tensor;
export function multigammaln(...args: readonly unknown[]): unknown {
  return call(specialRows.multigammaln, undefined, args);
}

/**
 * The n-th derivative of `digamma`.
 *
 * Differs from PyTorch: Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it
 * does for gradients of `digamma`.
 *
 * PyTorch: `torch.polygamma`, `torch.special.polygamma`.
 *
 * @param n - The order of the derivative.
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.polygamma(1, tensor([1])) // [1.644…]
 */
export function polygamma(n: number, input: Tensor): Tensor;
/**
 * The n-th derivative of `digamma`.
 *
 * Differs from PyTorch: Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it
 * does for gradients of `digamma`.
 *
 * PyTorch: `torch.polygamma`, `torch.special.polygamma`.
 *
 * @param named.n - The order of the derivative.
 * @param named.input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.polygamma(1, tensor([1])) // [1.644…]
 */
export function polygamma(named: { readonly n: number; readonly input: Tensor }): Tensor;
export function polygamma(...args: readonly unknown[]): unknown {
  return call(specialRows.polygamma, undefined, args);
}

/**
 * The Hurwitz zeta function: the sum of 1 / (other + k) to the power `input` over the integers k ≥ 0.
 *
 * PyTorch: `torch.special.zeta`.
 *
 * @param input - The exponent.
 * @param other - The first base of the sum.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Special functions
 * @example
 * special.zeta(tensor([2]), tensor([1])) // [1.644…]
 */
export function zeta(input: Tensor, other: Tensor): Tensor;
export function zeta(...args: readonly unknown[]): unknown {
  return call(specialRows.zeta, undefined, args);
}

/**
 * The regularized lower incomplete gamma function.
 *
 * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
 *
 * PyTorch: `torch.igamma`, `Tensor.igamma`, `torch.special.gammainc`.
 *
 * @param input - The shape parameter.
 * @param other - The bound of the integral.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Special functions
 * @example
 * special.gammainc(tensor([1]), tensor([1])) // [0.632…]
 */
export function gammainc(input: Tensor, other: Tensor): Tensor;
export function gammainc(...args: readonly unknown[]): unknown {
  return call(specialRows.igamma, undefined, args);
}

/**
 * The regularized upper incomplete gamma function.
 *
 * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
 *
 * PyTorch: `torch.igammac`, `Tensor.igammac`, `torch.special.gammaincc`.
 *
 * @param input - The shape parameter.
 * @param other - The bound of the integral.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Special functions
 * @example
 * special.gammaincc(tensor([1]), tensor([1])) // [0.367…]
 */
export function gammaincc(input: Tensor, other: Tensor): Tensor;
export function gammaincc(...args: readonly unknown[]): unknown {
  return call(specialRows.igammac, undefined, args);
}

/**
 * The derivative of `gammaln`.
 *
 * Differs from PyTorch: The gradient at the poles is infinite; PyTorch gives large numbers there.
 *
 * PyTorch: `torch.special.digamma`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.digamma(tensor([1])) // [-0.577…]
 */
export function digamma(input: Tensor): Tensor;
export function digamma(...args: readonly unknown[]): unknown {
  return call(specialRows.specialDigamma, undefined, args);
}

/**
 * Each element rounded to the nearest integer, halves to even, or to a number of decimals.
 *
 * PyTorch: `torch.special.round`.
 *
 * @param input - The tensor.
 * @param options.decimals - How many decimals are kept; below 0, that many digits before the point become 0.
 * Default: 0.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Special functions
 * @example
 * special.round(tensor([0.5, 1.5])) // [0, 2]
 */
export function round(input: Tensor, options?: SpecialRoundOptions): Tensor;
export function round(...args: readonly unknown[]): unknown {
  return call(specialRows.specialRound, undefined, args);
}

/**
 * Exponentials along a dim, divided by their sum.
 *
 * PyTorch: `torch.special.softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Special functions
 * @example
 * special.softmax(tensor([[0, 0], [0, Math.log(3)]]), 1) // [[0.5, 0.5], [0.25, 0.75]]
 */
export function softmax(input: Tensor, dim: number): Tensor;
/**
 * Exponentials along a dim, divided by their sum.
 *
 * PyTorch: `torch.special.softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Special functions
 * @example
 * special.softmax(tensor([[0, 0], [0, Math.log(3)]]), 1) // [[0.5, 0.5], [0.25, 0.75]]
 */
export function softmax(input: Tensor, named: { readonly dim: number }): Tensor;
export function softmax(...args: readonly unknown[]): unknown {
  return call(specialRows.specialSoftmax, undefined, args);
}

/**
 * The logarithm of `softmax`.
 *
 * PyTorch: `torch.special.log_softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Special functions
 * @example
 * special.logSoftmax(tensor([0, 0]), 0) // [-0.6931…, -0.6931…]
 */
export function logSoftmax(input: Tensor, dim: number): Tensor;
/**
 * The logarithm of `softmax`.
 *
 * PyTorch: `torch.special.log_softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Special functions
 * @example
 * special.logSoftmax(tensor([0, 0]), 0) // [-0.6931…, -0.6931…]
 */
export function logSoftmax(input: Tensor, named: { readonly dim: number }): Tensor;
export function logSoftmax(...args: readonly unknown[]): unknown {
  return call(specialRows.specialLogSoftmax, undefined, args);
}

/**
 * The Bessel function of the first kind of order 0.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error. PyTorch's own values in f64 are off by up to 1e-7
 * between 3 and 30; these are exact to 1e-15.
 *
 * PyTorch: `torch.special.bessel_j0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.besselJ0(tensor([1])) // [0.765…]
 */
export function besselJ0(input: Tensor): Tensor;
export function besselJ0(...args: readonly unknown[]): unknown {
  return call(besselRows.besselJ0, undefined, args);
}

/**
 * The Bessel function of the first kind of order 1.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error. PyTorch's own values in f64 are off by up to 1e-7
 * between 3 and 30; these are exact to 1e-15.
 *
 * PyTorch: `torch.special.bessel_j1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.besselJ1(tensor([1])) // [0.440…]
 */
export function besselJ1(input: Tensor): Tensor;
export function besselJ1(...args: readonly unknown[]): unknown {
  return call(besselRows.besselJ1, undefined, args);
}

/**
 * The Bessel function of the second kind of order 0: −∞ at 0, NaN below.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error. PyTorch's own values in f64 are off by up to 1e-7
 * between 3 and 30; these are exact to 1e-15.
 *
 * PyTorch: `torch.special.bessel_y0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.besselY0(tensor([1])) // [0.088…]
 */
export function besselY0(input: Tensor): Tensor;
export function besselY0(...args: readonly unknown[]): unknown {
  return call(besselRows.besselY0, undefined, args);
}

/**
 * The Bessel function of the second kind of order 1: −∞ at 0, NaN below.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error. PyTorch's own values in f64 are off by up to 1e-7
 * between 3 and 30; these are exact to 1e-15.
 *
 * PyTorch: `torch.special.bessel_y1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.besselY1(tensor([1])) // [-0.781…]
 */
export function besselY1(input: Tensor): Tensor;
export function besselY1(...args: readonly unknown[]): unknown {
  return call(besselRows.besselY1, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 0; the same as `i0`.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.modified_bessel_i0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.modifiedBesselI0(tensor([1])) // [1.266…]
 */
export function modifiedBesselI0(input: Tensor): Tensor;
export function modifiedBesselI0(...args: readonly unknown[]): unknown {
  return call(besselRows.modifiedBesselI0, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 1; the same as `i1`.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.modified_bessel_i1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.modifiedBesselI1(tensor([1])) // [0.565…]
 */
export function modifiedBesselI1(input: Tensor): Tensor;
export function modifiedBesselI1(...args: readonly unknown[]): unknown {
  return call(besselRows.modifiedBesselI1, undefined, args);
}

/**
 * The modified Bessel function of the second kind of order 0: ∞ at 0, NaN below.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.modified_bessel_k0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.modifiedBesselK0(tensor([1])) // [0.421…]
 */
export function modifiedBesselK0(input: Tensor): Tensor;
export function modifiedBesselK0(...args: readonly unknown[]): unknown {
  return call(besselRows.modifiedBesselK0, undefined, args);
}

/**
 * The modified Bessel function of the second kind of order 1: ∞ at 0, NaN below.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.modified_bessel_k1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.modifiedBesselK1(tensor([1])) // [0.601…]
 */
export function modifiedBesselK1(input: Tensor): Tensor;
export function modifiedBesselK1(...args: readonly unknown[]): unknown {
  return call(besselRows.modifiedBesselK1, undefined, args);
}

/**
 * The modified Bessel function of the second kind of order 0, times exp(x): ∞ at 0, NaN below.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.scaled_modified_bessel_k0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.scaledModifiedBesselK0(tensor([1])) // [1.144…]
 */
export function scaledModifiedBesselK0(input: Tensor): Tensor;
export function scaledModifiedBesselK0(...args: readonly unknown[]): unknown {
  return call(besselRows.scaledModifiedBesselK0, undefined, args);
}

/**
 * The modified Bessel function of the second kind of order 1, times exp(x): ∞ at 0, NaN below.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.scaled_modified_bessel_k1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.scaledModifiedBesselK1(tensor([1])) // [1.636…]
 */
export function scaledModifiedBesselK1(input: Tensor): Tensor;
export function scaledModifiedBesselK1(...args: readonly unknown[]): unknown {
  return call(besselRows.scaledModifiedBesselK1, undefined, args);
}

/**
 * sin(x) / x, 1 at 0: the spherical Bessel function of the first kind of order 0.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error.
 *
 * PyTorch: `torch.special.spherical_bessel_j0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.sphericalBesselJ0(tensor([0])) // [1]
 */
export function sphericalBesselJ0(input: Tensor): Tensor;
export function sphericalBesselJ0(...args: readonly unknown[]): unknown {
  return call(besselRows.sphericalBesselJ0, undefined, args);
}

/**
 * The Airy function Ai.
 *
 * Differs from PyTorch: Gradients flow; PyTorch raises an error. PyTorch's own values in f64 are off by up to 1e-7
 * between 3 and 30; these are exact to 1e-15.
 *
 * PyTorch: `torch.special.airy_ai`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Bessel and Airy functions
 * @example
 * special.airyAi(tensor([0])) // [0.355…]
 */
export function airyAi(input: Tensor): Tensor;
export function airyAi(...args: readonly unknown[]): unknown {
  return call(besselRows.airyAi, undefined, args);
}

/**
 * The Chebyshev polynomial of the first kind of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.chebyshev_polynomial_t`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.chebyshevPolynomialT(tensor([0.5]), 2) // [-0.5]
 */
export function chebyshevPolynomialT(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function chebyshevPolynomialT(...args: readonly unknown[]): unknown {
  return call(polynomialRows.chebyshevPolynomialT, undefined, args);
}

/**
 * The Chebyshev polynomial of the second kind of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.chebyshev_polynomial_u`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.chebyshevPolynomialU(tensor([0.5]), 2) // [0]
 */
export function chebyshevPolynomialU(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function chebyshevPolynomialU(...args: readonly unknown[]): unknown {
  return call(polynomialRows.chebyshevPolynomialU, undefined, args);
}

/**
 * The Chebyshev polynomial of the third kind of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.chebyshev_polynomial_v`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.chebyshevPolynomialV(tensor([0.5]), 2) // [-1]
 */
export function chebyshevPolynomialV(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function chebyshevPolynomialV(...args: readonly unknown[]): unknown {
  return call(polynomialRows.chebyshevPolynomialV, undefined, args);
}

/**
 * The Chebyshev polynomial of the fourth kind of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.chebyshev_polynomial_w`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.chebyshevPolynomialW(tensor([0.5]), 2) // [1]
 */
export function chebyshevPolynomialW(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function chebyshevPolynomialW(...args: readonly unknown[]): unknown {
  return call(polynomialRows.chebyshevPolynomialW, undefined, args);
}

/**
 * The shifted Chebyshev polynomial of the first kind of degree n, of 2x − 1; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.shifted_chebyshev_polynomial_t`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.shiftedChebyshevPolynomialT(tensor([0.5]), 2) // [-1]
 */
export function shiftedChebyshevPolynomialT(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function shiftedChebyshevPolynomialT(...args: readonly unknown[]): unknown {
  return call(polynomialRows.shiftedChebyshevPolynomialT, undefined, args);
}

/**
 * The shifted Chebyshev polynomial of the second kind of degree n, of 2x − 1; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.shifted_chebyshev_polynomial_u`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.shiftedChebyshevPolynomialU(tensor([0.5]), 2) // [-1]
 */
export function shiftedChebyshevPolynomialU(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function shiftedChebyshevPolynomialU(...args: readonly unknown[]): unknown {
  return call(polynomialRows.shiftedChebyshevPolynomialU, undefined, args);
}

/**
 * The shifted Chebyshev polynomial of the third kind of degree n, of 2x − 1; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.shifted_chebyshev_polynomial_v`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.shiftedChebyshevPolynomialV(tensor([0.5]), 2) // [-1]
 */
export function shiftedChebyshevPolynomialV(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function shiftedChebyshevPolynomialV(...args: readonly unknown[]): unknown {
  return call(polynomialRows.shiftedChebyshevPolynomialV, undefined, args);
}

/**
 * The shifted Chebyshev polynomial of the fourth kind of degree n, of 2x − 1; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.shifted_chebyshev_polynomial_w`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.shiftedChebyshevPolynomialW(tensor([0.5]), 2) // [-1]
 */
export function shiftedChebyshevPolynomialW(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function shiftedChebyshevPolynomialW(...args: readonly unknown[]): unknown {
  return call(polynomialRows.shiftedChebyshevPolynomialW, undefined, args);
}

/**
 * The physicist's Hermite polynomial of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.hermite_polynomial_h`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.hermitePolynomialH(tensor([0.5]), 2) // [-1]
 */
export function hermitePolynomialH(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function hermitePolynomialH(...args: readonly unknown[]): unknown {
  return call(polynomialRows.hermitePolynomialH, undefined, args);
}

/**
 * The probabilist's Hermite polynomial of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.hermite_polynomial_he`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.hermitePolynomialHe(tensor([0.5]), 2) // [-0.75]
 */
export function hermitePolynomialHe(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function hermitePolynomialHe(...args: readonly unknown[]): unknown {
  return call(polynomialRows.hermitePolynomialHe, undefined, args);
}

/**
 * The Laguerre polynomial of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.laguerre_polynomial_l`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.laguerrePolynomialL(tensor([0.5]), 2) // [0.125]
 */
export function laguerrePolynomialL(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function laguerrePolynomialL(...args: readonly unknown[]): unknown {
  return call(polynomialRows.laguerrePolynomialL, undefined, args);
}

/**
 * The Legendre polynomial of degree n; 0 for a degree below 0.
 *
 * By its recurrence, in a loop up to the largest degree.
 *
 * Differs from PyTorch: Gradients flow to x; PyTorch raises an error.
 *
 * PyTorch: `torch.special.legendre_polynomial_p`.
 *
 * @param input - Where it is taken.
 * @param n - The degree; parts of it behind the point do not count.
 * @returns the shape of both together; the promoted data type of the operands; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Orthogonal polynomials
 * @example
 * special.legendrePolynomialP(tensor([0.5]), 2) // [-0.125]
 */
export function legendrePolynomialP(input: Tensor | Scalar, n: Tensor | Scalar): Tensor;
export function legendrePolynomialP(...args: readonly unknown[]): unknown {
  return call(polynomialRows.legendrePolynomialP, undefined, args);
}

/**
 * The logarithm of the sum of exponentials over dims, without overflow.
 *
 * PyTorch: `torch.logsumexp`, `Tensor.logsumexp`, `torch.special.logsumexp`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1000, 1000]).logsumexp(0) // 1000.69…
 */
export function logsumexp(
  input: Tensor,
  dim: number | readonly number[],
  keepDim?: boolean | LogsumexpOptions | undefined,
): Tensor;
/**
 * The logarithm of the sum of exponentials over dims, without overflow.
 *
 * PyTorch: `torch.logsumexp`, `Tensor.logsumexp`, `torch.special.logsumexp`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim or dims to reduce.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1000, 1000]).logsumexp(0) // 1000.69…
 */
export function logsumexp(
  input: Tensor,
  named: { readonly dim: number | readonly number[] } & LogsumexpOptions,
): Tensor;
export function logsumexp(...args: readonly unknown[]): unknown {
  return call(moreReductions.logsumexp, undefined, args);
}
