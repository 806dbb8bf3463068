// Factorizations are defined by their products: A·V = V·Λ, A = U·S·Vᵀ. The compiled kernels are bit-identical to the interpreter.
import { describe, expect, test } from 'vitest';
import { philoxWords } from '../../../numerics/philox.ts';
import { generalEigen } from './general.ts';
import { singularValues } from './singular.ts';
import { symmetricEigen } from './symmetric.ts';

const random = (count: number, key: bigint): Float64Array =>
  Float64Array.from(philoxWords(key, 0n, count), word => word / 2 ** 31 - 1);
const largest = (x: Iterable<number>): number => Math.max(0, ...Array.from(x, Math.abs));

/** The largest entry of A·V − V·Λ and of VᵀV − I. */
function symmetricError(n: number, a: Float64Array): number {
  const [values, v] = [new Float64Array(n), new Float64Array(n * n)];
  symmetricEigen(n, a.slice(), values, v);
  for (let k = 1; k < n; k++) expect(values[k]).toBeGreaterThanOrEqual(values[k - 1]!);
  let worst = 0;
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      let [product, overlap] = [0, 0];
      for (let j = 0; j < n; j++) {
        product += a[Math.max(i, j) * n + Math.min(i, j)]! * v[j * n + k]!;
        overlap += v[j * n + i]! * v[j * n + k]!;
      }
      const size = Math.max(largest(a), 1e-300);
      worst = Math.max(
        worst,
        Math.abs(product - values[k]! * v[i * n + k]!) / size,
        Math.abs(overlap - Number(i === k)),
      );
    }
  return worst;
}
describe('symmetric', () => {
  test.each([1, 2, 3, 4, 7, 30, 65])('random matrices of %i rows', n => {
    expect(symmetricError(n, random(n * n, BigInt(n)))).toBeLessThan(1e-14 * n + 1e-14);
  });
  test.each([
    ['zeros', 3, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['the identity', 3, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['equal eigenvalues', 4, [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 1, 2]],
    ['all ones', 4, new Array<number>(16).fill(1)],
    ['very large numbers', 3, [1e300, 0, 0, 1e300, -1e300, 0, 5e299, 1e300, 1e300]],
    ['very small numbers', 3, [1e-300, 0, 0, 1e-300, -1e-300, 0, 5e-301, 1e-300, 1e-300]],
    ['many scales', 3, [1, 0, 0, 1e-120, 1e-200, 0, 0, 1e-220, 1e-250]],
  ])('%s', (_, n, data) => {
    expect(symmetricError(n, Float64Array.from(data))).toBeLessThan(1e-13);
  });
});

/** The largest entry of A − U·S·Vᵀ, UᵀU − I and VᵀV − I. `a` is [n, m], transposed. */
function singularError(m: number, n: number, a: Float64Array): number {
  const [u, s, v] = [new Float64Array(n * m), new Float64Array(n), new Float64Array(n * n)];
  singularValues(m, n, a.slice(), u, s, v);
  for (let k = 0; k < n; k++) expect(s[k]).toBeGreaterThanOrEqual(0);
  for (let k = 1; k < n; k++) expect(s[k]).toBeLessThanOrEqual(s[k - 1]!);
  const size = Math.max(largest(a), 1e-300);
  let worst = 0;
  const row = (x: Float64Array, k: number, length: number): Float64Array => x.subarray(k * length, (k + 1) * length);
  const inner = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const expected = Number(i === k);
      worst = Math.max(worst, Math.abs(inner(row(u, i, m), row(u, k, m)) - expected));
      worst = Math.max(worst, Math.abs(inner(row(v, i, n), row(v, k, n)) - expected));
    }
  for (let j = 0; j < n; j++)
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[k * m + i]! * s[k]! * v[k * n + j]!;
      worst = Math.max(worst, Math.abs(sum - a[j * m + i]!) / size);
    }
  return worst;
}
describe('singular', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 1],
    [5, 3],
    [7, 7],
    [40, 33],
    [64, 64],
  ])('random matrices of %i × %i', (m, n) => {
    expect(singularError(m, n, random(m * n, BigInt(m)))).toBeLessThan(1e-14 * m + 1e-14);
  });
  test.each([
    ['zeros', 3, 2, [0, 0, 0, 0, 0, 0]],
    ['one column of zeros', 3, 2, [1, 2, 3, 0, 0, 0]],
    ['rank 1', 4, 3, [1, 2, 3, 4, 2, 4, 6, 8, -1, -2, -3, -4]],
    ['a zero on the diagonal of the bidiagonal matrix', 3, 3, [1, 0, 0, 1, 0, 0, 0, 1, 1]],
    ['very large numbers', 2, 2, [1e300, 1e300, -1e300, 1e299]],
    ['very small numbers', 2, 2, [1e-300, 2e-300, -1e-300, 1e-300]],
  ])('%s', (_, m, n, data) => {
    expect(singularError(m, n, Float64Array.from(data))).toBeLessThan(1e-12);
  });
});

/** The largest entry of A·V − V·Λ. */
function generalError(n: number, re: Float64Array, im: Float64Array, isReal: boolean): number {
  const found = generalEigen(n, re, im, isReal);
  let worst = 0;
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      let [x, y] = [0, 0];
      for (let j = 0; j < n; j++) {
        const [vr, vi] = [found.vectorRe[j * n + k]!, found.vectorIm[j * n + k]!];
        x += re[i * n + j]! * vr - im[i * n + j]! * vi;
        y += re[i * n + j]! * vi + im[i * n + j]! * vr;
      }
      const [lr, li] = [found.valueRe[k]!, found.valueIm[k]!];
      const [vr, vi] = [found.vectorRe[i * n + k]!, found.vectorIm[i * n + k]!];
      worst = Math.max(worst, Math.hypot(x - lr * vr + li * vi, y - lr * vi - li * vr));
    }
  return worst;
}
const real = (data: readonly number[]): readonly [Float64Array, Float64Array] => [
  Float64Array.from(data),
  new Float64Array(data.length),
];
describe('general', () => {
  test.each([1, 2, 3, 5, 12, 40])('random matrices of %i rows', n => {
    const [re, im] = [random(n * n, BigInt(n)), random(n * n, 99n)];
    expect(generalError(n, re, im, false)).toBeLessThan(1e-12 * n * n + 1e-13);
    expect(generalError(n, re, new Float64Array(n * n), true)).toBeLessThan(1e-12 * n * n + 1e-13);
  });
  test.each([
    ['zeros', 3, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['the identity', 3, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a permutation', 4, [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]],
    ['one without a basis of eigenvectors', 3, [2, 1, 0, 0, 2, 1, 0, 0, 2]],
    ['very large numbers', 2, [1e200, 2e200, 3e200, 4e200]],
  ])('%s', (_, n, data) => {
    const [re, im] = real(data);
    expect(generalError(n, re, im, true) / Math.max(...data, 1)).toBeLessThan(1e-7);
  });
  test('the eigenvalues of a companion matrix are the roots, those of a rotation a conjugate pair', () => {
    // (x - 1)(x - 2)(x - 3)(x - 4)
    const roots = generalEigen(4, ...real([10, -35, 50, -24, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), true);
    expect([...roots.valueRe].sort((x, y) => x - y)).toEqual([1, 2, 3, 4].map(x => expect.closeTo(x, 9)));
    expect([...roots.valueIm]).toEqual([0, 0, 0, 0]);
    const pair = generalEigen(2, ...real([0, -1, 1, 0]), true);
    expect([...pair.valueIm]).toEqual([expect.closeTo(1), expect.closeTo(-1)]);
  });
});
test('non-finite inputs give NaN', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const data = Float64Array.from([1, value, value, 2]);
    const [s, v] = [new Float64Array(2), new Float64Array(4)];
    symmetricEigen(2, data.slice(), s, v);
    expect([...s, ...v].every(Number.isNaN)).toBe(true);
    const u = new Float64Array(4);
    singularValues(2, 2, data.slice(), u, s, v);
    expect([...u, ...s, ...v].every(Number.isNaN)).toBe(true);
    expect(generalEigen(2, data, new Float64Array(4), true).valueRe[0]).toBeNaN();
  }
});
