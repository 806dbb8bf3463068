// Training jobs in reserved capacity: they run on the instances of their block, during the block, and do not hold back other
// jobs; other jobs do not get the instances of active blocks.
import { admission, isDraining } from '../capacity/admission.ts';
import type { CapacityStore } from '../capacity/capacity-store.ts';
import type { JobStore } from '../store/job-store.ts';
import type { WaitReason } from '../wait-reason.ts';
import { moved, type TrainingJob } from './training-job.ts';

export interface Reservations {
  readonly jobs: JobStore;
  readonly capacity: CapacityStore;
  /** The clock of capacity blocks. */
  readonly now: () => number;
}

/**
 * Whether a waiting job may start in its block, or what it waits for; a job that no longer can is ended.
 * @param taken how many instances of the block jobs have
 */
export function admit(
  { name, spec: { instanceCount } }: TrainingJob,
  reservation: string,
  taken: number,
  { jobs, capacity, now }: Reservations,
): 'runs' | 'ended' | WaitReason {
  const nowMs = now();
  const block = capacity.get(reservation);
  const answer = admission(block, taken, instanceCount, nowMs);
  if (answer === 'runs') return answer;
  if (block !== undefined && answer === 'starts later')
    return { kind: 'block starts later', block: block.name, startMs: block.startMs };
  if (block !== undefined && answer === 'is full')
    return { kind: 'block is full', block: block.name, needed: instanceCount, free: block.instanceCount - taken };
  jobs.training.update(name, job =>
    job.runner === undefined
      ? {
          ...moved(job, 'Failed', 'scheduler', nowMs),
          failureReason: `CapacityError: The training plan '${block?.name ?? reservation}' ended before the job could run.`,
        }
      : undefined,
  );
  return 'ended';
}

/** Asks a running job to stop when its block is about to end. */
export function drain({ name, spec: { reservation } }: TrainingJob, { jobs, capacity, now }: Reservations): void {
  const block = reservation === undefined ? undefined : capacity.get(reservation);
  const nowMs = now();
  if (block === undefined || !isDraining(block, nowMs)) return;
  jobs.training.update(name, job =>
    job.runner === undefined || job.stopRequestedMs !== undefined
      ? undefined
      : {
          ...moved(job, 'Stopping', 'scheduler', nowMs, 'Stopping the training job: its training plan ends'),
          stopRequestedMs: nowMs,
        },
  );
}
