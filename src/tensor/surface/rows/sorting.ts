// Order: sorting, and functions of sorted elements.
import * as move from '../../lower/move.ts';
import * as sorting from '../../lower/sorting.ts';
import { byName, dim, flag, int, number, oneOf, operand, optional, spelled, tensor } from '../params.ts';
import { group, overloaded, row, spellings, type UnnamedRow, variant } from '../row.ts';

const input = tensor('the tensor');
const keepDim = spelled('keepdim', optional(flag('keep the reduced dim, with size 1'), false));
const last = optional(dim('the dim'), -1);
const descending = optional(flag('whether the largest comes first'), false);
const stable = byName(optional(flag('accepted for compatibility; sorting is always stable'), false));
const pair = ['values', 'indices'] as const;
const facts = {
  forms: ['method', 'function'],
  shape: 'the shape of the input',
  dtype: 'same',
  gradient: 'almost everywhere',
  throws: ['BAD_DIM'],
} as const;
const reduced = 'the shape of the input without the dim, which has size 1 with `keepDim`';

const outInt32 = byName(spelled('out_int32', optional(flag('positions in int32 instead of int64'), false)));
const right = byName(optional(flag('after equal elements instead of before them'), false));
const searches = {
  forms: ['function'],
  shape: 'the shape of the values',
  dtype: 'indexOfWidth',
  gradient: 'none',
  throws: ['SHAPE_MISMATCH'],
  differs: 'Values of another data type than the sequence are promoted; PyTorch raises an error.',
} as const;

/** `quantile` and `nanquantile`. */
const quantiles = (name: 'quantile' | 'nanquantile', summary: string, example: string): UnnamedRow => {
  const options = {
    dim: optional(dim('the dim; all elements by default')),
    keepDim,
    interpolation: byName(optional(oneOf('how to interpolate between two elements', sorting.interpolations), 'linear')),
  };
  const skipsNan = name === 'nanquantile';
  return overloaded({
    ...facts,
    gradient: 'smooth',
    torch: spellings(name),
    summary,
    details: '`q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.',
    shape: '[quantiles …, the shape of the input without the dim]',
    throws: ['BAD_DIM', 'BAD_DTYPE', 'EMPTY_REDUCTION', 'OUT_OF_RANGE'],
    example,
    variants: [
      variant({
        params: { input, q: number('the quantile, from 0 to 1'), ...options },
        lower: ({ b }, { input, q, ...options }) =>
          sorting.quantile(b, name, input, sorting.quantileOf(b, name, input, q), { ...options, skipsNan }),
      }),
      variant({
        params: { input, q: tensor('the quantiles, from 0 to 1'), ...options },
        lower: ({ b }, { input, q, ...options }) => sorting.quantile(b, name, input, q, { ...options, skipsNan }),
      }),
    ],
  });
};

export const sortingRows = group({
  sort: row({
    ...facts,
    summary: 'The elements sorted along a dim in ascending order, and their original indices.',
    details: 'NaN sorts as greater than any number, and the sort is stable.',
    example: 'const { values, indices } = tensor([3, 1, 2]).sort(); // [1, 2, 3], [1, 2, 0]',
    params: { input, dim: last, descending, stable },
    result: pair,
    lower: ({ b }, { input, dim, descending }) => sorting.sort(b, 'sort', input, dim, descending),
  }),
  argsort: row({
    ...facts,
    summary: 'The indices that sort a tensor along a dim.',
    dtype: 'index',
    gradient: 'none',
    example: 'tensor([3, 1, 2]).argsort() // [1, 2, 0]',
    params: { input, dim: last, descending, stable },
    lower: ({ b }, { input, dim, descending }) => sorting.sort(b, 'argsort', input, dim, descending)[1],
  }),
  msort: row({
    ...facts,
    summary: 'The elements sorted along the first dim in ascending order.',
    example: 'tensor([3, 1, 2]).msort() // [1, 2, 3]',
    params: { input },
    lower: ({ b }, { input }) => sorting.sort(b, 'msort', input, 0, false)[0],
  }),
  topk: row({
    ...facts,
    summary: 'The `k` largest elements along a dim, in descending order, and their indices.',
    details: 'With `largest: false`, the smallest in ascending order. Of equal elements, the first is taken.',
    shape: 'the shape of the input with `k` at the dim',
    throws: ['BAD_DIM', 'OUT_OF_RANGE'],
    example: 'const { values, indices } = tensor([1, 5, 3, 4]).topk(2); // [5, 4], [1, 3]',
    params: {
      input,
      k: int('the number of entries'),
      dim: last,
      largest: optional(flag('whether to return the largest; false for the smallest'), true),
      sorted: optional(flag('accepted for compatibility; the result is always sorted'), true),
    },
    result: pair,
    lower: ({ b }, { input, k, dim, largest }) => sorting.topk(b, input, k, dim, largest),
  }),
  kthvalue: row({
    ...facts,
    summary: 'The `k`-th smallest element along a dim, counted from 1, and where it is.',
    shape: reduced,
    throws: ['BAD_DIM', 'OUT_OF_RANGE'],
    example: 'tensor([3, 1, 2]).kthvalue(2).values // 2',
    params: { input, k: int('which, from 1'), dim: last, keepDim },
    result: pair,
    lower: ({ b }, { input, k, dim, keepDim }) => sorting.kthValue(b, input, k, dim, keepDim),
  }),
  median: overloaded({
    ...facts,
    summary: 'The median of all elements, or along a dim with its index: the lower of the two middle elements.',
    details: 'NaN if any element is NaN. The gradient goes to one element.',
    differs: 'Where several elements equal the median of all, the gradient goes to one; PyTorch shares it among them.',
    shape: reduced,
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: 'tensor([3, 1, 2]).median() // 2',
    variants: [
      variant({
        params: { input },
        lower: ({ b }, { input }) => sorting.medianOfAll(b, 'median', input, false),
      }),
      variant({
        params: { input, dim: dim('the dim'), keepDim },
        result: pair,
        lower: ({ b }, { input, dim, keepDim }) => sorting.median(b, 'median', input, dim, keepDim, false),
      }),
    ],
  }),
  nanmedian: overloaded({
    ...facts,
    summary: 'The median of the elements that are not NaN, of all elements or along a dim.',
    differs: 'Where several elements equal the median of all, the gradient goes to one; PyTorch shares it among them.',
    shape: reduced,
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: 'tensor([3, NaN, 1]).nanmedian() // 1',
    variants: [
      variant({
        params: { input },
        lower: ({ b }, { input }) => sorting.medianOfAll(b, 'nanmedian', input, true),
      }),
      variant({
        params: { input, dim: dim('the dim'), keepDim },
        result: pair,
        lower: ({ b }, { input, dim, keepDim }) => sorting.median(b, 'nanmedian', input, dim, keepDim, true),
      }),
    ],
  }),
  mode: row({
    ...facts,
    summary: 'The most common element along a dim (the smallest if several tie), and its last index.',
    shape: reduced,
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: 'tensor([1, 2, 2]).mode().values // 2',
    params: { input, dim: last, keepDim },
    result: pair,
    lower: ({ b }, { input, dim, keepDim }) => sorting.mode(b, input, dim, keepDim),
  }),
  quantile: quantiles(
    'quantile',
    'The quantiles of all elements, or along a dim: NaN if any element is NaN.',
    'tensor([0, 1, 2]).quantile(0.75) // 1.5',
  ),
  nanquantile: quantiles(
    'nanquantile',
    'The quantiles of the elements that are not NaN, of all elements or along a dim.',
    'tensor([0, NaN, 2]).nanquantile(0.75) // 1.5',
  ),
  searchsorted: row({
    ...searches,
    summary: 'The positions at which values must be inserted into sorted sequences to keep them sorted.',
    details: 'Searches the last dim by bisection. The position is before equal elements, or after them with `right`.',
    example: 'searchsorted(tensor([1, 3, 5]), tensor([3, 4])) // [1, 2]',
    params: {
      sortedSequence: tensor('the sequences, with one dim or with the leading dims of the values'),
      values: operand('the values'),
      outInt32,
      right,
      side: byName(
        optional(oneOf('the same as `right`: before (left) or after (right) equal elements', ['left', 'right'])),
      ),
      sorter: byName(optional(tensor('the positions that sort the sequences, where these are not sorted'))),
    },
    lower: ({ b }, { sortedSequence, values, outInt32, right, side, sorter }) =>
      sorting.search(b, 'searchsorted', sorting.ordered(b, sortedSequence, sorter), values, {
        isRight: side === undefined ? right : side === 'right',
        isInt32: outInt32,
      }),
  }),
  bucketize: row({
    ...searches,
    summary: 'The index of the bucket of each value: the number of sorted boundaries below it.',
    details: 'A value on a boundary belongs to the bucket before it; with `right`, to the one after it.',
    example: 'bucketize(tensor([0, 2, 7]), tensor([1, 3, 5])) // [0, 1, 3]',
    params: { input: operand('the values'), boundaries: tensor('the boundaries, one dim'), outInt32, right },
    lower: ({ b }, { input, boundaries, outInt32, right }) =>
      sorting.search(b, 'bucketize', move.onlyRank(b, 'bucketize', boundaries, 1), input, {
        isRight: right,
        isInt32: outInt32,
      }),
  }),
  renorm: row({
    ...facts,
    forms: ['method', 'function', 'inPlace'],
    summary: 'Scales down slices along a dim to a p-norm of at most `maxnorm`.',
    example: 'tensor([[3, 4], [0, 1]]).renorm(2, 0, 1) // [[0.6, 0.8], [0, 1]]',
    params: { input, p: number('the order of the norm'), dim: dim('the dim'), maxnorm: number('the largest norm') },
    lower: ({ b }, { input, p, dim, maxnorm }) => sorting.renorm(b, input, p, dim, maxnorm),
  }),
});
