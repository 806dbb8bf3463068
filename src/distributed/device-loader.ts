// Prefetches batches to the device: while a step runs, the next batches are fetched and uploaded. It also
// keeps a loop from running ahead of the device: when a batch is returned, at most one marked step is still running.

import { readVariable } from '../base/environment.ts';
import { DataLoader } from '../data/loader/data-loader.ts';
import type { LoaderState } from '../data/loader/loader-state.ts';
import { ThreadWork } from '../data/loader/thread-work.ts';
import type { Literal } from '../hlo/literal.ts';
import { emit, isObserved } from '../observe/events.ts';
import { hostSpanAsync } from '../observe/host-spans.ts';
import {
  checkIterable,
  type Device,
  type DeviceName,
  deviceFrom,
  isLiteral,
  type Settings,
  settle,
  Tensor,
  tensor,
  wrongArgument,
} from '../tensor/index.ts';
import { differentBatches, isNumbers } from './launch/trial-batches.ts';

/** A batch with its data turned into tensors. */
export type OnDevice<B> = B extends
  | Tensor
  | Literal
  | ArrayBufferView
  | readonly number[]
  | readonly (readonly number[])[]
  ? Tensor
  : B extends (...args: never[]) => unknown
    ? B
    : B extends object
      ? { -readonly [K in keyof B]: OnDevice<B[K]> }
      : B;

/** Options of `DeviceLoader`. */
export interface DeviceLoaderOptions {
  /** The number of batches prepared ahead; 2 by default. */
  readonly prefetch?: number;
}

/**
 * Batches of a loader as tensors of a device; batches are prepared ahead while the device runs a step.
 *
 * @example
 * const dataset = new TensorDataset(randn([100, 8]), randint(0, 10, [100]));
 * const loader = new DataLoader(dataset, { batchSize: 20, shuffle: true });
 * const shapes: (readonly number[])[] = [];
 * for await (const [x, y] of new DeviceLoader(loader, device())) shapes.push(x.shape);
 * shapes.length // 5
 * shapes[0] // [20, 8]
 */
export class DeviceLoader<B> implements AsyncIterable<OnDevice<B>> {
  readonly #source: Iterable<B> | AsyncIterable<B>;
  readonly #device: Device;
  readonly #prefetch: number;

  /** `source` yields batches: literals, typed arrays, arrays of numbers or tensors, nested in arrays and objects. */
  constructor(
    source: Iterable<B> | AsyncIterable<B>,
    device: Device | DeviceName,
    ...rest: Settings<DeviceLoaderOptions, []>
  ) {
    checkIterable({ call: 'DeviceLoader', argument: 'the source' }, source, 'an iterable of batches');
    this.#source = source;
    this.#device = deviceFrom('DeviceLoader', device);
    const { prefetch = 2 } = settle<DeviceLoaderOptions>('DeviceLoader', [], rest, ['prefetch']);
    this.#prefetch = Math.max(1, prefetch);
  }

  /** The number of batches, if the source has a length. */
  get length(): number | undefined {
    const source = this.#source;
    return source instanceof DataLoader ? source.knownLength : (source as { length?: number }).length;
  }

  /**
   * The position of the loop, as that of the DataLoader: batches that were only prefetched do not count. So this loader can be a
   * part of a `Checkpointer`.
   *
   * ```ts
   * const checkpointer = new Checkpointer({ directory, every: 50 }, { model, optimizer, loader });
   * ```
   * @throws {WRONG_ARGUMENT} if the source is not a DataLoader
   */
  stateDict(): LoaderState {
    return this.#loader('stateDict').stateDict();
  }
  /**
   * Makes the next `for await` continue where the loader that gave `state` was: see `DataLoader.loadStateDict`.
   * @throws {WRONG_ARGUMENT} if the source is not a DataLoader
   * @throws {LOADER_STATE_MISMATCH}
   */
  loadStateDict(state: LoaderState): void {
    this.#loader('loadStateDict').loadStateDict(state);
  }
  /**
   * Makes the next `for await` continue after `steps` batches counted from epoch 0: see `DataLoader.skipTo`.
   * @throws {WRONG_ARGUMENT} if the source is not a DataLoader
   * @throws {INVALID_OPTION}
   * @throws {UNKNOWN_LENGTH}
   */
  skipTo(steps: number): void {
    this.#loader('skipTo').skipTo(steps);
  }
  #loader(method: string): DataLoader<unknown, B> {
    const source = this.#source;
    if (source instanceof DataLoader) return source as unknown as DataLoader<unknown, B>;
    const where = { call: `DeviceLoader.${method}`, argument: 'the source of the batches' };
    throw wrongArgument(
      where,
      source,
      'a DataLoader',
      'make the batches with a DataLoader, or save the position yourself',
    );
  }

  /** The batches of one epoch. */
  async *[Symbol.asyncIterator](): AsyncGenerator<OnDevice<B>> {
    const source = this.#source;
    const loader = source instanceof DataLoader ? (source as unknown as DataLoader<unknown, B>) : undefined;
    const work = new ThreadWork(() => this.#device.isIdle);
    const ahead = loader?.ahead(work);
    const all =
      ahead?.batches ?? (Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]());
    const isCollecting = readVariable('TRENIO_COMPILE_ONLY') !== undefined;
    const iterator = isCollecting ? differentBatches(all, this.#device.gradientAccumulationSteps) : all;
    const queue: Promise<{ batch: OnDevice<B> } | undefined>[] = [];
    // Sequential requests, because an iterator that is not a generator may not support concurrent calls.
    let last: Promise<unknown> = Promise.resolve();
    let fetchMs = 0;
    const fetchNext = (): void => {
      const next = last.then(async () => {
        const started = performance.now();
        const { done, value } = await iterator.next();
        fetchMs += performance.now() - started;
        return done ? undefined : { batch: toDevice(value, this.#device) as OnDevice<B> };
      });
      // A failure is thrown where the batch is awaited; until then it must not count as unhandled.
      last = next.catch(() => {});
      queue.push(next);
    };
    try {
      for (let i = 0; i < this.#prefetch; i++) fetchNext();
      let step = ahead?.first.step ?? 0;
      let stepMs = 0;
      // Waits for data are those of the device: where this thread made batches while it was idle, that was one, too.
      let madeInStepMs = 0;
      for (;;) {
        const asked = performance.now();
        const next = queue.shift()!;
        const entry = await (loader === undefined
          ? hostSpanAsync('data', 'the source of the DeviceLoader', () => next)
          : loader.waiting(() => next));
        const queuedMs = performance.now() - asked + madeInStepMs;
        stepMs -= madeInStepMs;
        if (entry === undefined) {
          if (ahead !== undefined) loader?.delivered({ epoch: ahead.first.epoch + 1, step: 0 }, undefined, stepMs);
          return;
        }
        const fetchedBefore = fetchMs;
        fetchNext();
        const blocked = performance.now();
        const madeBefore = work.idleMs;
        await this.#device.atMostInFlight(1);
        const blockedMs = performance.now() - blocked;
        // Without workers, batches are created while waiting for the device. If that took all of the time, the device was idle.
        const isIdle = loader?.numWorkers === 0 && fetchMs - fetchedBefore > 0.9 * blockedMs;
        const madeMs = isIdle ? blockedMs : work.idleMs - madeBefore;
        const [waitMs, deviceMs] = [queuedMs + madeMs, blockedMs - madeMs];
        // The loader's position counts the batches that the loop received, not those prefetched here.
        if (ahead !== undefined)
          loader?.delivered({ epoch: ahead.first.epoch, step: ++step }, waitMs, stepMs + deviceMs);
        if (isObserved()) emit({ kind: 'batch', ...sizeOf(entry.batch), waitMs });
        const given = performance.now();
        const madeBeforeStep = work.idleMs;
        yield entry.batch;
        stepMs = performance.now() - given;
        madeInStepMs = work.idleMs - madeBeforeStep;
      }
    } finally {
      await last;
      await iterator.return?.();
      if (iterator !== all) await all.return?.();
    }
  }
}

/** The number of examples and tokens in a batch: see BatchEvent. */
function sizeOf(batch: unknown): { examples: number; tokens: number } {
  const tensors: Tensor[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Tensor) tensors.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(batch);
  const ids = tensors.find(({ shape, type }) => shape.length === 2 && /^u?i\d/.test(type.elementType));
  return { examples: tensors[0]?.shape[0] ?? 0, tokens: ids?.numel() ?? 0 };
}

function toDevice(value: unknown, device: Device): unknown {
  if (value instanceof Tensor) return value.to(device);
  if (isLiteral(value)) return tensor(value, { device });
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return tensor(value as Float32Array, { device });
  if (isNumbers(value)) return tensor(value as number[], { device });
  if (Array.isArray(value)) return value.map(entry => toDevice(entry, device));
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  if (prototype === Object.prototype || prototype === null) {
    return Object.fromEntries(Object.entries(value as object).map(([key, entry]) => [key, toDevice(entry, device)]));
  }
  return value;
}
