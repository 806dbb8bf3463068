import { describe, expect, test } from 'vitest';
import { costOf, differenceUsd, formatUsd, usd } from '../base/money.ts';
import { pricedNames, priceOf } from './price-of.ts';
import { MANAGED_FACTOR } from './prices.ts';
import { publishedBertRuns } from './published.ts';

describe('prices', () => {
  test('of the machine, or of the managed service, or no price', () => {
    expect(priceOf('trn1.32xlarge')?.value).toBe(usd(21.5));
    expect(priceOf('ml.trn1.32xlarge')?.value).toBe(usd(24.725));
    expect(priceOf('trn1.2xlarge')?.value).toBe(1_343_750);
    expect(priceOf('trn2.48xlarge')).toBeUndefined();
    expect(priceOf('ml.g5.xlarge')).toBeUndefined();
    expect(priceOf('my laptop')).toBeUndefined();
    expect(pricedNames()).toContain('ml.trn1.32xlarge');
    for (const name of pricedNames()) expect(priceOf(name)!.value, name).toBeGreaterThan(0);
  });

  test('fell in June 2025: the launch profile has the former ones', () => {
    expect(priceOf('p4d.24xlarge')?.value).toBe(usd(21.957642));
    expect(priceOf('p4d.24xlarge', 'launch')?.value).toBe(usd(32.7726));
    expect(priceOf('p5.48xlarge', 'launch')?.value).toBe(usd(98.32));
    expect(priceOf('trn1.32xlarge', 'launch')?.value).toBe(usd(21.5));
  });

  test('the managed service costs 1.15 times the machine: published for two machines, inferred and marked as such for the others', () => {
    const ratio = (name: string, profile: 'docs' | 'launch') =>
      priceOf(`ml.${name}`, profile)!.value / priceOf(name, profile)!.value;
    expect(ratio('trn1.32xlarge', 'docs')).toBeCloseTo(MANAGED_FACTOR, 10);
    expect(ratio('p4d.24xlarge', 'launch')).toBeCloseTo(MANAGED_FACTOR, 4);
    expect(priceOf('ml.trn1.32xlarge')!.uncertain).toBeUndefined();
    expect(priceOf('ml.p4d.24xlarge', 'launch')!.uncertain).toBeUndefined();
    expect(priceOf('ml.p4d.24xlarge')!.uncertain).toBe(true);
    expect(priceOf('ml.p5.48xlarge', 'launch')!.uncertain).toBe(true);
    expect(priceOf('ml.p5.48xlarge')!.source).toContain('inferred');
  });
});

describe('published runs', () => {
  test('their prices match the catalog of that time', () => {
    for (const run of publishedBertRuns) expect(priceOf(run.machine, 'launch')?.value).toBe(run.usdPerHour);
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
