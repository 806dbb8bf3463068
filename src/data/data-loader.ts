// Batches from a dataset: which items, in which order, for which rank. Batches come out as `collateFn` makes them, plain
// host data; moving them to a device while the step runs is DeviceLoader's business.
//
//   global batch k (worldSize × batchSize items of the epoch's order)
//   ├── rank 0 ──┼── rank 1 ──┼── …        the union over ranks is what one rank with the whole batch would see
//
// On a mesh, `rank` is the coordinate on the axis `data` and `worldSize` the size of it: ranks that differ on other axes
// have the same share.
//
// Where a step accumulates gradients over n micro-batches, the global batch is that of the step, and a rank's micro-batches
// lie next to one another: micro-batch i of rank r is micro-batch r · n + i of one rank that accumulates worldSize · n.
//
//   ├── rank 0 ──────────────────────┼── rank 1 ─────
//   ├─ batch 0 ─┼─ batch 1 ─┼─ … n - 1┼─ batch 0 ─┼─ …
//
// The position is two numbers, epoch and step, and each batch is a pure function of them: nothing to save, nothing to
// replay. A dataset without an index is split in the same way while it is read.
//
// Three independent parts: the order (`epoch-order.ts`, `samplers.ts`), the split (`batch-share.ts`), and
// fetching items at given indices (`#fetch`).
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import { globalBatch, type Split, shareOf } from './batch-share.ts';
import { type Collated, defaultCollate } from './collate.ts';
import { isDataset } from './combined-datasets.ts';
import { arrayDataset, type Dataset } from './dataset.ts';
import { epochOrder, type LengthBuckets } from './epoch-order.ts';
import type { Items } from './iterable-dataset.ts';
import { invalidOption, requireCount, wrongOption } from './options.ts';
import { DistributedSampler, type Sampler } from './samplers.ts';

/** Turns items into a batch. Items from `real` on repeat earlier ones to fill the last batch; do not count them. */
export type Collate<T, B> = (items: readonly T[], batch: { readonly real: number }) => B | Promise<B>;

/** Options of `DataLoader`. */
export interface DataLoaderOptions<T, B> {
  /** Items a batch on this rank. Default 1. */
  readonly batchSize?: number | undefined;
  /** Makes a batch of items. Default: `defaultCollate`, which stacks them. */
  readonly collateFn?: Collate<T, B> | undefined;
  /** Micro-batches a step, each a batch of the loader: an epoch has a multiple of them. Default 1. */
  readonly gradientAccumulationSteps?: number | undefined;
  /** A new order each epoch. Default false: the order of the dataset. */
  readonly shuffle?: boolean | undefined;
  readonly seed?: number | undefined;
  /**
   * The order of the items in each epoch, over all ranks, instead of `shuffle`. A `DistributedSampler` returns this rank's items, which
   * are not split again.
   */
  readonly sampler?: Sampler | undefined;
  /** The indices of each batch, instead of `batchSize`, `shuffle`, `sampler` and `dropLast`. On one rank only. */
  readonly batchSampler?: Sampler<readonly number[]> | undefined;
  /**
   * Leaves out the last items of an epoch when they do not make a whole step. Default false: the last batch is shorter (one
   * rank and one batch a step only: ranks must not differ).
   */
  readonly dropLast?: boolean | undefined;
  /** Pads the last batch with repeated items, so that every batch has the same shape: `collateFn` gets the number of real items. */
  readonly fillLast?: boolean | undefined;
  /** The mesh whose axis `data` splits the batches: `device().mesh`. Without it, `rank` and `worldSize` are used. */
  readonly mesh?: DeviceMesh | undefined;
  /** Which share of each batch, from 0; 0 by default. Not together with `mesh`. */
  readonly rank?: number | undefined;
  /** How many shares there are; 1 by default. Not together with `mesh`. */
  readonly worldSize?: number | undefined;
  /** The first epoch. */
  readonly epoch?: number | undefined;
  /**
   * Puts items of like length into the same batch, sorting `window` batches at a time (default 32). Needs
   * `shuffle`.
   */
  readonly bucket?:
    | {
        /** The length of the item at this index. */
        lengthOf(index: number): number;
        readonly window?: number;
      }
    | undefined;
}

/** What a loader reads: items by index, an array of items, or a stream of them (`IterableDataset`). */
export type DataSource<T> = Dataset<T> | readonly T[] | Items<T>;

const optionNames = [
  'batchSize',
  'collateFn',
  'gradientAccumulationSteps',
  'shuffle',
  'seed',
  'sampler',
  'batchSampler',
  'dropLast',
  'fillLast',
  'mesh',
  'rank',
  'worldSize',
  'epoch',
  'bucket',
] as const satisfies readonly (keyof DataLoaderOptions<unknown, unknown>)[];

/**
 * Batches of a dataset, as PyTorch's class of this name. Each `for await` is an epoch.
 *
 * ```ts
 * const dataset = new TensorDataset(randn([100, 8]), randint(0, 10, [100]));
 * const loader = new DataLoader(dataset, { batchSize: 20, shuffle: true });
 * for await (const [x, y] of new DeviceLoader(loader, device())) …
 * ```
 */
export class DataLoader<T, B = Collated<T>> implements AsyncIterable<B> {
  /** Batches per epoch, the same on every rank; undefined if the dataset or the sampler has no length. */
  readonly knownLength: number | undefined;
  readonly batchSize: number;
  readonly #dataset: Dataset<T> | undefined;
  readonly #stream: Items<T> | undefined;
  readonly #options: DataLoaderOptions<T, B>;
  readonly #collate: Collate<T, B>;
  readonly #split: Split;
  #next: { readonly epoch: number; readonly step: number };

  /**
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {DATASET_TOO_SMALL}
   */
  constructor(source: DataSource<T>, options: DataLoaderOptions<T, B> = {}) {
    refuseUnknownOptions('DataLoader', options, optionNames);
    this.#dataset = Array.isArray(source)
      ? arrayDataset(source as readonly T[])
      : isDataset(source)
        ? (source as Dataset<T>)
        : undefined;
    this.#stream = this.#dataset === undefined ? streamOf(source as Items<T>) : undefined;
    this.#split = splitOf(options);
    validate(options, this.#split, this.#dataset !== undefined);
    this.#options = options;
    // The type of the batch guarantees that there is a collateFn unless the batch is the default one.
    this.#collate = options.collateFn ?? (defaultCollate as unknown as Collate<T, B>);
    this.batchSize = this.#split.batchSize;
    this.#next = { epoch: options.epoch ?? 0, step: 0 };
    this.knownLength = this.#countBatches();
  }
  /**
   * Batches per epoch, the same on every rank.
   * @throws {UNKNOWN_LENGTH} if the dataset or the sampler has no length
   */
  get length(): number {
    if (this.knownLength === undefined) throw new TrenioError('UNKNOWN_LENGTH', {});
    return this.knownLength;
  }
  #countBatches(): number | undefined {
    const { batchSampler, sampler, dropLast = false } = this.#options;
    if (batchSampler !== undefined) return lengthIn(batchSampler);
    const items =
      sampler === undefined
        ? ((this.#dataset ?? this.#stream) as { readonly length?: number }).length
        : lengthIn(sampler);
    if (items === undefined) return undefined;
    const batch = globalBatch(this.#split);
    const length = (dropLast ? Math.floor : Math.ceil)(items / batch) * this.#split.accumulation;
    if (length === 0) throw new TrenioError('DATASET_TOO_SMALL', { items, batch });
    return length;
  }

  /** The next epoch: each `for await` over the loader is an epoch with a different order. */
  [Symbol.asyncIterator](): AsyncGenerator<B> {
    const { epoch, step } = this.#next;
    this.#next = { epoch: epoch + 1, step: 0 };
    return this.epoch(epoch, step);
  }

  /** The batches of `epoch`, from batch `firstStep` on. Does not move the loader. */
  async *epoch(epoch: number, firstStep = 0): AsyncGenerator<B> {
    const { batchSampler, sampler } = this.#options;
    const dataset = this.#dataset;
    if (dataset === undefined) {
      for await (const { entries, real } of this.#splitStream(this.#stream!, firstStep))
        yield await this.#collate(entries, { real });
      return;
    }
    if (batchSampler !== undefined) {
      batchSampler.setEpoch?.(epoch);
      let batch = 0;
      for (const indices of batchSampler)
        if (batch++ >= firstStep) yield await this.#fetch(dataset, epoch, indices, indices.length);
    } else if (sampler !== undefined) {
      sampler.setEpoch?.(epoch);
      for await (const { entries, real } of this.#splitStream(sampler, firstStep))
        yield await this.#fetch(dataset, epoch, entries, real);
    } else {
      const order = this.#order(dataset, epoch);
      const step = globalBatch(this.#split);
      const { accumulation } = this.#split;
      for (let batch = firstStep; batch < this.length; batch++) {
        const start = Math.floor(batch / accumulation) * step;
        const inStep = Math.min(step, order.length - start);
        const { places, real } = shareOf(this.#split, inStep, batch % accumulation);
        yield await this.#fetch(
          dataset,
          epoch,
          places.map(place => order[start + place]!),
          real,
        );
      }
    }
  }

  /**
   * Makes the next `for await` continue after `steps` batches counted from epoch 0: how a run resumes.
   * @throws {INVALID_OPTION}
   * @throws {UNKNOWN_LENGTH}
   */
  skipTo(steps: number): void {
    requireCount('DataLoader', 'steps', steps, 0);
    this.#next = { epoch: Math.floor(steps / this.length), step: steps % this.length };
  }

  #order({ length }: Dataset<T>, epoch: number): Uint32Array {
    const { shuffle = false, seed = 0, bucket } = this.#options;
    const buckets: LengthBuckets | undefined = bucket && {
      lengthOf: index => bucket.lengthOf(index),
      batch: globalBatch(this.#split),
      window: bucket.window ?? 32,
    };
    return epochOrder(length, { shuffle, seed, epoch, buckets });
  }

  /** A batch of the items at these indices. */
  #fetch(dataset: Dataset<T>, epoch: number, indices: readonly number[], real: number): B | Promise<B> {
    const items = indices.map(index => dataset.get(index, epoch));
    if (!items.some(item => item instanceof Promise)) return this.#collate(items as readonly T[], { real });
    return allOf(items).then(known => this.#collate(known, { real }));
  }

  /** This rank's batches of what comes one after another: holds the entries of one step. */
  async *#splitStream<E>(
    stream: Items<E>,
    firstStep: number,
  ): AsyncGenerator<{ readonly entries: readonly E[]; readonly real: number }> {
    const split = this.#split;
    const size = globalBatch(split);
    let batch = 0;
    let step: E[] = [];
    const batches = function* () {
      for (let i = 0; i < split.accumulation; i++, batch++) {
        if (batch < firstStep) continue;
        const { places, real } = shareOf(split, step.length, i);
        yield { entries: places.map(place => step[place]!), real };
      }
    };
    for await (const entry of stream) {
      step.push(entry);
      if (step.length < size) continue;
      yield* batches();
      step = [];
    }
    if (step.length > 0 && this.#options.dropLast !== true) yield* batches();
    if (batch === 0) throw new TrenioError('DATASET_TOO_SMALL', { items: step.length, batch: size });
  }
}

const lengthIn = ({ length }: Sampler<unknown>): number | undefined =>
  Number.isSafeInteger(length) ? length : undefined;

function streamOf<T>(source: Items<T>): Items<T> {
  const isAsync = typeof (source as AsyncIterable<T> | undefined)?.[Symbol.asyncIterator] === 'function';
  if (!isAsync && typeof (source as Iterable<T> | undefined)?.[Symbol.iterator] !== 'function')
    throw wrongOption(
      'DataLoader',
      'the dataset',
      source,
      'an object with length and get(index), an array, or an IterableDataset',
    );
  // A generator is its own iterator: it would be empty in the second epoch.
  if (typeof (source as { next?: unknown }).next === 'function')
    throw invalidOption(
      'DataLoader',
      'the dataset',
      'a generator, which can be read once',
      'new IterableDataset(() => …), which makes one for each epoch',
    );
  return source;
}

function splitOf<T, B>(options: DataLoaderOptions<T, B>): Split {
  const { mesh, rank, worldSize, sampler } = options;
  const { batchSize = 1, gradientAccumulationSteps: accumulation = 1, fillLast: fill = false } = options;
  if (mesh !== undefined) {
    if (!(mesh instanceof DeviceMesh)) throw wrongOption('DataLoader', 'mesh', mesh, "a device's mesh: device().mesh");
    if (rank !== undefined || worldSize !== undefined)
      throw invalidOption(
        'DataLoader',
        rank === undefined ? 'worldSize' : 'rank',
        'given with a mesh',
        'undefined: the mesh says which share it is',
      );
  }
  const split = {
    batchSize,
    accumulation,
    fill,
    rank: mesh?.coordinate('data') ?? rank ?? 0,
    worldSize: mesh?.size('data') ?? worldSize ?? 1,
  };
  return sampler instanceof DistributedSampler ? { ...split, rank: 0, worldSize: 1 } : split;
}

function validate<T, B>(options: DataLoaderOptions<T, B>, split: Split, hasIndex: boolean): void {
  const {
    shuffle = false,
    seed = 0,
    epoch = 0,
    bucket,
    sampler,
    batchSampler,
    dropLast = false,
    fillLast = false,
  } = options;
  const invalid = (option: string, got: string, expected: string): TrenioError =>
    invalidOption('DataLoader', option, got, expected);
  const count = (option: string, value: unknown, min: number): void => requireCount('DataLoader', option, value, min);
  if (options.collateFn !== undefined && typeof options.collateFn !== 'function')
    throw wrongOption('DataLoader', 'collateFn', options.collateFn, 'a function that makes a batch of items');
  for (const [option, value] of Object.entries({ shuffle, dropLast, fillLast }))
    if (typeof value !== 'boolean') throw wrongOption('DataLoader', option, value, 'true or false');
  count('batchSize', split.batchSize, 1);
  count('worldSize', split.worldSize, 1);
  count('gradientAccumulationSteps', split.accumulation, 1);
  if (!Number.isSafeInteger(split.rank) || split.rank < 0 || split.rank >= split.worldSize)
    throw invalid('rank', String(split.rank), `0 to ${split.worldSize - 1}`);
  count('epoch', epoch, 0);
  count('seed', seed, Number.MIN_SAFE_INTEGER);
  if (bucket !== undefined) count('bucket.window', bucket.window ?? 1, 1);
  if (bucket !== undefined && !shuffle) throw invalid('bucket', 'set without shuffle', 'shuffle: true with it');
  if (dropLast && fillLast) throw invalid('fillLast', 'set with dropLast', 'one of them');
  for (const [option, value] of Object.entries({ sampler, batchSampler })) {
    if (value === undefined) continue;
    if (typeof value?.[Symbol.iterator] !== 'function')
      throw wrongOption('DataLoader', option, value, 'something iterable that gives indices');
    if (shuffle) throw invalid(option, 'set with shuffle', 'one of them: the sampler decides the order');
  }
  if (!hasIndex && (shuffle || sampler !== undefined || batchSampler !== undefined))
    throw invalid(
      shuffle ? 'shuffle' : sampler ? 'sampler' : 'batchSampler',
      'set with a dataset that has no index',
      'undefined: its items come in the order in which they are read',
    );
  if (batchSampler !== undefined) {
    for (const option of ['batchSize', 'sampler', 'dropLast', 'fillLast', 'gradientAccumulationSteps'] as const)
      if (options[option] !== undefined)
        throw invalid(option, 'set with batchSampler', 'undefined: batchSampler decides it');
    if (split.worldSize > 1)
      throw invalid(
        'batchSampler',
        `set with ${split.worldSize} ranks`,
        'a sampler, whose batches the loader splits over the ranks',
      );
  } else if (split.worldSize * split.accumulation > 1 && !dropLast && !fillLast) {
    throw invalid(
      'dropLast',
      'false',
      'true, or fillLast: true, with more than one rank or batch a step, so that all ranks run the same steps',
    );
  }
}

/** All items. Of several that cannot be had, the error of the first is the one that is thrown, whichever failed earlier. */
async function allOf<T>(items: readonly (T | Promise<T>)[]): Promise<T[]> {
  const settled = await Promise.allSettled(items);
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
