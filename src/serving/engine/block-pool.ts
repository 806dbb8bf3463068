// The blocks of a pool: which are used, by how many sequences, and which is taken next. What a block contains is not known here.
//
//   free list    0 ⇄ 7 ⇄ 3 ⇄ … ⇄ 5        taken from the left; released blocks that are worth keeping go to the right, others
//                └ least recently used     to the left. A block in the list keeps its content until it is taken.
import { invariant } from '../../base/errors.ts';

export class BlockPool {
  readonly size: number;
  /** The number of sequences that use each block. */
  readonly #users: Int32Array;
  /** The free list, doubly linked; the entry `size` is before its first and after its last block. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  #free = 0;

  constructor(size: number) {
    this.size = size;
    this.#users = new Int32Array(size);
    this.#next = new Int32Array(size + 1).fill(size);
    this.#previous = new Int32Array(size + 1).fill(size);
    for (let block = 0; block < size; block++) this.#insertBefore(size, block);
  }

  /** The number of blocks that no sequence uses. */
  get free(): number {
    return this.#free;
  }

  isFree(block: number): boolean {
    return this.#users[block] === 0;
  }

  /** The free block that was used least recently; undefined if there is none. */
  take(): number | undefined {
    const block = this.#next[this.size]!;
    if (block === this.size) return undefined;
    this.#remove(block);
    this.#users[block] = 1;
    return block;
  }

  /** One more sequence uses the block, which may be free. */
  share(block: number): void {
    if (this.#users[block] === 0) this.#remove(block);
    this.#users[block]! += 1;
  }

  /** A sequence no longer uses its blocks. The last one is taken first: it is the least likely to be shared. */
  release(blocks: readonly number[], isWorthKeeping: (block: number) => boolean): void {
    for (const block of blocks.toReversed()) {
      invariant(this.#users[block]! > 0, `block ${block} is released twice`);
      this.#users[block]! -= 1;
      if (this.#users[block] === 0)
        this.#insertBefore(isWorthKeeping(block) ? this.size : this.#next[this.size]!, block);
    }
  }

  #insertBefore(next: number, block: number): void {
    const previous = this.#previous[next]!;
    this.#next[previous] = block;
    this.#previous[block] = previous;
    this.#next[block] = next;
    this.#previous[next] = block;
    this.#free++;
  }

  #remove(block: number): void {
    const [previous, next] = [this.#previous[block]!, this.#next[block]!];
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#free--;
  }
}
