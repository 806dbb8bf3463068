// A compilation in progress: its directory, the units compiled in it, and the objects to link.

import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import type { Logger } from '../../base/logger.ts';
import { type CCompiler, type Compilation, dropUnusedFlags } from './c-compiler.ts';
import { libraryName, removeEntry } from './cache-entries.ts';
import type { Claim } from './compile-claim.ts';
import { type CompileRequest, functionKeys, type SharedUnit } from './compile-request.ts';
import { findObjects } from './kept-objects.ts';
import { type TrustedEntries, touch } from './trusted-entries.ts';
import { workDirectory } from './work-directory.ts';

/**
 * Units per core for shared functions: with more units the C compiler starts more often; with fewer, cores are idle at the end.
 */
const unitsPerCore = 2;

export interface CacheWork {
  readonly directory: string;
  /** C files of functions that are not in the cache. */
  readonly fresh: readonly SharedUnit[];
  /** Keys of all functions. */
  readonly keys: readonly string[];
  /** Names of the copies of cached objects. */
  readonly objects: readonly string[];
}

/** The commands for the C compiler. A claim is held until the compiler processes end. */
export function compilationOf(
  work: CacheWork,
  { units, flags, libraries = [], shared }: CompileRequest,
  claim: Claim | undefined,
): Compilation {
  const { directory, fresh, objects } = work;
  return {
    directory,
    units: [...units, ...fresh].map(unit => unit.name),
    objects,
    output: libraryName,
    flags,
    libraries: [...libraries, ...(shared === undefined ? [] : dropUnusedFlags)],
    remains: claim === undefined ? [] : [claim.holder, claim.directory],
  };
}

/** A directory with the sources of functions that are not cached, and the objects of those that are. */
export function prepareWork(
  directory: string,
  request: CompileRequest,
  compiler: CCompiler,
  { entries, log, cores }: { readonly entries: TrustedEntries; readonly log: Logger; readonly cores: number },
): CacheWork {
  const work = workDirectory(directory);
  try {
    const { shared, headers, units } = request;
    const keys = functionKeys(request, compiler);
    // If the cache is read-only, this is another directory.
    const directories = [...new Set([entries.place, directory])];
    const isTrusted = (file: string): boolean => entries.isTrusted(file);
    const { objects, missing } = findObjects(directories, keys, file => discard(file, log), isTrusted);
    const copies = objects.map(({ file, bytes }, i) => {
      touch(file);
      const name = `kept${i}.o`;
      fs.writeFileSync(join(work, name), bytes);
      return name;
    });
    const members = keys.flatMap((key, i) => (missing.has(key) ? [i] : []));
    const fresh = members.length === 0 ? [] : shared!.unitsOf(members, unitsPerCore * cores);
    for (const { name, source } of [...headers, ...units, ...fresh]) fs.writeFileSync(join(work, name), source);
    return { directory: work, fresh, keys, objects: copies };
  } catch (error) {
    fs.rmSync(work, { recursive: true, force: true });
    throw error;
  }
}

/** Removes a damaged object. */
function discard(file: string, log: Logger): void {
  log.warn(`the compiled functions in ${file} are damaged; compiling them again`);
  try {
    removeEntry(dirname(file), basename(file));
  } catch (error) {
    expectFileError(error);
    // A read-only cache directory keeps the damaged object.
  }
}
