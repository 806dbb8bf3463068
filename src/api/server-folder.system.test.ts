// The folder of a server: used by one server at a time, private to its user; damaged files.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
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

const asOther = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
/** The system's unprivileged user, who may not be able to run this Node. */
const hasOther = spawnSync('setpriv', [...asOther, '-e', '0']).status === 0;

test.skipIf(!hasOther)('another user cannot read its files or connect to its sockets', async () => {
  using _lock = takeServerFolder(data);
  // The folders above it are open to all.
  chmodSync(join(data, '..'), 0o755);
  const service = await startJobService({
    ...{ data, host: '127.0.0.1', port: 0, account: '123456789012', region: 'us-east-1' },
    ...{ keys: await KeyFile.open(data), images: undefined, pool: undefined, log: () => {} },
  });
  const socket = join(data, 'socket');
  const listener = createServer().listen(socket);
  await once(listener, 'listening');
  try {
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).map(file => join(data, file));
    expect(files).toContain(join(data, 'keys.json'));
    const script = `
      const { readFileSync, readdirSync } = require('node:fs');
      const [data, socket, ...files] = process.argv.slice(1);
      const codes = new Set();
      const note = run => { try { run(); codes.add('read'); } catch (error) { codes.add(error.code); } };
      note(() => readdirSync(data));
      for (const file of files) note(() => readFileSync(file));
      require('node:net').connect(socket)
        .on('connect', () => { codes.add('connected'); console.log([...codes].join()); process.exit(); })
        .on('error', error => { codes.add(error.code); console.log([...codes].join()); });
    `;
    const { stdout, stderr } = spawnSync('setpriv', [...asOther, '-e', script, data, socket, ...files], {
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`.trim()).toBe('EACCES');
  } finally {
    listener.close();
    await service.close();
  }
});
