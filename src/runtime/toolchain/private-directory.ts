// The user's own directory for compiled programs within a shared one such as /tmp.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './cache-errors.ts';

/** A directory that only this user can write, because machine code is loaded from it. */
export function privateDirectoryIn(parent: string): string {
  const uid = process.getuid?.() ?? 0;
  const directory = join(parent, `trenio-cache-${uid}`);
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  const status = fs.lstatSync(directory);
  if (status.isDirectory() && status.uid === uid && (status.mode & 0o077) === 0) return directory;
  return fs.mkdtempSync(join(parent, 'trenio-cache-'));
}
