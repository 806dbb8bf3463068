// Large blocks are in huge pages from their first byte: a range that begins within a huge page has none there.
import { expect, test } from 'vitest';
import { allocate } from './memory.ts';
import { addressOf } from './native-library.ts';

const hugePage = 2n ** 21n;
const mib = 2 ** 20;

/** Allocates, and returns the block with the range that is advised. */
function advisedBy(bytes: number) {
  let advised: readonly [bigint, bigint] | undefined;
  const adviseHuge = (start: bigint, size: number): void => {
    advised = [start, start + BigInt(size)];
  };
  return { ...allocate(bytes, 'test', { adviseHuge }), advised: advised! };
}

test.each([1, 1.6, 2, 3.5, 5])('huge pages are advised from their start for a block of %s MiB', size => {
  // Offsets within a page rotate.
  for (let i = 0; i < 16; i++) {
    const { bytes, address, advised } = advisedBy(Math.round(size * mib));
    const [start, end] = advised;
    expect(start % hugePage).toBe(0n);
    expect(address - start).toBeLessThan(4096n);
    expect(end).toBeGreaterThanOrEqual(address + BigInt(bytes.byteLength));
    expect(start).toBeGreaterThanOrEqual(addressOf(bytes.buffer));
    expect(end).toBeLessThanOrEqual(addressOf(bytes.buffer) + BigInt(bytes.buffer.byteLength));
  }
});

test('the last huge page of a block is advised whole, unless much of it would be spare', () => {
  const pages = (bytes: number): number => {
    const [start, end] = advisedBy(Math.round(bytes)).advised;
    return Number((end - start) / hugePage);
  };
  expect(pages(1.7 * mib)).toBe(1);
  expect(pages(1.2 * mib)).toBe(0);
  expect(pages(3.8 * mib)).toBe(2);
  expect(pages(4.2 * mib)).toBe(2);
});

test('large blocks are collected when they are garbage, without counting as memory of V8', () => {
  const before = process.memoryUsage();
  const kept = Array.from({ length: 300 }, () => allocate(2 * mib, 'test'));
  expect(process.memoryUsage().external - before.external).toBeLessThan(100 * mib);
  for (let i = 0; i < 1000; i++) allocate(2 * mib, 'test');
  expect(kept).toHaveLength(300);
  expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(1500 * mib);
});
