// Order: sorting, and functions of sorted elements.
import * as move from '../../lower/move.ts';
import * as sorting from '../../lower/sorting.ts';
import { byName, dim, flag, int, number, oneOf, operand, optional, spelled, tensor } from '../params.ts';
import { group, overloaded, row, type SampleArgument, type UnnamedRow, variant } from '../row.ts';

const input = tensor('the tensor');
const keepDim = spelled('keepdim', optional(flag('keep the reduced dim, with size 1'), false));
const last = optional(dim('the dim'), -1);
const descending = optional(flag('whether the largest comes first'), false);
const stable = byName(optional(flag('accepted for compatibility; sorting is always stable'), false));
const spellings = (...names: readonly string[]): string[] => names.flatMap(name => [`torch.${name}`, `Tensor.${name}`]);
const pair = ['values', 'indices'] as const;
const facts = {
  forms: ['method', 'function'],
  shape: 'the shape of the input',
  dtype: 'same',
  gradient: 'almost everywhere',
  throws: ['BAD_DIM'],
} as const;
const reduced = 'the shape of the input without the dim, which has size 1 with `keepDim`';
const of = (dtype: string, data: SampleArgument): SampleArgument => ({ dtype, data });
const { NaN: nan } = Number;
const inf = Number.POSITIVE_INFINITY;
const withNan = of('f32', [
  [3, nan, -1, 2],
  [0, 5, inf, -inf],
]);
const equals = of('f32', [1, 3, 1, 2, 3, 1]);
/** Arguments of f32 without equal elements. */
const distinct = ['f32[5] distinct', 'f32[2,3] distinct', 'f64[4,3] distinct', 'bf16[5] distinct', 'i32[4] distinct'];

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
  const q = of('f32', [0, 0.3, 1]);
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
        samples: [
          { input: 'f32[2,5]', q: 0.25 },
          { input: 'f32[2,5]', q: 0.6, dim: 1 },
          { input: 'f64[4,3]', q: 0.5, dim: 0, keepDim: true },
          ...sorting.interpolations.map(interpolation => ({ input: 'f32[6]', q: 0.3, dim: 0, interpolation })),
          { input: withNan, q: 0.5, dim: 1 },
          { input: withNan, q: 0.5, dim: 0 },
          { input: 'f32[]', q: 0.5 },
          { input: 'f32[3]', q: 1.5 },
          { input: 'i32[3]', q: 0.5 },
          { input: 'f32[0]', q: 0.5 },
        ],
      }),
      variant({
        params: { input, q: tensor('the quantiles, from 0 to 1'), ...options },
        lower: ({ b }, { input, q, ...options }) => sorting.quantile(b, name, input, q, { ...options, skipsNan }),
        samples: [
          { input: 'f32[2,5]', q },
          { input: 'f32[2,5]', q, dim: 1 },
          { input: 'f32[2,5,3]', q, dim: 1, keepDim: true },
          { input: 'f32[2,5]', q, keepDim: true },
          { input: 'f32[4]', q: of('f32', 0.5), dim: 0 },
          { input: 'f64[4]', q: 'f32[2] probability' },
        ],
      }),
    ],
  });
};

export const sortingRows = group({
  sort: row({
    ...facts,
    torch: spellings('sort'),
    summary: 'The elements sorted along a dim in ascending order, and their original indices.',
    details: 'NaN sorts as greater than any number, and the sort is stable.',
    example: 'const { values, indices } = tensor([3, 1, 2]).sort(); // [1, 2, 3], [1, 2, 0]',
    params: { input, dim: last, descending, stable },
    result: pair,
    lower: ({ b }, { input, dim, descending }) => sorting.sort(b, 'sort', input, dim, descending),
    samples: [
      ...distinct.map(input => ({ input })),
      { input: 'f32[3,2]', dim: 0 },
      { input: 'f32[2,3]', dim: -1, descending: true },
      { input: withNan, dim: 1 },
      { input: withNan, dim: 1, descending: true },
      { input: equals, stable: true },
      { input: equals, descending: true, stable: true },
      { input: 'i1[5]', stable: true },
      { input: 'f16[3,2]', dim: -2 },
      { input: 'i64[4] large' },
      { input: 'f32[]' },
      { input: 'f32[0,2]' },
      { input: 'f32[2,0]' },
      { input: 'f32[2]', dim: 1 },
    ],
  }),
  argsort: row({
    ...facts,
    torch: spellings('argsort'),
    summary: 'The indices that sort a tensor along a dim.',
    dtype: 'index',
    gradient: 'none',
    example: 'tensor([3, 1, 2]).argsort() // [1, 2, 0]',
    params: { input, dim: last, descending, stable },
    lower: ({ b }, { input, dim, descending }) => sorting.sort(b, 'argsort', input, dim, descending)[1],
    samples: [
      ...distinct.map(input => ({ input })),
      { input: equals, descending: true, stable: true },
      { input: withNan, dim: 0 },
      { input: 'f32[]' },
      { input: 'f32[2]', dim: 2 },
    ],
  }),
  msort: row({
    ...facts,
    torch: spellings('msort'),
    summary: 'The elements sorted along the first dim in ascending order.',
    example: 'tensor([3, 1, 2]).msort() // [1, 2, 3]',
    params: { input },
    lower: ({ b }, { input }) => sorting.sort(b, 'msort', input, 0, false)[0],
    samples: [{ input: 'f32[3,2]' }, { input: withNan }, { input: 'i32[4]' }],
  }),
  topk: row({
    ...facts,
    torch: spellings('topk'),
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
    samples: [
      ...distinct.map(input => ({ input, k: 2 })),
      { input: 'f32[4,3]', k: 2, dim: 0 },
      { input: 'f32[2,5]', k: 3, largest: false },
      { input: withNan, k: 2 },
      { input: withNan, k: 4, largest: false },
      { input: 'f32[3]', k: 0 },
      { input: 'f32[]', k: 1 },
      { input: 'f32[3]', k: 4 },
      { input: 'f32[3]', k: -1 },
    ],
  }),
  kthvalue: row({
    ...facts,
    torch: spellings('kthvalue'),
    summary: 'The `k`-th smallest element along a dim, counted from 1, and where it is.',
    shape: reduced,
    throws: ['BAD_DIM', 'OUT_OF_RANGE'],
    example: 'tensor([3, 1, 2]).kthvalue(2).values // 2',
    params: { input, k: int('which, from 1'), dim: last, keepDim },
    result: pair,
    lower: ({ b }, { input, k, dim, keepDim }) => sorting.kthValue(b, input, k, dim, keepDim),
    samples: [
      ...distinct.map(input => ({ input, k: 2 })),
      { input: withNan, k: 4 },
      { input: 'f32[3,2]', k: 1, dim: 0, keepDim: true },
      { input: 'f32[]', k: 1 },
      { input: 'f32[3]', k: 0 },
      { input: 'f32[3]', k: 4 },
    ],
  }),
  median: overloaded({
    ...facts,
    torch: spellings('median'),
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
        samples: [...distinct.map(input => ({ input })), { input: withNan }, { input: 'f32[]' }],
      }),
      variant({
        params: { input, dim: dim('the dim'), keepDim },
        result: pair,
        lower: ({ b }, { input, dim, keepDim }) => sorting.median(b, 'median', input, dim, keepDim, false),
        samples: [
          ...distinct.map(input => ({ input, dim: -1 })),
          { input: withNan, dim: 1 },
          { input: 'f32[4,2]', dim: 0, keepDim: true },
          { input: 'f32[0,2]', dim: 0 },
          { input: 'f32[2]', dim: 1 },
        ],
      }),
    ],
  }),
  nanmedian: overloaded({
    ...facts,
    torch: spellings('nanmedian'),
    summary: 'The median of the elements that are not NaN, of all elements or along a dim.',
    differs: 'Where several elements equal the median of all, the gradient goes to one; PyTorch shares it among them.',
    shape: reduced,
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: 'tensor([3, NaN, 1]).nanmedian() // 1',
    variants: [
      variant({
        params: { input },
        lower: ({ b }, { input }) => sorting.medianOfAll(b, 'nanmedian', input, true),
        samples: [...distinct.map(input => ({ input })), { input: withNan }],
      }),
      variant({
        params: { input, dim: dim('the dim'), keepDim },
        result: pair,
        lower: ({ b }, { input, dim, keepDim }) => sorting.median(b, 'nanmedian', input, dim, keepDim, true),
        samples: [
          ...distinct.map(input => ({ input, dim: -1 })),
          { input: withNan, dim: 1 },
          { input: 'f32[4,2]', dim: 0, keepDim: true },
        ],
      }),
    ],
  }),
  mode: row({
    ...facts,
    torch: spellings('mode'),
    summary: 'The most common element along a dim (the smallest if several tie), and its last index.',
    shape: reduced,
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    example: 'tensor([1, 2, 2]).mode().values // 2',
    params: { input, dim: last, keepDim },
    result: pair,
    lower: ({ b }, { input, dim, keepDim }) => sorting.mode(b, input, dim, keepDim),
    samples: [
      { input: equals },
      { input: 'i32[2,6] positive', dim: 1 },
      {
        input: of('f32', [
          [1, 2],
          [2, 2],
          [1, 3],
        ]),
        dim: 0,
        keepDim: true,
      },
      { input: 'f32[3]' },
      { input: 'f32[1]' },
      { input: 'f32[]' },
      { input: 'f32[0]' },
    ],
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
    torch: ['torch.searchsorted'],
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
    samples: [
      { sortedSequence: of('f32', [1, 3, 3, 5]), values: of('f32', [0, 3, 4, 9, nan]) },
      {
        sortedSequence: of('f32', [1, 3, 3, 5, 6]),
        values: of('f32', [
          [0, 3],
          [4, 5],
        ]),
        right: true,
      },
      {
        sortedSequence: of('f32', [
          [1, 3],
          [2, 5],
        ]),
        values: of('f32', [
          [3, 4, 0],
          [2, 6, 5],
        ]),
      },
      { sortedSequence: of('i32', [1, 3, 7]), values: of('i32', [7, 2]), side: 'right', outInt32: true },
      { sortedSequence: 'f32[0]', values: 'f32[2]' },
      { sortedSequence: 'f32[2,3]', values: 'f32[3,3]' },
      { sortedSequence: of('f32', [1, 3, 5]), values: of('f32', [4]), sorter: of('i64', [0, 1]) },
    ],
  }),
  bucketize: row({
    ...searches,
    torch: ['torch.bucketize'],
    summary: 'The index of the bucket of each value: the number of sorted boundaries below it.',
    details: 'A value on a boundary belongs to the bucket before it; with `right`, to the one after it.',
    example: 'bucketize(tensor([0, 2, 7]), tensor([1, 3, 5])) // [0, 1, 3]',
    params: { input: operand('the values'), boundaries: tensor('the boundaries, one dim'), outInt32, right },
    lower: ({ b }, { input, boundaries, outInt32, right }) =>
      sorting.search(b, 'bucketize', move.onlyRank(b, 'bucketize', boundaries, 1), input, {
        isRight: right,
        isInt32: outInt32,
      }),
    samples: [
      {
        input: of('f32', [
          [0, 1],
          [3, 7],
        ]),
        boundaries: of('f32', [1, 3, 5]),
      },
      {
        input: of('f32', [
          [0, 1],
          [3, 7],
        ]),
        boundaries: of('f32', [1, 3, 5]),
        right: true,
      },
      { input: 'f32[]', boundaries: of('f32', [0, 1]), outInt32: true },
      { input: 'i64[3]', boundaries: of('i64', [-2, 0, 4]) },
      { input: 'f32[3]', boundaries: 'f32[2,2]' },
    ],
  }),
  renorm: row({
    ...facts,
    forms: ['method', 'function', 'inPlace'],
    torch: spellings('renorm'),
    summary: 'Scales down slices along a dim to a p-norm of at most `maxnorm`.',
    example: 'tensor([[3, 4], [0, 1]]).renorm(2, 0, 1) // [[0.6, 0.8], [0, 1]]',
    params: { input, p: number('the order of the norm'), dim: dim('the dim'), maxnorm: number('the largest norm') },
    lower: ({ b }, { input, p, dim, maxnorm }) => sorting.renorm(b, input, p, dim, maxnorm),
    samples: [
      { input: 'f32[3,2] large', p: 2, dim: 0, maxnorm: 5 },
      { input: 'f32[3,2]', p: 1, dim: 1, maxnorm: 0.5 },
      { input: 'f64[2,2,2]', p: 3, dim: -1, maxnorm: 1 },
      { input: 'c64[3,2]', p: 2, dim: 0, maxnorm: 1 },
      { input: { dtype: 'f32', data: [[3, 4], ['NaN', 1]] }, p: 2, dim: 0, maxnorm: 1 }, // biome-ignore format: one line
      { input: 'f32[2]', p: 2, dim: 3, maxnorm: 1 },
      { input: 'f32[2]', p: 2, dim: 0, maxnorm: 1 },
    ],
  }),
});
