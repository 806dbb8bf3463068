import { expect, test } from 'vitest';
import { philoxWords } from '../../numerics/philox.ts';
import { ItemRandom } from './item-random.ts';

test('the numbers are consecutive words of one stream', () => {
  const random = new ItemRandom(7, 2, 5);
  const words = philoxWords(7n, (2n << 80n) | (5n << 16n) | (7n << 120n), 300);
  const taken = Array.from(words, () => random.uniform() * 2 ** 32);
  expect(taken).toEqual([...words]);
});
