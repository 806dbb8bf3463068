import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from './database.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT';

/** A small disk; undefined if this user may not mount one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-database-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  onTestFinished(() => {
    spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return status === 0 ? folder : undefined;
}

/** Writes until nothing is free. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize));
  expect(statfsSync(folder).bavail).toBe(0);
}

test.for(['FULL', 'NORMAL'] as const)('a full disk, with durability %s', (durability, context) => {
  const folder = smallDisk();
  if (folder === undefined) return context.skip('mounting a small disk needs root');
  const file = join(folder, 'texts.sqlite');
  const database = new Database(file, SCHEMA, durability);
  const add = (text: string): unknown => database.prepare('INSERT INTO texts (text) VALUES (?)').run(text);
  const count = (of: Database = database): unknown => of.prepare('SELECT count(*) AS count FROM texts').get()?.count;
  add('before');
  fill(folder);
  const large = 'x'.repeat(2_000_000);
  // Nothing of the transaction is left, and the database is usable.
  expect(() =>
    database.transaction(() => {
      add('small');
      add(large);
    }),
  ).toThrow(expect.objectContaining({ code: 'DISK_FULL' }));
  expect(count()).toBe(1);
  // The reserve is for changes that must be possible.
  if (durability === 'FULL') for (let i = 0; i < 50; i++) add('on the full disk');
  const full = count();
  rmSync(join(folder, 'filler'));
  add('after');
  expect(count()).toBe(Number(full) + 1);
  database.close();
  const again = new Database(file, SCHEMA, durability);
  expect(count(again)).toBe(Number(full) + 1);
  again.close();
});
