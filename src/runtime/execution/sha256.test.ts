import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashHere, sha256 } from './sha256.ts';

// Memory of 2 MiB is one chunk.
test.each([0, 1, 63, 64, 1 << 21, (1 << 21) + 5])('the hash of %i bytes', async bytes => {
  const memory = new Uint8Array(bytes + 1).map((_, i) => i * 7).subarray(1);
  const expected = createHash('sha256').update(memory).digest('hex');
  expect(await sha256(memory)).toBe(expected);
  expect(await hashHere(memory)).toBe(expected);
});
