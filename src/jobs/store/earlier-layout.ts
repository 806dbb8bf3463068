// Folders of earlier versions have one SQLite file for each kind of job, and other columns for training jobs. When a server
// starts, it moves their rows into the one file. Runners of an earlier version know only the earlier files, so they end first.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { TrenioError } from '../../base/errors.ts';
import { lifeOf, type ProcessIdentity } from '../../base/process-identity.ts';
import { JOBS_FILE, JobStore } from './job-store.ts';

interface EarlierJob {
  readonly name: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly runner?: { readonly process?: ProcessIdentity };
}

const earlierFiles = [
  { kind: 'processing', file: 'processing.sqlite', select: 'SELECT data AS job FROM processing_jobs ORDER BY rowid' },
  { kind: 'transform', file: 'transforms.sqlite', select: 'SELECT data AS job FROM transform_jobs ORDER BY rowid' },
  { kind: 'tuning', file: 'tuning.sqlite', select: 'SELECT job FROM tuning_jobs ORDER BY rowid' },
] as const;

/**
 * Killed at any point, it continues at the next start.
 * @throws {INVALID_OPTION} if jobs of an earlier version run
 */
export function adoptEarlierLayout(data: string): void {
  const file = join(data, JOBS_FILE);
  const training = existsSync(file) ? new Database(file, '', 'FULL') : undefined;
  const columns = training?.prepare("SELECT name FROM pragma_table_info('training_jobs')").all() ?? [];
  const isEarlier = columns.some(({ name }) => name === 'secondary');
  if (training !== undefined && isEarlier) {
    refuseRunning(data, jobsIn(training, "SELECT job FROM training_jobs WHERE status IN ('InProgress', 'Stopping')"));
    training.transaction(() => {
      for (const sql of [
        'ALTER TABLE training_jobs RENAME COLUMN job TO data',
        'DROP INDEX IF EXISTS training_jobs_in_arns',
        'ALTER TABLE training_jobs DROP COLUMN secondary',
      ])
        training.prepare(sql).run();
    });
  }
  training?.close();
  const found = earlierFiles.filter(one => existsSync(join(data, one.file)));
  if (found.length === 0) return;
  const store = new JobStore(data);
  for (const { kind, file: name, select } of found) {
    const earlier = new Database(join(data, name), '', 'FULL');
    const jobs = jobsIn(earlier, select);
    earlier.close();
    refuseRunning(data, jobs);
    store.transaction(() => {
      for (const job of jobs) store[kind].add(job as never);
    });
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `${name}${suffix}`), { force: true });
  }
  store.close();
}

const jobsIn = (database: Database, select: string): readonly EarlierJob[] =>
  database
    .prepare(select)
    .all()
    .map(({ job }) => JSON.parse(job as string) as EarlierJob);

function refuseRunning(data: string, jobs: readonly EarlierJob[]): void {
  const running = jobs.find(({ runner }) => runner?.process && ['runs', 'stopped'].includes(lifeOf(runner.process)));
  if (running === undefined) return;
  throw new TrenioError('INVALID_OPTION', {
    what: 'trenio server',
    option: '--data',
    got: `${data}, where the job ${running.name} of an earlier version of Trenio runs`,
    expected: 'a folder without running jobs of an earlier version: wait until they have ended, or stop them with it',
  });
}
