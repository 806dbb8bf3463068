// Eigenvalues and eigenvectors of general matrices, complex in general, with gradients.
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import * as complex from '../complex.ts';
import { mismatch } from '../shapes.ts';
import * as of from './batches.ts';
import { factorize } from './factorize.ts';
import { solve } from './lu.ts';

/** @throws {SHAPE_MISMATCH} @throws {BAD_DTYPE} */
export function eig(c: Context, op: string, a: Value): [values: Value, vectors: Value] {
  const { b } = c;
  if (!complex.isComplex(a)) of.checkMatrix(b, op, a, true);
  const shape = shapeOf(a);
  if (shape.length < 2 || shape.at(-1) !== shape.at(-2))
    throw mismatch(b, op, shape, [-1, -1], 'square matrices are needed');
  const x = of.flat(b, a);
  const computed = factorize(b, 'trenio.eig', x);
  const [values, vectors] = of.withGradient(
    c,
    'LinalgEig',
    [x],
    computed,
    ({ c: inside, b: inner, cotangents, reaches, results }) => {
      const [gl, gv] = cotangents as [Value, Value];
      const [l, v] = results as [Value, Value];
      const size = shapeOf(v) as [number, number, number];
      const isOn = of.triangle(inner, v, 'EQ');
      const adjoint = complex.conj(inner, of.swapped(inner, v));
      const diagonal = of.spread(inner, gl, [0, 1], size);
      let middle = inner.select(isOn, diagonal, inner.like(v, 0));
      if (reaches[1]) {
        // (Vᴴ·gV − Vᴴ·V·diag(Re(Vᴴ·gV))) / conj(λj − λi) off the diagonal: what keeps the lengths of V at 1
        const along = of.product(inner, adjoint, gv);
        const own = complex.asComplex(inner, complex.real(inner, of.diagonalOf(inner, along)));
        const kept = inner.multiply(of.product(inner, adjoint, v), of.spread(inner, own, [0, 2], size));
        const gaps = inner.subtract(of.spread(inner, l, [0, 2], size), of.spread(inner, l, [0, 1], size));
        const safe = inner.select(isOn, inner.like(gaps, 1), complex.conj(inner, gaps));
        const off = inner.divide(inner.subtract(along, kept), safe);
        middle = inner.select(isOn, middle, off);
      }
      const gradient = solve(inside, op, adjoint, of.product(inner, middle, adjoint), true);
      return [complex.isComplex(x) ? gradient : complex.real(inner, gradient)];
    },
  ) as [Value, Value];
  return [of.unflat(b, values, of.batchOf(a)), of.unflat(b, vectors, of.batchOf(a))];
}
