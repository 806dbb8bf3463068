import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSum, product, quotient, sum, sumOfProducts, twoProduct, twoSum } from './double-double.ts';

/** Numbers as fractions of 2¹⁰⁰, so that sums and products of them are exact integers. */
const scale = 100n;
function exact(x: number): bigint {
  let [mantissa, shift] = [x, 0n];
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  return BigInt(mantissa) << (scale - shift);
}
const numbers = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map(v => v / 2 ** 20);

test('sums and products keep the rounding error', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [high, low] = twoSum(a, b * 2 ** -20);
      expect(exact(high) + exact(low)).toBe(exact(a) + exact(b * 2 ** -20));
      const [product, rest] = twoProduct(a, b);
      expect(exact(product) + exact(rest)).toBe((exact(a) * exact(b)) >> scale);
    }),
  );
});

test('a sum is exact however much its terms cancel', () => {
  expect(exactSum([1e100, 1, -1e100, 2 ** -60])).toEqual([1, 2 ** -60]);
  expect(exactSum([1, 2 ** -60])).toEqual([1, 2 ** -60]);
  expect(exactSum([])).toEqual([0, 0]);
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 8 }), terms => {
      const total = terms.map(exact).reduce((a, b) => a + b, 0n);
      const [high, low] = exactSum([...terms, 2 ** 60, -(2 ** 60)]);
      expect(exact(high) + exact(low)).toBe(total);
    }),
  );
  expect(sumOfProducts(1 + 2 ** -30, 1 - 2 ** -30, -1, 1)).toBe(-(2 ** -60));
});

test('arithmetic on pairs', () => {
  const third = quotient([1, 0], 3);
  expect(product(third, [3, 0])).toEqual([1, 0]);
  const [high, low] = sum(third, [-1 / 3, 0]);
  expect(high).toBeCloseTo(third[1], 30);
  expect(Math.abs(low)).toBeLessThan(1e-33);
});
