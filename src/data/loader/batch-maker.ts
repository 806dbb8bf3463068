// Makes one batch: fetches its items, pads them to a bucket, collates them. The same code runs in the loop's own thread and in
// the threads of loader workers, so that a batch does not depend on where it was made. Which items a batch has is decided
// elsewhere for datasets with an index; a stream is read here, because reading is the work.
//
// Every worker reads a whole stream, but its entries are computed only when they are used (`lazy.ts`): a worker skips over the
// batches of the others. The work on items that all of them need is shared (`shared-work.ts`).

import type { Dataset } from '../datasets/dataset.ts';
import type { Items } from '../datasets/iterable-dataset.ts';
import { type Lazy, lazyItems } from '../datasets/lazy.ts';
import { type Peers, type SharedPass, SharedWork } from '../datasets/shared-work.ts';
import { ImageFolder } from '../images/image-folder.ts';
import { fetching } from '../transforms/transform.ts';
import { type BucketOptions, padItems } from './batch-bucket.ts';
import { type Split, type SplitBatch, StepSplitter } from './batch-share.ts';
import { collated } from './collate.ts';
import type { ThreadWork } from './thread-work.ts';
import { readingStream } from './worker-info.ts';

/** Turns items into a batch. Items from `real` on repeat earlier ones to fill the last batch; do not count them. */
export type Collate<T, B> = (items: readonly T[], batch: { readonly real: number }) => B | Promise<B>;

/** How batches are made. */
export interface BatchRecipe<T, B> {
  /** Items by index, or the stream that is read. */
  readonly source:
    | { readonly kind: 'dataset'; readonly dataset: Dataset<T> }
    | { readonly kind: 'stream'; readonly stream: Items<T> };
  /** Default: `defaultCollate`. */
  readonly collate: Collate<T, B> | undefined;
  readonly bucket: BucketOptions | undefined;
  readonly split: Split;
  readonly dropLast: boolean;
  /** The seed of random transforms. */
  readonly seed: number;
}

/** Which batch to make: of the items at these indices, or the n-th of this rank in a stream. */
export interface BatchTask {
  readonly epoch: number;
  readonly batch: number;
  /** Undefined for a stream. */
  readonly indices: readonly number[] | undefined;
  readonly real: number;
  /** Set for a stream that several workers read together. */
  readonly pass?: SharedPass | undefined;
}
/** A batch, with its items if others may also hold them; undefined if the stream has ended. */
export type Made<B> = { readonly batch: B; readonly items: readonly unknown[] } | undefined;

/** The item at which an error was thrown, for messages. */
export const failedItems = new WeakMap<object, number>();

export class BatchMaker<T, B> {
  readonly #recipe: BatchRecipe<T, B>;
  #reader:
    | {
        readonly epoch: number;
        readonly pass: number;
        next: number;
        readonly batches: AsyncGenerator<SplitBatch<Numbered<T>>>;
      }
    | undefined;

  readonly #peers: Peers | undefined;
  readonly #work: ThreadWork | undefined;
  /** The last pass that was begun. */
  #pass = 0;

  /** `peers`: the other workers; `work`: what measures the work on the thread of the loop. */
  constructor(recipe: BatchRecipe<T, B>, { peers, work }: { readonly peers?: Peers; readonly work?: ThreadWork } = {}) {
    this.#recipe = recipe;
    this.#peers = peers;
    this.#work = work;
  }
  async make(task: BatchTask): Promise<Made<B>> {
    const { source } = this.#recipe;
    if (source.kind === 'stream') return await this.#fromStream(source.stream, task);
    const { dataset } = source;
    const { epoch } = task;
    const indices = task.indices!;
    if (makesBatches(dataset)) {
      const items = this.#measured(() => dataset.getItems(indices, epoch));
      const entries = indices.map((number, i) => ({ number, lazy: () => items[i]! }));
      return await this.#collated(entries, task, true);
    }
    return await this.#collated(
      indices.map(index => ({ number: index, lazy: () => dataset.get(index, epoch) })),
      task,
    );
  }
  /** Closes the stream that is being read. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    await reader?.batches.return(undefined);
  }

  async #fromStream(stream: Items<T>, { epoch, batch, pass }: BatchTask): Promise<Made<B>> {
    const last = this.#reader;
    const number = pass?.number ?? 0;
    if (last !== undefined && (last.epoch !== epoch || last.next > batch || last.pass !== number)) await this.close();
    this.#reader ??= {
      epoch,
      pass: number,
      next: 0,
      batches: splitStream(stream, epoch, this.#recipe, this.#share(pass)),
    };
    const reader = this.#reader;
    for (;;) {
      const { done, value } = await readingStream(() => reader.batches.next());
      reader.next++;
      if (done) return undefined;
      if (value.batch === batch) return await this.#collated(value.entries, { epoch, real: value.real });
    }
  }

  #share(pass: SharedPass | undefined): SharedWork | undefined {
    // A reader that starts over needs blocks that were sent before: it computes them itself.
    if (pass === undefined || this.#peers === undefined || pass.number <= this.#pass) return undefined;
    this.#pass = pass.number;
    return new SharedWork(this.#peers, pass);
  }

  /** `isOurs`: no one else has the items. */
  async #collated(
    entries: readonly Numbered<T>[],
    { epoch, real }: Pick<BatchTask, 'epoch' | 'real'>,
    isOurs = false,
  ): Promise<Made<B>> {
    const work = this.#work;
    const { seed } = this.#recipe;
    const begin = (one: Numbered<T>): T | Promise<T> => fetching({ seed, epoch, index: one.number }, () => start(one));
    const started =
      work === undefined ? entries.map(begin) : work.batch(() => entries.map(one => work.item(() => begin(one))));
    const items = started.some(item => item instanceof Promise)
      ? await allOf(started, entries)
      : (started as readonly T[]);
    const { bucket, collate } = this.#recipe;
    const batch = await this.#measured(() => {
      const padded = bucket === undefined ? items : padItems(items, bucket);
      // Without a collate function, B is the result of the default one.
      return collate === undefined ? (collated(padded, isOurs) as B) : collate(padded, { real });
    });
    return { batch, items: isOurs && collate === undefined ? [] : items };
  }
  #measured<R>(body: () => R): R {
    const work = this.#work;
    return work === undefined ? body() : work.batch(() => work.item(body));
  }
}

/** A dataset of this library that makes the items of a batch together, and does not keep them. */
interface BatchDataset<T> extends Dataset<T> {
  getItems(indices: readonly number[], epoch: number): readonly (T | Promise<T>)[];
}
const makesBatches = <T>(dataset: Dataset<T>): dataset is BatchDataset<T> =>
  dataset instanceof ImageFolder && dataset.get === ImageFolder.prototype.get;

interface Numbered<T> {
  readonly number: number;
  readonly lazy: Lazy<T>;
}

function start<T>({ number, lazy }: Numbered<T>): T | Promise<T> {
  try {
    return lazy();
  } catch (error) {
    throw noted(error, number);
  }
}

/** All items. Of several errors, that of the first item is thrown, whichever failed earlier. */
async function allOf<T>(items: readonly (T | Promise<T>)[], entries: readonly Numbered<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(items);
  return settled.map((one, i) => {
    if (one.status === 'rejected') throw noted(one.reason, entries[i]!.number);
    return one.value;
  });
}

function noted(error: unknown, number: number): unknown {
  if (typeof error === 'object' && error !== null) failedItems.set(error, number);
  return error;
}

async function* splitStream<T>(
  stream: Items<T>,
  epoch: number,
  { split, dropLast }: Pick<BatchRecipe<T, unknown>, 'split' | 'dropLast'>,
  shared: SharedWork | undefined,
): AsyncGenerator<SplitBatch<Numbered<T>>> {
  const splitter = new StepSplitter<Numbered<T>>(split, dropLast);
  let number = 0;
  for await (const lazy of lazyItems(stream, epoch, shared)) yield* splitter.push({ number: number++, lazy });
  yield* splitter.end();
}
