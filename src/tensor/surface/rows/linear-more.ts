// Products of reflections, systems of tensors, decompositions in parts and with a report.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { elementCount } from '../../../hlo/types.ts';
import { wrongArgument } from '../../check-arguments.ts';
import * as of from '../../lower/linalg/batches.ts';
import * as cholesky from '../../lower/linalg/cholesky.ts';
import * as lu from '../../lower/linalg/lu.ts';
import * as reflections from '../../lower/linalg/reflections.ts';
import * as move from '../../lower/move.ts';
import { typeOf } from '../../lower/narrow.ts';
import { mismatch } from '../../lower/shapes.ts';
import { byName, count, flag, int, ints, optional, spelled, tensor } from '../params.ts';
import { group, row } from '../row.ts';

const spellings = (...names: readonly string[]): string[] => names.flatMap(name => [`torch.${name}`, `Tensor.${name}`]);
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

export const moreLinear = group({
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
    torch: spellings('geqrf'),
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
    torch: spellings('ormqr'),
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
  luUnpack: row({
    ...facts,
    forms: ['function'],
    torch: ['torch.lu_unpack'],
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

function toTheEnd(b: Builder, x: Value, dims: readonly number[]): Value {
  const rank = shapeOf(x).length;
  const last = dims.map(d => (d < 0 ? d + rank : d));
  const first = shapeOf(x).flatMap((_, d) => (last.includes(d) ? [] : [d]));
  return b.transpose(x, [...first, ...last]);
}
