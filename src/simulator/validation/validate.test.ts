// The bars: predictions stay as near to what was published as the documents say. The same rows as `bench/simulator.ts`.
import { describe, expect, test } from 'vitest';
import { gpuConstants, gpuSoftwares } from '../engines/constants.ts';
import { refitGpu } from './fit-gpu.testing.ts';
import { refusedLayouts } from './gpu-runs.testing.ts';
import { printedUtilizations, utilizationOf } from './printed-utilizations.testing.ts';
import { validateArticle, validateGpu, validateMegatron, validateTrn1 } from './validate.testing.ts';

describe('published results', () => {
  const trn1 = validateTrn1();
  test('of trn1 within 8 % on average, and all of them fit', () => {
    expect(trn1.rows.length).toBe(138);
    expect(trn1.meanError).toBeLessThan(0.08);
    expect(trn1.rows.filter(row => !row.prediction.memory.fits)).toEqual([]);
  });
  test("of Megatron on A100 within Calculon's 3.65 %", () => {
    const megatron = validateMegatron();
    expect(megatron.meanError).toBeLessThan(0.0365);
    expect(megatron.rows.filter(row => !row.prediction.memory.fits)).toEqual([]);
  });
  test('of other training on GPUs, rows used for fitting and held-out rows', () => {
    const { fitted, aside } = validateGpu();
    expect([fitted.rows.length, aside.rows.length]).toEqual([11, 27]);
    expect(fitted.meanError).toBeLessThan(0.06);
    expect(aside.meanError).toBeLessThan(0.12);
  });
  test('that ran are never rejected for lack of memory', () => {
    expect(refusedLayouts()).toEqual([]);
  });
  test('yield the constants of GPU software in use', () => {
    for (const software of gpuSoftwares) {
      if (software === 'compiled') continue; // all fused, nothing of the host: nothing to fit
      const { traffic, hostStep } = refitGpu(software, { article: true });
      const inUse = gpuConstants.software[software];
      expect(Math.abs(traffic - inUse.traffic), software).toBeLessThan(0.1);
      expect(Math.abs(hostStep - inUse.hostStep), software).toBeLessThan(0.01);
    }
  });
  test('of BERT-base on both machines within 10 %', () => {
    for (const { error } of validateArticle().rows) expect(Math.abs(error)).toBeLessThan(0.1);
  });
});

test.each(printedUtilizations)('the utilization printed for $model at $sequence tokens, $printed', row => {
  expect(Math.abs(utilizationOf(row) - row.printed)).toBeLessThan(0.1);
});
