// Random numbers of the corpus: counter-based (Philox), so that review number n is the same on every machine
// and does not depend on the reviews before it.
import { philoxWords } from '../../../src/numerics/philox.ts';

export class Random {
  readonly #key: bigint;
  readonly #stream: bigint;
  #words: Uint32Array = new Uint32Array(0);
  #used = 0;
  #blocks = 0n;

  /** `stream` numbers independent sequences of one seed. */
  constructor(seed: number, stream: number) {
    this.#key = BigInt(seed);
    this.#stream = BigInt(stream) << 64n;
  }

  /** From 0 up to, not including, 1. */
  uniform(): number {
    if (this.#used === this.#words.length) {
      this.#words = philoxWords(this.#key, this.#stream | this.#blocks, 64);
      this.#blocks += 16n;
      this.#used = 0;
    }
    return this.#words[this.#used++]! / 0x1_0000_0000;
  }

  /** From 0 up to, not including, `n`. */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
