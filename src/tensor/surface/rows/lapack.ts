// Decompositions as LAPACK gives them: packed reflections, factors with pivots, and a report (`info`).
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import * as of from '../../lower/linalg/batches.ts';
import * as cholesky from '../../lower/linalg/cholesky.ts';
import * as lu from '../../lower/linalg/lu.ts';
import * as reflections from '../../lower/linalg/reflections.ts';
import { typeOf } from '../../lower/narrow.ts';
import { byName, flag, optional, tensor } from '../params.ts';
import { group, row, spellings } from '../row.ts';

const facts = { dtype: 'same', gradient: 'smooth', throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'] } as const;
const square = tensor('the square matrix, or a batch of them');
const packed = tensor('the vectors below the diagonal, as `geqrf` gives them');
const factors = tensor('the factors of the reflections');
const checkErrors = byName(optional(flag('ignored: programs cannot raise errors'), false));
const info =
  '`info` is 0 where all went well, else the number of the first pivot that is 0, or of the first minor that is not positive.';
/** The info of an LU decomposition of [.., n, n]. */
function infoOfFactors(b: Builder, a: Value, factored: Value): Value {
  const diagonal = of.diagonalOf(b, factored);
  return b.reshape(of.firstWhere(b, b.compare('EQ', diagonal, b.like(diagonal, 0))), of.batchOf(a));
}

/** The info of the LU decomposition of a square matrix. */
const infoOfMatrix = (b: Builder, a: Value): Value => infoOfFactors(b, a, lu.factor(b, of.flat(b, a)).packed);

export const lapackRows = group({
  householderProduct: row({
    ...facts,
    forms: ['method', 'function', 'linalg'],
    torch: ['torch.linalg.householder_product', ...spellings('orgqr')],
    aliases: ['orgqr'],
    summary: 'The first columns of a product of Householder reflections: Q of what `geqrf` gives.',
    shape: 'the shape of the input',
    example: `const { a, tau } = geqrf(tensor([[3, 1], [4, 2]]));
const Q = linalg.householderProduct(a, tau);
Q.t().matmul(Q).allclose(eye(2), { atol: 1e-5 }) // true`,
    params: { input: packed, tau: factors },
    lower: ({ b }, { input, tau }) => reflections.householderProduct(b, 'householderProduct', input, tau),
  }),
  geqrf: row({
    ...facts,
    gradient: 'none',
    forms: ['method', 'function'],
    result: ['a', 'tau'],
    summary: 'The QR decomposition as LAPACK keeps it: R with the vectors of reflections below it, and their factors.',
    shape: 'the shape of the input; min(rows, columns), after the leading dims',
    example: `const { a, tau } = geqrf(tensor([[3, 1], [4, 2]]));
a.triu().abs() // [[5, 2.2], [0, 0.4]]`,
    differs: 'No gradient flows: use `linalg.qr`.',
    params: { input: tensor('the matrix, or a batch of matrices') },
    lower: (c, { input }) => reflections.geqrf(c, 'geqrf', input),
  }),
  ormqr: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'Q · other (or other · Q), with the square Q of what `geqrf` gives, or with its transpose.',
    shape: 'the shape of `other`',
    example: `const { a, tau } = geqrf(tensor([[3, 1], [4, 2]]));
const Q = linalg.householderProduct(a, tau), y = tensor([[1], [2]]);
ormqr(a, tau, y).allclose(Q.matmul(y), { atol: 1e-5 }) // true`,
    params: {
      input: packed,
      tau: factors,
      other: tensor('the other operand'),
      left: optional(flag('whether Q stands on the left'), true),
      transpose: optional(flag('whether the transpose of Q is meant'), false),
    },
    lower: ({ b }, { input, tau, other, left, transpose }) =>
      reflections.timesQ(b, 'ormqr', input, tau, other, left, transpose),
  }),
  luUnpack: row({
    ...facts,
    forms: ['function'],
    result: ['P', 'L', 'U'],
    summary: 'P, L and U as matrices, from what `linalg.luFactor` gives: A = P · L · U.',
    shape: '[rows, rows], [rows, k] and [k, columns] with k = min(rows, columns), after the leading dims',
    example: `const { LU, pivots } = linalg.luFactor(tensor([[1, 2], [2, 2]]));
const { P, L, U } = luUnpack(LU, pivots);
P.matmul(L).matmul(U) // [[1, 2], [2, 2]]`,
    params: { LU: tensor('the factors'), pivots: tensor('the exchanges of rows') },
    lower: ({ b }, { LU, pivots }) => {
      of.checkMatrix(b, 'luUnpack', LU);
      const batch = of.batchOf(LU);
      const x = of.flat(b, LU);
      const [size, rows, columns] = shapeOf(x) as [number, number, number];
      const n = Math.min(rows, columns);
      const permutation = lu.permutationOf(b, b.convert(b.reshape(pivots, [size, n]), 'i32'), rows);
      const order = of.spread(b, permutation, [0, 2], [size, rows, rows]);
      const p = b.convert(b.compare('EQ', order, of.indices(b, [size, rows, rows], 1)), typeOf(LU));
      const left = of.firstColumns(b, x, n);
      const l = b.add(of.trianglePart(b, left, 'GT'), of.identityLike(b, left));
      const u = of.trianglePart(b, of.firstRows(b, x, n), 'LE');
      return [p, l, u].map(value => of.unflat(b, value, batch));
    },
  }),
  choleskyEx: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.cholesky_ex'],
    result: ['L', 'info'],
    summary: '`linalg.cholesky` with a report for each matrix.',
    details: info,
    shape: 'the shape of the input, and the leading dims',
    example: 'const { L, info } = linalg.choleskyEx(tensor([[4, 0], [0, 9]])); // [[2, 0], [0, 3]], 0',
    params: { input: square, upper: byName(optional(flag('whether the upper triangle is used'), false)), checkErrors },
    lower: (c, { input, upper }) => cholesky.choleskyEx(c, 'linalg.choleskyEx', input, upper),
  }),
  invEx: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.inv_ex'],
    result: ['inverse', 'info'],
    summary: '`linalg.inv` with a report for each matrix.',
    details: info,
    shape: 'the shape of the input, and the leading dims',
    example: 'const { inverse, info } = linalg.invEx(tensor([[2, 0], [0, 4]])); // [[0.5, 0], [0, 0.25]], 0',
    params: { A: square, checkErrors },
    lower: (c, { A }) => {
      of.checkAnyMatrix(c.b, 'linalg.invEx', A, true);
      return [lu.inverse(c, 'linalg.invEx', A), infoOfMatrix(c.b, A)];
    },
  }),
  solveEx: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.solve_ex'],
    result: ['result', 'info'],
    summary: '`linalg.solve` with a report for each matrix.',
    details: info,
    shape: 'the shape of B, and the leading dims of A',
    example: 'const { result, info } = linalg.solveEx(tensor([[2, 0], [0, 4]]), tensor([[2], [4]])); // [[1], [1]], 0',
    params: {
      A: square,
      B: tensor('the right side'),
      left: byName(optional(flag('whether the unknown stands on the right of the matrix'), true)),
      checkErrors,
    },
    lower: (c, { A, B, left }) => {
      const result = lu.solve(c, 'linalg.solveEx', A, B, left);
      return [result, infoOfMatrix(c.b, A)];
    },
  }),
  luFactorEx: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.lu_factor_ex'],
    result: ['LU', 'pivots', 'info'],
    summary: '`linalg.luFactor` with a report for each matrix.',
    details: info,
    shape: 'the shape of the input, the leading dims with min(rows, columns), and the leading dims',
    example:
      'const { LU, pivots, info } = linalg.luFactorEx(tensor([[1, 2], [2, 2]])); // [[2, 2], [0.5, 1]], [2, 2], 0',
    params: { A: tensor('the matrix, or a batch of matrices'), checkErrors },
    lower: (c, { A }) => {
      const { b } = c;
      of.checkAnyMatrix(b, 'linalg.luFactorEx', A);
      const { packed: found, pivots } = lu.factored(c, of.flat(b, A));
      const batch = of.batchOf(A);
      return [of.unflat(b, found, batch), of.unflat(b, pivots, batch), infoOfFactors(b, A, found)];
    },
  }),
});
