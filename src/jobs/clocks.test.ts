// The wall clock may be set while a job holds instances.
import { expect, test } from 'vitest';
import { unsteppedClock } from './clocks.ts';
import { jobOf } from './training/training-job.testing.ts';
import { moved } from './training/training-job.ts';

const hourMs = 3_600_000;
test.each([0, 20, 3 * hourMs, -3 * hourMs])('a wall clock that is set by %i ms: 61 s are billed', stepMs => {
  let [wallMs, steadyMs] = [1e12, 77];
  const now = unsteppedClock({ wall: () => wallMs, steady: () => steadyMs });
  let job = moved(jobOf(), 'Downloading', 'runner', now());
  wallMs += 1000;
  steadyMs += 1000;
  job = moved(job, 'Training', 'runner', now());
  wallMs += stepMs + 60_000;
  steadyMs += 60_000;
  job = moved(moved(job, 'Uploading', 'runner', now()), 'Completed', 'runner', now());
  expect(job).toMatchObject({ billedMs: 61_000, trainingStartMs: 1e12, trainingEndMs: 1e12 + 61_000 });
});
