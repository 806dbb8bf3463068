// Less common ways to split and combine tensors; tensors with one part replaced.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { wrongArgument } from '../../check-arguments.ts';
import * as arrange from '../../lower/arrange.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as move from '../../lower/move.ts';
import * as pieces from '../../lower/pieces.ts';
import { dim, int, ints, listOfTensors, number, optional, sizes, tensor } from '../params.ts';
import { group, overloaded, row, type UnnamedRow, variant } from '../row.ts';

const input = tensor('the tensor');
const facts = { forms: ['method', 'function'], dtype: 'same', gradient: 'smooth' } as const;
const spellings = (...names: readonly string[]): string[] => names.flatMap(name => [`torch.${name}`, `Tensor.${name}`]);
const together = listOfTensors('the tensors');
const atLeast = (rank: 1 | 2 | 3): UnnamedRow =>
  row({
    ...facts,
    torch: [`torch.atleast_${rank}d`],
    forms: ['function'],
    summary: `The tensor with at least ${rank} dim${rank === 1 ? '' : 's'}.`,
    shape: 'the shape of the input, with dims of size 1 where some are missing',
    example: `atleast${rank}d(tensor(1)) // ${'['.repeat(rank)}1${']'.repeat(rank)}`,
    differs: 'Takes one tensor; for several, call it for each.',
    params: { input },
    lower: ({ b }, { input }) => pieces.atLeast(b, input, rank),
  });
const cut = (
  name: 'hsplit' | 'vsplit' | 'dsplit',
  which: string,
  least: number,
  dimOf: (rank: number) => number,
  example: string,
): UnnamedRow => {
  const parts = (b: Builder, input: Value, by: number | readonly number[]): Value[] => {
    const rank = shapeOf(input).length;
    if (rank < least) move.onlyRank(b, name, input, least);
    return pieces.evenSplit(b, name, input, by, dimOf(rank));
  };
  return overloaded({
    ...facts,
    view: 'view',
    torch: spellings(name),
    summary: `Splits the ${which} dim into equal parts, or at indices.`,
    shape: 'the shape of the input with smaller sizes of the dim',
    throws: ['SHAPE_MISMATCH'],
    example,
    variants: [
      variant({
        params: { input, sections: int('the number of parts') },
        result: 'list',
        lower: ({ b }, { input, sections }) => parts(b, input, sections),
      }),
      variant({
        params: { input, indices: ints('the start of each part but the first') },
        result: 'list',
        lower: ({ b }, { input, indices }) => parts(b, input, indices),
      }),
    ],
  });
};

export const piecesRows = group({
  unfold: row({
    ...facts,
    torch: ['Tensor.unfold'],
    forms: ['method'],
    summary: 'Windows of a dim, one every `step` entries, as a new last dim.',
    shape: 'the shape of the input with the number of windows at `dim`, and [size]',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'arange(5).unfold(0, 3, 1) // [[0, 1, 2], [1, 2, 3], [2, 3, 4]]',
    differs: 'The result is a copy, not a view of the input.',
    params: { input, dimension: dim('the dim'), size: int('the length of a window'), step: int('the step') },
    lower: ({ b }, { input, dimension, size, step }) => pieces.windows(b, input, dimension, size, step),
  }),
  adjoint: row({
    ...facts,
    torch: [...spellings('adjoint')],
    summary: 'The conjugate transposes of matrices.',
    shape: 'the shape of the input with the last two sizes swapped',
    throws: ['SHAPE_MISMATCH'],
    example: 'tensor([[1, 2]]).adjoint() // [[1], [2]]',
    params: { input },
    lower: ({ b }, { input }) => pieces.adjoint(b, 'adjoint', input),
  }),
  atleast1d: atLeast(1),
  atleast2d: atLeast(2),
  atleast3d: atLeast(3),
  blockDiag: row({
    ...facts,
    torch: ['torch.block_diag'],
    forms: ['function'],
    dtype: 'promoted',
    summary: 'A block-diagonal matrix.',
    shape: 'the sums of the sizes',
    throws: ['SHAPE_MISMATCH'],
    example: 'blockDiag(tensor([[1]]), tensor([[2, 3]])) // [[1, 0, 0], [0, 2, 3]]',
    params: { tensors: together },
    lower: ({ b }, { tensors }) => pieces.blockDiagonal(b, tensors),
  }),
  columnStack: row({
    ...facts,
    torch: ['torch.column_stack'],
    forms: ['function'],
    dtype: 'promoted',
    summary: 'Concatenates tensors along dim 1; vectors become columns.',
    shape: 'the sum of the sizes at dim 1',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: 'columnStack(tensor([1, 2]), tensor([3, 4])) // [[1, 3], [2, 4]]',
    params: { tensors: together },
    lower: ({ b }, { tensors }) => move.cat(b, pieces.asColumns(b, tensors), 1),
  }),
  dstack: row({
    ...facts,
    torch: ['torch.dstack'],
    forms: ['function'],
    dtype: 'promoted',
    summary: 'Concatenates tensors along dim 2.',
    shape: 'the sum of the sizes at dim 2',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: 'dstack(tensor([1, 2]), tensor([3, 4])) // [[[1, 3], [2, 4]]]',
    params: { tensors: together },
    lower: ({ b }, { tensors }) =>
      move.cat(
        b,
        tensors.map(x => pieces.atLeast(b, x, 3)),
        2,
      ),
  }),
  tensorSplit: overloaded({
    ...facts,
    view: 'view',
    torch: spellings('tensor_split'),
    summary: 'Splits a dim into parts whose sizes differ by at most 1, or at indices.',
    shape: 'the shape of the input with smaller sizes at `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'arange(5).tensorSplit(2) // [[0, 1, 2], [3, 4]]',
    variants: [
      variant({
        params: { input, sections: int('the number of parts'), dim: optional(dim('the dim'), 0) },
        result: 'list',
        lower: ({ b }, { input, sections, dim }) => pieces.tensorSplit(b, 'tensorSplit', input, sections, dim),
      }),
      variant({
        params: { input, indices: ints('the start of each part but the first'), dim: optional(dim('the dim'), 0) },
        result: 'list',
        lower: ({ b }, { input, indices, dim }) => pieces.tensorSplit(b, 'tensorSplit', input, indices, dim),
      }),
    ],
  }),
  hsplit: cut(
    'hsplit',
    'second (for a vector, the only)',
    1,
    rank => (rank === 1 ? 0 : 1),
    'const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]',
  ),
  vsplit: cut(
    'vsplit',
    'first',
    2,
    () => 0,
    'const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]',
  ),
  dsplit: cut(
    'dsplit',
    'third',
    3,
    () => 2,
    `const [a, b] = zeros(2, 3, 4).dsplit(2);
a!.shape // [2, 3, 2]`,
  ),
  splitWithSizes: row({
    ...facts,
    view: 'view',
    torch: spellings('split_with_sizes'),
    result: 'list',
    summary: 'Splits a dim into parts of the given sizes.',
    shape: 'the shape of the input with the sizes at `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'arange(5).splitWithSizes([2, 3]) // [[0, 1], [2, 3, 4]]',
    params: { input, splitSizes: ints('the sizes'), dim: optional(dim('the dim'), 0) },
    lower: ({ b }, { input, splitSizes, dim }) => arrange.split(b, 'splitWithSizes', input, splitSizes, dim),
  }),
  rot90: row({
    ...facts,
    torch: spellings('rot90'),
    summary: 'Quarter turns of two dims, from the first towards the second.',
    shape: 'the shape of the input, with the two sizes swapped for an odd number of turns',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'tensor([[1, 2], [3, 4]]).rot90() // [[2, 4], [1, 3]]',
    params: { input, k: optional(int('the number of quarter turns'), 1), dims: optional(ints('the two dims'), [0, 1]) },
    lower: ({ b }, { input, k, dims }) => pieces.quarterTurns(b, input, k, dims),
  }),
  diagflat: row({
    ...facts,
    torch: spellings('diagflat'),
    summary: 'A matrix with the elements on a diagonal, and zeros elsewhere.',
    shape: '[n, n], where n is the number of elements plus the absolute value of the offset',
    example: 'tensor([[1, 2]]).diagflat() // [[1, 0], [0, 2]]',
    params: { input, offset: optional(int('the diagonal: above the main one if positive, below if negative'), 0) },
    lower: ({ b }, { input, offset }) => arrange.diagEmbed(b, 'diagflat', move.reshape(b, input, [-1]), offset, 0, 1),
  }),
  selectScatter: row({
    ...facts,
    torch: spellings('select_scatter'),
    summary: 'A copy with one entry of a dim replaced.',
    shape: 'the shape of the input',
    throws: ['BAD_DIM', 'OUT_OF_RANGE', 'SHAPE_MISMATCH'],
    example: 'zeros([2, 2]).selectScatter(ones([2]), 0, 1) // [[0, 0], [1, 1]]',
    params: { input, src: tensor('the new entry'), dim: dim('the dim'), index: int('which entry') },
    lower: ({ b }, { input, src, dim, index }) => {
      const shape = shapeOf(move.select(b, input, dim, index));
      const part = move.unsqueeze(b, pieces.ofShape(b, 'selectScatter', src, shape), dim);
      const size = shapeOf(input).at(dim)!;
      const from = index < 0 ? index + size : index;
      return pieces.replaceSlice(b, 'selectScatter', input, part, [dim, from, from + 1, 1]);
    },
  }),
  sliceScatter: row({
    ...facts,
    torch: spellings('slice_scatter'),
    summary: 'A copy with the entries start, start + step, … of a dim replaced.',
    shape: 'the shape of the input',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'zeros([4]).sliceScatter(ones([2]), 0, 1, 3) // [0, 1, 1, 0]',
    params: {
      input,
      src: tensor('the new entries'),
      dim: optional(dim('the dim'), 0),
      start: optional(int('the first entry'), 0),
      end: optional(int('the end; that of the dim by default')),
      step: optional(int('the step'), 1),
    },
    lower: ({ b }, { input, src, dim, start, end, step }) =>
      pieces.replaceSlice(b, 'sliceScatter', input, src, [dim, start, end ?? Number.MAX_SAFE_INTEGER, step]),
  }),
  diagonalScatter: row({
    ...facts,
    torch: spellings('diagonal_scatter'),
    summary: 'A copy with a diagonal replaced.',
    shape: 'the shape of the input',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'zeros([2, 2]).diagonalScatter(ones([2])) // [[1, 0], [0, 1]]',
    params: {
      input,
      src: tensor('the new diagonal'),
      offset: optional(int('the diagonal'), 0),
      dim1: optional(dim('the one dim'), 0),
      dim2: optional(dim('the other dim'), 1),
    },
    lower: ({ b }, { input, src, offset, dim1, dim2 }) =>
      pieces.replaceDiagonal(b, 'diagonalScatter', input, src, [offset, dim1, dim2]),
  }),
  fillDiagonal: row({
    ...facts,
    torch: ['Tensor.fill_diagonal_'],
    forms: ['inPlace'],
    summary: 'Fills the main diagonal of a matrix with a number.',
    shape: 'the shape of the input',
    throws: ['SHAPE_MISMATCH'],
    example: 'zeros(2, 2).fillDiagonal_(-Infinity) // [[-Infinity, 0], [0, -Infinity]]',
    differs: 'For matrices only, and without `wrap`.',
    params: { input, fillValue: number('the number') },
    lower: ({ b }, { input, fillValue }) => {
      const x = move.onlyRank(b, 'fillDiagonal_', input, 2);
      const index = { ...tensorTypeOf(x), elementType: 'i32' } as const;
      const isOn = b.compare('EQ', b.iota(index, 0), b.iota(index, 1));
      return elementwise.maskedFill(b, x, isOn, fillValue);
    },
  }),
  sumToSize: row({
    ...facts,
    dtype: 'total',
    torch: ['Tensor.sum_to_size'],
    forms: ['method'],
    summary: 'Sums over the dims that broadcasting from the size would add or repeat.',
    shape: 'the size',
    throws: ['SHAPE_MISMATCH'],
    example: 'ones([2, 3]).sumToSize(1, 3) // [[2, 2, 2]]',
    params: { input, size: sizes('the size') },
    lower: ({ b }, { input, size }) => pieces.sumTo(b, input, size),
  }),
  unravelIndex: row({
    ...facts,
    torch: ['torch.unravel_index'],
    forms: ['function'],
    result: 'list',
    dtype: 'index',
    gradient: 'none',
    summary: 'Converts indices into a flattened tensor to coordinates of the given shape.',
    shape: 'the shape of the indices, once for each dim',
    example: "unravelIndex(tensor([4], { dtype: 'int64' }), [2, 3]) // [[1], [1]]",
    params: {
      indices: tensor('indices into the flattened tensor'),
      shape: ints('the shape of the unflattened tensor'),
    },
    throws: ['BAD_DTYPE', 'WRONG_ARGUMENT'],
    lower: ({ b }, { indices, shape }) => {
      if (shape.some(size => size < 1)) throw wrongArgument({ call: 'unravelIndex', argument: 'shape' }, shape, 'sizes of at least 1'); // biome-ignore format: one line
      return pieces.coordinates(b, b.convert(elementwise.noFloats(b, 'unravelIndex', indices), 'i64'), shape);
    },
  }),
});
