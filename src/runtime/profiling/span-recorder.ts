// Spans that native threads record (native/spans.c): steps and kernel calls of the executor, and the shares of the other workers.
import type { KernelInfo } from '../../compiler/index.ts';
import type { Engine } from '../execution/engine.ts';
import { type Address, addressOf } from '../execution/native-library.ts';
import type { MachineLimits } from './limits.ts';
import type { Profiler } from './profile.ts';

/** A span of activity of one thread of the device. Times are nanoseconds of the monotonic clock. */
export interface DeviceSpan {
  readonly kind: 'step' | 'kernel' | 'worker' | 'collective';
  /** 0 is the executor, which runs steps and takes part in kernels. */
  readonly worker: number;
  readonly from: bigint;
  readonly to: bigint;
  /** For a step and its kernels: the program, as an index into `programs`. */
  readonly program?: number;
  /** For a kernel: an index into the program's kernels. */
  readonly kernel?: number;
  /** For a collective that a step has started and awaits later: its kind, and the bytes of this rank. */
  readonly collective?: string;
  readonly bytes?: number;
}
export interface RecordedProgram {
  readonly name: string;
  readonly kernels: readonly KernelInfo[];
}
export interface DeviceSpans {
  readonly programs: readonly RecordedProgram[];
  /** Ordered by start time. */
  readonly spans: readonly DeviceSpan[];
  /** The number of spans dropped for lack of space. */
  readonly dropped: number;
}

/** Must match native/spans.c. */
const [headWords, spanWords] = [8, 4];
const kinds = { step: 1, call: 2, worker: 3, collective: 4 } as const;
/** Must match native/trenio_rt.h. */
const collectives: Readonly<Record<number, string>> = {
  1: 'all-reduce',
  2: 'reduce-scatter',
  3: 'all-gather',
  4: 'all-to-all',
  5: 'broadcast',
  6: 'permute',
  7: 'send',
  8: 'recv',
};
/** 32 bytes each. */
const defaultCapacity = 1 << 18;

/** Records until stopped. Only one recording can be active. */
export class SpanRecorder {
  readonly #engine: Engine;
  readonly #profiler: Profiler;
  readonly #words: BigInt64Array;
  readonly #capacity: number;

  /** The limits that kernels are compared with. */
  readonly limits: MachineLimits;

  constructor(engine: Engine, profiler: Profiler, limits: MachineLimits, capacity = defaultCapacity) {
    this.limits = limits;
    this.#engine = engine;
    this.#profiler = profiler;
    this.#capacity = capacity;
    this.#words = new BigInt64Array(headWords + capacity * spanWords);
    engine.synchronize();
    engine.recordSpans(addressOf(this.#words.buffer as ArrayBuffer), capacity);
  }

  /** Waits for queued work. */
  stop(): DeviceSpans {
    this.#engine.synchronize();
    this.#engine.recordSpans(0n, 0);
    const words = this.#words;
    const written = Number(words[0]);
    const count = Math.min(written, this.#capacity);
    const programs: RecordedProgram[] = [];
    const indexOf = new Map<Address, number>();
    const indexAt = (address: Address): number | undefined => {
      const known = indexOf.get(address);
      const found = known === undefined ? this.#profiler.programAt(address) : undefined;
      if (found === undefined) return known;
      indexOf.set(address, programs.length);
      programs.push({ name: found.program, kernels: found.parts.kernels });
      return programs.length - 1;
    };
    const spans: DeviceSpan[] = [];
    // A step is recorded when it is over, after its calls.
    let calls: { readonly call: number; readonly from: bigint; readonly to: bigint }[] = [];
    for (let i = 0; i < count; i++) {
      const at = headWords + i * spanWords;
      const [head, what, from, to] = [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!];
      const [kind, worker] = [Number(head >> 32n), Number(head & 0xffffffffn) - 1];
      if (kind === kinds.call) calls.push({ call: Number(what), from, to });
      else if (kind === kinds.worker) spans.push({ kind: 'worker', worker, from, to });
      else if (kind === kinds.collective) {
        const collective = collectives[Number(what & 255n)] ?? 'collective';
        spans.push({ kind: 'collective', worker, from, to, collective, bytes: Number(what >> 8n) });
      } else {
        const program = what === 0n ? undefined : indexAt(what);
        spans.push({ kind: 'step', worker, from, to, ...(program === undefined ? {} : { program }) });
        const parts = what === 0n ? undefined : this.#profiler.programAt(what)?.parts;
        if (program !== undefined && parts !== undefined)
          for (const { call, ...times } of calls)
            spans.push({ kind: 'kernel', worker, ...times, program, kernel: parts.calls[call]! });
        calls = [];
      }
    }
    spans.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.to > b.to ? -1 : 1));
    return { programs, spans, dropped: written - count };
  }
}
