// Which block has the keys and values of which tokens. Only full blocks are found. A key is a hash of all that they depend on:
//
//   key of block i = sha256(key of block i − 1, ids of block i)        before block 0: sha256(adapter, salt)
import { hash } from 'node:crypto';

/** The key before the first block. Sequences with different salts or adapters share nothing. */
export const rootKey = (salt: string, adapter = ''): string =>
  hash('sha256', JSON.stringify([adapter, salt]), 'base64');

/** The key of the tokens `ids` after those of the key `parent`. */
export function blockKey(parent: string, ids: readonly number[]): string {
  return hash('sha256', Buffer.concat([Buffer.from(parent), Buffer.from(Int32Array.from(ids).buffer)]), 'base64');
}

export class PrefixIndex {
  readonly #blocks = new Map<string, number>();
  readonly #keys = new Map<number, string>();

  find(key: string): number | undefined {
    return this.#blocks.get(key);
  }
  has(block: number): boolean {
    return this.#keys.has(block);
  }
  /** The block has these tokens from now on. Of several blocks with the same tokens, the first is found. */
  add(key: string, block: number): void {
    if (this.#blocks.has(key) || this.#keys.has(block)) return;
    this.#blocks.set(key, block);
    this.#keys.set(block, key);
  }
  /** The block gets other tokens. */
  forget(block: number): void {
    const key = this.#keys.get(block);
    if (key === undefined) return;
    this.#keys.delete(block);
    this.#blocks.delete(key);
  }
}
