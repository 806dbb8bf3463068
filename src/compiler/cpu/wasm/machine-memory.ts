// The memory that kernels in WebAssembly compute in: one for the process, growing with the largest program that has run. A
// program gets its parts from the top while it runs.

import { availableMemory } from 'node:process';
import { TrenioError } from '../../../base/errors.ts';
import { maxPages } from './encoder.ts';
import { webAssembly } from './engine.ts';

const pageBytes = 65536;
/** The beginning is for tables that kernels look elements up in. */
const tableBytes = pageBytes;

export class MachineMemory {
  readonly memory = new webAssembly.Memory({ initial: 1, maximum: maxPages, shared: true });
  readonly #tables = new Map<readonly number[], number>();
  #tablesEnd = 0;
  #top = tableBytes;

  /** The address of a table of f32. */
  tableAt(table: readonly number[]): number {
    let found = this.#tables.get(table);
    if (found === undefined) {
      found = this.#tablesEnd;
      this.#tables.set(table, found);
      this.#tablesEnd += 4 * table.length;
      new Float32Array(this.memory.buffer, found, table.length).set(table);
    }
    return found;
  }
  /** Bytes at an address that is a multiple of 64, which is their offset in the buffer. @throws {OUT_OF_MEMORY} */
  allocate(bytes: number): Uint8Array {
    const at = this.#top;
    this.#top = at + Math.ceil(bytes / 64) * 64;
    const missing = Math.ceil((this.#top - this.memory.buffer.byteLength) / pageBytes);
    if (missing > 0) this.#grow(missing);
    return new Uint8Array(this.memory.buffer, at, bytes);
  }
  #grow(pages: number): void {
    const bytes = pages * pageBytes;
    const left = maxPages * pageBytes - this.memory.buffer.byteLength;
    try {
      this.memory.grow(pages);
    } catch (cause) {
      const what = 'a program that runs as WebAssembly';
      throw new TrenioError('OUT_OF_MEMORY', { what, bytes, available: Math.min(left, availableMemory()) }, { cause });
    }
  }
  /** Runs with parts that are free again afterwards. */
  scoped<T>(body: () => T): T {
    const before = this.#top;
    try {
      return body();
    } finally {
      this.#top = before;
    }
  }
}

let memory: MachineMemory | undefined;
export function machineMemory(): MachineMemory {
  memory ??= new MachineMemory();
  return memory;
}
