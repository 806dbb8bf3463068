// Copies with one part replaced: an entry, a slice or a diagonal.
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as move from '../../lower/move.ts';
import { ofShape, replaceDiagonal, replaceSlice } from '../../lower/replaced-parts.ts';
import { dim, int, number, optional, tensor } from '../params.ts';
import { group, row } from '../row.ts';

const input = tensor('the tensor');
const facts = {
  forms: ['method', 'function'],
  shape: 'the shape of the input',
  dtype: 'same',
  gradient: 'smooth',
  throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
} as const;

export const replacedParts = group({
  selectScatter: row({
    ...facts,
    summary: 'A copy with one entry of a dim replaced.',
    throws: ['BAD_DIM', 'OUT_OF_RANGE', 'SHAPE_MISMATCH'],
    example: 'zeros([2, 2]).selectScatter(ones([2]), 0, 1) // [[0, 0], [1, 1]]',
    params: { input, src: tensor('the new entry'), dim: dim('the dim'), index: int('which entry') },
    lower: ({ b }, { input, src, dim, index }) => {
      const shape = shapeOf(move.select(b, input, dim, index));
      const part = move.unsqueeze(b, ofShape(b, 'selectScatter', src, shape), dim);
      const size = shapeOf(input).at(dim)!;
      const from = index < 0 ? index + size : index;
      return replaceSlice(b, 'selectScatter', input, part, [dim, from, from + 1, 1]);
    },
  }),
  sliceScatter: row({
    ...facts,
    summary: 'A copy with the entries start, start + step, … of a dim replaced.',
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
      replaceSlice(b, 'sliceScatter', input, src, [dim, start, end ?? Number.MAX_SAFE_INTEGER, step]),
  }),
  diagonalScatter: row({
    ...facts,
    summary: 'A copy with a diagonal replaced.',
    example: 'zeros([2, 2]).diagonalScatter(ones([2])) // [[1, 0], [0, 1]]',
    params: {
      input,
      src: tensor('the new diagonal'),
      offset: optional(int('the diagonal'), 0),
      dim1: optional(dim('the one dim'), 0),
      dim2: optional(dim('the other dim'), 1),
    },
    lower: ({ b }, { input, src, offset, dim1, dim2 }) =>
      replaceDiagonal(b, 'diagonalScatter', input, src, [offset, dim1, dim2]),
  }),
  fillDiagonal: row({
    ...facts,
    torch: ['Tensor.fill_diagonal_'],
    forms: ['inPlace'],
    summary: 'Fills the main diagonal of a matrix with a number.',
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
});
