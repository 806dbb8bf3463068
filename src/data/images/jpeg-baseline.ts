// Decodes the most common JPEG files: baseline, one scan, gray or YCbCr with chroma in full or half resolution. The result equals
// that of jpeg-js, in a quarter of the time: codes are looked up instead of read bit by bit, and blocks are decoded into
// planes instead of objects. It gives up (undefined) on other kinds of files and on any irregularity: jpeg-js then decodes the
// file, or reports the damage.
//
//   markers ─▶ tables, frame ─▶ scan: bits ─▶ coefficients ─▶ inverse DCT ─▶ planes ─▶ RGB
//
// The scan and the colors are native code (native/images.c); without a C compiler, jpeg-js decodes all files.

import { toRgb } from './jpeg-colors.ts';
import { type HuffmanTable, readHuffman } from './jpeg-huffman.ts';
import { type Plane, type RgbImage, zigZag } from './jpeg-planes.ts';
import { scanOf } from './jpeg-scan.ts';
import type { ImageLoops } from './native-images.ts';

interface Component {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  readonly quantization: number;
}
/** `bytes`: a whole file. Undefined for files that jpeg-js has to decode or reject. `native`: the inner loops. */
export function decodeBaselineJpeg(bytes: Uint8Array, maxPixels: number, native: ImageLoops): RgbImage | undefined {
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
      const after = scanOf(native, bytes, end, planes.planes, mcusPerLine, mcusPerColumn, restart);
      // Anything other than the end of the image is another scan, or damage.
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

/** The memory of the planes of the previous image, which is reused. */
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
