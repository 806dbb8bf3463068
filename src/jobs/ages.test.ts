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

test.each([HOURS, -HOURS])('a wall clock that is set by %i ms changes no event of a job', stepMs => {
  let [wallMs, steadyMs] = [1e12, 0];
  const ages = new Ages({ wall: () => wallMs, steady: () => steadyMs });
  const createdMs = wallMs - 5000;
  expect(ages.of('a', createdMs)).toBe(5000);
  wallMs += stepMs + 10;
  steadyMs += 10;
  expect(ages.of('a', createdMs)).toBe(5010);
  // Another event of the job, and a later one of the same kind.
  expect(ages.of('a', wallMs, 'interrupted')).toBe(0);
  steadyMs += 10;
  expect(ages.of('a', wallMs, 'interrupted')).toBe(10);
  expect(ages.of('a', wallMs - 3, 'interrupted')).toBe(3);
  expect(ages.of('a', createdMs)).toBe(5020);
});

test('jobs that are not looked at are forgotten; a time in the future was 0 ms ago', () => {
  let wallMs = 1000;
  const ages = new Ages({ wall: () => wallMs, steady: () => 0 });
  const jobs = [
    { name: 'a', createdMs: 2000 },
    { name: 'b', createdMs: 400 },
  ] as const;
  ages.look(jobs);
  expect(jobs.map(job => ages.of(job.name, job.createdMs))).toEqual([0, 600]);
  wallMs = 5000;
  ages.look([jobs[1]]);
  expect(jobs.map(job => ages.of(job.name, job.createdMs))).toEqual([3000, 600]);
});

test.each([HOURS, -HOURS])('what another process stored by a clock that was set by %i ms is new', stepMs => {
  let [wallMs, steadyMs] = [1e12, 0];
  const ages = new Ages({ wall: () => wallMs, steady: () => steadyMs });
  const job = { name: 'a', createdMs: wallMs };
  const pass = (): void => {
    ages.look([job]);
    wallMs += 500;
    steadyMs += 500;
  };
  for (let i = 0; i < 4; i++) pass();
  const storedMs = wallMs - 10;
  wallMs += stepMs;
  ages.look([job]);
  expect(ages.of('a', storedMs, 'kept')).toBe(stepMs > 0 ? 500 : 0);
});
