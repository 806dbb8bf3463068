// Shapes, splits and stacks by names that NumPy has too.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { wrongArgument } from '../../check-arguments.ts';
import * as arrange from '../../lower/arrange.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as move from '../../lower/move.ts';
import * as shapes from '../../lower/numpy-shapes.ts';
import { dim, int, ints, listOfTensors, optional, tensor } from '../params.ts';
import { group, overloaded, row, spellings, type UnnamedRow, variant } from '../row.ts';

const input = tensor('the tensor');
const facts = { forms: ['method', 'function'], dtype: 'same', gradient: 'smooth' } as const;
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
    lower: ({ b }, { input }) => shapes.atLeast(b, input, rank),
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
    return shapes.evenSplit(b, name, input, by, dimOf(rank));
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

export const numpyShapes = group({
  atleast1d: atLeast(1),
  atleast2d: atLeast(2),
  atleast3d: atLeast(3),
  blockDiag: row({
    ...facts,
    forms: ['function'],
    dtype: 'promoted',
    summary: 'A block-diagonal matrix.',
    shape: 'the sums of the sizes',
    throws: ['SHAPE_MISMATCH'],
    example: 'blockDiag(tensor([[1]]), tensor([[2, 3]])) // [[1, 0, 0], [0, 2, 3]]',
    params: { tensors: together },
    lower: ({ b }, { tensors }) => shapes.blockDiagonal(b, tensors),
  }),
  columnStack: row({
    ...facts,
    forms: ['function'],
    dtype: 'promoted',
    summary: 'Concatenates tensors along dim 1; vectors become columns.',
    shape: 'the sum of the sizes at dim 1',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: 'columnStack(tensor([1, 2]), tensor([3, 4])) // [[1, 3], [2, 4]]',
    params: { tensors: together },
    lower: ({ b }, { tensors }) => move.cat(b, shapes.asColumns(b, tensors), 1),
  }),
  dstack: row({
    ...facts,
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
        tensors.map(x => shapes.atLeast(b, x, 3)),
        2,
      ),
  }),
  tensorSplit: overloaded({
    ...facts,
    view: 'view',
    summary: 'Splits a dim into parts whose sizes differ by at most 1, or at indices.',
    shape: 'the shape of the input with smaller sizes at `dim`',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'arange(5).tensorSplit(2) // [[0, 1, 2], [3, 4]]',
    variants: [
      variant({
        params: { input, sections: int('the number of parts'), dim: optional(dim('the dim'), 0) },
        result: 'list',
        lower: ({ b }, { input, sections, dim }) => shapes.tensorSplit(b, 'tensorSplit', input, sections, dim),
      }),
      variant({
        params: { input, indices: ints('the start of each part but the first'), dim: optional(dim('the dim'), 0) },
        result: 'list',
        lower: ({ b }, { input, indices, dim }) => shapes.tensorSplit(b, 'tensorSplit', input, indices, dim),
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
  rot90: row({
    ...facts,
    summary: 'Quarter turns of two dims, from the first towards the second.',
    shape: 'the shape of the input, with the two sizes swapped for an odd number of turns',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'tensor([[1, 2], [3, 4]]).rot90() // [[2, 4], [1, 3]]',
    params: { input, k: optional(int('the number of quarter turns'), 1), dims: optional(ints('the two dims'), [0, 1]) },
    lower: ({ b }, { input, k, dims }) => shapes.quarterTurns(b, input, k, dims),
  }),
  diagflat: row({
    ...facts,
    summary: 'A matrix with the elements on a diagonal, and zeros elsewhere.',
    shape: '[n, n], where n is the number of elements plus the absolute value of the offset',
    example: 'tensor([[1, 2]]).diagflat() // [[1, 0], [0, 2]]',
    params: { input, offset: optional(int('the diagonal: above the main one if positive, below if negative'), 0) },
    lower: ({ b }, { input, offset }) => arrange.diagEmbed(b, 'diagflat', move.reshape(b, input, [-1]), offset, 0, 1),
  }),
  unravelIndex: row({
    ...facts,
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
      return shapes.coordinates(b, b.convert(elementwise.noFloats(b, 'unravelIndex', indices), 'i64'), shape);
    },
  }),
});
