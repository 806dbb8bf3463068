import { describe, expect, test } from 'vitest';
import { philox4x32, philoxAdvance, philoxWords } from './philox.ts';

// Test vectors from Random123's kat_vectors (philox4x32-10), words lowest first.
const knownAnswers = [
  { counter: [0, 0, 0, 0], key: [0, 0], words: [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8] },
  {
    counter: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    key: [0xffffffff, 0xffffffff],
    words: [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  },
  {
    counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    key: [0xa4093822, 0x299f31d0],
    words: [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  },
] as const;

describe('philox4x32', () => {
  test.each(knownAnswers)('known answer for counter $counter', ({ counter, key, words }) => {
    const out = new Uint32Array(4);
    const [c0, c1, c2, c3] = counter;
    philox4x32(c0, c1, c2, c3, key[0], key[1], out);
    expect([...out]).toEqual([...words]);
  });
});

describe('philoxWords', () => {
  test('element 4i + j is word j of block counter + i', () => {
    const words = philoxWords(0x299f31d0a4093822n, 0x0370734413198a2e85a308d3243f6a88n, 7);
    const block = new Uint32Array(8);
    philox4x32(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, block);
    philox4x32(0x243f6a89, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, block, 4);
    expect([...words]).toEqual([...block.subarray(0, 7)]);
  });
  test('the counter carries over all of its 128 bits, and wraps', () => {
    const last = (1n << 128n) - 1n;
    expect([...philoxWords(5n, last, 8).subarray(4)]).toEqual([...philoxWords(5n, 0n, 4)]);
    expect(philoxAdvance(last, 5)).toBe(1n);
    expect([...philoxWords(5n, 0xffffffffn, 8).subarray(4)]).toEqual([...philoxWords(5n, 0x100000000n, 4)]);
  });
});
