// A dataset that is read from its beginning to its end: a stream of rows, a generator. It has no index, so it cannot be shuffled
// or sampled, and its length may be unknown.
import { refuseUnknownOptions } from '../base/known-options.ts';
import { requireCount, wrongOption } from './options.ts';

/** A source of items. */
export type Items<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Items in the order in which a function yields them, like PyTorch's class of this name. The function is called again for each epoch.
 *
 * ```ts
 * const rows = new IterableDataset(() => readJsonLines('train.jsonl'));
 * for await (const batch of new DataLoader(rows, { batchSize: 32 })) …
 * ```
 */
export class IterableDataset<T> implements AsyncIterable<T> {
  /** Starts the stream again: called once an epoch. */
  readonly source: () => Items<T>;
  /** How many items there are, where that is known. */
  readonly length: number | undefined;

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(source: () => Items<T>, options: { readonly length?: number | undefined } = {}) {
    if (typeof source !== 'function')
      throw wrongOption('IterableDataset', 'source', source, 'a function that gives the items, called for each epoch');
    refuseUnknownOptions('IterableDataset', options, ['length']);
    if (options.length !== undefined) requireCount('IterableDataset', 'length', options.length, 0);
    this.source = source;
    this.length = options.length;
  }
  /** The items of this rank, from the beginning of the source. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    yield* this.source();
  }
}
