import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

test('creates missing folders, and rejects impossible ones', () => {
  const root = mkdtempSync(join(tmpdir(), 'trenio-folder-'));
  try {
    const deep = join(root, 'a', 'b', 'c');
    makeFolder(deep);
    makeFolder(deep);
    expect(statSync(deep).isDirectory()).toBe(true);
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file', 'x'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.runIf(process.platform === 'linux')('fails where the kernel does not create folders', () => {
  expect(() => makeFolder('/proc/trenio/x')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
