// How long a loop waits for its batches, compared with the time of its steps. Prints a message once if data is the bottleneck.
import { availableParallelism } from 'node:os';
import { loggerFrom } from '../../base/logger.ts';

/** The result of `DataLoader.stats()`. */
export interface LoaderStats {
  /** Batches delivered to the loop. */
  readonly batches: number;
  /** Time in which the loop waited for a batch. */
  readonly waitMs: number;
  /** Time from the first request for a batch to the last: waiting and steps. */
  readonly totalMs: number;
  /** waitMs / totalMs, from 0 to 1. */
  readonly waitFraction: number;
  /** The number of worker threads that load examples; 0 loads on the main thread. */
  readonly numWorkers: number;
}

/** The first batches start workers and compile programs; they are not representative. */
const warmupBatches = 3;
const reportAfterMs = 5000;
const reportAfterBatches = 10;
const reportFrom = 0.15;

export class LoaderClock {
  readonly #numWorkers: number;
  readonly #log: (message: string) => void;
  #batches = 0;
  #waitMs = 0;
  #stepMs = 0;
  #warmWaitMs = 0;
  #warmStepMs = 0;
  #isReported = false;

  constructor(numWorkers: number, log: (message: string) => void = message => loggerFrom().warn(message)) {
    this.#numWorkers = numWorkers;
    this.#log = log;
  }
  /** Records that the loop was given a batch after it waited for `waitMs`. */
  waited(ms: number): void {
    this.#batches++;
    this.#waitMs += ms;
    if (this.#batches > warmupBatches) this.#warmWaitMs += ms;
  }
  /** The time that the loop took before it requested the next batch. */
  stepped(ms: number): void {
    this.#stepMs += ms;
    if (this.#batches > warmupBatches) this.#warmStepMs += ms;
    this.#report();
  }
  stats(): LoaderStats {
    const totalMs = this.#waitMs + this.#stepMs;
    return {
      batches: this.#batches,
      waitMs: this.#waitMs,
      totalMs,
      waitFraction: totalMs === 0 ? 0 : this.#waitMs / totalMs,
      numWorkers: this.#numWorkers,
    };
  }
  #report(): void {
    const totalMs = this.#warmWaitMs + this.#warmStepMs;
    if (this.#isReported || this.#batches - warmupBatches < reportAfterBatches || totalMs < reportAfterMs) return;
    const fraction = this.#warmWaitMs / totalMs;
    // A loop without steps only reads, so waiting is expected.
    if (fraction < reportFrom || this.#warmStepMs < 0.02 * totalMs) return;
    this.#isReported = true;
    this.#log(bottleneckMessage(fraction, this.#numWorkers));
  }
}

/** The message that data is the bottleneck, with advice. */
export function bottleneckMessage(fraction: number, numWorkers: number, cores = availableParallelism()): string {
  return `${Math.round(fraction * 100)} % of the time waits on data: ${loaderAdvice(numWorkers, cores)}`;
}
/** `2 loader workers, try 4 (numWorkers)` */
export function loaderAdvice(numWorkers: number, cores = availableParallelism()): string {
  const more = Math.min(Math.max(2, 2 * numWorkers), cores);
  const workers = `${numWorkers} loader worker${numWorkers === 1 ? '' : 's'}`;
  const advice =
    more > numWorkers ? `try ${more} (numWorkers)` : `all ${cores} cores are used: prepare the data once, with cache()`;
  return `${workers}, ${advice}`;
}
