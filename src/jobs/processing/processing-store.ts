// The processing jobs of a server, in SQLite; their runners share it.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { ResourceTable, tableSchema } from '../store/resource-table.ts';
import type { ProcessingJob } from './processing-job.ts';

export class ProcessingStore {
  readonly jobs: ResourceTable<ProcessingJob>;
  readonly #database: Database;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#database = new Database(join(folder, 'processing.sqlite'), tableSchema('processing_jobs'), 'FULL');
    this.jobs = new ResourceTable(this.#database, 'processing_jobs');
  }

  close(): void {
    this.#database.close();
  }
}
