// The fit recovers the rates from which times were generated.
import { expect, test } from 'vitest';
import type { KernelMultiply, KernelSweep } from '../../compiler/cpu/counting/kernel-work.ts';
import { noOperations } from '../../compiler/cpu/counting/op-work.ts';
import { bandwidthCurve, fitArithmetic, fitMultiplies, nonNegativeLeastSquares } from './fit-rates.ts';
import { kernelSeconds, multiplySeconds, rateAt } from './kernel-seconds.ts';
import { multiplyRates as made, cpuRates as rates } from './rates.testing.ts';

const multiply = (
  m: number,
  n: number,
  k: number,
  layout: KernelMultiply['layout'] = 'nn',
  batch = 1,
): KernelMultiply => ({
  kind: 'multiply',
  name: 'k',
  batch,
  m,
  n,
  k,
  type: 'f32',
  bytes: 0,
  of: 'dot',
  layout,
});
const sweep = (of: Partial<KernelSweep>): KernelSweep => ({
  kind: 'sweep',
  name: 'k',
  elements: 1e5,
  ...noOperations,
  bytesRead: 4e5,
  bytesWritten: 4e5,
  bytesInPlace: 0,
  pattern: 'elements',
  ...of,
});
test('least squares without negative coefficients', () => {
  const rows = [
    [1, 0],
    [1, 1],
    [2, 1],
  ].map(([a, b]) => [a! / (2 * a! + 3 * b!), b! / (2 * a! + 3 * b!)]);
  const [x, y] = nonNegativeLeastSquares(rows);
  expect(x).toBeCloseTo(2, 5);
  expect(y).toBeCloseTo(3, 5);
  // a coefficient that would be negative is 0
  expect(
    nonNegativeLeastSquares(
      [
        [1, 1],
        [1, 2],
      ].map(([a, b]) => [a! / (5 - b!), b! / (5 - b!)]),
    )[1],
  ).toBe(0);
});

test('multiplies: the formula is recovered, and sizes between the measured ones follow it', () => {
  const works = [64, 256, 1024].flatMap(m =>
    [48, 320, 1280].flatMap(n =>
      [32, 512].flatMap(k => (['nn', 'nt', 'tn'] as const).map(layout => multiply(m, n, k, layout, m === 64 ? 16 : 1))),
    ),
  );
  const kernels = works.map(work => ({ work: [work], seconds: multiplySeconds(work, rates) }));
  const fitted = fitMultiplies(kernels, 0);
  expect(fitted.product / made.product).toBeCloseTo(1, 2);
  expect(fitted.a.t / made.a.t).toBeCloseTo(1, 1);
  const between = multiply(500, 700, 200, 'tn');
  const found = multiplySeconds(between, { ...rates, multiplies: { f32: fitted, bf16: fitted } });
  expect(found / multiplySeconds(between, rates)).toBeCloseTo(1, 2);
});

test('deviations from the formula at a measured size apply near it, but not far from it', () => {
  const point = { batch: 1, m: 256, n: 256, k: 256, layout: 'nn', ratio: 2 } as const;
  const corrected = { ...rates, multiplies: { ...rates.multiplies, f32: { ...made, points: [point] } } };
  const ratio = (m: number): number =>
    multiplySeconds(multiply(m, 256, 256), corrected) / multiplySeconds(multiply(m, 256, 256), rates);
  expect(ratio(256)).toBeGreaterThan(1.9);
  expect(ratio(256 * 64)).toBeLessThan(1.2);
});

test('element operations are distinguished', () => {
  const kernels = [
    sweep({ simple: 32 }),
    sweep({ simple: 80, bytesRead: 8e5 }),
    sweep({ simple: 40, integers: 40 }),
    sweep({ simple: 4, transcendental: 4, exponentials: 4 }),
    sweep({ simple: 2, transcendental: 6, exponentials: 6 }),
    sweep({ simple: 16, divisions: 8 }),
    sweep({ simple: 16, transcendental: 8, roots: 8 }),
    sweep({ simple: 16, rounded: 16, bytesRead: 2e5 }),
    sweep({ simple: 3, randomWords: 1 }),
  ].map(work => ({ work: [work], seconds: kernelSeconds([work], { ...rates, copy: [{ bytes: 1, rate: 5e10 }] }) }));
  const fitted = fitArithmetic(kernels, 0);
  for (const [name, rate] of Object.entries(fitted)) expect(rate / rates[name as 'simple'], name).toBeCloseTo(1, 1);
});

test('bandwidth between measured sizes, and beyond them', () => {
  const curve = bandwidthCurve(
    [
      { work: [sweep({ bytesRead: 5e7, bytesWritten: 5e7 })], seconds: 1e-2 },
      { work: [sweep({ bytesRead: 5e5, bytesWritten: 5e5 })], seconds: 1e-5 },
    ],
    0,
  );
  expect(curve.map(point => point.bytes)).toEqual([1e6, 1e8]);
  expect(rateAt(1e7, curve)).toBeCloseTo(10 ** 10.5, -5);
  expect(rateAt(1, curve)).toBeCloseTo(1e11, 0);
  expect(rateAt(1e12, curve)).toBeCloseTo(1e10, 0);
});
