// Heartbeats when the wall clock is set forward or back by hours.
import { expect, test } from 'vitest';
import { LastChange } from './last-change.ts';

const HOUR = 3_600_000;

test.each([3 * HOUR, -3 * HOUR])(
  'a heartbeat counts from its last change, also after a step of the clock of %d ms',
  step => {
    const beat = new LastChange(0);
    expect(beat.sinceMs(1000 * HOUR, 100)).toBe(0);
    expect(beat.sinceMs(1000 * HOUR, 5100)).toBe(5000);
    expect(beat.sinceMs(1000 * HOUR + step, 5200)).toBe(0);
    expect(beat.sinceMs(1000 * HOUR + step, 605_200)).toBe(600_000);
  },
);

test('without a heartbeat, the time counts from the start', () => {
  const beat = new LastChange(50);
  expect(beat.sinceMs(7, 60)).toBe(0);
  expect(beat.sinceMs(7, 1060)).toBe(1000);
});
