// Datasets composed of others: a subset, a concatenation, several in parallel. Nothing is copied: items are
// looked up on access.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { invalidOption, requireCount, wrongOption } from '../check-options.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import type { Dataset } from './dataset.ts';
import { permutation } from './epoch-order.ts';

/** The type of the items of a dataset. */
export type ItemOf<D> = D extends Dataset<infer T> ? T : never;

/**
 * The items at some indices of a dataset, like PyTorch's class of the same name.
 * @example
 * const even = new Subset(arrayDataset(['a', 'b', 'c']), [0, 2]);
 * even.get(1) // 'c'
 */
export class Subset<T> implements Dataset<T> {
  /** The dataset that examples are taken from. */
  readonly dataset: Dataset<T>;
  /** The indices of the examples in `dataset`. */
  readonly indices: ArrayLike<number>;

  /** @throws {INVALID_OPTION} for an index outside the dataset */
  constructor(dataset: Dataset<T>, indices: ArrayLike<number>) {
    requireDataset('Subset', 'dataset', dataset);
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i]!;
      if (!Number.isSafeInteger(index) || index < 0 || index >= dataset.length)
        throw wrongOption('Subset', `indices[${i}]`, index, `an integer from 0 to ${dataset.length - 1}`);
    }
    this.dataset = dataset;
    this.indices = indices;
  }
  /** The number of items. */
  get length(): number {
    return this.indices.length;
  }
  /** The item at an index. @throws {NO_SUCH_ITEM} */
  get(index: number, epoch?: number): T | Promise<T> {
    requireIndex(index, this.length);
    return this.dataset.get(this.indices[index]!, epoch);
  }
}

/**
 * The items of several datasets, one dataset after another, like PyTorch's class of the same name.
 * @example
 * const all = new ConcatDataset([arrayDataset(['a', 'b']), arrayDataset(['c'])]);
 * all.length // 3
 * all.get(2) // 'c'
 */
export class ConcatDataset<T> implements Dataset<T> {
  /** The concatenated datasets. */
  readonly datasets: readonly Dataset<T>[];
  /** Where each dataset ends. */
  readonly cumulativeSizes: readonly number[];

  /** @throws {INVALID_OPTION} if there are none, or one has no index */
  constructor(datasets: readonly Dataset<T>[]) {
    if (!Array.isArray(datasets) || datasets.length === 0)
      throw Array.isArray(datasets)
        ? invalidOption('ConcatDataset', 'datasets', 'empty', 'at least one dataset')
        : wrongOption('ConcatDataset', 'datasets', datasets, 'an array of datasets');
    let end = 0;
    this.cumulativeSizes = datasets.map((dataset: Dataset<T>, i) => {
      requireDataset('ConcatDataset', `datasets[${i}]`, dataset);
      end += dataset.length;
      return end;
    });
    this.datasets = datasets;
  }
  /** The number of items. */
  get length(): number {
    return this.cumulativeSizes.at(-1)!;
  }
  /** The item at an index. @throws {NO_SUCH_ITEM} */
  get(index: number, epoch?: number): T | Promise<T> {
    requireIndex(index, this.length);
    const i = this.cumulativeSizes.findIndex(end => index < end);
    return this.datasets[i]!.get(index - (this.cumulativeSizes[i - 1] ?? 0), epoch);
  }
}

/** The items of stacked datasets: a tuple or an object with one item of each. */
export type Stacked<S> = S extends readonly Dataset<unknown>[]
  ? { readonly [K in keyof S]: ItemOf<S[K]> }
  : { readonly [K in keyof S]: ItemOf<S[K]> };

/**
 * Tuples or objects of the items of several datasets of one length, like PyTorch's class of the same name.
 * @example
 * const images = arrayDataset(['cat.jpg', 'dog.jpg']), labels = arrayDataset([0, 1]);
 * new StackDataset([images, labels]).get(0) // ['cat.jpg', 0]
 * new StackDataset({ image: images, label: labels }).get(1) // { image: 'dog.jpg', label: 1 }
 */
export class StackDataset<const S extends readonly Dataset<unknown>[] | { readonly [name: string]: Dataset<unknown> }>
  implements Dataset<Stacked<S>>
{
  /** The datasets whose examples are combined. */
  readonly datasets: S;
  /** The number of examples. */
  readonly length: number;

  /** @throws {INVALID_OPTION} if there are none, or lengths differ */
  constructor(datasets: S) {
    const entries = Object.entries(datasets ?? {});
    const [first] = entries;
    if (first === undefined) throw invalidOption('StackDataset', 'datasets', 'empty', 'at least one dataset');
    for (const [name, dataset] of entries) {
      requireDataset('StackDataset', `datasets.${name}`, dataset);
      if (dataset.length !== first[1].length)
        throw wrongOption(
          'StackDataset',
          `the length of datasets.${name}`,
          dataset.length,
          `${first[1].length}, that of datasets.${first[0]}`,
        );
    }
    this.datasets = datasets;
    this.length = first[1].length;
  }
  /** The item at an index. @throws {NO_SUCH_ITEM} */
  get(index: number, epoch?: number): Stacked<S> | Promise<Stacked<S>> {
    requireIndex(index, this.length);
    const entries = Object.entries(this.datasets).map(([name, dataset]) => [name, dataset.get(index, epoch)] as const);
    const stack = (found: readonly (readonly [string, unknown])[]): Stacked<S> =>
      (Array.isArray(this.datasets) ? found.map(([, item]) => item) : Object.fromEntries(found)) as Stacked<S>;
    if (!entries.some(([, item]) => item instanceof Promise)) return stack(entries);
    return Promise.all(entries.map(async ([name, item]) => [name, await item] as const)).then(stack);
  }
}

/**
 * Splits a dataset at random into parts with these lengths or fractions (which add up to 1), like PyTorch's `random_split`.
 * The same seed gives the same parts.
 * @throws {INVALID_OPTION} if the lengths do not add up
 * @throws {NO_SUCH_OPTION}
 * @example
 * const [train, validation] = randomSplit(arrayDataset(Array.from({ length: 10 }, (_, i) => i)), [0.9, 0.1], { seed: 0 });
 * train.length // 9
 */
export function randomSplit<T, const L extends readonly number[]>(
  dataset: Dataset<T>,
  lengths: L,
  options: { readonly seed?: number | undefined } = {},
): { -readonly [I in keyof L]: Subset<T> } {
  const what = 'randomSplit';
  requireDataset(what, 'dataset', dataset);
  refuseUnknownOptions(what, options, ['seed']);
  const { seed = 0 } = options;
  requireCount(what, 'seed', seed, Number.MIN_SAFE_INTEGER);
  if (!Array.isArray(lengths)) throw wrongOption(what, 'lengths', lengths, 'an array of lengths, or of fractions');
  const total = lengths.reduce((sum: number, length: number) => sum + length, 0);
  const areFractions =
    Math.abs(total - 1) < 1e-9 && lengths.every((f: number) => f >= 0 && f <= 1) && dataset.length !== 1;
  const counts: number[] = areFractions ? lengths.map((f: number) => Math.floor(dataset.length * f)) : [...lengths];
  counts.forEach((count, i) => {
    requireCount(what, `lengths[${i}]`, count, 0);
  });
  // Items left over by rounding down go to the first parts, one each.
  if (areFractions) {
    const left = dataset.length - counts.reduce((sum, count) => sum + count, 0);
    for (let i = 0; i < left; i++) counts[i % counts.length]!++;
  } else if (total !== dataset.length) {
    throw invalidOption(
      what,
      'lengths',
      lengths.join(' + '),
      `lengths that add up to ${dataset.length}, or fractions to 1`,
    );
  }
  const order = permutation(dataset.length, seed);
  let end = 0;
  return counts.map(count => {
    const start = end;
    end += count;
    return new Subset(dataset, order.subarray(start, end));
  }) as { -readonly [I in keyof L]: Subset<T> };
}

export const isDataset = (value: unknown): value is Dataset<unknown> =>
  typeof (value as Dataset<unknown> | undefined)?.get === 'function' &&
  Number.isSafeInteger((value as Dataset<unknown>).length);

function requireDataset(what: string, option: string, value: unknown): asserts value is Dataset<unknown> {
  if (!isDataset(value)) throw wrongOption(what, option, value, 'an object with length and get(index)');
}
/** @throws {NO_SUCH_ITEM} */
export function requireIndex(index: number, length: number): void {
  if (!Number.isSafeInteger(index) || index < 0 || index >= length)
    throw new TrenioError('NO_SUCH_ITEM', { index, length });
}

exportToWorkers(import.meta.url, { Subset, ConcatDataset, StackDataset });
