import { describe, expect, test } from 'vitest';
import { costOf, differenceUsd, formatUsd, usd } from '../base/money.ts';
import { findInstance, instanceTypes, pricedNames, priceOf } from './catalogue.ts';
import { publishedBertRuns } from './published.ts';

describe('the catalogue', () => {
  test('names are unique, numbers positive, every fact has a source', () => {
    expect(new Set(instanceTypes.map(i => i.name)).size).toBe(instanceTypes.length);
    for (const i of instanceTypes) {
      for (const fact of [i.vcpus, i.memoryGib, i.acceleratorMemoryGib, i.usdPerHour, i.managedUsdPerHour]) {
        if (fact === undefined) continue;
        expect(fact.value, i.name).toBeGreaterThan(0);
        expect(fact.source.length, i.name).toBeGreaterThan(10);
      }
      expect(i.accelerators, i.name).toBeGreaterThan(0);
    }
  });

  test('prices: of the machine, of the managed service, or none', () => {
    expect(priceOf('trn1.32xlarge')?.value).toBe(usd(21.5));
    expect(priceOf('ml.trn1.32xlarge')?.value).toBe(usd(24.725));
    expect(priceOf('ml.p4d.24xlarge')?.value).toBe(usd(37.69));
    expect(priceOf('trn1.2xlarge')?.value).toBe(1_343_750);
    expect(priceOf('trn2.48xlarge')).toBeUndefined();
    expect(priceOf('ml.g5.xlarge')).toBeUndefined();
    expect(priceOf('my laptop')).toBeUndefined();
    expect(findInstance('ml.trn1.32xlarge')?.accelerators).toBe(16);
    expect(pricedNames()).toContain('ml.trn1.32xlarge');
    for (const name of pricedNames()) expect(priceOf(name), name).toBeDefined();
  });

  test('the managed service costs 1.15 times the machine, at the prices of the time', () => {
    const ratio = (managed: number, machine: number) => managed / machine;
    expect(ratio(priceOf('ml.trn1.32xlarge')!.value, priceOf('trn1.32xlarge')!.value)).toBeCloseTo(1.15, 10);
    const before = priceOf('p4d.24xlarge')!.alternatives![0]!.value;
    expect(ratio(priceOf('ml.p4d.24xlarge')!.value, before)).toBeCloseTo(1.15, 4);
  });
});

describe('published runs', () => {
  test('their prices are the catalogue’s', () => {
    for (const run of publishedBertRuns) expect(priceOf(run.machine)?.value).toBe(run.usdPerHour);
  });

  test('their costs follow from seconds and price to within four cents, not exactly', () => {
    const differences = publishedBertRuns.map(run => {
      const computed = costOf(run.usdPerHour, run.billableSeconds);
      return [
        formatUsd(computed),
        formatUsd(run.printedUsd),
        formatUsd(differenceUsd(run.printedUsd, computed), { sign: true }),
      ];
    });
    expect(differences).toEqual([
      ['$41.43', '$41.47', '+$0.04'],
      ['$68.61', '$68.60', '−$0.01'],
    ]);
  });
});
