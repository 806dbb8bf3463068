import { expect, test } from 'vitest';
import { peakResidentBytes } from './peak-memory.ts';

test('includes memory that has been released', () => {
  const before = peakResidentBytes();
  expect(before).toBeGreaterThan(1e7);
  const bytes = Math.max(64 << 20, before - process.memoryUsage.rss() + (64 << 20));
  new Uint8Array(bytes).fill(1);
  expect(peakResidentBytes()).toBeGreaterThanOrEqual(before + (32 << 20));
});
