// Uploads of a job's files: links that stay in the folder, checkpoints whatever the wall clock says.
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ObjectStore } from '../../objects/object-store.ts';
import { FolderUpload, unpackArchive, uploadArchive, uploadFiles } from './job-data.ts';

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
  const upload = new FolderUpload(store, { path: files, seenAs: '/opt/ml/checkpoints' }, 'bucket', 'run/', () => {});
  const keys = (): readonly string[] =>
    store.list('bucket', { prefix: '', delimiter: '', maxKeys: 10, after: '' }).objects.map(({ key }) => key);
  await upload.sync(1000, nowMs);
  expect(keys()).toEqual(['run/future', 'run/old']);
  await upload.sync(0, nowMs);
  expect(keys()).toEqual(['run/future', 'run/new', 'run/old']);
});

test('links that stay in the folder are kept, others are reported by name', async () => {
  const store = new ObjectStore(join(folder, 'links'));
  store.createBucket('bucket');
  const path = mkdtempSync(join(folder, 'model-'));
  mkdirSync(join(path, 'd'));
  writeFileSync(join(path, 'a'), 'weights');
  linkSync(join(path, 'a'), join(path, 'hard'));
  for (const [link, target] of [
    ['near', 'a'],
    ['d/up', '../a'],
    ['chain', 'd/up'],
    ['absolute', '/opt/ml/model/a'],
    ['dangling', 'missing'],
    ['away', '/etc/passwd'],
    ['above', '../../x'],
  ] as const)
    symlinkSync(target, join(path, link));
  const model = { path, seenAs: '/opt/ml/model' };
  const lines: string[] = [];
  await uploadArchive(store, [model], 'bucket', 'model.tar.gz', line => lines.push(line));
  expect(lines.toSorted()).toEqual([
    'above is not in the archive: it is a link to ../../x, outside of /opt/ml/model',
    'away is not in the archive: it is a link to /etc/passwd, outside of /opt/ml/model',
  ]);
  const unpacked = join(folder, 'unpacked');
  await unpackArchive(store, 'bucket', 'model.tar.gz', unpacked);
  for (const file of ['a', 'hard', 'near', 'd/up', 'chain', 'absolute'])
    expect(readFileSync(join(unpacked, file), 'utf8')).toBe('weights');
  expect(readlinkSync(join(unpacked, 'dangling'))).toBe('missing');

  const reported: string[] = [];
  await uploadFiles(store, [model], 'bucket', 'files/', line => reported.push(line));
  const { objects } = store.list('bucket', { prefix: 'files/', delimiter: '', maxKeys: 100, after: '' });
  expect(objects.map(({ key, size }) => `${key} ${size}`)).toEqual(
    ['a', 'absolute', 'chain', 'd/up', 'hard', 'near'].map(name => `files/${name} 7`),
  );
  expect(reported.toSorted()).toEqual(
    ['above', 'away', 'dangling'].map(
      name => `${name} is not uploaded: it is a link, but not to a file in /opt/ml/model`,
    ),
  );
});
