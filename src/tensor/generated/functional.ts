// The functions of nn.functional that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { call } from '../surface/call.ts';
import { activations } from '../surface/rows/activations.ts';
import type { Tensor } from '../tensor.ts';
import type { GeluOptions, LogSoftmaxOptions, SoftmaxOptions } from './options.ts';

/**
 * max(x, 0): negative elements become 0.
 *
 * PyTorch: `torch.relu`, `Tensor.relu`, `torch.nn.functional.relu`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([-1, 2]).relu() // [0, 2]
 */
export function relu(input: Tensor): Tensor;
export function relu(...args: readonly unknown[]): unknown {
  return call(activations.relu, undefined, args);
}

/**
 * x · Φ(x), Φ the cumulative function of the normal distribution.
 *
 * PyTorch: `torch.nn.functional.gelu`.
 *
 * @param input - The tensor.
 * @param approximate - `tanh` for the approximation of Hendrycks and Gimpel (2016). Default: "none".
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * x.gelu() // or x.gelu('tanh')
 */
export function gelu(input: Tensor, approximate?: 'none' | 'tanh' | GeluOptions | undefined): Tensor;
export function gelu(...args: readonly unknown[]): unknown {
  return call(activations.gelu, undefined, args);
}

/**
 * x · sigmoid(x).
 *
 * PyTorch: `torch.nn.functional.silu`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * nn.functional.silu(x)
 */
export function silu(input: Tensor): Tensor;
export function silu(...args: readonly unknown[]): unknown {
  return call(activations.silu, undefined, args);
}

/**
 * exp(x) over its sum along a dim: positive numbers that add up to 1.
 *
 * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results add up to 1.
 * @param options.dtype - What the input is converted to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * scores.softmax(-1)
 */
export function softmax(input: Tensor, dim: number, options?: SoftmaxOptions): Tensor;
/**
 * exp(x) over its sum along a dim: positive numbers that add up to 1.
 *
 * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results add up to 1.
 * @param named.dtype - What the input is converted to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * scores.softmax(-1)
 */
export function softmax(input: Tensor, named: { readonly dim: number } & SoftmaxOptions): Tensor;
export function softmax(...args: readonly unknown[]): unknown {
  return call(activations.softmax, undefined, args);
}

/**
 * The logarithm of softmax, exact where softmax underflows.
 *
 * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results add up to 1.
 * @param options.dtype - What the input is converted to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * logits.logSoftmax(-1)
 */
export function logSoftmax(input: Tensor, dim: number, options?: LogSoftmaxOptions): Tensor;
/**
 * The logarithm of softmax, exact where softmax underflows.
 *
 * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results add up to 1.
 * @param named.dtype - What the input is converted to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * logits.logSoftmax(-1)
 */
export function logSoftmax(input: Tensor, named: { readonly dim: number } & LogSoftmaxOptions): Tensor;
export function logSoftmax(...args: readonly unknown[]): unknown {
  return call(activations.logSoftmax, undefined, args);
}
