// Eigenvectors are defined by A · v = λ · v; eigenvalues are compared with those that a matrix was made with.
import { expect, test } from 'vitest';
import { philoxWords } from '../../../numerics/philox.ts';
import { type ComplexMatrix, eigenOf } from './general-eigen.ts';

const random = (n: number, key: bigint, isComplex: boolean): ComplexMatrix => {
  const words = [...philoxWords(key, 0n, 2 * n * n)].map(word => word / 2 ** 31 - 1);
  return {
    n,
    re: Float64Array.from(words.slice(0, n * n)),
    im: Float64Array.from(words.slice(n * n), x => (isComplex ? x : 0)),
  };
};
/** The largest entry of A · V − V · Λ. */
function residual({ n, re, im }: ComplexMatrix): number {
  const { values, vectors } = eigenOf({ n, re, im })!;
  let worst = 0;
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      let [x, y] = [0, 0];
      for (let j = 0; j < n; j++) {
        const [vr, vi] = [vectors.re[j * n + k]!, vectors.im[j * n + k]!];
        x += re[i * n + j]! * vr - im[i * n + j]! * vi;
        y += re[i * n + j]! * vi + im[i * n + j]! * vr;
      }
      const [lr, li] = values[k]!;
      const [vr, vi] = [vectors.re[i * n + k]!, vectors.im[i * n + k]!];
      worst = Math.max(worst, Math.hypot(x - lr * vr + li * vi, y - lr * vi - li * vr));
    }
  return worst;
}
const real = (n: number, data: readonly number[]): ComplexMatrix => ({
  n,
  re: Float64Array.from(data),
  im: new Float64Array(n * n),
});

test.each([1, 2, 3, 5, 12, 40])('random matrices of %i rows', n => {
  for (const isComplex of [false, true])
    expect(residual(random(n, BigInt(n), isComplex))).toBeLessThan(1e-12 * n * n + 1e-13);
});
test.each([
  ['zeros', real(3, [0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ['the identity', real(3, [1, 0, 0, 0, 1, 0, 0, 0, 1])],
  ['a permutation', real(4, [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])],
  ['one without a basis of eigenvectors', real(3, [2, 1, 0, 0, 2, 1, 0, 0, 2])],
  ['very large numbers', real(2, [1e200, 2e200, 3e200, 4e200])],
] as const)('%s', (name, matrix) => {
  const size = Math.max(...matrix.re, 1);
  expect(residual({ ...matrix }) / size, name).toBeLessThan(1e-7);
});
test('the eigenvalues of a companion matrix are the roots', () => {
  // (x - 1)(x - 2)(x - 3)(x - 4)
  const { values } = eigenOf(real(4, [10, -35, 50, -24, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]))!;
  const roots = values.map(([x]) => x).sort((x, y) => x - y);
  expect(roots).toEqual([1, 2, 3, 4].map(x => expect.closeTo(x, 9)));
  expect(values.every(([, y]) => y === 0)).toBe(true);
});
test('numbers that are not finite have no eigenvalues', () => {
  expect(eigenOf(real(1, [Number.NaN]))).toBeUndefined();
  expect(eigenOf(real(0, []))!.values).toEqual([]);
});
