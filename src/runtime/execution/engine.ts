// The native side of one process: the loaded runtime, its threads and stream, the arena, the shared memory. What the
// cpu backend and the collectives have in common.
import { totalmem } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import type { RankInfo } from '../comm/ranks.ts';
import type { Profiler } from '../profiling/profile.ts';
import type { StepMeter } from '../profiling/step-meter.ts';
import { MemoryBudget } from './memory-budget.ts';
import type { Address, NativeLibrary } from './native-library.ts';
import { Stream } from './stream.ts';

/** The text of an errno, as `segmentAttach` and `segmentCreate` give it. */
export function errnoText(errno: number): string {
  const [code, text] = getSystemErrorMap().get(-errno) ?? ['', `error ${errno}`];
  return code === '' ? text : `${text} (${code})`;
}

const hugePage = 2 << 20;
const wholePages = (bytes: number): number => Math.ceil(bytes / hugePage) * hugePage;

export class Engine {
  readonly native: NativeLibrary;
  readonly stream: Stream;
  readonly ranks: RankInfo;
  readonly threads: number;
  readonly budget: MemoryBudget;
  /** Of a runtime that is profiled. */
  readonly profiler: Profiler | undefined;
  /** Of a runtime whose steps somebody watches. */
  meter: StepMeter | undefined;
  readonly #runtime: Address;
  #arena: Address = 0n;
  #arenaBytes = 0;

  /**
   * Starts the threads (`cpus` as `threadPlan` gives them) and joins the other ranks.
   * Throws OUT_OF_MEMORY if threads cannot be had, SHARED_MEMORY_FAILED if the ranks' memory is not there.
   */
  constructor(native: NativeLibrary, cpus: Int32Array, ranks: RankInfo, maxLoopSteps = 0, profiler?: Profiler) {
    this.profiler = profiler;
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
    this.stream = new Stream(native, this.#runtime);
    this.stream.rank = ranks.rank;
    this.budget = new MemoryBudget(
      () => this.stream.pendingBytes,
      () => this.stream.settle(),
    );
    if (ranks.segment === undefined) return;
    const errno = native.segmentAttach(this.#runtime, ranks.segment, ranks.localRank, ranks.localWorldSize);
    if (errno === 0) return;
    this.stream.close();
    const notOurs = `it is not for rank ${ranks.localRank} of ${ranks.localWorldSize}, or that rank has attached already`;
    const reason = errno === -1 ? notOurs : errnoText(errno);
    throw new TrenioError('SHARED_MEMORY_FAILED', { action: 'attach to', name: ranks.segment, reason });
  }

  /** No lines about ranks that wait long for others. */
  silenceWaits(): void {
    this.native.segmentSilence(this.#runtime);
  }

  /** Takes note that a program has grown the arena itself. */
  arenaGrown(bytes: number): void {
    this.#arenaBytes = Math.max(this.#arenaBytes, bytes);
  }
  /** How large the arena may become: what it is, and the memory that is left. */
  arenaLimit(): number {
    return this.#arenaBytes + availableBytes();
  }

  /**
   * The arena, grown to at least `bytes` for a program. It never moves, so programs already queued keep theirs. Its pages are filled
   * before what is submitted later runs.
   * Throws OUT_OF_MEMORY.
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
    this.#arena = grown;
    return grown;
  }
}
