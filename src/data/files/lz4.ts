// Decompresses LZ4 blocks, as in Parquet files. Not the frame format of `.lz4` files.
//
//   sequence = token  [literal length]  literals  offset (2 bytes)  [match length]
//
// A token has both lengths in four bits each; 15 continues in bytes until one is below 255. The last sequence ends after its
// literals. A match copies bytes of the output, `offset` bytes back, and may overlap what it writes.

/** Throws an `Error` unless the block is valid and has exactly `size` bytes when decompressed. */
export function decompressLz4(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  let [from, to] = [0, 0];
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; length += byte) {
      if (from === input.length) throw truncated();
      byte = input[from++]!;
    }
    return length;
  };
  while (from < input.length) {
    const token = input[from++]!;
    const literals = lengthOf(token >> 4);
    if (from + literals > input.length) throw truncated();
    if (to + literals > size) throw tooLong(size);
    output.set(input.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === input.length) break;
    if (from + 2 > input.length) throw truncated();
    const offset = input[from]! | (input[from + 1]! << 8);
    from += 2;
    const match = lengthOf(token & 15) + 4;
    if (offset === 0 || offset > to) throw new Error(`an LZ4 match is ${offset} bytes back, after ${to} bytes`);
    if (to + match > size) throw tooLong(size);
    if (offset >= match) output.copyWithin(to, to - offset, to - offset + match);
    else for (let i = 0; i < match; i++) output[to + i] = output[to + i - offset]!;
    to += match;
  }
  if (to !== size) throw new Error(`an LZ4 block has ${to} bytes, expected ${size}`);
  return output;
}

/** Hadoop's framing, which older writers call LZ4: blocks, each after its two sizes, big-endian. */
export function decompressHadoopLz4(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let to = 0;
  for (let from = 0; from < input.length; ) {
    if (from + 8 > input.length) throw truncated();
    const [bytes, compressed] = [view.getUint32(from), view.getUint32(from + 4)];
    from += 8;
    if (from + compressed > input.length) throw truncated();
    if (to + bytes > size) throw tooLong(size);
    output.set(decompressLz4(input.subarray(from, from + compressed), bytes), to);
    from += compressed;
    to += bytes;
  }
  if (to !== size) throw new Error(`LZ4 blocks have ${to} bytes, expected ${size}`);
  return output;
}

const truncated = (): Error => new Error('an LZ4 block is truncated');
const tooLong = (size: number): Error => new Error(`an LZ4 block has more than ${size} bytes`);
