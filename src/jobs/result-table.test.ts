import { describe, expect, test } from 'vitest';
import { usd } from '../base/money.ts';
import { formatResultTable, type MeasuredRun, pricePerHour, resultRows, resultTableJson } from './result-table.ts';

const run: MeasuredRun = {
  model: 'BERT classification, 2 × 128',
  machine: 'this machine',
  usdPerHour: undefined,
  iterationsPerSecond: 12.345,
  validationAccuracy: 0.9612,
  billableSeconds: 94.26,
};

describe('the result table', () => {
  test('a run without a public price, next to the published rows', () => {
    expect(formatResultTable(resultRows([run]))).toMatchInlineSnapshot(`
      "model                       machine           price/h  steps/s  accuracy  billed s     cost  from
      ──────────────────────────  ────────────────  ───────  ───────  ────────  ────────  ───────  ──────────────────
      BERT classification, 2 × …  this machine         none    12.35     0.961      94.3  unknown  this run
      BERT-base classification    ml.trn1.32xlarge  $24.725     6.64     0.984      6033   $41.43  published
      BERT-base classification    ml.trn1.32xlarge  $24.725     6.68                6047   $41.53  predicted (+0.6 %)
      BERT-base classification    ml.p4d.24xlarge    $37.69     5.44     0.984      6553   $68.61  published
      BERT-base classification    ml.p4d.24xlarge    $37.69     5.48                6506   $68.11  predicted (+0.8 %)
      Cost is price × time. The publication prints ml.trn1.32xlarge $41.47 (+$0.04), ml.p4d.24xlarge $68.60 (−$0.01)."
    `);
  });

  test('a run with a price', () => {
    const [row] = resultRows([{ ...run, usdPerHour: usd(0.34) }]);
    expect(row?.cost).toBe(8902);
    expect(formatResultTable([row!]).split('\n')[2]).toContain('$0.008902');
    const [long] = resultRows([{ ...run, usdPerHour: usd(21.5), billableSeconds: 7200 }]);
    expect(formatResultTable([long!]).split('\n')[2]).toContain('  7200  $43.00');
  });

  test('as JSON: null for unknown values, the difference for published ones', () => {
    const json = resultTableJson(resultRows([{ ...run, validationAccuracy: undefined }]));
    expect(json[0]).toEqual({
      kind: 'measured',
      model: run.model,
      machine: run.machine,
      usdPerHour: null,
      iterationsPerSecond: 12.345,
      validationAccuracy: null,
      billableSeconds: 94.26,
      costUsd: null,
    });
    expect(json[1]).toMatchObject({
      kind: 'published',
      costUsd: 41.434979,
      printedCostUsd: 41.47,
      printedMinusCostUsd: 0.035021,
    });
    expect(json[2]).toMatchObject({ kind: 'predicted', machine: 'ml.trn1.32xlarge', validationAccuracy: null });
    expect(Math.abs(json[2]!.predictedMinusPublished!)).toBeLessThan(0.1);
    expect(json[3]).toMatchObject({ costUsd: 68.606269, printedCostUsd: 68.6, printedMinusCostUsd: -0.006269 });
  });
});

describe('the price of an hour', () => {
  test("is the user's value, else the catalog's, else unknown", () => {
    expect(pricePerHour('0.34', 'ml.trn1.32xlarge')).toBe(usd(0.34));
    expect(pricePerHour('0', 'anything')).toBe(0);
    expect(pricePerHour(0.1 + 0.2, 'anything')).toBe(usd(0.3));
    expect(pricePerHour(undefined, 'ml.trn1.32xlarge')).toBe(usd(24.725));
    expect(pricePerHour(undefined, 'my laptop')).toBeUndefined();
  });

  test('an invalid price is an error', () => {
    expect(() => pricePerHour('cheap', 'x')).toThrowErrorMatchingInlineSnapshot(`
      [TrenioError [INVALID_OPTION]: the price of a machine: price is 'cheap', expected US dollars per hour, such as 0.34
        fix: set price to US dollars per hour, such as 0.34]
    `);
    expect(() => pricePerHour('-1', 'x')).toThrow("price is '-1', expected US dollars");
    for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
      expect(() => pricePerHour(bad, 'x')).toThrow('expected US dollars');
  });
});
