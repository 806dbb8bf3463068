import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncFolder, writeFileAtomically } from './atomic-write.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-atomic-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the chunks become the whole file, also in new folders', async () => {
  const path = join(folder, 'a', 'b', 'file.bin');
  expect(await writeFileAtomically(path, [new Uint8Array([1, 2, 3]), 'déjà'])).toBe(9);
  expect(readFileSync(path)).toEqual(Buffer.concat([Buffer.from([1, 2, 3]), Buffer.from('déjà')]));
  await writeFileAtomically(path, ['new']);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['file.bin']);
});

test('a failing source leaves only the old file, and its error is passed on unchanged', async () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  async function* source() {
    yield 'new';
    throw new Error('the source failed');
  }
  await expect(writeFileAtomically(path, source())).rejects.toThrow('the source failed');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a target that is a folder is a typed error', async () => {
  mkdirSync(join(folder, 'file'));
  await expect(writeFileAtomically(join(folder, 'file'), ['x'])).rejects.toMatchObject({ code: 'WRITE_FAILED' });
  expect(readdirSync(folder)).toEqual(['file']);
});

// A program that writes 1 MB over a small file and prints the error it gets.
const writer = (path: string): string => `
  import { syncFolder, writeFileAtomically } from ${JSON.stringify(join(import.meta.dirname, 'atomic-write.ts'))};
  const chunk = new Uint8Array(65536).fill(7);
  const chunks = Array.from({ length: 16 }, () => chunk);
  await writeFileAtomically(${JSON.stringify(path)}, chunks).catch(e => console.log(e.code + '\\n' + e.message));`;

test.skipIf(process.platform === 'win32')('at the file-size limit the old file stays intact', () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  const command = `ulimit -f 200; exec "$0" --input-type=module-typescript -e "$1"`;
  const out = spawnSync('sh', ['-c', command, process.execPath, writer(path)], { encoding: 'utf8' });
  expect(out.stdout, out.stderr).toContain('DISK_FULL\n');
  expect(out.stdout).toContain('the file-size limit is reached');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('on a full disk the old file stays intact', context => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]).status === 0;
  if (!mounted) context.skip('mounting a small disk needs root');
  try {
    const path = join(disk, 'file');
    writeFileSync(path, 'old');
    const out = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', writer(path)], {
      encoding: 'utf8',
    });
    expect(out.stdout, out.stderr).toContain('DISK_FULL\n');
    expect(out.stdout).toMatch(/stopped after \d+ bytes \(the disk is full\); any existing file is unchanged/);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(disk)).toEqual(['file']);
  } finally {
    execFileSync('umount', [disk]);
  }
});

test('syncing a removed folder fails; a file system without sync is not an error', async () => {
  await expect(syncFolder('/no/such/folder')).rejects.toMatchObject({ code: 'ENOENT' });
  // A pseudo file system: fsync is EINVAL.
  if (process.platform === 'linux') await syncFolder('/proc');
});
