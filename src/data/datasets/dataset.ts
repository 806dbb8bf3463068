// A dataset: items by index. The order of items and their batches are up to the
// loader. Datasets hold plain data (arrays, file names, options) in public fields, so that they can be sent to another thread.
// Datasets without an index are in `iterable-dataset.ts`, composed ones in `combined-datasets.ts`.
import { exportToWorkers } from '../loader/worker-exports.ts';

/**
 * Items by index, like PyTorch's map-style datasets: any object with these members, or a class that extends this one.
 * @example
 * const squares: Dataset<number> = { length: 10, get: i => i * i };
 * class Cubes extends Dataset<number> {
 *   readonly length = 10;
 *   get(i: number): number { return i ** 3; }
 * }
 * [squares.get(3), new Cubes().get(3)] // [9, 27]
 */
export abstract class Dataset<T> {
  /** The number of examples. */
  abstract readonly length: number;
  /**
   * Item `index`, from 0 to length − 1, or a promise of it if it is read from a file. Random augmentation differs between
   * epochs.
   */
  abstract get(index: number, epoch?: number): T | Promise<T>;
}
/** A dataset whose items are available synchronously. */
export interface SyncDataset<T> extends Dataset<T> {
  get(index: number, epoch?: number): T;
}

/**
 * The items of an array as a dataset.
 * @example
 * const items = arrayDataset([{ x: [0, 1], y: 1 }, { x: [2, 3], y: 0 }]);
 * items.length // 2
 */
export function arrayDataset<T>(items: readonly T[]): SyncDataset<T> {
  return new ArrayDataset(items);
}

/** @internal The result of `arrayDataset`. */
export class ArrayDataset<T> implements SyncDataset<T> {
  readonly items: readonly T[];

  constructor(items: readonly T[]) {
    this.items = items;
  }
  get length(): number {
    return this.items.length;
  }
  get(index: number): T {
    if (!(index in this.items)) throw new RangeError(`item ${index} of a dataset of ${this.length}`);
    return this.items[index]!;
  }
}

/**
 * The items of `dataset`, each passed through `map` on access.
 * @example
 * const lower = mapDataset(arrayDataset(['Good', 'Bad']), text => text.toLowerCase());
 * lower.get(0) // 'good'
 */
export function mapDataset<A, B>(dataset: SyncDataset<A>, map: (item: A, index: number) => B): SyncDataset<B>;
export function mapDataset<A, B>(dataset: Dataset<A>, map: (item: A, index: number) => B | Promise<B>): Dataset<B>;
export function mapDataset<A, B>(dataset: Dataset<A>, map: (item: A, index: number) => B | Promise<B>): Dataset<B> {
  return new MappedDataset(dataset, map);
}

/** @internal The result of `mapDataset`. */
export class MappedDataset<A, B> implements Dataset<B> {
  readonly dataset: Dataset<A>;
  readonly map: (item: A, index: number) => B | Promise<B>;
  /** The number of examples. */
  readonly length: number;

  constructor(dataset: Dataset<A>, map: (item: A, index: number) => B | Promise<B>) {
    this.dataset = dataset;
    this.map = map;
    this.length = dataset.length;
  }
  get(index: number, epoch?: number): B | Promise<B> {
    const { map } = this;
    const item = this.dataset.get(index, epoch);
    return item instanceof Promise ? item.then(known => map(known, index)) : map(item, index);
  }
}

/**
 * The items from `start` (inclusive) to `end` (exclusive).
 * @example
 * const first = sliceDataset(arrayDataset(['a', 'b', 'c']), 0, 2);
 * first.length // 2
 */
export function sliceDataset<T>(dataset: SyncDataset<T>, start: number, end?: number): SyncDataset<T>;
export function sliceDataset<T>(dataset: Dataset<T>, start: number, end?: number): Dataset<T>;
export function sliceDataset<T>(dataset: Dataset<T>, start: number, end = dataset.length): Dataset<T> {
  const first = Math.min(Math.max(start, 0), dataset.length);
  return new SlicedDataset(dataset, first, Math.max(Math.min(end, dataset.length) - first, 0));
}

/** @internal The result of `sliceDataset`. */
export class SlicedDataset<T> implements Dataset<T> {
  readonly dataset: Dataset<T>;
  readonly first: number;
  /** The number of examples. */
  readonly length: number;

  constructor(dataset: Dataset<T>, first: number, length: number) {
    this.dataset = dataset;
    this.first = first;
    this.length = length;
  }
  get(index: number, epoch?: number): T | Promise<T> {
    return this.dataset.get(index < this.length ? this.first + index : this.dataset.length, epoch);
  }
}

exportToWorkers(import.meta.url, { ArrayDataset, MappedDataset, SlicedDataset });
