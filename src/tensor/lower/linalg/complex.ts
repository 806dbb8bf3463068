// Complex matrices as real ones of twice the size: a + i·b becomes the block [[a, -b], [b, a]]. Sums, products and inverses of
// such matrices again consist of such blocks, and triangles with a real diagonal are triangles. So unique results for complex
// matrices (solutions, inverses, the Cholesky factor, Q and R up to signs) are computed with real ones, including gradients.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import type { Context } from '../../surface/row.ts';
import { conj, fromParts, imag, real } from '../complex.ts';
import * as move from '../move.ts';
import * as of from './batches.ts';

/** [.., rows, columns] of complex numbers → [.., 2 · rows, 2 · columns]. */
export function embedded(b: Builder, op: string, x: Value): Value {
  const [re, im] = [real(b, x), imag(b, op, x)];
  const shape = shapeOf(x);
  const [rows, columns] = shape.slice(-2) as [number, number];
  const top = move.stack(b, [re, b.negate(im)], -1);
  const bottom = move.stack(b, [im, re], -1);
  return b.reshape(move.stack(b, [top, bottom], -3), [...shape.slice(0, -2), 2 * rows, 2 * columns]);
}
/** The inverse of `embedded`. */
export function extracted(b: Builder, op: string, x: Value): Value {
  const shape = shapeOf(x);
  const lead = shape.slice(0, -2);
  const [rows, columns] = [shape.at(-2)! / 2, shape.at(-1)! / 2];
  const blocks = b.reshape(x, [...lead, rows, 2, columns, 2]);
  const first = move.select(b, blocks, -1, 0);
  return fromParts(b, op, move.select(b, first, -2, 0), move.select(b, first, -2, 1));
}
/** Hermitian matrices from one triangle, with a real diagonal; their gradient is Hermitian. */
export function hermitian(c: Context, op: string, x: Value, isUpper: boolean): Value {
  const { b } = c;
  const [both] = of.withGradient(c, 'Hermitian', [x], [x], ({ b: inner, cotangents: [g] }) => {
    const turned = conj(inner, of.swapped(inner, g!));
    return [of.scaled(inner, inner.add(g!, turned), 0.5)];
  });
  const [re, im] = [real(b, both!), imag(b, op, both!)].map(part =>
    of.trianglePart(b, part, isUpper ? 'LT' : 'GT'),
  ) as [Value, Value];
  const diagonal = b.select(of.triangle(b, re, 'EQ'), real(b, both!), b.like(re, 0));
  return fromParts(b, op, b.add(diagonal, b.add(re, of.swapped(b, re))), b.subtract(im, of.swapped(b, im)));
}
