// The options of `DataLoader`, and their validation.
import type { TrenioError } from '../../base/errors.ts';
import { warnOnce } from '../../base/warn-once.ts';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Settings } from '../../tensor/settings.ts';
import { invalidOption, optionsOf, requireCount, wrongOption } from '../check-options.ts';
import type { Items } from '../datasets/iterable-dataset.ts';
import { DistributedSampler, type Sampler } from '../datasets/samplers.ts';
import type { BucketOptions } from './batch-bucket.ts';
import type { Collate } from './batch-maker.ts';
import type { Split } from './batch-share.ts';

/** Options of `DataLoader`. */
export interface DataLoaderOptions<T, B> {
  /** Items per batch on this rank. Default 1. */
  readonly batchSize?: number | undefined;
  /** Makes a batch of items. Default: `defaultCollate`, which stacks them. */
  readonly collateFn?: Collate<T, B> | undefined;
  /** Micro-batches per step, each a batch of the loader: an epoch has a multiple of them. Default 1. */
  readonly gradientAccumulationSteps?: number | undefined;
  /**
   * A new random order in each epoch. Default false: the order of the dataset. A stream shuffles with `IterableDataset.shuffle`.
   */
  readonly shuffle?: boolean | undefined;
  /** The seed of the shuffled order. */
  readonly seed?: number | undefined;
  /**
   * The order of the items in each epoch, over all ranks, instead of `shuffle`. A `DistributedSampler` gives this rank's items,
   * which are not split again.
   */
  readonly sampler?: Sampler | undefined;
  /** The indices of each batch, instead of `batchSize`, `shuffle`, `sampler` and `dropLast`. On one rank only. */
  readonly batchSampler?: Sampler<readonly number[]> | undefined;
  /**
   * Leaves out the last items of an epoch when they do not make a whole step. Default false: the last batch is shorter (one
   * rank and one batch per step only: ranks must not differ).
   */
  readonly dropLast?: boolean | undefined;
  /**
   * Fills the last batch up with repeated items, so that every batch has the same shape: `collateFn` gets the number of real
   * items.
   */
  readonly fillLast?: boolean | undefined;
  /** The mesh whose `data` axis splits the batches: `device().mesh`. Without it, `rank` and `worldSize` do. */
  readonly mesh?: DeviceMesh | undefined;
  /** The index of this rank's share of each batch, from 0; 0 by default. Not together with `mesh`. */
  readonly rank?: number | undefined;
  /** The number of shares; 1 by default. Not together with `mesh`. */
  readonly worldSize?: number | undefined;
  /** The first epoch. */
  readonly epoch?: number | undefined;
  /**
   * Pads sequences of different lengths to the smallest of these sizes that holds the longest of the batch, so that a step
   * compiles one program for each size that occurs. As an object: also which fields, and with which values.
   */
  readonly bucket?: readonly number[] | BucketOptions | undefined;
  /**
   * Puts items of similar length into the same batch. `true` calls `lengthOf(index)` of the dataset. Requires `shuffle`.
   */
  readonly groupByLength?: boolean | LengthGroups | undefined;
  /** The number of threads that make batches. Default 0: the thread of the loop. The batches are the same for any number. */
  readonly numWorkers?: number | undefined;
  /** Batches that each worker prepares ahead. Default 2. */
  readonly prefetchFactor?: number | undefined;
  /** Keeps the workers between epochs. Default false. */
  readonly persistentWorkers?: boolean | undefined;
  /** Called in each worker with its number, before it loads anything; registered with `exportToWorkers`. */
  readonly workerInitFn?: ((workerId: number) => unknown) | undefined;
  /** Seconds after which a batch that a worker has not made is an error. Default 0: never. */
  readonly timeout?: number | undefined;
  /** Has no effect, because devices read the same memory; accepted for compatibility with PyTorch. */
  readonly pinMemory?: boolean | undefined;
}

/** How items of similar length are grouped. */
export interface LengthGroups {
  /** The length of the item at this index. */
  lengthOf(index: number): number;
  /** How many batches are sorted together. More means less padding but less shuffling. Default 32. */
  readonly window?: number | undefined;
}

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
  'groupByLength',
  'numWorkers',
  'prefetchFactor',
  'persistentWorkers',
  'workerInitFn',
  'timeout',
  'pinMemory',
] as const satisfies readonly (keyof DataLoaderOptions<unknown, unknown>)[];

const positional = [
  'batchSize',
  'shuffle',
  'sampler',
  'batchSampler',
  'numWorkers',
  'collateFn',
  'pinMemory',
  'dropLast',
  'timeout',
  'workerInitFn',
] as const satisfies readonly (keyof DataLoaderOptions<unknown, unknown>)[];
/** The arguments of `DataLoader` after the dataset: in PyTorch's order, or by name. */
export type DataLoaderArguments<T, B> = Settings<DataLoaderOptions<T, B>, typeof positional>;

/** @throws {NO_SUCH_OPTION} @throws {WRONG_ARGUMENT} for too many arguments */
export const loaderOptions = <T, B>(rest: readonly unknown[]): DataLoaderOptions<T, B> =>
  optionsOf('DataLoader', positional, rest, optionNames);

/** The source of a loader that has no index. */
export function streamOf<T>(source: Items<T>): Items<T> {
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
      'a generator, which can be read only once',
      'new IterableDataset(() => …), which makes one for each epoch',
    );
  return source;
}

export function splitOf<T, B>(options: DataLoaderOptions<T, B>): Split {
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

export function validate<T, B>(options: DataLoaderOptions<T, B>, split: Split, hasIndex: boolean): void {
  const {
    shuffle = false,
    seed = 0,
    epoch = 0,
    groupByLength = false,
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
  if (typeof groupByLength === 'object') {
    count('groupByLength.window', groupByLength.window ?? 1, 1);
    if (typeof groupByLength.lengthOf !== 'function')
      throw wrongOption('DataLoader', 'groupByLength.lengthOf', groupByLength.lengthOf, 'a function of the index');
  } else if (typeof groupByLength !== 'boolean')
    throw wrongOption('DataLoader', 'groupByLength', groupByLength, 'true, false or { lengthOf, window }');
  if (groupByLength !== false && !shuffle)
    throw invalid('groupByLength', 'set without shuffle', 'shuffle: true with it');
  if (dropLast && fillLast) throw invalid('fillLast', 'set with dropLast', 'one of them');
  for (const [option, value] of Object.entries({ sampler, batchSampler })) {
    if (value === undefined) continue;
    if (typeof value?.[Symbol.iterator] !== 'function')
      throw wrongOption('DataLoader', option, value, 'an iterable of indices');
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
      'true, or fillLast: true, with more than one rank or batch per step, so that all ranks run the same steps',
    );
  }
  validateWorkers(options);
}

function validateWorkers<T, B>(options: DataLoaderOptions<T, B>): void {
  const { numWorkers = 0, timeout = 0, pinMemory = false, workerInitFn } = options;
  requireCount('DataLoader', 'numWorkers', numWorkers, 0);
  requireCount('DataLoader', 'prefetchFactor', options.prefetchFactor ?? 1, 1);
  for (const option of ['persistentWorkers', 'pinMemory'] as const)
    if (typeof (options[option] ?? false) !== 'boolean')
      throw wrongOption('DataLoader', option, options[option], 'true or false');
  if (typeof timeout !== 'number' || !(timeout >= 0))
    throw wrongOption('DataLoader', 'timeout', timeout, 'seconds, 0 or more');
  if (workerInitFn !== undefined && typeof workerInitFn !== 'function')
    throw wrongOption('DataLoader', 'workerInitFn', workerInitFn, 'a function of the number of the worker');
  if (numWorkers === 0)
    for (const option of ['prefetchFactor', 'timeout', 'persistentWorkers'] as const)
      if ((options[option] ?? false) !== false && options[option] !== 0)
        throw invalidOption('DataLoader', option, 'set without workers', 'numWorkers, 1 or more, with it');
  if (pinMemory)
    warnOnce('DataLoader pinMemory', 'pinMemory has no effect: the device reads batches from the memory they are in');
}
