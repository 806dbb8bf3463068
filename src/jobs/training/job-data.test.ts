// Checkpoints are uploaded whatever the wall clock says.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ObjectStore } from '../../objects/object-store.ts';
import { FolderUpload } from './job-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-upload-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('files written before the clock was set back are uploaded; those still being written wait', async () => {
  const store = new ObjectStore(join(folder, 'objects'));
  store.createBucket('bucket');
  const files = mkdtempSync(join(folder, 'checkpoints-'));
  const nowMs = Date.now();
  const write = (name: string, ageMs: number): void => {
    writeFileSync(join(files, name), 'weights');
    utimesSync(join(files, name), (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000);
  };
  write('old', 5000);
  write('new', 500);
  write('future', -3 * 3_600_000);
  const upload = new FolderUpload(store, files, 'bucket', 'run/');
  const keys = (): readonly string[] =>
    store.list('bucket', { prefix: '', delimiter: '', maxKeys: 10, after: '' }).objects.map(({ key }) => key);
  await upload.sync(1000, nowMs);
  expect(keys()).toEqual(['run/future', 'run/old']);
  await upload.sync(0, nowMs);
  expect(keys()).toEqual(['run/future', 'run/new', 'run/old']);
});
