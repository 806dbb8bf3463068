// The Cholesky decomposition, triangular systems, and functions based on them.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { conj, isComplex, real } from '../complex.ts';
import { dtypeOf, typeOf } from '../narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { embedded, extracted, hermitian } from './complex.ts';

/** The factor of a symmetric positive definite matrix, from one triangle; its gradient is symmetric. */
export function cholesky(c: Context, op: string, a: Value, isUpper: boolean): Value {
  const { b } = c;
  if (isComplex(a) && shapeOf(a).length >= 2)
    return extracted(b, op, cholesky(c, op, embedded(b, op, hermitian(c, op, a, isUpper)), isUpper));
  of.checkMatrix(b, op, a, true);
  if (shapeOf(a).includes(0)) return a;
  const [both] = of.withGradient(c, 'Symmetric', [a], [a], ({ b: inner, cotangents: [g] }) => [
    of.scaled(inner, inner.add(g!, of.swapped(inner, g!)), 0.5),
  ]);
  const factor = b.emit1('cholesky', [both!], { lower: !isUpper });
  return of.trianglePart(b, factor, isUpper ? 'LE' : 'GE');
}

/**
 * The factor, and the order of the first leading minor that is not positive definite: 0 if all are. From that row and column on,
 * the result has the elements of the matrix, and on the diagonal what is left of the one that failed, as LAPACK leaves them.
 */
export function choleskyEx(c: Context, op: string, a: Value, isUpper: boolean): [factor: Value, info: Value] {
  const { b } = c;
  const complete = cholesky(c, op, a, isUpper);
  const factor = of.flat(b, complete);
  const [size, n] = shapeOf(factor) as [number, number, number];
  const diagonal = real(b, of.diagonalOf(b, factor));
  const isGood = b.compare('GT', diagonal, b.like(diagonal, 0));
  const info = of.firstWhere(b, b.unary('not', isGood));
  const report = b.reshape(info, of.batchOf(a));
  if (shapeOf(a).includes(0)) return [complete, report];
  const [along, across] = isUpper ? [1, 2] : [2, 1];
  const shape = shapeOf(factor);
  const failed = b.broadcastInDim(info, [0], shape);
  const place = (dim: number): Value => b.add(of.indices(b, shape, dim), b.fill('i32', shape, 1));
  const isDone = b.binary('or', b.compare('EQ', failed, b.like(failed, 0)), b.compare('LT', place(along), failed));
  const matrix = of.trianglePart(b, of.flat(b, a), isUpper ? 'LE' : 'GE');
  const done = b.select(isDone, factor, b.like(factor, 0));
  const left = b.subtract(of.diagonalOf(b, matrix), b.sum(b.multiply(done, conj(b, done)), [along]));
  const isPivot = b.binary('and', b.compare('EQ', place(along), failed), b.compare('EQ', place(across), failed));
  const rest = b.select(isPivot, b.broadcastInDim(left, [0, across], [size, n, n]), matrix);
  const result = of.unflat(b, b.select(isDone, factor, rest), of.batchOf(a));
  const [whole] = of.withGradient(
    c,
    'LinalgCholeskyEx',
    [a],
    [result],
    ({ b: back, cotangents: [g], results: [y] }) => [choleskySlope(back, g!, y!, isUpper)],
  );
  return [whole!, report];
}
/** L⁻ᵀ · (P + (P below its diagonal)ᵀ) / 2 · L⁻¹ for the lower triangle P of Lᵀ · g; with ᴴ for complex matrices. */
function choleskySlope(b: Builder, g: Value, factor: Value, isUpper: boolean): Value {
  const adjoint = (x: Value): Value => conj(b, of.swapped(b, x));
  const lower = (x: Value): Value => (isUpper ? adjoint(x) : x);
  const [l, slope] = [lower(factor), lower(g)];
  const half = of.trianglePart(b, of.product(b, adjoint(l), slope), 'GE');
  const both = of.scaled(b, b.add(half, adjoint(of.trianglePart(b, half, 'GT'))), 0.5);
  const options = { lower: true, unitDiagonal: false };
  const transposeA = isComplex(l) ? 'ADJOINT' : 'TRANSPOSE';
  const first = b.emit1('triangular_solve', [l, both], { ...options, leftSide: true, transposeA });
  return b.emit1('triangular_solve', [l, first], { ...options, leftSide: false, transposeA: 'NO_TRANSPOSE' });
}

/** op(a) · x = right, or x · op(a) = right, for a triangular a; both broadcast. */
export function solveTriangular(
  b: Builder,
  op: string,
  a: Value,
  right: Value,
  {
    isUpper,
    isLeft,
    isUnit,
    isTransposed = false,
  }: {
    readonly isUpper: boolean;
    readonly isLeft: boolean;
    readonly isUnit: boolean;
    readonly isTransposed?: boolean;
  },
): Value {
  of.checkMatrix(b, op, a, true);
  of.checkMatrix(b, op, right);
  const [sa, sr] = [shapeOf(a), shapeOf(right)];
  if (sr.at(isLeft ? -2 : -1) !== sa.at(-1) || typeOf(a) !== typeOf(right))
    throw mismatch(b, op, sa, sr, `the right side needs ${sa.at(-1)} ${isLeft ? 'rows' : 'columns'} of ${dtypeOf(a)}`);
  const batch = broadcastShapes(b, op, of.batchOf(a), of.batchOf(right));
  const wide = broadcastTo(b, right, [...batch, ...sr.slice(-2)]);
  if (shapeOf(wide).includes(0)) return wide;
  return b.emit1('triangular_solve', [broadcastTo(b, a, [...batch, ...sa.slice(-2)]), wide], {
    leftSide: isLeft,
    lower: !isUpper,
    unitDiagonal: isUnit,
    transposeA: isTransposed ? 'TRANSPOSE' : 'NO_TRANSPOSE',
  });
}
/**
 * (L · Lᵀ)⁻¹ · right, or with (Uᵀ · U)⁻¹, from the Cholesky factor. As in PyTorch, the gradient of the factor is not cut to its
 * triangle.
 */
export function choleskySolve(c: Context, op: string, right: Value, factor: Value, isUpper: boolean): Value {
  const { b } = c;
  of.checkMatrix(b, op, factor, true);
  of.checkMatrix(b, op, right);
  const batch = broadcastShapes(b, op, of.batchOf(factor), of.batchOf(right));
  const wide = broadcastTo(b, factor, [...batch, ...of.sizeOf(factor)]);
  return solveFactored(c, op, broadcastTo(b, right, [...batch, ...of.sizeOf(right)]), wide, isUpper);
}
function solveFactored(c: Context, op: string, right: Value, factor: Value, isUpper: boolean): Value {
  const options = { isUpper, isLeft: true, isUnit: false };
  const first = solveTriangular(c.b, op, factor, right, { ...options, isTransposed: isUpper });
  const computed = solveTriangular(c.b, op, factor, first, { ...options, isTransposed: !isUpper });
  return of.withGradient(
    c,
    'CholeskySolve',
    [right, factor],
    [computed],
    ({ c: back, b, cotangents: [g], results }) => {
      const ofRight = solveFactored(back, op, g!, factor, isUpper);
      const outer = of.product(b, ofRight, of.swapped(b, results[0]!));
      const both = b.negate(b.add(outer, of.swapped(b, outer)));
      return [ofRight, isUpper ? of.product(b, factor, both) : of.product(b, both, factor)];
    },
  )[0]!;
}
export function choleskyInverse(c: Context, op: string, factor: Value, isUpper: boolean): Value {
  of.checkMatrix(c.b, op, factor, true);
  return choleskySolve(c, op, of.identityLike(c.b, factor), factor, isUpper);
}
