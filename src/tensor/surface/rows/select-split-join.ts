// Selecting parts of tensors, splitting and joining them.
import { shapeOf } from '../../../hlo/program.ts';
import * as arrange from '../../lower/arrange.ts';
import * as move from '../../lower/move.ts';
import { checkedAlong } from '../../step/index-checks.ts';
import { dim, int, intOrInts, ints, oneOf, optional, tensor, tensors } from '../params.ts';
import { group, row } from '../row.ts';

const input = tensor('the tensor');
const facts = { forms: ['method', 'function'], dtype: 'same', gradient: 'smooth' } as const;
const along = optional(dim('the dim'), 0);
const index = tensor('the indices');

export const selectSplitJoin = group({
  narrow: row({
    ...facts,
    view: 'view',
    summary: '`length` entries of a dim, starting at `start`.',
    shape: 'the shape of the input with `length` at `dim`',
    throws: ['BAD_DIM', 'OUT_OF_RANGE'],
    example: 'arange(5).narrow(0, 1, 3) // [1, 2, 3]',
    params: {
      input,
      dim: dim('the dim'),
      start: int('the first entry; negative counts from the end'),
      length: int('the number of entries'),
    },
    lower: ({ b }, { input, dim, start, length }) => move.narrow(b, input, dim, start, length),
  }),
  select: row({
    ...facts,
    view: 'view',
    summary: 'Selects one entry of a dim, and removes that dim.',
    shape: 'the shape of the input without `dim`',
    throws: ['BAD_DIM', 'OUT_OF_RANGE'],
    example: 'tensor([[1, 2], [3, 4]]).select(0, 1) // [3, 4]',
    params: { input, dim: dim('the dim'), index: int('the entry; negative counts from the end') },
    lower: ({ b }, { input, dim, index }) => move.select(b, input, dim, index),
  }),
  indexSelect: row({
    ...facts,
    summary: 'Selects the entries of a dim at the given indices.',
    details:
      'Indices may be floats with integer values. An index that is out of range raises an error when a value of the step is read.',
    shape: 'the shape of the input with the shape of the index at `dim`',
    throws: ['BAD_DIM', 'BAD_DTYPE'],
    example: 'tensor([10, 20, 30]).indexSelect(0, tensor([2, 0], { dtype: "int64" })) // [30, 10]',
    differs:
      'The index may have any number of dims. An index that is out of range raises an error when a value of the step is read.',
    params: { input, dim: dim('the dim'), index },
    lower: ({ b, trace }, { input, dim, index }) =>
      checkedAlong(
        b,
        trace,
        'indexSelect',
        input,
        dim,
        index,
        move.indexSelect(b, 'indexSelect', input, dim, shapeOf(index).length === 0 ? b.reshape(index, [1]) : index),
      ),
  }),
  gather: row({
    ...facts,
    summary: 'Selects elements at indices along a dim: out[i][j] = input[index[i][j]][j] for dim 0.',
    details:
      'Indices may be floats with integer values. An index that is out of range raises an error when a value of the step is read.',
    shape: 'the shape of the index',
    throws: ['BAD_DIM', 'BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: `const logProbabilities = tensor([[-1, -2], [-3, -4]]), labels = tensor([0, 1], { dtype: 'int64' });
logProbabilities.gather(1, labels.unsqueeze(1)) // [[-1], [-4]]`,
    differs: 'An index that is out of range raises an error when a value of the step is read.',
    params: { input, dim: dim('the dim'), index },
    lower: ({ b, trace }, { input, dim, index }) =>
      checkedAlong(b, trace, 'gather', input, dim, index, move.gather(b, input, dim, index)),
  }),
  takeAlongDim: row({
    ...facts,
    summary:
      'Selects elements along a dim at indices such as those of `argsort` and `argmax`; without a dim, in the flattened tensor.',
    details:
      'The other dims are broadcast. An index that is out of range raises an error when a value of the step is read.',
    shape: 'the shape of the index, with the other dims broadcast',
    throws: ['BAD_DIM', 'BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: `const x = tensor([[3, 1, 2]]);
x.takeAlongDim(x.argsort(1), 1) // [[1, 2, 3]]`,
    differs:
      'An index that is out of range raises an error when a value of the step is read. Indices may have any integer type, or be floats with integer values.',
    params: { input, indices: index, dim: optional(dim('the dim; the flattened tensor by default')) },
    lower: ({ b, trace }, { input, indices, dim }) => {
      const op = 'takeAlongDim';
      const [x, index] = move.alignedAlong(b, op, input, indices, dim);
      return checkedAlong(b, trace, op, x, dim ?? 0, index, move.gather(b, x, dim ?? 0, index));
    },
  }),
  split: row({
    ...facts,
    view: 'view',
    result: 'list',
    summary: 'Splits a dim into parts of one size (the last may be smaller), or of the given sizes.',
    shape: 'the shape of the input with the size of the part at `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'const [a, b] = arange(6).split(4); // [0, 1, 2, 3], [4, 5]',
    params: {
      tensor: tensor('the tensor'),
      splitSize: {
        ...intOrInts('the size of all parts, or a size for each'),
        torch: 'split_size_or_sections split_size',
      },
      dim: along,
    },
    lower: ({ b }, { tensor, splitSize, dim }) => arrange.split(b, 'split', tensor, splitSize, dim),
  }),
  chunk: row({
    ...facts,
    view: 'view',
    result: 'list',
    summary: 'Splits a dim into at most `chunks` parts of one size (the last may be smaller).',
    shape: 'the shape of the input with the size of the part at `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'const [scale, shift] = tensor([1, 2, 3, 4]).chunk(2); // [1, 2], [3, 4]',
    params: { input, chunks: int('the number of parts'), dim: along },
    lower: ({ b }, { input, chunks, dim }) => arrange.chunk(b, input, chunks, dim),
  }),
  unbind: row({
    ...facts,
    view: 'view',
    result: 'list',
    summary: 'All entries of a dim, each without that dim.',
    shape: 'the shape of the input without `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'const [x, y] = tensor([[1, 2], [3, 4]]).unbind(-1); // [1, 3], [2, 4]',
    params: { input, dim: along },
    lower: ({ b }, { input, dim }) => arrange.unbind(b, input, dim),
  }),
  cat: row({
    ...facts,
    torch: ['torch.cat', 'torch.concat', 'torch.concatenate'],
    aliases: ['concat', 'concatenate'],
    forms: ['function'],
    summary: 'Concatenates tensors along a dim.',
    shape: 'the shape of the tensors with the sum of their sizes at `dim`',
    dtype: 'promoted',
    throws: ['NO_TENSORS', 'BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'cat([zeros([2, 3]), ones([1, 3])]).shape // [3, 3]',
    params: { tensors: tensors('the tensors'), dim: along },
    lower: ({ b }, { tensors, dim }) => move.cat(b, tensors, dim),
  }),
  stack: row({
    ...facts,
    forms: ['function'],
    summary: 'Stacks tensors of one shape along a new dim.',
    shape: 'the shape of the tensors with their number at `dim`',
    dtype: 'promoted',
    throws: ['NO_TENSORS', 'BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'stack([zeros([3]), ones([3])]).shape // [2, 3]',
    params: { tensors: tensors('the tensors'), dim: along },
    lower: ({ b }, { tensors, dim }) => move.stack(b, tensors, dim),
  }),
  hstack: row({
    ...facts,
    forms: ['function'],
    summary: 'Concatenates tensors along dim 1, vectors along dim 0.',
    shape: 'the shape of the tensors with the sum of their sizes along that dim',
    dtype: 'promoted',
    throws: ['NO_TENSORS', 'SHAPE_MISMATCH'],
    example: 'hstack([ones([2]), zeros([1])]) // [1, 1, 0]',
    params: { tensors: tensors('the tensors') },
    lower: ({ b }, { tensors }) => {
      const wide = tensors.map(x => move.atLeast(b, x, 1));
      return move.cat(b, wide, wide.length > 0 && shapeOf(wide[0]!).length === 1 ? 0 : 1);
    },
  }),
  vstack: row({
    ...facts,
    forms: ['function'],
    summary: 'Stacks tensors vertically: vectors become rows.',
    shape: 'the shape of the tensors with the sum of their sizes along dim 0',
    dtype: 'promoted',
    throws: ['NO_TENSORS', 'SHAPE_MISMATCH'],
    example: 'vstack([ones([2]), zeros([2])]) // [[1, 1], [0, 0]]',
    params: { tensors: tensors('the tensors') },
    lower: ({ b }, { tensors }) =>
      move.cat(
        b,
        tensors.map(x => move.atLeast(b, x, 2)),
        0,
      ),
  }),
  meshgrid: row({
    ...facts,
    forms: ['function'],
    result: 'list',
    summary: 'The coordinates of a grid: one tensor per vector.',
    shape: 'one size per vector, the first two swapped for `xy`',
    throws: ['NO_TENSORS', 'SHAPE_MISMATCH'],
    example:
      "const [y, x] = meshgrid([arange(2), arange(3)], { indexing: 'ij' }); // [[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]",
    params: {
      tensors: tensors('the vectors'),
      indexing: optional(oneOf('the order of the first two dims', ['ij', 'xy']), 'ij'),
    },
    lower: ({ b }, { tensors, indexing }) => move.meshgrid(b, tensors, indexing === 'xy'),
  }),
  unfold: row({
    ...facts,
    forms: ['method'],
    summary: 'Windows of a dim, one every `step` entries, as a new last dim.',
    shape: 'the shape of the input with the number of windows at `dim`, and [size]',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'arange(5).unfold(0, 3, 1) // [[0, 1, 2], [1, 2, 3], [2, 3, 4]]',
    differs: 'The result is a copy, not a view of the input.',
    params: { input, dimension: dim('the dim'), size: int('the length of a window'), step: int('the step') },
    lower: ({ b }, { input, dimension, size, step }) => arrange.windows(b, input, dimension, size, step),
  }),
  splitWithSizes: row({
    ...facts,
    view: 'view',
    result: 'list',
    summary: 'Splits a dim into parts of the given sizes.',
    shape: 'the shape of the input with the sizes at `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'arange(5).splitWithSizes([2, 3]) // [[0, 1], [2, 3, 4]]',
    params: { input, splitSizes: ints('the sizes'), dim: optional(dim('the dim'), 0) },
    lower: ({ b }, { input, splitSizes, dim }) => arrange.split(b, 'splitWithSizes', input, splitSizes, dim),
  }),
});
