// The bars: predictions stay as near to what was published as the documents say. The same rows as `bench/simulator.ts`.
import { describe, expect, test } from 'vitest';
import { gpuConstants } from '../engines/constants.ts';
import { predict } from '../predict.ts';
import { fittedConstants, lossOf } from './fit-gpu.testing.ts';
import { gpuRuns, refusedLayouts } from './gpu-runs.ts';
import { printedUtilizations, utilizationOf } from './printed-utilizations.testing.ts';
import { summed, validateArticle, validateGpu, validateMegatron, validateTrn1 } from './validate.testing.ts';

describe('published results', () => {
  const trn1 = validateTrn1();
  test('of trn1 within 6 % on average, and all of them fit', () => {
    expect(trn1.rows.length).toBe(138);
    expect(trn1.meanError).toBeLessThan(0.06);
    expect(trn1.rows.filter(row => !row.prediction.memory.fits)).toEqual([]);
  });
  test("of Megatron on A100 within Calculon's 3.65 %", () => {
    const megatron = validateMegatron();
    expect(megatron.meanError).toBeLessThan(0.0365);
    expect(megatron.rows.filter(row => !row.prediction.memory.fits)).toEqual([]);
  });
  test('of other training on GPUs, rows used for fitting and held-out rows', () => {
    const rows = validateGpu();
    const older = summed(rows.filter(row => !row.recent));
    const recent = summed(rows.filter(row => row.recent));
    expect([older.rows.length, recent.rows.length]).toEqual([38, 21]);
    expect(older.meanError).toBeLessThan(0.08);
    expect(recent.meanError).toBeLessThan(0.1);
    expect(Math.abs(recent.bias)).toBeLessThan(0.03);
    expect(Math.abs(recent.worst.error)).toBeLessThan(0.25);
    expect(rows.filter(row => row.fit).length).toBe(34);
    expect(summed(rows.filter(row => !row.fit)).meanError).toBeLessThan(0.08);
  });
  test('of MPT-7B on 128 to 512 GPUs: 8 % of the throughput is lost, within 3 points', () => {
    const run = gpuRuns.find(({ what }) => what.startsWith('MPT-7b, 2048 tokens, 128 × H100'))!;
    const secondsOn = (gpus: number): number =>
      predict({ ...run, nodes: gpus / 8, layout: { ...run.layout, data: gpus } }).stepSeconds;
    expect(Math.abs(secondsOn(128) / secondsOn(512) - 0.92)).toBeLessThan(0.03);
  });
  test('that ran are never rejected for lack of memory', () => {
    expect(refusedLayouts()).toEqual([]);
  });
  test.each(fittedConstants)('yield $name', constant => {
    const of = (factor: number): number => lossOf(constant.with(gpuConstants, constant.of(gpuConstants) * factor));
    expect(lossOf(gpuConstants)).toBeLessThan(Math.min(of(1.1), of(1 / 1.1)));
  });
  test('of BERT-base on both machines within 10 %', () => {
    for (const { error } of validateArticle().rows) expect(Math.abs(error)).toBeLessThan(0.1);
  });
});

test.each(printedUtilizations)('the utilization printed for $model at $sequence tokens, $printed', row => {
  expect(Math.abs(utilizationOf(row) - row.printed)).toBeLessThan(0.1);
});
