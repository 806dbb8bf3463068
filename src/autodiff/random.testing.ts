// Random choices for tests: reproducible from a seed, small, and of no particular statistical quality.
import { type Literal, literal } from '../hlo/literal.ts';
import { elementCount } from '../hlo/types.ts';

export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  /** In [0, 1). (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  /** An integer in [low, high]. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  float(low: number, high: number): number {
    return low + this.next() * (high - low);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)]!;
  }
  times<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  }
  /** A random subset, in order. */
  subset<T>(items: readonly T[], probability = 0.5): T[] {
    return items.filter(() => this.chance(probability));
  }
  /** 0 … n-1, shuffled. */
  permutation(n: number): number[] {
    return this.shuffle(this.times(n, i => i));
  }
  shape(minRank = 0, maxRank = 3, maxSize = 4): number[] {
    return this.times(this.int(minRank, maxRank), () => this.int(1, maxSize));
  }
  /** An f64 tensor with elements in [low, high). */
  tensor(shape: readonly number[], low = -2, high = 2): Literal {
    return literal(
      'f64',
      shape,
      this.times(elementCount(shape), () => this.float(low, high)),
    );
  }
  /** Like `tensor`, with a random sign for each element. */
  signed(shape: readonly number[], low: number, high: number): Literal {
    return literal(
      'f64',
      shape,
      this.times(elementCount(shape), () => this.float(low, high) * (this.chance(0.5) ? 1 : -1)),
    );
  }
  integers(shape: readonly number[], low: number, high: number): Literal {
    return literal(
      'i32',
      shape,
      this.times(elementCount(shape), () => this.int(low, high)),
    );
  }
  booleans(shape: readonly number[]): Literal {
    return literal(
      'i1',
      shape,
      this.times(elementCount(shape), () => this.chance(0.5)),
    );
  }
}
