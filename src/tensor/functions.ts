// PyTorch's free functions of tensors: the methods as functions, and functions of lists of tensors.

import { checkTensors } from './check-arguments.ts';
import type { Index } from './indexing/index-spec.ts';
import * as move from './lower/move.ts';
import { checkIndices } from './step/index-checks.ts';
import { record, type Tensor, type TensorLike } from './tensor.ts';
import type { DType } from './types/dtype.ts';
import { elementTypeOf } from './types/dtype.ts';

/**
 * One-hot: 1 at the index of the class, 0 elsewhere: [..., classes].
 * @example
 * oneHot(tensor([0, 2], { dtype: 'int64' }), 3) // [[1, 0, 0], [0, 0, 1]]
 */
export const oneHot = (index: Tensor, classes: number, dtype: DType = 'int64'): Tensor =>
  record('oneHot', [index], (b, [i], trace) => {
    const result = move.oneHot(b, i!, classes, elementTypeOf(dtype));
    checkIndices(b, trace, { op: 'oneHot', index: i!, dim: index.ndim, size: classes }, result);
    return result;
  });

/**
 * Where elements are not zero: see `Tensor.nonzero`. PyTorch: `torch.nonzero`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * nonzero(tensor([0, 3, 4])) // [[1], [2]]
 */
export function nonzero(input: Tensor, options: { readonly asTuple: true }): Tensor[];
export function nonzero(input: Tensor, options?: { readonly asTuple?: false }): Tensor;
export function nonzero(input: Tensor, options: { readonly asTuple?: boolean } = {}): Tensor | Tensor[] {
  checkTensors('nonzero', { input });
  return input.nonzero(options as { readonly asTuple?: false });
}
/**
 * `nonzero(input)`. PyTorch: `torch.argwhere`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * argwhere(tensor([0, 3, 4])) // [[1], [2]]
 */
export function argwhere(input: Tensor): Tensor {
  checkTensors('argwhere', { input });
  return input.nonzero();
}
/**
 * The elements where a mask is true: see `Tensor.maskedSelect`. PyTorch: `torch.masked_select`.
 * @throws {WRONG_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * maskedSelect(tensor([1, 2, 3]), tensor([true, false, true])) // [1, 3]
 */
export function maskedSelect(input: Tensor, mask: Tensor): Tensor {
  checkTensors('maskedSelect', { input });
  return input.maskedSelect(mask);
}
/**
 * A copy with values written at index tensors: see `Tensor.indexPut_`. PyTorch: `torch.index_put`.
 * @throws {WRONG_ARGUMENT}
 * @throws {BAD_INDEX}
 * @throws {SHAPE_MISMATCH}
 * @example
 * indexPut(tensor([1, 2, 3]), [[0, 2]], 9) // [9, 2, 9]
 */
export function indexPut(
  input: Tensor,
  indices: readonly Index[],
  values: TensorLike,
  options: { readonly accumulate?: boolean } | boolean = {},
): Tensor {
  checkTensors('indexPut', { input });
  return input.indexPut(indices, values, options);
}
/**
 * The same elements, through which no gradient flows. PyTorch: `torch.detach`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * detach(tensor([1, 2], { requiresGrad: true })).requiresGrad // false
 */
export function detach(input: Tensor): Tensor {
  checkTensors('detach', { input });
  return input.detach();
}
