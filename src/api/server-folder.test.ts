// The folder of a server: one server at a time, keys that stay, and files that are damaged.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startJobService } from './job-service.ts';
import { accessKeysOf, runningServer, takeServerFolder } from './server-folder.ts';

let data: string;
beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), 'trenio-server-')), 'data');
});
afterEach(() => rmSync(join(data, '..'), { recursive: true }));

test('is taken by one server, and its keys stay', async () => {
  const lock = takeServerFolder(data);
  const keys = await accessKeysOf(data, undefined);
  expect(keys).toMatchObject([{ role: 'admin' }]);
  lock[Symbol.dispose]();
  using _again = takeServerFolder(data);
  expect(await accessKeysOf(data, undefined)).toEqual(keys);
  expect(runningServer(data)).toBe(undefined);
});

test('damaged files are named, and left as they are', async () => {
  mkdirSync(data);
  writeFileSync(join(data, 'keys.json'), 'garbage');
  await expect(accessKeysOf(data, undefined)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
  writeFileSync(join(data, 'jobs.sqlite'), 'garbage');
  const options = { data, host: '127.0.0.1', port: 0, account: '123456789012', region: 'us-east-1', keys: [] };
  const started = startJobService({ ...options, images: undefined, pool: undefined, log: () => {} });
  await expect(started).rejects.toMatchObject({ code: 'DATABASE_DAMAGED', data: { file: join(data, 'jobs.sqlite') } });
  expect(readFileSync(join(data, 'jobs.sqlite'), 'utf8')).toBe('garbage');
});
