// The memory that kernels in WebAssembly compute in: one for the process, growing with the largest program that has run. A
// program gets its parts from the top while it runs.

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
  /** Bytes at an address that is a multiple of 64, which is their offset in the buffer. */
  allocate(bytes: number): Uint8Array {
    const at = this.#top;
    this.#top = at + Math.ceil(bytes / 64) * 64;
    const missing = Math.ceil((this.#top - this.memory.buffer.byteLength) / pageBytes);
    if (missing > 0) {
      if (this.#top > maxPages * pageBytes) throw new RangeError('more than 4 GiB');
      this.memory.grow(missing);
    }
    return new Uint8Array(this.memory.buffer, at, bytes);
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
