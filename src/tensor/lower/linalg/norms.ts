// Norms of vectors and matrices. If a norm is 0, its gradient is 0, as in PyTorch.
import { TrenioError } from '../../../base/errors.ts';
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { moveDims } from '../arrange.ts';
import { toFloat, truth } from '../elementwise.ts';
import { inFull, typeOf } from '../narrow.ts';
import { aboveZero, type Dims, extreme, keepReduced, squaredSize } from '../reduce.ts';
import { dimsOf, mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { inverse } from './lu.ts';
import { svd } from './spectral.ts';

/** (Σ |x|^p)^(1/p) over dims; the largest or smallest |x| for infinite p, the number of nonzero elements for p = 0. */
export function vectorNorm(b: Builder, x: Value, p: number, dim: Dims, keepDim: boolean): Value {
  const dims = dimsOf(b, 'norm', shapeOf(x), dim);
  return inFull(b, toFloat(b, x), w => {
    const over = (each: Value): Value => b.sum(each, dims);
    const kept = (value: Value): Value => keepReduced(b, value, x, dims, keepDim);
    if (p === 2) return kept(aboveZero(b, over(squaredSize(b, w)), total => b.unary('sqrt', total)));
    const size = b.unary('abs', w);
    if (p === 1) return kept(over(size));
    if (p === 0) return kept(over(b.convert(truth(b, w), typeOf(size))));
    if (Math.abs(p) === Infinity) return kept(extreme(b, p > 0 ? 'maximum' : 'minimum', size, dims, false));
    const powers = (of: Value): Value => b.binary('power', of, b.like(of, p));
    const total = over(p > 0 ? aboveZero(b, size, powers) : powers(size));
    const root = (of: Value): Value => b.binary('power', of, b.like(of, 1 / p));
    return kept(p > 0 ? aboveZero(b, total, root) : root(total));
  });
}

export type MatrixOrder = number | 'fro' | 'nuc';
const matrixOrders: readonly MatrixOrder[] = ['fro', 'nuc', 1, -1, 2, -2, Infinity, -Infinity];

/** Over two dims, the rows and the columns. */
export function matrixNorm(c: Context, op: string, x: Value, order: MatrixOrder, dim: Dims, keepDim: boolean): Value {
  const { b } = c;
  const shape = shapeOf(x);
  const given = Array.isArray(dim) ? (dim as readonly number[]) : [];
  if (shape.length < 2 || given.length !== 2) throw mismatch(b, op, shape, given, 'two dims are needed');
  const [row, column] = given.map(d => dimsOf(b, op, shape, d)[0]!) as [number, number];
  if (row === column) throw mismatch(b, op, shape, given, 'two different dims are needed');
  if (!matrixOrders.includes(order))
    throw new TrenioError(
      'WRONG_ARGUMENT',
      {
        call: op,
        argument: 'ord',
        got: String(order),
        expected: "'fro', 'nuc', 1, -1, 2, -2, Infinity or -Infinity",
        fix: 'use one of these, or linalg.vectorNorm for other orders',
      },
      { location: b.location },
    );
  if (order === 'fro') return vectorNorm(b, x, 2, [row, column], keepDim);
  const kept = (value: Value): Value =>
    keepReduced(
      b,
      value,
      x,
      [row, column].sort((p, q) => p - q),
      keepDim,
    );
  if (order === 'nuc' || Math.abs(order) === 2) {
    const last = moveDims(b, x, [row, column], [-2, -1]);
    const s = svd(c, op, last, false)[1];
    const at = shapeOf(s).length - 1;
    if (order === 'nuc') return kept(b.sum(s, [at]));
    return kept(extreme(b, order > 0 ? 'maximum' : 'minimum', s, at, false));
  }
  const [summed, over] = Math.abs(order) === 1 ? [row, column] : [column, row];
  const sums = b.sum(b.unary('abs', x), [summed]);
  const at = over > summed ? over - 1 : over;
  return kept(extreme(b, order > 0 ? 'maximum' : 'minimum', sums, at, false));
}

/** PyTorch's linalg.norm: of vectors or of matrices, by the number of dims. */
export function norm(c: Context, x: Value, order: MatrixOrder | undefined, dim: Dims, keepDim: boolean): Value {
  const { b } = c;
  const op = 'linalg.norm';
  const rank = shapeOf(x).length;
  if (order === undefined) return vectorNorm(b, x, 2, dim, keepDim);
  const isList = Array.isArray(dim);
  const count = dim === undefined ? rank : isList ? (dim as readonly number[]).length : 1;
  if (count === 2) return matrixNorm(c, op, x, order, isList ? dim : [0, 1], keepDim);
  if (dim === undefined && rank > 2)
    throw mismatch(b, op, shapeOf(x), [-1, -1], 'with an order, name the dims of more than a matrix');
  if (typeof order !== 'number') throw mismatch(b, op, shapeOf(x), [-1, -1], `'${order}' is a norm of matrices`);
  return vectorNorm(b, x, order, dim, keepDim);
}
/** ‖A‖ · ‖A⁻¹‖; of singular values, the largest by the smallest. */
export function condition(c: Context, a: Value, order: MatrixOrder | undefined): Value {
  const { b } = c;
  const op = 'linalg.cond';
  of.checkMatrix(b, op, a, order !== undefined && Math.abs(Number(order)) !== 2);
  if (order === undefined || Math.abs(Number(order)) === 2) {
    const s = svd(c, op, a, false)[1];
    const at = shapeOf(s).length - 1;
    const [largest, smallest] = [extreme(b, 'maximum', s, at, false), extreme(b, 'minimum', s, at, false)];
    return order === -2 ? b.divide(smallest, largest) : b.divide(largest, smallest);
  }
  const of1 = matrixNorm(c, op, a, order, [-2, -1], false);
  return b.multiply(of1, matrixNorm(c, op, inverse(c, op, a), order, [-2, -1], false));
}
