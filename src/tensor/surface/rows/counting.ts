// Counts and membership, covariances, products of sets.
import * as counting from '../../lower/counting.ts';
import { byName, count, dim, flag, int, listOfTensors, number, optional, spelled, tensor } from '../params.ts';
import { group, overloaded, row, variant } from '../row.ts';

const input = tensor('the tensor');
const along = optional(dim('the dim'), -1);
const smooth = { dtype: 'float', gradient: 'smooth' } as const;

export const countingRows = group({
  isin: row({
    forms: ['function'],
    summary: 'Whether each element is among those of another tensor.',
    details: 'The test elements are sorted, then searched by bisection. NaN is not equal to NaN.',
    shape: 'the shape of the elements',
    dtype: 'boolean',
    gradient: 'none',
    example: 'isin(tensor([1, 2, 3]), tensor([3, 1])) // [true, false, true]',
    params: {
      elements: tensor('the elements'),
      testElements: tensor('the elements to search'),
      assumeUnique: byName(optional(flag('accepted for compatibility; has no effect'), false)),
      invert: byName(optional(flag('invert the result'), false)),
    },
    lower: ({ b }, { elements, testElements, invert }) => counting.isIn(b, elements, testElements, invert),
  }),
  histc: row({
    forms: ['method', 'function'],
    summary: 'The number of elements in each of several bins of equal width; elements outside the range are ignored.',
    details: 'If min and max are both 0, the bins span the smallest to the largest element.',
    shape: '[bins]',
    dtype: 'same',
    gradient: 'none',
    throws: ['BAD_DTYPE', 'WRONG_ARGUMENT'],
    example: 'tensor([1, 2, 1]).histc(4, 0, 3) // [0, 2, 1, 0]',
    params: {
      input,
      bins: optional(int('the number of bins'), 100),
      min: optional(number('the lower end'), 0),
      max: optional(number('the upper end'), 0),
    },
    lower: ({ b }, { input, bins, min, max }) => counting.histogram(b, input, bins, min, max),
  }),
  cov: row({
    ...smooth,
    forms: ['method', 'function'],
    summary: 'The covariance matrix of variables, whose observations are rows.',
    shape: '[variables, variables]; no dims for one row',
    throws: ['SHAPE_MISMATCH'],
    differs: 'Weights of observations are not supported.',
    example: 'tensor([[0, 1, 2], [2, 1, 0]]).cov() // [[1, -1], [-1, 1]]',
    params: { input, correction: byName(optional(int('subtracted from the number of observations'), 1)) },
    lower: ({ b }, { input, correction }) => counting.covariance(b, input, correction),
  }),
  corrcoef: row({
    ...smooth,
    forms: ['method', 'function'],
    summary: 'The correlation matrix of variables, whose observations are rows.',
    shape: '[variables, variables]; no dims for one row',
    throws: ['SHAPE_MISMATCH'],
    example: 'tensor([[0, 1, 2], [2, 1, 0]]).corrcoef() // [[1, -1], [-1, 1]]',
    params: { input },
    lower: ({ b }, { input }) => counting.correlation(b, input),
  }),
  trapezoid: overloaded({
    ...smooth,
    dtype: 'promotedFloat',
    torch: ['torch.trapezoid', 'torch.trapz'],
    aliases: ['trapz'],
    forms: ['function'],
    summary: 'The integral along a dim by the trapezoidal rule, over points x or with a constant spacing dx.',
    shape: 'the shape of y without the dim',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'trapezoid(tensor([1, 2, 3])) // 4',
    variants: [
      variant({
        params: { y: tensor('the values'), x: tensor('the points'), dim: along },
        lower: ({ b }, { y, x, dim }) => counting.trapezoid(b, y, x, dim),
      }),
      variant({
        params: { y: tensor('the values'), dx: byName(optional(number('the step'), 1)), dim: spelled('dim', along) },
        lower: ({ b }, { y, dx, dim }) => counting.trapezoid(b, y, dx, dim),
      }),
    ],
  }),
  vander: row({
    forms: ['function'],
    summary: 'The powers of a vector as columns (the Vandermonde matrix), in descending order by default.',
    shape: '[n, columns]',
    dtype: 'total',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    differs: 'Differentiable for more than two columns, too; PyTorch raises an error.',
    example: 'vander(tensor([2, 3]), 3) // [[4, 2, 1], [9, 3, 1]]',
    params: {
      x: tensor('the vector'),
      columns: spelled('N', optional(count('the number of columns; by default that of rows'))),
      increasing: optional(flag('ascending powers'), false),
    },
    lower: ({ b }, { x, columns, increasing }) => counting.vander(b, x, columns ?? counting.sizeOf(x), increasing),
  }),
  cartesianProd: row({
    forms: ['function'],
    summary: 'The Cartesian product of vectors.',
    shape: '[tuples, vectors]; a single vector is returned unchanged',
    dtype: 'same',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    example: 'cartesianProd(tensor([1, 2]), tensor([3, 4])) // [[1, 3], [1, 4], [2, 3], [2, 4]]',
    params: { tensors: listOfTensors('the vectors') },
    lower: ({ b }, { tensors }) => counting.cartesianProduct(b, tensors),
  }),
  combinations: row({
    forms: ['function'],
    summary: 'All combinations of `r` elements of a vector.',
    shape: '[ways, r]',
    dtype: 'same',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    example: 'combinations(tensor([1, 2, 3])) // [[1, 2], [1, 3], [2, 3]]',
    params: {
      input: tensor('the vector'),
      r: optional(count('the number of entries'), 2),
      withReplacement: optional(flag('whether an element may be chosen more than once'), false),
    },
    lower: ({ b }, { input, r, withReplacement }) => counting.combinations(b, input, r, withReplacement),
  }),
});
