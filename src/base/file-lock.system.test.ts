import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { takeFileLock } from './file-lock.ts';
import { formatIdentity, ownIdentity } from './process-identity.ts';
import { currentBoot } from './process-stat.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = (): string => join(folder, `${files++}.lock`);
const module = new URL('./file-lock.ts', import.meta.url).href;

/** A process that runs `code` with `takeFileLock` and `file` defined. */
function start(file: string, code: string): ChildProcess & { readonly stdout: NonNullable<ChildProcess['stdout']> } {
  const source = `import { takeFileLock } from '${module}';
    import { appendFileSync } from 'node:fs';
    const file = ${JSON.stringify(file)};
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child as ReturnType<typeof start>;
}

test('a second attempt names the holder; after release, the lock can be acquired again', () => {
  const file = fresh();
  const lock = takeFileLock(file);
  expect(lock).toHaveProperty('release');
  expect(takeFileLock(file)).toMatchObject({ heldBy: { pid: process.pid } });
  if ('release' in lock) lock.release();
  expect(existsSync(file)).toBe(false);
  const again = takeFileLock(file);
  expect(again).toHaveProperty('release');
  if ('release' in again) again.release();
});

test('a killed holder releases the lock', async () => {
  const file = fresh();
  const child = start(file, `takeFileLock(file); console.log('held'); setInterval(() => {}, 1000);`);
  await once(child.stdout, 'data');
  expect(takeFileLock(file)).toMatchObject({ heldBy: { pid: child.pid } });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: child.pid });
  const lock = takeFileLock(file);
  expect(lock).toHaveProperty('release');
  if ('release' in lock) lock.release();
});

test('a holder on another machine is considered alive while it touches the file', () => {
  const file = fresh();
  const identity = formatIdentity({ ...ownIdentity(), realm: '0123456789ab' });
  const holder = {
    host: 'another-machine',
    pid: 4711,
    identity,
    boot: 'another-boot',
    since: new Date().toISOString(),
  };
  writeFileSync(file, JSON.stringify(holder));
  expect(takeFileLock(file)).toMatchObject({ heldBy: { host: 'another-machine' } });
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(file, before, before);
  const lock = takeFileLock(file);
  expect(lock).toHaveProperty('release');
  if ('release' in lock) lock.release();
});

test.skipIf(currentBoot() === undefined)('a holder from before a reboot counts as ended', () => {
  const file = fresh();
  const identity = formatIdentity({ ...ownIdentity(), realm: '0123456789ab' });
  const holder = { host: hostname(), pid: 4711, identity, boot: 'another-boot', since: new Date().toISOString() };
  writeFileSync(file, JSON.stringify(holder));
  const lock = takeFileLock(file);
  expect(lock).toHaveProperty('release');
  if ('release' in lock) lock.release();
});

test('a file without an owner is free', () => {
  for (const content of ['', 'not JSON', '{"process":1}']) {
    const file = fresh();
    writeFileSync(file, content);
    const lock = takeFileLock(file);
    expect(lock).toHaveProperty('release');
    if ('release' in lock) lock.release();
  }
});

test('many processes that acquire and release it repeatedly never hold it at the same time', async () => {
  const file = fresh();
  const log = join(folder, 'log');
  const children = Array.from({ length: 4 }, () =>
    start(
      file,
      `for (let taken = 0; taken < 50;) {
        const lock = takeFileLock(file);
        if (!('release' in lock)) continue;
        appendFileSync(${JSON.stringify(log)}, 'in ' + process.pid + '\\n');
        appendFileSync(${JSON.stringify(log)}, 'out ' + process.pid + '\\n');
        lock.release();
        taken++;
      }`,
    ),
  );
  await Promise.all(children.map(child => once(child, 'exit')));
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(400);
  for (let i = 0; i < lines.length; i += 2) expect(lines[i + 1]).toBe(lines[i]!.replace('in', 'out'));
});

test('a folder that is not writable is a typed error', () => {
  expect(() => takeFileLock(join(folder, 'none', 'x.lock'))).toThrow(expect.objectContaining({ code: 'WRITE_FAILED' }));
});

test('on a full disk, only files of one machine are locked', context => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', disk]).status !== 0)
    context.skip('mounting a small disk needs root');
  try {
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'fill')}`, 'bs=4k']);
    const file = join(disk, 'x.lock');
    expect(() => takeFileLock(file)).toThrow(expect.objectContaining({ code: 'WRITE_FAILED' }));
    expect(readdirSync(disk)).toEqual(['fill']);
    const lock = takeFileLock(file, { local: true });
    expect(lock).toHaveProperty('release');
    expect(takeFileLock(file, { local: true })).toEqual({ heldBy: undefined });
    if ('release' in lock) lock.release();
    expect(readdirSync(disk)).toEqual(['fill']);
  } finally {
    execFileSync('umount', [disk]);
  }
});
