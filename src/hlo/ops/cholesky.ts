// The Cholesky decomposition a = L · Lᴴ of batches of Hermitian, positive definite matrices, a column at a time:
//
//   c = a[:, j] - L[:, :j] · conj(L[j, :j])ᵀ        L[j, j] = √c[j]        L[i, j] = c[i] / L[j, j]   for i > j
//
// Only the given triangle of a is read; the other triangle of the result is zero. If a matrix is not
// positive definite, the result is NaN.
import type { BaseBuilder } from '../base-builder.ts';
import type { Literal } from '../literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { tensorType } from '../types.ts';
import {
  conjugate,
  conjugated,
  likeElements,
  Matrices,
  multiply,
  product,
  realPart,
  subtract,
  swapped,
  zerosOf,
} from './matrices.ts';
import { isStatic } from './operand-checks.ts';
import { widened } from './widen.ts';

export function cholesky(a: Literal, lower: boolean): Literal {
  const from = Matrices.of(a);
  const to = Matrices.zeros(a.type);
  const n = from.rows;
  for (let m = 0; m < from.count; m++) {
    // An upper triangle is the conjugate transpose of a lower one.
    const read = (i: number, j: number) => (lower ? from.get(m, i, j) : conjugate(from.get(m, j, i)));
    const get = (i: number, j: number) => (lower ? to.get(m, i, j) : conjugate(to.get(m, j, i)));
    for (let j = 0; j < n; j++) {
      for (let i = j; i < n; i++) {
        let c = read(i, j);
        for (let k = 0; k < j; k++) c = subtract(c, multiply(get(i, k), conjugate(get(j, k))));
        const [diagonal] = i === j ? [Math.sqrt(c[0])] : get(j, j);
        const value = i === j ? ([diagonal, 0] as const) : ([c[0] / diagonal, c[1] / diagonal] as const);
        if (lower) to.set(m, i, j, value);
        else to.set(m, j, i, conjugate(value));
      }
    }
  }
  return to.literal();
}

export function decomposeCholesky(b: BaseBuilder, a: Value, lower: boolean): readonly Value[] | undefined {
  const type = tensorTypeOf(a);
  if (!isStatic(type) || type.quantization !== undefined) return undefined;
  const wide = widened(b, a);
  const adjoint = (x: Value): Value => conjugated(b, swapped(b, x));
  const result = lowerFactor(b, lower ? wide : adjoint(wide));
  return [b.convert(lower ? result : adjoint(result), type.elementType)];
}

function lowerFactor(b: BaseBuilder, a: Value): Value {
  const shape = shapeOf(a);
  const [rank, n] = [shape.length, shape.at(-1)!];
  const types = [tensorType('i32'), tensorTypeOf(a)];
  const columnShape = shape.with(-1, 1);
  const cond = b.region(types, (inner, [j]) => [inner.compare('LT', j!, inner.fill('i32', [], n))]);
  const body = b.region(types, (inner, [j, factor]) => {
    const zero = inner.fill('i32', [], 0);
    const batch = shape.slice(0, -2).map(() => zero);
    const slice = (x: Value, starts: readonly Value[], sliceSizes: readonly number[]): Value =>
      inner.emit1('dynamic_slice', [x, ...batch, ...starts], { sliceSizes });
    const row = slice(factor!, [j!, zero], shape.with(-2, 1));
    const column = inner.subtract(
      slice(a, [zero, j!], columnShape),
      product(inner, factor!, conjugated(inner, swapped(inner, row))),
    );
    const pivot = realPart(inner, slice(column, [j!, zero], columnShape.with(-2, 1)));
    const root = inner.unary('sqrt', pivot);
    const batchDims = shape.map((_, d) => d);
    const diagonal = likeElements(inner, inner.broadcastInDim(root, batchDims, columnShape), column);
    const rows = inner.iota(tensorType('i32', columnShape), rank - 2);
    const at = inner.broadcastInDim(j!, [], columnShape);
    const below = inner.select(
      inner.compare('GT', rows, at),
      inner.divide(column, diagonal),
      zerosOf(inner, column, columnShape),
    );
    const fresh = inner.select(inner.compare('EQ', rows, at), diagonal, below);
    const next = inner.emit1('dynamic_update_slice', [factor!, fresh, ...batch, zero, j!], {});
    return [inner.add(j!, inner.fill('i32', [], 1)), next];
  });
  return b.emit('while', [b.fill('i32', [], 0), zerosOf(b, a, shape)], {}, [cond, body])[1]!;
}
