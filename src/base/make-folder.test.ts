import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

test('makes what is missing, also when several do at once, and refuses what cannot be', async () => {
  const root = mkdtempSync(join(tmpdir(), 'trenio-folder-'));
  try {
    const deep = join(root, 'a', 'b', 'c');
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(join(root, 'a', 'b'))]);
    expect(statSync(deep).isDirectory()).toBe(true);
    writeFileSync(join(root, 'file'), '');
    await expect(makeFolder(join(root, 'file', 'x'))).rejects.toMatchObject({ code: 'EEXIST' });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.runIf(process.platform === 'linux')('ends where the kernel makes no folders', async () => {
  await expect(makeFolder('/proc/trenio/x')).rejects.toMatchObject({ code: 'ENOENT' });
});
