// The compile cache: a directory of shared objects, named by a hash of their inputs.
//
//   <directory>/<key>/trenio_program.so   key = sha256(sources, flags, compiler, processor, ABI)
//                    /sha256              of the .so: an entry is trusted only when it matches
//                    /*.c, *.h            the sources, for reading
//   <directory>/tmp-<process>-<n>/        an entry being created; renamed to <key> when it is complete (work-directory.ts)
//   <directory>/program-<key>             the description of a compiled module without its shared object: a hash of the rest,
//                                         the key of the shared object, and the description (program-descriptions.ts)
//   <directory>/object-<key>              machine code of functions that programs share (kept-objects.ts)
//   <directory>/failed-<key>/             sources that the compiler rejected
//   <directory>/claim-<key>/              the process that is compiling it: others wait (compile-claim.ts)
//
// Many processes may use it at once, and die at any moment: renaming a directory is atomic, later processes
// use the entry of the first, and a damaged entry (its hash is checked at each load, which also detects files that were
// incomplete after a crash of the machine, so no fsync is needed) is moved aside and compiled again. Files that another user
// could have written are not loaded at all (cache-trust.ts): then programs are compiled into a private directory.
import * as fs from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BlockedOptions, BlockedProgress } from '../../base/blocked-progress.ts';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { expectFileError } from '../../base/file-error.ts';
import { Interrupted, keepsStopSignals } from '../../base/interrupted.ts';
import type { Logger } from '../../base/logger.ts';
import { makeFolder } from '../../base/make-folder.ts';
import {
  type BackgroundCompilation,
  type CCompiler,
  type CompileOutcome,
  type CompilePriority,
  compileUnits,
  startCompiling,
} from './c-compiler.ts';
import { cacheDirectory } from './cache-directory.ts';
import { programPrefix, titleOf } from './cache-entries.ts';
import { errnoOf, isUnusable } from './cache-errors.ts';
import { defaultLimitBytes, sweepCache } from './cache-sweep.ts';
import { modesFor, type Sharing } from './cache-trust.ts';
import { type CacheWork, compilationOf, prepareWork } from './cache-work.ts';
import { cancelAtExit, forgetCompilation } from './cancel-at-exit.ts';
import { type Claim, ClaimWatch, releaseClaim, takeClaim, underClaim } from './compile-claim.ts';
import { type CompileRequest, cacheKey } from './compile-request.ts';
import { requireVersion } from './compiler-version.ts';
import { nativeUnit } from './native-sources.ts';
import { privateDirectoryIn } from './private-directory.ts';
import { keepProgram, recallProgram } from './program-descriptions.ts';
import { publish } from './publish.ts';
import { TrustedEntries } from './trusted-entries.ts';

export interface CompiledLibrary {
  /** The shared object. */
  readonly path: string;
  readonly fromCache: boolean;
  readonly compileMs: number;
  /** The numbers of shared functions that were compiled and that were cached; undefined if the library is from the cache. */
  readonly functions: { readonly compiled: number; readonly kept: number };
}

/** A library that is compiled while this process continues. */
export interface PendingLibrary {
  /** Whether `obtain` returns, or throws, without waiting for a compiler. */
  readonly isDone: boolean;
  /** @throws what `CompileCache.obtain` throws */
  obtain(): CompiledLibrary;
}

const claimOf = (directory: string, key: string): string => join(directory, `claim-${key}`);

export class CompileCache {
  readonly directory: string;
  readonly #entries: TrustedEntries;
  readonly #log: Logger;
  readonly #temporary: string;
  readonly #limitBytes: number;
  #swept = false;
  /** Compilations in the background, by key. */
  readonly #begun = new Map<
    string,
    { readonly work: CacheWork; readonly compilation: BackgroundCompilation; readonly claim: Claim }
  >();
  readonly #cores: number;
  readonly #progress: BlockedOptions;

  /**
   * `temporary`: the parent of a private directory that is used if `directory` is not writable or not trusted. `cores`: the
   * number of cores that the C compiler may use. `progress`: how long compilations are reported; by default, they are not.
   */
  constructor(
    directory: string,
    log: Logger,
    temporary: string = tmpdir(),
    limitBytes: number = defaultLimitBytes,
    sharing: Sharing = 'none',
    cores: number = cpus().length,
    progress: BlockedOptions = { stream: process.stderr, quiet: true },
  ) {
    this.#entries = new TrustedEntries(directory, log, temporary, sharing);
    this.directory = this.#entries.directory;
    this.#log = log;
    this.#temporary = temporary;
    this.#limitBytes = limitBytes;
    this.#cores = cores;
    this.#progress = progress;
  }

  /** The cache configured by the environment. @throws {BAD_ENVIRONMENT} */
  static of(variables: Variables | undefined, log: Logger, cores?: number): CompileCache {
    const limit = readVariable('TRENIO_CACHE_MAX_BYTES', variables);
    const sharing = readVariable('TRENIO_CACHE_SHARED', variables);
    return new CompileCache(cacheDirectory(variables), log, undefined, limit, sharing, cores, progressOf(variables));
  }

  /** The description stored under this key and its library, if neither is damaged. */
  recall(key: string): { readonly path: string; readonly description: unknown } | undefined {
    return recallProgram(this.#entries, this.#log, key);
  }
  /** Stores a description (structured-cloneable data) of the sources of the library at `path`, which was returned by `obtain`. */
  keep(key: string, path: string, description: unknown): void {
    keepProgram(key, path, description, this.#entries.sharing);
  }
  /** Whether the library of these sources exists. */
  has(request: CompileRequest, compiler: CCompiler): boolean {
    return this.#entries.verified(join(this.#entries.place, cacheKey(request, compiler))) !== undefined;
  }

  /**
   * Claims a description: processes that have the same programs to compile each take different ones. Must be released.
   * `impossible`: the directory cannot be written, so no process can claim anything.
   */
  claim(key: string): Claim | 'held' | 'impossible' {
    try {
      makeFolder(this.#entries.place, modesFor(this.#entries.sharing).directory);
    } catch (error) {
      expectFileError(error);
      return 'impossible';
    }
    return takeClaim(claimOf(this.#entries.place, `${programPrefix}${key}`), this.#entries.shareClaim);
  }
  /** Watches the claim of a description. */
  watch(key: string): ClaimWatch {
    return new ClaimWatch(claimOf(this.#entries.place, `${programPrefix}${key}`));
  }

  /**
   * Starts to compile these sources, so that a later `obtain` waits less. False if there is nothing to
   * start: they are cached, another process compiles them, or only `obtain` can handle the state of the cache.
   */
  begin(request: CompileRequest, compiler: CCompiler, priority: CompilePriority = 'normal'): boolean {
    const key = cacheKey(request, compiler);
    const directory = this.#entries.place;
    if (this.#begun.has(key)) return true;
    if (this.#entries.verified(join(directory, key)) !== undefined) return false;
    try {
      makeFolder(directory, modesFor(this.#entries.sharing).directory);
    } catch (error) {
      expectFileError(error);
      return false;
    }
    const claim = takeClaim(claimOf(directory, key), this.#entries.shareClaim);
    if (typeof claim === 'string') return false;
    // It may have been published between the check and the claim.
    if (this.#entries.verified(join(directory, key)) !== undefined) {
      releaseClaim(claim);
      return false;
    }
    let work: CacheWork | undefined;
    try {
      work = this.#prepare(directory, request, compiler);
      const compilation = startCompiling(compiler, compilationOf(work, request, claim), priority);
      if (compilation === undefined) throw new Error('only waited for');
      this.#begun.set(key, { work, compilation, claim });
      cancelAtExit(compilation);
      return true;
    } catch {
      // Not an error: `obtain` repeats all of it, and reports failures.
      if (work !== undefined) fs.rmSync(work.directory, { recursive: true, force: true });
      releaseClaim(claim);
      return false;
    }
  }
  /** Starts to compile these sources at low priority, for a process that polls the result now and then. */
  compileLater(request: CompileRequest, compiler: CCompiler): PendingLibrary {
    const key = cacheKey(request, compiler);
    const begin = (): boolean => this.begin(request, compiler, 'low');
    const watch = new ClaimWatch(claimOf(this.#entries.place, key));
    const isDone = (): boolean => {
      const begun = this.#begun.get(key);
      if (begun !== undefined) return begun.compilation.isDone;
      if (fs.existsSync(join(this.#entries.place, key))) return true;
      const holder = watch.look();
      if (typeof holder === 'object') {
        if (!('holder' in holder)) return false;
        releaseClaim(holder);
      }
      // The other process has given up. What cannot be begun here is left to `obtain`.
      return !begin();
    };
    begin();
    return {
      get isDone() {
        return isDone();
      },
      obtain: () => this.obtain(request, compiler),
    };
  }
  /**
   * Compiles these sources in the background, for a later `obtain`, while this process continues. When `signal` is
   * aborted, the compiler is ended. Cases that only `obtain` can handle are left to it.
   */
  async prepare(request: CompileRequest, compiler: CCompiler, signal: AbortSignal): Promise<void> {
    const key = cacheKey(request, compiler);
    const start = performance.now();
    using _ = this.has(request, compiler) ? undefined : this.#report(request);
    for (let isTold = false; !signal.aborted && !this.has(request, compiler); ) {
      if (this.begin(request, compiler)) {
        const { compilation } = this.#begun.get(key)!;
        while (!compilation.isDone && !signal.aborted) await sleep(20);
        if (signal.aborted) this.#cancel(key);
        return;
      }
      if (!fs.existsSync(claimOf(this.#entries.place, key))) return;
      if (!isTold && performance.now() - start > 2000) {
        this.#log.warn(`waiting for ${whatOf(request)}, which another process is compiling`);
        isTold = true;
      }
      await sleep(50);
    }
  }
  /**
   * The shared object for these sources, compiled now unless an intact one exists.
   * @throws {C_COMPILER_FAILED}
   * @throws {C_COMPILER_UNUSABLE}
   * @throws {Interrupted}
   * @throws {CACHE_UNUSABLE} if neither the directory nor a temporary one is writable
   */
  obtain(request: CompileRequest, compiler: CCompiler): CompiledLibrary {
    try {
      return this.#obtain(request, compiler);
    } catch (error) {
      if (!(error instanceof Interrupted && keepsStopSignals())) throw error;
    }
    // Slurm sends SIGTERM to all processes of a job, the C compiler's among them; this process must continue until it has saved.
    return this.#obtain(request, compiler);
  }
  #obtain(request: CompileRequest, compiler: CCompiler): CompiledLibrary {
    const key = cacheKey(request, compiler);
    const path = this.#entries.verified(join(this.#entries.place, key));
    const none = { compiled: 0, kept: 0 };
    if (path !== undefined) {
      // Another process that considered ours stopped may have been faster. Keeping the claim would block all others.
      this.#cancel(key);
      return { path, fromCache: true, compileMs: 0, functions: none };
    }
    const start = performance.now();
    const made = (directory: string): CompiledLibrary => {
      makeFolder(directory, modesFor(this.#entries.sharing).directory);
      let functions = none;
      const finish = (work: CacheWork, outcome: CompileOutcome): string => {
        const library = publish(
          {
            directory,
            key,
            request,
            compiler,
            sharing: this.#entries.sharing,
            isUsable: entry => this.#entries.verified(entry) !== undefined,
          },
          work,
          outcome,
        );
        const compiled = work.fresh.reduce((sum, { members }) => sum + members.length, 0);
        functions = { compiled, kept: work.keys.length - compiled };
        if (work.keys.length > 0)
          this.#log.debug(`compiled ${compiled} functions of a program, found ${functions.kept}`);
        return library;
      };
      const result = (library: string): CompiledLibrary => ({
        path: library,
        fromCache: false,
        compileMs: performance.now() - start,
        functions,
      });
      const ready = (): string | undefined => this.#entries.verified(join(directory, key));
      const make = (claim: Claim | undefined): string => {
        const work = this.#prepare(directory, request, compiler);
        return finish(work, compileUnits(compiler, compilationOf(work, request, claim)));
      };
      const begun = this.#begun.get(key);
      if (begun !== undefined) {
        this.#begun.delete(key);
        forgetCompilation(begun.compilation);
        try {
          return result(finish(begun.work, begun.compilation.wait()));
        } finally {
          releaseClaim(begun.claim);
        }
      }
      const announce = (text: string): void => this.#log.warn(text);
      const options = { announce, what: whatOf(request), share: this.#entries.shareClaim };
      return result(underClaim(claimOf(directory, key), options, ready, make));
    };
    using _ = this.#begun.get(key)?.compilation.isDone === true ? undefined : this.#report(request);
    let reason: string;
    try {
      return made(this.#entries.place);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      reason = errnoOf(error);
    }
    try {
      const directory = privateDirectoryIn(this.#temporary);
      const found = this.#entries.verified(join(directory, key));
      if (found !== undefined) return { path: found, fromCache: true, compileMs: 0, functions: none };
      this.#log.warn(`compiled programs cannot be stored in ${this.directory} (${reason}); using ${directory} instead`);
      return made(directory);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      throw new TrenioError(
        'CACHE_UNUSABLE',
        { directory: this.directory, reason: `${reason}, ${errnoOf(error)}` },
        { cause: error },
      );
    }
  }

  #report(request: CompileRequest): BlockedProgress {
    // The first compilation on a machine: seconds on any, and what runs before it was silent.
    const options = isRuntime(request) ? { ...this.#progress, afterMs: 0 } : this.#progress;
    return new BlockedProgress(`compiling ${whatOf(request)}`, options);
  }

  /** Ends a compilation in the background, if there is one. */
  #cancel(key: string): void {
    const begun = this.#begun.get(key);
    if (begun === undefined) return;
    this.#begun.delete(key);
    forgetCompilation(begun.compilation);
    begun.compilation.cancel();
    releaseClaim(begun.claim);
  }

  /** A directory in which this request can be compiled. */
  #prepare(directory: string, request: CompileRequest, compiler: CCompiler): CacheWork {
    requireVersion(compiler);
    if (!this.#swept) sweepCache(directory, this.#limitBytes);
    this.#swept = true;
    return prepareWork(directory, request, compiler, { entries: this.#entries, log: this.#log, cores: this.#cores });
  }
}

/** Users at a terminal are told what they wait for, unless they want to hear of errors only. */
function progressOf(variables: Variables | undefined): BlockedOptions {
  const isTerminal = process.stderr.isTTY === true || readVariable('TRENIO_LAUNCHER_TERMINAL', variables) === true;
  const isQuiet = ['error', 'silent'].includes(readVariable('TRENIO_LOG', variables) ?? '');
  return { stream: process.stderr, quiet: !isTerminal || isQuiet, afterMs: 1000, logEveryMs: 2000 };
}

const isRuntime = ({ units }: CompileRequest): boolean => units[0]?.name === nativeUnit;

/** The purpose of a request, in a few words. */
const whatOf = (request: CompileRequest): string => {
  if (isRuntime(request)) return 'the runtime';
  const { units } = request;
  const title = titleOf(units[0]?.source ?? '');
  return title === undefined ? `C code (${units.map(unit => unit.name).join(', ')})` : `the program ${title}`;
};
