// SHA-256 of the pieces of a file in memory, several at a time: one core hashes less than half of what a fast disk writes.
import { createHash, subtle } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Pieces that are hashed at a time, each by a thread of Node's pool. */
const atOnce = 2;
/** Node copies what its pool hashes. Larger pieces are hashed here, chunk by chunk, without a copy. */
const longestCopied = 1 << 27;
const chunkBytes = 1 << 23;

/** The hashes of the consecutive pieces of `image` with these sizes, in hexadecimal. */
export async function hashesOf(image: Uint8Array<ArrayBuffer>, sizes: readonly number[]): Promise<readonly string[]> {
  const hashes: string[] = [];
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let start = 0;
  for (const size of sizes) {
    pieces.push(image.subarray(start, start + size));
    start += size;
  }
  const left = pieces.entries();
  // Each takes the next piece when it has done one.
  const hasher = async (): Promise<void> => {
    for (const [i, piece] of left) hashes[i] = await hashOf(piece);
  };
  await Promise.all(Array.from({ length: atOnce }, hasher));
  return hashes;
}

async function hashOf(piece: Uint8Array<ArrayBuffer>): Promise<string> {
  if (piece.length <= longestCopied) return Buffer.from(await subtle.digest('SHA-256', piece)).toString('hex');
  const hash = createHash('sha256');
  for (let from = 0; from < piece.length; from += chunkBytes) {
    hash.update(piece.subarray(from, from + chunkBytes));
    // Others write meanwhile.
    await nextTurn();
  }
  return hash.digest('hex');
}
