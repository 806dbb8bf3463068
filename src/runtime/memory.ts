// Memory for tensors: JavaScript array buffers, so that the garbage collector knows what they weigh and frees them,
// laid out so that native code finds them aligned. Not for temporaries of a step: those live in the arena.
import { TrenioError } from '../base/errors.ts';
import { type Address, addressOf, type NativeLibrary } from './native-library.ts';

const alignment = 64; // a vector register, a cache line
const hugeFromBytes = 4 << 20;

/** Aligned bytes. */
export interface Block {
  readonly bytes: Uint8Array;
  readonly address: Address;
}

/**
 * `bytes` zero bytes for `what`, aligned to 64; large ones in huge pages if `native` is there to ask for them.
 * Throws OUT_OF_MEMORY.
 */
export function allocate(bytes: number, what: string, native?: NativeLibrary): Block {
  const memory = arrayBuffer(bytes + alignment, what);
  const start = addressOf(memory);
  const offset = Number(-start & BigInt(alignment - 1));
  const address = start + BigInt(offset);
  if (bytes >= hugeFromBytes) native?.adviseHuge(address, bytes);
  return { bytes: new Uint8Array(memory, offset, bytes), address };
}

function arrayBuffer(bytes: number, what: string): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TrenioError('OUT_OF_MEMORY', { what, bytes, available: process.availableMemory() }, { cause: error });
  }
}
