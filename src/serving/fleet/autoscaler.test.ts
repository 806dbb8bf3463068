// The desired number of instances of a variant over time.
import { expect, test } from 'vitest';
import { SCALE_IN_AFTER_MS, TO_ZERO_AFTER_MS, targetOf, VariantSize } from './autoscaler.ts';

test('scales up immediately and down after a while, within the limits', () => {
  const size = new VariantSize(4);
  const limits = { min: 1, max: 5 };
  expect(size.next(0, 0, 0, limits)).toBe(1);
  expect(size.next(1000, 9, 0, limits)).toBe(3);
  expect(size.next(2000, 100, 0, limits)).toBe(5);
  expect(size.next(3000, 4, 0, limits)).toBe(5);
  expect(size.next(2000 + SCALE_IN_AFTER_MS, 4, 0, limits)).toBe(1);
});

test('scales to zero after a long time without requests', () => {
  const size = new VariantSize(1);
  const limits = { min: 0, max: 2 };
  expect(size.next(0, 1, 0, limits)).toBe(1);
  expect(size.next(SCALE_IN_AFTER_MS + 1, 0, SCALE_IN_AFTER_MS, limits)).toBe(1);
  expect(size.next(TO_ZERO_AFTER_MS + 1, 0, TO_ZERO_AFTER_MS, limits)).toBe(0);
});

test('reads the target of an instance from the environment', () => {
  expect([targetOf({}, false), targetOf({}, true)]).toEqual([4, 1]);
  expect(targetOf({ TRENIO_TARGET_CONCURRENCY: '16' }, false)).toBe(16);
  expect(targetOf({ TRENIO_TARGET_CONCURRENCY: 'many' }, false)).toBe(4);
});
