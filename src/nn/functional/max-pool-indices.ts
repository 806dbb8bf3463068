// Max pooling with indices: adaptive pooling with the index of each maximum, and unpooling, with
// the arguments of PyTorch's functions.
import * as F from '../../tensor/generated/functional.ts';
import type { Tensor } from '../../tensor/index.ts';
import { type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { type Size, sizesOf } from '../layers/sizes.ts';
import { maxUnpool, type OutputSize } from './pooling.ts';

/**
 * `adaptiveMaxPool1d`, and the index of each maximum in the sequence.
 * @throws {WRONG_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.adaptiveMaxPool1dWithIndices(tensor([[1, 5, 2, 4]]), 2); // [[5, 4]], [[1, 3]]
 */
export const adaptiveMaxPool1dWithIndices = (x: Tensor, outputSize: OutputSize): readonly [Tensor, Tensor] =>
  F.adaptiveMaxPool1d(x, outputSize, { returnIndices: true });
/**
 * `adaptiveMaxPool2d`, and the index of each maximum in the flattened image.
 * @throws {WRONG_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.adaptiveMaxPool2dWithIndices(tensor([[[1, 5], [2, 4]]]), 1); // [[[5]]], [[[1]]]
 */
export const adaptiveMaxPool2dWithIndices = (x: Tensor, outputSize: OutputSize): readonly [Tensor, Tensor] =>
  F.adaptiveMaxPool2d(x, outputSize, { returnIndices: true });
/**
 * `adaptiveMaxPool3d`, and the index of each maximum in the flattened volume.
 * @throws {WRONG_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.adaptiveMaxPool3dWithIndices(randn(1, 1, 2, 2, 2), 1);
 * indices.shape // [1, 1, 1, 1, 1]
 */
export const adaptiveMaxPool3dWithIndices = (x: Tensor, outputSize: OutputSize): readonly [Tensor, Tensor] =>
  F.adaptiveMaxPool3d(x, outputSize, { returnIndices: true });

/** Options of `maxUnpool1d`, `maxUnpool2d` and `maxUnpool3d`. */
export interface MaxUnpoolOptions {
  /** The kernel's size by default. */
  readonly stride?: Size | undefined;
  /** The padding on both sides, for each spatial dim or for all. */
  readonly padding?: Size;
  /** The size of the result, if several are possible. */
  readonly outputSize?: readonly number[] | undefined;
}
const order = ['stride', 'padding', 'outputSize'] as const;
/** The arguments of `maxUnpool2d` after the kernel size: in PyTorch's order, or by name. */
export type MaxUnpoolRest = Settings<MaxUnpoolOptions, ['stride', 'padding', 'outputSize']>;

function unpooled(n: number, x: Tensor, indices: Tensor, kernelSize: Size, rest: readonly unknown[]): Tensor {
  const call = `maxUnpool${n}d`;
  const { stride, padding = 0, outputSize } = settle<MaxUnpoolOptions>(call, order, rest);
  if (x.ndim !== n + 1 && x.ndim !== n + 2)
    throw wrongText({ call, argument: 'the input' }, `a tensor of ${x.ndim} dims`, `one of ${n + 1} or ${n + 2} dims`);
  const kernel = sizesOf(call, 'kernelSize', kernelSize, n);
  const steps = sizesOf(call, 'stride', stride ?? kernelSize, n);
  const around = sizesOf(call, 'padding', padding, n, 0);
  const usual = steps.map((s, i) => (x.shape.at(i - n)! - 1) * s - 2 * around[i]! + kernel[i]!);
  const chosen = outputSize?.slice(-n) ?? usual;
  if (chosen.some((size, i) => Math.abs(size - usual[i]!) >= steps[i]!) || chosen.length !== n)
    throw wrongText({ call, argument: 'outputSize' }, `[${chosen}]`, `less than the stride [${steps}] from [${usual}]`);
  return maxUnpool(x, indices, chosen);
}
/**
 * Moves maxima of sequences back to their positions, with zeros elsewhere: results of `maxPool1dWithIndices` → [N, C, L].
 * @throws {WRONG_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.maxPool1dWithIndices(tensor([[[1, 5, 2, 4]]]), 2);
 * nn.functional.maxUnpool1d(values, indices, 2) // [[[0, 5, 0, 4]]]
 */
export const maxUnpool1d = (x: Tensor, indices: Tensor, kernelSize: Size, ...rest: MaxUnpoolRest): Tensor =>
  unpooled(1, x, indices, kernelSize, rest);
/**
 * Moves maxima of images back to their positions, with zeros elsewhere: results of `maxPool2dWithIndices` → [N, C, H, W].
 * @throws {WRONG_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.maxPool2dWithIndices(tensor([[[[1, 5], [2, 4]]]]), 2);
 * nn.functional.maxUnpool2d(values, indices, 2) // [[[[0, 5], [0, 0]]]]
 */
export const maxUnpool2d = (x: Tensor, indices: Tensor, kernelSize: Size, ...rest: MaxUnpoolRest): Tensor =>
  unpooled(2, x, indices, kernelSize, rest);
/**
 * Moves maxima of volumes back to their positions, with zeros elsewhere: results of `maxPool3dWithIndices` → [N, C, D, H, W].
 * @throws {WRONG_ARGUMENT}
 * @example
 * const [values, indices] = nn.functional.maxPool3dWithIndices(randn(1, 1, 2, 2, 2), 2);
 * nn.functional.maxUnpool3d(values, indices, 2).shape // [1, 1, 2, 2, 2]
 */
export const maxUnpool3d = (x: Tensor, indices: Tensor, kernelSize: Size, ...rest: MaxUnpoolRest): Tensor =>
  unpooled(3, x, indices, kernelSize, rest);
