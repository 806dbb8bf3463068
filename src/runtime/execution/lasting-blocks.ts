// Memory for weights below the size of a huge page: they share blocks of huge pages, because a step that reads many small
// matrices in small pages waits for the processor's table of pages and restarts its prefetchers at each of them. Only for
// contents that live long and together: a shared block is freed with the last of them.
import { allocate, type Block, hugeFromBytes } from './memory.ts';
import type { NativeLibrary } from './native-library.ts';

/** Smaller ones are a few pages only. */
export const lastingFromBytes = 32 << 10;
/** Two huge pages, less the largest offset of a block in its first. */
const sharedBytes = (4 << 20) - 4096;
/** Between neighbors: streams at equal page offsets would conflict in the caches. */
const gapBytes = 256;
const alignment = 64; // a cache line

export class LastingBlocks {
  #shared: Block | undefined;
  #used = 0;

  /**
   * `bytes` zero bytes for `what`, aligned to 64.
   * @throws {OUT_OF_MEMORY}
   */
  allocate(bytes: number, what: string, native: Pick<NativeLibrary, 'adviseHuge'>): Block {
    if (bytes < lastingFromBytes || bytes >= hugeFromBytes) return allocate(bytes, what, native);
    if (this.#shared === undefined || this.#used + bytes > sharedBytes) {
      this.#shared = allocate(sharedBytes, what, native);
      this.#used = 0;
    }
    const { bytes: memory, address } = this.#shared;
    const start = this.#used;
    this.#used = Math.ceil((start + bytes + gapBytes) / alignment) * alignment;
    return { bytes: memory.subarray(start, start + bytes), address: address + BigInt(start) };
  }
}
