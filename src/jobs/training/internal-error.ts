// A job whose runner was lost, or failed for a reason that is not the job's: it is started again as often as its RetryStrategy
// says, or it has failed.
import type { Mover } from './state-machine.ts';
import { moved, type TrainingJob } from './training-job.ts';

const MAX_REASON_CHARACTERS = 1024;

/** @param endMs when its instances were last in use */
export function afterInternalError(failed: TrainingJob, mover: Mover, endMs: number, message: string): TrainingJob {
  // Instances that failed are not kept.
  const job = { ...failed, warmPool: undefined };
  if (job.secondary === 'Stopping') return moved(job, 'Stopped', mover, endMs);
  if (job.retries < job.spec.retryAttempts)
    return { ...moved(job, 'Restarting', mover, endMs), retries: job.retries + 1 };
  return {
    ...moved(job, 'Failed', mover, endMs),
    failureReason: `InternalServerError: ${message}`.slice(0, MAX_REASON_CHARACTERS),
  };
}
