// Eigenvalues, singular values, norms, and functions based on them; powers and exponentials of matrices.
import { shapeOf, type Value } from '../../../hlo/program.ts';
import * as arrange from '../../lower/arrange.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as matrixFunctions from '../../lower/linalg/functions.ts';
import * as linalgNorms from '../../lower/linalg/norms.ts';
import * as spectral from '../../lower/linalg/spectral.ts';
import { matmul } from '../../lower/matmul.ts';
import { inWide, typeOf } from '../../lower/narrow.ts';
import * as norms from '../../lower/norms.ts';
import { dimOf } from '../../lower/shapes.ts';
import {
  byName,
  continuousType,
  dim,
  dims,
  flag,
  int,
  matrixNormOrder,
  number,
  oneOf,
  optional,
  spelled,
  tensor,
} from '../params.ts';
import { group, row, spellings } from '../row.ts';

const facts = { dtype: 'same', gradient: 'smooth', throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'] } as const;
const matrix = tensor('the matrix, or a batch of matrices');
const symmetricMatrix = tensor('the symmetric matrix, or a batch of them');
const triangle = optional(oneOf("the triangle that is read: 'L' or 'U'", ['L', 'U']), 'L');
const fullMatrices = optional(flag('whether U and V are square'), true);
const tolerances = {
  atol: byName(optional(number('singular values up to this threshold count as 0'))),
  rtol: byName(optional(number('the same, relative to the largest one; max(rows, columns) · ε by default'))),
  hermitian: byName(optional(flag('whether the matrix is symmetric; if so, only its lower triangle is read'), false)),
};
const keepDim = optional(spelled('keepdim', flag('whether to keep the reduced dims, with size 1')), false);
const given = byName(optional(continuousType('the data type to convert the elements to first')));

export const spectra = group({
  eigh: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.eigh'],
    result: ['eigenvalues', 'eigenvectors'],
    freeSigns: [[1, -1]],
    summary: 'The eigenvalues of symmetric matrices, the smallest first, and orthogonal eigenvectors as columns.',
    details:
      'By Householder reflections and QL iterations, in f64. The sign of an eigenvector is arbitrary. The gradient of eigenvectors exists where no two eigenvalues are equal.',
    shape: '[n] and [n, n], after the leading dims',
    example: `const { eigenvalues, eigenvectors } = linalg.eigh(tensor([[2, 1], [1, 2]]));
eigenvalues // [1, 3]`,
    params: { A: symmetricMatrix, UPLO: triangle },
    lower: (c, { A, UPLO }) => spectral.eigh(c, 'linalg.eigh', A, UPLO === 'U'),
  }),
  eigvalsh: row({
    ...facts,
    dtype: 'part',
    forms: ['linalg'],
    torch: ['torch.linalg.eigvalsh'],
    summary: 'The eigenvalues of symmetric matrices, the smallest first.',
    shape: '[n], after the leading dims',
    example: 'linalg.eigvalsh(tensor([[2, 1], [1, 2]])) // [1, 3]',
    params: { A: symmetricMatrix, UPLO: triangle },
    lower: (c, { A, UPLO }) => spectral.hermitianValues(c, 'linalg.eigvalsh', A, UPLO === 'U'),
  }),
  linalgSvd: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.svd'],
    result: ['U', 'S', 'Vh'],
    freeSigns: [
      [0, -1],
      [2, -2],
    ],
    summary:
      'Singular values, the largest first, and matrices with orthonormal columns and rows: A = U · diag(S) · Vh.',
    details:
      'By Householder reflections and QR iterations, in f64. The sign of a pair of singular vectors is arbitrary. The gradient of singular vectors exists ' +
      'where no two singular values are equal, and for square U and V of square matrices only.',
    shape: '[rows, k], [k] and [k, columns] with k = min(rows, columns); U and Vh are square with `fullMatrices`',
    example: `const { U, S, Vh } = linalg.svd(tensor([[3, 0], [0, 4], [0, 0]]), { fullMatrices: false });
S // [4, 3]
U.shape // [3, 2]`,
    params: { A: matrix, fullMatrices },
    lower: (c, { A, fullMatrices }) => spectral.svd(c, 'linalg.svd', A, fullMatrices),
  }),
  svd: row({
    ...facts,
    forms: ['method', 'function'],
    result: ['U', 'S', 'V'],
    freeSigns: [
      [0, -1],
      [2, -1],
    ],
    summary: 'Singular values, with V as columns; see `linalg.svd`.',
    shape: '[rows, k], [k] and [columns, k] with k = min(rows, columns); U and V are square without `some`',
    example: `const { U, S, V } = tensor([[3, 0], [0, 4]]).svd();
S // [4, 3]
U.matmul(S.diag()).matmul(V.t()) // [[3, 0], [0, 4]]`,
    params: { input: matrix, some: optional(flag('false for square U and V'), true) },
    lower: (c, { input, some }) => {
      const [u, s, vh] = spectral.svd(c, 'svd', input, !some);
      const rank = shapeOf(vh).length;
      const order = shapeOf(vh).map((_, d) => (d === rank - 1 ? rank - 2 : d === rank - 2 ? rank - 1 : d));
      return [u, s, c.b.transpose(vh, order)];
    },
  }),
  svdvals: row({
    ...facts,
    dtype: 'part',
    forms: ['linalg'],
    torch: ['torch.linalg.svdvals'],
    summary: 'Singular values, the largest first.',
    shape: '[min(rows, columns)], after the leading dims',
    example: 'linalg.svdvals(tensor([[3, 0], [0, 4]])) // [4, 3]',
    params: { A: matrix },
    lower: (c, { A }) => spectral.singularValues(c, 'linalg.svdvals', A),
  }),
  pinv: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.pinv'],
    summary: 'The Moore-Penrose pseudo-inverse.',
    shape: 'the shape of the input, with rows and columns swapped',
    example: 'linalg.pinv(tensor([[2, 0], [0, 4], [0, 0]])) // [[0.5, 0, 0], [0, 0.25, 0]]',
    params: { A: matrix, ...tolerances },
    lower: (c, { A, atol, rtol, hermitian }) => spectral.pseudoInverse(c, 'linalg.pinv', A, atol, rtol, hermitian),
  }),
  pinverse: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The Moore-Penrose pseudo-inverse; see `linalg.pinv`.',
    shape: 'the shape of the input, with rows and columns swapped',
    example: 'tensor([[2, 0], [0, 4], [0, 0]]).pinverse() // [[0.5, 0, 0], [0, 0.25, 0]]',
    params: {
      input: matrix,
      rcond: optional(number('singular values up to this threshold, relative to the largest, count as 0'), 1e-15),
    },
    lower: (c, { input, rcond }) => spectral.pseudoInverse(c, 'pinverse', input, undefined, rcond, false),
  }),
  matrixRank: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.matrix_rank'],
    dtype: 'index',
    gradient: 'none',
    summary: 'The rank of a matrix: the number of nonzero singular values.',
    shape: 'the leading dims',
    example: 'linalg.matrixRank(tensor([[1, 2], [2, 4]])) // 1',
    params: { A: matrix, ...tolerances },
    lower: (c, { A, atol, rtol, hermitian }) => spectral.rank(c, 'linalg.matrixRank', A, atol, rtol, hermitian),
  }),
  cond: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.cond'],
    summary: 'The condition number: the norm of the matrix times the norm of its inverse.',
    shape: 'the leading dims',
    throws: ['SHAPE_MISMATCH', 'BAD_DTYPE', 'WRONG_ARGUMENT'],
    example: 'linalg.cond(tensor([[2, 0], [0, 4]])) // 2',
    params: { A: matrix, p: optional(matrixNormOrder('the norm, as in `linalg.matrixNorm`; 2 by default')) },
    lower: (c, { A, p }) => linalgNorms.condition(c, A, p),
  }),
  lstsq: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.lstsq'],
    result: ['solution', 'residuals', 'rank', 'singularValues'],
    summary:
      'The least-squares solution: the X that minimizes ‖A · X − B‖; if there are several, the one with the smallest norm.',
    details:
      "By the pseudo-inverse. Residuals and singular values are empty, as with PyTorch's default driver on a CPU.",
    shape: '[columns, k] for B of [rows, k], after the leading dims',
    differs:
      'The rank is that of the singular values; PyTorch’s default driver takes it from a QR decomposition with pivots.',
    example: `const x = tensor([[1, 0], [1, 1], [1, 2]]), y = tensor([[1], [3], [5]]);
linalg.lstsq(x, y).solution // [[1], [2]]`,
    params: {
      A: matrix,
      B: tensor('the right-hand side'),
      rcond: optional(number('singular values up to this threshold, relative to the largest, count as 0')),
    },
    lower: (c, { A, B, rcond }) => {
      const [solution, rank] = spectral.leastSquares(c, 'linalg.lstsq', A, B, rcond);
      const none = (): Value => c.b.fill(typeOf(c.b.unary('abs', solution)), [0], 0);
      return [solution, none(), rank, none()];
    },
  }),
  vectorNorm: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.vector_norm'],
    gradient: 'almost everywhere',
    throws: ['BAD_DIM', 'EMPTY_REDUCTION'],
    summary: 'The p-norm of vectors: of all elements, or over dims.',
    shape: 'the shape of the input without the dims',
    example: 'linalg.vectorNorm(tensor([3, 4])) // 5',
    params: {
      x: tensor('the tensor'),
      ord: optional(number('the order: any number, Infinity or -Infinity'), 2),
      dim: optional(dims('the dims; all of them by default')),
      keepDim,
      dtype: given,
    },
    lower: ({ b }, { x, ord, dim, keepDim, dtype }) =>
      linalgNorms.vectorNorm(b, dtype === undefined ? x : b.convert(x, dtype), ord, dim, keepDim),
  }),
  matrixNorm: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.matrix_norm'],
    gradient: 'almost everywhere',
    throws: ['SHAPE_MISMATCH', 'BAD_DIM', 'BAD_DTYPE', 'WRONG_ARGUMENT'],
    summary: 'A norm of matrices.',
    details:
      "'fro' is the square root of the sum of squares, 'nuc' the sum of singular values, 2 and -2 the largest and smallest singular " +
      'value, 1 and -1 the largest and smallest sum of a column, Infinity and -Infinity those of a row (of absolute values).',
    shape: 'the shape of the input without the two dims',
    example: "linalg.matrixNorm(tensor([[3, 0], [0, 4]]), 'nuc') // 7",
    params: {
      A: matrix,
      ord: optional(matrixNormOrder('the norm'), 'fro' as const),
      dim: optional(dims('the dims of rows and columns'), [-2, -1]),
      keepDim,
      dtype: given,
    },
    lower: (c, { A, ord, dim, keepDim, dtype }) =>
      linalgNorms.matrixNorm(
        c,
        'linalg.matrixNorm',
        dtype === undefined ? A : c.b.convert(A, dtype),
        ord,
        dim,
        keepDim,
      ),
  }),
  linalgNorm: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.norm'],
    gradient: 'almost everywhere',
    throws: ['SHAPE_MISMATCH', 'BAD_DIM', 'BAD_DTYPE', 'WRONG_ARGUMENT'],
    summary: 'A norm of vectors or matrices: of vectors over one dim, of matrices over two.',
    details:
      'Without an order, the Euclidean norm of all elements, or over the dims. The orders are those of `linalg.vectorNorm` and `linalg.matrixNorm`.',
    shape: 'the shape of the input without the dims',
    example: 'linalg.norm(tensor([[3, 4], [6, 8]]), { dim: -1 }) // [5, 10]',
    params: {
      A: tensor('the tensor'),
      ord: optional(matrixNormOrder('the order')),
      dim: optional(dims('the dims; all of them by default')),
      keepDim,
      dtype: given,
    },
    lower: (c, { A, ord, dim, keepDim, dtype }) =>
      linalgNorms.norm(c, dtype === undefined ? A : c.b.convert(A, dtype), ord, dim, keepDim),
  }),
  matrixPower: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.matrix_power', ...spellings('matrix_power')],
    summary: 'An integer power of a square matrix; negative powers use the inverse.',
    shape: 'the shape of the input',
    example: 'tensor([[1, 1], [0, 1]]).matrixPower(3) // [[1, 3], [0, 1]]',
    params: { input: tensor('the square matrix, or a batch of them'), n: int('the power') },
    lower: (c, { input, n }) => matrixFunctions.power(c, 'matrixPower', input, n),
  }),
  matrixExp: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.matrix_exp', ...spellings('matrix_exp')],
    summary: 'The exponential of a square matrix.',
    shape: 'the shape of the input',
    example: 'tensor([[0, 1], [0, 0]]).matrixExp() // [[1, 1], [0, 1]]',
    params: { input: tensor('the square matrix, or a batch of them') },
    lower: (c, { input }) => matrixFunctions.exponential(c, 'matrixExp', input),
  }),
  vecdot: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.vecdot'],
    dtype: 'promoted',
    throws: ['SHAPE_MISMATCH', 'BAD_DIM'],
    summary: 'Sums of products along a dim.',
    shape: 'the shape of both together without the dim',
    example: 'linalg.vecdot(tensor([1, 2]), tensor([3, 4])) // 11',
    params: {
      x: tensor('the left operand'),
      y: tensor('the right operand'),
      dim: byName(optional(dim('the dim'), -1)),
    },
    lower: ({ b }, { x, y, dim }) => {
      const product = elementwise.binary(b, 'multiply', 'linalg.vecdot', x, y);
      return inWide(b, product, w => b.sum(w, [dimOf(b, 'linalg.vecdot', shapeOf(w), dim)]));
    },
  }),
  linalgCross: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.cross'],
    dtype: 'promoted',
    throws: ['SHAPE_MISMATCH', 'BAD_DIM'],
    summary: 'The cross product of vectors of three elements.',
    shape: 'the broadcast shape of both',
    example: 'linalg.cross(tensor([1, 0, 0]), tensor([0, 1, 0])) // [0, 0, 1]',
    params: {
      input: tensor('the left operand'),
      other: tensor('the right operand'),
      dim: byName(optional(dim('the dim of size 3'), -1)),
    },
    lower: ({ b }, { input, other, dim }) => norms.cross(b, input, other, dim),
  }),
  linalgDiagonal: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.diagonal'],
    throws: ['SHAPE_MISMATCH', 'BAD_DIM'],
    summary: 'A diagonal of each matrix.',
    shape: 'the shape of the input without the two dims, then the length of the diagonal',
    example: 'linalg.diagonal(zeros([2, 3, 3])).shape // [2, 3]',
    params: {
      A: matrix,
      offset: byName(optional(int('above (positive) or below the main diagonal'), 0)),
      dim1: byName(optional(dim('the dim of rows'), -2)),
      dim2: byName(optional(dim('the dim of columns'), -1)),
    },
    lower: ({ b }, { A, offset, dim1, dim2 }) => arrange.diagonal(b, 'linalg.diagonal', A, offset, dim1, dim2),
  }),
  linalgMatmul: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.matmul'],
    dtype: 'promoted',
    throws: ['SHAPE_MISMATCH'],
    summary: 'The matrix product; see `matmul`.',
    shape: 'broadcast leading dims, rows of the left, columns of the right; a vector has no rows or columns',
    example: 'linalg.matmul(tensor([[1, 2]]), tensor([[3], [4]])) // [[11]]',
    params: { input: tensor('the left operand'), other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => matmul(b, input, other),
  }),
});
