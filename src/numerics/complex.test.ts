import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Complex } from './complex.ts';
import * as complex from './complex.ts';

const inf = Number.POSITIVE_INFINITY;
const nan = Number.NaN;
const part = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
const numbers = (limit: number) => fc.tuple(part(limit), part(limit));

/** |a - b| against |b|. */
function error(a: Complex, b: Complex): number {
  const size = complex.abs(b);
  const distance = complex.abs(complex.subtract(a, b));
  return size === 0 ? distance : distance / size;
}
const multiply = (z: Complex, w: Complex): Complex => complex.multiply(z, w, x => x);
/** A number a little above 2⁻⁵². */
const eps = 2.3e-16;

describe('identities', () => {
  test.each<[string, number, (z: Complex) => readonly [Complex, Complex, number]]>([
    ['√z² = z', 1e100, z => [multiply(complex.sqrt(z), complex.sqrt(z)), z, 8]],
    ['z · (1 / z) = 1', 1e100, z => [multiply(z, complex.divide([1, 0], z)), [1, 0], 8]],
    ['1 / √z = 1 over √z', 1e100, z => [complex.rsqrt(z), complex.divide([1, 0], complex.sqrt(z)), 8]],
    ['∛z³ = z', 1e50, z => [multiply(complex.cbrt(z), multiply(complex.cbrt(z), complex.cbrt(z))), z, 20]],
    ['e^(ln z) = z', 1e10, z => [complex.exponential(complex.log(z)), z, 60]],
    ['sign z · |z| = z', 1e100, z => [multiply(complex.sign(z), [complex.abs(z), 0]), z, 8]],
    ['z² = z · z', 1e3, z => [complex.power(z, [2, 0]), multiply(z, z), 60]],
    ['tan z cos z = sin z', 30, z => [multiply(complex.tan(z), complex.cosine(z)), complex.sine(z), 20]],
    ['i tanh z = tan iz', 300, ([x, y]) => [multiply([0, 1], complex.tanh([x, y])), complex.tan([-y, x]), 1]],
    [
      'e^z - 1',
      30,
      z => {
        const right = complex.exponential(z);
        // adding 1 would round small values away
        return [complex.add(complex.exponentialMinusOne(z), [1, 0]), right, 8 + 8 / complex.abs(right)];
      },
    ],
    ['ln (1 + z)', 30, ([x, y]) => [complex.logPlusOne([x - 1, y]), complex.log([x - 1 + 1, y]), 1e3]],
    [
      'logistic z = (1 + tanh z/2) / 2',
      30,
      ([x, y]) => {
        const [re, im] = complex.tanh([x / 2, y / 2]);
        const right: Complex = [(1 + re) / 2, im / 2];
        // where tanh is close to −1, the sum has few of its digits
        return [complex.logistic([x, y]), right, 8 + 8 / complex.abs(right)];
      },
    ],
  ])('%s', (_, limit, sides) => {
    fc.assert(
      fc.property(numbers(limit), z => {
        if (complex.abs(z) < 1e-3) return;
        const [left, right, units] = sides(z);
        if (complex.abs(right) > 1e-10) expect(error(left, right)).toBeLessThan(units * eps);
      }),
    );
  });
});

describe('no precision is lost', () => {
  test('the logarithm near the unit circle', () => {
    // |1 + 2⁻³⁰ i|² = 1 + 2⁻⁶⁰
    const tiny = 2 ** -30;
    expect(complex.log([1, tiny])[0]).toBeCloseTo(2 ** -61, 30);
    expect(complex.logPlusOne([0, tiny])[0] / 2 ** -61).toBeCloseTo(1, 12);
    // 2x and y² cancel.
    const x = -(2 ** -40);
    const y = Math.sqrt(2 ** -39);
    expect(complex.logPlusOne([x, y])[0]).toBeCloseTo((y * y + 2 * x + x * x) / 2, 20);
  });
  test('huge and tiny numbers do not overflow or underflow in between', () => {
    expect(complex.abs([3e300, 4e300])).toBeCloseTo(5e300, -288);
    expect(complex.abs([3e-320, 4e-320])).toBe(5e-320);
    expect(complex.divide([1e300, 1e300], [1e300, 1e300])).toEqual([1, 0]);
    expect(complex.sqrt([-1e308, 0])).toEqual([0, 1e154]);
    expect(complex.exponential([709.9, Math.PI / 2 - 1])[0]).toBeLessThan(inf);
    expect(complex.sine([1, 710])[0]).toBeLessThan(inf);
    expect(complex.tanh([500, 1])[0]).toBe(1);
  });
});

test('special values', () => {
  expect(complex.abs([nan, inf])).toBe(inf);
  expect(complex.abs([nan, 1])).toBeNaN();
  expect(complex.sign([0, 0])).toEqual([0, 0]);
  expect(complex.sign([nan, 0])).toEqual([nan, nan]);
  expect(complex.sqrt([-inf, -1])).toEqual([0, -inf]);
  expect(complex.sqrt([inf, nan])).toEqual([inf, nan]);
  expect(complex.sqrt([nan, 1])).toEqual([nan, nan]);
  expect(complex.sqrt([0, -0])).toEqual([0, -0]);
  expect(complex.rsqrt([-inf, 1])).toEqual([0, -0]);
  expect(complex.log([-0, 0])).toEqual([-inf, Math.PI]);
  expect(complex.log([inf, nan])[0]).toBe(inf);
  expect(complex.exponential([-inf, 1])).toEqual([0, 0]);
  expect(complex.exponential([2, -0])).toEqual([Math.exp(2), -0]);
  expect(complex.exponentialMinusOne([1e-20, 0])).toEqual([1e-20, 0]);
  expect(complex.divide([1, 1], [0, 0])).toEqual([inf, inf]);
  expect(complex.divide([inf, 1], [1, 1])).toEqual([inf, -inf]);
  expect(complex.divide([1, 1], [inf, 1])).toEqual([0, 0]);
  expect(complex.divide([nan, 1], [1, 1])).toEqual([nan, nan]);
  expect(complex.power([0, 0], [0, 0])).toEqual([1, 0]);
  expect(complex.power([0, 0], [2, 0])).toEqual([0, 0]);
  expect(complex.logistic([-1000, 1])).toEqual([0, 0]);
  expect(complex.logistic([1000, 1])[0]).toBe(1);
});

test('maximum and minimum compare real parts first, then imaginary parts', () => {
  expect(complex.maximum([1, 2], [1, 3])).toEqual([1, 3]);
  expect(complex.minimum([1, 2], [0, 3])).toEqual([0, 3]);
});
