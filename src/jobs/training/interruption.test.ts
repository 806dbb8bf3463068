// Interruptions of spot instances.
import { expect, test } from 'vitest';
import { awayMs, interruptionMs, spotSchema } from './interruption.ts';
import { jobOf } from './training-job.testing.ts';

const market = (options: object) => spotSchema.parse(options);
const job = jobOf({ isSpot: true, instanceCount: 4 }, { name: 'a', instancesSinceMs: 1000, attempt: 1 });

test('without a spot market, on on-demand instances, and without instances, nothing is interrupted', () => {
  expect(interruptionMs(market({}), job)).toBe(undefined);
  const always = market({ interruptionsPerInstanceHour: 1000 });
  expect(interruptionMs(always, job)).toBeGreaterThan(0);
  expect(interruptionMs(always, { ...job, instancesSinceMs: undefined })).toBe(undefined);
  expect(interruptionMs(always, jobOf({ isSpot: false }, { instancesSinceMs: 1000 }))).toBe(undefined);
});

test('given times count from the start of each attempt', () => {
  const stated = market({ afterSeconds: [2, 0.5] });
  const times = [1, 2, 3].map(attempt => interruptionMs(stated, { ...job, attempt }));
  expect(times).toEqual([2000, 500, undefined]);
});

test('random times are derived from the seed, the job and the attempt, and have the requested rate', () => {
  const random = (seed: number) => market({ interruptionsPerInstanceHour: 0.5, seed });
  expect(interruptionMs(random(1), job)).toBe(interruptionMs(random(1), job));
  expect(interruptionMs(random(2), job)).not.toBe(interruptionMs(random(1), job));
  const hours = Array.from(
    { length: 2000 },
    (_, attempt) => interruptionMs(random(1), { ...job, attempt })! / 3_600_000,
  );
  // Four instances at 0.5 per hour: one interruption every half hour.
  expect(hours.reduce((sum, one) => sum + one, 0) / hours.length).toBeCloseTo(0.5, 1);
  const catalog = interruptionMs(market({ interruptionsPerInstanceHour: 'catalog', seed: 1 }), job)!;
  expect(catalog / interruptionMs(random(1), job)!).toBeCloseTo(25);
});

test('an interrupted job waits until instances are available again', () => {
  const interrupted = jobOf({ isSpot: true }, { secondary: 'Interrupted', modifiedMs: 5000 });
  expect(awayMs(market({ awaySeconds: 3 }), interrupted)).toBe(3000);
  expect(awayMs(market({ awaySeconds: 3 }), { ...interrupted, secondary: 'Starting' })).toBe(0);
});
