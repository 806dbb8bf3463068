// A dataset: items by index, and nothing else. What order they come in and how they become batches is the loader's
// business.

export interface Dataset<T> {
  readonly length: number;
  /** Item `index`, from 0 to length − 1. */
  get(index: number): T;
}

export function arrayDataset<T>(items: readonly T[]): Dataset<T> {
  return {
    length: items.length,
    get(index) {
      if (!(index in items)) throw new RangeError(`item ${index} of a dataset of ${items.length}`);
      return items[index]!;
    },
  };
}

/** The items of `dataset`, each passed through `map` when it is asked for. */
export function mapDataset<A, B>(dataset: Dataset<A>, map: (item: A, index: number) => B): Dataset<B> {
  return { length: dataset.length, get: index => map(dataset.get(index), index) };
}

/** The items from `start` up to, not including, `end`. */
export function sliceDataset<T>(dataset: Dataset<T>, start: number, end = dataset.length): Dataset<T> {
  const first = Math.min(Math.max(start, 0), dataset.length);
  const length = Math.max(Math.min(end, dataset.length) - first, 0);
  return { length, get: index => dataset.get(index < length ? first + index : dataset.length) };
}
