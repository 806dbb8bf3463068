// Products of Householder reflections H(k) = I - tau(k) · v(k) · v(k)ᵀ, packed as LAPACK does: v(k) is 0 above row k, 1 there
// (not stored), and column k of the matrix below. Written as one product, gradients flow through it:
//
//   H(0) · … · H(k-1) = I - V · X,   X = (I + diag(tau) · striu(Vᵀ·V))⁻¹ · diag(tau) · Vᵀ     (Joffrain et al., 2006)
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { conj, isComplex } from '../complex.ts';
import { dtypeOf, typeOf } from '../narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { embedded, extracted } from './complex.ts';
import { reflections } from './qr.ts';

/** V [count, rows, k] and X [count, k, rows]. */
function factors(b: Builder, a: Value, tau: Value): [v: Value, x: Value] {
  const k = shapeOf(tau)[1]!;
  const packed = of.firstColumns(b, a, k);
  const v = b.add(of.trianglePart(b, packed, 'GT'), of.identityLike(b, packed));
  const turned = conj(b, of.swapped(b, v));
  const strict = of.trianglePart(b, of.product(b, turned, v), 'LT');
  const system = b.add(of.identityLike(b, strict), of.timesRows(b, strict, tau));
  const right = of.timesRows(b, turned, tau);
  const isPair = isComplex(a);
  const solved = b.emit1(
    'triangular_solve',
    [system, right].map(part => (isPair ? embedded(b, 'householderProduct', part) : part)) as [Value, Value],
    { leftSide: true, lower: false, unitDiagonal: true, transposeA: 'NO_TRANSPOSE' },
  );
  return [v, isPair ? extracted(b, 'householderProduct', solved) : solved];
}
interface Packed {
  readonly batch: readonly number[];
  readonly a: Value;
  readonly tau: Value;
}
function packed(b: Builder, op: string, a: Value, tau: Value): Packed {
  of.checkAnyMatrix(b, op, a);
  if (typeOf(tau) !== typeOf(a))
    throw mismatch(b, op, shapeOf(a), shapeOf(tau), `the factors must be ${dtypeOf(a)}, too`);
  const batch = of.batchOf(a);
  const shape = shapeOf(tau);
  const [rows, columns] = of.sizeOf(a);
  const k = shape.at(-1) ?? 0;
  if (shape.length !== batch.length + 1 || batch.some((d, i) => d !== shape[i]) || k > columns || columns > rows)
    throw mismatch(
      b,
      op,
      shapeOf(a),
      shape,
      'each matrix [rows, columns ≤ rows] needs a vector of at most as many numbers',
    );
  const wide = of.flat(b, a);
  return { batch, a: wide, tau: b.reshape(tau, [shapeOf(wide)[0]!, k]) };
}
/** The first columns of the product, as many as A has. */
export function householderProduct(b: Builder, op: string, a: Value, tau: Value): Value {
  const given = packed(b, op, a, tau);
  const identity = of.identityLike(b, given.a);
  if (shapeOf(given.tau).includes(0) || shapeOf(given.a).includes(0)) return of.unflat(b, identity, given.batch);
  const [v, x] = factors(b, given.a, given.tau);
  const columns = of.firstColumns(b, x, shapeOf(given.a)[2]!);
  return of.unflat(b, b.subtract(identity, of.product(b, v, columns)), given.batch);
}
/** Q · other, or other · Q, with the square Q or its transpose. */
export function timesQ(
  b: Builder,
  op: string,
  a: Value,
  tau: Value,
  other: Value,
  isLeft: boolean,
  isTransposed: boolean,
): Value {
  of.checkMatrix(b, op, other);
  of.checkMatrix(b, op, a);
  const given = packed(b, op, a, tau);
  const [rows] = of.sizeOf(a);
  if (of.sizeOf(other)[isLeft ? 0 : 1] !== rows)
    throw mismatch(b, op, shapeOf(a), shapeOf(other), `the other matrix needs ${rows} ${isLeft ? 'rows' : 'columns'}`);
  const batch = broadcastShapes(b, op, given.batch, of.batchOf(other));
  if (batch.some((d, i) => d !== given.batch[i]) || batch.length !== given.batch.length)
    throw mismatch(b, op, shapeOf(a), shapeOf(other), 'both need the same leading dims');
  const wide = of.flat(b, broadcastTo(b, other, [...batch, ...of.sizeOf(other)]));
  const [v, x] = factors(b, given.a, given.tau);
  const [left, right] = isTransposed ? [of.swapped(b, x), of.swapped(b, v)] : [v, x];
  const part = isLeft
    ? of.product(b, left, of.product(b, right, wide))
    : of.product(b, of.product(b, wide, left), right);
  return of.unflat(b, b.subtract(wide, part), batch);
}
/** R on and above the diagonal with the reflections below it, and their factors; no gradient flows. */
export function geqrf(c: Context, op: string, a: Value): [packed: Value, tau: Value] {
  const { b } = c;
  of.checkMatrix(b, op, a);
  const x = of.flat(b, a);
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  const steps = Math.min(rows, columns);
  const batch = of.batchOf(a);
  if (steps === 0 || count === 0) return [a, b.fill(typeOf(a), [...batch, steps], 0)];
  const { reduced, vectors, taus } = reflections(b, x);
  const wide =
    steps === columns ? vectors : b.pad(vectors, b.fill(typeOf(vectors), [], 0), [0, 0, 0], [0, 0, columns - steps]);
  const both = b.add(of.trianglePart(b, reduced, 'LE'), of.trianglePart(b, wide, 'GT'));
  c.stop(both);
  c.stop(taus);
  return [of.unflat(b, both, batch), of.unflat(b, taus, batch)];
}
