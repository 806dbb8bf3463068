// Warm pools: instances that are kept (and billed) for a while after a job has ended, until a matching job takes them over.
//
//   InUse ── the job ends ──► Available ── a job that matches ──► Reused      (that job: InUse)
//                                 └─────── its time is over ────► Terminated
//
// https://docs.aws.amazon.com/sagemaker/latest/dg/train-warm-pools.html
import type { TrainingJob, TrainingJobSpec } from './training-job.ts';
import type { WarmPool } from './warm-pool-state.ts';

const MAX_CLUSTER_MS = 7 * 24 * 3_600_000;

/** The pool of a starting job, which may have the instances of another job. */
export function poolAtStart(
  { keepAliveSeconds = 0 }: TrainingJobSpec,
  from: TrainingJob | undefined,
  nowMs: number,
): WarmPool | undefined {
  if (keepAliveSeconds === 0 && from === undefined) return undefined;
  return { status: 'InUse', clusterSinceMs: from?.warmPool?.clusterSinceMs ?? nowMs };
}

/** When an available pool expires if no job takes it over; undefined if it is not available. */
export function expiryMs({ warmPool, spec }: TrainingJob): number | undefined {
  if (warmPool?.status !== 'Available' || warmPool.keptSinceMs === undefined) return undefined;
  const keptMs = warmPool.keptSinceMs + (spec.keepAliveSeconds ?? 0) * 1000;
  return Math.min(keptMs, warmPool.clusterSinceMs + MAX_CLUSTER_MS);
}

/** The job with its pool ended. */
export const withPoolEnded = (job: TrainingJob, untilMs: number): TrainingJob =>
  job.warmPool === undefined
    ? job
    : { ...job, warmPool: { ...job.warmPool, status: 'Terminated', keptUntilMs: untilMs } };

/** The job with its pool taken over. */
export const withPoolReused = (job: TrainingJob, by: string, nowMs: number): TrainingJob =>
  job.warmPool === undefined
    ? job
    : { ...job, warmPool: { ...job.warmPool, status: 'Reused', keptUntilMs: nowMs, reusedBy: by } };

/** Whether a waiting job may take the instances of a pool over. */
export const matches = (waiting: TrainingJob, pool: TrainingJob): boolean =>
  !waiting.spec.isSpot &&
  waiting.spec.reservation === undefined &&
  waiting.spec.warmPoolKey !== undefined &&
  waiting.spec.warmPoolKey === pool.spec.warmPoolKey;

/** Whole seconds for which the instances were kept, as billed; undefined if they were not kept. */
export function retainedSeconds({ warmPool }: TrainingJob, nowMs: number): number | undefined {
  const sinceMs = warmPool?.keptSinceMs;
  return sinceMs === undefined ? undefined : Math.ceil(Math.max(0, (warmPool?.keptUntilMs ?? nowMs) - sinceMs) / 1000);
}
