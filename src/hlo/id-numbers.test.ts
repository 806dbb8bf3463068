import { expect, test } from 'vitest';
import { IdNumbers } from './id-numbers.ts';

test('numbers of ids that are close together, and of others', () => {
  for (const middle of [5, 1_000_000]) {
    const numbers = new IdNumbers(middle, 3);
    const ids = [middle - 1, middle, middle + 1, 0, -1, middle + 10_000];
    for (const [i, id] of ids.entries()) numbers.set(id, i - 2);
    expect(ids.map(id => numbers.get(id))).toEqual([-2, -1, 0, 1, 2, 3]);
    expect(numbers.get(middle + 2)).toBeUndefined();
    expect(numbers.get(middle + 20_000)).toBeUndefined();
    numbers.release();
  }
});
