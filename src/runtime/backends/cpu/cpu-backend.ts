// The native backend: module → C (src/compiler) → shared object (compile cache) → one call per step, on the engine's
// stream.
import { type CpuTarget, hostTarget } from '../../../compiler/index.ts';
import { moduleKey } from '../../../hlo/func-key.ts';
import type { Module } from '../../../hlo/program.ts';
import { byteSize, formatType, type TensorType } from '../../../hlo/types.ts';
import type { Samples } from '../../../numerics/samples.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import { compileProgram } from '../../execution/compile-program.ts';
import { operatorsOf } from '../../execution/custom-operators.ts';
import type { Content, DeviceBuffer, DeviceEvent, LoadedProgram } from '../../execution/executable.ts';
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
import type { Backend } from '../backend.ts';

/** The hardware that the backend runs on. */
export interface CpuHost extends NativeHost {
  /** Whether the engine can be used without compiling its library first. */
  readonly isNativeLoaded?: boolean;
  /** Set when profiling is enabled. */
  readonly profiler?: Profiler | undefined;
  /** Set when programs are recorded for predictions. */
  readonly programRecord?: ProgramRecord | undefined;
}

export class CpuBackend implements Backend {
  readonly name = 'cpu';
  readonly #host: CpuHost;
  readonly #target: CpuTarget;
  readonly #loaded = new Map<string, LoadedProgram>(); // by their computation
  /** Uploads that wait for the engine, in order; undefined once it has started. */
  #waiting: HostBuffer[] | undefined;
  #waitingBytes = 0;
  readonly #lasting = new LastingBlocks();
  /** Records the programs that run while spans are recorded. */
  #spanProfiler: Profiler | undefined;
  /** Used until the engine is loaded. */
  readonly #budget = new MemoryBudget(() => this.#waitingBytes);

  /** `isStarting`: the engine is still being compiled; accessing it now would wait for that. */
  constructor(host: CpuHost, target: CpuTarget = hostTarget(), isStarting = false) {
    this.#host = host;
    this.#target = target;
    if (isStarting) this.#waiting = [];
  }

  /** Submits the waiting uploads to the engine. */
  #start(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    for (const buffer of waiting) buffer.settle();
  }

  compile(module: Module): LoadedProgram {
    const start = performance.now();
    const operators = operatorsOf(module);
    const key = `${moduleKey(module)} ${[...operators.values()].join(' ')}`;
    let loaded = this.#loaded.get(key);
    if (loaded !== undefined) {
      const report = { ...loaded.report, fromCache: true, compileMs: performance.now() - start };
      return { executable: loaded.executable, report };
    }
    const meanwhile = (): void => this.#start();
    const { library, description } = compileProgram(this.#host, module, operators, key, this.#target, meanwhile);
    this.#start();
    // Before the program allocates its temporaries, so that both are never in memory at the same time.
    const { stream, native } = this.#host.engine;
    collectAfterCompiling(() => stream.settle(), native.trim);
    loaded = loadLibrary(this.#host, description, library, start);
    this.#loaded.set(key, loaded);
    this.#host.programRecord?.add(module);
    return loaded;
  }
  upload(type: TensorType, content: Content, isLasting = false): DeviceBuffer {
    if (this.#waiting === undefined) return this.#upload(type, content, isLasting);
    if (content instanceof Uint8Array) {
      if (content.byteLength < (isLasting ? lastingFromBytes : hugeFromBytes)) return HostBuffer.copyOf(type, content);
      this.#start(); // so that the caller may then change the bytes
      return this.#upload(type, content, isLasting);
    }
    this.#budget.require(byteSize(type), () => formatType(type));
    this.#waitingBytes += byteSize(type);
    const buffer = HostBuffer.later(type, () => this.#upload(type, content, isLasting));
    this.#waiting.push(buffer);
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
    this.#start();
    return this.#host.engine.stream.record();
  }
  synchronize(): void {
    this.#start();
    this.#host.engine.stream.synchronize();
  }
}
