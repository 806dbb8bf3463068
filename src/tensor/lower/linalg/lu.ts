// LU decomposition with partial pivoting, and functions based on it: solve, inverse, determinants.
//
//   P · A = L · U     step k: the row with the largest |element| of column k becomes row k; the rows below it are reduced
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import type { Context } from '../../surface/row.ts';
import { angle, conj, fromParts, imag, isComplex, real } from '../complex.ts';
import { signOf } from '../elementwise.ts';
import * as move from '../move.ts';
import { dtypeOf, typeOf } from '../narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { embedded, extracted } from './complex.ts';

export interface Factors {
  /** L below the diagonal (its own is 1), U on and above it. */
  readonly packed: Value;
  /** Row i of P · A is this row of A: [count, rows]. */
  readonly permutation: Value;
  /** The row that row k was swapped with at step k, from 1 on, as in LAPACK: [count, min(rows, columns)]. */
  readonly pivots: Value;
  /** 1, or -1 for an odd number of row swaps: [count]. */
  readonly parity: Value;
}

/** The LU factors of matrices [count, rows, columns]. */
export function factor(b: Builder, a: Value): Factors {
  const [count, rows, columns] = shapeOf(a) as [number, number, number];
  const steps = Math.min(rows, columns);
  const type = typeOf(a);
  const start = [
    a,
    b.iota(tensorType('i32', [count, rows]), 1),
    b.fill('i32', [count, steps], 0),
    b.fill(type, [count], 1),
  ];
  if (steps === 0 || count === 0) {
    const [packed, permutation, pivots, parity] = start as [Value, Value, Value, Value];
    return { packed, permutation, pivots, parity };
  }
  const [packed, permutation, pivots, parity] = of.loop(b, steps, start, step) as [Value, Value, Value, Value];
  return { packed, permutation, pivots, parity };
}

/** |x|; of complex numbers |re| + |im|, as in LAPACK. */
function magnitude(b: Builder, x: Value): Value {
  const size = b.unary('abs', real(b, x));
  return isComplex(x) ? b.add(size, b.unary('abs', imag(b, 'lu', x))) : size;
}
function step(b: Builder, k: Value, state: readonly Value[]): readonly Value[] {
  const [a, permutation, pivots, parity] = state as [Value, Value, Value, Value];
  const shape = shapeOf(a);
  const [count, rows, columns] = shape as [number, number, number];
  const vector = [count, rows];
  const steps = shapeOf(pivots)[1]!;
  // the row of the largest element of the column
  const size = magnitude(b, of.columnAt(b, a, k));
  const open = b.select(of.isAt(b, 'GE', vector, 1, k), size, b.like(size, -1));
  const largest = b.reduce('maximum', open, b.fill(typeOf(open), [], -1), [1]);
  const index = of.indices(b, vector, 1);
  const isLargest = b.compare('EQ', open, of.spread(b, largest, [0], vector));
  const found = b.reduce('minimum', b.select(isLargest, index, b.like(index, rows)), b.fill('i32', [], rows), [1]);
  const here = b.broadcastInDim(k, [], [count]);
  // without a largest element (NaN), nothing is exchanged
  const pivot = b.select(b.compare('EQ', found, b.like(found, rows)), here, found);
  // swap
  const isPivot = b.compare('EQ', index, of.spread(b, pivot, [0], vector));
  const isHere = of.isAt(b, 'EQ', vector, 1, k);
  const wide = (mask: Value): Value => of.spread(b, mask, [0, 1], shape);
  // -0, which changes no sum, keeps the signs of zeros
  const pivotRow = b.reduce('add', b.select(wide(isPivot), a, b.like(a, -0)), b.fill(typeOf(a), [], -0), [1]);
  const fromHere = b.select(wide(isPivot), of.spread(b, of.rowAt(b, a, k), [0, 2], shape), a);
  const exchanged = b.select(wide(isHere), of.spread(b, pivotRow, [0, 2], shape), fromHere);
  const pivotPlace = b.sum(b.select(isPivot, permutation, b.like(permutation, 0)), [1]);
  const ownPlace = of.spread(b, of.elementAt(b, permutation, k), [0], vector);
  const positions = b.select(isHere, of.spread(b, pivotPlace, [0], vector), b.select(isPivot, ownPlace, permutation));
  // reduce the rows below
  const divisor = of.elementAt(b, pivotRow, k);
  const safe = b.select(b.compare('EQ', divisor, b.like(divisor, 0)), b.like(divisor, 1), divisor);
  const below = wide(of.isAt(b, 'GT', vector, 1, k));
  const factors = ratios(b, k, of.columnAt(b, exchanged, k), safe, rows === columns);
  const product = b.multiply(of.spread(b, factors, [0, 1], shape), of.spread(b, pivotRow, [0, 2], shape));
  const isColumn = b.binary('and', of.isAt(b, 'EQ', shape, 2, k), below);
  const isRest = b.binary('and', of.isAt(b, 'GT', shape, 2, k), below);
  const reduced = b.select(isRest, b.subtract(exchanged, product), exchanged);
  return [
    b.select(isColumn, of.spread(b, factors, [0, 1], shape), reduced),
    positions,
    b.select(
      of.isAt(b, 'EQ', [count, steps], 1, k),
      of.spread(b, b.add(pivot, b.like(pivot, 1)), [0], [count, steps]),
      pivots,
    ),
    b.select(b.compare('EQ', pivot, here), parity, b.negate(parity)),
  ];
}

/**
 * A column divided by the pivots as MKL does, so that determinants that are exactly zero in PyTorch are so here: times the
 * reciprocal, but divided in the last step of square matrices of up to 4 rows.
 */
function ratios(b: Builder, k: Value, column: Value, pivots: Value, isSquare: boolean): Value {
  const [, n] = shapeOf(column) as [number, number];
  const wide = (x: Value): Value => of.spread(b, x, [0], shapeOf(column));
  const scaled = b.multiply(column, wide(b.divide(b.like(pivots, 1), pivots)));
  if (!isSquare || n > 4) return scaled;
  const isLast = b.broadcastInDim(b.compare('GE', k, b.fill('i32', [], n - 2)), [], shapeOf(column));
  return b.select(isLast, b.divide(column, wide(pivots)), scaled);
}

/** Rows of x [count, rows, columns] in the order of the indices [count, rows]. */
export const rowsAt = (b: Builder, x: Value, order: Value): Value =>
  move.gather(b, x, 1, of.spread(b, order, [0, 1], shapeOf(x)));
/** The permutation that undoes another. */
export function inverted(b: Builder, permutation: Value): Value {
  const [count, n] = shapeOf(permutation) as [number, number];
  const shape = [count, n, n];
  const isHere = b.compare('EQ', of.spread(b, permutation, [0, 1], shape), of.indices(b, shape, 2));
  return b.sum(b.select(isHere, of.indices(b, shape, 1), b.fill('i32', shape, 0)), [1]);
}
/** From LAPACK's pivots to a permutation of `rows`. */
export function permutationOf(b: Builder, pivots: Value, rows: number): Value {
  const [count, steps] = shapeOf(pivots) as [number, number];
  const vector = [count, rows];
  const start = b.iota(tensorType('i32', vector), 1);
  if (steps === 0 || count === 0) return start;
  return of.loop(b, steps, [start], (inner, k, [order]) => {
    const pivot = inner.subtract(of.elementAt(inner, pivots, k), inner.fill('i32', [count], 1));
    const isPivot = inner.compare('EQ', of.indices(inner, vector, 1), of.spread(inner, pivot, [0], vector));
    const there = inner.sum(inner.select(isPivot, order!, inner.like(order!, 0)), [1]);
    const own = of.spread(inner, of.elementAt(inner, order!, k), [0], vector);
    const isHere = of.isAt(inner, 'EQ', vector, 1, k);
    return [inner.select(isHere, of.spread(inner, there, [0], vector), inner.select(isPivot, own, order!))];
  })[0]!;
}

/** a⁻¹ · right, or a⁻ᵀ · right, from the factors of a; [count, n, columns]. */
export function solveFactored(
  b: Builder,
  { packed, permutation }: Pick<Factors, 'packed' | 'permutation'>,
  right: Value,
  isTransposed: boolean,
): Value {
  if (shapeOf(right).includes(0)) return right;
  const solve = (x: Value, lower: boolean): Value =>
    b.emit1('triangular_solve', [packed, x], {
      leftSide: true,
      lower,
      unitDiagonal: lower,
      transposeA: isTransposed ? 'TRANSPOSE' : 'NO_TRANSPOSE',
    });
  if (!isTransposed) return solve(solve(rowsAt(b, right, permutation), true), false);
  return rowsAt(b, solve(solve(right, false), true), inverted(b, permutation));
}
/** a⁻¹ · right (or with aᵀ), with its gradient: that of the right is a solution too. */
export function solveWith(c: Context, factors: Factors, a: Value, right: Value, isTransposed: boolean): Value {
  const x = solveFactored(c.b, factors, right, isTransposed);
  return of.withGradient(c, 'LinalgSolve', [a, right], [x], ({ c: back, b, cotangents: [g], results: [solution] }) => {
    const ofRight = solveWith(back, factors, a, g!, !isTransposed);
    const ofOperand = b.negate(of.product(b, ofRight, of.swapped(b, solution!)));
    return [isTransposed ? of.swapped(b, ofOperand) : ofOperand, ofRight];
  })[0]!;
}

/** The solution of a · x = right, or x · a = right; `right` may be vectors. */
export function solve(c: Context, op: string, a: Value, right: Value, isLeft: boolean): Value {
  const { b } = c;
  if (isComplex(a) && typeOf(a) === typeOf(right)) {
    const isColumn = shapeOf(right).length === 1 || shapeOf(right).length === shapeOf(a).length - 1;
    const columns = isColumn ? b.reshape(right, [...shapeOf(right), 1]) : right;
    if (shapeOf(a).length < 2 || (isColumn && !isLeft))
      throw mismatch(b, op, shapeOf(a), shapeOf(right), 'matrices are needed');
    const found = extracted(b, op, solve(c, op, embedded(b, op, a), embedded(b, op, columns), isLeft));
    return isColumn ? b.reshape(found, shapeOf(found).slice(0, -1)) : found;
  }
  of.checkMatrix(b, op, a, true);
  of.checkFloat(b, op, right);
  const [n] = of.sizeOf(a);
  const [sa, sr] = [shapeOf(a), shapeOf(right)];
  const isVector = sr.length === 1 || (sr.length === sa.length - 1 && sr.every((d, i) => d === sa[i]));
  const columns = isVector ? b.reshape(right, [...sr, 1]) : right;
  if (isVector && !isLeft) throw mismatch(b, op, sa, sr, 'vectors can be on the right only; leave `left` out');
  const shape = shapeOf(columns);
  if (shape.length < 2 || shape.at(isLeft ? -2 : -1) !== n || typeOf(a) !== typeOf(right))
    throw mismatch(b, op, sa, sr, `the right side needs ${n} ${isLeft ? 'rows' : 'columns'} of ${dtypeOf(a)}`);
  const batch = broadcastShapes(b, op, of.batchOf(a), of.batchOf(columns));
  const wideA = of.flat(b, broadcastTo(b, a, [...batch, n, n]));
  const wide = of.flat(b, broadcastTo(b, columns, [...batch, ...shape.slice(-2)]));
  const factors = factor(b, wideA);
  const x = isLeft
    ? solveWith(c, factors, wideA, wide, false)
    : of.swapped(b, solveWith(c, factors, wideA, of.swapped(b, wide), true));
  const result = of.unflat(b, x, batch);
  return isVector ? b.reshape(result, shapeOf(result).slice(0, -1)) : result;
}
/** The inverses of matrices [count, n, n]. */
export function inverseFlat(c: Context, a: Value): Value {
  return solveWith(c, factor(c.b, a), a, of.identityLike(c.b, a), false);
}
export function inverse(c: Context, op: string, a: Value): Value {
  if (isComplex(a) && shapeOf(a).length >= 2) return extracted(c.b, op, inverse(c, op, embedded(c.b, op, a)));
  of.checkMatrix(c.b, op, a, true);
  return of.unflat(c.b, inverseFlat(c, of.flat(c.b, a)), of.batchOf(a));
}

/** The product of the elements of vectors [count, n]. */
const productOf = (b: Builder, x: Value): Value => b.reduce('multiply', x, b.fill(typeOf(x), [], 1), [1]);

/** The diagonal of U, with eps² in place of zeros: gradients of singular matrices stay finite, as in PyTorch. */
function perturbed(b: Builder, packed: Value): Value {
  const isZero = b.binary('and', of.triangle(b, packed, 'EQ'), b.compare('EQ', packed, b.like(packed, 0)));
  return b.select(isZero, b.like(packed, of.epsilonOf(packed) ** 2), packed);
}
export function determinant(c: Context, op: string, a: Value): Value {
  const { b } = c;
  of.checkAnyMatrix(b, op, a, true);
  const x = of.swapped(b, of.flat(b, a)); // as PyTorch does for matrices in row order
  const factors = factor(b, x);
  const value = b.multiply(productOf(b, of.diagonalOf(b, factors.packed)), factors.parity);
  const [result] = of.withGradient(c, 'LinalgDet', [x], [value], ({ c: back, b: inner, cotangents: [g], results }) => {
    const weight = inner.multiply(g!, conj(inner, results[0]!));
    if (isComplex(x)) {
      const adjoint = conj(inner, of.swapped(inner, x));
      return [inner.multiply(inverse(back, op, adjoint), of.spread(inner, weight, [0], shapeOf(x)))];
    }
    const safe = { ...factors, packed: perturbed(inner, factors.packed) };
    const identity = of.identityLike(inner, x);
    const columns = of.timesRows(inner, identity, of.spread(inner, weight, [0], shapeOf(x).slice(0, 2)));
    return [of.swapped(inner, solveWith(back, safe, x, columns, false))];
  });
  return b.reshape(result!, of.batchOf(a));
}
/** The sign of the determinant (complex: on the unit circle) and the logarithm of its size. */
export function signAndLog(c: Context, op: string, a: Value): [sign: Value, log: Value] {
  const { b } = c;
  of.checkAnyMatrix(b, op, a, true);
  const x = of.swapped(b, of.flat(b, a)); // as in `determinant`
  const factors = factor(b, x);
  const diagonal = of.diagonalOf(b, factors.packed);
  const computed = [
    b.multiply(productOf(b, signOf(b, diagonal)), factors.parity),
    b.sum(b.unary('log', b.unary('abs', diagonal)), [1]),
  ];
  const results = of.withGradient(
    c,
    'LinalgSlogdet',
    [x],
    computed,
    ({ c: back, b: inner, cotangents, results: [s] }) => {
      const [ofSign, ofLog] = cotangents as [Value, Value];
      if (isComplex(x)) {
        // The sign only turns.
        const turn = inner.negate(imag(inner, op, inner.multiply(conj(inner, ofSign), s!)));
        const weight = of.spread(inner, fromParts(inner, op, ofLog, turn), [0], shapeOf(x));
        return [inner.multiply(inverse(back, op, conj(inner, of.swapped(inner, x))), weight)];
      }
      const columns = of.timesRows(
        inner,
        of.identityLike(inner, x),
        of.spread(inner, ofLog, [0], shapeOf(x).slice(0, 2)),
      );
      return [of.swapped(inner, solveWith(back, factors, x, columns, false))];
    },
  );
  return [b.reshape(results[0]!, of.batchOf(a)), b.reshape(results[1]!, of.batchOf(a))];
}
/** The logarithm of the determinant: NaN where that is negative, complex for complex matrices. */
export function logOfDeterminant(c: Context, op: string, a: Value): Value {
  const { b } = c;
  const [sign, log] = signAndLog(c, op, a);
  if (!isComplex(a)) return b.select(b.compare('LT', sign, b.like(sign, 0)), b.like(log, Number.NaN), log);
  // The angle of a determinant of 0 is NaN, as in PyTorch.
  return fromParts(b, op, log, b.add(angle(b, sign), b.multiply(log, b.like(log, 0))));
}

/** A = P · L · U with P, L and U as matrices; gradients as in PyTorch. */
export function lu(c: Context, op: string, a: Value): [Value, Value, Value] {
  const { b } = c;
  of.checkAnyMatrix(b, op, a);
  const x = of.flat(b, a);
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  const n = Math.min(rows, columns);
  const { packed, permutation } = factored(c, x);
  const square = [count, rows, rows];
  const order = of.spread(b, permutation, [0, 2], square);
  const p = b.convert(b.compare('EQ', order, of.indices(b, square, 1)), typeOf(a));
  const left = of.firstColumns(b, packed, n);
  const l = b.add(of.trianglePart(b, left, 'GT'), of.identityLike(b, left));
  const u = of.trianglePart(b, of.firstRows(b, packed, n), 'LE');
  const batch = of.batchOf(a);
  return [of.unflat(b, p, batch), of.unflat(b, l, batch), of.unflat(b, u, batch)];
}
/** The packed factors, with their gradient. */
export function factored(c: Context, x: Value): Factors {
  const factors = factor(c.b, x);
  const [packed] = of.withGradient(c, 'LinalgLuFactor', [x], [factors.packed], ({ b, cotangents: [g], results }) => [
    packedGradient(b, g!, results[0]!, factors.permutation),
  ]);
  return { ...factors, packed: packed! };
}
/**
 * The gradient of the leading square block is L⁻ᵀ · (tril(Lᵀ·gL, -1) + triu(gU·Uᵀ)) · U⁻ᵀ, with ᴴ for complex matrices; the rest
 * of a wide or tall matrix is a solve.
 */
function packedGradient(b: Builder, g: Value, packed: Value, permutation: Value): Value {
  const [count, rows, columns] = shapeOf(packed) as [number, number, number];
  const n = Math.min(rows, columns);
  const block = (x: Value, r0: number, r1: number, c0: number, c1: number): Value =>
    b.slice(x, [0, r0, c0], [count, r1, c1]);
  const adjoint = (x: Value): Value => conj(b, of.swapped(b, x));
  const head = block(packed, 0, n, 0, n);
  const gHead = block(g, 0, n, 0, n);
  const triangular = (x: Value, lower: boolean, leftSide: boolean): Value =>
    b.emit1('triangular_solve', [head, x], {
      leftSide,
      lower,
      unitDiagonal: lower,
      transposeA: isComplex(x) ? 'ADJOINT' : 'TRANSPOSE',
    });
  let gL = of.trianglePart(b, gHead, 'GT');
  let gU = of.trianglePart(b, gHead, 'LE');
  const l = b.add(of.trianglePart(b, head, 'GT'), of.identityLike(b, head));
  const u = of.trianglePart(b, head, 'LE');
  let rest: Value | undefined;
  if (rows > n) {
    // L₂ = A₂ · U⁻¹
    rest = triangular(block(g, n, rows, 0, n), false, false);
    gU = b.subtract(gU, of.product(b, adjoint(block(packed, n, rows, 0, n)), rest));
  } else if (columns > n) {
    // U₂ = L⁻¹ · A₂
    rest = triangular(block(g, 0, n, n, columns), true, true);
    gL = b.subtract(gL, of.product(b, rest, adjoint(block(packed, 0, n, n, columns))));
  }
  const inner = b.add(
    of.trianglePart(b, of.product(b, adjoint(l), gL), 'GT'),
    of.trianglePart(b, of.product(b, gU, adjoint(u)), 'LE'),
  );
  const gSquare = triangular(triangular(inner, true, true), false, false);
  const all = rest === undefined ? gSquare : b.concatenate([gSquare, rest], rows > n ? 1 : 2);
  return rowsAt(b, all, inverted(b, permutation));
}
