// Matrix decompositions satisfy their definitions: L · Lᴴ = a, and op(a) · x = b.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpAttributes, transposes } from '../attributes.ts';
import { Builder } from '../builder.ts';
import { type Literal, literal, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { type ElementType, tensorType } from '../types.ts';
import { conjugate, Matrices, multiply, type Scalar } from './matrices.ts';
import { constraintOf, run, runDecomposed } from './ops.testing.ts';

type Matrix = readonly (readonly Scalar[])[];
const matrixOf = (x: Literal, which: number): Matrix => {
  const all = Matrices.of(x);
  return Array.from({ length: all.rows }, (_, i) =>
    Array.from({ length: all.columns }, (_, j) => all.get(which, i, j)),
  );
};
const adjoint = (a: Matrix): Matrix => a[0]!.map((_, j) => a.map(row => conjugate(row[j]!)));
const transpose = (a: Matrix): Matrix => a[0]!.map((_, j) => a.map(row => row[j]!));
const timesMatrix = (a: Matrix, b: Matrix): Matrix =>
  a.map(row =>
    b[0]!.map((_, j) =>
      row.reduce<Scalar>(
        ([re, im], x, k) => {
          const [p, q] = multiply(x, b[k]![j]!);
          return [re + p, im + q];
        },
        [0, 0],
      ),
    ),
  );
const distance = (a: Matrix, b: Matrix): number =>
  Math.max(...a.flatMap((row, i) => row.map(([re, im], j) => Math.hypot(re - b[i]![j]![0], im - b[i]![j]![1]))));

/** x · xᴴ + identity for each matrix of x. */
function positiveDefinite(x: Literal): Literal {
  const out = Matrices.zeros(x.type);
  for (let m = 0; m < out.count; m++)
    timesMatrix(matrixOf(x, m), adjoint(matrixOf(x, m))).forEach((row, i) => {
      row.forEach(([re, im], j) => {
        out.set(m, i, j, [re + (i === j ? 1 : 0), im]);
      });
    });
  return out.literal();
}

const kinds = fc.constantFrom<ElementType>('f64', 'complex<f64>');
const sizes = fc.integer({ min: 1, max: 6 });

describe('cholesky', () => {
  test.each([
    ['evaluated', run],
    ['decomposed', (...args: Parameters<typeof run>) => runDecomposed(...args)[0]!],
  ])('%s: the factor times its adjoint is the matrix', (_, execute) => {
    fc.assert(
      fc.property(kinds, sizes, fc.boolean(), fc.nat(1000), (kind, n, lower, seed) => {
        const a = positiveDefinite(sampleLiteral(kind, [2, n, n], seed));
        const factor = execute([a], (b, [x]) => b.emit1('cholesky', [x!], { lower }));
        for (const m of [0, 1]) {
          const l = matrixOf(factor, m);
          const whole = lower ? timesMatrix(l, adjoint(l)) : timesMatrix(adjoint(l), l);
          expect(distance(whole, matrixOf(a, m))).toBeLessThan(1e-11);
          for (let i = 0; i < n; i++)
            for (let j = 0; j < n; j++) if (lower ? j > i : j < i) expect(Math.hypot(...l[i]![j]!)).toBe(0);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('reads only the triangle that it writes', () => {
    const a = literal('f32', [2, 2], [4, Number.NaN, 2, 10]);
    expect(toNumbers(run([a], (b, [x]) => b.emit1('cholesky', [x!], { lower: true })))).toEqual([2, 0, 1, 3]);
  });

  test('gives NaN for a matrix that is not positive definite', () => {
    const a = literal('f32', [2, 2], [1, 2, 2, 1]);
    const [l00, , , l11] = toNumbers(run([a], (b, [x]) => b.emit1('cholesky', [x!], { lower: true })));
    expect([l00, l11]).toEqual([1, Number.NaN]);
  });

  test('two-byte floats are computed in f32', () => {
    const a = literal('bf16', [2, 2], [4, 2, 2, 10]);
    for (const execute of [run, (...args: Parameters<typeof run>) => runDecomposed(...args)[0]!])
      expect(toNumbers(execute([a], (b, [x]) => b.emit1('cholesky', [x!], { lower: true })))).toEqual([2, 0, 1, 3]);
  });

  test('constraints', () => {
    const refused = (elementType: ElementType, shape: readonly number[]): string =>
      constraintOf(() => {
        const b = new Builder();
        b.emit1('cholesky', [b.argument(tensorType(elementType, shape), 0)], { lower: true });
      });
    expect(refused('f32', [3])).toBe('cholesky_c2');
    expect(refused('f32', [3, 2])).toBe('cholesky_c3');
    expect(refused('i32', [2, 2])).toBe('trenio_cholesky_element_type');
    expect(refused('f32', [-1, 2])).toBe('accepted');
  });
});

describe('triangular_solve', () => {
  test.each([
    ['evaluated', run],
    ['decomposed', (...args: Parameters<typeof run>) => runDecomposed(...args)[0]!],
  ])('%s: the solution satisfies the equation', (_, execute) => {
    fc.assert(
      fc.property(
        kinds,
        sizes,
        sizes,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(...transposes),
        fc.nat(1000),
        (kind, n, unknowns, leftSide, lower, unitDiagonal, transposeA, seed) => {
          const attributes = { leftSide, lower, unitDiagonal, transposeA };
          const a = wellConditioned(sampleLiteral(kind, [2, n, n], seed));
          const right = sampleLiteral(kind, leftSide ? [2, n, unknowns] : [2, unknowns, n], seed + 1);
          const x = execute([a, right], (b, args) => b.emit1('triangular_solve', args, attributes));
          for (const m of [0, 1]) {
            const op = operator(matrixOf(a, m), attributes);
            const back = leftSide ? timesMatrix(op, matrixOf(x, m)) : timesMatrix(matrixOf(x, m), op);
            expect(distance(back, matrixOf(right, m))).toBeLessThan(1e-9);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('does not read the other triangle, nor a unit diagonal', () => {
    const nan = Number.NaN;
    const a = literal('f32', [2, 2], [nan, nan, 3, nan]);
    const right = literal('f32', [2, 1], [1, 5]);
    const attributes = { leftSide: true, lower: true, unitDiagonal: true, transposeA: 'NO_TRANSPOSE' } as const;
    for (const execute of [run, (...args: Parameters<typeof run>) => runDecomposed(...args)[0]!])
      expect(toNumbers(execute([a, right], (b, args) => b.emit1('triangular_solve', args, attributes)))).toEqual([
        1, 2,
      ]);
  });

  test('constraints', () => {
    const refused = (
      a: readonly number[],
      right: readonly number[],
      leftSide = true,
      types: readonly [ElementType, ElementType] = ['f32', 'f32'],
    ): string =>
      constraintOf(() => {
        const b = new Builder();
        const args = [b.argument(tensorType(types[0], a), 0), b.argument(tensorType(types[1], right), 1)];
        b.emit1('triangular_solve', args, { leftSide, lower: true, unitDiagonal: false, transposeA: 'NO_TRANSPOSE' });
      });
    expect(refused([3, 3], [3, 2], true, ['f32', 'f64'])).toBe('triangular_solve_c1');
    expect(refused([3], [3])).toBe('triangular_solve_c2');
    expect(refused([1, 3, 3], [3, 2])).toBe('triangular_solve_c2');
    expect(refused([3, 2], [3, 2])).toBe('triangular_solve_c3');
    expect(refused([3, 3], [3, 2], false)).toBe('triangular_solve_c3');
    expect(refused([2, 3, 3], [4, 3, 2])).toBe('triangular_solve_c3');
    expect(refused([-1, 3, 3], [4, 3, 2])).toBe('accepted');
  });
});

/** The same matrices with a diagonal of about 2 … 4. */
function wellConditioned(x: Literal): Literal {
  const out = Matrices.of(x);
  for (let m = 0; m < out.count; m++)
    for (let i = 0; i < out.rows; i++) {
      const [re, im] = out.get(m, i, i);
      out.set(m, i, i, [Math.abs(re) + 2, im]);
    }
  return out.literal();
}

/** op(a), from the triangle that is used. */
function operator(a: Matrix, { lower, unitDiagonal, transposeA }: OpAttributes['triangular_solve']): Matrix {
  const triangle = a.map((row, i) =>
    row.map((x, j): Scalar => {
      if (i === j) return unitDiagonal ? [1, 0] : x;
      return lower === j < i ? x : [0, 0];
    }),
  );
  if (transposeA === 'NO_TRANSPOSE') return triangle;
  return transposeA === 'TRANSPOSE' ? transpose(triangle) : adjoint(triangle);
}
