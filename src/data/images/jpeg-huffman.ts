// The Huffman tables of a JPEG file: codes by lookup, and a cache of tables that many files share.

/** Codes of up to this length are found in one step. */
export const fastBits = 9;

export interface HuffmanTable {
  /** Indexed by the next `fastBits` bits: the length of the code times 256, plus its value; 0 for longer codes. */
  readonly fast: Uint16Array;
  /** Indexed by length: one more than the last code, and the offset from a code to the index of its value. */
  readonly end: Int32Array;
  readonly shift: Int32Array;
  readonly values: Uint8Array;
}
/** Reads the tables of a segment, by class and number; false if it gives up. */
export function readHuffman(
  bytes: Uint8Array,
  from: number,
  end: number,
  dc: (HuffmanTable | undefined)[],
  ac: (HuffmanTable | undefined)[],
): boolean {
  for (let at = from; at < end; ) {
    if (at + 17 > end) return false;
    const spec = bytes[at]!;
    const counts = bytes.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (spec >> 4 > 1 || (spec & 15) > 3 || at + 17 + total > end) return false;
    const table = knownTable(bytes.subarray(at + 1, at + 17 + total), counts);
    if (table === undefined) return false;
    (spec >> 4 === 0 ? dc : ac)[spec & 15] = table;
    at += 17 + total;
  }
  return true;
}

/** Most files of a folder have the same tables, and making one takes longer than decoding a hundred blocks. */
const knownTables = new Map<string, HuffmanTable>();
const maxKnownTables = 64;
function knownTable(segment: Uint8Array, counts: Uint8Array): HuffmanTable | undefined {
  const key = Buffer.from(segment.buffer, segment.byteOffset, segment.length).toString('latin1');
  const known = knownTables.get(key);
  if (known !== undefined) return known;
  const made = huffmanTable(counts, segment.slice(16));
  if (made === undefined) return undefined;
  if (knownTables.size === maxKnownTables) knownTables.clear();
  knownTables.set(key, made);
  return made;
}

function huffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable | undefined {
  const fast = new Uint16Array(1 << fastBits);
  const end = new Int32Array(17);
  const shift = new Int32Array(17);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1]!;
    shift[length] = index - code;
    if (length <= fastBits)
      for (let i = 0; i < count; i++) {
        const first = (code + i) << (fastBits - length);
        fast.fill((length << 8) | values[index + i]!, first, first + (1 << (fastBits - length)));
      }
    code += count;
    index += count;
    // More codes than this length allows.
    if (code > 1 << length) return undefined;
    end[length] = code;
    code <<= 1;
  }
  return { fast, end, shift, values };
}
