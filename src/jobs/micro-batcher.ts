// Turns single requests into batches: while one batch runs, requests gather for the next. A request that would wait too
// long is refused at once instead of answered too late.
//
//   submit ─▶ │t│t│t│t│ … queue ─▶ batch of ≤ maxBatch ─▶ classify ─▶ each request's promise
//
// An idle model starts when the requests that have arrived together are read. While it runs, only full batches are handed
// over, so that a partial one still gathers: one ahead, and more where the model ran out of work because this thread was
// busy with its connections.
import { invariant, TrenioError } from '../base/errors.ts';
import type { Prediction, TextClassifier } from './text-classifier.ts';

interface Request {
  readonly texts: readonly string[];
  readonly predictions: Prediction[];
  readonly answer: PromiseWithResolvers<readonly Prediction[]>;
  /** Texts that still wait. */
  queued: number;
  /** Texts without a prediction. */
  unanswered: number;
  /** Answered, failed or given up: what still waits of it is not run. */
  settled: boolean;
}

interface Waiting {
  readonly request: Request;
  readonly index: number;
}

export interface BatcherOptions {
  /** For messages. */
  readonly name: string;
  /** The most texts that wait. */
  readonly maxWaiting: number;
  /** A request that would wait longer is refused. One batch may always wait. */
  readonly maxWaitMs: number;
}

/** Batches that are handed over at the same time: these at least, and at most. */
const FEWEST_AHEAD = 2;
const MOST_AHEAD = 16;
/** Of a new measurement, in the moving mean of a batch's time. */
const WEIGHT = 0.2;

export class MicroBatcher {
  readonly #classifier: TextClassifier;
  readonly #options: BatcherOptions;
  #queue: Waiting[] = [];
  /** Of the first in the queue that was not taken. */
  #head = 0;
  /** Texts in the queue that are to be run. */
  #waiting = 0;
  /** Batches that were handed over. */
  #running = 0;
  #scheduled = false;
  /** The most batches that run or are handed over. */
  #ahead = FEWEST_AHEAD;
  /** Time between the ends of batches while the model is busy. */
  #batchMs: number;
  #lastEnd = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(classifier: TextClassifier, options: BatcherOptions) {
    this.#classifier = classifier;
    this.#options = options;
    this.#batchMs = classifier.batchMs ?? 0;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** How long a text that came now would wait for the end of its batch. */
  get expectedMs(): number {
    return (this.#running + Math.ceil((this.#waiting + 1) / this.#classifier.maxBatch)) * this.#batchMs;
  }

  /** @throws {ENDPOINT_OVERLOADED} if so many more texts would not be taken now */
  admit(texts: number): void {
    const { maxWaiting, maxWaitMs, name } = this.#options;
    const fits = this.#waiting + texts <= maxWaiting;
    if (fits && (this.#waiting < this.#classifier.maxBatch || this.expectedMs <= maxWaitMs)) return;
    throw new TrenioError('ENDPOINT_OVERLOADED', {
      name,
      waiting: this.#waiting,
      expectedMs: Math.ceil(this.expectedMs),
      limit: fits ? `${maxWaitMs} ms` : `${maxWaiting} texts`,
      retryAfterSeconds: Math.max(1, Math.ceil(this.expectedMs / 1000)),
    });
  }

  /**
   * Predictions for the texts, in their order. An aborted signal takes back what still waits.
   * @throws {ENDPOINT_OVERLOADED}
   * @throws whatever the classifier throws for the batch
   */
  async submit(texts: readonly string[], signal?: AbortSignal): Promise<readonly Prediction[]> {
    signal?.throwIfAborted();
    this.admit(texts.length);
    const request: Request = {
      texts,
      predictions: [],
      answer: Promise.withResolvers(),
      queued: texts.length,
      unanswered: texts.length,
      settled: false,
    };
    if (texts.length === 0) return [];
    for (let index = 0; index < texts.length; index++) this.#queue.push({ request, index });
    this.#waiting += texts.length;
    signal?.addEventListener('abort', () => this.#fail(request, signal.reason), { once: true });
    if (this.#running === 0) this.#schedule();
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

  /** After what has arrived at the sockets is read: requests that come together run together. */
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

  /** Full batches, as many ahead as are allowed. */
  #handOver(): void {
    const { maxBatch } = this.#classifier;
    // Errors reach the callers through their promises.
    while (this.#waiting >= maxBatch && this.#running < this.#ahead) void this.#run(this.#next());
  }

  #next(): readonly Waiting[] {
    const batch: Waiting[] = [];
    while (batch.length < this.#classifier.maxBatch && this.#head < this.#queue.length) {
      const item = this.#queue[this.#head++]!;
      if (item.request.settled) continue;
      item.request.queued--;
      batch.push(item);
    }
    this.#waiting -= batch.length;
    // What was taken is let go of now and then: each time would cost as much as the queue is long.
    if (this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return batch;
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#running++;
    const start = performance.now();
    try {
      const predictions = await this.#classifier.classify(batch.map(({ request, index }) => request.texts[index]!));
      invariant(predictions.length === batch.length, `${predictions.length} predictions for ${batch.length} texts`);
      for (const [i, item] of batch.entries()) this.#answer(item, predictions[i]!);
    } catch (error) {
      for (const { request } of batch) this.#fail(request, error);
    }
    const end = performance.now();
    const ms = end - Math.max(start, this.#lastEnd);
    this.#batchMs += (this.#batchMs === 0 ? 1 : WEIGHT) * (ms - this.#batchMs);
    this.#lastEnd = end;
    this.#running--;
    if (this.#waiting >= this.#classifier.maxBatch) {
      // The model has run out of work although there was some.
      if (this.#running === 0) this.#ahead = Math.min(MOST_AHEAD, this.#ahead * 2);
    } else if (this.#ahead > FEWEST_AHEAD) this.#ahead--;
    this.#handOver();
    if (this.#running === 0 && this.#waiting > 0) this.#schedule();
    this.#settleIdle();
  }

  #answer({ request, index }: Waiting, prediction: Prediction): void {
    request.predictions[index] = prediction;
    request.unanswered--;
    if (request.unanswered > 0 || request.settled) return;
    request.settled = true;
    request.answer.resolve(request.predictions);
  }

  #fail(request: Request, error: unknown): void {
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
