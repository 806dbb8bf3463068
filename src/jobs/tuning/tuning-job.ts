// A stored hyperparameter tuning job: its search space, and the training jobs so far.
import type { TrainingJobStatus } from '../training/state-machine.ts';
import type { Strategy } from './search.ts';
import type { Point, SearchSpace } from './search-space.ts';

export interface TuningSpec {
  readonly strategy: Strategy;
  readonly space: SearchSpace;
  readonly seed: number;
  readonly objective: { readonly metric: string; readonly type: 'Maximize' | 'Minimize' };
  /** Undefined: the whole grid, or until the time limit. */
  readonly maxJobs: number | undefined;
  readonly maxParallel: number;
  readonly maxRuntimeSeconds: number | undefined;
  /** Ends jobs by the median rule. */
  readonly stopsEarly: boolean;
  /** Numbers of reported objective values: at the first comparison, and at the end of a job. */
  readonly hyperband: { readonly minResource: number; readonly maxResource: number } | undefined;
  /** Completes the tuning job when a job reaches it. */
  readonly target: number | undefined;
  /** Completes the tuning job after this many jobs without an improvement. */
  readonly maxNotImproving: number | undefined;
}

export interface Trial {
  /** The name of its training job. */
  readonly job: string;
  readonly point: Point;
  readonly hyperparameters: Readonly<Record<string, string>>;
  /** The bracket of Hyperband. */
  readonly bracket: number;
  /** `planned`: stored, and the training job may not have been created yet. */
  readonly status: TrainingJobStatus | 'planned';
  /** The last value of the objective, once the job has ended. */
  readonly value: number | undefined;
  readonly failureReason: string | undefined;
  readonly createdMs: number;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
}

const tuningStatuses = ['InProgress', 'Stopping', 'Completed', 'Failed', 'Stopped'] as const;
export type TuningStatus = (typeof tuningStatuses)[number];

export interface TuningJob {
  readonly name: string;
  readonly arn: string;
  readonly spec: TuningSpec;
  /** The request as it came. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly status: TuningStatus;
  /** The status after the jobs that still run have ended. */
  readonly ending: 'Completed' | 'Failed' | 'Stopped' | undefined;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly endedMs: number | undefined;
  readonly failureReason: string | undefined;
  readonly trials: readonly Trial[];
}

export const hasEnded = ({ status }: Trial): boolean =>
  status === 'Completed' || status === 'Failed' || status === 'Stopped';

export const isActive = ({ status }: TuningJob): boolean => status === 'InProgress' || status === 'Stopping';

/** A value for which less is better. */
export const lossOf = ({ objective }: TuningSpec, value: number): number =>
  objective.type === 'Minimize' ? value : -value;

/** The trial with the best objective; undefined if none has one. */
export function bestTrial({ spec, trials }: TuningJob): Trial | undefined {
  const valued = trials.filter(({ value }) => value !== undefined);
  return valued.length === 0
    ? undefined
    : valued.reduce((a, b) => (lossOf(spec, b.value!) < lossOf(spec, a.value!) ? b : a));
}

/** How many of the last jobs to end were not better than the best before them. */
export function notImproving({ spec, trials }: TuningJob): number {
  let [best, count] = [Number.POSITIVE_INFINITY, 0];
  for (const { value } of trials.filter(hasEnded).toSorted((a, b) => (a.endMs ?? 0) - (b.endMs ?? 0))) {
    if (value === undefined) continue;
    const loss = lossOf(spec, value);
    count = loss < best ? 0 : count + 1;
    best = Math.min(best, loss);
  }
  return count;
}
