// Batches single requests: while one batch runs, requests queue for the next. The expected wait of a request is
// known before it is accepted; the endpoint decides whether that is too long.
//
//   submit ─▶ │i│i│i│i│ … queue ─▶ batch of ≤ maxBatch ─▶ run ─▶ each request's promise
//
// An idle model starts when the requests that have arrived together are read. While it runs, only full batches are submitted,
// so that a partial batch can still grow: one batch ahead, and more if the model ran out of work because this thread was busy
// with its connections.
import { invariant } from '../../base/errors.ts';
import type { ModelLoad, ModelRuns } from './served-model.ts';

/** The function that runs batches. */
export interface BatchRunner<Item, Result> {
  /** A result for each item, in order. Called with at most `maxBatch` items; calls may overlap. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** The maximum number of items in one call. */
  readonly maxBatch: number;
  /** The measured time of a full batch, if any. */
  readonly batchMs: number | undefined;
}

interface Request<Item, Result> {
  readonly items: readonly Item[];
  readonly results: Result[];
  readonly answer: PromiseWithResolvers<readonly Result[]>;
  /** Items that still wait. */
  queued: number;
  /** Items without a result. */
  unanswered: number;
  /** Answered, failed or aborted: its waiting items are not run. */
  settled: boolean;
}

interface Waiting<Item, Result> {
  readonly request: Request<Item, Result>;
  readonly index: number;
}

/** The minimum and maximum number of batches that are submitted at the same time. */
const FEWEST_AHEAD = 2;
const MOST_AHEAD = 16;
const NO_RUNS: ModelRuns = { runs: 0, items: 0, ms: 0 };
/** The weight of a new measurement in the moving mean of the batch time. */
const WEIGHT = 0.2;

export class MicroBatcher<Item, Result> implements ModelLoad {
  readonly #runner: BatchRunner<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  /** The index of the first item in the queue that was not taken. */
  #head = 0;
  /** Items in the queue that will be run. */
  #waiting = 0;
  /** Submitted batches. */
  #running = 0;
  #scheduled = false;
  /** The current limit of submitted batches, including running ones. */
  #ahead = FEWEST_AHEAD;
  /** Time between the ends of batches while the model is busy. */
  #batchMs: number;
  #lastEnd = 0;
  #idle: PromiseWithResolvers<void> | undefined;
  #runs = NO_RUNS;

  constructor(runner: BatchRunner<Item, Result>) {
    this.#runner = runner;
    this.#batchMs = runner.batchMs ?? 0;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get batch(): number {
    return this.#runner.maxBatch;
  }

  /** How long an item that arrives now would wait for the end of its batch. */
  get expectedMs(): number {
    return (this.#running + Math.ceil((this.#waiting + 1) / this.#runner.maxBatch)) * this.#batchMs;
  }

  takeRuns(): ModelRuns {
    const taken = this.#runs;
    this.#runs = NO_RUNS;
    return taken;
  }

  /** Results for the items, in their order. Aborting the signal removes the items that still wait. @throws what the runner throws. */
  async submit(items: readonly Item[], signal?: AbortSignal): Promise<readonly Result[]> {
    signal?.throwIfAborted();
    const request: Request<Item, Result> = {
      items,
      results: [],
      answer: Promise.withResolvers(),
      queued: items.length,
      unanswered: items.length,
      settled: false,
    };
    if (items.length === 0) return [];
    for (let index = 0; index < items.length; index++) this.#queue.push({ request, index });
    this.#waiting += items.length;
    signal?.addEventListener('abort', () => this.#fail(request, signal.reason), { once: true });
    // A full batch can be submitted immediately.
    if (this.#running === 0 && this.#waiting < this.#runner.maxBatch) this.#schedule();
    else this.#handOver();
    return request.answer.promise;
  }

  /** Resolves when nothing waits or runs. */
  async whenIdle(): Promise<void> {
    if (this.#isIdle) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  get #isIdle(): boolean {
    return this.#running === 0 && this.#waiting === 0;
  }

  /** Runs after pending data of the sockets is read: requests that arrive together run together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#handOver();
      if (this.#running === 0 && this.#waiting > 0) void this.#run(this.#next());
      this.#settleIdle();
    });
  }

  /** Submits full batches, as many ahead as allowed. */
  #handOver(): void {
    const { maxBatch } = this.#runner;
    // Errors reach the callers through their promises.
    while (this.#waiting >= maxBatch && this.#running < this.#ahead) void this.#run(this.#next());
  }

  #next(): readonly Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    while (batch.length < this.#runner.maxBatch && this.#head < this.#queue.length) {
      const item = this.#queue[this.#head++]!;
      if (item.request.settled) continue;
      item.request.queued--;
      batch.push(item);
    }
    this.#waiting -= batch.length;
    // Submitted items are removed only occasionally: each removal takes time proportional to the queue.
    if (this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return batch;
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#running++;
    const start = performance.now();
    try {
      const results = await this.#runner.run(batch.map(({ request, index }) => request.items[index]!));
      const { runs, items, ms } = this.#runs;
      this.#runs = { runs: runs + 1, items: items + batch.length, ms: ms + performance.now() - start };
      invariant(results.length === batch.length, `${results.length} results for ${batch.length} items`);
      for (const [i, item] of batch.entries()) this.#answer(item, results[i]!);
    } catch (error) {
      for (const { request } of batch) this.#fail(request, error);
    }
    const end = performance.now();
    const ms = end - Math.max(start, this.#lastEnd);
    this.#batchMs += (this.#batchMs === 0 ? 1 : WEIGHT) * (ms - this.#batchMs);
    this.#lastEnd = end;
    this.#running--;
    if (this.#waiting >= this.#runner.maxBatch) {
      // The model ran out of work although items were waiting.
      if (this.#running === 0) this.#ahead = Math.min(MOST_AHEAD, this.#ahead * 2);
    } else if (this.#ahead > FEWEST_AHEAD) this.#ahead--;
    this.#handOver();
    if (this.#running === 0 && this.#waiting > 0) this.#schedule();
    this.#settleIdle();
  }

  #answer({ request, index }: Waiting<Item, Result>, result: Result): void {
    request.results[index] = result;
    request.unanswered--;
    if (request.unanswered > 0 || request.settled) return;
    request.settled = true;
    request.answer.resolve(request.results);
  }

  #fail(request: Request<Item, Result>, error: unknown): void {
    if (request.settled) return;
    request.settled = true;
    this.#waiting -= request.queued;
    request.answer.reject(error);
    this.#settleIdle();
  }

  #settleIdle(): void {
    if (!this.#isIdle) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
