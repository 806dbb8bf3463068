import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashesOf } from './piece-hashes.ts';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('hashes pieces of any size, empty pieces, and no pieces', async () => {
  const image = Uint8Array.from({ length: 10_000 }, (_, i) => (i * 7) % 251);
  const sizes = [3, 0, 5000, 1, 0, 4996];
  const hashes = await hashesOf(image, sizes);
  const starts = [0, 3, 3, 5003, 5004, 5004];
  expect(hashes).toEqual(sizes.map((size, i) => expected(image.subarray(starts[i], starts[i]! + size))));
  expect(await hashesOf(image, [])).toEqual([]);
});
