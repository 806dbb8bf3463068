// Training jobs in reserved capacity: they run on the instances of their block, during the block, and do not hold back other
// jobs; other jobs do not get the instances of active blocks.
import { admission, isDraining } from '../capacity/admission.ts';
import type { CapacityStore } from '../capacity/capacity-store.ts';
import type { JobStore } from '../store/job-store.ts';
import type { Taken } from './instance-pool.ts';
import { moved, type TrainingJob } from './training-job.ts';
import type { WaitReason } from './wait-reason.ts';

/** The instances of a job, on demand or in a block. */
export interface TakenInBlock extends Taken {
  readonly reservation?: string | undefined;
}

const bare = (instanceType: string): string => instanceType.replace(/^ml\./, '');
const countOf = (jobs: readonly Taken[]): number => jobs.reduce((sum, one) => sum + one.instanceCount, 0);

export class ReservedJobs {
  readonly #jobs: JobStore;
  readonly #capacity: CapacityStore;
  readonly #now: () => number;

  /** @param now the clock of capacity blocks */
  constructor(jobs: JobStore, capacity: CapacityStore, now: () => number) {
    this.#jobs = jobs;
    this.#capacity = capacity;
    this.#now = now;
  }

  /** Whether a waiting job may start in its block, or what it waits for; a job that no longer can is ended. */
  admit({ name, spec }: TrainingJob, running: readonly TakenInBlock[]): 'runs' | 'ended' | WaitReason {
    const nowMs = this.#now();
    const { reservation, instanceCount } = spec;
    const block = this.#capacity.get(reservation!);
    const taken = countOf(running.filter(one => one.reservation === reservation));
    const answer = admission(block, taken, instanceCount, nowMs);
    if (answer === 'runs') return answer;
    if (block !== undefined && answer === 'starts later')
      return { kind: 'block starts later', block: block.name, startMs: block.startMs };
    if (block !== undefined && answer === 'is full')
      return { kind: 'block is full', block: block.name, needed: instanceCount, free: block.instanceCount - taken };
    this.#jobs.training.update(name, job =>
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
  drain({ name, spec: { reservation } }: TrainingJob): void {
    const block = reservation === undefined ? undefined : this.#capacity.get(reservation);
    const nowMs = this.#now();
    if (block === undefined || !isDraining(block, nowMs)) return;
    this.#jobs.training.update(name, job =>
      job.runner === undefined || job.stopRequestedMs !== undefined
        ? undefined
        : {
            ...moved(job, 'Stopping', 'scheduler', nowMs, 'Stopping the training job: its training plan ends'),
            stopRequestedMs: nowMs,
          },
    );
  }

  /** Instances of a type that blocks reserve now and that no running job uses. */
  held(instanceType: string, running: readonly TakenInBlock[]): number {
    const nowMs = this.#now();
    const used = running.filter(one => one.reservation !== undefined && one.instanceType === instanceType);
    return Math.max(0, this.#capacity.reserved(bare(instanceType), nowMs, nowMs + 1) - countOf(used));
  }
}
