// The bars: predictions stay as near to what was published as the documents say. The same rows as `bench/simulator.ts`.
import { describe, expect, test } from 'vitest';
import { machineOf } from '../../hardware/index.ts';
import { modelFlopsPerSample } from '../models/flops.ts';
import { modelOf } from '../models/presets.ts';
import { validateArticle, validateMegatron, validateTrn1 } from './validate.ts';

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
  test('of BERT-base on both machines within 10 %', () => {
    for (const { error } of validateArticle().rows) expect(Math.abs(error)).toBeLessThan(0.1);
  });
});

// Utilisations as printed, of chips at 190 TFLOP/s.
test.each([
  ['bert-large', 128, 53069, 256, 25.83],
  ['bert-large', 512, 7507, 256, 15.5],
  ['bert-large', 128, 28432, 256, 13.84],
  ['gpt3-46b', 2048, 47.2, 512, 27.7],
  ['llama2-7b', 4096, 82, 512, 14.8],
])('the utilisation printed for %s at %i tokens', (model, sequence, samples, chips, printed) => {
  const { device, devicesPerChip } = machineOf('trn1.32xlarge');
  const peak = chips * devicesPerChip * device.peakFlops.bf16!;
  expect((100 * samples * modelFlopsPerSample(modelOf(model), sequence)) / peak).toBeCloseTo(printed, 0.7);
});
