// Batches from a dataset: which items, in which order, for which rank. `collateFn` makes them of host data; a loop over the
// loader gets tensors of the default device. Making tensors of another device, while the step runs, is DeviceLoader's task.
//
//   global batch k (worldSize × batchSize items of the epoch's order)
//   ├── rank 0 ──┼── rank 1 ──┼── …        the union over ranks is what one rank with the whole batch would see
//
// On a mesh, `rank` is the coordinate on the `data` axis and `worldSize` the size of that axis: ranks that differ on other axes
// have the same share.
//
// If a step accumulates gradients over n micro-batches, the global batch is that of the step, and a rank's micro-batches are
// adjacent: micro-batch i of rank r is micro-batch r · n + i of a single rank that accumulates worldSize · n.
//
//   ├── rank 0 ──────────────────────┼── rank 1 ─────
//   ├─ batch 0 ─┼─ batch 1 ─┼─ … n - 1┼─ batch 0 ─┼─ …
//
// The position is two numbers, epoch and step, and each batch is a pure function of them: for any number of loader workers, and
// after any restart. A dataset without an index is split the same way, as it is read.
//
// The parts are independent of each other: the order (`epoch-order.ts`, `samplers.ts`), the split (`batch-share.ts`), making a
// batch of given items (`batch-maker.ts`), and the threads that do it (`worker-pool.ts`).
import { TrenioError } from '../../base/errors.ts';
import { hostSpanAsync } from '../../observe/host-spans.ts';
import { invalidOption, requireCount } from '../check-options.ts';
import { isDataset } from '../datasets/combined-datasets.ts';
import { arrayDataset, type Dataset } from '../datasets/dataset.ts';
import { epochOrder, type LengthBuckets } from '../datasets/epoch-order.ts';
import type { Items } from '../datasets/iterable-dataset.ts';
import type { Sampler } from '../datasets/samplers.ts';
import { sharedPass } from '../datasets/shared-work.ts';
import { type AsTensors, asTensors } from './as-tensors.ts';
import { bucketOptions } from './batch-bucket.ts';
import { BatchMaker, type BatchRecipe, type BatchTask } from './batch-maker.ts';
import { globalBatch, type Split, type SplitBatch, StepSplitter, shareOf } from './batch-share.ts';
import type { Collated } from './collate.ts';
import {
  type DataLoaderArguments,
  type DataLoaderOptions,
  loaderOptions,
  splitOf,
  streamOf,
  validate,
} from './loader-options.ts';
import { type LoaderState, stateOf, stepIn } from './loader-state.ts';
import { LoaderClock, type LoaderStats, loaderAdvice } from './loader-stats.ts';
import { ThreadWork } from './thread-work.ts';
import { encode } from './worker-exports.ts';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

/** The source of a loader: items by index, an array of items, or a stream of them (`IterableDataset`). */
export type DataSource<T> = Dataset<T> | readonly T[] | Items<T>;

/** How long idle threads are kept for the next epoch, for example during an evaluation. */
const restMs = 60_000;

/** The position of a loader: the next batch of an epoch. */
interface Position {
  readonly epoch: number;
  readonly step: number;
}
/** One epoch, for a reader that prefetches: `batches` starts at `first`. */
export interface EpochAhead<B> {
  readonly first: Position;
  readonly batches: AsyncGenerator<B>;
}

/**
 * Batches of a dataset, like PyTorch's class of the same name, as tensors. Each `for await` is an epoch.
 * @example
 * const dataset = new TensorDataset(randn([100, 8]), randint(0, 10, [100]));
 * for await (const [x, y] of new DataLoader(dataset, { batchSize: 20, shuffle: true })) {
 *   const total = x.sum(); // x: a float32 [20, 8], y: an int64 [20]
 * }
 */
export class DataLoader<T, B = Collated<T>> implements AsyncIterable<AsTensors<B>>, AsyncDisposable {
  /** Batches per epoch, the same on every rank; undefined if the dataset or the sampler has no length. */
  readonly knownLength: number | undefined;
  /** The number of examples in a batch. */
  readonly batchSize: number;
  /** The number of worker threads that load examples; 0 loads on the main thread. */
  readonly numWorkers: number;
  readonly #options: DataLoaderOptions<T, B>;
  readonly #recipe: BatchRecipe<T, B>;
  readonly #split: Split;
  readonly #clock: LoaderClock;
  /** The position of the next epoch to start. */
  #next: Position;
  /** The batch after the last one delivered to the loop. */
  #position: Position;
  /** How many times workers have read the stream. */
  #passes = 0;
  #keptPool: WorkerPool | undefined;
  /** The threads of the last epoch, kept for the next one. */
  #resting: { readonly pool: WorkerPool; readonly timer: NodeJS.Timeout } | undefined;

  /**
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {DATASET_TOO_SMALL}
   */
  constructor(source: DataSource<T>, ...rest: DataLoaderArguments<T, B>) {
    const options = loaderOptions<T, B>(rest);
    const dataset = Array.isArray(source)
      ? arrayDataset(source as readonly T[])
      : isDataset(source)
        ? (source as Dataset<T>)
        : undefined;
    const split = splitOf(options);
    this.#recipe = {
      source:
        dataset === undefined ? { kind: 'stream', stream: streamOf(source as Items<T>) } : { kind: 'dataset', dataset },
      collate: options.collateFn,
      bucket: options.bucket === undefined ? undefined : bucketOptions(options.bucket),
      split,
      dropLast: options.dropLast ?? false,
      seed: options.seed ?? 0,
    };
    this.#split = split;
    validate(options, split, dataset !== undefined);
    this.#options = options;
    this.batchSize = split.batchSize;
    this.numWorkers = options.numWorkers ?? 0;
    this.#clock = new LoaderClock(this.numWorkers);
    this.#next = { epoch: options.epoch ?? 0, step: 0 };
    this.#position = this.#next;
    this.knownLength = this.#countBatches();
    if (options.groupByLength === true && lengthsOf(dataset) === undefined)
      throw invalidOption(
        'DataLoader',
        'groupByLength',
        'true for a dataset without lengthOf(index)',
        '{ lengthOf: index => … }',
      );
  }
  /**
   * Batches per epoch, the same on every rank.
   * @throws {UNKNOWN_LENGTH} if the dataset or the sampler has no known length
   */
  get length(): number {
    if (this.knownLength === undefined) throw new TrenioError('UNKNOWN_LENGTH', {});
    return this.knownLength;
  }
  #countItems(): number | undefined {
    const { source } = this.#recipe;
    const { sampler } = this.#options;
    if (sampler !== undefined) return lengthIn(sampler);
    return source.kind === 'dataset' ? source.dataset.length : (source.stream as { readonly length?: number }).length;
  }
  #countBatches(): number | undefined {
    const { batchSampler, dropLast = false } = this.#options;
    if (batchSampler !== undefined) return lengthIn(batchSampler);
    const items = this.#countItems();
    if (items === undefined) return undefined;
    const batch = globalBatch(this.#split);
    const length = (dropLast ? Math.floor : Math.ceil)(items / batch) * this.#split.accumulation;
    if (length === 0) throw new TrenioError('DATASET_TOO_SMALL', { items, batch });
    return length;
  }

  /** Starts the next epoch: each `for await` over the loader is an epoch, in a new order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AsTensors<B>> {
    const { first, batches } = this.ahead();
    let step = first.step;
    let asked = performance.now();
    try {
      for (;;) {
        const next = await this.waiting(() => batches.next());
        if (next.done === true) break;
        const given = performance.now();
        this.delivered({ epoch: first.epoch, step: ++step }, given - asked);
        yield asTensors(next.value);
        asked = performance.now();
        this.#clock.stepped(asked - given);
      }
    } finally {
      await batches.return(undefined);
    }
    this.delivered({ epoch: first.epoch + 1, step: 0 });
  }

  /**
   * @internal The next epoch, for a reader that prefetches and calls `delivered` for each batch that it passes on. `work` is
   * measured where this thread does it.
   */
  ahead(work = new ThreadWork()): EpochAhead<B> {
    const first = this.#next;
    this.#next = { epoch: first.epoch + 1, step: 0 };
    return { first, batches: this.#batches(first.epoch, first.step, work) };
  }
  /** @internal Waits for a batch; profiles show the wait with advice. */
  waiting<T>(wait: () => Promise<T>): Promise<T> {
    return hostSpanAsync('data', loaderAdvice(this.numWorkers), wait);
  }
  /**
   * @internal Records that the batch before `next` was delivered to the loop, which waited `waitMs` for it after a step of
   * `stepMs`.
   */
  delivered(next: Position, waitMs?: number, stepMs?: number): void {
    this.#position = next;
    if (stepMs !== undefined) this.#clock.stepped(stepMs);
    if (waitMs !== undefined) this.#clock.waited(waitMs);
  }

  /** The batches of `epoch`, from batch `firstStep` on. Does not move the loader. */
  async *epoch(epoch: number, firstStep = 0): AsyncGenerator<AsTensors<B>> {
    for await (const batch of this.#batches(epoch, firstStep, new ThreadWork())) yield asTensors(batch);
  }
  #batches(epoch: number, firstStep: number, work: ThreadWork): AsyncGenerator<B> {
    const tasks = this.#tasks(epoch, firstStep);
    return this.numWorkers === 0 ? this.#inThisThread(tasks, work) : this.#inWorkers(tasks);
  }

  /**
   * Makes the next `for await` continue after `steps` batches counted from epoch 0: how a run resumes. `loadStateDict` also
   * continues streams of unknown length.
   * @throws {INVALID_OPTION}
   * @throws {UNKNOWN_LENGTH}
   */
  skipTo(steps: number): void {
    requireCount('DataLoader', 'steps', steps, 0);
    this.#next = { epoch: Math.floor(steps / this.length), step: steps % this.length };
    this.#position = this.#next;
  }

  /**
   * The position of the loop: after the last batch delivered to it, not counting prefetched ones. Plain data, to be saved with a
   * checkpoint.
   *
   * ```ts
   * const state = loader.stateDict();
   * const resumed = new DataLoader(dataset, options);
   * resumed.loadStateDict(state); // the next `for await` gives the rest of the epoch
   * ```
   */
  stateDict(): LoaderState {
    return stateOf(this.#position, this.#identity());
  }
  /**
   * Makes the next `for await` continue where the loader that gave `state` was: with the batches that it would have given next.
   * The number of workers may differ, and the number of ranks if the global batch is the same.
   * @throws {LOADER_STATE_MISMATCH}
   */
  loadStateDict(state: LoaderState): void {
    this.#next = { epoch: state.epoch, step: stepIn(state, this.#identity()) };
    this.#position = this.#next;
  }
  #identity(): Omit<LoaderState, 'version' | 'epoch' | 'step'> {
    const { batchSampler, shuffle = false, seed = 0 } = this.#options;
    return {
      items: batchSampler === undefined ? (this.#countItems() ?? null) : null,
      globalBatch: batchSampler === undefined ? globalBatch(this.#split) : null,
      gradientAccumulationSteps: this.#split.accumulation,
      shuffle,
      seed: shuffle ? seed : null,
    };
  }

  /**
   * How long the loop has waited for batches, and how long its steps took. If more than 15 % of the time is waiting, the
   * loader prints a warning once, with advice.
   *
   * ```ts
   * const { waitFraction } = loader.stats(); // 0.02: data keeps up
   * ```
   */
  stats(): LoaderStats {
    return this.#clock.stats();
  }

  /** Ends workers that were kept with `persistentWorkers`; the next epoch starts others. They do not keep a process running. */
  async close(): Promise<void> {
    const pool = this.#keptPool;
    this.#keptPool = undefined;
    const resting = this.#takeResting();
    await Promise.all([pool?.close(), resting?.close()]);
  }
  /** Like `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The plan of each batch of an epoch. Endless for a stream, whose end is found by reading. */
  *#tasks(epoch: number, firstStep: number): Generator<BatchTask> {
    const { batchSampler, sampler } = this.#options;
    const { source, dropLast } = this.#recipe;
    if (source.kind === 'stream') {
      for (let batch = firstStep; ; batch++) yield { epoch, batch, indices: undefined, real: 0 };
    }
    if (batchSampler !== undefined) {
      batchSampler.setEpoch?.(epoch);
      let batch = 0;
      for (const indices of batchSampler) {
        if (batch >= firstStep) yield { epoch, batch, indices, real: indices.length };
        batch++;
      }
    } else if (sampler !== undefined) {
      sampler.setEpoch?.(epoch);
      const splitter = new StepSplitter<number>(this.#split, dropLast);
      const rest = (batches: readonly SplitBatch<number>[]): readonly BatchTask[] =>
        batches
          .filter(({ batch }) => batch >= firstStep)
          .map(({ batch, entries, real }) => ({ epoch, batch, indices: entries, real }));
      for (const index of sampler) yield* rest(splitter.push(index));
      yield* rest(splitter.end());
    } else {
      const order = this.#order(source.dataset, epoch);
      const step = globalBatch(this.#split);
      const { accumulation } = this.#split;
      for (let batch = firstStep; batch < this.length; batch++) {
        const start = Math.floor(batch / accumulation) * step;
        const inStep = Math.min(step, order.length - start);
        const { positions, real } = shareOf(this.#split, inStep, batch % accumulation);
        yield { epoch, batch, indices: positions.map(place => order[start + place]!), real };
      }
    }
  }

  #order(dataset: Dataset<T>, epoch: number): Uint32Array {
    const { shuffle = false, seed = 0, groupByLength = false } = this.#options;
    const groups = groupByLength === true ? lengthsOf(dataset) : groupByLength || undefined;
    const buckets: LengthBuckets | undefined = groups && {
      lengthOf: index => groups.lengthOf(index),
      batch: globalBatch(this.#split),
      window: groups.window ?? 32,
    };
    return epochOrder(dataset.length, { shuffle, seed, epoch, buckets });
  }

  async *#inThisThread(tasks: Iterable<BatchTask>, work: ThreadWork): AsyncGenerator<B> {
    const maker = new BatchMaker(this.#recipe, { work });
    try {
      for (const task of tasks) {
        const made = await maker.make(task);
        if (made === undefined) return;
        yield made.batch;
      }
    } finally {
      await maker.close();
    }
  }

  /** Batch k is made by worker k mod n; batches are delivered in order. */
  async *#inWorkers(tasks: Iterator<BatchTask> & Iterable<BatchTask>): AsyncGenerator<B> {
    const { persistentWorkers = false, prefetchFactor = 2 } = this.#options;
    const pool = this.#keptPool ?? this.#poolOfEpoch();
    if (persistentWorkers) this.#keptPool = pool;
    const queue: { readonly worker: number; readonly answer: Promise<{ readonly batch: unknown } | undefined> }[] = [];
    const pass = this.#recipe.source.kind === 'stream' && pool.size > 1 ? sharedPass(++this.#passes) : undefined;
    const ask = (): void => {
      const { done, value } = tasks.next();
      if (done) return;
      const worker = value.batch % pool.size;
      queue.push({ worker, answer: pool.request(worker, { ...value, pass }) });
    };
    try {
      for (let i = 0; i < pool.size * prefetchFactor; i++) ask();
      for (let first = queue.shift(); first !== undefined; first = queue.shift()) {
        const made = await pool.await(first.worker, first.answer);
        if (made === undefined) return;
        ask();
        yield made.batch as B;
      }
    } catch (error) {
      // A worker that failed or hangs is not used again.
      if (persistentWorkers) await this.close();
      throw error;
    } finally {
      tasks.return?.();
      if (!persistentWorkers) await this.#rest(pool);
    }
  }
  /** Keeps the threads for a while, if they are idle: starting one takes as long as making several batches. */
  async #rest(pool: WorkerPool): Promise<void> {
    if (!pool.isIdle || this.#resting !== undefined) return pool.close();
    const timer = setTimeout(() => {
      if (this.#resting?.pool === pool) this.#resting = undefined;
      void pool.close();
    }, restMs);
    timer.unref();
    this.#resting = { pool, timer };
  }
  #takeResting(): WorkerPool | undefined {
    const resting = this.#resting;
    this.#resting = undefined;
    clearTimeout(resting?.timer);
    return resting?.pool;
  }
  /** Workers with the current dataset: on threads of the last epoch, or new ones. */
  #poolOfEpoch(): WorkerPool {
    const options = this.#poolOptions();
    const resting = this.#takeResting();
    if (resting === undefined || !resting.isIdle) {
      void resting?.close();
      return new WorkerPool(options);
    }
    resting.setUp(options);
    return resting;
  }
  #poolOptions(): WorkerPoolOptions {
    const { seed = 0, workerInitFn, timeout = 0 } = this.#options;
    const { source, collate, ...rest } = this.#recipe;
    return {
      numWorkers: this.numWorkers,
      seed,
      recipe: {
        ...(encode(rest, 'the options') as object),
        collate: encode(collate, 'collateFn'),
        source:
          source.kind === 'stream'
            ? { kind: 'stream', stream: encode(source.stream, 'the dataset') }
            : { kind: 'dataset', dataset: encode(source.dataset, 'the dataset') },
      },
      workerInitFn: encode(workerInitFn, 'workerInitFn'),
      timeoutMs: 1000 * timeout,
    };
  }
}

const lengthIn = ({ length }: Sampler<unknown>): number | undefined =>
  Number.isSafeInteger(length) ? length : undefined;

/** The lengths of the items, if the dataset knows them. */
function lengthsOf(dataset: object | undefined): { lengthOf(index: number): number; window?: number } | undefined {
  const known = dataset as { lengthOf?(index: number): number } | undefined;
  return typeof known?.lengthOf === 'function' ? { lengthOf: index => known.lengthOf!(index) } : undefined;
}
