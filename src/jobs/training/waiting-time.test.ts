// The wall clock may be set while jobs wait.
import { expect, test } from 'vitest';
import { JobAges } from './waiting-time.ts';

const hourMs = 3_600_000;
test.each([hourMs, -hourMs])('a wall clock that is set by %i ms does not change the age of a job', stepMs => {
  let [wallMs, steadyMs] = [1e12, 0];
  const ages = new JobAges(
    () => wallMs,
    () => steadyMs,
  );
  const job = { name: 'a', createdMs: wallMs - 5000 };
  expect(ages.of(job)).toBe(5000);
  wallMs += stepMs + 10;
  steadyMs += 10;
  expect(ages.of(job)).toBe(5010);
});

test('jobs that have ended are forgotten; one from the future has age 0', () => {
  let wallMs = 1000;
  const ages = new JobAges(
    () => wallMs,
    () => 0,
  );
  expect(ages.of({ name: 'a', createdMs: 2000 })).toBe(0);
  expect(ages.of({ name: 'b', createdMs: 400 })).toBe(600);
  expect(ages.of({ name: 'c', createdMs: 400 })).toBe(600);
  wallMs = 5000;
  ages.keep([{ name: 'b' }]);
  expect(ages.of({ name: 'a', createdMs: 2000 })).toBe(3000);
  expect(ages.of({ name: 'b', createdMs: 400 })).toBe(600);
});
