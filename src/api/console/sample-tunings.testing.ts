// For tests and screenshots: a completed tuning job, produced by the real search on a known function.

import type { JobStore } from '../../jobs/store/job-store.ts';
import { nextPoint } from '../../jobs/tuning/search.ts';
import { configurationAt, type SearchSpace } from '../../jobs/tuning/search-space.ts';
import type { Trial, TuningJob } from '../../jobs/tuning/tuning-job.ts';

const space: SearchSpace = [
  { kind: 'continuous', name: 'lr', min: 1e-6, max: 1e-2, scaling: 'logarithmic' },
  { kind: 'integer', name: 'layers', min: 2, max: 12, scaling: 'linear' },
  { kind: 'continuous', name: 'dropout', min: 0, max: 0.5, scaling: 'linear' },
  { kind: 'categorical', name: 'optimizer', values: ['adamw', 'lamb', 'sgd'] },
];
const MINUTE = 60_000;

/** The loss of a configuration: smallest at lr 3e-4, 8 layers, dropout 0.1 and adamw. */
const lossAt = ({ lr, layers, dropout, optimizer }: Readonly<Record<string, string>>): number =>
  0.21 +
  0.09 * Math.log10(Number(lr) / 3e-4) ** 2 +
  0.004 * (Number(layers) - 8) ** 2 +
  1.2 * (Number(dropout) - 0.1) ** 2 +
  (optimizer === 'adamw' ? 0 : optimizer === 'lamb' ? 0.03 : 0.2);

/** @param jobs names of the training jobs of its trials */
export function addSampleTuning(store: JobStore, name: string, jobs: readonly string[], nowMs: number): TuningJob {
  const seed = 11;
  const createdMs = nowMs - 5 * 60 * MINUTE;
  const trials: Trial[] = [];
  for (const [i, job] of jobs.entries()) {
    const found = trials.map(({ point, value }) => ({ point, value }));
    const point = nextPoint('Bayesian', space, found, seed);
    if (point === undefined) break;
    const hyperparameters = configurationAt(space, point);
    const startMs = createdMs + i * 9 * MINUTE;
    const isFailed = i % 9 === 8;
    trials.push({
      ...{ job, point, hyperparameters, bracket: 0, createdMs: startMs, startMs },
      status: isFailed ? 'Failed' : 'Completed',
      value: isFailed ? undefined : lossAt(hyperparameters),
      failureReason: isFailed ? 'AlgorithmError: the loss is not finite, exit code: 1' : undefined,
      endMs: startMs + (4 + (i % 5)) * MINUTE,
    });
  }
  const tuning: TuningJob = {
    name,
    arn: `arn:aws:sagemaker:us-east-1:123456789012:hyper-parameter-tuning-job/${name}`,
    spec: {
      ...{ strategy: 'Bayesian', space, seed, maxJobs: jobs.length, maxParallel: 2, maxRuntimeSeconds: 24 * 3600 },
      objective: { metric: 'validation:loss', type: 'Minimize' },
      ...{ stopsEarly: false, hyperband: undefined, target: undefined, maxNotImproving: undefined },
    },
    request: {},
    tags: {},
    ...{ status: 'Completed', ending: 'Completed', createdMs, modifiedMs: nowMs, endedMs: nowMs - 30 * MINUTE },
    failureReason: undefined,
    trials,
  };
  store.tuning.add(tuning);
  return tuning;
}
