// Decompositions into triangular matrices, and the systems and inverses that they solve, of tensors too.

import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { elementCount } from '../../../hlo/types.ts';
import { wrongArgument } from '../../check-arguments.ts';
import * as of from '../../lower/linalg/batches.ts';
import * as cholesky from '../../lower/linalg/cholesky.ts';
import * as lu from '../../lower/linalg/lu.ts';
import * as qr from '../../lower/linalg/qr.ts';
import * as move from '../../lower/move.ts';
import { typeOf } from '../../lower/narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from '../../lower/shapes.ts';
import { byName, count, flag, int, ints, oneOf, optional, spelled, tensor } from '../params.ts';
import { group, row, spellings } from '../row.ts';

const facts = { dtype: 'same', gradient: 'smooth', throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'] } as const;
const matrix = tensor('the matrix, or a batch of matrices');
const square = tensor('the square matrix, or a batch of them');
const isUpper = optional(flag('whether the upper triangle is used'), false);
const sides = { left: byName(optional(flag('whether the unknown is on the right of the matrix'), true)) };
const singular = 'Singular matrices give infinities or NaN, because compiled programs cannot raise errors.';

function toTheEnd(b: Builder, x: Value, dims: readonly number[]): Value {
  const rank = shapeOf(x).length;
  const last = dims.map(d => (d < 0 ? d + rank : d));
  const first = shapeOf(x).flatMap((_, d) => (last.includes(d) ? [] : [d]));
  return b.transpose(x, [...first, ...last]);
}

export const linearSystems = group({
  solve: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.solve'],
    summary: 'The solution of A · X = B (or X · A = B) for a square matrix A.',
    details: 'By LU decomposition with partial pivoting. B may be a vector, or a batch of vectors.',
    shape: 'the shape of B, leading dims broadcast with those of A',
    example: 'linalg.solve(tensor([[2, 0], [0, 4]]), tensor([2, 4])) // [1, 1]',
    differs: singular,
    params: { A: square, B: tensor('the right-hand side'), ...sides },
    lower: (c, { A, B, left }) => lu.solve(c, 'linalg.solve', A, B, left),
  }),
  inverse: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.inv', ...spellings('inverse')],
    summary: 'The inverse of a square matrix.',
    shape: 'the shape of the input',
    example: 'tensor([[2, 0], [0, 4]]).inverse() // [[0.5, 0], [0, 0.25]]',
    differs: singular,
    params: { input: square },
    lower: (c, { input }) => lu.inverse(c, 'inverse', input),
  }),
  det: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.det', ...spellings('det')],
    summary: 'The determinant of a square matrix.',
    shape: 'the leading dims',
    example: 'tensor([[2, 0], [0, 4]]).det() // 8',
    params: { input: square },
    lower: (c, { input }) => lu.determinant(c, 'det', input),
  }),
  slogdet: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.slogdet', ...spellings('slogdet')],
    result: ['sign', 'logabsdet'],
    summary: 'The sign of the determinant and the logarithm of its absolute value.',
    shape: 'the leading dims',
    example: 'const { sign, logabsdet } = tensor([[0, 2], [1, 0]]).slogdet(); // -1, 0.6931…',
    params: { input: square },
    lower: (c, { input }) => lu.signAndLog(c, 'slogdet', input),
  }),
  logdet: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The logarithm of the determinant; NaN where that is negative, complex for complex matrices.',
    shape: 'the leading dims',
    example: 'tensor([[2, 0], [0, 3]]).logdet() // 1.7917…',
    params: { input: square },
    lower: (c, { input }) => lu.logOfDeterminant(c, 'logdet', input),
  }),
  linalgLu: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.lu'],
    result: ['P', 'L', 'U'],
    summary: 'A = P · L · U: a permutation, a lower triangle with ones on the diagonal, an upper triangle.',
    shape: '[rows, rows], [rows, k] and [k, columns] with k = min(rows, columns), after the leading dims',
    example: `const { P, L, U } = linalg.lu(tensor([[1, 2], [2, 2]]));
L // [[1, 0], [0.5, 1]]
U // [[2, 2], [0, 1]]`,
    params: { A: matrix },
    lower: (c, { A }) => lu.lu(c, 'linalg.lu', A),
  }),
  luFactor: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.lu_factor'],
    result: ['LU', 'pivots'],
    summary:
      'The LU decomposition in one matrix, and the row interchanges (pivots) as int32, 1-based, for `linalg.luSolve`.',
    shape: 'the shape of the input, and the leading dims with min(rows, columns)',
    example: 'const { LU, pivots } = linalg.luFactor(tensor([[1, 2], [2, 2]])); // [[2, 2], [0.5, 1]], [2, 2]',
    params: { A: matrix },
    lower: (c, { A }) => {
      of.checkAnyMatrix(c.b, 'linalg.luFactor', A);
      const { packed, pivots } = lu.factored(c, of.flat(c.b, A));
      return [of.unflat(c.b, packed, of.batchOf(A)), of.unflat(c.b, pivots, of.batchOf(A))];
    },
  }),
  luSolve: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.lu_solve'],
    summary: 'The solution of A · X = B from what `linalg.luFactor(A)` gives.',
    shape: 'the shape of B, leading dims broadcast with those of the factors',
    example: `const { LU, pivots } = linalg.luFactor(tensor([[1, 2], [2, 2]]));
linalg.luSolve(LU, pivots, tensor([[3], [4]])) // [[1], [1]]`,
    params: {
      LU: tensor('the factors'),
      pivots: tensor('the pivots: row interchanges, 1-based'),
      B: tensor('the right-hand side'),
      ...sides,
      adjoint: byName(optional(flag('whether to use the transpose of A'), false)),
    },
    lower: ({ b }, { LU, pivots, B, left, adjoint }) => {
      const op = 'linalg.luSolve';
      of.checkMatrix(b, op, LU, true);
      of.checkMatrix(b, op, B);
      const batch = broadcastShapes(b, op, of.batchOf(LU), of.batchOf(B));
      const packed = of.flat(b, broadcastTo(b, LU, [...batch, ...of.sizeOf(LU)]));
      const [n] = of.sizeOf(LU);
      const exchanges = broadcastTo(b, pivots, [...batch, n]);
      const rows = b.convert(b.reshape(exchanges, [shapeOf(packed)[0]!, n]), 'i32');
      const wide = of.flat(b, broadcastTo(b, B, [...batch, ...of.sizeOf(B)]));
      const factors = { packed, permutation: lu.permutationOf(b, rows, n) };
      const x = left
        ? lu.solveFactored(b, factors, wide, adjoint)
        : of.swapped(b, lu.solveFactored(b, factors, of.swapped(b, wide), !adjoint));
      return of.unflat(b, x, batch);
    },
  }),
  solveTriangular: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.solve_triangular'],
    summary: 'The solution of A · X = B (or X · A = B) for a triangular matrix A.',
    shape: 'the shape of B, leading dims broadcast with those of A',
    example: 'linalg.solveTriangular(tensor([[2, 0], [1, 1]]), tensor([[2], [3]]), { upper: false }) // [[1], [2]]',
    params: {
      A: square,
      B: tensor('the right-hand side'),
      upper: flag('whether A is upper triangular; the other triangle is not read'),
      ...sides,
      unitriangular: byName(optional(flag('whether the diagonal is assumed to be 1'), false)),
    },
    lower: ({ b }, { A, B, upper, left, unitriangular }) =>
      cholesky.solveTriangular(b, 'linalg.solveTriangular', A, B, {
        isUpper: upper,
        isLeft: left,
        isUnit: unitriangular,
      }),
  }),
  cholesky: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.cholesky', ...spellings('cholesky')],
    summary: 'The Cholesky factor L of a symmetric positive definite matrix A = L · Lᵀ.',
    details: 'Only one triangle of the matrix is read: the lower one by default.',
    shape: 'the shape of the input',
    example: 'tensor([[4, 0], [0, 9]]).cholesky() // [[2, 0], [0, 3]]',
    differs: 'Matrices that are not positive definite give NaN, because compiled programs cannot raise errors.',
    params: { input: square, upper: isUpper },
    lower: (c, { input, upper }) => cholesky.cholesky(c, 'cholesky', input, upper),
  }),
  choleskySolve: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The solution of A · X = B from the Cholesky factor of A.',
    shape: 'the shape of B, leading dims broadcast with those of the factor',
    example: `const A = tensor([[4, 2], [2, 3]]);
tensor([[2], [1]]).choleskySolve(A.cholesky()) // [[0.5], [0]]`,
    params: { B: tensor('the right-hand side'), L: tensor('the Cholesky factor'), upper: isUpper },
    lower: (c, { B, L, upper }) => cholesky.choleskySolve(c, 'choleskySolve', B, L, upper),
  }),
  choleskyInverse: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The inverse of a matrix from the Cholesky factor.',
    shape: 'the shape of the input',
    example: 'tensor([[4, 0], [0, 2]]).cholesky().choleskyInverse() // [[0.25, 0], [0, 0.5]]',
    params: { input: tensor('the Cholesky factor'), upper: isUpper },
    lower: (c, { input, upper }) => cholesky.choleskyInverse(c, 'choleskyInverse', input, upper),
  }),
  linalgQr: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.qr'],
    result: ['Q', 'R'],
    summary: 'The QR decomposition A = Q · R: orthonormal columns and an upper triangular matrix.',
    details:
      'By Householder reflections. `complete` gives a square Q; its gradient exists for matrices that are not tall. `r` gives ' +
      'R alone, without a gradient.',
    shape: '[rows, k] and [k, columns] with k = min(rows, columns), after the leading dims',
    example: `const { Q, R } = linalg.qr(tensor([[3, 1], [4, 2]]));
Q.matmul(R) // [[3, 1], [4, 2]]`,
    params: { A: matrix, mode: optional(oneOf('the form of the result', ['reduced', 'complete', 'r']), 'reduced') },
    lower: (c, { A, mode }) => qr.qr(c, 'linalg.qr', A, mode),
  }),
  qr: row({
    ...facts,
    forms: ['method', 'function'],
    result: ['Q', 'R'],
    summary: 'The QR decomposition A = Q · R: orthonormal columns and an upper triangular matrix; see `linalg.qr`.',
    shape: '[rows, k] and [k, columns] with k = min(rows, columns), after the leading dims',
    example: `const { Q, R } = tensor([[3, 1], [4, 2]]).qr();
Q.matmul(R) // [[3, 1], [4, 2]]`,
    params: { input: matrix, some: optional(flag('false for a square Q'), true) },
    lower: (c, { input, some }) => qr.qr(c, 'qr', input, some ? 'reduced' : 'complete'),
  }),
  tensorinv: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.tensorinv'],
    summary: 'The inverse of a tensor as a map: of the matrix with its first `ind` dims as rows.',
    shape: 'the dims from `ind` on, then the first `ind`',
    example: `const x = eye(4).reshape(2, 2, 4);
linalg.tensorinv(x, 2).shape // [4, 2, 2]`,
    params: { A: tensor('the tensor'), ind: optional(int('how many dims are rows'), 2) },
    lower: (c, { A, ind }) => {
      const shape = shapeOf(A);
      const [rows, columns] = [shape.slice(0, Math.max(ind, 0)), shape.slice(Math.max(ind, 0))];
      const n = elementCount(rows);
      if (ind <= 0 || n !== elementCount(columns))
        throw mismatch(
          c.b,
          'linalg.tensorinv',
          shape,
          rows,
          `the first ${ind} dims must have as many elements as the rest`,
        );
      const inverse = lu.inverse(c, 'linalg.tensorinv', c.b.reshape(A, [n, n]));
      return c.b.reshape(inverse, [...columns, ...rows]);
    },
  }),
  tensorsolve: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.tensorsolve'],
    summary: 'The X for which tensordot(A, X, X.ndim) = B.',
    shape: 'the dims of A behind those of B',
    example: `const A = eye(4).reshape(2, 2, 2, 2);
linalg.tensorsolve(A, tensor([[1, 2], [3, 4]])) // [[1, 2], [3, 4]]`,
    params: {
      A: tensor('the tensor'),
      B: tensor('the right side'),
      dims: optional(ints('dims of A that are moved to its end first')),
    },
    lower: (c, { A, B, dims }) => {
      const { b } = c;
      const moved = dims === undefined ? A : toTheEnd(b, A, dims);
      const [shape, right] = [shapeOf(moved), shapeOf(B)];
      const columns = shape.slice(right.length);
      const n = elementCount(right);
      if (elementCount(columns) !== n || elementCount(shape) !== n * n)
        throw mismatch(
          b,
          'linalg.tensorsolve',
          shape,
          right,
          'A must have as many elements for each element of B as B has',
        );
      const x = lu.solve(c, 'linalg.tensorsolve', b.reshape(moved, [n, n]), b.reshape(B, [n]), true);
      return b.reshape(x, columns);
    },
  }),
  linalgVander: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.vander'],
    dtype: 'total',
    summary: 'Rising powers of vectors: 1, x, x² and so on, each number a row.',
    shape: 'the shape of the input, then N',
    throws: ['SHAPE_MISMATCH'],
    example: 'linalg.vander(tensor([2, 3])) // [[1, 2], [1, 3]]',
    params: {
      x: tensor('the vector, or a batch of vectors'),
      columns: byName(optional(spelled('N', count('how many powers; as many as elements by default')))),
    },
    lower: ({ b }, { x: given, columns }) => {
      const x = move.atLeast(b, given, 1);
      const shape = shapeOf(x);
      const size = columns ?? shape.at(-1)!;
      if (columns === undefined && shapeOf(given).length === 0)
        throw mismatch(b, 'linalg.vander', [], [-1], 'a vector, or `columns`, is needed');
      if (columns !== undefined && columns < 2)
        throw wrongArgument({ call: 'linalg.vander', argument: 'columns' }, columns, 'at least 2');
      const type = typeOf(x);
      const wide = /^(f|bf|c)/.test(type) ? x : b.convert(x, 'i64');
      if (size === 0) return b.fill(typeOf(wide), [...shape, 0], 0);
      const powers: Value[] = [b.like(wide, 1)];
      for (let i = 1; i < size; i++) powers.push(b.multiply(powers[i - 1]!, wide));
      return move.stack(b, powers, -1);
    },
  }),
});
