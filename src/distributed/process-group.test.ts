import { describe, expect, test } from 'vitest';
import { allReduceSum, barrier, isMain, localRank, rank, worldSize } from './process-group.ts';

describe('a single rank', () => {
  test('is rank 0 of 1', () => {
    expect([rank(), localRank(), worldSize(), isMain()]).toEqual([0, 0, 1, true]);
  });

  test('gets its own values back from collectives', () => {
    barrier();
    expect(allReduceSum([1, 2.5])).toEqual([1, 2.5]);
    expect(allReduceSum([])).toEqual([]);
  });
});
