// The wall clock may be set while a job holds instances.
import { expect, test } from 'vitest';
import { InstanceTime } from './instance-time.ts';
import { jobOf } from './training-job.testing.ts';
import { moved, type TrainingJob } from './training-job.ts';

const hourMs = 3_600_000;
test.each([
  [0, 61_000],
  [20, 61_020],
  [3 * hourMs, 61_000],
  [-3 * hourMs, 61_000],
])('a wall clock that is set by %i ms: %i ms are billed', (stepMs, billedMs) => {
  let [wallMs, steadyMs] = [1e12, 0];
  const instances = new InstanceTime(() => steadyMs);
  const move = (job: TrainingJob, to: 'Downloading' | 'Training' | 'Uploading' | 'Completed') =>
    instances.billed(job, moved(job, to, 'runner', wallMs));
  let job = move(jobOf(), 'Downloading');
  wallMs += 1000;
  steadyMs += 1000;
  job = move(job, 'Training');
  wallMs += stepMs + 60_000;
  steadyMs += 60_000;
  job = move(move(job, 'Uploading'), 'Completed');
  expect(job.billedMs).toBe(billedMs);
});
