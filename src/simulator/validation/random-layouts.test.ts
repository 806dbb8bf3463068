// The closed form and the timeline are two ways to play the same pieces.
import { describe, expect, test } from 'vitest';
import { closedFormDifferences } from './closed-form-differences.testing.ts';
import { randomLayouts } from './random-layouts.testing.ts';

describe('the closed form and the timeline', () => {
  // `node bench/simulator.ts --layouts 2000` plays more of them.
  test('differ by 2 % at most on random layouts', () => {
    const far = closedFormDifferences(randomLayouts(1, 500)).filter(({ difference }) => Math.abs(difference) > 0.02);
    expect(far.map(({ what, difference }) => `${what}: ${(100 * difference).toFixed(1)} %`)).toEqual([]);
  });

  test('the same seed gives the same layouts, with pipelines, chunks and copies among them', () => {
    const some = randomLayouts(7, 100);
    expect(randomLayouts(7, 100)).toEqual(some);
    for (const of of ['pipeline', 'interleave', 'data', 'tensor', 'microBatches'] as const)
      expect(some.filter(({ layout }) => layout[of] > 1).length, of).toBeGreaterThan(10);
  });
});
