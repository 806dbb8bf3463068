// Where compiled programs are, and which of them may be loaded: those that no other user could have written, and that are
// complete.
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { expectFileError } from '../../base/file-error.ts';
import type { Logger } from '../../base/logger.ts';
import { hashName, isWhole, libraryName } from './cache-entries.ts';
import { errnoOf, isUnusable } from './cache-errors.ts';
import { distrustOfDirectory, distrustOfEntry, type Sharing, settleRights } from './cache-trust.ts';
import { privateDirectoryIn } from './private-directory.ts';

export class TrustedEntries {
  /** The requested directory. */
  readonly directory: string;
  readonly sharing: Sharing;
  readonly #log: Logger;
  readonly #temporary: string;
  /** The directory of entries: `directory`, or a private one if that cannot be trusted. Determined at first use. */
  #place: string | undefined;

  /** `temporary`: the parent of a private directory that is used if `directory` is not trusted. */
  constructor(directory: string, log: Logger, temporary: string, sharing: Sharing) {
    this.directory = resolve(directory);
    this.#log = log;
    this.#temporary = temporary;
    this.sharing = sharing;
  }

  /** The directory of entries. @throws {CACHE_UNUSABLE} if the directory cannot be trusted and no private one can be created */
  get place(): string {
    if (this.#place !== undefined) return this.#place;
    const distrust = this.#distrust(() => distrustOfDirectory(this.directory, this.sharing));
    if (distrust === undefined) this.#place = this.directory;
    else {
      try {
        this.#place = privateDirectoryIn(this.#temporary);
      } catch (error) {
        const reason = `${distrust.reason}, ${errnoOf(error)}`;
        throw new TrenioError('CACHE_UNUSABLE', { directory: this.directory, reason }, { cause: error });
      }
      this.#log.warn(
        `compiled programs in ${this.directory} are not used: ${distrust.reason}; programs are compiled into ${this.#place} instead (fix: ${distrust.fix})`,
      );
    }
    return this.#place;
  }
  #distrust(judge: () => { readonly reason: string; readonly fix: string } | undefined) {
    try {
      return judge();
    } catch (error) {
      // An entry that cannot be examined cannot be read either; reading it reports the error.
      if (!isUnusable(error)) throw error;
      return undefined;
    }
  }
  /** Whether an entry may be used; logs a warning if not. */
  isTrusted(entry: string, files?: readonly string[]): boolean {
    const distrust = this.#distrust(() => distrustOfEntry(entry, this.sharing, files));
    if (distrust === undefined) return true;
    this.#log.warn(`compiled program not used, compiling it again: ${distrust.reason} (fix: ${distrust.fix})`);
    return false;
  }

  /** The library of an entry if its content matches its hash, else undefined. */
  verified(entry: string): string | undefined {
    try {
      const path = join(entry, libraryName);
      if (!this.isTrusted(entry, [libraryName, hashName])) return undefined;
      if (isWhole(entry)) {
        touch(entry);
        return path;
      }
      this.#log.warn(`the compiled program in ${entry} is damaged; compiling it again`);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' && !fs.existsSync(entry)) return undefined;
    }
    return undefined;
  }

  /** Other users of the group may take over a claim. */
  readonly shareClaim = (path: string): void => {
    if (this.sharing === 'group') settleRights(path, dirname(path), this.sharing);
  };
}

/** Records the time of the last use of a file or an entry. */
export function touch(path: string): void {
  try {
    fs.utimesSync(path, new Date(), new Date());
  } catch (error) {
    expectFileError(error);
    // A read-only cache directory is supported; the time of last use is not updated.
  }
}
