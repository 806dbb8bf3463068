// The wall clock may be set while jobs wait.
import { expect, test } from 'vitest';
import { ElapsedTimes } from './elapsed-times.ts';

const hourMs = 3_600_000;
test.each([hourMs, -hourMs])('a wall clock that is set by %i ms does not change the age of a job', stepMs => {
  let [wallMs, steadyMs] = [1e12, 0];
  const times = new ElapsedTimes(
    () => wallMs,
    () => steadyMs,
  );
  const createdMs = wallMs - 5000;
  expect(times.since('a', 'created', createdMs)).toBe(5000);
  wallMs += stepMs + 10;
  steadyMs += 10;
  expect(times.since('a', 'created', createdMs)).toBe(5010);
  // Another event of the job, and a later one of the same kind.
  expect(times.since('a', 'interrupted', wallMs)).toBe(0);
  steadyMs += 10;
  expect(times.since('a', 'interrupted', wallMs)).toBe(10);
  expect(times.since('a', 'interrupted', wallMs - 3)).toBe(3);
  expect(times.since('a', 'created', createdMs)).toBe(5020);
});

test('other jobs are forgotten; a time in the future was 0 ms ago', () => {
  let wallMs = 1000;
  const times = new ElapsedTimes(
    () => wallMs,
    () => 0,
  );
  const jobs = [
    { name: 'a', createdMs: 2000 },
    { name: 'b', createdMs: 400 },
  ] as const;
  times.look(jobs);
  expect(jobs.map(job => times.ageMs(job))).toEqual([0, 600]);
  wallMs = 5000;
  times.look([jobs[1]]);
  expect(jobs.map(job => times.ageMs(job))).toEqual([3000, 600]);
});

test.each([hourMs, -hourMs])('what another process stored by a clock that was set by %i ms is new', stepMs => {
  let [wallMs, steadyMs] = [1e12, 0];
  const times = new ElapsedTimes(
    () => wallMs,
    () => steadyMs,
  );
  const job = { name: 'a', createdMs: wallMs };
  const pass = (): void => {
    times.look([job]);
    wallMs += 500;
    steadyMs += 500;
  };
  for (let i = 0; i < 4; i++) pass();
  const storedMs = wallMs - 10;
  wallMs += stepMs;
  times.look([job]);
  expect(times.since('a', 'kept', storedMs)).toBe(stepMs > 0 ? 500 : 0);
});
