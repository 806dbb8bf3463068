// Writing at positions: scatter, and slices at an index.

import * as elementwise from '../../lower/elementwise.ts';
import * as writing from '../../lower/scatter.ts';
import { checkedAlong } from '../../step/index-checks.ts';
import { byName, dim, flag, number, oneOf, optional, scalar, tensor } from '../params.ts';
import { group, overloaded, row, variant } from '../row.ts';

const input = tensor('the tensor');
const along = dim('the dim');
const facts = {
  forms: ['method', 'function', 'inPlace'],
  shape: 'the shape of the input',
  dtype: 'same',
  gradient: 'smooth',
  throws: ['BAD_DIM', 'BAD_DTYPE', 'SHAPE_MISMATCH'],
  differs:
    'An index that is out of range raises an error when a value of the step is read. Also differentiable where the source is larger than the index.',
} as const;
const index = tensor('the position of each element along the dim');
const slices = tensor('the positions along the dim, in one dim');
const includeSelf = byName(optional(flag('whether to include the elements that are overwritten'), true));

export const scatterRows = group({
  scatter: overloaded({
    ...facts,
    summary: 'Writes elements to positions along a dim: out[index[i][j]][j] = src[i][j] for dim 0.',
    details: 'If several elements are written to one position, the last one wins. `src` may be a number.',
    example: 'zeros([2, 3]).scatter(1, tensor([[2], [0]], { dtype: "int64" }), 1) // [[0, 0, 1], [1, 0, 0]]',
    variants: [
      variant({
        params: {
          input,
          dim: along,
          index,
          src: tensor('the elements'),
          reduce: byName(optional(oneOf('how to combine the elements at a position', ['add', 'multiply']))),
        },
        lower: ({ b, trace }, { input, dim, index, src, reduce }) =>
          checkedAlong(
            b,
            trace,
            'scatter',
            input,
            dim,
            index,
            writing.scatter(b, 'scatter', input, dim, index, src, reduce ?? 'overwrite'),
          ),
      }),
      variant({
        params: {
          input,
          dim: along,
          index,
          value: scalar('the number'),
          reduce: byName(optional(oneOf('how to combine the elements at a position', ['add', 'multiply']))),
        },
        lower: ({ b, trace }, { input, dim, index, value, reduce }) =>
          checkedAlong(
            b,
            trace,
            'scatter',
            input,
            dim,
            index,
            writing.scatter(b, 'scatter', input, dim, index, value, reduce ?? 'overwrite'),
          ),
      }),
    ],
  }),
  scatterAdd: row({
    ...facts,
    summary: 'Adds elements at positions along a dim: out[index[i][j]][j] += src[i][j] for dim 0.',
    details: 'Elements at one position are added in order: the result is bit-identical for any number of threads.',
    example: 'zeros([3]).scatterAdd(0, tensor([1, 1], { dtype: "int64" }), tensor([2, 3])) // [0, 5, 0]',
    params: { input, dim: along, index, src: tensor('the elements') },
    lower: ({ b, trace }, { input, dim, index, src }) =>
      checkedAlong(
        b,
        trace,
        'scatterAdd',
        input,
        dim,
        index,
        writing.scatter(b, 'scatterAdd', input, dim, index, src, 'add'),
      ),
  }),
  scatterReduce: row({
    ...facts,
    gradient: 'almost everywhere',
    summary: 'Combines elements at positions along a dim: their sum, product, mean, largest or smallest.',
    details:
      'With `includeSelf: false`, the elements that are overwritten are not included. Elements that tie share the gradient.',
    example: "zeros([2]).scatterReduce(0, tensor([0, 0], { dtype: 'int64' }), tensor([2, 3]), 'amax') // [3, 0]",
    params: {
      input,
      dim: along,
      index,
      src: tensor('the elements'),
      reduce: oneOf('how', writing.reductions),
      includeSelf,
    },
    lower: (c, { input, dim, index, src, reduce, includeSelf }) =>
      checkedAlong(
        c.b,
        c.trace,
        'scatterReduce',
        input,
        dim,
        index,
        writing.scatterReduce(c, 'scatterReduce', input, dim, index, src, { reduce, includeSelf }),
      ),
  }),
  indexAdd: row({
    ...facts,
    summary: 'Adds slices to those at positions along a dim.',
    example: 'zeros([3]).indexAdd(0, tensor([2, 2], { dtype: "int64" }), tensor([1, 5])) // [0, 0, 6]',
    params: {
      input,
      dim: along,
      index: slices,
      source: tensor('the slices'),
      alpha: byName(optional(number('the factor for the slices'), 1)),
    },
    lower: ({ b, trace }, { input, dim, index, source, alpha }) =>
      checkedAlong(
        b,
        trace,
        'indexAdd',
        input,
        dim,
        index,
        writing.intoSlices(b, 'indexAdd', input, dim, index, elementwise.scaled(b, source, alpha), 'add'),
      ),
  }),
  indexCopy: row({
    ...facts,
    summary: 'Replaces the slices at positions along a dim.',
    example: 'zeros([3]).indexCopy(0, tensor([2], { dtype: "int64" }), tensor([5])) // [0, 0, 5]',
    params: { input, dim: along, index: slices, source: tensor('the slices') },
    lower: ({ b, trace }, { input, dim, index, source }) =>
      checkedAlong(
        b,
        trace,
        'indexCopy',
        input,
        dim,
        index,
        writing.intoSlices(b, 'indexCopy', input, dim, index, source, 'overwrite'),
      ),
  }),
  indexFill: row({
    ...facts,
    summary: 'Replaces the slices at positions along a dim by a number.',
    example: 'zeros([3]).indexFill(0, tensor([2], { dtype: "int64" }), 5) // [0, 0, 5]',
    params: { input, dim: along, index: slices, value: scalar('the number') },
    lower: ({ b }, { input, dim, index, value }) =>
      writing.intoSlices(b, 'indexFill', input, dim, index, value, 'overwrite'),
  }),
  indexReduce: row({
    ...facts,
    gradient: 'almost everywhere',
    summary: 'Combines slices with those at positions along a dim: by product, mean, largest or smallest.',
    example: "ones([2]).indexReduce(0, tensor([0], { dtype: 'int64' }), tensor([3]), 'amax') // [3, 1]",
    params: {
      input,
      dim: along,
      index: slices,
      source: tensor('the slices'),
      reduce: oneOf('how', ['prod', 'mean', 'amax', 'amin']),
      includeSelf,
    },
    lower: (c, { input, dim, index, source, reduce, includeSelf }) =>
      checkedAlong(
        c.b,
        c.trace,
        'indexReduce',
        input,
        dim,
        index,
        writing.reduceIntoSlices(c, 'indexReduce', input, dim, index, source, { reduce, includeSelf }),
      ),
  }),
  maskedScatter: row({
    ...facts,
    summary: 'Replaces the elements where a mask is true by those of a source, in order.',
    differs: 'A source that is too short repeats its last element, because compiled programs cannot raise errors.',
    example: 'zeros([3]).maskedScatter(tensor([true, false, true]), tensor([7, 8])) // [7, 0, 8]',
    params: { input, mask: tensor('where to write; broadcasts'), source: tensor('the elements') },
    lower: ({ b }, { input, mask, source }) => writing.maskedScatter(b, input, mask, source),
  }),
});
