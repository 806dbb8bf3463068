// A folder as the version before the one file of jobs wrote it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownIdentity } from '../../base/process-identity.ts';
import { jobOf } from '../training/training-job.testing.ts';
import { adoptEarlierLayout } from './earlier-layout.ts';
import { JobStore } from './job-store.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'trenio-layout-'));
});
afterEach(() => rmSync(data, { recursive: true }));

const trained = jobOf({}, { name: 'Trained', secondary: 'Completed', createdMs: 1, modifiedMs: 5 });
const waits = jobOf({}, { name: 'waits', createdMs: 2, modifiedMs: 2 });
const one = { arn: 'arn', tags: { team: 'a' }, request: {}, createdMs: 3, modifiedMs: 4, status: 'Completed' };

function write(file: string, schema: string, insert: string, rows: readonly (readonly (string | number)[])[]): void {
  const database = new DatabaseSync(join(data, file));
  database.exec(`PRAGMA journal_mode = WAL; ${schema}`);
  for (const row of rows) database.prepare(insert).run(...row);
  database.close();
}

function writeTraining(jobs: readonly (typeof trained)[]): void {
  const schema = `
  CREATE TABLE training_jobs (
    name TEXT PRIMARY KEY, status TEXT NOT NULL, secondary TEXT NOT NULL, created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL, job TEXT NOT NULL) STRICT;
  CREATE INDEX training_jobs_created ON training_jobs (created_ms, name);
  CREATE INDEX training_jobs_modified ON training_jobs (modified_ms);
  CREATE INDEX training_jobs_status ON training_jobs (status, created_ms, name);
  CREATE UNIQUE INDEX training_jobs_in_arns ON training_jobs (lower(name));
  CREATE INDEX training_jobs_warm_pool ON training_jobs (json_extract(job, '$.warmPool.status'));`;
  const rows = jobs.map(job => [
    ...[job.name, job.secondary === 'Completed' ? 'Completed' : 'InProgress', job.secondary],
    ...[job.createdMs, job.modifiedMs, JSON.stringify(job)],
  ]);
  write('jobs.sqlite', schema, 'INSERT INTO training_jobs VALUES (?, ?, ?, ?, ?, ?)', rows);
}

function writeOthers(): void {
  const table = (name: string): string =>
    `CREATE TABLE ${name} (name TEXT PRIMARY KEY, status TEXT NOT NULL, created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL, data TEXT NOT NULL) STRICT;`;
  const row = (name: string) => [[name, 'Completed', 3, 4, JSON.stringify({ ...one, name })]];
  write('processing.sqlite', table('processing_jobs'), 'INSERT INTO processing_jobs VALUES (?, ?, ?, ?, ?)', row('p'));
  write('transforms.sqlite', table('transform_jobs'), 'INSERT INTO transform_jobs VALUES (?, ?, ?, ?, ?)', row('t'));
  const tuning =
    'CREATE TABLE tuning_jobs (name TEXT PRIMARY KEY COLLATE NOCASE, status TEXT NOT NULL, created_ms INTEGER NOT NULL, job TEXT NOT NULL) STRICT;';
  const tuned = JSON.stringify({ ...one, name: 'u', trials: [] });
  write('tuning.sqlite', tuning, 'INSERT INTO tuning_jobs VALUES (?, ?, ?, ?)', [['u', 'Completed', 3, tuned]]);
}

test('its jobs of all kinds are in the one file, and the earlier files are gone', () => {
  writeTraining([trained, waits]);
  writeOthers();
  adoptEarlierLayout(data);
  // Of a server that was killed before it removed the files.
  writeOthers();
  adoptEarlierLayout(data);
  const jobs = new JobStore(data);
  expect(jobs.training.all()).toEqual([trained, waits].map(job => JSON.parse(JSON.stringify(job))));
  expect(jobs.training.active().map(({ name }) => name)).toEqual(['waits']);
  expect(jobs.training.find('trained')?.name).toBe('Trained');
  expect(jobs.training.add(jobOf({}, { name: 'new', warmPool: { status: 'Available', clusterSinceMs: 0 } }))).toBe(
    true,
  );
  expect(jobs.training.having('$.warmPool.status', 'Available').map(({ name }) => name)).toEqual(['new']);
  expect(jobs.processing.all()).toEqual([{ ...one, name: 'p' }]);
  expect(jobs.transform.all()).toEqual([{ ...one, name: 't' }]);
  expect(jobs.tuning.all()).toEqual([{ ...one, name: 'u', trials: [] }]);
  jobs.close();
  expect(['processing', 'transforms', 'tuning'].filter(name => existsSync(join(data, `${name}.sqlite`)))).toEqual([]);
});

test('it is left alone while one of its jobs runs', () => {
  writeTraining([{ ...waits, runner: { token: 'a', process: ownIdentity(), heartbeatMs: 2 } }]);
  writeOthers();
  expect(() => adoptEarlierLayout(data)).toThrow(/the job waits of an earlier version of Trenio runs/);
  expect(existsSync(join(data, 'tuning.sqlite'))).toBe(true);
});
