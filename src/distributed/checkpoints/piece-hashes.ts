// SHA-256 of the pieces of a file in memory, two at a time: one core hashes less than half of what a fast disk writes.
import { sha256 } from '../../runtime/execution/sha256.ts';

/** The number of pieces hashed at a time, each by a thread of Node's pool; the pool's other two threads write the file. */
const atOnce = 2;

/** The hashes of the consecutive pieces of `image` with these sizes, in hexadecimal. */
export async function hashesOf(image: Uint8Array, sizes: readonly number[]): Promise<readonly string[]> {
  const hashes: string[] = [];
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const size of sizes) {
    pieces.push(image.subarray(start, start + size));
    start += size;
  }
  const left = pieces.entries();
  // Each continues with the next piece when it is done.
  const hasher = async (): Promise<void> => {
    for (const [i, piece] of left) hashes[i] = await sha256(piece);
  };
  await Promise.all(Array.from({ length: atOnce }, hasher));
  return hashes;
}
