// Removes files left by dead processes from the cache, and, beyond the size limit, the least recently used entries.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { entryBytes, isEntryName, isObjectName } from './cache-entries.ts';
import { removeEndedClaim } from './compile-claim.ts';
import { isAbandoned } from './work-directory.ts';

/** The number of objects of shared functions that are kept; the least recently used are removed first. */
const maxObjects = 1000;
/** Old entries are removed beyond this size, unless TRENIO_CACHE_MAX_BYTES is set. */
export const defaultLimitBytes = 4 * 2 ** 30;

export function sweepCache(directory: string, limitBytes: number): void {
  const entries: { path: string; usedMs: number; bytes: number; isObject: boolean }[] = [];
  for (const name of fs.readdirSync(directory)) {
    const path = join(directory, name);
    try {
      const { mtimeMs } = fs.lstatSync(path);
      if (name.startsWith('claim-')) removeEndedClaim(path);
      if (isAbandoned(name, mtimeMs)) fs.rmSync(path, { recursive: true, force: true });
      else if (isEntryName(name))
        entries.push({ path, usedMs: mtimeMs, bytes: entryBytes(path), isObject: isObjectName(name) });
    } catch (error) {
      expectFileError(error);
      // Another process removed it.
    }
  }
  let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  let objects = entries.filter(entry => entry.isObject).length;
  for (const { path, bytes, isObject } of entries.sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= limitBytes && !(isObject && objects > maxObjects)) continue;
    fs.rmSync(path, { recursive: true, force: true });
    total -= bytes;
    if (isObject) objects--;
  }
}
