// Sums of many floats in blocks that are added in pairs: one after another, the rounding errors of a million additions would be
// visible in a mean. Sums of up to a block are added in order.
import type { Accumulator, Fold, Scalar } from './reducers.ts';

/** Elements that are added in order. */
const blockSize = 128;

/**
 * Adds elements to positions of the accumulator, which have initial values, by the fold of a sum. `finish` must be called at the
 * end.
 *
 *   block 0 1 2 3 4   ((0 + 1) + (2 + 3)) + 4
 */
export class PairwiseSum {
  readonly #fold: Fold;
  readonly #sums: Accumulator;
  readonly #counts: Int32Array;
  /** At level k, for each position, the sum of 2^k blocks, where that bit is set in its number of whole blocks. */
  readonly #levels: Accumulator[] = [];

  constructor(fold: Fold, sums: Accumulator) {
    this.#fold = fold;
    this.#sums = sums;
    this.#counts = new Int32Array(sums.length);
  }
  add(target: number, from: ArrayLike<Scalar>, source: number): void {
    const count = this.#counts[target]!;
    if (count > 0 && count % blockSize === 0) {
      this.#carry(target, count / blockSize - 1);
      this.#sums[target] = from[source] as never;
    } else this.#fold([this.#sums], target, [from], source);
    this.#counts[target] = count + 1;
  }
  /** Adds the sums of a position that are left, the later ones first. */
  finish(): void {
    this.#counts.forEach((count, target) => {
      const blocks = Math.max(Math.ceil(count / blockSize) - 1, 0);
      for (const [k, level] of this.#levels.entries()) if ((blocks >> k) & 1) this.#join(level, target);
    });
  }
  /** Another block is complete, after this many. */
  #carry(target: number, blocks: number): void {
    let k = 0;
    for (; (blocks >> k) & 1; k++) this.#join(this.#levels[k]!, target);
    this.#levels[k] ??= this.#sums.slice() as Accumulator;
    this.#levels[k]![target] = this.#sums[target] as never;
  }
  /** The earlier sum plus the later one. */
  #join(earlier: Accumulator, target: number): void {
    this.#fold([earlier], target, [this.#sums], target);
    this.#sums[target] = earlier[target] as never;
  }
}
