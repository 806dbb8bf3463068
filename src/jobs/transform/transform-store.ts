// The batch transform jobs of a server, in SQLite; their runners share it.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { ResourceTable, tableSchema } from '../store/resource-table.ts';
import type { TransformJob } from './transform-job.ts';

export class TransformStore {
  readonly jobs: ResourceTable<TransformJob>;
  readonly #database: Database;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#database = new Database(join(folder, 'transforms.sqlite'), tableSchema('transform_jobs'), 'FULL');
    this.jobs = new ResourceTable(this.#database, 'transform_jobs');
  }

  close(): void {
    this.#database.close();
  }
}
