// A dataset that is read from its beginning to its end: a stream of rows, a generator. It has no index and may not know its
// length. Chains of operations are described, not run: items are computed when a batch needs them (`lazy.ts`, `stream-pipes.ts`).
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { requireCount, wrongOption } from '../check-options.ts';
import type { CsvColumnType, CsvRow } from '../files/csv-columns.ts';
import { fileNames } from '../files/file-names.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { checkPackOptions, type PackedSequence, type PackOptions } from '../text/packed-sequences.ts';
import { isTransform, type Transform } from '../transforms/transform.ts';
import type { Lazy, LazyStream } from './lazy.ts';
import type { SharedWork } from './shared-work.ts';
import { type CacheOptions, CachePipe, cacheOptions } from './stream-cache.ts';
import {
  BatchPipe,
  FilesPipe,
  FilterPipe,
  type MapFunction,
  MapPipe,
  PackPipe,
  type Pipe,
  ShufflePipe,
  SlicePipe,
  SourcePipe,
  type StreamMap,
  seedOf,
} from './stream-pipes.ts';

/** A source of items. */
export type Items<T> = Iterable<T> | AsyncIterable<T>;

/** Names of files: one, several, or a pattern such as 'data-{000..009}.jsonl' or 'data/*.jsonl'. */
export type FileNames = string | URL | readonly (string | URL)[];

/**
 * Items in the order in which a function yields them, like PyTorch's class of the same name; the function is called again for
 * each epoch. Or the rows of files. Operations make new streams, as in Hugging Face's `datasets`.
 * @example
 * const even = new IterableDataset(() => [1, 2, 3, 4]).filter(n => n % 2 === 0).map(n => n * 10);
 * const items = await Array.fromAsync(even); // [20, 40]
 */
export class IterableDataset<T> implements AsyncIterable<T>, LazyStream<T> {
  /** @internal How the items are made. */
  readonly pipe: Pipe<T>;
  /** The number of items, if known. */
  readonly length: number | undefined;

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(source: (() => Items<T>) | Pipe<T>, options: { readonly length?: number | undefined } = {}) {
    const isPipe = typeof source === 'object' && source !== null && 'lazyItems' in source && 'describe' in source;
    if (typeof source !== 'function' && !isPipe)
      throw wrongOption('IterableDataset', 'source', source, 'a function that gives the items, called for each epoch');
    refuseUnknownOptions('IterableDataset', options, ['length']);
    if (options.length !== undefined) requireCount('IterableDataset', 'length', options.length, 0);
    this.pipe = typeof source === 'function' ? new SourcePipe(source) : source;
    this.length = options.length;
  }

  /**
   * The values of JSON Lines files.
   *
   * ```ts
   * IterableDataset.fromJson<{ text: string; label: number }>('train.jsonl');
   * ```
   * @throws {INVALID_OPTION}
   */
  static fromJson<T = unknown>(files: FileNames): IterableDataset<T> {
    return new IterableDataset(new FilesPipe<T>(fileNames('IterableDataset.fromJson', files), { kind: 'json' }));
  }
  /**
   * The rows of CSV files. The options are those of `readCsv`.
   *
   * ```ts
   * IterableDataset.fromCsv('iris.csv', { columns: { width: 'number', species: 'text' } });
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  static fromCsv<const C extends Readonly<Record<string, CsvColumnType>> = Readonly<Record<string, 'text'>>>(
    files: FileNames,
    options: {
      readonly columns?: C | undefined;
      readonly header?: readonly string[] | undefined;
      readonly delimiter?: string | undefined;
    } = {},
  ): IterableDataset<CsvRow<C>> {
    const what = 'IterableDataset.fromCsv';
    refuseUnknownOptions(what, options, ['columns', 'header', 'delimiter']);
    return new IterableDataset(new FilesPipe<CsvRow<C>>(fileNames(what, files), { kind: 'csv', options }));
  }
  /**
   * The rows of Parquet files.
   *
   * ```ts
   * IterableDataset.fromParquet<{ text: string }>('train-{0..3}.parquet', { columns: ['text'] });
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  static fromParquet<T = Readonly<Record<string, unknown>>>(
    files: FileNames,
    options: { readonly columns?: readonly string[] | undefined } = {},
  ): IterableDataset<T> {
    const what = 'IterableDataset.fromParquet';
    refuseUnknownOptions(what, options, ['columns']);
    return new IterableDataset(new FilesPipe<T>(fileNames(what, files), { kind: 'parquet', options }));
  }
  /**
   * The lines of text files.
   *
   * ```ts
   * IterableDataset.fromText('corpus.txt');
   * ```
   * @throws {INVALID_OPTION}
   */
  static fromText(files: FileNames): IterableDataset<string> {
    return new IterableDataset(new FilesPipe<string>(fileNames('IterableDataset.fromText', files), { kind: 'text' }));
  }

  /**
   * Each item passed through a function or a transform. It runs when the item is used: in a loader worker, and not for items of
   * other ranks. Random numbers come from `context.random`.
   *
   * ```ts
   * stream.map(({ text }) => text.length);
   * stream.map((x, { random }) => x + random.uniform(), { seed: 1 });
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  map<U>(fn: MapFunction<T, U>, options?: { readonly seed?: number | undefined }): IterableDataset<U>;
  map<U>(fn: Transform<T, U>, options?: { readonly seed?: number | undefined }): IterableDataset<U>;
  map<U>(fn: StreamMap<T, U>, options: { readonly seed?: number | undefined } = {}): IterableDataset<U> {
    if (typeof fn !== 'function' && !isTransform(fn))
      throw wrongOption('IterableDataset.map', 'fn', fn, 'a function of an item, or a transform');
    return this.#then(new MapPipe<T, U>(this.pipe, fn, seedOf('IterableDataset.map', options)), this.length);
  }
  /**
   * The items for which a function returns true. Every rank computes the items it needs, once for all of its workers: filter
   * before costly maps.
   *
   * ```ts
   * stream.filter(({ text }) => text.length > 0);
   * ```
   * @throws {INVALID_OPTION}
   */
  filter(keep: (item: T, index: number) => boolean | Promise<boolean>): IterableDataset<T> {
    if (typeof keep !== 'function')
      throw wrongOption('IterableDataset.filter', 'keep', keep, 'a function of an item that returns true or false');
    return this.#then(new FilterPipe(this.pipe, keep), undefined);
  }
  /**
   * Arrays of `size` items. A loader makes its own batches; this is for groups within an item.
   *
   * ```ts
   * stream.batch(4, { dropLast: true });
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  batch(size: number, options: { readonly dropLast?: boolean | undefined } = {}): IterableDataset<readonly T[]> {
    refuseUnknownOptions('IterableDataset.batch', options, ['dropLast']);
    requireCount('IterableDataset.batch', 'size', size, 1);
    const { dropLast = false } = options;
    const length = this.length === undefined ? undefined : (dropLast ? Math.floor : Math.ceil)(this.length / size);
    return this.#then(new BatchPipe(this.pipe, size, dropLast), length);
  }
  /**
   * The first `count` items.
   *
   * ```ts
   * stream.take(100);
   * ```
   * @throws {INVALID_OPTION}
   */
  take(count: number): IterableDataset<T> {
    requireCount('IterableDataset.take', 'count', count, 0);
    return this.#then(new SlicePipe(this.pipe, 0, count), this.length && Math.min(this.length, count));
  }
  /**
   * All but the first `count` items.
   *
   * ```ts
   * stream.skip(100);
   * ```
   * @throws {INVALID_OPTION}
   */
  skip(count: number): IterableDataset<T> {
    requireCount('IterableDataset.skip', 'count', count, 0);
    return this.#then(
      new SlicePipe(this.pipe, count, Number.POSITIVE_INFINITY),
      this.length && Math.max(this.length - count, 0),
    );
  }
  /**
   * Items chosen at random from a buffer of `bufferSize` while the stream is read, in a different order in each epoch. The buffer
   * holds items as they were read, not the results of `map`.
   *
   * ```ts
   * stream.shuffle(10_000, { seed: 1 });
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  shuffle(bufferSize: number, options: { readonly seed?: number | undefined } = {}): IterableDataset<T> {
    requireCount('IterableDataset.shuffle', 'bufferSize', bufferSize, 1);
    return this.#then(new ShufflePipe(this.pipe, bufferSize, seedOf('IterableDataset.shuffle', options)), this.length);
  }
  /**
   * Documents of tokens packed into sequences of one length, with the document and the position of each token.
   *
   * ```ts
   * documents.packSequences({ length: 1024, eos: 2 }); // { inputIds, positionIds, segmentIds }
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  packSequences(options: PackOptions): IterableDataset<PackedSequence> {
    checkPackOptions(options);
    return this.#then(new PackPipe(this.pipe, options), undefined);
  }
  /**
   * Computes all items once and keeps them in a file in `directory`; later runs, other processes and loader workers read that.
   * The file depends on the source files (by size and modification time), the text of the functions and `version`: change the
   * version when something else changes, such as a vocabulary. Shuffle after it: the cache keeps the order of the first epoch.
   *
   * ```ts
   * const tokens = texts.map(tokenize).cache('cache', { version: 'vocab-3' }).shuffle(1000);
   * ```
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   */
  cache(directory: string, options: CacheOptions = {}): IterableDataset<T> {
    return this.#then(new CachePipe(this.pipe, cacheOptions(directory, options)), this.length);
  }
  #then<U>(pipe: Pipe<U>, length: number | undefined): IterableDataset<U> {
    return new IterableDataset(pipe, { length });
  }

  /** @internal The entries in one epoch, not computed. */
  lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    return this.pipe.lazyItems(epoch, shared);
  }
  /**
   * The items in an epoch, which orders and random numbers depend on. `for await` over the stream itself is epoch 0.
   *
   * ```ts
   * for await (const item of stream.epoch(1)) …
   * ```
   */
  async *epoch(epoch: number): AsyncGenerator<T> {
    for await (const lazy of this.lazyItems(epoch)) yield await lazy();
  }
  /** The items, from the beginning of the source. */
  [Symbol.asyncIterator](): AsyncGenerator<T> {
    return this.epoch(0);
  }
}

exportToWorkers(import.meta.url, { IterableDataset });
