import { expect, test } from 'vitest';
import { threefry2x32 } from './threefry.ts';

// Known answers of Random123's kat_vectors (threefry2x32-20).
test.each([
  { counter: [0, 0], key: [0, 0], words: [0x6b200159, 0x99ba4efe] },
  { counter: [0xffffffff, 0xffffffff], key: [0xffffffff, 0xffffffff], words: [0x1cb996fc, 0xbb002be7] },
  { counter: [0x243f6a88, 0x85a308d3], key: [0x13198a2e, 0x03707344], words: [0xc4923a9c, 0x483df7a0] },
] as const)('threefry2x32 known answer for counter $counter', ({ counter, key, words }) => {
  const out = new Uint32Array(2);
  threefry2x32(counter[0], counter[1], key[0], key[1], out);
  expect([...out]).toEqual([...words]);
});
