// The native side of one process: the loaded runtime, its threads and stream, the arena, the shared memory. Shared by the cpu
// backend and the collectives.
import { totalmem } from 'node:os';
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import { emit } from '../../observe/events.ts';
import { errnoText } from './errno-text.ts';
import { MemoryBudget } from './memory-budget.ts';
import { type Address, addressOf, type NativeLibrary } from './native-library.ts';
import { joinNetwork } from './network.ts';
import type { RankInfo } from './rank-info.ts';
import { SpareBlocks } from './spare-blocks.ts';
import { Stream } from './stream.ts';
import type { KernelTimer } from './timers.ts';

const hugePage = 2 << 20;
const wholePages = (bytes: number): number => Math.ceil(bytes / hugePage) * hugePage;

/** Asking how much memory is available takes as long as a small program. */
const limitHoldsMs = 100;

export interface EngineOptions {
  /** The maximum number of iterations of a loop; 0 for no limit. */
  readonly maxLoopSteps?: number | undefined;
  readonly kernelTimer?: KernelTimer | undefined;
  /** The library that mpicc builds from native/mpi_shim.c. */
  readonly mpiLibrary?: (() => string) | undefined;
}

export class Engine {
  readonly native: NativeLibrary;
  readonly stream: Stream;
  readonly ranks: RankInfo;
  readonly threads: number;
  readonly budget: MemoryBudget;
  /** The memory of results that are no longer needed. */
  readonly spare = new SpareBlocks();
  /** Set when profiling is enabled, which may happen at any time. */
  kernelTimer: KernelTimer | undefined;
  readonly #runtime: Address;
  /** Native code adds to these words (native/counters.c). */
  readonly #counters = new BigInt64Array(3);
  #arena: Address = 0n;
  #arenaBytes = 0;
  #arenaLimit = { bytes: 0, until: 0 };

  /**
   * Starts the threads (with `cpus` from `threadPlan`) and joins the other ranks.
   * @throws {OUT_OF_MEMORY} if threads cannot be created
   * @throws {SHARED_MEMORY_FAILED} if the shared memory of the ranks does not exist
   */
  constructor(
    native: NativeLibrary,
    cpus: Int32Array,
    ranks: RankInfo,
    { maxLoopSteps = 0, kernelTimer, mpiLibrary }: EngineOptions = {},
  ) {
    this.kernelTimer = kernelTimer;
    this.native = native;
    this.ranks = ranks;
    this.threads = cpus.length;
    this.#runtime = native.open(cpus);
    if (this.#runtime === 0n) {
      const what = `starting ${cpus.length} threads`;
      throw new TrenioError('OUT_OF_MEMORY', {
        what,
        bytes: cpus.length * (8 << 20),
        available: availableBytes(),
      });
    }
    native.limitLoops(this.#runtime, maxLoopSteps);
    native.count(this.#runtime, addressOf(this.#counters.buffer));
    this.stream = new Stream(native, this.#runtime);
    this.stream.rank = ranks.rank;
    this.budget = new MemoryBudget(
      () => this.stream.pendingBytes,
      () => this.stream.settle(),
    );
    if (ranks.worldSize > 1) {
      native.limitWaits(this.#runtime, (ranks.timeoutSeconds ?? 0) * 1e9);
      if (ranks.segment !== undefined) this.#attach(ranks, ranks.segment);
      if (ranks.network !== undefined) this.#join(() => joinNetwork(native, this.#runtime, ranks, mpiLibrary));
    }
  }

  /** Ends the threads if it fails. */
  #join(join: () => void): void {
    try {
      join();
    } catch (error) {
      this.stream.close();
      throw error;
    }
  }
  #attach(ranks: RankInfo, segment: string): void {
    const { native } = this;
    const errno = native.segmentAttach(this.#runtime, segment, ranks.localRank, ranks.localWorldSize);
    if (errno === 0) return;
    this.stream.close();
    const notOurs = `it was not created for rank ${ranks.localRank} of ${ranks.localWorldSize}, or that rank has attached already`;
    const reason = errno === -1 ? notOurs : errnoText(errno);
    throw new TrenioError('SHARED_MEMORY_FAILED', { action: 'attach to', name: segment, reason });
  }

  /** Nanoseconds that executions have waited for collectives so far. */
  get collectiveNs(): number {
    return Number(Atomics.load(this.#counters, 0));
  }
  /** The nanoseconds taken by collectives that overlap with computation. */
  get overlappedNs(): number {
    return Number(Atomics.load(this.#counters, 1));
  }
  /** The nanoseconds of processor time taken by collectives between hosts, without waiting. */
  get collectiveCpuNs(): number {
    return Number(Atomics.load(this.#counters, 2));
  }

  /** Waits for everything queued. */
  synchronize(): void {
    this.stream.synchronize();
  }
  /** Starts writing spans of threads to this memory, in the format of native/spans.c; 0n stops it. */
  recordSpans(words: Address, capacity: number): void {
    this.native.recordSpans(this.#runtime, words, capacity);
  }
  /** Disables messages about ranks that wait long for others. */
  silenceWaits(): void {
    this.native.segmentSilence(this.#runtime);
  }

  /** Records that a program has grown the arena itself. */
  arenaGrown(bytes: number): void {
    this.#arenaBytes = Math.max(this.#arenaBytes, bytes);
    emit({ kind: 'memory', arenaBytes: this.#arenaBytes });
  }
  /** The maximum size of the arena: its current size plus the available memory, which is asked for now and then. */
  arenaLimit(): number {
    const now = performance.now();
    if (now >= this.#arenaLimit.until)
      this.#arenaLimit = { bytes: this.#arenaBytes + availableBytes(), until: now + limitHoldsMs };
    return this.#arenaLimit.bytes;
  }

  /**
   * The arena, grown to at least `bytes` for a program. It never moves, so programs already queued keep theirs. Its pages are
   * filled before later submissions run.
   * @throws {OUT_OF_MEMORY}
   */
  arena(bytes: number, program: string): Address {
    if (bytes <= this.#arenaBytes) return this.#arena;
    const more = bytes - this.#arenaBytes;
    const what = `the temporaries of ${program}`;
    this.budget.require(more, what);
    const grown = this.native.arena(this.#runtime, bytes, Math.max(totalmem(), bytes));
    if (grown === 0n) throw new TrenioError('OUT_OF_MEMORY', { what, bytes: more, available: availableBytes() });
    this.stream.submit({
      program: 'the arena',
      entry: this.native.populateEntry,
      arena: 0n,
      args: [grown + BigInt(wholePages(this.#arenaBytes)), BigInt(wholePages(bytes) - wholePages(this.#arenaBytes))],
      after: [],
      keepAlive: undefined,
      freshBytes: more,
    });
    this.#arenaBytes = bytes;
    emit({ kind: 'memory', arenaBytes: bytes });
    this.#arena = grown;
    return grown;
  }
}
