// The native backend: module → C (src/compiler) → shared object (compile cache) → one call per step, on the engine's
// stream. In tiers (tier-policy.ts), programs may run from their kernels until they and the engine's library are compiled.
import { type CpuTarget, hostTarget, prepareKernels } from '../../../compiler/index.ts';
import { moduleKey } from '../../../hlo/func-key.ts';
import type { Module } from '../../../hlo/program.ts';
import { byteSize, formatType, type TensorType } from '../../../hlo/types.ts';
import type { Samples } from '../../../numerics/samples.ts';
import type { StagedProgram } from '../../../transforms/pipeline/staged-program.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import {
  compileProgram,
  compileProgramLater,
  type PendingProgram,
  type ProgramSource,
  type ReadyProgram,
  recallProgram,
} from '../../execution/compile-program.ts';
import { operatorsOf } from '../../execution/custom-operators.ts';
import {
  type Content,
  type DeviceBuffer,
  type DeviceEvent,
  doneEvent,
  type LoadedProgram,
} from '../../execution/executable.ts';
import { collectAfterCompiling } from '../../execution/garbage.ts';
import { LastingBlocks, lastingFromBytes } from '../../execution/lasting-blocks.ts';
import { allocate, type Block, hugeFromBytes } from '../../execution/memory.ts';
import { MemoryBudget } from '../../execution/memory-budget.ts';
import { loadLibrary, type NativeHost } from '../../execution/native-program.ts';
import { sampledBytes, samplesRecord } from '../../execution/samples.ts';
import { machineLimits } from '../../profiling/limits.ts';
import { Profiler, type ProgramProfile } from '../../profiling/profile.ts';
import type { ProgramRecord } from '../../profiling/program-record.ts';
import { SpanRecorder } from '../../profiling/span-recorder.ts';
import type { PendingLibrary } from '../../toolchain/compile-cache.ts';
import { nativeRequest } from '../../toolchain/native-sources.ts';
import type { Backend, CompileTime } from '../backend.ts';
import { InProcessExecutable } from '../in-process-backend.ts';
import { kernelsMs, startsFromKernels } from './tier-policy.ts';
import { TieredProgram, type TierHost } from './tiered-program.ts';

/** The hardware that the backend runs on. */
export interface CpuHost extends NativeHost {
  /** Whether the engine can be used without compiling its library first. */
  readonly isNativeLoaded?: boolean;
  /** Set when profiling is enabled. */
  readonly profiler?: Profiler | undefined;
  /** Set when programs are recorded for predictions. */
  readonly programRecord?: ProgramRecord | undefined;
}

/** How programs start that are not in the cache. */
export interface Tiers {
  readonly maxLoopSteps: number | undefined;
  readonly warn: (message: string) => void;
}

/** Larger random tensors are sampled by the engine, in parallel. */
const mostSampledHere = 4 << 20;
/** A program with more in its inputs will soon need the engine, which lays out large memory better. */
const mostBeforeEngine = 16 << 20;

export class CpuBackend implements Backend {
  readonly name = 'cpu';
  readonly #host: CpuHost;
  readonly #target: CpuTarget;
  readonly #loaded = new Map<string, LoadedProgram>(); // by their computation
  /** Set if programs may start from their kernels. */
  readonly #tiers: Tiers | undefined;
  /** Uploads that wait for the engine, in order; undefined once it has started. */
  #waiting: Set<HostBuffer> | undefined;
  #waitingBytes = 0;
  /** Bytes copied before the engine has started. */
  #copiedBytes = 0;
  /** The last program that is compiled in the background, and the engine's library. */
  #background: PendingProgram | undefined;
  #library: PendingLibrary | undefined;
  readonly #lasting = new LastingBlocks();
  /** Records the programs that run while spans are recorded. */
  #spanProfiler: Profiler | undefined;
  /** Used until the engine is loaded. */
  readonly #budget = new MemoryBudget(() => this.#waitingBytes);

  /** `isStarting`: the engine has to be compiled; accessing it now would wait for that. */
  constructor(host: CpuHost, target: CpuTarget = hostTarget(), isStarting = false, tiers?: Tiers) {
    this.#host = host;
    this.#target = target;
    this.#tiers = tiers;
    if (isStarting) this.#waiting = new Set();
  }

  /** Submits the waiting uploads to the engine. */
  #start(): void {
    const waiting = this.#waiting ?? new Set();
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    for (const buffer of waiting) buffer.settle();
  }

  compile(module: Module, when: CompileTime = 'now'): LoadedProgram {
    const start = performance.now();
    const operators = operatorsOf(module);
    const key = `${moduleKey(module)} ${[...operators.values()].join(' ')}`;
    const known = this.#loaded.get(key);
    if (known !== undefined) {
      const { executable, report } = known;
      const isTiered = executable instanceof TieredProgram;
      return {
        executable: isTiered && when === 'now' ? executable.machineCode() : executable,
        report: { ...report, fromCache: true, compileMs: performance.now() - start },
      };
    }
    const source = { module, operators, moduleKey: key, target: this.#target };
    const recalled = recallProgram(this.#host, source);
    const isFirstTier = recalled === undefined && when === 'soon' && this.#tiers !== undefined && !this.#isRecorded;
    const loaded =
      isFirstTier && startsFromKernels(module, this.#target)
        ? this.#fromKernels(source, this.#tiers, start)
        : this.#load(recalled ?? this.#compiled(source), start);
    this.#loaded.set(key, loaded);
    this.#host.programRecord?.add(module);
    return loaded;
  }
  recordStages(module: Module, stages: () => StagedProgram): undefined {
    this.#host.programRecord?.add(module, stages);
  }
  #compiled(source: ProgramSource): ReadyProgram {
    if (this.#waiting !== undefined) this.#host.cache.begin(nativeRequest(), this.#host.compiler);
    return compileProgram(this.#host, source, () => this.#start());
  }
  #load({ library, description }: ReadyProgram, start: number): LoadedProgram {
    this.#start();
    // Before the program allocates its temporaries, so that both are never in memory at the same time.
    const { stream, native } = this.#host.engine;
    collectAfterCompiling(() => stream.settle(), native.trim);
    return loadLibrary(this.#host, description, library, start);
  }

  #fromKernels(source: ProgramSource, { maxLoopSteps, warn }: Tiers, start: number): LoadedProgram {
    const { module, operators, target } = source;
    const run = prepareKernels(module, target, operators);
    const limit = maxLoopSteps === undefined ? {} : { maxLoopSteps };
    const kernels = new InProcessExecutable(module, args => run(args, limit));
    const backend = this;
    const host: TierHost = {
      begin: () => this.#begin(source),
      load: pending => this.#load(pending?.obtain() ?? this.#compiled(source), performance.now()).executable,
      settle: () => {
        if (this.#waiting === undefined) this.#host.engine.stream.settle();
      },
      requireMemory: (bytes, what) => this.#currentBudget.require(bytes, what),
      get isRecorded() {
        return backend.#isRecorded;
      },
      onFailure: error =>
        warn(
          `the program ${module.name} continues to run from its kernels, since it cannot be compiled: ${error.message}`,
        ),
    };
    const executable = new TieredProgram(module.name, { kernels, host, expectedMs: kernelsMs(module) });
    const compileMs = performance.now() - start;
    return { executable, report: { fromCache: false, compileMs, arenaBytes: 0, kernels: 0, isFromKernels: true } };
  }
  /** Compiles one program at a time in the background, and the engine's library together with the first. */
  #begin(source: ProgramSource): PendingProgram | undefined {
    if (this.#background?.isDone === false) return undefined;
    const library = this.#waiting === undefined ? undefined : this.#beginLibrary();
    const program = compileProgramLater(this.#host, source);
    this.#background = {
      get isDone() {
        return program.isDone && library?.isDone !== false;
      },
      obtain: () => program.obtain(),
    };
    return this.#background;
  }
  #beginLibrary(): PendingLibrary {
    this.#library ??= this.#host.cache.compileLater(nativeRequest(), this.#host.compiler);
    return this.#library;
  }
  /** Whether times of kernels are recorded. */
  get #isRecorded(): boolean {
    return this.#spanProfiler !== undefined;
  }
  get #currentBudget(): MemoryBudget {
    return this.#waiting === undefined ? this.#host.engine.budget : this.#budget;
  }

  upload(type: TensorType, content: Content, isLasting = false): DeviceBuffer {
    if (this.#waiting === undefined) return this.#upload(type, content, isLasting);
    const bytes = byteSize(type);
    if (content instanceof Uint8Array) {
      const isSmall = bytes < (isLasting ? lastingFromBytes : hugeFromBytes);
      if (!isSmall) this.#copiedBytes += bytes;
      if (isSmall || (this.#tiers !== undefined && this.#copiedBytes <= mostBeforeEngine))
        return HostBuffer.copyOf(type, content);
      this.#start(); // so that the caller may then change the bytes
      return this.#upload(type, content, isLasting);
    }
    this.#budget.require(bytes, () => formatType(type));
    this.#waitingBytes += bytes;
    const buffer = HostBuffer.later(type, () => {
      if (this.#waiting?.delete(buffer)) this.#waitingBytes -= bytes;
      const isHere = this.#waiting !== undefined && this.#tiers !== undefined;
      if (isHere && content.kind === 'zeros') return HostBuffer.zeros(type);
      if (isHere && bytes <= mostSampledHere) return HostBuffer.copyOf(type, sampledBytes(type, content as Samples));
      this.#start();
      return this.#upload(type, content, isLasting);
    });
    this.#waiting.add(buffer);
    if (this.#tiers !== undefined && this.#waitingBytes > mostBeforeEngine) this.#beginLibrary();
    return buffer;
  }
  #upload(type: TensorType, content: Content, isLasting: boolean): HostBuffer {
    const { native, budget } = this.#host.engine;
    budget.require(byteSize(type), () => formatType(type));
    const blocks = isLasting ? this.#lasting : { allocate };
    const memory = (bytes: number): Block => blocks.allocate(bytes, formatType(type), native);
    if (content instanceof Uint8Array) return HostBuffer.copyOf(type, content, memory);
    if (content.kind === 'zeros') return HostBuffer.zeros(type, memory);
    return this.#sample(type, content) ?? HostBuffer.copyOf(type, sampledBytes(type, content), memory);
  }
  /** Queues the sampling; undefined if native code does not support the element type. */
  #sample(type: TensorType, samples: Samples): HostBuffer | undefined {
    const record = samplesRecord(type, samples);
    if (record === undefined) return undefined;
    const { native, stream } = this.#host.engine;
    const numbers = HostBuffer.zeros(type, bytes => allocate(bytes, formatType(type), native)).block;
    const what = allocate(record.byteLength, 'random samples');
    what.bytes.set(record);
    const ticket = stream.submit({
      program: samples.kind,
      entry: native.samplesEntry,
      arena: 0n,
      args: [what.address, numbers.address],
      after: [],
      keepAlive: [what, numbers],
      freshBytes: byteSize(type),
    });
    return new HostBuffer(type, numbers, ticket);
  }
  collectiveMs(): number {
    return this.#host.isNativeLoaded === true ? this.#host.engine.collectiveNs / 1e6 : 0;
  }
  collectiveCpuMs(): number {
    return this.#host.isNativeLoaded === true ? this.#host.engine.collectiveCpuNs / 1e6 : 0;
  }
  profile(): readonly ProgramProfile[] {
    this.synchronize();
    return this.#host.profiler?.report() ?? [];
  }
  recordSpans(): SpanRecorder {
    this.#start();
    const { engine } = this.#host;
    this.#spanProfiler ??= this.#host.profiler ?? new Profiler();
    engine.kernelTimer = this.#spanProfiler;
    return new SpanRecorder(engine, this.#spanProfiler, machineLimits(this.#host));
  }
  record(): DeviceEvent {
    // Kernels run at once.
    if (this.#waiting !== undefined && this.#tiers !== undefined) return doneEvent;
    this.#start();
    return this.#host.engine.stream.record();
  }
  synchronize(): void {
    if (this.#waiting !== undefined && this.#tiers !== undefined) return;
    this.#start();
    this.#host.engine.stream.synchronize();
  }
}
