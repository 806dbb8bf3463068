// The objects that exist once per process: the devices, the engine beneath them, the compile cache. Each is created when it is
// first needed and ended with the process.
import { isTrialRun, readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { type Logger, loggerFrom } from '../base/logger.ts';
import type { Reduction } from '../compiler/index.ts';
import type { Literal } from '../hlo/literal.ts';
import { subscribe } from '../observe/events.ts';
import { observeProcess } from '../observe/observe-process.ts';
import { openDevice, parseDevice } from './backends/all.ts';
import type { Backend, BackendHost } from './backends/backend.ts';
import { allGather, allReduceLiteral, barrier } from './comm/collectives.ts';
import { rankInfo } from './comm/ranks.ts';
import { machineInfo } from './execution/cores.ts';
import { Engine } from './execution/engine.ts';
import { loadNativeLibrary, type NativeLibrary } from './execution/native-library.ts';
import type { RankInfo } from './execution/rank-info.ts';
import { threadPlan } from './execution/threads.ts';
import { knownLimits, type MachineLimits, machineLimits } from './profiling/limits.ts';
import { kernelGroups, Profiler } from './profiling/profile.ts';
import { formatProfile } from './profiling/profile-table.ts';
import { ProgramRecord } from './profiling/program-record.ts';
import { StepMeter } from './profiling/step-meter.ts';
import { type CCompiler, findCompiler, findMpiCompiler } from './toolchain/c-compiler.ts';
import { CompileCache } from './toolchain/compile-cache.ts';
import { mpiRequest } from './toolchain/native-sources.ts';

export class Runtime implements BackendHost {
  readonly ranks: RankInfo;
  readonly log: Logger;
  readonly variables: Variables | undefined;
  readonly #backends = new Map<string, Backend>();
  #compiler: CCompiler | undefined;
  #cache: CompileCache | undefined;
  #native: NativeLibrary | undefined;
  #engine: Engine | undefined;
  /** Set when profiling is enabled. */
  readonly profiler: Profiler | undefined;
  /** Set when programs are recorded, on one rank. */
  readonly programRecord: ProgramRecord | undefined;
  #stepMeter: StepMeter | undefined;
  #unsubscribe: (() => void) | undefined;
  #endObservation: (() => void) | undefined;
  #limits: MachineLimits | undefined;
  #closed = false;

  /** `variables`: the environment to read instead of the process's own. */
  constructor(options: { readonly variables?: Variables; readonly log?: Logger } = {}) {
    this.variables = options.variables;
    this.log = options.log ?? loggerFrom(options.variables);
    this.ranks = rankInfo(options.variables);
    this.profiler = this.#isProfiled ? new Profiler() : undefined;
    const record = readVariable('TRENIO_PROGRAM_RECORD', this.variables);
    this.programRecord = record === undefined || this.ranks.rank !== 0 ? undefined : new ProgramRecord(record);
  }

  /**
   * A device by its name (`cpu`, `cuda:1`), by default the one that TRENIO_BACKEND names.
   * @throws {UNKNOWN_DEVICE}
   * @throws {NO_SUCH_ORDINAL}
   * @throws {NO_C_COMPILER}
   * @throws {BAD_ENVIRONMENT}
   * @throws what the engine throws
   */
  backend(name: string = readVariable('TRENIO_BACKEND', this.variables) ?? 'cpu'): Backend {
    const device = parseDevice(name);
    const key = `${device.entry.name}:${device.ordinal}`;
    let backend = this.#backends.get(key);
    if (backend === undefined) {
      backend = openDevice(device, this);
      this.#backends.set(key, backend);
    }
    return backend;
  }

  get compiler(): CCompiler {
    this.#compiler ??= findCompiler(this.variables);
    return this.#compiler;
  }
  get cache(): CompileCache {
    this.#cache ??= CompileCache.of(this.variables, this.log);
    return this.#cache;
  }
  get native(): NativeLibrary {
    this.#native ??= loadNativeLibrary(this.cache, this.compiler);
    return this.#native;
  }
  get isNativeLoaded(): boolean {
    return this.#native !== undefined;
  }
  get isEngineStarted(): boolean {
    return this.#engine !== undefined;
  }
  /** Started at first use; ends with the process. */
  get engine(): Engine {
    if (this.#closed) throw new TrenioError('RUNTIME_CLOSED', { action: 'a device was requested' });
    if (this.#engine === undefined) {
      const maxLoopSteps = readVariable('TRENIO_MAX_LOOP_STEPS', this.variables);
      this.#engine = new Engine(this.native, threadPlan(this.variables, this.ranks), this.ranks, {
        maxLoopSteps,
        kernelTimer: this.profiler,
        mpiLibrary: this.#mpiLibrary,
      });
      this.observe(this.#engine.threads);
      if (['error', 'silent'].includes(readVariable('TRENIO_LOG', this.variables) ?? '')) this.#engine.silenceWaits();
      // Measured now, while nothing else runs; the profile of one rank is enough.
      if (this.#isProfiled && this.ranks.rank === 0) {
        const onMeasure = (): void => this.log.warn('measuring the limits of this machine (once) …');
        this.#limits = machineLimits(this, { onMeasure });
      }
    }
    return this.#engine;
  }
  get #mpiLibrary(): (() => string) | undefined {
    const compiler = findMpiCompiler(this.variables);
    return compiler === undefined ? undefined : () => this.cache.obtain(mpiRequest(), compiler).path;
  }
  get #isProfiled(): boolean {
    return readVariable('TRENIO_PROFILE', this.variables) ?? false;
  }
  /** From now to the end of this process, its activity is recorded for `trenio top`, `trenio monitor` and reports of steps. */
  readonly observe = (threads: number): void => {
    process.on('exit', this.#atExit);
    const { rank, worldSize, localRank } = this.ranks;
    const collectiveNs = (): number => this.#engine?.collectiveNs ?? 0;
    const report = readVariable('TRENIO_STEP_REPORT', this.variables);
    if (report !== undefined && rank === 0) {
      this.#stepMeter = new StepMeter(report, collectiveNs);
      this.#unsubscribe = subscribe(this.#stepMeter.hear);
    }
    if (isTrialRun(this.variables)) return;
    const limits = knownLimits(this.cache.directory, threads)?.all;
    const peakFlops = limits && { f32: 1e9 * limits.f32, bf16: limits.bf16 && 1e9 * limits.bf16 };
    const cpus = readVariable('TRENIO_CPUS', this.variables) ?? machineInfo().allowed;
    const facts = { rank, worldSize, localRank, cpus: [...cpus], threads, peakFlops };
    this.#endObservation = observeProcess(facts, this.log, {
      variables: this.variables,
      collectiveNs,
      kernelGroups: () => this.profiler && kernelGroups(this.profiler.report()),
    });
  };
  /** The limits of the machine, if profiling is on and its threads have been started. */
  get limits(): MachineLimits | undefined {
    return this.#limits;
  }

  /** Combines all ranks' literals element by element; every rank must call it, in the same order. */
  allReduce(literal: Literal, reduction: Reduction): Literal {
    return this.#meets ? allReduceLiteral(this.engine, literal, reduction) : literal;
  }
  /** Every rank's bytes, in the order of the ranks; all ranks must pass the same number of bytes. */
  allGather(bytes: Uint8Array): readonly Uint8Array[] {
    return this.#meets ? allGather(this.engine, bytes) : Array.from({ length: this.ranks.worldSize }, () => bytes);
  }
  /** Waits until every rank has called this. */
  barrier(): void {
    if (this.#meets) barrier(this.engine);
  }
  /** Ranks of a trial run end at different times, so none may wait for another. */
  get #meets(): boolean {
    return this.ranks.worldSize > 1 && !isTrialRun(this.variables);
  }

  /** Finishes queued work and ends the threads. Throws a failure that was not reported yet. */
  close(): void {
    const error = this.#end();
    if (error !== undefined) throw error;
  }
  #end(): TrenioError | undefined {
    this.#closed = true;
    process.off('exit', this.#atExit);
    const failure = this.#engine?.stream.close();
    this.#stepMeter?.write();
    this.#unsubscribe?.();
    this.#endObservation?.();
    return failure;
  }
  // A step that is still queued when a script ends is part of it: a checkpoint or a peer may depend on it.
  readonly #atExit = (code: number): void => {
    const error = this.#end();
    if (this.#limits !== undefined) process.stderr.write(formatProfile(this.profiler?.report() ?? [], this.#limits));
    if (error === undefined) return;
    this.log.error(`a step whose results were not read has failed: ${error.message}`);
    if (code === 0) process.exitCode = 1;
  };
}
