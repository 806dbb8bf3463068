// PyTorch's free functions over tensors: the methods under their own names, and those that take lists.

import { shapeOf } from '../hlo/program.ts';
import type { DType } from './dtype.ts';
import { elementTypeOf } from './dtype.ts';
import * as move from './lower/move.ts';
import { record, type Tensor } from './tensor.ts';

export const matmul = (x: Tensor, y: Tensor): Tensor => x.matmul(y);
export const bmm = matmul;
export const reshape = (x: Tensor, shape: readonly number[]): Tensor => x.reshape(shape);
export const transpose = (x: Tensor, dim0: number, dim1: number): Tensor => x.transpose(dim0, dim1);
export const permute = (x: Tensor, dims: readonly number[]): Tensor => x.permute(dims);
export const unsqueeze = (x: Tensor, dim: number): Tensor => x.unsqueeze(dim);
export const squeeze = (x: Tensor, dim?: number): Tensor => x.squeeze(dim);
export const gather = (x: Tensor, dim: number, index: Tensor): Tensor => x.gather(dim, index);
export const indexSelect = (x: Tensor, dim: number, index: Tensor): Tensor => x.indexSelect(dim, index);
export const tril = (x: Tensor, diagonal?: number): Tensor => x.tril(diagonal);
export const triu = (x: Tensor, diagonal?: number): Tensor => x.triu(diagonal);

/** The tensors one after the other along an existing dim. */
export const cat = (tensors: readonly Tensor[], dim = 0): Tensor =>
  record('cat', tensors, (b, values) => move.cat(b, values, dim));
/** The tensors side by side along a new dim. */
export const stack = (tensors: readonly Tensor[], dim = 0): Tensor =>
  record('stack', tensors, (b, values) =>
    move.cat(
      b,
      values.map(v => move.unsqueeze(b, v, dim)),
      dim < 0 ? dim + shapeOf(values[0]!).length + 1 : dim,
    ),
  );
/** 1 where the class is the index, 0 elsewhere: [..., classes]. */
export const oneHot = (index: Tensor, classes: number, dtype: DType = 'f32'): Tensor =>
  record('oneHot', [index], (b, [i]) => move.oneHot(b, i!, classes, elementTypeOf(dtype)));
