// The order of the items in an epoch: a pure function of seed and epoch, the same on every rank, so that
// resuming is arithmetic and needs no stored generator.
//
//   shuffled      7 2 9 4 1 8 0 5 3 6        Fisher–Yates, random words from Philox at counter (epoch, 0)
//   by length    [2 7] [4 9] | [1 0] [8 5] | 3 6    inside windows of some batches, items of similar length share a batch
//   batches      [4 9] [2 7] | [8 5] [1 0] | 3 6    … and the batches of a window are shuffled again
import { philoxWords } from '../../numerics/philox.ts';

export interface EpochOrderOptions {
  readonly shuffle: boolean;
  readonly seed: number;
  readonly epoch: number;
  /** Puts items of similar length into the same batch. Only when shuffling. */
  readonly buckets?: LengthBuckets | undefined;
}
export interface LengthBuckets {
  lengthOf(index: number): number;
  /** Items of one batch over all ranks. */
  readonly batch: number;
  /** How many batches are sorted together. More means less padding but less shuffling. */
  readonly window: number;
}

/** The order of the `count` items in one epoch: a permutation of 0 … count − 1. */
export function epochOrder(count: number, options: EpochOrderOptions): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (!options.shuffle) return order;
  shuffleInPlace(order, randomWords(options, 0, count));
  if (options.buckets !== undefined) sortByLength(order, options, options.buckets);
  return order;
}

/**
 * A permutation of 0 … count − 1 determined by the seed, for example to split a dataset.
 * @example
 * permutation(5, 0).length // 5
 */
export function permutation(count: number, seed: number): Uint32Array {
  return epochOrder(count, { shuffle: true, seed, epoch: 0 });
}

function sortByLength(order: Uint32Array, options: EpochOrderOptions, buckets: LengthBuckets): void {
  const { batch, window } = buckets;
  const wholeBatches = Math.floor(order.length / batch);
  const words = randomWords(options, 1, wholeBatches);
  // The items of the last, incomplete batch stay where they are: another batch in its place would be incomplete too.
  for (let first = 0; first < wholeBatches; first += window) {
    const last = Math.min(first + window, wholeBatches);
    const items = [...order.subarray(first * batch, last * batch)];
    items.sort((a, b) => buckets.lengthOf(a) - buckets.lengthOf(b));
    const positions = Uint32Array.from({ length: last - first }, (_, i) => i);
    shuffleInPlace(positions, words.subarray(first, last));
    positions.forEach((place, i) => {
      order.set(items.slice(i * batch, (i + 1) * batch), (first + place) * batch);
    });
  }
}

/** Words of the random stream of this seed, epoch and use. */
export function randomWords(
  { seed, epoch }: Pick<EpochOrderOptions, 'seed' | 'epoch'>,
  use: number,
  count: number,
): Uint32Array {
  return philoxWords(BigInt.asUintN(64, BigInt(seed)), (BigInt(epoch) << 64n) | (BigInt(use) << 48n), count);
}

/** Fisher–Yates. A word scaled to [0, i] favors no value by more than i / 2³². */
export function shuffleInPlace(items: Uint32Array, words: Uint32Array): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor((words[i]! / 0x1_0000_0000) * (i + 1));
    const swapped = items[i]!;
    items[i] = items[j]!;
    items[j] = swapped;
  }
}
