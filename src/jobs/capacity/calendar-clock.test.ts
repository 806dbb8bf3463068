// The clock of capacity blocks, when the clock of the machine is set forward or back by hours.
import { expect, test } from 'vitest';
import { CalendarClock } from './calendar-clock.ts';

const HOUR = 3_600_000;

function clocks() {
  const time = { wall: 1000 * HOUR, steady: 5 };
  const lines: string[] = [];
  const clock = new CalendarClock(line => lines.push(line), { wall: () => time.wall, steady: () => time.steady });
  const pass = (ms: number): number => {
    time.wall += ms;
    time.steady += ms;
    return clock.now();
  };
  return { time, lines, clock, pass };
}

test('follows the wall clock, also when a time daemon moves it by seconds', () => {
  const { time, lines, clock, pass } = clocks();
  expect(pass(HOUR)).toBe(1001 * HOUR);
  time.wall -= 20_000;
  expect(clock.now()).toBe(1001 * HOUR - 20_000);
  expect(lines).toEqual([]);
});

test.each([3, -3])('a step of %d hours is followed after a minute', hours => {
  const { time, lines, clock, pass } = clocks();
  time.wall += hours * HOUR;
  expect(clock.now()).toBe(1000 * HOUR);
  expect(pass(59_000)).toBe(1000 * HOUR + 59_000);
  expect(pass(1000)).toBe((1000 + hours) * HOUR + 60_000);
  expect(pass(1000)).toBe((1000 + hours) * HOUR + 61_000);
  expect(lines).toEqual([
    `the clock of this machine was set by ${hours * 60}.0 minutes; capacity blocks follow it after 60 s`,
  ]);
});

test('a step that is reverted within the minute has no effect', () => {
  const { time, lines, pass } = clocks();
  time.wall += 3 * HOUR;
  expect(pass(30_000)).toBe(1000 * HOUR + 30_000);
  time.wall -= 3 * HOUR;
  expect(pass(1000)).toBe(1000 * HOUR + 31_000);
  expect(lines.at(-1)).toBe('the clock of this machine was set back to the earlier time');
});

test('a second step restarts the minute', () => {
  const { time, pass } = clocks();
  time.wall += 3 * HOUR;
  pass(50_000);
  time.wall += 3 * HOUR;
  expect(pass(50_000)).toBe(1000 * HOUR + 100_000);
  expect(pass(60_000)).toBe(1006 * HOUR + 160_000);
});
