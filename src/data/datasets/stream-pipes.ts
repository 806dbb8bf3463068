// The parts of an `IterableDataset` chain. A pipe yields its entries without computing them (`lazy.ts`), and describes itself for
// the key of a cache. Pipes hold plain data, so that a chain can be sent to loader workers.
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { philoxWords } from '../../numerics/philox.ts';
import { requireCount } from '../check-options.ts';
import { type CsvColumnType, readCsv } from '../files/csv-columns.ts';
import { parseJsonLine } from '../files/json-lines.ts';
import { readParquet } from '../files/parquet.ts';
import { readTextLines } from '../files/text-lines.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { type PackedSequence, type PackOptions, SequencePacker } from '../text/packed-sequences.ts';
import { isTransform, type Transform } from '../transforms/transform.ts';
import { ItemRandom } from './item-random.ts';
import { type Lazy, lazyItems } from './lazy.ts';
import { type Decide, decided, type SharedWork } from './shared-work.ts';

/** A part of a chain. */
export interface Pipe<T> {
  /** @internal The entries in one epoch; `shared`: as loader workers read them together. */
  lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>>;
  /** The data that determines the items. Functions are represented by their text. */
  describe(): unknown;
}

/** The second argument of a function of `map`, after the item. */
export interface ItemContext {
  /** The index of the item in the stream that is mapped. */
  readonly index: number;
  /** The epoch, from 0. */
  readonly epoch: number;
  /** Random numbers of this item in this epoch, for any number of ranks and workers. */
  readonly random: ItemRandom;
}
/** A function of items. */
export type MapFunction<A, B> = (item: A, context: ItemContext) => B | Promise<B>;
/** A function of items, or a transform. */
export type StreamMap<A, B> = MapFunction<A, B> | Transform<A, B>;

const textOf = (fn: unknown): unknown => (typeof fn === 'function' ? String(fn) : fn);
const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;

/** Streams one after another. */
export class ChainPipe<T> implements Pipe<T> {
  readonly inputs: readonly Pipe<T>[];
  constructor(inputs: readonly Pipe<T>[]) {
    this.inputs = inputs;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    for (const input of this.inputs) yield* input.lazyItems(epoch, shared);
  }
  describe(): unknown {
    return ['chain', this.inputs.map(input => input.describe())];
  }
}

export class SourcePipe<T> implements Pipe<T> {
  readonly source: () => Iterable<T> | AsyncIterable<T>;
  constructor(source: () => Iterable<T> | AsyncIterable<T>) {
    this.source = source;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    yield* lazyItems(this.source(), epoch, shared);
  }
  describe(): unknown {
    return ['source', textOf(this.source)];
  }
}

/** The formats of `FilesPipe`, and their options. */
export type FileFormat =
  | { readonly kind: 'json' | 'text' }
  | {
      readonly kind: 'csv';
      readonly options: {
        readonly columns?: Readonly<Record<string, CsvColumnType>> | undefined;
        readonly header?: readonly string[] | undefined;
        readonly delimiter?: string | undefined;
      };
    }
  | { readonly kind: 'parquet'; readonly options: { readonly columns?: readonly string[] | undefined } };

/** Rows of files, one file after another. Lines of JSON are parsed when they are used. */
export class FilesPipe<T> implements Pipe<T> {
  readonly files: readonly string[];
  readonly format: FileFormat;
  constructor(files: readonly string[], format: FileFormat) {
    this.files = files;
    this.format = format;
  }
  async *lazyItems(): AsyncGenerator<Lazy<T>> {
    const { format } = this;
    for (const file of this.files)
      switch (format.kind) {
        case 'json': {
          let line = 0;
          for await (const text of readTextLines(file)) {
            const at = ++line;
            if (text.trim() !== '') yield () => parseJsonLine(text, file, at) as T;
          }
          break;
        }
        case 'text':
          for await (const text of readTextLines(file)) yield () => text as T;
          break;
        case 'csv':
          for await (const row of readCsv(file, format.options)) yield () => row as T;
          break;
        case 'parquet':
          for await (const row of readParquet<T>(file, format.options)) yield () => row;
          break;
      }
  }
  describe(): unknown {
    return ['files', this.format, { files: this.files }];
  }
}

export class MapPipe<A, B> implements Pipe<B> {
  readonly input: Pipe<A>;
  readonly map: StreamMap<A, B>;
  readonly seed: number;
  constructor(input: Pipe<A>, map: StreamMap<A, B>, seed: number) {
    this.input = input;
    this.map = map;
    this.seed = seed;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<B>> {
    const { map, seed } = this;
    const apply = (item: A, index: number): B | Promise<B> => {
      if (isTransform(map)) return (map as Transform<A, B>).apply(item, new ItemRandom(seed, epoch, index));
      return (map as MapFunction<A, B>)(item, {
        index,
        epoch,
        get random() {
          return new ItemRandom(seed, epoch, index);
        },
      });
    };
    let count = 0;
    for await (const lazy of this.input.lazyItems(epoch, shared)) {
      const index = count++;
      yield () => {
        const item = lazy();
        return isPromise(item) ? item.then(known => apply(known, index)) : apply(item, index);
      };
    }
  }
  describe(): unknown {
    const { map } = this;
    const name = isTransform(map) ? Object.getPrototypeOf(map).constructor.name : '';
    return ['map', this.input.describe(), name, textOf(map), this.seed];
  }
}

/** Computes each item to test it, on every rank, shared by its workers (`shared-work.ts`). */
export class FilterPipe<T> implements Pipe<T> {
  readonly input: Pipe<T>;
  readonly keep: (item: T, index: number) => boolean | Promise<boolean>;
  constructor(input: Pipe<T>, keep: (item: T, index: number) => boolean | Promise<boolean>) {
    this.input = input;
    this.keep = keep;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    const keep: Decide<T> = (item, index) => {
      const found = this.keep(item, index);
      return isPromise(found) ? found.then(Number) : Number(found);
    };
    // Parts are numbered from the end of the chain, before the input begins.
    const part = shared?.part();
    for await (const { fact, lazy } of decided(this.input.lazyItems(epoch, shared), keep, part))
      if (fact !== 0) yield lazy;
  }
  describe(): unknown {
    return ['filter', this.input.describe(), textOf(this.keep)];
  }
}

export class BatchPipe<T> implements Pipe<readonly T[]> {
  readonly input: Pipe<T>;
  readonly size: number;
  readonly dropLast: boolean;
  constructor(input: Pipe<T>, size: number, dropLast: boolean) {
    this.input = input;
    this.size = size;
    this.dropLast = dropLast;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<readonly T[]>> {
    const together = (entries: readonly Lazy<T>[]) => () => {
      const items = entries.map(lazy => lazy());
      return items.some(isPromise) ? Promise.all(items) : (items as readonly T[]);
    };
    let entries: Lazy<T>[] = [];
    for await (const lazy of this.input.lazyItems(epoch, shared)) {
      entries.push(lazy);
      if (entries.length < this.size) continue;
      yield together(entries);
      entries = [];
    }
    if (entries.length > 0 && !this.dropLast) yield together(entries);
  }
  describe(): unknown {
    return ['batch', this.input.describe(), this.size, this.dropLast];
  }
}

/** Entries from `first` up to, not including, `end`. */
export class SlicePipe<T> implements Pipe<T> {
  readonly input: Pipe<T>;
  readonly first: number;
  readonly end: number;
  constructor(input: Pipe<T>, first: number, end: number) {
    this.input = input;
    this.first = first;
    this.end = end;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    let index = 0;
    if (this.end === 0) return;
    for await (const lazy of this.input.lazyItems(epoch, shared)) {
      if (index++ >= this.first) yield lazy;
      if (index >= this.end) return;
    }
  }
  describe(): unknown {
    return ['slice', this.input.describe(), this.first, String(this.end)];
  }
}

const wordsAtOnce = 4096;
/** An endless stream of random words for a seed and an epoch. */
function* words(seed: number, epoch: number): Generator<number, never> {
  const key = BigInt.asUintN(64, BigInt(seed));
  for (let block = 0n; ; block++)
    yield* philoxWords(key, (BigInt(epoch) << 80n) | (9n << 120n) | (block * BigInt(wordsAtOnce)), wordsAtOnce);
}

/**
 * A buffer from which entries are chosen at random while it is refilled. It holds entries that are not computed.
 */
export class ShufflePipe<T> implements Pipe<T> {
  readonly input: Pipe<T>;
  readonly bufferSize: number;
  readonly seed: number;
  constructor(input: Pipe<T>, bufferSize: number, seed: number) {
    this.input = input;
    this.bufferSize = bufferSize;
    this.seed = seed;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    const random = words(this.seed, epoch);
    const below = (end: number): number => Math.floor((random.next().value / 2 ** 32) * end);
    const buffer: Lazy<T>[] = [];
    for await (const lazy of this.input.lazyItems(epoch, shared)) {
      if (buffer.length < this.bufferSize) {
        buffer.push(lazy);
        continue;
      }
      const i = below(buffer.length);
      yield buffer[i]!;
      buffer[i] = lazy;
    }
    while (buffer.length > 0) {
      const i = below(buffer.length);
      const chosen = buffer[i]!;
      buffer[i] = buffer.at(-1)!;
      buffer.pop();
      yield chosen;
    }
  }
  describe(): unknown {
    return ['shuffle', this.input.describe(), this.bufferSize, this.seed];
  }
}

/**
 * The lengths of documents determine the sequences, so every rank computes each document, shared by its workers
 * (`shared-work.ts`).
 */
export class PackPipe implements Pipe<PackedSequence> {
  readonly input: Pipe<unknown>;
  readonly options: PackOptions;
  constructor(input: Pipe<unknown>, options: PackOptions) {
    this.input = input;
    this.options = options;
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<PackedSequence>> {
    const packer = new SequencePacker(this.options);
    const count: Decide<unknown> = item => packer.countOf(item);
    const part = shared?.part();
    for await (const { fact, lazy } of decided(this.input.lazyItems(epoch, shared), count, part))
      yield* packer.push(fact, lazy);
    yield* packer.end();
  }
  describe(): unknown {
    return ['pack', this.input.describe(), this.options];
  }
}

/** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
export function seedOf(what: string, options: { readonly seed?: number | undefined }): number {
  refuseUnknownOptions(what, options, ['seed']);
  const { seed = 0 } = options;
  requireCount(what, 'seed', seed, Number.MIN_SAFE_INTEGER);
  return seed;
}

exportToWorkers(import.meta.url, {
  ChainPipe,
  SourcePipe,
  FilesPipe,
  MapPipe,
  FilterPipe,
  BatchPipe,
  SlicePipe,
  ShufflePipe,
  PackPipe,
});
