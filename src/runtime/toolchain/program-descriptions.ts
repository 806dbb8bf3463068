// Descriptions of compiled programs in the cache: with one, a module that was compiled before needs no code generation.
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import { programPrefix, putEntry, readProgram, writeProgram } from './cache-entries.ts';
import { errnoOf, isUnusable } from './cache-errors.ts';
import { type Sharing, settleRights } from './cache-trust.ts';
import { type TrustedEntries, touch } from './trusted-entries.ts';
import { workDirectory } from './work-directory.ts';

/** The description stored under this key and its library, if neither is damaged. */
export function recallProgram(
  entries: TrustedEntries,
  log: Logger,
  key: string,
): { readonly path: string; readonly description: unknown } | undefined {
  const file = join(entries.place, `${programPrefix}${key}`);
  try {
    if (!entries.isTrusted(file)) return undefined;
    const kept = readProgram(file);
    if (kept === undefined) {
      log.warn(`the description of the compiled program in ${file} is damaged; compiling it again`);
      return undefined;
    }
    const path = entries.verified(join(entries.place, kept.library));
    if (path === undefined) return undefined;
    touch(file);
    return { path, description: kept.description };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    log.debug(`the description of a compiled program in ${file} cannot be read: ${error}`);
    return undefined;
  }
}

/** Stores a description (structured-cloneable data) of the sources of the library at `path`, which was returned by `obtain`. */
export function keepProgram(key: string, path: string, description: unknown, sharing: Sharing): void {
  const entry = dirname(path);
  const directory = dirname(entry);
  try {
    const work = workDirectory(directory);
    try {
      const file = join(work, 'program');
      writeProgram(file, { library: basename(entry), description });
      settleRights(file, directory, sharing);
      putEntry(file, directory, `${programPrefix}${key}`);
    } finally {
      fs.rmSync(work, { recursive: true, force: true });
    }
  } catch (error) {
    // Without it the program is compiled to C again.
    if (!isUnusable(error)) throw error;
  }
}
