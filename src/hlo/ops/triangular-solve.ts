// Solves op(a) · x = b, or x · op(a) = b, for batches of triangular matrices a, one row of x after another:
//
//   x[i, :] = (b[i, :] - m[i, :] · x) / m[i, i]      with the rows of x that are not solved yet still zero
//
// Solving from the right is solving the transposed equation from the left. Only the triangle of a is read.
import type { OpAttributes } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import type { Literal } from '../literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { tensorType } from '../types.ts';
import {
  conjugate,
  conjugated,
  divide,
  Matrices,
  multiply,
  product,
  type Scalar,
  subtract,
  swapped,
  trianglePart,
  zerosOf,
} from './matrices.ts';
import { isStatic } from './operand-checks.ts';
import { widened } from './widen.ts';

type Attributes = OpAttributes['triangular_solve'];

/** The mapping from a to the matrix m of m · x = b, solved from the left, and the triangle of m that is used. */
function normalForm({ leftSide, lower, transposeA }: Attributes): { transposed: boolean; lower: boolean } {
  const transposed = (transposeA !== 'NO_TRANSPOSE') !== !leftSide;
  return { transposed, lower: lower !== transposed };
}

export function solveTriangular(a: Literal, b: Literal, attributes: Attributes): Literal {
  const { transposed, lower } = normalForm(attributes);
  const { leftSide, unitDiagonal, transposeA } = attributes;
  const [matrices, right, out] = [Matrices.of(a), Matrices.of(b), Matrices.zeros(b.type)];
  const n = matrices.rows;
  const unknowns = leftSide ? right.columns : right.rows;
  for (let batch = 0; batch < matrices.count; batch++) {
    const m = (i: number, k: number): Scalar => {
      const value = transposed ? matrices.get(batch, k, i) : matrices.get(batch, i, k);
      return transposeA === 'ADJOINT' ? conjugate(value) : value;
    };
    for (let c = 0; c < unknowns; c++) {
      const at = (i: number): readonly [number, number] => (leftSide ? [i, c] : [c, i]);
      for (let step = 0; step < n; step++) {
        const i = lower ? step : n - 1 - step;
        let rest = right.get(batch, ...at(i));
        for (let solved = 0; solved < step; solved++) {
          const k = lower ? solved : n - 1 - solved;
          rest = subtract(rest, multiply(m(i, k), out.get(batch, ...at(k))));
        }
        out.set(batch, ...at(i), unitDiagonal ? rest : divide(rest, m(i, i)));
      }
    }
  }
  return out.literal();
}

export function decomposeSolve(
  builder: BaseBuilder,
  a: Value,
  b: Value,
  attributes: Attributes,
): readonly Value[] | undefined {
  const types = [tensorTypeOf(a), tensorTypeOf(b)];
  if (!types.every(t => isStatic(t) && t.quantization === undefined)) return undefined;
  const { transposed, lower } = normalForm(attributes);
  const wide = widened(builder, a);
  const turned = transposed ? swapped(builder, wide) : wide;
  const matrix = attributes.transposeA === 'ADJOINT' ? conjugated(builder, turned) : turned;
  const right = widened(builder, b);
  const solved = solveLeft(builder, matrix, attributes.leftSide ? right : swapped(builder, right), {
    lower,
    unitDiagonal: attributes.unitDiagonal,
  });
  const result = attributes.leftSide ? solved : swapped(builder, solved);
  return [builder.convert(result, types[1]!.elementType)];
}

function solveLeft(
  b: BaseBuilder,
  matrix: Value,
  right: Value,
  { lower, unitDiagonal }: { lower: boolean; unitDiagonal: boolean },
): Value {
  const shape = shapeOf(right);
  const [n, rank] = [shape.at(-2)!, shape.length];
  const strict = trianglePart(b, matrix, lower ? 'GT' : 'LT');
  const types = [tensorType('i32'), tensorTypeOf(right)];
  const cond = b.region(types, (inner, [step]) => [inner.compare('LT', step!, inner.fill('i32', [], n))]);
  const body = b.region(types, (inner, [step, x]) => {
    const zero = inner.fill('i32', [], 0);
    const batch = shape.slice(0, -2).map(() => zero);
    const i = lower ? step! : inner.subtract(inner.fill('i32', [], n - 1), step!);
    const slice = (of: Value, starts: readonly Value[], sliceSizes: readonly number[]): Value =>
      inner.emit1('dynamic_slice', [of, ...batch, ...starts], { sliceSizes });
    const rowShape = shape.with(-2, 1);
    const row = slice(strict, [i, zero], shapeOf(strict).with(-2, 1));
    const rest = inner.subtract(slice(right, [i, zero], rowShape), product(inner, row, x!));
    const pivot = (): Value => slice(matrix, [i, i], shapeOf(matrix).with(-2, 1).with(-1, 1));
    const dims = Array.from({ length: rank }, (_, d) => d);
    const fresh = unitDiagonal ? rest : inner.divide(rest, inner.broadcastInDim(pivot(), dims, rowShape));
    const next = inner.emit1('dynamic_update_slice', [x!, fresh, ...batch, i, zero], {});
    return [inner.add(step!, inner.fill('i32', [], 1)), next];
  });
  return b.emit('while', [b.fill('i32', [], 0), zerosOf(b, right, shape)], {}, [cond, body])[1]!;
}
