// Sizes about which the script says whether they change: see ../step/marked-sizes.ts.
import { markSize } from '../step/marked-sizes.ts';
import type { Tensor } from '../tensor.ts';

/**
 * Declares that a size of an input of a step will change: the first program of another size is then compiled for all sizes;
 * otherwise the second. Returns the tensor.
 *
 *     const ids = markDynamic(batch.ids, 1); // [B, T], any T
 *
 * @throws {BAD_DIM}
 * @example
 * markDynamic(tensor([[1, 2, 3]]), 1) // [[1, 2, 3]]
 */
export function markDynamic(x: Tensor, dim: number): Tensor {
  markSize(x, dim, 'markDynamic', 'dynamic');
  return x;
}
/**
 * Declares that each size along a dim shall have a program of its own, which is fastest where few sizes recur. Returns the
 * tensor.
 * @throws {BAD_DIM}
 * @example
 * markStatic(tensor([[1, 2, 3]]), 1) // [[1, 2, 3]]
 */
export function markStatic(x: Tensor, dim: number): Tensor {
  markSize(x, dim, 'markStatic', 'static');
  return x;
}
