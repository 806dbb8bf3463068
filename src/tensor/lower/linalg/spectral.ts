// Eigenvalues of symmetric matrices and singular values, with gradients, and functions based on them: pseudo-inverse, rank,
// condition number, least squares.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { isComplex } from '../complex.ts';
import { matmul } from '../matmul.ts';
import { slice } from '../move.ts';
import { typeOf } from '../narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { embedded, extracted, hermitian } from './complex.ts';
import { factorize } from './factorize.ts';
import { decompose } from './qr.ts';

/** The eigendecomposition of the lower or upper triangle of [count, n, n]: the kernel reads the lower one. */
const eigenOf = (b: Builder, x: Value, isUpper: boolean): [values: Value, vectors: Value] =>
  factorize(b, 'trenio.eigh', isUpper ? of.swapped(b, x) : x) as [Value, Value];
export function eigh(c: Context, op: string, a: Value, isUpper: boolean): [values: Value, vectors: Value] {
  const { b } = c;
  of.checkMatrix(b, op, a, true);
  const x = of.flat(b, a);
  const [count, n] = shapeOf(x) as [number, number];
  const computed = eigenOf(b, x, isUpper);
  const outputs = of.withGradient(c, 'LinalgEigh', [x], computed, ({ b: inner, cotangents, reaches, results }) => {
    const [gl, gv] = cotangents as [Value, Value];
    const [l, v] = results as [Value, Value];
    const turned = of.swapped(inner, v);
    const square = [count, n, n];
    let middle = inner.select(
      of.triangle(inner, v, 'EQ'),
      of.spread(inner, gl, [0, 1], square),
      inner.fill(typeOf(x), square, 0),
    );
    if (reaches[1]) {
      // the skew part of Vᵀ·gV, divided by λj - λi off the diagonal
      const gaps = inner.subtract(of.spread(inner, l, [0, 2], square), of.spread(inner, l, [0, 1], square));
      const isOn = of.triangle(inner, v, 'EQ');
      const safe = inner.select(isOn, inner.like(gaps, 1), gaps);
      const inside = of.product(inner, turned, gv);
      const skew = of.scaled(inner, inner.subtract(inside, of.swapped(inner, inside)), 0.5);
      const off = inner.divide(skew, safe);
      middle = inner.select(isOn, middle, off);
    }
    return [of.product(inner, of.product(inner, v, middle), turned)];
  }) as [Value, Value];
  return [of.unflat(b, outputs[0], of.batchOf(a)), of.unflat(b, outputs[1], of.batchOf(a))];
}

/** U [.., rows, k], descending singular values [.., k], Vᵀ [.., k, columns]; square U and V if `isFull`. */
export function svd(c: Context, op: string, a: Value, isFull: boolean): [u: Value, s: Value, vh: Value] {
  const { b } = c;
  if (shapeOf(a).includes(0) && (typeOf(a) === 'f16' || typeOf(a) === 'bf16'))
    return svd(c, op, b.convert(a, 'f32'), isFull).map(part => b.convert(part, typeOf(a))) as [Value, Value, Value];
  of.checkMatrix(b, op, a);
  const x = of.flat(b, a);
  const [, rows, columns] = shapeOf(x) as [number, number, number];
  const computed = decomposed(b, x, isFull);
  const isThin = !isFull || rows === columns;
  if (!isThin) {
    c.stop(computed[0]);
    c.stop(computed[2]);
  }
  const formula = ({ b: inner, cotangents, reaches, results }: of.Backward): readonly Value[] => [
    isThin
      ? svdGradient(
          inner,
          cotangents,
          reaches.some((is, i) => is && i !== 1),
          results,
        )
      : valuesGradient(inner, cotangents[0]!, results[0]!, computed),
  ];
  const outputs = isThin
    ? of.withGradient(c, 'LinalgSvd', [x], computed, formula)
    : [computed[0], of.withGradient(c, 'LinalgSvd', [x], [computed[1]], formula)[0]!, computed[2]];
  const batch = of.batchOf(a);
  return outputs.map(value => of.unflat(b, value, batch)) as [Value, Value, Value];
}
function decomposed(b: Builder, x: Value, isFull: boolean): [Value, Value, Value] {
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  if (rows < columns) {
    const [u, s, vh] = decomposed(b, of.swapped(b, x), isFull);
    return [of.swapped(b, vh), s, of.swapped(b, u)];
  }
  if (columns === 0 || count === 0) {
    const width = isFull ? rows : columns;
    const u = of.identityLike(b, b.fill(typeOf(x), [count, rows, width], 0));
    return [u, b.fill(typeOf(x), [count, columns], 0), b.fill(typeOf(x), [count, columns, columns], 0)];
  }
  const [u, s, vh] = factorize(b, 'trenio.svd', x) as [Value, Value, Value];
  if (!isFull || rows === columns) return [u, s, vh];
  // the missing columns are those of Q, which begins with those of U, up to signs
  const [q] = decompose(b, u, true);
  const rest = b.slice(q, [0, 0, columns], [count, rows, rows]);
  return [b.concatenate([u, rest], 2), s, vh];
}
/** The gradient of the singular values alone: U · diag(gS) · Vᵀ. */
function valuesGradient(b: Builder, gs: Value, s: Value, [u, , vh]: readonly [Value, Value, Value]): Value {
  const n = shapeOf(s)[1]!;
  return of.product(b, of.timesColumns(b, of.firstColumns(b, u, n), gs), of.firstRows(b, vh, n));
}
function svdGradient(
  b: Builder,
  [gu, gs, gvh]: readonly Value[],
  isOfVectors: boolean,
  results: readonly Value[],
): Value {
  const [u, s, vh] = results as [Value, Value, Value];
  if (!isOfVectors) return valuesGradient(b, gs!, s, [u, s, vh]);
  const [count, n] = shapeOf(s) as [number, number];
  const [rows, columns] = [shapeOf(u)[1]!, shapeOf(vh)[2]!];
  const square = [count, n, n];
  const [uh, v, gv] = [of.swapped(b, u), of.swapped(b, vh), of.swapped(b, gvh!)];
  const isOn = of.triangle(b, b.fill(typeOf(s), square, 0), 'EQ');
  const squares = b.multiply(s, s);
  const gaps = b.subtract(of.spread(b, squares, [0, 2], square), of.spread(b, squares, [0, 1], square));
  const safe = b.select(isOn, b.like(gaps, 1), gaps);
  const skew = (x: Value): Value => b.divide(b.subtract(x, of.swapped(b, x)), safe);
  const ofU = of.timesColumns(b, skew(of.product(b, uh, gu!)), s);
  const ofV = of.timesRows(b, skew(of.product(b, vh, gv)), s);
  const middle = b.select(isOn, of.spread(b, gs!, [0, 1], square), b.add(ofU, ofV));
  const inverse = b.divide(b.like(s, 1), s);
  let result: Value;
  if (rows > n) {
    // what gU has outside of the space of U
    const scaledU = of.timesColumns(b, gu!, inverse);
    const outside = b.subtract(scaledU, of.product(b, u, of.product(b, uh, scaledU)));
    result = of.product(b, b.add(of.product(b, u, middle), outside), vh);
  } else if (columns > n) {
    const scaledV = of.timesRows(b, gvh!, inverse);
    const outside = b.subtract(scaledV, of.product(b, of.product(b, scaledV, v), vh));
    result = of.product(b, u, b.add(of.product(b, middle, vh), outside));
  } else result = of.product(b, of.product(b, u, middle), vh);
  return result;
}

/** Ascending eigenvalues of symmetric or Hermitian matrices; embedded in a real matrix, each occurs twice. */
export function hermitianValues(c: Context, op: string, a: Value, isUpper: boolean): Value {
  if (!isComplex(a) || shapeOf(a).length < 2) return eigh(c, op, a, isUpper)[0];
  return everySecond(c.b, eigh(c, op, embedded(c.b, op, hermitian(c, op, a, isUpper)), false)[0]);
}
/** Singular values in descending order. */
export function singularValues(c: Context, op: string, a: Value): Value {
  if (!isComplex(a) || shapeOf(a).length < 2) return svd(c, op, a, false)[1];
  return everySecond(c.b, svd(c, op, embedded(c.b, op, a), false)[1]);
}
const everySecond = (b: Builder, x: Value): Value => slice(b, x, -1, 0, shapeOf(x).at(-1)!, 2);

const epsilonOfComplex = (x: Value): number => (typeOf(x) === 'complex<f64>' ? 2 ** -52 : 2 ** -23);
/** The threshold below which singular values count as 0: [.., 1], from max(atol, rtol · largest). */
function threshold(
  b: Builder,
  s: Value,
  [rows, columns]: readonly [number, number],
  atol: number | undefined,
  rtol: number | undefined,
): Value {
  const relative = rtol ?? (atol === undefined || atol === 0 ? Math.max(rows, columns) * of.epsilonOf(s) : 0);
  const last = shapeOf(s).length - 1;
  const largest = b.reduce('maximum', s, b.fill(typeOf(s), [], 0), [last]);
  const limit = b.maximum(of.scaled(b, largest, relative), b.like(largest, atol ?? 0));
  return b.broadcastInDim(
    limit,
    shapeOf(limit).map((_, d) => d),
    shapeOf(s),
  );
}
/** Magnitudes of eigenvalues, or singular values. */
const strengths = (c: Context, op: string, a: Value, isHermitian: boolean): Value =>
  isHermitian ? c.b.unary('abs', eigh(c, op, a, false)[0]) : svd(c, op, a, false)[1];

export function rank(
  c: Context,
  op: string,
  a: Value,
  atol: number | undefined,
  rtol: number | undefined,
  isHermitian: boolean,
): Value {
  const { b } = c;
  if (isComplex(a) && shapeOf(a).length >= 2) {
    // each singular value occurs twice
    const [rows, columns] = of.sizeOf(a);
    const limit =
      rtol ?? (atol === undefined || atol === 0 ? Math.max(rows, columns) * epsilonOfComplex(a) : undefined);
    const all = rank(
      c,
      op,
      isHermitian ? embedded(b, op, hermitian(c, op, a, false)) : embedded(b, op, a),
      atol,
      limit,
      isHermitian,
    );
    return b.divide(all, b.like(all, 2));
  }
  const s = strengths(c, op, a, isHermitian);
  const counts = b.convert(b.compare('GT', s, threshold(b, s, of.sizeOf(a), atol, rtol)), 'i64');
  return b.sum(counts, [shapeOf(s).length - 1]);
}
/** The Moore-Penrose pseudo-inverse. */
export function pseudoInverse(
  c: Context,
  op: string,
  a: Value,
  atol: number | undefined,
  rtol: number | undefined,
  isHermitian: boolean,
): Value {
  const { b } = c;
  if (isComplex(a) && shapeOf(a).length >= 2) {
    const [rows, columns] = of.sizeOf(a);
    const limit =
      rtol ?? (atol === undefined || atol === 0 ? Math.max(rows, columns) * epsilonOfComplex(a) : undefined);
    const real = embedded(b, op, isHermitian ? hermitian(c, op, a, false) : a);
    return extracted(b, op, pseudoInverse(c, op, real, atol, limit, isHermitian));
  }
  of.checkMatrix(b, op, a, isHermitian);
  const x = of.flat(b, a);
  const inverseOf = (s: Value): Value => {
    const isSmall = b.compare('LE', b.unary('abs', s), threshold(b, b.unary('abs', s), of.sizeOf(a), atol, rtol));
    return b.select(isSmall, b.like(s, 0), b.divide(b.like(s, 1), b.select(isSmall, b.like(s, 1), s)));
  };
  let computed: Value;
  if (isHermitian) {
    const [l, v] = eigenOf(b, x, false);
    computed = of.product(b, of.timesColumns(b, v, inverseOf(l)), of.swapped(b, v));
  } else {
    const [u, s, vh] = decomposed(b, x, false);
    computed = of.product(b, of.timesColumns(b, of.swapped(b, vh), inverseOf(s)), of.swapped(b, u));
  }
  const [result] = of.withGradient(c, 'LinalgPinv', [x], [computed], ({ b: inner, cotangents: [g], results }) => {
    // Golub and Pereyra, 1973
    const p = results[0]!;
    const [pt, gt] = [of.swapped(inner, p), of.swapped(inner, g!)];
    const times = (...factors: readonly Value[]): Value => factors.reduce((l, r) => of.product(inner, l, r));
    const first = inner.negate(times(pt, g!, pt));
    // (I - A·P)·gᵀ·P·Pᵀ and Pᵀ·P·gᵀ·(I - P·A)
    const left = times(gt, p, pt);
    const right = times(pt, p, gt);
    const second = inner.subtract(left, times(x, p, left));
    const third = inner.subtract(right, times(right, p, x));
    return [inner.add(first, inner.add(second, third))];
  });
  return of.unflat(b, result!, of.batchOf(a));
}

/** The X that minimizes ‖a·X - right‖, the one with the smallest norm if there are several; and the rank. */
export function leastSquares(
  c: Context,
  op: string,
  a: Value,
  right: Value,
  rcond: number | undefined,
): [solution: Value, rank: Value] {
  const { b } = c;
  for (const x of [a, right]) if (!isComplex(x) || shapeOf(x).length < 2) of.checkMatrix(b, op, x);
  const [rows, columns] = of.sizeOf(a);
  if (of.sizeOf(right)[0] !== rows)
    throw mismatch(b, op, shapeOf(a), shapeOf(right), `the right side needs ${rows} rows`);
  const batch = broadcastShapes(b, op, of.batchOf(a), of.batchOf(right));
  const wide = broadcastTo(b, a, [...batch, rows, columns]);
  const inverse = pseudoInverse(c, op, wide, undefined, rcond, false);
  const solution = matmul(b, inverse, right);
  const counted = rank(c, op, wide, undefined, rcond, false);
  return [solution, counted];
}
