// Gives sequences their blocks: those that already have the tokens of their beginning, and new ones for the rest.
import { BlockPool } from './block-pool.ts';
import { PrefixIndex } from './prefix-index.ts';
import type { Sequence } from './sequence.ts';

export class SequenceBlocks {
  readonly pool: BlockPool;
  readonly blockSize: number;
  readonly #index = new PrefixIndex();

  constructor(blocks: number, blockSize: number) {
    this.pool = new BlockPool(blocks);
    this.blockSize = blockSize;
  }

  /** The blocks that have the first tokens of a sequence; the last token is always computed, because one is chosen after it. */
  found(sequence: Sequence): readonly number[] {
    const most = sequence.isWhole ? 0 : Math.floor((sequence.tokens.length - 1) / this.blockSize);
    const found: number[] = [];
    while (found.length < most) {
      const block = this.#index.find(sequence.keyOf(found.length, this.blockSize));
      if (block === undefined) break;
      found.push(block);
    }
    return found;
  }

  /** Blocks for all tokens of a sequence, `found` first. False if there are not enough: nothing has changed. */
  admit(sequence: Sequence, found: readonly number[], spare: number): boolean {
    const total = this.#count(sequence.tokens.length);
    const taken = total - found.length + found.filter(block => this.pool.isFree(block)).length;
    if (taken + spare > this.pool.free) return false;
    for (const block of found) this.pool.share(block);
    sequence.blocks = [...found];
    sequence.computed = found.length * this.blockSize;
    return this.extend(sequence, sequence.tokens.length);
  }

  /** Blocks for the first `tokens` tokens. False if there are not enough; those that there were are kept. */
  extend(sequence: Sequence, tokens: number): boolean {
    for (const count = this.#count(tokens); sequence.blocks.length < count; ) {
      const block = this.pool.take();
      if (block === undefined) return false;
      this.#index.forget(block);
      sequence.blocks.push(block);
    }
    return true;
  }

  /** Lets other sequences find the full blocks, of which those of the first `before` tokens were found before. */
  publish(sequence: Sequence, before: number): void {
    const full = Math.floor(sequence.computed / this.blockSize);
    for (let i = Math.floor(before / this.blockSize); i < full; i++)
      this.#index.add(sequence.keyOf(i, this.blockSize), sequence.blocks[i]!);
  }

  /** Keeps the blocks of its tokens only. */
  trim(sequence: Sequence): void {
    const spare = sequence.blocks.splice(this.#count(sequence.tokens.length));
    this.pool.release(spare, () => false);
  }

  release(sequence: Sequence): void {
    this.pool.release(sequence.blocks, block => this.#index.has(block));
    sequence.blocks = [];
    sequence.computed = 0;
  }

  #count(tokens: number): number {
    return Math.ceil(tokens / this.blockSize);
  }
}
