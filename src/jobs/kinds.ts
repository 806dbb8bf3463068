// The kinds of jobs that are run once, as many at a time as there are instances. Training jobs: training/training-kind.ts.
import type { JobKind } from './kind.ts';
import type { HeldInstances } from './ledger.ts';
import { ended, INTERNAL_ERROR, type OneAttemptJob } from './one-attempt.ts';
import type { ProcessingJob } from './processing/processing-job.ts';
import type { JobStore } from './store/job-store.ts';
import type { TransformJob } from './transform/transform-job.ts';

export const processingKind = (
  { processing: table }: JobStore,
  now: () => number,
  graceMs: number | undefined,
): JobKind<ProcessingJob> => oneAttemptKind({ name: 'processing', table, argumentsOf: () => ({ graceMs }) }, now);

/** @param serveProgram serves the models of the image `trenio` */
export const transformKind = (
  { transform: table }: JobStore,
  now: () => number,
  serveProgram: string,
): JobKind<TransformJob> => oneAttemptKind({ name: 'transform', table, argumentsOf: () => ({ serveProgram }) }, now);

function oneAttemptKind<T extends OneAttemptJob>(
  kind: Pick<JobKind<T>, 'name' | 'table' | 'argumentsOf'>,
  now: () => number,
): JobKind<T> {
  const { table } = kind;
  return {
    ...kind,
    *starting(waiting: readonly T[], held: HeldInstances) {
      for (const job of waiting) {
        if (job.status === 'Stopping') {
          table.update(job.name, one => ended(one, { status: 'Stopped' }, now()));
          continue;
        }
        if (held.waitOf(job.spec) !== undefined) continue;
        held.add(job.spec);
        yield {
          job,
          claim: runner => table.update(job.name, one => ({ ...one, startMs: runner.heartbeatMs, runner })),
        };
      }
    },
    afterLoss: (job, lostMs) => {
      const endMs = Math.max(job.startMs ?? 0, lostMs);
      const isStopped = job.status === 'Stopping';
      return ended(job, isStopped ? { status: 'Stopped' } : { status: 'Failed', reason: INTERNAL_ERROR }, endMs, now());
    },
  };
}
