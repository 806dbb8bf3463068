// Sums that skip NaN or are traces, products, norms, two moments at once, and distances.
import type { Value } from '../../../hlo/program.ts';
import * as arrange from '../../lower/arrange.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { vectorNorm } from '../../lower/linalg/norms.ts';
import * as move from '../../lower/move.ts';
import * as norms from '../../lower/norms.ts';
import * as reductions from '../../lower/reduce.ts';
import {
  byName,
  continuousType,
  dim,
  dims,
  dtype,
  flag,
  nonNegative,
  normOrder,
  number,
  optional,
  sizes,
  spelled,
  tensor,
} from '../params.ts';
import { type Context, group, overloaded, row, spellings, variant } from '../row.ts';

const input = tensor('the tensor');
const keepDim = spelled('keepdim', optional(flag('keep the reduced dims, with size 1'), false));
const over = optional(dims('the dim or dims to reduce; all of them by default'));
const facts = {
  forms: ['method', 'function'],
  shape: 'the shape of the input without the reduced dims, which have size 1 with `keepDim`',
  gradient: 'smooth',
  throws: ['BAD_DIM'],
} as const;
const continuousOption = byName(optional(continuousType('the data type to convert the elements to first')));
const dtypeOption = byName(optional(dtype('the data type to convert the elements to first')));
const cast = ({ b }: Context, x: Value, type: Parameters<typeof elementwise.convert>[2] | undefined): Value =>
  type === undefined ? x : elementwise.convert(b, x, type);

export const sumsAndNorms = group({
  prod: overloaded({
    ...facts,
    summary: 'The product of all elements, or along a dim.',
    dtype: 'total',
    example: 'tensor([2, 3, 4]).prod() // 24',
    variants: [
      variant({
        params: { input, dtype: dtypeOption },
        lower: (c, { input, dtype }) =>
          norms.product(c.b, cast(c, input, dtype), undefined, false, dtype !== undefined),
      }),
      variant({
        params: { input, dim: dim('the dim to reduce'), keepDim, dtype: dtypeOption },
        lower: (c, { input, dim, keepDim, dtype }) =>
          norms.product(c.b, cast(c, input, dtype), dim, keepDim, dtype !== undefined),
      }),
    ],
  }),
  nansum: row({
    ...facts,
    summary: 'The sum over dims, with NaN as 0.',
    dtype: 'total',
    example: 'tensor([1, NaN]).nansum() // 1',
    params: { input, dim: over, keepDim, dtype: dtypeOption },
    lower: (c, { input, dim, keepDim, dtype }) =>
      reductions.total(c.b, norms.zeroForNan(c.b, cast(c, input, dtype)), dim, keepDim, dtype !== undefined),
  }),
  nanmean: row({
    ...facts,
    summary: 'The mean over dims of the elements that are not NaN.',
    dtype: 'float',
    example: 'tensor([1, 3, NaN]).nanmean() // 2',
    params: { input, dim: over, keepDim, dtype: continuousOption },
    lower: (c, { input, dim, keepDim, dtype }) => norms.nanMean(c.b, cast(c, input, dtype), dim, keepDim),
  }),
  logsumexp: row({
    ...facts,
    forms: [...facts.forms, 'special'],
    torch: [...spellings('logsumexp'), 'torch.special.logsumexp'],
    summary: 'The logarithm of the sum of exponentials over dims, without overflow.',
    dtype: 'float',
    example: 'tensor([1000, 1000]).logsumexp(0) // 1000.69…',
    params: { input, dim: dims('the dim or dims to reduce'), keepDim },
    lower: ({ b, stop }, { input, dim, keepDim }) => norms.logSumExp(b, input, dim, keepDim, stop),
  }),
  norm: row({
    ...facts,
    summary: 'The p-norm over dims: the Euclidean norm of all elements by default.',
    dtype: 'same',
    example: 'tensor([3, 4]).norm() // 5',
    params: {
      input,
      p: optional(normOrder("the order: a number, Infinity, or 'fro' for 2"), 'fro' as const),
      dim: over,
      keepDim,
      dtype: continuousOption,
    },
    lower: (c, { input, p, dim, keepDim, dtype }) =>
      vectorNorm(c.b, cast(c, input, dtype), p === 'fro' ? 2 : p, dim, keepDim),
  }),
  countNonzero: row({
    ...facts,
    summary: 'The number of nonzero elements.',
    dtype: 'index',
    gradient: 'none',
    example: 'tensor([0, 2, 3]).countNonzero() // 2',
    params: { input, dim: over },
    lower: ({ b }, { input, dim }) =>
      elementwise.convert(b, reductions.sum(b, elementwise.truth(b, input), dim, false), 'i64'),
  }),
  trace: row({
    ...facts,
    torch: spellings('trace'),
    forms: ['function'],
    differs: 'There is no method: `x.trace` is the trace that recorded x.',
    summary: 'The sum of the diagonal of a matrix.',
    shape: '[]',
    dtype: 'total',
    throws: ['SHAPE_MISMATCH'],
    example: 'trace(eye(3)) // 3',
    params: { input },
    lower: ({ b }, { input }) =>
      reductions.total(
        b,
        arrange.diagonal(b, 'trace', move.onlyRank(b, 'trace', input, 2), 0, 0, 1),
        undefined,
        false,
        false,
      ),
  }),
  varMean: row({
    ...facts,
    forms: ['function'],
    result: ['variance', 'mean'],
    summary: 'The variance and the mean over dims.',
    dtype: 'float',
    example: 'const [variance, mean] = varMean(tensor([[1, 3], [2, 6]]), -1); // [2, 8], [2, 4]',
    params: {
      input,
      dim: over,
      correction: byName(optional(number('subtracted from the number of elements'), 1)),
      keepDim: byName(keepDim),
    },
    lower: ({ b }, { input, dim, correction, keepDim }) => [
      reductions.variance(b, input, dim, keepDim, correction),
      reductions.mean(b, input, dim, keepDim),
    ],
  }),
  stdMean: row({
    ...facts,
    forms: ['function'],
    result: ['deviation', 'mean'],
    summary: 'The standard deviation and the mean over dims.',
    dtype: 'float',
    example:
      'const [deviation, mean] = stdMean(tensor([[1, 3], [2, 6]]), { dim: -1, correction: 0 }); // [1, 2], [2, 4]',
    params: {
      input,
      dim: over,
      correction: byName(optional(number('subtracted from the number of elements'), 1)),
      keepDim: byName(keepDim),
    },
    lower: ({ b }, { input, dim, correction, keepDim }) => [
      reductions.deviation(b, input, dim, keepDim, correction),
      reductions.mean(b, input, dim, keepDim),
    ],
  }),
  cdist: row({
    ...facts,
    forms: ['function'],
    summary: 'The distances between all pairs of rows of two batches of vectors.',
    shape: '[batch …, rows of the left, rows of the right]',
    dtype: 'float',
    gradient: 'almost everywhere',
    throws: ['SHAPE_MISMATCH'],
    example: 'cdist(zeros([4, 2]), ones([3, 2])).shape // [4, 3]',
    params: {
      x1: tensor('the left vectors'),
      x2: tensor('the right vectors'),
      p: optional(nonNegative('the order of the norm'), 2),
    },
    lower: ({ b }, { x1, x2, p }) => norms.distances(b, x1, x2, p),
  }),
  sumToSize: row({
    ...facts,
    dtype: 'total',
    forms: ['method'],
    summary: 'Sums over the dims that broadcasting from the size would add or repeat.',
    shape: 'the size',
    throws: ['SHAPE_MISMATCH'],
    example: 'ones([2, 3]).sumToSize(1, 3) // [[2, 2, 2]]',
    params: { input, size: sizes('the size') },
    lower: ({ b }, { input, size }) => reductions.sumTo(b, input, size),
  }),
});
