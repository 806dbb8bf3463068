// Batches from a dataset: which items, in which order, for which rank. Batches come out as `collate` makes them, plain
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
// replay.
import { TrenioError } from '../base/errors.ts';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import type { Dataset } from './dataset.ts';
import { epochOrder, type LengthBuckets } from './epoch-order.ts';

/** Turns items into a batch. Items from `real` on repeat earlier ones to fill the last batch; do not count them. */
export type Collate<T, B> = (items: readonly T[], batch: { readonly real: number }) => B | Promise<B>;

export interface DataLoaderOptions<T, B> {
  /** Items a batch on this rank. */
  readonly batchSize: number;
  readonly collate: Collate<T, B>;
  /** Micro-batches a step, each a batch of the loader: an epoch has a multiple of them. Default 1. */
  readonly gradientAccumulationSteps?: number | undefined;
  /** A new order each epoch. Default false: the order of the dataset. */
  readonly shuffle?: boolean | undefined;
  readonly seed?: number | undefined;
  /**
   * What becomes of the last items of an epoch when they do not make a whole step: left out, a shorter batch (one rank
   * and one batch a step only: ranks must not differ), or filled up with repeated items, so that every batch has one shape. Default
   * 'short'.
   */
  readonly last?: 'drop' | 'short' | 'fill' | undefined;
  /** Whose axis `data` splits the batches: `device().mesh`. Left out, `rank` and `worldSize` say it. */
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
  readonly bucket?: { lengthOf(index: number): number; readonly window?: number } | undefined;
}

export class DataLoader<T, B> implements AsyncIterable<B> {
  /** Batches an epoch, the same on every rank. */
  readonly length: number;
  readonly batchSize: number;
  readonly #dataset: Dataset<T>;
  readonly #options: DataLoaderOptions<T, B>;
  readonly #accumulation: number;
  readonly #share: Share;
  /** Items of a step, over all shares. */
  readonly #globalBatch: number;
  #next: { readonly epoch: number; readonly step: number };

  /**
   * @throws {INVALID_OPTION}
   * @throws {DATASET_TOO_SMALL}
   */
  constructor(dataset: Dataset<T>, options: DataLoaderOptions<T, B>) {
    const share = shareOf(options);
    validate(dataset, options, share);
    this.#share = share;
    this.#dataset = dataset;
    this.#options = options;
    this.batchSize = options.batchSize;
    this.#accumulation = options.gradientAccumulationSteps ?? 1;
    this.#globalBatch = options.batchSize * share.worldSize * this.#accumulation;
    this.#next = { epoch: options.epoch ?? 0, step: 0 };
    const steps = dataset.length / this.#globalBatch;
    this.length = (options.last === 'drop' ? Math.floor(steps) : Math.ceil(steps)) * this.#accumulation;
    if (this.length === 0) {
      throw new TrenioError('DATASET_TOO_SMALL', { items: dataset.length, batch: this.#globalBatch });
    }
  }

  /** The next epoch: each `for await` over the loader is one, with an order of its own. */
  [Symbol.asyncIterator](): AsyncGenerator<B> {
    const { epoch, step } = this.#next;
    this.#next = { epoch: epoch + 1, step: 0 };
    return this.epoch(epoch, step);
  }

  /** The batches of `epoch`, from batch `firstStep` on. Does not move the loader. */
  async *epoch(epoch: number, firstStep = 0): AsyncGenerator<B> {
    const order = this.#order(epoch);
    for (let step = firstStep; step < this.length; step++) yield await this.#batch(order, step);
  }

  /** Makes the next `for await` continue after `steps` batches counted from epoch 0: how a run resumes. */
  skipTo(steps: number): void {
    if (!Number.isSafeInteger(steps) || steps < 0) throw invalid('steps', String(steps), 'an integer, 0 or more');
    this.#next = { epoch: Math.floor(steps / this.length), step: steps % this.length };
  }

  #order(epoch: number): Uint32Array {
    const { shuffle = false, seed = 0, bucket } = this.#options;
    const buckets: LengthBuckets | undefined = bucket && {
      lengthOf: index => bucket.lengthOf(index),
      batch: this.#globalBatch,
      window: bucket.window ?? 32,
    };
    return epochOrder(this.#dataset.length, { shuffle, seed, epoch, buckets });
  }

  #batch(order: Uint32Array, step: number): B | Promise<B> {
    const { rank } = this.#share;
    const { last = 'short' } = this.#options;
    const globalStart = Math.floor(step / this.#accumulation) * this.#globalBatch;
    const place = (rank * this.#accumulation + (step % this.#accumulation)) * this.batchSize;
    const start = globalStart + place;
    const real = Math.min(Math.max(order.length - start, 0), this.batchSize);
    const size = last === 'fill' ? this.batchSize : real;
    const inBatch = Math.min(this.#globalBatch, order.length - globalStart);
    const items = Array.from({ length: size }, (_, i) => {
      const item = i < real ? start + i : globalStart + ((place + i) % inBatch);
      return this.#dataset.get(order[item]!);
    });
    return this.#options.collate(items, { real });
  }
}

interface Share {
  readonly rank: number;
  readonly worldSize: number;
}
function shareOf<T, B>(options: DataLoaderOptions<T, B>): Share {
  const { mesh, rank, worldSize } = options ?? {};
  if (mesh === undefined) return { rank: rank ?? 0, worldSize: worldSize ?? 1 };
  if (!(mesh instanceof DeviceMesh)) throw invalid('mesh', String(mesh), "a device's mesh: device().mesh");
  if (rank !== undefined || worldSize !== undefined)
    throw invalid(
      rank === undefined ? 'worldSize' : 'rank',
      'given with a mesh',
      'undefined: the mesh says which share it is',
    );
  return { rank: mesh.coordinate('data'), worldSize: mesh.size('data') };
}

function validate<T, B>(dataset: Dataset<T>, options: DataLoaderOptions<T, B>, { rank, worldSize }: Share): void {
  if (typeof dataset?.get !== 'function' || !Number.isSafeInteger(dataset.length)) {
    const isArray = Array.isArray(dataset);
    throw invalid(
      'dataset',
      isArray ? 'an array' : `of type ${typeof dataset}`,
      isArray ? 'a dataset: arrayDataset(items) makes one' : 'an object with length and get(index)',
    );
  }
  const isFunction = typeof options?.collate === 'function';
  if (!isFunction) throw invalid('collate', String(options?.collate), 'a function that makes a batch of items');
  const { batchSize, epoch = 0, seed = 0, last = 'short', bucket, shuffle = false } = options;
  const { gradientAccumulationSteps = 1 } = options;
  const count = (option: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): void => {
    if (Number.isSafeInteger(value) && value >= min && value <= max) return;
    throw invalid(
      option,
      String(value),
      max === Number.MAX_SAFE_INTEGER ? `an integer, ${min} or more` : `${min} to ${max}`,
    );
  };
  count('batchSize', batchSize, 1);
  count('worldSize', worldSize, 1);
  count('gradientAccumulationSteps', gradientAccumulationSteps, 1);
  count('rank', rank, 0, worldSize - 1);
  count('epoch', epoch, 0);
  count('seed', seed, Number.MIN_SAFE_INTEGER);
  if (bucket !== undefined) count('bucket.window', bucket.window ?? 1, 1);
  if (bucket !== undefined && !shuffle) throw invalid('bucket', 'set without shuffle', 'shuffle: true with it');
  if (worldSize * gradientAccumulationSteps > 1 && last === 'short') {
    throw invalid(
      'last',
      "'short'",
      "'drop' or 'fill' with more than one rank or batch a step, so that all ranks run the same steps",
    );
  }
}

function invalid(option: string, got: string, expected: string): TrenioError<'INVALID_OPTION'> {
  return new TrenioError('INVALID_OPTION', { what: 'DataLoader', option, got, expected });
}
