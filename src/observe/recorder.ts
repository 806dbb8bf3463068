// Accumulates events into samples, four per second, and writes them to the ring file of this process. An event costs well below a
// microsecond; two small writes to memory follow at most every `spanMs`.
import type { ObservedEvent, ProgramEvent } from './events.ts';
import type { ProcessDetails } from './ring-file.ts';
import type { Sample } from './sample.ts';

/** The ring file, or a list in tests. */
export interface SampleSink {
  append(sample: Sample): void;
  describe(details: ProcessDetails): void;
}

export interface RecorderOptions {
  /** Milliseconds since 1970, with fractions. */
  readonly nowMs?: () => number;
  /** Nanoseconds that this process has spent in collectives so far. */
  readonly collectiveNs?: () => number;
  readonly kernelGroups?: () => ProcessDetails['kernelGroups'];
  readonly residentBytes?: () => number;
}

const spanMs = 250;
const describeEveryMs = 1000;

interface ProgramTotals {
  readonly event: ProgramEvent;
  runs: number;
  totalMs: number;
  fastestMs: number;
  lastMs: number;
}

const noAmounts = {
  steps: 0,
  runs: 0,
  busyMs: 0,
  dataWaitMs: 0,
  compiles: 0,
  compileMs: 0,
  loss: Number.NaN,
  examples: 0,
  tokens: 0,
  flops: 0,
  fastestMs: Number.NaN,
  slowestMs: Number.NaN,
};

export class Recorder {
  readonly #sink: SampleSink;
  readonly #options: Required<RecorderOptions>;
  readonly #programs = new Map<number, ProgramTotals>();
  #span = { ...noAmounts };
  #isEmpty = true;
  #spanStartMs: number;
  #describedMs = Number.NEGATIVE_INFINITY;
  #sequence = 0;
  #totalSteps = 0;
  #totalRuns = 0;
  #collectiveNs = 0;
  readonly #memory = { parameterBytes: 0, optimizerBytes: 0, arenaBytes: 0 };
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(sink: SampleSink, options: RecorderOptions = {}) {
    this.#sink = sink;
    this.#options = {
      nowMs: () => performance.timeOrigin + performance.now(),
      collectiveNs: () => 0,
      kernelGroups: () => undefined,
      residentBytes: () => process.memoryUsage.rss(),
      ...options,
    };
    this.#spanStartMs = this.#options.nowMs();
  }

  /** Records an event. */
  readonly hear = (event: ObservedEvent): void => {
    const span = this.#span;
    this.#isEmpty = false;
    switch (event.kind) {
      case 'program':
        this.#programs.set(event.id, {
          event,
          runs: 0,
          totalMs: 0,
          fastestMs: Number.POSITIVE_INFINITY,
          lastMs: 0,
        });
        break;
      case 'run':
        this.#ran(event.program, event.nanoseconds / 1e6);
        break;
      case 'compile':
        span.compiles++;
        span.compileMs += event.milliseconds;
        break;
      case 'step':
        span.steps++;
        this.#totalSteps++;
        break;
      case 'batch':
        span.examples += event.examples;
        span.tokens += event.tokens;
        span.dataWaitMs += event.waitMs;
        break;
      case 'loss':
        span.loss = event.value;
        break;
      case 'memory': {
        const { parameterBytes, optimizerBytes, arenaBytes } = event;
        if (parameterBytes !== undefined) this.#memory.parameterBytes = parameterBytes;
        if (optimizerBytes !== undefined) this.#memory.optimizerBytes = optimizerBytes;
        if (arenaBytes !== undefined) this.#memory.arenaBytes = arenaBytes;
        break;
      }
      // No assertNever here: this is a hot path, and the compiler checks `kind` where events are created.
    }
    if (this.#options.nowMs() - this.#spanStartMs >= spanMs) this.flush();
    // If the script only waits from now on, its last activity is still shown.
    else this.#timer ??= setTimeout(() => this.flush(), spanMs).unref();
  };

  /** Writes the accumulated sample, if there is anything in it. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isEmpty || this.#isClosed) return;
    const nowMs = this.#options.nowMs();
    const collectiveNs = this.#options.collectiveNs();
    this.#sink.append({
      ...this.#span,
      ...this.#memory,
      sequence: ++this.#sequence,
      timeMs: nowMs,
      spanMs: nowMs - this.#spanStartMs,
      totalSteps: this.#totalSteps,
      totalRuns: this.#totalRuns,
      collectiveMs: (collectiveNs - this.#collectiveNs) / 1e6,
      residentBytes: this.#options.residentBytes(),
    });
    this.#collectiveNs = collectiveNs;
    this.#span = { ...noAmounts };
    this.#isEmpty = true;
    this.#spanStartMs = nowMs;
    if (nowMs - this.#describedMs < describeEveryMs) return;
    this.#describedMs = nowMs;
    this.#sink.describe(this.#details());
  }

  /** Writes nothing more, including later events. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isClosed = true;
  }

  #ran(id: number, ms: number): void {
    const span = this.#span;
    span.runs++;
    this.#totalRuns++;
    span.busyMs += ms;
    const program = this.#programs.get(id);
    if (program === undefined) return;
    program.runs++;
    program.totalMs += ms;
    program.lastMs = ms;
    if (ms < program.fastestMs) program.fastestMs = ms;
    span.flops += program.event.flops;
    if (program.event.stateInputs === 0) return;
    // Written so that NaN, the value before the first execution, is replaced.
    if (!(ms >= span.fastestMs)) span.fastestMs = ms;
    if (!(ms <= span.slowestMs)) span.slowestMs = ms;
  }

  #details(): ProcessDetails {
    const programs = [...this.#programs.values()]
      .filter(({ runs }) => runs > 0)
      .sort((a, b) => b.totalMs - a.totalMs)
      .slice(0, 32)
      .map(({ event: { kind: _, ...event }, ...totals }) => ({ ...event, ...totals }));
    return { programs, kernelGroups: this.#options.kernelGroups() };
  }
}
