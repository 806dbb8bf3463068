// The training jobs of a server, in SQLite. The server and the runners of jobs are processes that share it: a job is changed in
// one transaction, and by a runner only while it holds the job's lock.
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type ListQuery, listClauses } from '../store/list-query.ts';
import { statusOf } from './state-machine.ts';
import type { TrainingJob } from './training-job.ts';
import type { WarmPoolStatus } from './warm-pool-state.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS training_jobs (
    name TEXT PRIMARY KEY, status TEXT NOT NULL, secondary TEXT NOT NULL, created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL, job TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS training_jobs_created ON training_jobs (created_ms, name);
  CREATE INDEX IF NOT EXISTS training_jobs_modified ON training_jobs (modified_ms);
  CREATE INDEX IF NOT EXISTS training_jobs_status ON training_jobs (status, created_ms, name);
  CREATE UNIQUE INDEX IF NOT EXISTS training_jobs_in_arns ON training_jobs (lower(name));
  CREATE INDEX IF NOT EXISTS training_jobs_warm_pool ON training_jobs (json_extract(job, '$.warmPool.status'));
`;

export interface JobQuery extends ListQuery {
  readonly warmPool?: WarmPoolStatus | undefined;
  /** The training plan that the request names. */
  readonly trainingPlan?: string | undefined;
}

/** The lock of a job is no longer held: the server gave the job to another runner, or ended it. */
export class LockLostError extends Error {
  constructor(name: string) {
    super(`the lock of the job ${name} is held by another runner`);
    this.name = 'LockLostError';
  }
}

export class JobStore {
  readonly #database: Database;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#database = new Database(join(folder, 'jobs.sqlite'), SCHEMA, 'FULL');
  }

  close(): void {
    this.#database.close();
  }

  get(name: string): TrainingJob | undefined {
    const row = this.#database.prepare('SELECT job FROM training_jobs WHERE name = ?').get(name);
    return row === undefined ? undefined : jobOf(row);
  }

  /** A job by its lower-case name, as in ARNs. Names are unique regardless of case. */
  withArnName(name: string): TrainingJob | undefined {
    const row = this.#database.prepare('SELECT job FROM training_jobs WHERE lower(name) = lower(?)').get(name);
    return row === undefined ? undefined : jobOf(row);
  }

  /** Runs `change` in one transaction, which is undone if it throws. */
  transaction<T>(change: () => T): T {
    return this.#database.transaction(change);
  }

  /** False if a job of this name exists. */
  add(job: TrainingJob): boolean {
    const { changes } = this.#database
      .prepare(
        'INSERT INTO training_jobs (name, status, secondary, created_ms, modified_ms, job) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(job.name, statusOf(job.secondary), job.secondary, job.createdMs, job.modifiedMs, JSON.stringify(job));
    return changes === 1;
  }

  remove(name: string): void {
    this.#database.prepare('DELETE FROM training_jobs WHERE name = ?').run(name);
  }

  /**
   * Replaces a job by the result of `change`, in one transaction; undefined leaves it unchanged. Returns the job afterwards.
   * @param token the lock that the caller holds; undefined: the server, which needs none
   * @throws {LockLostError}
   */
  update(name: string, change: (job: TrainingJob) => TrainingJob | undefined, token?: string): TrainingJob | undefined {
    return this.#database.transaction(() => {
      const before = this.get(name);
      if (token !== undefined && before?.runner?.token !== token) throw new LockLostError(name);
      const after = before && change(before);
      if (after !== undefined)
        this.#database
          .prepare('UPDATE training_jobs SET status = ?, secondary = ?, modified_ms = ?, job = ? WHERE name = ?')
          .run(statusOf(after.secondary), after.secondary, after.modifiedMs, JSON.stringify(after), name);
      return after ?? before;
    });
  }

  /** Ended jobs whose instances are kept in a warm pool; those that ended first come first. */
  warmPools(): readonly TrainingJob[] {
    return this.#database
      .prepare(
        "SELECT job FROM training_jobs WHERE json_extract(job, '$.warmPool.status') = 'Available' ORDER BY modified_ms",
      )
      .all()
      .map(jobOf);
  }

  /** Jobs that have not ended, oldest first. */
  active(): readonly TrainingJob[] {
    return this.#database
      .prepare("SELECT job FROM training_jobs WHERE status IN ('InProgress', 'Stopping') ORDER BY created_ms, rowid")
      .all()
      .map(jobOf);
  }

  /** Jobs that were changed at this time or later, in the order of their changes. */
  changedSince(ms: number): readonly TrainingJob[] {
    return this.#database
      .prepare('SELECT job FROM training_jobs WHERE modified_ms >= ? ORDER BY modified_ms, rowid')
      .all(ms)
      .map(jobOf);
  }

  count(): number {
    return this.#database.prepare('SELECT count(*) AS count FROM training_jobs').get()!.count as number;
  }

  names(): ReadonlySet<string> {
    return new Set(
      this.#database
        .prepare('SELECT name FROM training_jobs')
        .all()
        .map(({ name }) => name as string),
    );
  }

  list(query: JobQuery): readonly TrainingJob[] {
    const { sql, values } = listClauses(query, [
      ["json_extract(job, '$.warmPool.status') = ?", query.warmPool],
      ["json_extract(job, '$.request.ResourceConfig.TrainingPlanArn') = ?", query.trainingPlan],
    ]);
    return this.#database
      .prepare(`SELECT job FROM training_jobs ${sql}`)
      .all(...values)
      .map(jobOf);
  }
}

const jobOf = (row: Readonly<Record<string, unknown>>): TrainingJob => JSON.parse(row.job as string) as TrainingJob;
