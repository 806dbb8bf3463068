// PyTorch's free functions of tensors: the methods under their own names, and those that take lists.

import type { DType } from './dtype.ts';
import { elementTypeOf } from './dtype.ts';
import { checkIndices } from './index-checks.ts';
import * as move from './lower/move.ts';
import { record, type Tensor } from './tensor.ts';

/** One-hot: 1 at the index of the class, 0 elsewhere: [..., classes]. */
export const oneHot = (index: Tensor, classes: number, dtype: DType = 'int64'): Tensor =>
  record('oneHot', [index], (b, [i], trace) => {
    const result = move.oneHot(b, i!, classes, elementTypeOf(dtype));
    checkIndices(b, trace, { op: 'oneHot', index: i!, dim: index.ndim, size: classes }, result);
    return result;
  });
