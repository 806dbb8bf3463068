// Reductions over dims: sums, means, extremes.
import type { Value } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as move from '../../lower/move.ts';
import * as reductions from '../../lower/reduce.ts';
import {
  byName,
  continuousType,
  dim,
  dims,
  dtype,
  flag,
  number,
  operand,
  optional,
  spelled,
  tensor,
} from '../params.ts';
import { type Context, group, overloaded, row, spellings, type UnnamedRow, variant } from '../row.ts';

const input = tensor('the tensor');
const keepDim = spelled('keepdim', optional(flag('keep the reduced dims, with size 1'), false));
const over = optional(dims('the dim or dims to reduce; all of them by default'));
const oneDim = optional(dim('the dim to reduce; the flattened tensor by default'));
const facts = {
  forms: ['method', 'function'],
  shape: 'the shape of the input without the reduced dims, which have size 1 with `keepDim`',
  throws: ['BAD_DIM'],
} as const;
const dtypeOption = byName(optional(dtype('the data type to convert the elements to first')));
const cast = ({ b }: Context, x: Value, type: ElementType | undefined): Value =>
  type === undefined ? x : elementwise.convert(b, x, type);

/** `max` and `min`: of everything, along a dim with indices, or of two tensors. */
const extreme = (name: 'max' | 'min', op: 'maximum' | 'minimum', word: string, example: string): UnnamedRow =>
  overloaded({
    ...facts,
    torch: spellings(name),
    summary: `The ${word} element; along a dim, with its index; or the ${word} of two elements.`,
    details: `Where several elements are the ${word} along a dim, the index is that of the first, and the gradient goes to it. NaN counts as the ${word}.`,
    dtype: 'same',
    gradient: 'almost everywhere',
    throws: ['BAD_DIM', 'EMPTY_REDUCTION', 'SHAPE_MISMATCH'],
    example,
    variants: [
      variant({
        params: { input },
        lower: ({ b }, { input }) => reductions.extreme(b, op, input, undefined, false),
      }),
      variant({
        params: { input, dim: dim('the dim to reduce'), keepDim },
        result: ['values', 'indices'],
        lower: ({ b }, { input, dim, keepDim }) => {
          const indices = reductions.argExtreme(b, op, input, dim, true);
          const values = move.atIndex(b, name, input, dim, indices);
          const result = [values, elementwise.convert(b, indices, 'i64')];
          return keepDim ? result : result.map(v => reductions.dropDim(b, name, input, v, dim));
        },
      }),
      variant({
        params: { input, other: operand('the right operand') },
        lower: ({ b }, { input, other }) => elementwise.binary(b, op, name, input, other),
      }),
    ],
  });
const extremes = (name: 'amax' | 'amin', op: 'maximum' | 'minimum', word: string): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(name),
    summary: `The ${word} element over dims, without its index.`,
    details: 'Elements that tie share the gradient.',
    differs: 'Where the result is NaN, the gradient is 0, not NaN.',
    dtype: 'same',
    gradient: 'almost everywhere',
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: `tensor([[1, 5], [7, 2]]).${name}(1) // ${name === 'amax' ? '[5, 7]' : '[1, 2]'}`,
    params: { input, dim: over, keepDim },
    lower: ({ b }, { input, dim, keepDim }) => reductions.extreme(b, op, input, dim, keepDim),
  });
const place = (name: 'argmax' | 'argmin', op: 'maximum' | 'minimum', word: string): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(name),
    summary: `The index of the first ${word} element.`,
    differs: 'Booleans are accepted; PyTorch raises an error.',
    dtype: 'index',
    gradient: 'none',
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: `tensor([[1, 5], [7, 2]]).${name}(1) // ${name === 'argmax' ? '[1, 0]' : '[0, 1]'}`,
    params: { input, dim: oneDim, keepDim },
    lower: ({ b }, { input, dim, keepDim }) =>
      elementwise.convert(b, reductions.argExtreme(b, op, input, dim, keepDim), 'i64'),
  });
const truth = (name: 'all' | 'any', op: 'and' | 'or', phrase: string, result: string): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(name),
    summary: `Whether ${phrase} true; nonzero numbers are true.`,
    differs: 'The result is boolean for uint8, too; PyTorch keeps uint8 for backward compatibility.',
    dtype: 'boolean',
    gradient: 'none',
    example: `tensor([true, false]).${name}() // ${result}`,
    params: { input, dim: over, keepDim },
    lower: ({ b }, { input, dim, keepDim }) => reductions.logical(b, op, input, dim, keepDim),
  });
/** `var` and `std`, which PyTorch also calls with `unbiased`. */
const spread = (name: 'var' | 'std', word: string, lower: typeof reductions.variance): UnnamedRow =>
  overloaded({
    ...facts,
    torch: spellings(name),
    summary: `The ${word} over dims.`,
    dtype: 'float',
    gradient: 'smooth',
    example: `tensor([1, 2, 3]).${name}() // 1`,
    variants: [
      variant({
        params: {
          input,
          dim: over,
          correction: byName(optional(number('subtracted from the number of elements'), 1)),
          keepDim: byName(keepDim),
        },
        lower: ({ b }, { input, dim, correction, keepDim }) => lower(b, input, dim, keepDim, correction),
      }),
      variant({
        params: {
          input,
          dim: dims('the dim or dims to reduce'),
          unbiased: flag('subtract 1 from the number of elements'),
          keepDim,
        },
        lower: ({ b }, { input, dim, unbiased, keepDim }) => lower(b, input, dim, keepDim, unbiased ? 1 : 0),
      }),
      variant({
        params: { input, unbiased: flag('subtract 1 from the number of elements') },
        lower: ({ b }, { input, unbiased }) => lower(b, input, undefined, false, unbiased ? 1 : 0),
      }),
    ],
  });

export const reductionRows = group({
  sum: row({
    ...facts,
    summary: 'The sum of the elements over dims.',
    dtype: 'total',
    gradient: 'smooth',
    example: 'tensor([[1, 2], [3, 4]]).sum(1) // [3, 7]',
    params: { input, dim: over, keepDim, dtype: dtypeOption },
    lower: (c, { input, dim, keepDim, dtype }) =>
      reductions.total(c.b, cast(c, input, dtype), dim, keepDim, dtype !== undefined),
  }),
  mean: row({
    ...facts,
    summary: 'The mean of the elements over dims.',
    dtype: 'float',
    gradient: 'smooth',
    example: 'tensor([[1, 2], [3, 4]]).mean(0) // [2, 3]',
    differs: 'The mean of integers and booleans is float32; PyTorch raises an error unless `dtype` is given.',
    params: {
      input,
      dim: over,
      keepDim,
      dtype: byName(optional(continuousType('the data type to convert the elements to first'))),
    },
    lower: (c, { input, dim, keepDim, dtype }) => reductions.mean(c.b, cast(c, input, dtype), dim, keepDim),
  }),
  var: spread('var', 'variance', reductions.variance),
  std: spread('std', 'standard deviation', reductions.deviation),
  max: extreme(
    'max',
    'maximum',
    'largest',
    `const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).max(1); // [5, 4], [1, 0]
tensor([1, 5, 2]).max() // 5`,
  ),
  min: extreme(
    'min',
    'minimum',
    'smallest',
    `const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).min(1); // [1, 0], [0, 1]
tensor([1, 5, 2]).min() // 1`,
  ),
  amax: extremes('amax', 'maximum', 'largest'),
  amin: extremes('amin', 'minimum', 'smallest'),
  argmax: place('argmax', 'maximum', 'largest'),
  argmin: place('argmin', 'minimum', 'smallest'),
  all: truth('all', 'and', 'all elements are', 'false'),
  any: truth('any', 'or', 'any element is', 'true'),
  aminmax: row({
    ...facts,
    result: ['min', 'max'],
    summary: 'The smallest and the largest element.',
    dtype: 'same',
    gradient: 'almost everywhere',
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: 'const { min, max } = tensor([1, 5, 2]).aminmax(); // 1, 5',
    params: {
      input,
      dim: byName(optional(dim('the dim to reduce; all of them by default'))),
      keepDim: byName(keepDim),
    },
    lower: ({ b }, { input, dim, keepDim }) => [
      reductions.extreme(b, 'minimum', input, dim, keepDim),
      reductions.extreme(b, 'maximum', input, dim, keepDim),
    ],
  }),
});
