// The functions of the namespace special that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call } from '../surface/call.ts';
import { binaryRows } from '../surface/rows/binary.ts';
import { elementaryRows } from '../surface/rows/elementary.ts';
import { moreReductions } from '../surface/rows/reductions-more.ts';
import { unary } from '../surface/rows/unary.ts';
import type { Tensor } from '../tensor.ts';
import type { LogsumexpOptions } from './options.ts';

/**
 * exp(x) − 1, exact for small x.
 *
 * PyTorch: `torch.expm1`, `Tensor.expm1`, `torch.special.expm1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([1e-6]).expm1() // [1e-6]
 */
export function expm1(input: Tensor): Tensor;
export function expm1(...args: readonly unknown[]): unknown {
  return call(unary.expm1, undefined, args);
}

/**
 * log(1 + x), exact for small x.
 *
 * PyTorch: `torch.log1p`, `Tensor.log1p`, `torch.special.log1p`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0, 9]).erf() // [0, 1]
 */
export function erf(input: Tensor): Tensor;
export function erf(...args: readonly unknown[]): unknown {
  return call(unary.erf, undefined, args);
}

/**
 * 2 to the power of each element.
 *
 * PyTorch: `torch.exp2`, `Tensor.exp2`, `torch.special.exp2`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([3]).lgamma() // [0.693…]
 */
export function gammaln(input: Tensor): Tensor;
export function gammaln(...args: readonly unknown[]): unknown {
  return call(elementaryRows.lgamma, undefined, args);
}

/**
 * The derivative of lgamma.
 *
 * PyTorch: `torch.digamma`, `Tensor.digamma`, `torch.special.psi`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
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
 * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([0, 2]).xlogy(tensor([0, 1])) // [0, 0]
 */
export function xlogy(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function xlogy(...args: readonly unknown[]): unknown {
  return call(binaryRows.xlogy, undefined, args);
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
 * input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
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
 * input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
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
