// The folder of a server: used by one server at a time, private to its user; damaged files.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyFile } from './access/key-file.ts';
import { startJobService } from './job-service.ts';
import { runningServer, takeServerFolder } from './server-folder.ts';

let data: string;
beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), 'trenio-server-')), 'data');
});
afterEach(() => rmSync(join(data, '..'), { recursive: true }));

test('can be used by only one server', () => {
  const lock = takeServerFolder(data);
  lock[Symbol.dispose]();
  using _again = takeServerFolder(data);
  expect(runningServer(data)).toBe(undefined);
});

test('reports damaged files, and does not change them', async () => {
  mkdirSync(data);
  writeFileSync(join(data, 'keys.json'), 'garbage');
  await expect(KeyFile.open(data)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
  writeFileSync(join(data, 'jobs.sqlite'), 'garbage');
  rmSync(join(data, 'keys.json'));
  const options = {
    data,
    host: '127.0.0.1',
    port: 0,
    account: '123456789012',
    region: 'us-east-1',
    keys: await KeyFile.open(data),
  };
  const started = startJobService({ ...options, images: undefined, pool: undefined, log: () => {} });
  await expect(started).rejects.toMatchObject({ code: 'DATABASE_DAMAGED', data: { file: join(data, 'jobs.sqlite') } });
  expect(readFileSync(join(data, 'jobs.sqlite'), 'utf8')).toBe('garbage');
});

test('is not accessible to other users of the machine, even if it was before', () => {
  mkdirSync(data, { mode: 0o755 });
  using _lock = takeServerFolder(data);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});
