// The compile cache: a directory of shared objects named by what they were made from.
//
//   <directory>/<key>/trenio_program.so   key = sha256(sources, flags, compiler, processor, ABI)
//                    /sha256              of the .so: an entry is trusted only when it matches
//                    /*.c, *.h            the sources, for reading
//   <directory>/tmp-<host>-<pid>-<n>/     an entry in the making; renamed to <key> when it is whole
//   <directory>/failed-<key>/             what the compiler refused
//   <directory>/claim-<key>               who is making it now: the others wait (compile-claim.ts)
//
// Many processes may use it at once, and die at any moment: a rename of a directory is atomic, whoever comes second
// uses the first one's entry, and a damaged entry (its hash is checked at each load, which also covers what a crash
// of the machine left unwritten, so nothing is forced to the disk) is put aside and made again.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { Interrupted } from '../base/interrupted.ts';
import type { Logger } from '../base/logger.ts';
import { makeFolder } from '../base/make-folder.ts';
import { type CCompiler, compileUnits, flagsIdentity, processorIdentity } from './c-compiler.ts';
import { isAlive, isHeld, underClaim } from './compile-claim.ts';

export interface SourceFile {
  /** The file's name, of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly source: string;
}
export interface CompileRequest {
  readonly units: readonly SourceFile[];
  readonly headers: readonly SourceFile[];
  readonly flags: readonly string[];
  /** Further words for the linker, such as `-lstdc++`. */
  readonly libraries?: readonly string[];
}
export interface CompiledLibrary {
  /** The shared object. */
  readonly path: string;
  readonly fromCache: boolean;
  readonly compileMs: number;
}

export const libraryName = 'trenio_program.so';
const formatVersion = 1;
const staleAfterMs = 10 * 60_000;
/** Old entries are removed beyond this. */
const limitBytes = 4 * 2 ** 30;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const errnoOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const unwritable = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'EIO',
  'ENAMETOOLONG',
]);

const claimOf = (directory: string, key: string): string => join(directory, `claim-${key}`);

/** The key of a request: equal exactly when the machine code would be. */
export function cacheKey(request: CompileRequest, compiler: CCompiler): string {
  const { units, headers, flags, libraries = [] } = request;
  return sha256(
    JSON.stringify([
      formatVersion,
      units,
      headers,
      flagsIdentity([...flags, ...libraries]),
      compiler.identity,
      processorIdentity(),
    ]),
  );
}

export class CompileCache {
  readonly directory: string;
  readonly #log: Logger;
  readonly #temporary: string;
  #swept = false;

  /** `temporary`: where a directory is made instead when `directory` cannot be written. */
  constructor(directory: string, log: Logger, temporary: string = tmpdir()) {
    this.directory = resolve(directory);
    this.#log = log;
    this.#temporary = temporary;
  }

  /**
   * The shared object made from these sources, compiled now unless a whole one is there.
   * Throws C_COMPILER_FAILED, Interrupted, and CACHE_UNUSABLE where neither the directory nor a temporary one can be
   * written.
   */
  obtain(request: CompileRequest, compiler: CCompiler): CompiledLibrary {
    const key = cacheKey(request, compiler);
    const path = this.#verified(join(this.directory, key));
    if (path !== undefined) return { path, fromCache: true, compileMs: 0 };
    const start = performance.now();
    const made = (directory: string): CompiledLibrary => {
      makeFolder(directory);
      const ready = (): string | undefined => this.#verified(join(directory, key));
      const make = (): string => this.#make(directory, key, request, compiler);
      const claimed = underClaim(claimOf(directory, key), ready, make);
      return { path: claimed, fromCache: false, compileMs: performance.now() - start };
    };
    let reason: string;
    try {
      return made(this.directory);
    } catch (error) {
      if (!unwritable.has(errnoOf(error))) throw error;
      reason = errnoOf(error);
    }
    try {
      const directory = privateDirectoryIn(this.#temporary);
      const found = this.#verified(join(directory, key));
      if (found !== undefined) return { path: found, fromCache: true, compileMs: 0 };
      this.#log.warn(`compiled programs cannot be kept in ${this.directory} (${reason}), so they go to ${directory}`);
      return made(directory);
    } catch (error) {
      if (!unwritable.has(errnoOf(error))) throw error;
      throw new TrenioError(
        'CACHE_UNUSABLE',
        { directory: this.directory, reason: `${reason}, ${errnoOf(error)}` },
        { cause: error },
      );
    }
  }

  /** The library of an entry whose content is what its hash says, else undefined. */
  #verified(entry: string): string | undefined {
    try {
      const path = join(entry, libraryName);
      const expected = fs.readFileSync(join(entry, 'sha256'), 'utf8');
      if (sha256(fs.readFileSync(path)) === expected) {
        touch(entry);
        return path;
      }
      this.#log.warn(`the compiled program in ${entry} is damaged and is made again`);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' && !fs.existsSync(entry)) return undefined;
    }
    return undefined;
  }

  #make(directory: string, key: string, request: CompileRequest, compiler: CCompiler): string {
    this.#sweep(directory);
    const work = fs.mkdtempSync(join(directory, `tmp-${hostname()}-${process.pid}-`));
    try {
      for (const { name, source } of [...request.headers, ...request.units]) fs.writeFileSync(join(work, name), source);
      const names = request.units.map(unit => unit.name);
      const remains = [work, claimOf(directory, key)];
      const { flags, libraries } = request;
      const outcome = compileUnits(compiler, work, names, libraryName, flags, libraries, remains);
      if (outcome.kind === 'interrupted') throw new Interrupted('SIGINT');
      if (outcome.kind === 'failed') {
        if (/no space left|disk quota/i.test(outcome.output))
          throw Object.assign(new Error(outcome.output), { code: 'ENOSPC' });
        const kept = join(directory, `failed-${key}`);
        fs.rmSync(kept, { recursive: true, force: true });
        fs.renameSync(work, kept);
        const output = outcome.output.split('\n').slice(0, 12).join('\n').trimEnd();
        throw new TrenioError('C_COMPILER_FAILED', { compiler: compiler.path, source: kept, output });
      }
      for (const name of names) for (const by of ['o', 'log']) fs.rmSync(join(work, `${name}.${by}`), { force: true });
      fs.rmSync(join(work, 'link.log'), { force: true });
      fs.writeFileSync(join(work, 'sha256'), sha256(fs.readFileSync(join(work, libraryName))));
      return this.#publish(directory, key, work);
    } finally {
      fs.rmSync(work, { recursive: true, force: true });
    }
  }

  #publish(directory: string, key: string, work: string): string {
    const entry = join(directory, key);
    for (let attempt = 0; ; attempt++) {
      try {
        fs.renameSync(work, entry);
        return join(entry, libraryName);
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY'].includes(errnoOf(error)) || attempt === 5) throw error;
      }
      // Someone else was first. Theirs is as good, unless it is the damaged one that sent us here.
      const theirs = this.#verified(entry);
      if (theirs !== undefined) return theirs;
      const aside = fs.mkdtempSync(join(directory, `tmp-${hostname()}-${process.pid}-`));
      try {
        fs.renameSync(entry, join(aside, 'damaged'));
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error;
      } finally {
        fs.rmSync(aside, { recursive: true, force: true });
      }
    }
  }

  /** Once a process: removes what dead processes left, and the entries unused for longest beyond the size limit. */
  #sweep(directory: string): void {
    if (this.#swept) return;
    this.#swept = true;
    const entries: { path: string; usedMs: number; bytes: number }[] = [];
    for (const name of fs.readdirSync(directory)) {
      const path = join(directory, name);
      try {
        const { mtimeMs } = fs.statSync(path);
        // Asking removes the claim of a dead process.
        if (name.startsWith('claim-')) isHeld(path);
        const [, host, pid] = /^tmp-(.*)-(\d+)-[^-]*$/.exec(name) ?? [];
        if (pid !== undefined) {
          const old = Date.now() - mtimeMs > staleAfterMs;
          if (host === hostname() ? !isAlive(Number(pid)) : old) fs.rmSync(path, { recursive: true, force: true });
        } else if (/^[0-9a-f]{64}$/.test(name)) {
          entries.push({ path, usedMs: mtimeMs, bytes: fs.statSync(join(path, libraryName)).size });
        }
      } catch {
        // someone else removed it
      }
    }
    let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const { path, bytes } of entries.sort((a, b) => a.usedMs - b.usedMs)) {
      if (total <= limitBytes) break;
      fs.rmSync(path, { recursive: true, force: true });
      total -= bytes;
    }
  }
}

function touch(path: string): void {
  try {
    fs.utimesSync(path, new Date(), new Date());
  } catch {
    // a cache that can only be read is a fine cache
  }
}

/** A directory in a public one that is ours alone: machine code is loaded from it. */
function privateDirectoryIn(parent: string): string {
  const { uid } = userInfo();
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
