// The scheduler of processing jobs, which starts their runners.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { neighbor } from '../../base/neighbor.ts';
import { RunnerScheduler } from '../runner-scheduler.ts';
import type { JobStore } from '../store/job-store.ts';
import type { InstancePool, Taken } from '../training/instance-pool.ts';
import type { ProcessingJob } from './processing-job.ts';
import type { ProcessingArguments } from './processing-main.ts';

export interface ProcessingSchedulerOptions {
  readonly jobs: JobStore;
  readonly pool: InstancePool;
  readonly others: () => readonly Taken[];
  readonly data: string;
  readonly images: string | undefined;
  readonly graceMs: number | undefined;
  readonly now: () => number;
  readonly steadyNow?: () => number;
  readonly log: (line: string) => void;
}

const main = fileURLToPath(neighbor(import.meta.url, './processing-main.ts'));

export const processingScheduler = (options: ProcessingSchedulerOptions): RunnerScheduler<ProcessingJob> => {
  const { jobs, data, images, graceMs } = options;
  return new RunnerScheduler({
    ...options,
    kind: 'processing job',
    jobs: jobs.processing,
    folder: join(data, 'processing'),
    main,
    argumentsOf: ({ name }, cores) => ({ data, name, images, cores, graceMs }) satisfies ProcessingArguments,
  });
};
