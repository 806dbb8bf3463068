// Pooling that returns the positions of its maxima, unpooling, and pooling by norms. Other kinds of pooling are rows of the
// tensor-surface table.
import { elementCount, tensorType } from '../../hlo/types.ts';
import * as F from '../../tensor/generated/functional.ts';
import { type AvgPool2dOptions, lower, type MaxPool2dOptions, record, type Tensor } from '../../tensor/index.ts';
import { type Settings, settle } from '../../tensor/settings.ts';
import { type Size, sizesOf } from '../layers/sizes.ts';

/** Options of max pooling. */
export type MaxPoolOptions = Omit<MaxPool2dOptions, 'returnIndices'>;
/** Options of average pooling. */
export type AvgPoolOptions = AvgPool2dOptions;
/** An output size for each dim; null or undefined keeps the input's. */
export type OutputSize = number | readonly (number | null | undefined)[];
const maxOrder = ['stride', 'padding', 'dilation', 'ceilMode'] as const;
/** The arguments of max pooling after the kernel size: in PyTorch's order, or by name. */
export type MaxRest = Settings<MaxPoolOptions, typeof maxOrder>;

/** A max pooling that also returns the positions of the maxima. */
export type WithIndices = (x: Tensor, kernelSize: Size, ...rest: MaxRest) => readonly [Tensor, Tensor];
/**
 * `[maxPool1d, the index of each maximum in its row]`, like `maxPool1d` with `returnIndices`.
 * @example
 * const [values, indices] = nn.functional.maxPool1dWithIndices(tensor([[1, 5, 2, 4]]), 2); // [[5, 4]], [[1, 3]]
 */
export const maxPool1dWithIndices: WithIndices = (x, k, ...rest) =>
  F.maxPool1d(x, k, { ...settle<MaxPoolOptions>('maxPool1d', maxOrder, rest), returnIndices: true });
/**
 * [maxPool2d, the index of each maximum in its flattened image].
 * @example
 * const [values, indices] = nn.functional.maxPool2dWithIndices(tensor([[[1, 5], [2, 4]]]), 2); // [[[5]]], [[[1]]]
 */
export const maxPool2dWithIndices: WithIndices = (x, k, ...rest) =>
  F.maxPool2d(x, k, { ...settle<MaxPoolOptions>('maxPool2d', maxOrder, rest), returnIndices: true });
/**
 * [maxPool3d, the index of each maximum in its flattened volume].
 * @example
 * const [values, indices] = nn.functional.maxPool3dWithIndices(randn(1, 1, 2, 2, 2), 2);
 * indices.shape // [1, 1, 1, 1, 1]
 */
export const maxPool3dWithIndices: WithIndices = (x, k, ...rest) =>
  F.maxPool3d(x, k, { ...settle<MaxPoolOptions>('maxPool3d', maxOrder, rest), returnIndices: true });

/** (Σ xᵖ)^(1/p) over windows, like PyTorch's `lp_pool`. */
const means = [F.avgPool1d, F.avgPool2d, F.avgPool3d] as const;
/** Options of `lpPool…d`. */
export type LpPoolOptions = Pick<AvgPoolOptions, 'stride' | 'ceilMode'>;
const lpOrder = ['stride', 'ceilMode'] as const;
/** The arguments of `lpPool…d` after the kernel size: in PyTorch's order, or by name. */
export type LpRest = Settings<LpPoolOptions, typeof lpOrder>;
function lpPool(n: number, x: Tensor, normType: number, kernelSize: Size, rest: LpRest): Tensor {
  const { stride, ceilMode = false } = settle<LpPoolOptions>(`lpPool${n}d`, lpOrder, rest);
  const kernel = sizesOf(`lpPool${n}d`, 'kernelSize', kernelSize, n);
  const count = kernel.reduce((a, c) => a * c, 1);
  const mean = means[n - 1]!(x.pow(normType), kernel, { stride, ceilMode });
  return mean
    .sign()
    .mul(mean.abs().relu())
    .mul(count)
    .pow(1 / normType);
}
/**
 * (Σ xᵖ)^(1/p) over windows of sequences.
 * @example
 * nn.functional.lpPool1d(tensor([[3, 4, 6, 8]]), 2, 2) // [[5, 10]]
 */
export const lpPool1d = (x: Tensor, normType: number, kernelSize: Size, ...rest: LpRest): Tensor =>
  lpPool(1, x, normType, kernelSize, rest);
/**
 * (Σ xᵖ)^(1/p) over windows of images.
 * @example
 * nn.functional.lpPool2d(tensor([[[1, 1], [1, 1]]]), 2, 2) // [[[2]]]
 */
export const lpPool2d = (x: Tensor, normType: number, kernelSize: Size, ...rest: LpRest): Tensor =>
  lpPool(2, x, normType, kernelSize, rest);
/**
 * (Σ xᵖ)^(1/p) over windows of volumes.
 * @example
 * nn.functional.lpPool3d(randn(1, 4, 8, 8, 8), 2, 2).shape // [1, 4, 4, 4, 4]
 */
export const lpPool3d = (x: Tensor, normType: number, kernelSize: Size, ...rest: LpRest): Tensor =>
  lpPool(3, x, normType, kernelSize, rest);

/**
 * Moves the maxima of a pooling back to their positions, with zeros elsewhere: x and the indices of `maxPool…dWithIndices` →
 * [N, C, …size].
 * @throws {SHAPE_MISMATCH} if values and indices differ in shape
 * @example
 * const [values, indices] = nn.functional.maxPool1dWithIndices(tensor([[[1, 5, 2, 4]]]), 2);
 * nn.functional.maxUnpool1d(values, indices, 2) // [[[0, 5, 0, 4]]]
 */
export function maxUnpool(x: Tensor, indices: Tensor, outputSize: readonly number[]): Tensor {
  return record('maxUnpool', [x, indices], (b, [v, positions]) => {
    if (x.ndim !== indices.ndim || x.shape.some((d, i) => d !== indices.shape[i]))
      throw lower.mismatch(b, 'maxUnpool', x.shape, indices.shape, 'each value has an index');
    const n = outputSize.length;
    const lead = x.shape.slice(0, -n);
    const [rows, count] = [elementCount(lead), elementCount(x.shape.slice(-n))];
    const total = elementCount(outputSize);
    const flat = b.reshape(b.convert(positions!, 'i32'), [rows, count]);
    // A position selected by several windows gets its value once, from the first window.
    const hits = b.compare(
      'EQ',
      b.broadcastInDim(flat, [0, 1], [rows, count, total]),
      b.iota(tensorType('i32', [rows, count, total]), 2),
    );
    const order = b.iota(tensorType('i32', [rows, count, total]), 1);
    const chosen = b.select(hits, order, b.fill('i32', [rows, count, total], count));
    const first = b.reduce('minimum', chosen, b.fill('i32', [], count), [1]);
    const isFirst = b.binary(
      'and',
      hits,
      b.compare('EQ', order, b.broadcastInDim(first, [0, 2], [rows, count, total])),
    );
    const values = b.broadcastInDim(b.reshape(v!, [rows, count]), [0, 1], [rows, count, total]);
    const spread = b.sum(b.select(isFirst, values, b.like(values, 0)), [1]);
    return b.reshape(spread, [...lead, ...outputSize]);
  });
}
