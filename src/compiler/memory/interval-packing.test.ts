import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packIntervals } from './interval-packing.ts';

test('intervals that are alive together never overlap, and free memory is reused', () => {
  const interval = fc.record({ bytes: fc.integer({ min: 1, max: 50 }), start: fc.nat(20), length: fc.nat(8) });
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 30 }), list => {
      const items = list.map(({ bytes, start, length }) => ({
        bytes: 64 * bytes,
        start,
        end: start + length,
        offset: -1,
      }));
      const total = packIntervals(items);
      items.forEach((a, i) => {
        expect(a.offset % 64).toBe(0);
        expect(a.offset + a.bytes).toBeLessThanOrEqual(total);
        for (const b of items.slice(i + 1)) {
          const together = a.start <= b.end && b.start <= a.end;
          const apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
          expect(apart || !together).toBe(true);
        }
      });
    }),
    { seed: 1, numRuns: 200 },
  );
  const chain = Array.from({ length: 10 }, (_, t) => ({ bytes: 640, start: t, end: t + 1, offset: 0 }));
  expect(packIntervals(chain)).toBe(1280);
});
