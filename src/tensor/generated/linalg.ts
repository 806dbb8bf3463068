// The functions of the namespace linalg that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { call } from '../surface/call.ts';
import { contractions } from '../surface/rows/contractions.ts';

import type { Tensor } from '../tensor.ts';

/**
 * The product of matrices, in the order with the fewest multiplications; the first and the last may be vectors.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.linalg.multi_dot`.
 *
 * @param tensors - The matrices.
 * @returns [rows of the first, columns of the last]; a vector has no rows or columns; the promoted data type of
 * the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {NO_TENSORS}
 * @example
 * linalg.multiDot([a, b, c])
 */
export function multiDot(tensors: readonly Tensor[]): Tensor;
export function multiDot(...args: readonly unknown[]): unknown {
  return call(contractions.multiDot, undefined, args);
}
