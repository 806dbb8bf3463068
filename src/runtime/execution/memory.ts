// Memory for tensors: JavaScript array buffers, so that the garbage collector frees them, aligned for native code. Not for
// temporaries of a step: those are in the arena.
//
// Large blocks are shared array buffers. V8 counts the bytes of others like its own heap, and collects without end once they are
// more than its heap may have: four ranks of a model of 2.7 B parameters did so 2,600 times before their first step.
import { setFlagsFromString } from 'node:v8';
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import { collectGarbage } from './garbage.ts';
import { type Address, addressOf, type NativeLibrary } from './native-library.ts';

// Otherwise V8 collects garbage every 64 MB of array buffers: twenty times while a model of 110 M parameters is created, on
// threads that the C compiler needs. This makes it weigh them like its own heap. Other V8 versions may not support the flag and
// print a warning. It also collects when the heap has doubled, not quadrupled: a script that records each step again leaves
// garbage, and collecting it every twenty steps takes no longer than collecting four times as much every eighty.
if (process.versions.v8.startsWith('13.')) {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--heap-growing-percent=100');
}

const alignment = 64; // a vector register, a cache line
const hugePage = 2 << 20;
/** Smaller blocks are not worth a huge page. */
export const hugeFromBytes = 1 << 20;
/** A block that ends with this many bytes of a huge page gets the rest of it, too: otherwise they would be in small pages. */
const hugeTail = 1.5 * 2 ** 20;
/** Rotating offsets of large blocks in a page: streams at equal page offsets would conflict in the caches. */
const skews = Array.from({ length: 16 }, (_, i) => ((i * 5) % 16) * 256);
let largeBlocks = 0;

/** Aligned bytes. */
export interface Block<Memory extends ArrayBufferLike = ArrayBufferLike> {
  readonly bytes: Uint8Array<Memory>;
  readonly address: Address;
}

/**
 * `bytes` zero bytes for `what`, aligned to 64; large blocks use huge pages if `native` is available to request them, and start
 * on one: memory before that is never touched.
 * @throws {OUT_OF_MEMORY}
 */
export const allocate = (bytes: number, what: string, native?: Pick<NativeLibrary, 'adviseHuge'>): Block =>
  placed(bytes, what, native, size => {
    if (size < hugeFromBytes) return new ArrayBuffer(size);
    collectIfGrown(size);
    return new SharedArrayBuffer(size);
  });

/** The same in memory that V8 counts: it can be given to a thread, or decoded as text. @throws {OUT_OF_MEMORY} */
export const allocateUnshared = (
  bytes: number,
  what: string,
  native?: Pick<NativeLibrary, 'adviseHuge'>,
): Block<ArrayBuffer> => placed(bytes, what, native, size => new ArrayBuffer(size));

function placed<Memory extends ArrayBufferLike>(
  bytes: number,
  what: string,
  native: Pick<NativeLibrary, 'adviseHuge'> | undefined,
  make: (bytes: number) => Memory,
): Block<Memory> {
  const isLarge = bytes >= hugeFromBytes && native !== undefined;
  const skew = isLarge ? skews[largeBlocks++ % skews.length]! : 0;
  const unit = isLarge ? hugePage : alignment;
  const tail = (bytes + skew) % hugePage;
  const spare = isLarge && tail >= hugeTail ? hugePage - tail : 0;
  const memory = orOutOfMemory(what, bytes + unit + skew + spare, make);
  const start = addressOf(memory);
  const offset = Number(-start & BigInt(unit - 1)) + skew;
  const address = start + BigInt(offset);
  if (isLarge) native.adviseHuge(address - BigInt(skew), skew + bytes + spare);
  return { bytes: new Uint8Array(memory, offset, bytes), address };
}

function orOutOfMemory<Memory>(what: string, bytes: number, make: (bytes: number) => Memory): Memory {
  try {
    return make(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TrenioError('OUT_OF_MEMORY', { what, bytes, available: availableBytes() }, { cause: error });
  }
}

const leastGrowthBytes = 256 << 20;
let allocatedBytes = 0;
/** The size of all array buffers after the last collection. */
let keptBytes = 0;

/** Collects garbage when the large blocks allocated since the last collection are more than what it left. */
function collectIfGrown(bytes: number): void {
  allocatedBytes += bytes;
  const growth = Math.max(leastGrowthBytes, keptBytes);
  if (allocatedBytes < growth) return;
  const { arrayBuffers } = process.memoryUsage();
  // V8 may have collected them by itself, together with its heap.
  if (arrayBuffers >= keptBytes + growth / 2) {
    collectGarbage();
    keptBytes = process.memoryUsage().arrayBuffers;
  }
  allocatedBytes = 0;
}
