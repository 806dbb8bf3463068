// The scheduler of batch transform jobs, which starts their runners.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { neighbor } from '../../base/neighbor.ts';
import { RunnerScheduler } from '../runner-scheduler.ts';
import type { JobStore } from '../store/job-store.ts';
import type { InstancePool, Taken } from '../training/instance-pool.ts';
import type { TransformJob } from './transform-job.ts';
import type { TransformArguments } from './transform-main.ts';

export interface TransformSchedulerOptions {
  readonly jobs: JobStore;
  readonly pool: InstancePool;
  readonly others: () => readonly Taken[];
  readonly data: string;
  readonly images: string | undefined;
  /** The program of the image `trenio`. */
  readonly serveProgram: string;
  readonly now: () => number;
  readonly steadyNow?: () => number;
  readonly log: (line: string) => void;
}

const main = fileURLToPath(neighbor(import.meta.url, './transform-main.ts'));

export const transformScheduler = (options: TransformSchedulerOptions): RunnerScheduler<TransformJob> => {
  const { jobs, data, images, serveProgram } = options;
  return new RunnerScheduler({
    ...options,
    kind: 'transform job',
    jobs: jobs.transform,
    folder: join(data, 'transforms'),
    main,
    argumentsOf: ({ name }, cores) => ({ data, name, images, cores, serveProgram }) satisfies TransformArguments,
  });
};
