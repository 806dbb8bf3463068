import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOutputFolder, onDisk, writeOutputFile } from './output-files.ts';

test('creates a folder and a file in it; failures are typed errors', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-output-'));
  const deep = join(folder.path, 'a', 'b');
  makeOutputFolder(deep);
  const file = join(deep, 'file');
  writeOutputFile(file, 'text');
  expect(readFileSync(file, 'utf8')).toBe('text');
  writeFileSync(file, '');
  for (const act of [() => makeOutputFolder(join(file, 'x')), () => writeOutputFile(join(file, 'x'), '')])
    expect(act).toThrow(
      expect.objectContaining({ code: 'WRITE_FAILED', data: expect.objectContaining({ file: join(file, 'x') }) }),
    );
  expect(() => writeOutputFile(deep, '')).toThrow(expect.objectContaining({ code: 'WRITE_FAILED' }));
});

test('a full disk and other errors have their own codes', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const failing = (error: Error) => () =>
    onDisk('/x', () => {
      throw error;
    });
  expect(failing(full)).toThrow(expect.objectContaining({ code: 'DISK_FULL' }));
  expect(failing(new RangeError('a bug'))).toThrow(RangeError);
});
