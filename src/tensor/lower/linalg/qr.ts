// QR decomposition by Householder reflections, with the signs of LAPACK.
//
//   H(k) = I - tau · v · vᵀ     H(n-1) … H(0) · A = R     Q = H(0) … H(n-1)
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { isComplex } from '../complex.ts';
import { typeOf } from '../narrow.ts';
import * as of from './batches.ts';
import { embedded, extracted } from './complex.ts';

/** Q [count, rows, width] and R [count, width, columns] of matrices [count, rows, columns]; no gradient flows. */
export function decompose(b: Builder, a: Value, isComplete: boolean): [q: Value, r: Value] {
  const [count, rows, columns] = shapeOf(a) as [number, number, number];
  const steps = Math.min(rows, columns);
  const width = isComplete ? rows : steps;
  const start = of.identityLike(b, b.fill(typeOf(a), [count, rows, width], 0));
  if (steps === 0 || count === 0) return [start, of.firstRows(b, a, width)];
  const { reduced, vectors: vs, taus: ts } = reflections(b, a);
  const [q] = of.loop(b, steps, [start], (inner, turn, [x]) => {
    const k = inner.subtract(inner.fill('i32', [], steps - 1), turn);
    return [reflected(inner, x!, of.columnAt(inner, vs, k), of.elementAt(inner, ts, k))];
  });
  return [q!, of.trianglePart(b, of.firstRows(b, reduced, width), 'LE')];
}
/** A after all reflections (R on and above the diagonal), their vectors and factors. */
export function reflections(
  b: Builder,
  a: Value,
): { readonly reduced: Value; readonly vectors: Value; readonly taus: Value } {
  const [count, rows, columns] = shapeOf(a) as [number, number, number];
  const steps = Math.min(rows, columns);
  const start = [a, b.fill(typeOf(a), [count, rows, steps], 0), b.fill(typeOf(a), [count, steps], 0)];
  const [reduced, vectors, taus] = of.loop(b, steps, start, reflect) as [Value, Value, Value];
  return { reduced, vectors, taus };
}
/** (I - tau · v · vᵀ) · x. */
function reflected(b: Builder, x: Value, v: Value, tau: Value): Value {
  const shape = shapeOf(x);
  const tall = of.spread(b, v, [0, 1], shape);
  const along = b.sum(b.multiply(tall, x), [1]);
  const weighted = b.multiply(along, of.spread(b, tau, [0], shapeOf(along)));
  return b.subtract(x, b.multiply(tall, of.spread(b, weighted, [0, 2], shape)));
}
function reflect(b: Builder, k: Value, state: readonly Value[]): readonly Value[] {
  const [a, vectors, taus] = state as [Value, Value, Value];
  const [count, rows] = shapeOf(a) as [number, number];
  const vector = [count, rows];
  const column = of.columnAt(b, a, k);
  const zero = b.like(column, 0);
  const alpha = of.elementAt(b, column, k);
  const below = b.select(of.isAt(b, 'GT', vector, 1, k), column, zero);
  // scaled by the largest element, so that no square overflows
  const size = b.reduce('maximum', b.unary('abs', column), b.fill(typeOf(a), [], 0), [1]);
  const safe = b.select(b.compare('EQ', size, b.like(size, 0)), b.like(size, 1), size);
  const part = b.divide(below, of.spread(b, safe, [0], vector));
  const rest = b.sum(b.multiply(part, part), [1]);
  const isFlat = b.compare('EQ', rest, b.like(rest, 0));
  const head = b.divide(alpha, safe);
  const length = b.multiply(safe, b.unary('sqrt', b.add(rest, b.multiply(head, head))));
  const beta = b.select(b.compare('LT', alpha, b.like(alpha, 0)), length, b.negate(length));
  const one = b.like(alpha, 1);
  const divisor = b.select(isFlat, one, b.subtract(alpha, beta));
  const tau = b.select(isFlat, b.like(alpha, 0), b.divide(b.subtract(beta, alpha), b.select(isFlat, one, beta)));
  const v = b.select(
    of.isAt(b, 'EQ', vector, 1, k),
    b.like(column, 1),
    b.divide(below, of.spread(b, divisor, [0], vector)),
  );
  return [
    reflected(b, a, v, tau),
    b.select(of.isAt(b, 'EQ', shapeOf(vectors), 2, k), of.spread(b, v, [0, 1], shapeOf(vectors)), vectors),
    b.select(of.isAt(b, 'EQ', shapeOf(taus), 1, k), of.spread(b, tau, [0], shapeOf(taus)), taus),
  ];
}

export function qr(c: Context, op: string, a: Value, mode: 'reduced' | 'complete' | 'r'): Value[] {
  const { b } = c;
  if (isComplex(a) && shapeOf(a).length >= 2 && mode === 'reduced') {
    const factors = qr(c, op, embedded(b, op, a), mode) as [Value, Value];
    return pairedSigns(b, factors).map(x => extracted(b, op, x));
  }
  of.checkMatrix(b, op, a);
  const x = of.flat(b, a);
  const [, rows, columns] = shapeOf(x) as [number, number, number];
  const [q, r] = decompose(b, x, mode === 'complete');
  const isDifferentiable = mode === 'reduced' || (mode === 'complete' && rows <= columns);
  if (!isDifferentiable) for (const value of [q, r]) c.stop(value);
  const [outQ, outR] = isDifferentiable
    ? of.withGradient(c, 'LinalgQr', [x], [q, r], ({ b: inner, cotangents, results }) => [
        gradient(inner, x, cotangents as [Value, Value], results as [Value, Value]),
      ])
    : [q, r];
  const batch = of.batchOf(a);
  return mode === 'r'
    ? [b.fill(typeOf(a), [0], 0), of.unflat(b, outR!, batch)]
    : [of.unflat(b, outQ!, batch), of.unflat(b, outR!, batch)];
}
/** Negates columns of Q and rows of R so that the diagonal entries have the same signs. */
function pairedSigns(b: Builder, [q, r]: readonly [Value, Value]): [Value, Value] {
  const batch = of.batchOf(r);
  const diagonal = of.diagonalOf(b, of.flat(b, r));
  const [count, n] = shapeOf(diagonal) as [number, number];
  const pairs = b.reshape(b.unary('sign', diagonal), [count, n / 2, 2]);
  const first = b.slice(pairs, [0, 0, 0], [count, n / 2, 1]);
  const wide = b.broadcastInDim(b.reshape(first, [count, n / 2]), [0, 1], [count, n / 2, 2]);
  const turns = b.reshape(b.multiply(wide, pairs), [count, n]);
  return [
    of.unflat(b, of.timesColumns(b, of.flat(b, q), turns), batch),
    of.unflat(b, of.timesRows(b, of.flat(b, r), turns), batch),
  ];
}
/** Walter and Lehmann, "Algorithmic Differentiation of Linear Algebra Functions" (2010). */
function gradient(b: Builder, x: Value, [gq, gr]: readonly [Value, Value], [q, r]: readonly [Value, Value]): Value {
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  if (rows >= columns) return tallGradient(b, gq, gr, q, r);
  // the leading square block is decomposed, the rest is Qᵀ · A₂
  const part = (value: Value, from: number, to: number): Value => b.slice(value, [0, 0, from], [count, rows, to]);
  const [gLeft, gRight] = [part(gr, 0, rows), part(gr, rows, columns)];
  const rest = part(x, rows, columns);
  const ofQ = b.add(gq, of.product(b, rest, of.swapped(b, gRight)));
  return b.concatenate([tallGradient(b, ofQ, gLeft, q, part(r, 0, rows)), of.product(b, q, gRight)], 2);
}
/** (gQ + Q · copyltu(R·gRᵀ - gQᵀ·Q)) · R⁻ᵀ. */
function tallGradient(b: Builder, gq: Value, gr: Value, q: Value, r: Value): Value {
  const upper = of.trianglePart(b, gr, 'LE');
  const m = b.subtract(of.product(b, r, of.swapped(b, upper)), of.product(b, of.swapped(b, gq), q));
  const low = of.trianglePart(b, m, 'GT');
  const both = b.select(of.triangle(b, m, 'EQ'), m, b.add(low, of.swapped(b, low)));
  return b.emit1('triangular_solve', [r, b.add(gq, of.product(b, q, both))], {
    leftSide: false,
    lower: false,
    unitDiagonal: false,
    transposeA: 'TRANSPOSE',
  });
}
