import { expect, test } from 'vitest';
import { normalQuantile } from './normal.ts';

// Values from tables with more digits than f64 has.
const known: readonly (readonly [p: number, x: number])[] = [
  [0.5, 0],
  [0.8413447460685429, 1],
  [0.975, 1.959963984540054],
  [0.9986501019683699, 3],
  [0.01, -2.3263478740408408],
  [1e-10, -6.361340902404056],
  [2 ** -25, -5.419983174916868],
];

test.each(known)('the quantile of %d', (p, x) => {
  expect(normalQuantile(p)).toBeCloseTo(x, 12);
});

test('is antisymmetric about one half, and increasing', () => {
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < 1000; i++) {
    const x = normalQuantile(i / 1000);
    expect(x).toBeGreaterThan(before);
    expect(x).toBeCloseTo(-normalQuantile(1 - i / 1000), 12);
    before = x;
  }
});
