// Random numbers of one item in one epoch: Philox at a counter made of both. They do not depend on the order in which items are
// fetched, nor on the rank or thread.
import { philoxWords } from '../../numerics/philox.ts';

const wordsPerBlock = 4;

/**
 * The random numbers that transforms use for one item: the same for the same seed, epoch and index, on any rank.
 * @example
 * const random = new ItemRandom(0, 1, 2), again = new ItemRandom(0, 1, 2);
 * random.uniform() === again.uniform() // true
 */
export class ItemRandom {
  readonly #words: (start: number, count: number) => Uint32Array;
  /** Words computed ahead: only the first few, since most items need no more. */
  #ahead: Uint32Array = new Uint32Array(0);
  /** The first unused word of `#ahead`. */
  #next = 0;
  #used = 0;

  constructor(seed: number, epoch: number, index: number) {
    const key = BigInt.asUintN(64, BigInt(seed));
    const counter = (BigInt(epoch) << 80n) | (BigInt(index) << 16n) | (7n << 120n);
    this.#words = (start, count) => philoxWords(key, counter + BigInt(start / wordsPerBlock), count);
  }
  /** Uniform in [0, 1). */
  uniform(): number {
    if (this.#next === this.#ahead.length) {
      this.#ahead = this.#words(this.#used, this.#used === 0 ? wordsPerBlock : 64);
      this.#next = 0;
    }
    this.#used++;
    return this.#ahead[this.#next++]! / 2 ** 32;
  }
  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.uniform() * end);
  }
  /** Uniform from `least` to `greatest`. */
  between(least: number, greatest: number): number {
    return least + (greatest - least) * this.uniform();
  }
  /** Normally distributed, with mean 0 and standard deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}
