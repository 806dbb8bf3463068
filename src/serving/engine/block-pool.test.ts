import { expect, test } from 'vitest';
import { BlockPool } from './block-pool.ts';
import { blockKey, PrefixIndex, rootKey } from './prefix-index.ts';

test('released blocks are taken again: those without content first, then the least recently used, the last of each first', () => {
  const pool = new BlockPool(5);
  const take = (count: number): readonly (number | undefined)[] => Array.from({ length: count }, () => pool.take());
  expect(take(6)).toEqual([0, 1, 2, 3, 4, undefined]);
  pool.release([0, 1], () => true);
  pool.share(1);
  pool.release([2, 3, 4], block => block !== 4);
  expect(pool.free).toBe(4);
  expect(take(4)).toEqual([4, 0, 3, 2]);
  pool.release([1], () => true);
  expect(() => pool.release([1], () => true)).toThrow('block 1 is released twice');
});

test('keys depend on all tokens before them, the salt and the adapter; of equal blocks the first is found', () => {
  const [root, salted, adapted] = [rootKey(''), rootKey('a'), rootKey('', 'a')];
  expect(new Set([root, salted, adapted, rootKey('a', 'a')]).size).toBe(4);
  const key = blockKey(root, [1, 2]);
  expect(new Set([key, blockKey(salted, [1, 2]), blockKey(key, [1, 2]), blockKey(root, [2, 1])]).size).toBe(4);
  const index = new PrefixIndex();
  index.add(key, 3);
  index.add(key, 4);
  index.forget(4);
  expect([index.find(key), index.has(3), index.has(4)]).toEqual([3, true, false]);
  index.forget(3);
  expect(index.find(key)).toBeUndefined();
});
