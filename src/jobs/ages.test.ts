import { expect, test } from 'vitest';
import { Ages } from './ages.ts';

const HOURS = 3_600_000;

test.each([3 * HOURS, -3 * HOURS])('a wall clock that is set by %d ms changes no age', stepMs => {
  let [wall, steady] = [1_000_000, 50];
  const ages = new Ages({ wall: () => wall, steady: () => steady });
  expect(ages.of('a', wall - 400)).toBe(400);
  const sinceMs = wall - 400;
  wall += stepMs;
  steady += 100;
  expect(ages.of('a', sinceMs)).toBe(500);
  // Something new, at the new time.
  expect(ages.of('b', wall)).toBe(0);
  expect(ages.of('a', wall)).toBe(0);
  ages.forget('b');
  expect(ages.of('b', wall - 7)).toBe(7);
});
