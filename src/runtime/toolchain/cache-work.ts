// A compilation in progress: its directory, the units compiled in it, and the objects to link.
import { type Compilation, dropUnusedFlags } from './c-compiler.ts';
import { libraryName } from './cache-entries.ts';
import type { Claim } from './compile-claim.ts';
import type { CompileRequest, SharedUnit } from './compile-request.ts';

export interface CacheWork {
  readonly directory: string;
  /** C files of functions that are not in the cache. */
  readonly fresh: readonly SharedUnit[];
  /** Keys of all functions. */
  readonly keys: readonly string[];
  /** Names of the copies of cached objects. */
  readonly objects: readonly string[];
}

/** The commands for the C compiler. A claim ends with the compiler processes. */
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
