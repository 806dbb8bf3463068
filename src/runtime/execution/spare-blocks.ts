// Released memory, reused for results of the same size: fresh memory costs more, since the system has to
// clear each page when it is first written. The garbage collector may take it, so it is not kept forever.
import type { Block } from './memory.ts';

export class SpareBlocks {
  readonly #bySize = new Map<number, WeakRef<Block>[]>();

  /** Programs that are queued from now on may write to it; no program that reads it may be queued afterwards. */
  give(block: Block): void {
    const size = block.bytes.byteLength;
    const spare = this.#bySize.get(size) ?? [];
    spare.push(new WeakRef(block));
    this.#bySize.set(size, spare);
  }
  /** A block of this size, with any contents. */
  take(size: number): Block | undefined {
    const spare = this.#bySize.get(size);
    for (let last = spare?.pop(); last !== undefined; last = spare?.pop()) {
      const block = last.deref();
      if (block !== undefined) return block;
    }
    return undefined;
  }
}
