// The bars: predictions stay as near to what was published as the documents say. The same rows as `bench/simulator.ts`.
import { describe, expect, test } from 'vitest';
import { printedUtilisations, utilisationOf } from './printed-utilisations.ts';
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

test.each(printedUtilisations)('the utilisation printed for $model at $sequence tokens, $printed', row => {
  expect(Math.abs(utilisationOf(row) - row.printed)).toBeLessThan(0.1);
});
