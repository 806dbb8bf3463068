// Sizes about which the script says whether they change: see ../step/marked-sizes.ts.
import { notATensor } from '../check-arguments.ts';
import { markSize } from '../step/marked-sizes.ts';
import { Tensor } from '../tensor.ts';

/**
 * Declares that a size of an input of a step will change: the first program of another size is then compiled for all sizes;
 * otherwise the second. Returns the tensor.
 *
 *     const ids = markDynamic(batch.ids, 1); // [B, T], any T
 *
 * @throws {BAD_DIM}
 * @throws {WRONG_ARGUMENT}
 * @example
 * markDynamic(tensor([[1, 2, 3]]), 1) // [[1, 2, 3]]
 */
export function markDynamic(x: Tensor, dim: number): Tensor {
  return marked(x, dim, 'markDynamic', 'dynamic');
}
/**
 * Declares that each size along a dim shall have a program of its own, which is fastest where few sizes recur. Returns the
 * tensor.
 * @throws {BAD_DIM}
 * @throws {WRONG_ARGUMENT}
 * @example
 * markStatic(tensor([[1, 2, 3]]), 1) // [[1, 2, 3]]
 */
export function markStatic(x: Tensor, dim: number): Tensor {
  return marked(x, dim, 'markStatic', 'static');
}

function marked(x: Tensor, dim: number, call: string, kind: 'dynamic' | 'static'): Tensor {
  if (!(x instanceof Tensor)) throw notATensor({ call, argument: 'the input' }, x);
  markSize(x, dim, call, kind);
  return x;
}
