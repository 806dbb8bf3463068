// What a process has one of: the devices, the engine beneath them, the compile cache. Everything is made when it is
// first needed, and ended with the process.
import { isTrialRun, readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { type Logger, loggerFrom } from '../base/logger.ts';
import type { Literal } from '../hlo/literal.ts';
import type { Backend } from './backends/backend.ts';
import { CollectingBackend } from './backends/collecting/collecting-backend.ts';
import { CpuBackend } from './backends/cpu/cpu-backend.ts';
import { InterpreterBackend } from './backends/interpreter/interpreter-backend.ts';
import { TracingBackend } from './backends/tracing/tracing-backend.ts';
import { allGather, allReduceLiteral, barrier, type Reduction } from './comm/collectives.ts';
import { type RankInfo, rankInfo } from './comm/ranks.ts';
import { Engine } from './execution/engine.ts';
import { loadNativeLibrary, type NativeLibrary, nativeRequest } from './execution/native-library.ts';
import { threadPlan } from './execution/threads.ts';
import { type MachineLimits, machineLimits } from './profiling/limits.ts';
import { Profiler } from './profiling/profile.ts';
import { formatProfile } from './profiling/profile-table.ts';
import { StepMeter } from './profiling/step-meter.ts';
import { type CCompiler, findCompiler } from './toolchain/c-compiler.ts';
import { cacheDirectory } from './toolchain/cache-directory.ts';
import { CompileCache } from './toolchain/compile-cache.ts';
import { requestedTarget } from './toolchain/requested-target.ts';

export const backendNames = ['cpu', 'interpreter'] as const;
export type BackendName = (typeof backendNames)[number];

export class Runtime {
  readonly ranks: RankInfo;
  readonly log: Logger;
  readonly #variables: Variables | undefined;
  readonly #backends = new Map<BackendName, Backend>();
  #compiler: CCompiler | undefined;
  #cache: CompileCache | undefined;
  #native: NativeLibrary | undefined;
  #engine: Engine | undefined;
  #limits: MachineLimits | undefined;
  #closed = false;

  /** `variables`: the environment to read instead of the process's own. */
  constructor(options: { readonly variables?: Variables; readonly log?: Logger } = {}) {
    this.#variables = options.variables;
    this.log = options.log ?? loggerFrom(options.variables);
    this.ranks = rankInfo(options.variables);
  }

  /**
   * A backend, by default the one that TRENIO_BACKEND names. Throws NO_C_COMPILER, BAD_ENVIRONMENT, and what the
   * engine throws.
   */
  backend(name: BackendName = readVariable('TRENIO_BACKEND', this.#variables) ?? 'cpu'): Backend {
    let backend = this.#backends.get(name);
    if (backend === undefined) {
      backend = name === 'cpu' ? this.#cpu() : this.#interpreter();
      this.#backends.set(name, backend);
    }
    return backend;
  }
  #cpu(): Backend {
    const folder = readVariable('TRENIO_TRACE_ONLY', this.#variables);
    const maxExecutions = readVariable('TRENIO_COMPILE_STEPS', this.#variables) ?? 100;
    if (folder !== undefined) return new TracingBackend({ folder, maxExecutions });
    const target = requestedTarget(this.#variables);
    const { compiler, cache } = this; // all of them now, so that what is missing is told before any work is done
    const report = readVariable('TRENIO_COMPILE_ONLY', this.#variables);
    if (report === undefined) {
      // Ranks meet when their engines start, and a profiled one measures before anything runs.
      const isStarting =
        this.#native === undefined &&
        this.ranks.worldSize === 1 &&
        !this.#isProfiled &&
        cache.begin(nativeRequest(), compiler);
      if (!isStarting) return new CpuBackend({ compiler, cache, engine: this.engine }, target);
      const engine = (): Engine => this.engine;
      const host = {
        compiler,
        cache,
        get engine() {
          return engine();
        },
      };
      return new CpuBackend(host, target, isStarting);
    }
    this.native; // compiled ahead of time too
    return new CollectingBackend({ compiler, cache }, target, { report, maxExecutions, rank: this.ranks.rank });
  }
  #interpreter(): Backend {
    if (this.ranks.worldSize === 1)
      return new InterpreterBackend(readVariable('TRENIO_MAX_LOOP_STEPS', this.#variables));
    const instead = 'use the cpu backend, or a single rank';
    throw new TrenioError('UNSUPPORTED', { what: 'a run of several ranks', where: 'the interpreter', instead });
  }

  get compiler(): CCompiler {
    this.#compiler ??= findCompiler(this.#variables);
    return this.#compiler;
  }
  get cache(): CompileCache {
    const limit = readVariable('TRENIO_CACHE_MAX_BYTES', this.#variables);
    this.#cache ??= new CompileCache(
      cacheDirectory(this.#variables),
      this.log,
      undefined,
      limit,
      readVariable('TRENIO_CACHE_SHARED', this.#variables),
    );
    return this.#cache;
  }
  get native(): NativeLibrary {
    this.#native ??= loadNativeLibrary(this.cache, this.compiler);
    return this.#native;
  }
  /** Started at the first use; it ends with the process. */
  get engine(): Engine {
    if (this.#closed) throw new TrenioError('RUNTIME_CLOSED', { action: 'a device was asked for' });
    if (this.#engine === undefined) {
      const maxLoopSteps = readVariable('TRENIO_MAX_LOOP_STEPS', this.#variables);
      const profiler = this.#isProfiled ? new Profiler() : undefined;
      this.#engine = new Engine(this.native, threadPlan(this.#variables), this.ranks, maxLoopSteps, profiler);
      if (['error', 'silent'].includes(readVariable('TRENIO_LOG', this.#variables) ?? '')) this.#engine.silenceWaits();
      const report = readVariable('TRENIO_STEP_REPORT', this.#variables);
      if (report !== undefined && this.ranks.rank === 0) this.#engine.meter = new StepMeter(report);
      process.on('exit', this.#atExit);
      // Now, while nothing else runs; one rank's profile is enough.
      if (this.#isProfiled && this.ranks.rank === 0) {
        const onMeasure = (): void => this.log.warn('measuring the limits of this machine (once) …');
        this.#limits = machineLimits(this, { onMeasure });
      }
    }
    return this.#engine;
  }
  get #isProfiled(): boolean {
    return readVariable('TRENIO_PROFILE', this.#variables) ?? false;
  }
  /** What the machine can do at most, where this is profiled and its threads have been started. */
  get limits(): MachineLimits | undefined {
    return this.#limits;
  }

  /** Combines all ranks' literals element by element; every rank must call it, in the same order. */
  allReduce(literal: Literal, reduction: Reduction): Literal {
    return this.#meets ? allReduceLiteral(this.engine, literal, reduction) : literal;
  }
  /** Every rank's bytes, in the order of the ranks; all must give the same number of them. */
  allGather(bytes: Uint8Array): readonly Uint8Array[] {
    return this.#meets ? allGather(this.engine, bytes) : Array.from({ length: this.ranks.worldSize }, () => bytes);
  }
  /** Waits until every rank has come here. */
  barrier(): void {
    if (this.#meets) barrier(this.engine);
  }
  /** Ranks of a trial run end when each has seen its programs: none may wait for another. */
  get #meets(): boolean {
    return this.ranks.worldSize > 1 && !isTrialRun(this.#variables);
  }

  /** Runs what is queued and ends the threads. Throws a failure that nobody has been told of. */
  close(): void {
    const error = this.#end();
    if (error !== undefined) throw error;
  }
  #end(): TrenioError | undefined {
    this.#closed = true;
    process.off('exit', this.#atExit);
    const failure = this.#engine?.stream.close();
    this.#engine?.meter?.write();
    return failure;
  }
  // A step that is still queued when a script ends is part of it: a checkpoint read later, a peer's exchange.
  readonly #atExit = (code: number): void => {
    const error = this.#end();
    if (this.#limits !== undefined)
      process.stderr.write(formatProfile(this.#engine?.profiler?.report() ?? [], this.#limits));
    if (error === undefined) return;
    this.log.error(`a step that nothing waited for has failed: ${error.message}`);
    if (code === 0) process.exitCode = 1;
  };
}
