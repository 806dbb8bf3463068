// Eigenvalues of symmetric matrices and singular values by Jacobi's rotations. A turn rotates all of n / 2 disjoint pairs of
// columns at once; between turns the columns move as the players of a round-robin tournament, so that n - 1 turns (a sweep)
// make each pair meet once (Brent and Luk, 1985).
//
//   pairs are columns (i, i + n/2):    t0 t1 t2      t0 b0 t1     t0 stays, the others go round
//                                      b0 b1 b2  →   b1 b2 t2
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import * as move from '../move.ts';
import { typeOf } from '../narrow.ts';
import * as of from './batches.ts';

/** Jacobi's methods converge quadratically; as many sweeps are hardly ever needed. */
const mostSweeps = 24;

/** Entries of a dim, an even number of them, as the next turn has them. */
function nextRound(b: Builder, x: Value, dim: number): Value {
  const shape = shapeOf(x);
  const n = shape[dim]!;
  const half = n / 2;
  if (half < 2) return x;
  const part = (from: number, to: number): Value[] =>
    from === to
      ? []
      : [
          b.slice(
            x,
            shape.map((_, d) => (d === dim ? from : 0)),
            shape.map((size, d) => (d === dim ? to : size)),
          ),
        ];
  const parts = [part(0, 1), part(half, half + 1), part(1, half - 1), part(half + 1, n), part(half - 1, half)];
  return b.concatenate(parts.flat(), dim);
}
/** The first and the second half of a dim. */
function halves(b: Builder, x: Value, dim: number): [Value, Value] {
  const shape = shapeOf(x);
  const half = shape[dim]! / 2;
  const start = shape.map(() => 0);
  return [
    b.slice(
      x,
      start,
      shape.map((size, d) => (d === dim ? half : size)),
    ),
    b.slice(
      x,
      start.map((_, d) => (d === dim ? half : 0)),
      shape,
    ),
  ];
}
/** Each pair (p, q) of entries of a dim becomes (c·p - s·q, s·p + c·q); c and s are [count, half]. */
function rotated(b: Builder, x: Value, dim: number, c: Value, s: Value): Value {
  const [p, q] = halves(b, x, dim);
  const [wideC, wideS] = [of.spread(b, c, [0, dim], shapeOf(p)), of.spread(b, s, [0, dim], shapeOf(p))];
  return b.concatenate(
    [b.subtract(b.multiply(wideC, p), b.multiply(wideS, q)), b.add(b.multiply(wideS, p), b.multiply(wideC, q))],
    dim,
  );
}
/** The rotation that makes [[app, apq], [apq, aqq]] diagonal: the smaller of the two angles. */
function rotation(b: Builder, app: Value, aqq: Value, apq: Value): [c: Value, s: Value] {
  const one = b.like(apq, 1);
  const isZero = b.compare('EQ', apq, b.like(apq, 0));
  const zeta = b.divide(b.subtract(aqq, app), of.scaled(b, b.select(isZero, one, apq), 2));
  const size = b.unary('abs', zeta);
  // for large zeta, zeta² would overflow: there the tangent is 1 / (2·zeta)
  const isLarge = b.compare('GT', size, b.like(size, 1e15));
  const root = b.unary('sqrt', b.add(one, b.multiply(zeta, b.select(isLarge, one, zeta))));
  const tangent = b.divide(one, b.select(isLarge, of.scaled(b, size, 2), b.add(size, root)));
  const signed = b.select(b.compare('LT', zeta, b.like(zeta, 0)), b.negate(tangent), tangent);
  const t = b.select(isZero, b.like(apq, 0), signed);
  const cosine = b.divide(one, b.unary('sqrt', b.add(one, b.multiply(t, t))));
  return [cosine, b.multiply(cosine, t)];
}
/** With a row and a column of zeros where the number of columns is odd. */
function evenColumns(b: Builder, x: Value, extraRows: number): Value {
  const extra = shapeOf(x)[2]! % 2;
  if (extra === 0 && extraRows === 0) return x;
  return b.pad(x, b.fill(typeOf(x), [], 0), [0, 0, 0], [0, extraRows, extra]);
}
/** Columns of x [count, rows, n] in the order of rising keys [count, n], the first `kept` of them; and the keys. */
function sortedColumns(b: Builder, x: Value, keys: Value, kept: number): [x: Value, keys: Value] {
  const [count, rows, n] = shapeOf(x) as [number, number, number];
  const positions = b.iota(tensorType('i32', [count, n]), 1);
  const [scalar, index] = [tensorType(typeOf(keys)), tensorType('i32')];
  const rising = b.region([scalar, scalar, index, index], (inner, [p, q]) => [inner.compare('LT', p!, q!)]);
  const [sorted, order] = b.emit('sort', [keys, positions], { dimension: 1, isStable: true }, [rising]);
  const first = (value: Value): Value => b.slice(value, [0, 0], [count, kept]);
  return [move.gather(b, x, 2, of.spread(b, first(order!), [0, 2], [count, rows, kept])), first(sorted!)];
}

/** Rising eigenvalues [count, n] and eigenvectors, as columns, of symmetric matrices [count, n, n]. */
export function symmetric(b: Builder, a: Value): [values: Value, vectors: Value] {
  const [count, n] = shapeOf(a) as [number, number];
  if (n === 0 || count === 0) return [b.fill(typeOf(a), [count, n], 0), a];
  const padded = evenColumns(b, a, n % 2);
  const even = n + (n % 2);
  const square = [count, even, even];
  const squareSum = (builder: Builder, x: Value): Value => builder.sum(builder.multiply(x, x), [1, 2]);
  const offDiagonal = (builder: Builder, x: Value): Value =>
    squareSum(builder, builder.select(of.triangle(builder, x, 'EQ'), builder.like(x, 0), x));
  // scaled, so that squares neither overflow nor vanish
  const largest = b.reduce('maximum', b.unary('abs', padded), b.fill(typeOf(a), [], 0), [1, 2]);
  const unit = b.select(b.compare('EQ', largest, b.like(largest, 0)), b.like(largest, 1), largest);
  const start = b.divide(padded, of.spread(b, unit, [0], square));
  const limit = of.scaled(b, squareSum(b, start), of.epsilonOf(a) ** 2);
  const [turned, vectors] = of.loop(
    b,
    mostSweeps * Math.max(1, even - 1),
    [start, of.identityLike(b, start), offDiagonal(b, start)],
    (inner, _, [x, v]) => {
      const [top, bottom] = halves(inner, x!, 1);
      const [[pp, pq], [, qq]] = [halves(inner, top, 2), halves(inner, bottom, 2)];
      const [cosine, sine] = rotation(
        inner,
        of.diagonalOf(inner, pp),
        of.diagonalOf(inner, qq),
        of.diagonalOf(inner, pq),
      );
      const both = rotated(inner, rotated(inner, x!, 2, cosine, sine), 1, cosine, sine);
      const next = nextRound(inner, nextRound(inner, both, 1), 2);
      return [next, nextRound(inner, rotated(inner, v!, 2, cosine, sine), 2), offDiagonal(inner, next)];
    },
    (inner, [, , off]) => {
      const isLeft = inner.compare('GT', off!, limit);
      return inner.reduce('or', isLeft, inner.fill('i1', [], false), [0]);
    },
  ) as [Value, Value];
  const values = b.multiply(of.diagonalOf(b, turned), of.spread(b, unit, [0], [count, even]));
  const [ordered, keys] = sortedColumns(b, vectors, withoutPadding(b, values, vectors, n, Infinity), n);
  return [keys, of.firstRows(b, ordered, n)];
}
/** Keys with `last` for the column that was added: it alone has a row `n` other than 0. */
function withoutPadding(b: Builder, keys: Value, vectors: Value, n: number, last: number): Value {
  if (n % 2 === 0) return keys;
  const [count, rows, columns] = shapeOf(vectors) as [number, number, number];
  const row = b.reshape(b.slice(vectors, [0, rows - 1, 0], [count, rows, columns]), [count, columns]);
  return b.select(b.compare('NE', row, b.like(row, 0)), b.like(keys, last), keys);
}

/**
 * For matrices A [count, rows, n] with rows ≥ n: W = A · V with orthogonal columns, the longest first, and V (orthogonal).
 * Hestenes' method: rotations of columns only, which keeps small singular values exact.
 */
export function orthogonalColumns(b: Builder, a: Value): [w: Value, v: Value] {
  const [count, rows, n] = shapeOf(a) as [number, number, number];
  const even = n + (n % 2);
  const largest = b.reduce('maximum', b.unary('abs', a), b.fill(typeOf(a), [], 0), [1, 2]);
  const unit = b.select(b.compare('EQ', largest, b.like(largest, 0)), b.like(largest, 1), largest);
  const start = evenColumns(b, b.divide(a, of.spread(b, unit, [0], shapeOf(a))), 0);
  const identity = of.identityLike(b, b.fill(typeOf(a), [count, even, even], 0));
  const epsilon = of.epsilonOf(a);
  const turns = Math.max(1, even - 1);
  const zero = b.fill(typeOf(a), [], 0);
  // W above V, rotated together. The state has the worst pair of this sweep, and that of the sweep before.
  const [both] = of.loop(
    b,
    mostSweeps * turns,
    [b.concatenate([start, identity], 1), zero, b.fill(typeOf(a), [], 1)],
    (inner, k, [x, worst, before]) => {
      const w = of.firstRows(inner, x!, rows);
      const [p, q] = halves(inner, w, 2);
      const dot = (left: Value, right: Value): Value => inner.sum(inner.multiply(left, right), [1]);
      const [pp, qq, pq] = [dot(p, p), dot(q, q), dot(p, q)];
      const [cosine, sine] = rotation(inner, pp, qq, pq);
      // columns that are rounding errors only are no reason to go on
      const length = inner.reduce('maximum', inner.maximum(pp, qq), inner.fill(typeOf(a), [], 0), [1]);
      const noise = of.spread(inner, of.scaled(inner, length, rows * epsilon ** 2), [0], shapeOf(pp));
      const isNoise = inner.compare('LE', inner.minimum(pp, qq), noise);
      const lengths = inner.unary('sqrt', inner.multiply(inner.select(isNoise, inner.like(pp, 1), pp), qq));
      const cosineOf = inner.divide(inner.unary('abs', pq), inner.select(isNoise, inner.like(pp, 1), lengths));
      const each = inner.select(isNoise, inner.like(pq, 0), cosineOf);
      const here = inner.reduce('maximum', each, inner.fill(typeOf(a), [], 0), [0, 1]);
      const most = inner.maximum(worst!, here);
      const left = inner.binary('remainder', inner.add(k, inner.fill('i32', [], 1)), inner.fill('i32', [], turns));
      const isEnd = inner.compare('EQ', left, inner.fill('i32', [], 0));
      return [
        nextRound(inner, rotated(inner, x!, 2, cosine, sine), 2),
        inner.select(isEnd, inner.fill(typeOf(a), [], 0), most),
        inner.select(isEnd, most, before!),
      ];
    },
    (inner, [, , before]) => inner.compare('GT', before!, inner.fill(typeOf(a), [], epsilon * Math.sqrt(rows))),
  ) as [Value];
  const w = of.firstRows(b, both, rows);
  const v = b.slice(both, [0, rows, 0], [count, rows + even, even]);
  const lengths = b.sum(b.multiply(w, w), [1]);
  const [sorted] = sortedColumns(b, both, withoutPadding(b, b.negate(lengths), v, n, 1), n);
  const scaledBack = of.firstRows(b, sorted, rows);
  return [
    b.multiply(scaledBack, of.spread(b, unit, [0], shapeOf(scaledBack))),
    b.slice(sorted, [0, rows, 0], [count, rows + n, n]),
  ];
}
