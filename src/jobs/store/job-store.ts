// The jobs of a server, one table a kind, in one SQLite file. The server and the runners of jobs are processes that share it: a
// job is changed in one transaction, and by a runner only while it holds the job's lock.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { ProcessingJob } from '../processing/processing-job.ts';
import { statusOf } from '../training/state-machine.ts';
import type { TrainingJob } from '../training/training-job.ts';
import type { TransformJob } from '../transform/transform-job.ts';
import type { TuningJob } from '../tuning/tuning-job.ts';
import { ResourceTable, tableSchema } from './resource-table.ts';

export const JOBS_FILE = 'jobs.sqlite';

const tables = ['training_jobs', 'processing_jobs', 'transform_jobs', 'tuning_jobs'] as const;

const SCHEMA = `${tableSchema(...tables)}
  ${tables
    .map(
      table => `
  CREATE INDEX IF NOT EXISTS ${table}_modified ON ${table} (modified_ms);
  CREATE INDEX IF NOT EXISTS ${table}_status ON ${table} (status, created_ms, name);`,
    )
    .join('')}
  CREATE INDEX IF NOT EXISTS training_jobs_warm_pool ON training_jobs (json_extract(data, '$.warmPool.status'));
`;

export class JobStore {
  readonly training: ResourceTable<TrainingJob>;
  readonly processing: ResourceTable<ProcessingJob>;
  readonly transform: ResourceTable<TransformJob>;
  readonly tuning: ResourceTable<TuningJob>;
  readonly #database: Database;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    const database = new Database(join(folder, JOBS_FILE), SCHEMA, 'FULL');
    this.#database = database;
    this.training = new ResourceTable(database, 'training_jobs', ({ secondary }) => statusOf(secondary));
    this.processing = new ResourceTable(database, 'processing_jobs');
    this.transform = new ResourceTable(database, 'transform_jobs');
    this.tuning = new ResourceTable(database, 'tuning_jobs');
  }

  close(): void {
    this.#database.close();
  }

  /** Runs `change` in one transaction, which is undone if it throws. */
  transaction<T>(change: () => T): T {
    return this.#database.transaction(change);
  }
}
