// The order of items, as in PyTorch's samplers: they return indices and do not access items. Orders are pure functions of a seed
// and the epoch, so that the same run gives the same batches, and resuming is arithmetic. A loader sets the epoch; a sampler that
// is iterated directly counts its iterations.
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Settings } from '../../tensor/settings.ts';
import { invalidOption, optionsOf, requireCount, wrongOption } from '../check-options.ts';
import { epochOrder, randomWords, shuffleInPlace } from './epoch-order.ts';

/** Indices in some order. Any iterable, such as an array of indices. */
export interface Sampler<I = number> extends Iterable<I> {
  /** The number of indices in an epoch, if known. */
  readonly length?: number | undefined;
  /** Sets the epoch of the next iteration. */
  setEpoch?(epoch: number): void;
}
/** The part of a dataset that samplers need. */
export interface HasLength {
  /** The number of elements. */
  readonly length: number;
}
/** An option of all samplers with a random order. */
export interface SeedOptions {
  /** The seed of random orders. Default 0. */
  readonly seed?: number | undefined;
}

abstract class SeededSampler implements Sampler {
  /** The number of indices in an epoch. */
  abstract readonly length: number;
  /** The seed of the random order. */
  readonly seed: number;
  #epoch = 0;

  constructor(what: string, options: SeedOptions) {
    this.seed = options.seed ?? 0;
    requireCount(what, 'seed', this.seed, Number.MIN_SAFE_INTEGER);
  }
  /** Sets the epoch of the next iteration. */
  setEpoch(epoch: number): void {
    requireCount('setEpoch', 'epoch', epoch, 0);
    this.#epoch = epoch;
  }
  /** The indices of the next epoch. */
  [Symbol.iterator](): Iterator<number> {
    return this.order(this.#epoch++)[Symbol.iterator]();
  }
  /** The order of an epoch. */
  abstract order(epoch: number): Iterable<number>;
}

/**
 * All indices in order.
 * @example
 * [...new SequentialSampler([10, 20, 30])] // [0, 1, 2]
 */
export class SequentialSampler implements Sampler {
  /** The number of indices in an epoch. */
  readonly length: number;
  constructor(dataset: HasLength) {
    this.length = lengthOf('SequentialSampler', dataset);
  }
  /** The indices of the next epoch. */
  *[Symbol.iterator](): Generator<number> {
    for (let i = 0; i < this.length; i++) yield i;
  }
}

/** Options of `RandomSampler`. */
export interface RandomSamplerOptions extends SeedOptions {
  /** Whether an index may occur more than once. Default false. */
  readonly replacement?: boolean | undefined;
  /** The number of indices in an epoch. Default: the number of items of the dataset. */
  readonly numSamples?: number | undefined;
}
/**
 * Indices in a random order, different in each epoch, as with `shuffle: true`.
 * @example
 * [...new RandomSampler([10, 20, 30], { seed: 0 })].sort() // [0, 1, 2]
 */
export class RandomSampler extends SeededSampler {
  /** The number of indices in an epoch. */
  readonly length: number;
  /** Whether an example may be sampled more than once in an epoch. */
  readonly replacement: boolean;
  readonly #items: number;

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(dataset: HasLength, ...rest: Settings<RandomSamplerOptions, ['replacement', 'numSamples']>) {
    const order = ['replacement', 'numSamples'] as const;
    const options = optionsOf<RandomSamplerOptions>('RandomSampler', order, rest, ['seed']);
    super('RandomSampler', options);
    this.#items = lengthOf('RandomSampler', dataset);
    this.length = options.numSamples ?? this.#items;
    this.replacement = options.replacement ?? false;
    requireCount('RandomSampler', 'the length of the dataset', this.#items, 1);
    requireCount('RandomSampler', 'numSamples', this.length, 1);
  }
  order(epoch: number): Uint32Array {
    const { seed, length } = this;
    const count = this.#items;
    if (this.replacement)
      return randomWords({ seed, epoch }, 2, length).map(word => Math.floor((word / 2 ** 32) * count));
    const first = epochOrder(count, { shuffle: true, seed, epoch });
    if (length <= count) return first.subarray(0, length);
    // More samples than items: one permutation after another.
    const out = new Uint32Array(length);
    for (let at = 0, use = 3; at < length; at += count, use++) {
      const next = at === 0 ? first : Uint32Array.from({ length: count }, (_, i) => i);
      if (at > 0) shuffleInPlace(next, randomWords({ seed, epoch }, use, count));
      out.set(next.subarray(0, length - at), at);
    }
    return out;
  }
}

/**
 * Some indices, in a random order.
 * @example
 * [...new SubsetRandomSampler([0, 5, 9], { seed: 1 })].sort() // [0, 5, 9]
 */
export class SubsetRandomSampler extends SeededSampler {
  /** The indices that are returned in random order. */
  readonly indices: readonly number[];

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(indices: Iterable<number>, options: SeedOptions = {}) {
    super('SubsetRandomSampler', optionsOf<SeedOptions>('SubsetRandomSampler', [], [options], ['seed']));
    this.indices = [...indices];
    this.indices.forEach((index, i) => {
      requireCount('SubsetRandomSampler', `indices[${i}]`, index, 0);
    });
  }
  /** The number of indices in an epoch. */
  get length(): number {
    return this.indices.length;
  }
  order(epoch: number): readonly number[] {
    return Array.from(epochOrder(this.length, { shuffle: true, seed: this.seed, epoch }), i => this.indices[i]!);
  }
}

/** Options of `WeightedRandomSampler`. */
export interface WeightedRandomSamplerOptions extends SeedOptions {
  /** Whether an index may occur more than once. Default true. */
  readonly replacement?: boolean | undefined;
}
/**
 * `numSamples` indices, each chosen with a probability proportional to its weight: for classes of unequal size.
 * @example
 * [...new WeightedRandomSampler([0, 1, 0], 4)] // [1, 1, 1, 1]
 */
export class WeightedRandomSampler extends SeededSampler {
  /** The number of indices in an epoch. */
  readonly length: number;
  /** The weight of each example; they need not sum to 1. */
  readonly weights: Float64Array;
  /** Whether an example may be sampled more than once in an epoch. */
  readonly replacement: boolean;

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(
    weights: Iterable<number>,
    numSamples: number,
    ...rest: Settings<WeightedRandomSamplerOptions, ['replacement']>
  ) {
    const what = 'WeightedRandomSampler';
    const options = optionsOf<WeightedRandomSamplerOptions>(what, ['replacement'], rest, ['seed']);
    super(what, options);
    this.weights = Float64Array.from(weights);
    this.length = numSamples;
    this.replacement = options.replacement ?? true;
    requireCount(what, 'numSamples', numSamples, 1);
    let positive = 0;
    this.weights.forEach((weight, i) => {
      if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
        throw wrongOption(what, `weights[${i}]`, weight, 'a finite number, 0 or more');
      if (weight > 0) positive++;
    });
    const needed = this.replacement ? 1 : numSamples;
    if (positive < needed)
      throw invalidOption(
        what,
        'weights',
        `positive for ${positive} indices`,
        `positive for at least ${needed}${this.replacement ? '' : ', one for each sample'}`,
      );
  }
  order(epoch: number): Uint32Array {
    return this.replacement ? this.#withReplacement(epoch) : this.#withoutReplacement(epoch);
  }
  #withReplacement(epoch: number): Uint32Array {
    const { weights, length } = this;
    const ends = new Float64Array(weights.length);
    let total = 0;
    weights.forEach((weight, i) => {
      total += weight;
      ends[i] = total;
    });
    const uniform = this.#uniform(epoch, length);
    return Uint32Array.from({ length }, (_, i) => firstAbove(ends, uniform[i]! * total));
  }
  /** Sampling by exponential races: index i arrives after an exponential time of rate wᵢ (Efraimidis and Spirakis, 2006). */
  #withoutReplacement(epoch: number): Uint32Array {
    const { weights, length } = this;
    const uniform = this.#uniform(epoch, weights.length);
    const times = Float64Array.from(weights, (weight, i) => -Math.log1p(-uniform[i]!) / weight);
    const indices = Uint32Array.from({ length: weights.length }, (_, i) => i).filter(i => weights[i]! > 0);
    return indices.sort((a, b) => times[a]! - times[b]! || a - b).subarray(0, length);
  }
  /** Uniform in [0, 1), with 53 bits. */
  #uniform(epoch: number, count: number): Float64Array {
    const words = randomWords({ seed: this.seed, epoch }, 2, 2 * count);
    return Float64Array.from(
      { length: count },
      (_, i) => ((words[2 * i]! >>> 5) * 2 ** 26 + (words[2 * i + 1]! >>> 6)) / 2 ** 53,
    );
  }
}

/** The first entry of an ascending list that is above `value`. */
function firstAbove(ends: Float64Array, value: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Options of `BatchSampler`. */
export interface BatchSamplerOptions {
  /** The number of indices in a batch. */
  readonly batchSize?: number;
  /** Whether an incomplete last batch is left out. */
  readonly dropLast?: boolean;
}
/**
 * Batches of the indices of another sampler.
 * @example
 * [...new BatchSampler(new SequentialSampler([10, 20, 30, 40, 50]), 2, true)] // [[0, 1], [2, 3]]
 */
export class BatchSampler implements Sampler<readonly number[]> {
  /** The sampler whose indices are grouped into batches. */
  readonly sampler: Sampler;
  /** The number of indices in a batch. */
  readonly batchSize: number;
  /** Whether an incomplete last batch is left out. */
  readonly dropLast: boolean;

  /** @throws {INVALID_OPTION} */
  constructor(
    sampler: Sampler,
    batchSize: number | BatchSamplerOptions,
    ...rest: Settings<BatchSamplerOptions, ['dropLast']>
  ) {
    const given = optionsOf<BatchSamplerOptions>('BatchSampler', ['batchSize', 'dropLast'], [batchSize, ...rest]);
    if (typeof sampler?.[Symbol.iterator] !== 'function')
      throw wrongOption('BatchSampler', 'sampler', sampler, 'an iterable of indices');
    const { batchSize: size, dropLast } = given;
    requireCount('BatchSampler', 'batchSize', size, 1);
    if (typeof dropLast !== 'boolean') throw wrongOption('BatchSampler', 'dropLast', dropLast, 'true or false');
    this.sampler = sampler;
    this.batchSize = size!;
    this.dropLast = dropLast;
  }
  /** The number of indices in an epoch. */
  get length(): number | undefined {
    const { length } = this.sampler;
    return length === undefined ? undefined : (this.dropLast ? Math.floor : Math.ceil)(length / this.batchSize);
  }
  /** Sets the epoch of the next iteration. */
  setEpoch(epoch: number): void {
    this.sampler.setEpoch?.(epoch);
  }
  /** The batches of indices of the next epoch. */
  *[Symbol.iterator](): Generator<readonly number[]> {
    let batch: number[] = [];
    for (const index of this.sampler) {
      batch.push(index);
      if (batch.length < this.batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0 && !this.dropLast) yield batch;
  }
}

/** Options of `DistributedSampler`. */
export interface DistributedSamplerOptions extends SeedOptions {
  /** The mesh whose `data` axis splits the dataset: `device().mesh`. */
  readonly mesh?: DeviceMesh | undefined;
  /** The number of shares, if no mesh is given. Default 1. */
  readonly numReplicas?: number | undefined;
  /** The index of the share, from 0, if no mesh is given. Default 0. */
  readonly rank?: number | undefined;
  /** Default true. */
  readonly shuffle?: boolean | undefined;
  /** Leaves out the last items if there is not one for each share; otherwise the first items are repeated. Default false. */
  readonly dropLast?: boolean | undefined;
}
/**
 * Every n-th index of one order for all ranks, like PyTorch's class of the same name: call `setEpoch` for a new order in each
 * epoch (a loader does). A `DataLoader` with a `mesh` does not need this sampler: it splits each batch itself.
 * @example
 * [...new DistributedSampler([10, 20, 30, 40], { numReplicas: 2, rank: 1, shuffle: false })] // [1, 3]
 */
export class DistributedSampler extends SeededSampler {
  /** The number of indices of this rank in an epoch. */
  readonly length: number;
  /** The number of ranks that share the dataset. */
  readonly numReplicas: number;
  /** The rank that this sampler is for, from 0. */
  readonly rank: number;
  /** Whether the order is random in each epoch. */
  readonly shuffle: boolean;
  /** Whether an incomplete last batch is left out. */
  readonly dropLast: boolean;
  readonly #items: number;
  #current = 0;

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(
    dataset: HasLength,
    ...rest: Settings<DistributedSamplerOptions, ['numReplicas', 'rank', 'shuffle', 'seed', 'dropLast']>
  ) {
    const what = 'DistributedSampler';
    const order = ['numReplicas', 'rank', 'shuffle', 'seed', 'dropLast'] as const;
    const options = optionsOf<DistributedSamplerOptions>(what, order, rest, ['mesh']);
    super(what, options);
    const { mesh } = options;
    if (mesh !== undefined && !(mesh instanceof DeviceMesh))
      throw wrongOption(what, 'mesh', mesh, "a device's mesh: device().mesh");
    if (mesh !== undefined && (options.numReplicas ?? options.rank) !== undefined)
      throw invalidOption(what, 'rank', 'given with a mesh', 'undefined: the mesh says which share it is');
    this.#items = lengthOf(what, dataset);
    this.numReplicas = mesh?.size('data') ?? options.numReplicas ?? 1;
    this.rank = mesh?.coordinate('data') ?? options.rank ?? 0;
    this.shuffle = options.shuffle ?? true;
    this.dropLast = options.dropLast ?? false;
    requireCount(what, 'numReplicas', this.numReplicas, 1);
    requireCount(what, 'the length of the dataset', this.#items, 1);
    if (!Number.isSafeInteger(this.rank) || this.rank < 0 || this.rank >= this.numReplicas)
      throw wrongOption(what, 'rank', this.rank, `0 to ${this.numReplicas - 1}`);
    this.length = (this.dropLast ? Math.floor : Math.ceil)(this.#items / this.numReplicas);
  }
  /** Orders change only with the epoch, as in PyTorch: all ranks must agree on it. */
  override setEpoch(epoch: number): void {
    super.setEpoch(epoch);
    this.#current = epoch;
  }
  /** The indices of this rank in this epoch. */
  override [Symbol.iterator](): Iterator<number> {
    return this.order(this.#current)[Symbol.iterator]();
  }
  order(epoch: number): Uint32Array {
    const all = epochOrder(this.#items, { shuffle: this.shuffle, seed: this.seed, epoch });
    return Uint32Array.from({ length: this.length }, (_, i) => all[(i * this.numReplicas + this.rank) % this.#items]!);
  }
}

function lengthOf(what: string, dataset: HasLength): number {
  if (!Number.isSafeInteger(dataset?.length) || dataset.length < 0)
    throw wrongOption(what, 'dataset', dataset, 'an object with a length');
  return dataset.length;
}
