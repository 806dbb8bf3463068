// The data of the tuning pages: the rows of the list, and one tuning job with its ranges and all its trials.

import type { ResourceTable } from '../../jobs/store/resource-table.ts';
import { bestTrial, type TuningJob } from '../../jobs/tuning/tuning-job.ts';
import type { TuningDetail, TuningRow } from './messages.ts';

/** Newest first. */
export const tuningRows = (tunings: ResourceTable<TuningJob>): readonly TuningRow[] =>
  tunings.all().map(rowOf).reverse();

/** Undefined: there is none of this name. */
export function tuningDetail(tunings: ResourceTable<TuningJob>, name: string): TuningDetail | undefined {
  const job = tunings.find(name);
  if (job === undefined) return undefined;
  const { spec, trials } = job;
  return {
    ...rowOf(job),
    arn: job.arn,
    failureReason: job.failureReason ?? null,
    seed: spec.seed,
    maxParallel: spec.maxParallel,
    maxRuntimeSeconds: spec.maxRuntimeSeconds ?? null,
    target: spec.target ?? null,
    ranges: spec.space.map(range =>
      range.kind === 'categorical'
        ? { kind: 'categorical', name: range.name, values: range.values }
        : { kind: 'numeric', name: range.name, min: range.min, max: range.max, scaling: range.scaling },
    ),
    trials: trials.map(trial => ({
      job: trial.job,
      status: trial.status,
      value: trial.value ?? null,
      hyperparameters: trial.hyperparameters,
      startMs: trial.startMs ?? null,
      endMs: trial.endMs ?? null,
      failureReason: trial.failureReason ?? null,
    })),
  };
}

function rowOf(job: TuningJob): TuningRow {
  const { name, status, spec, trials } = job;
  const best = bestTrial(job);
  const count = (...wanted: readonly string[]): number => trials.filter(one => wanted.includes(one.status)).length;
  return {
    name,
    status,
    strategy: spec.strategy,
    metric: spec.objective.metric,
    isMaximized: spec.objective.type === 'Maximize',
    createdMs: job.createdMs,
    endedMs: job.endedMs ?? null,
    maxJobs: spec.maxJobs ?? null,
    running: count('planned', 'InProgress', 'Stopping'),
    completed: count('Completed'),
    stopped: count('Stopped'),
    failed: count('Failed'),
    best: best?.value === undefined ? null : { job: best.job, value: best.value },
  };
}
