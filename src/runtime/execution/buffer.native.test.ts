import { expect, test } from 'vitest';
import { f32 } from '../engine.testing.ts';
import { HostBuffer } from './buffer.ts';

test('checking whether a lazily created buffer is ready does not create it', () => {
  let made = 0;
  const buffer = HostBuffer.later(f32(2), () => {
    made++;
    return HostBuffer.copyOf(f32(2), new Uint8Array(8).fill(1));
  });
  expect(buffer.isReady).toBe(false);
  expect(made).toBe(0);
  expect([...buffer.bytes]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(buffer.isReady).toBe(true);
  expect(buffer.bytes).toBe(buffer.bytes);
  expect(made).toBe(1);
});
