// Decodes the JPEG files that are usual: baseline, one scan, gray or YCbCr with chroma in full or half resolution. It gives the
// bytes that jpeg-js gives, in a quarter of the time: codes are looked up instead of read bit by bit, and blocks are decoded into
// planes instead of objects. It gives up (undefined) on other kinds of files and on any irregularity: jpeg-js then decodes the
// file, or reports the damage.
//
//   markers ─▶ tables, frame ─▶ scan: bits ─▶ coefficients ─▶ inverse DCT ─▶ planes ─▶ RGB
//
// The scan and the colors have a native form (native/images.c), with the same results; without a C compiler those here are used.
import type { ImageLoops } from './native-images.ts';

const zigZag = Uint8Array.of(
  ...[0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21],
  ...[28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61],
  ...[54, 47, 55, 62, 63],
);
/** Codes of up to this length are found in one step. */
const fastBits = 9;

interface HuffmanTable {
  /** By the next `fastBits` bits: the length of the code times 256, plus its value; 0 for longer codes. */
  readonly fast: Uint16Array;
  /** By length: one more than the last code, and the offset from a code to the index of its value. */
  readonly end: Int32Array;
  readonly shift: Int32Array;
  readonly values: Uint8Array;
}
/** Red, green and blue next to one another, row by row. */
interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 3;
  readonly data: Uint8Array;
}
interface Component {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  readonly quantization: number;
}
interface Plane {
  readonly h: number;
  readonly v: number;
  readonly width: number;
  readonly samples: Uint8Array;
  readonly table: Int32Array;
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
}

/** `bytes`: a whole file. Undefined for files that jpeg-js has to decode or refuse. `native`: the inner loops as native code. */
export function decodeBaselineJpeg(bytes: Uint8Array, maxPixels: number, native?: ImageLoops): RgbImage | undefined {
  const word = (at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
  const quantization: (Int32Array | undefined)[] = [];
  const dc: (HuffmanTable | undefined)[] = [];
  const ac: (HuffmanTable | undefined)[] = [];
  let frame: { readonly width: number; readonly height: number; readonly components: readonly Component[] } | undefined;
  let restart = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = word(at);
    const length = word(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return undefined;
    const start = at + 4;
    if ((marker >= 0xffe0 && marker <= 0xffef) || marker === 0xfffe) {
      // applications, comments
    } else if (marker === 0xffdb) {
      if (!readQuantization(bytes, start, end, quantization)) return undefined;
    } else if (marker === 0xffc4) {
      if (!readHuffman(bytes, start, end, dc, ac)) return undefined;
    } else if (marker === 0xffdd) {
      if (length !== 4) return undefined;
      restart = word(start);
    } else if (marker === 0xffc0 || marker === 0xffc1) {
      if (frame !== undefined) return undefined;
      frame = readFrame(bytes, start, end);
      if (frame === undefined || frame.width * frame.height > maxPixels) return undefined;
    } else if (marker === 0xffda) {
      if (frame === undefined) return undefined;
      const planes = planesOf(bytes, start, end, frame, quantization, dc, ac);
      if (planes === undefined) return undefined;
      const { mcusPerLine, mcusPerColumn } = planes;
      const decode = native === undefined ? decodeScan : nativeScan(native);
      const after = decode(bytes, end, planes.planes, mcusPerLine, mcusPerColumn, restart);
      // Anything but the end of the image is another scan, or damage.
      if (after === undefined || word(after) !== 0xffd9) return undefined;
      return toRgb(planes.planes, frame.width, frame.height, native);
    } else return undefined;
    at = end;
  }
  return undefined;
}

function readQuantization(bytes: Uint8Array, from: number, end: number, tables: (Int32Array | undefined)[]): boolean {
  for (let at = from; at < end; at += 65) {
    // 16-bit tables are rare.
    if (bytes[at]! > 3 || at + 65 > end) return false;
    const table = new Int32Array(64);
    for (let i = 0; i < 64; i++) table[zigZag[i]!] = bytes[at + 1 + i]!;
    tables[bytes[at]!] = table;
  }
  return true;
}

function readHuffman(
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
    // More codes than this length has.
    if (code > 1 << length) return undefined;
    end[length] = code;
    code <<= 1;
  }
  return { fast, end, shift, values };
}

function readFrame(bytes: Uint8Array, at: number, end: number) {
  const count = bytes[at + 5]!;
  const height = (bytes[at + 1]! << 8) | bytes[at + 2]!;
  const width = (bytes[at + 3]! << 8) | bytes[at + 4]!;
  if (bytes[at] !== 8 || (count !== 1 && count !== 3) || end !== at + 6 + 3 * count || width === 0 || height === 0)
    return undefined;
  const components: readonly Component[] = Array.from({ length: count }, (_, i) => {
    const place = at + 6 + 3 * i;
    return { id: bytes[place]!, h: bytes[place + 1]! >> 4, v: bytes[place + 1]! & 15, quantization: bytes[place + 2]! };
  });
  const [first, ...others] = components;
  const isUsual =
    [1, 2].includes(first!.h) &&
    [1, 2].includes(first!.v) &&
    others.every(({ h, v }) => h === 1 && v === 1) &&
    new Set(components.map(({ id }) => id)).size === count;
  return isUsual ? { width, height, components } : undefined;
}

/** The memory of the planes of the last image, which are not used any more. */
let lastPlanes = new ArrayBuffer(0);
const keptPlanesBytes = 1 << 24;
function planesMemory(bytes: number): Uint8Array {
  if (bytes > keptPlanesBytes) return new Uint8Array(bytes);
  if (bytes > lastPlanes.byteLength) lastPlanes = new ArrayBuffer(bytes);
  return new Uint8Array(lastPlanes, 0, bytes);
}

function planesOf(
  bytes: Uint8Array,
  at: number,
  end: number,
  frame: NonNullable<ReturnType<typeof readFrame>>,
  quantization: readonly (Int32Array | undefined)[],
  dc: readonly (HuffmanTable | undefined)[],
  ac: readonly (HuffmanTable | undefined)[],
) {
  const { components, width, height } = frame;
  const count = components.length;
  if (bytes[at] !== count || end !== at + 4 + 2 * count) return undefined;
  // The blocks of a single component are in order, whatever its factors.
  const [maxH, maxV] = count === 1 ? [1, 1] : [components[0]!.h, components[0]!.v];
  const mcusPerLine = Math.ceil(width / 8 / maxH);
  const mcusPerColumn = Math.ceil(height / 8 / maxV);
  const planes: Plane[] = [];
  // One buffer for all planes.
  const units = count === 1 ? 1 : components.reduce((sum, { h, v }) => sum + h * v, 0);
  const all = planesMemory(64 * mcusPerLine * mcusPerColumn * units);
  let used = 0;
  for (const [i, { id, quantization: number, ...component }] of components.entries()) {
    const spec = bytes[at + 2 + 2 * i]!;
    const [table, dcTable, acTable] = [quantization[number], dc[spec >> 4], ac[spec & 15]];
    if (bytes[at + 1 + 2 * i] !== id || table === undefined || dcTable === undefined || acTable === undefined)
      return undefined;
    const [h, v] = count === 1 ? [1, 1] : [component.h, component.v];
    const planeWidth = 8 * mcusPerLine * h;
    const samples = all.subarray(used, used + planeWidth * 8 * mcusPerColumn * v);
    used += samples.length;
    planes.push({ h, v, width: planeWidth, samples, table, dc: dcTable, ac: acTable });
  }
  return { planes, mcusPerLine, mcusPerColumn };
}

/** Decodes all blocks; returns the place of the marker after them. */
type Scan = (
  bytes: Uint8Array,
  from: number,
  planes: readonly Plane[],
  mcusPerLine: number,
  mcusPerColumn: number,
  restart: number,
) => number | undefined;

const nativeScan =
  (native: ImageLoops): Scan =>
  (bytes, from, planes, mcusPerLine, mcusPerColumn, restart) => {
    const huffman = [...new Set(planes.flatMap(({ dc, ac }) => [dc, ac]))];
    const fast = new Uint16Array(huffman.length << fastBits);
    const end = new Int32Array(huffman.length * 17);
    const shift = new Int32Array(huffman.length * 17);
    const values = new Uint8Array(huffman.length * 256);
    huffman.forEach((table, i) => {
      fast.set(table.fast, i << fastBits);
      end.set(table.end, i * 17);
      shift.set(table.shift, i * 17);
      values.set(table.values, i * 256);
    });
    const tables = new Int32Array(planes.length * 64);
    const shape = new Int32Array(planes.length * 8);
    planes.forEach(({ h, v, width, samples, table, dc, ac }, i) => {
      for (let k = 0; k < 64; k++) tables[i * 64 + k] = table[zigZag[k]!]!;
      shape.set([h, v, width, samples.byteOffset, huffman.indexOf(dc), huffman.indexOf(ac)], i * 8);
    });
    const samples = new Uint8Array(planes[0]!.samples.buffer);
    const scan = { bytes, from, samples, shape, tables, fast, end, shift, values, zigZag };
    const after = native.scan({ ...scan, mcusPerLine, mcusPerColumn, restart });
    return after < 0 ? undefined : after;
  };

const decodeScan: Scan = (bytes, from, planes, mcusPerLine, mcusPerColumn, restart) => {
  let at = from;
  // The next bits are the lowest `count` ones. After a marker zeros follow, which must not be used.
  let bits = 0;
  let count = 0;
  let padding = 0;
  const fill = (): void => {
    while (count <= 23) {
      let byte = bytes[at]!;
      if (byte === 0xff) {
        if (bytes[at + 1] === 0) at += 2;
        else {
          byte = 0;
          padding += 8;
        }
      } else if (at < bytes.length) at++;
      else {
        byte = 0;
        padding += 8;
      }
      bits = (bits << 8) | byte;
      count += 8;
    }
  };
  /** The next value; −1 for bits that are no code. */
  const symbol = (table: HuffmanTable): number => {
    fill();
    const found = table.fast[(bits >>> (count - fastBits)) & ((1 << fastBits) - 1)]!;
    if (found !== 0) {
      count -= found >> 8;
      return found & 255;
    }
    for (let length = fastBits + 1; length <= 16; length++) {
      const code = (bits >>> (count - length)) & ((1 << length) - 1);
      if (code < table.end[length]!) {
        count -= length;
        return table.values[code + table.shift[length]!]!;
      }
    }
    return -1;
  };
  /** A number of this many bits, 1 to 15, that may be negative. */
  const receive = (length: number): number => {
    fill();
    count -= length;
    const n = (bits >>> count) & ((1 << length) - 1);
    return n >= 1 << (length - 1) ? n : n + (-1 << length) + 1;
  };
  const block = new Int32Array(64);
  const last = new Int32Array(planes.length);
  const decodeBlock = (plane: Plane, i: number, place: number): boolean => {
    const { table } = plane;
    const t = symbol(plane.dc);
    if (t < 0 || t > 15) return false;
    if (t !== 0) last[i]! += receive(t);
    let isFlat = true;
    for (let k = 1; k < 64; k++) {
      const rs = symbol(plane.ac);
      if (rs < 0) return false;
      const s = rs & 15;
      if (s === 0) {
        if (rs < 0xf0) break;
        k += 15;
        continue;
      }
      k += rs >> 4;
      if (k > 63) return false;
      const z = zigZag[k]!;
      block[z] = receive(s) * table[z]!;
      isFlat = false;
    }
    block[0] = last[i]! * table[0]!;
    if (isFlat) fillBlock(block[0]!, plane.samples, place, plane.width);
    else {
      inverse(block, plane.samples, place, plane.width);
      block.fill(0);
    }
    return true;
  };
  const mcus = mcusPerLine * mcusPerColumn;
  for (let mcu = 0; mcu < mcus; mcu++) {
    if (restart > 0 && mcu > 0 && mcu % restart === 0) {
      // The rest of a byte, then the marker.
      const marker = (bytes[at]! << 8) | bytes[at + 1]!;
      if (count < padding || count - padding >= 8 || marker < 0xffd0 || marker > 0xffd7) return undefined;
      at += 2;
      [bits, count, padding] = [0, 0, 0];
      last.fill(0);
    }
    const row = Math.floor(mcu / mcusPerLine);
    const column = mcu % mcusPerLine;
    for (let i = 0; i < planes.length; i++) {
      const plane = planes[i]!;
      const { h, v, width } = plane;
      for (let y = 0; y < v; y++)
        for (let x = 0; x < h; x++)
          if (!decodeBlock(plane, i, 8 * ((row * v + y) * width + column * h + x))) return undefined;
    }
  }
  if (count < padding) return undefined;
  // Bytes that are left before the marker are skipped.
  while (at < bytes.length - 1 && !(bytes[at] === 0xff && bytes[at + 1] !== 0)) at++;
  return at < bytes.length - 1 ? at : undefined;
};

const cos1 = 4017; // cos(pi/16), times 4096
const sin1 = 799;
const cos3 = 3406;
const sin3 = 2276;
const cos6 = 1567;
const sin6 = 3784;
const sqrt2 = 5793;
const sqrt1d2 = 2896;

/** A block of which only the first coefficient is not 0. */
function fillBlock(first: number, out: Uint8Array, place: number, width: number): void {
  const row = (sqrt2 * first + 512) >> 10;
  const sample = 128 + ((((sqrt2 * row + 8192) >> 14) + 8) >> 4);
  const value = sample < 0 ? 0 : sample > 255 ? 255 : sample;
  for (let y = 0, at = place; y < 8; y++, at += width) out.fill(value, at, at + 8);
}

// The inverse DCT of jpeg-js, which is that of poppler: C. Loeffler, A. Ligtenberg, G. S. Moschytz, "Practical Fast 1-D DCT
// Algorithms with 11 Multiplications", ICASSP 1989. Integers, with the same rounding.
function inverse(p: Int32Array, out: Uint8Array, place: number, width: number): void {
  for (let row = 0; row < 64; row += 8) {
    const [p1, p2, p3, p4, p5, p6, p7] = [
      p[row + 1]!,
      p[row + 2]!,
      p[row + 3]!,
      p[row + 4]!,
      p[row + 5]!,
      p[row + 6]!,
      p[row + 7]!,
    ];
    if ((p1 | p2 | p3 | p4 | p5 | p6 | p7) === 0) {
      const t = (sqrt2 * p[row]! + 512) >> 10;
      for (let i = row; i < row + 8; i++) p[i] = t;
      continue;
    }
    let v0 = (sqrt2 * p[row]! + 128) >> 8;
    let v1 = (sqrt2 * p4 + 128) >> 8;
    let v2 = p2;
    let v3 = p6;
    let v4 = (sqrt1d2 * (p1 - p7) + 128) >> 8;
    let v7 = (sqrt1d2 * (p1 + p7) + 128) >> 8;
    let v5 = p3 << 4;
    let v6 = p5 << 4;

    let t = (v0 - v1 + 1) >> 1;
    v0 = (v0 + v1 + 1) >> 1;
    v1 = t;
    t = (v2 * sin6 + v3 * cos6 + 128) >> 8;
    v2 = (v2 * cos6 - v3 * sin6 + 128) >> 8;
    v3 = t;
    t = (v4 - v6 + 1) >> 1;
    v4 = (v4 + v6 + 1) >> 1;
    v6 = t;
    t = (v7 + v5 + 1) >> 1;
    v5 = (v7 - v5 + 1) >> 1;
    v7 = t;

    t = (v0 - v3 + 1) >> 1;
    v0 = (v0 + v3 + 1) >> 1;
    v3 = t;
    t = (v1 - v2 + 1) >> 1;
    v1 = (v1 + v2 + 1) >> 1;
    v2 = t;
    t = (v4 * sin3 + v7 * cos3 + 2048) >> 12;
    v4 = (v4 * cos3 - v7 * sin3 + 2048) >> 12;
    v7 = t;
    t = (v5 * sin1 + v6 * cos1 + 2048) >> 12;
    v5 = (v5 * cos1 - v6 * sin1 + 2048) >> 12;
    v6 = t;

    p[row] = v0 + v7;
    p[row + 7] = v0 - v7;
    p[row + 1] = v1 + v6;
    p[row + 6] = v1 - v6;
    p[row + 2] = v2 + v5;
    p[row + 5] = v2 - v5;
    p[row + 3] = v3 + v4;
    p[row + 4] = v3 - v4;
  }
  for (let col = 0; col < 8; col++) {
    const p1 = p[8 + col]!;
    const p2 = p[16 + col]!;
    const p3 = p[24 + col]!;
    const p4 = p[32 + col]!;
    const p5 = p[40 + col]!;
    const p6 = p[48 + col]!;
    const p7 = p[56 + col]!;
    const at = place + col;
    if ((p1 | p2 | p3 | p4 | p5 | p6 | p7) === 0) {
      const value = toByte((sqrt2 * p[col]! + 8192) >> 14);
      for (let y = 0; y < 8; y++) out[at + y * width] = value;
      continue;
    }
    let v0 = (sqrt2 * p[col]! + 2048) >> 12;
    let v1 = (sqrt2 * p4 + 2048) >> 12;
    let v2 = p2;
    let v3 = p6;
    let v4 = (sqrt1d2 * (p1 - p7) + 2048) >> 12;
    let v7 = (sqrt1d2 * (p1 + p7) + 2048) >> 12;
    let v5 = p3;
    let v6 = p5;

    let t = (v0 - v1 + 1) >> 1;
    v0 = (v0 + v1 + 1) >> 1;
    v1 = t;
    t = (v2 * sin6 + v3 * cos6 + 2048) >> 12;
    v2 = (v2 * cos6 - v3 * sin6 + 2048) >> 12;
    v3 = t;
    t = (v4 - v6 + 1) >> 1;
    v4 = (v4 + v6 + 1) >> 1;
    v6 = t;
    t = (v7 + v5 + 1) >> 1;
    v5 = (v7 - v5 + 1) >> 1;
    v7 = t;

    t = (v0 - v3 + 1) >> 1;
    v0 = (v0 + v3 + 1) >> 1;
    v3 = t;
    t = (v1 - v2 + 1) >> 1;
    v1 = (v1 + v2 + 1) >> 1;
    v2 = t;
    t = (v4 * sin3 + v7 * cos3 + 2048) >> 12;
    v4 = (v4 * cos3 - v7 * sin3 + 2048) >> 12;
    v7 = t;
    t = (v5 * sin1 + v6 * cos1 + 2048) >> 12;
    v5 = (v5 * cos1 - v6 * sin1 + 2048) >> 12;
    v6 = t;

    out[at] = toByte(v0 + v7);
    out[at + 7 * width] = toByte(v0 - v7);
    out[at + width] = toByte(v1 + v6);
    out[at + 6 * width] = toByte(v1 - v6);
    out[at + 2 * width] = toByte(v2 + v5);
    out[at + 5 * width] = toByte(v2 - v5);
    out[at + 3 * width] = toByte(v3 + v4);
    out[at + 4 * width] = toByte(v3 - v4);
  }
}

function toByte(value: number): number {
  const sample = 128 + ((value + 8) >> 4);
  return sample < 0 ? 0 : sample > 255 ? 255 : sample;
}

const chroma = Array.from({ length: 256 }, (_, i) => i - 128);
const redOfCr = Float64Array.from(chroma, c => 1.402 * c);
const greenOfCb = Float64Array.from(chroma, c => 0.3441363 * c);
const greenOfCr = Float64Array.from(chroma, c => 0.71413636 * c);
const blueOfCb = Float64Array.from(chroma, c => 1.772 * c);
const clamp = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : value);

function toRgb(planes: readonly Plane[], width: number, height: number, native: ImageLoops | undefined): RgbImage {
  const data = new Uint8Array(3 * width * height);
  const [luma, cb, cr] = planes;
  if (native !== undefined && cb !== undefined && cr !== undefined) {
    const half = [luma!.h === 2 ? 1 : 0, luma!.v === 2 ? 1 : 0] as const;
    native.rgb(luma!.samples, luma!.width, cb.samples, cr.samples, cb.width, ...half, width, height, data);
    return { width, height, channels: 3, data };
  }
  let to = 0;
  for (let y = 0; y < height; y++) {
    const from = y * luma!.width;
    if (cb === undefined || cr === undefined) {
      for (let x = 0; x < width; x++, to += 3) {
        const value = luma!.samples[from + x]!;
        data[to] = value;
        data[to + 1] = value;
        data[to + 2] = value;
      }
      continue;
    }
    const halfX = luma!.h === 2 ? 1 : 0;
    const line = (luma!.v === 2 ? y >> 1 : y) * cb.width;
    for (let x = 0; x < width; x++, to += 3) {
      const value = luma!.samples[from + x]!;
      const b = cb.samples[line + (x >> halfX)]!;
      const r = cr.samples[line + (x >> halfX)]!;
      data[to] = clamp(value + redOfCr[r]!);
      data[to + 1] = clamp(value - greenOfCb[b]! - greenOfCr[r]!);
      data[to + 2] = clamp(value + blueOfCb[b]!);
    }
  }
  return { width, height, channels: 3, data };
}
