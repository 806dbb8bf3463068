// Turns single requests into batches: while one batch runs, requests gather for the next; an idle model waits a short
// window for company. The queue is bounded: beyond it a request is refused at once instead of answered too late.
//
//   submit ─▶ │t│t│t│t│ … queue ─▶ batch of ≤ maxBatch ─▶ classify ─▶ each text's promise
//
// One batch runs at a time: the model uses every core already.
import { invariant, TrenioError } from '../base/errors.ts';
import type { Prediction, TextClassifier } from './text-classifier.ts';

interface Waiting {
  readonly text: string;
  readonly answer: PromiseWithResolvers<Prediction>;
  readonly signal: AbortSignal | undefined;
}

export interface BatcherOptions {
  /** For messages. */
  readonly name: string;
  /** How long an idle model waits for more texts. */
  readonly windowMs: number;
  /** The most texts that wait. */
  readonly maxWaiting: number;
}

export class MicroBatcher {
  readonly #classifier: TextClassifier;
  readonly #options: BatcherOptions;
  #waiting: Waiting[] = [];
  /** A batch is running, or the window is open. */
  #busy = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(classifier: TextClassifier, options: BatcherOptions) {
    this.#classifier = classifier;
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Predictions for the texts, in their order. An aborted signal takes back what still waits.
   * @throws ENDPOINT_OVERLOADED, or whatever the classifier throws for the batch.
   */
  async submit(texts: readonly string[], signal?: AbortSignal): Promise<readonly Prediction[]> {
    const { maxWaiting, name } = this.#options;
    if (this.#waiting.length + texts.length > maxWaiting) {
      throw new TrenioError('ENDPOINT_OVERLOADED', { name, waiting: this.#waiting.length, limit: maxWaiting });
    }
    const mine = texts.map(text => ({ text, answer: Promise.withResolvers<Prediction>(), signal }));
    this.#waiting.push(...mine);
    if (!this.#busy) {
      this.#busy = true;
      // Errors reach the callers through their promises.
      void this.#work();
    }
    return Promise.all(mine.map(item => item.answer.promise));
  }

  /** Resolves when nothing waits or runs. */
  async whenIdle(): Promise<void> {
    if (!this.#busy) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  async #work(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, this.#options.windowMs));
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#run(batch);
    this.#busy = false;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  #next(): readonly Waiting[] {
    const wanted: Waiting[] = [];
    for (const item of this.#waiting) {
      if (item.signal?.aborted === true) item.answer.reject(item.signal.reason);
      else wanted.push(item);
    }
    this.#waiting = wanted.slice(this.#classifier.maxBatch);
    return wanted.slice(0, this.#classifier.maxBatch);
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const predictions = await this.#classifier.classify(batch.map(item => item.text));
      invariant(predictions.length === batch.length, `${predictions.length} predictions for ${batch.length} texts`);
      for (const [i, item] of batch.entries()) item.answer.resolve(predictions[i]!);
    } catch (error) {
      for (const item of batch) item.answer.reject(error);
    }
  }
}
