// Copies parts of buffers as an execution on the stream: after all queued work, by all threads.
import { type HostBuffer, writersOf } from './buffer.ts';
import type { Engine } from './engine.ts';
import { type Address, addressOf } from './native-library.ts';
import type { Ticket } from './stream.ts';

export interface BufferCopy {
  readonly buffer: HostBuffer;
  /** The first byte to copy, and the number of bytes. */
  readonly from: number;
  readonly bytes: number;
  /** The memory that they are copied to, which must stay until the copy is done. */
  readonly to: Address;
}

const words = 4; // as `copied_piece` in native/copies.c

/** Queues the copies. @throws {BUFFER_CONSUMED} */
export function copyBuffers(engine: Engine, copies: readonly BufferCopy[]): Ticket {
  const some = copies.filter(({ bytes }) => bytes > 0);
  const table = new BigInt64Array(words * some.length);
  some.forEach(({ buffer, from, bytes, to }, i) => {
    table.set([to, buffer.block.address + BigInt(from), BigInt(bytes)], words * i);
  });
  return engine.stream.submit({
    program: 'a copy',
    entry: engine.native.copyEntry,
    arena: 0n,
    args: [addressOf(table.buffer), BigInt(some.length)],
    after: writersOf(some.map(({ buffer }) => buffer)),
    keepAlive: [table, some.map(({ buffer }) => buffer.block)],
  });
}
