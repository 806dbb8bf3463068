// Streams one after another: torch.utils.data.ChainDataset.

import { invalidOption, wrongOption } from '../check-options.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { IterableDataset } from './iterable-dataset.ts';
import { ChainPipe } from './stream-pipes.ts';

/**
 * The items of several streams, one after another, like PyTorch's class of the same name.
 * @example
 * const first = new IterableDataset(() => [1, 2]), second = new IterableDataset(() => [3]);
 * const all = await Array.fromAsync(new ChainDataset([first, second])); // [1, 2, 3]
 */
export class ChainDataset<T> extends IterableDataset<T> {
  /** The datasets, read one after the other. */
  readonly datasets: readonly IterableDataset<T>[];

  /** @throws {INVALID_OPTION} if there are none, or one is not a stream */
  constructor(datasets: readonly IterableDataset<T>[]) {
    if (!Array.isArray(datasets)) throw wrongOption('ChainDataset', 'datasets', datasets, 'an array of streams');
    if (datasets.length === 0) throw invalidOption('ChainDataset', 'datasets', 'empty', 'at least one stream');
    datasets.forEach((dataset: unknown, i) => {
      if (!(dataset instanceof IterableDataset))
        throw wrongOption('ChainDataset', `datasets[${i}]`, dataset, 'an IterableDataset');
    });
    const list = datasets as readonly IterableDataset<T>[];
    const lengths = list.map(dataset => dataset.length);
    const isKnown = lengths.every(length => length !== undefined);
    super(
      new ChainPipe(list.map(dataset => dataset.pipe)),
      isKnown ? { length: lengths.reduce<number>((sum, length) => sum + length!, 0) } : {},
    );
    this.datasets = list;
  }
}

exportToWorkers(import.meta.url, { ChainDataset });
