// The tuning jobs of a server, in SQLite. Only the server writes them.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { TuningJob } from './tuning-job.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tuning_jobs (
    name TEXT PRIMARY KEY COLLATE NOCASE, status TEXT NOT NULL, created_ms INTEGER NOT NULL, job TEXT NOT NULL) STRICT;
`;

export class TuningStore {
  readonly #database: Database;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#database = new Database(join(folder, 'tuning.sqlite'), SCHEMA, 'FULL');
  }

  close(): void {
    this.#database.close();
  }

  /** In any case: names in ARNs are lower-cased. */
  get(name: string): TuningJob | undefined {
    const row = this.#database.prepare('SELECT job FROM tuning_jobs WHERE name = ?').get(name);
    return row && jobOf(row);
  }

  /** False if a job of this name exists. */
  add(job: TuningJob): boolean {
    const { changes } = this.#database
      .prepare('INSERT INTO tuning_jobs (name, status, created_ms, job) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(job.name, job.status, job.createdMs, JSON.stringify(job));
    return changes === 1;
  }

  /** Replaces a job by the result of `change`; undefined leaves it unchanged. Returns the job afterwards. */
  update(name: string, change: (job: TuningJob) => TuningJob | undefined): TuningJob | undefined {
    return this.#database.transaction(() => {
      const before = this.get(name);
      const after = before && change(before);
      if (after !== undefined)
        this.#database
          .prepare('UPDATE tuning_jobs SET status = ?, job = ? WHERE name = ?')
          .run(after.status, JSON.stringify(after), name);
      return after ?? before;
    });
  }

  remove(name: string): void {
    this.#database.prepare('DELETE FROM tuning_jobs WHERE name = ?').run(name);
  }

  /** All jobs, or those that have not ended, oldest first. */
  list(which: 'all' | 'active' = 'all'): readonly TuningJob[] {
    const filter = which === 'all' ? '' : "WHERE status IN ('InProgress', 'Stopping')";
    return this.#database.prepare(`SELECT job FROM tuning_jobs ${filter} ORDER BY created_ms, rowid`).all().map(jobOf);
  }
}

const jobOf = (row: Readonly<Record<string, unknown>>): TuningJob => JSON.parse(row.job as string) as TuningJob;
