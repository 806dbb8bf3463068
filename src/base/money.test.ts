import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  costOf,
  differenceUsd,
  formatUsd,
  type MicroUsd,
  parseUsd,
  sumOfKnown,
  sumUsd,
  toDollars,
  usd,
} from './money.ts';

describe('money', () => {
  test('reads amounts exactly, and nothing else', () => {
    expect(parseUsd('24.725')).toBe(24_725_000);
    expect(parseUsd('$1.34375')).toBe(1_343_750);
    expect(parseUsd(' 0 ')).toBe(0);
    for (const bad of [
      '',
      '-1',
      '1e3',
      '1,000',
      '.5',
      '5.',
      '1.2345678',
      'free',
      '1.2.3',
      'NaN',
      'Infinity',
      '9999999999',
    ]) {
      expect(parseUsd(bad), bad).toBeUndefined();
    }
  });

  test('every amount round-trips through text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), micro => {
        const text = formatUsd(micro as MicroUsd, { maxDecimals: 6 }).replaceAll(',', '');
        expect(parseUsd(text)).toBe(micro);
      }),
    );
  });

  test('costs are seconds × price / 3600, halves up', () => {
    expect(formatUsd(costOf(usd(24.725), 6033))).toBe('$41.43');
    expect(formatUsd(costOf(usd(37.69), 6553))).toBe('$68.61');
    expect(costOf(usd(98.32), 3600 * 24 * 366 * 10)).toBe(usd(98.32) * 24 * 366 * 10);
    expect(costOf(usd(0.0036), 0.5)).toBe(1);
    expect(costOf(usd(0), 100)).toBe(0);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200_000_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        (price, seconds) => {
          expect(Math.abs(costOf(price as MicroUsd, seconds) - (price * seconds) / 3600)).toBeLessThanOrEqual(
            0.5 + 1e-6 * price,
          );
        },
      ),
    );
  });

  test('writes amounts', () => {
    expect(formatUsd(usd(21.5))).toBe('$21.50');
    expect(formatUsd(usd(1234567.891))).toBe('$1,234,567.89');
    expect(formatUsd(usd(24.725), { maxDecimals: 6 })).toBe('$24.725');
    expect(formatUsd(usd(68.6), { maxDecimals: 6 })).toBe('$68.60');
    expect(formatUsd(usd(0.995))).toBe('$1.00');
    expect(formatUsd(differenceUsd(usd(41.43), usd(41.47)), { sign: true })).toBe('−$0.04');
    expect(formatUsd(differenceUsd(usd(41.47), usd(41.43)), { sign: true })).toBe('+$0.04');
    expect(formatUsd(usd(-0.001))).toBe('$0.00');
    expect(toDollars(sumUsd([usd(0.1), usd(0.2)]))).toBe(0.3);
  });

  test('a sum of unknown amounts is unknown, and one of some says how many it lacks', () => {
    expect(sumOfKnown([])).toEqual({ sum: 0, unknown: 0 });
    expect(sumOfKnown([usd(0.1), undefined, usd(0.2)])).toEqual({ sum: usd(0.3), unknown: 1 });
    expect(sumOfKnown([undefined, undefined])).toEqual({ sum: undefined, unknown: 2 });
  });
});
