// PyTorch's free functions over tensors: the methods under their own names, and those that take lists.

import { shapeOf } from '../hlo/program.ts';
import { checkTensors } from './check-arguments.ts';
import type { DType } from './dtype.ts';
import { elementTypeOf } from './dtype.ts';
import * as elementwise from './lower/elementwise.ts';
import * as move from './lower/move.ts';
import { binary, combine, compare, record, type Tensor, type TensorLike } from './tensor.ts';

type Dims = number | readonly number[] | undefined;

export const add = (x: TensorLike, y: TensorLike): Tensor => binary('add', 'add', x, y);
export const sub = (x: TensorLike, y: TensorLike): Tensor => binary('subtract', 'sub', x, y);
export const mul = (x: TensorLike, y: TensorLike): Tensor => binary('multiply', 'mul', x, y);
export const div = (x: TensorLike, y: TensorLike): Tensor => binary('divide', 'div', x, y, true);
export const maximum = (x: TensorLike, y: TensorLike): Tensor => binary('maximum', 'maximum', x, y);
export const minimum = (x: TensorLike, y: TensorLike): Tensor => binary('minimum', 'minimum', x, y);
export const pow = (x: TensorLike, y: TensorLike): Tensor =>
  combine('pow', [x, y], (b, [p, q]) => elementwise.power(b, p!, q!));
export const eq = (x: TensorLike, y: TensorLike): Tensor => compare('EQ', 'eq', x, y);
export const ne = (x: TensorLike, y: TensorLike): Tensor => compare('NE', 'ne', x, y);
export const lt = (x: TensorLike, y: TensorLike): Tensor => compare('LT', 'lt', x, y);
export const le = (x: TensorLike, y: TensorLike): Tensor => compare('LE', 'le', x, y);
export const gt = (x: TensorLike, y: TensorLike): Tensor => compare('GT', 'gt', x, y);
export const ge = (x: TensorLike, y: TensorLike): Tensor => compare('GE', 'ge', x, y);
/** x where the condition holds, y elsewhere. */
export function where(condition: Tensor, x: TensorLike, y: TensorLike): Tensor {
  checkTensors('where', { 'the condition': condition });
  return combine('where', [condition, x, y], (b, [c, p, q]) =>
    elementwise.where(b, c as Parameters<typeof elementwise.where>[1], p!, q!),
  );
}

export const neg = (x: Tensor): Tensor => x.neg();
export const abs = (x: Tensor): Tensor => x.abs();
export const exp = (x: Tensor): Tensor => x.exp();
export const log = (x: Tensor): Tensor => x.log();
export const sqrt = (x: Tensor): Tensor => x.sqrt();
export const rsqrt = (x: Tensor): Tensor => x.rsqrt();
export const sin = (x: Tensor): Tensor => x.sin();
export const cos = (x: Tensor): Tensor => x.cos();
export const tanh = (x: Tensor): Tensor => x.tanh();
export const sigmoid = (x: Tensor): Tensor => x.sigmoid();
export const erf = (x: Tensor): Tensor => x.erf();
export const clamp = (x: Tensor, min?: number, max?: number): Tensor => x.clamp(min, max);

export const sum = (x: Tensor, dim?: Dims, keepDim?: boolean): Tensor => x.sum(dim, keepDim);
export const mean = (x: Tensor, dim?: Dims, keepDim?: boolean): Tensor => x.mean(dim, keepDim);
export const max = (x: Tensor, dim?: Dims, keepDim?: boolean): Tensor => x.max(dim, keepDim);
export const min = (x: Tensor, dim?: Dims, keepDim?: boolean): Tensor => x.min(dim, keepDim);
export const argmax = (x: Tensor, dim?: number, keepDim?: boolean): Tensor => x.argmax(dim, keepDim);
export const argmin = (x: Tensor, dim?: number, keepDim?: boolean): Tensor => x.argmin(dim, keepDim);

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
