// A job whose runner was lost, or failed with an internal error: it is restarted as often as its RetryStrategy allows, then it
// fails.
import type { Mover } from './state-machine.ts';
import { moved, type TrainingJob } from './training-job.ts';

const MAX_REASON_CHARACTERS = 1024;

/** @param endMs when its instances were last in use */
export function afterInternalError(failed: TrainingJob, mover: Mover, endMs: number, message: string): TrainingJob {
  // Failed instances are not kept.
  const job = { ...failed, warmPool: undefined };
  if (job.secondary === 'Stopping') return moved(job, 'Stopped', mover, endMs);
  if (job.retries < job.spec.retryAttempts)
    return { ...moved(job, 'Restarting', mover, endMs), retries: job.retries + 1 };
  return {
    ...moved(job, 'Failed', mover, endMs),
    failureReason: `InternalServerError: ${message}`.slice(0, MAX_REASON_CHARACTERS),
  };
}
