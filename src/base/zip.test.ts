import { expect, test } from 'vitest';
import { zip } from './zip.ts';

test('pairs the elements of two lists', () => {
  expect(zip([1, 2], ['a', 'b'])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});

test('rejects lists of different lengths', () => {
  expect(() => zip([1], [])).toThrow('lists of 1 and 0 elements');
});
