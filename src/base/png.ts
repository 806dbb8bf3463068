// PNG files: every kind of the specification as red, green and blue, with the values of Pillow's `convert('RGB')` (transparency
// is dropped, gray of 16 bits is clipped to 255); and files of 8-bit channels. The size of the pixels is checked before they are
// inflated.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
export const isPng = (bytes: Uint8Array): boolean => signature.every((byte, i) => bytes[i] === byte);

/** Samples are inflated into at most this many bytes; deflate cannot make more than 1,032 of one. */
const maxRawBytes = 1 << 29;
const maxRatio = 1032;
/** Values per pixel, and the numbers of bits that the specification allows, by color type. */
const kinds: Readonly<Record<number, { readonly channels: number; readonly depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};
const palette = 3;
/** First column and row, and distances, of the seven passes of an interlaced image. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const whole = [[0, 0, 1, 1]] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
  readonly channels: number;
  readonly isInterlaced: boolean;
}

/** @throws {Error} with the reason for which the file is invalid. `checkSize` may throw before anything is allocated. */
export function decodePng(bytes: Uint8Array, checkSize: (width: number, height: number) => void): Pixels {
  const { header, colors, compressed } = readChunks(bytes, checkSize);
  const { width, height, depth, channels } = header;
  const bitsPerPixel = depth * channels;
  const rowBytes = (columns: number): number => Math.ceil((columns * bitsPerPixel) / 8);
  const parts = (header.isInterlaced ? passes : whole)
    .map(([x, y, dx, dy]) => ({
      x,
      y,
      dx,
      dy,
      columns: Math.ceil((width - x) / dx),
      rows: Math.ceil((height - y) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
  const size = parts.reduce((sum, { columns, rows }) => sum + rows * (rowBytes(columns) + 1), 0);
  if (size > maxRawBytes) throw new Error(`its samples take ${size} bytes, more than ${maxRawBytes}`);
  const available = compressed.reduce((sum, part) => sum + part.length, 0);
  if (size > available * maxRatio) throw new Error('its pixels are truncated');
  const raw = inflateSync(Buffer.concat(compressed), { maxOutputLength: size + (1 << 16) });
  if (raw.length < size) throw new Error('its pixels are truncated');
  const data = new Uint8Array(width * height * 3);
  const toRgb = converterOf(header, colors);
  let at = 0;
  for (const { x, y, dx, dy, columns, rows } of parts) {
    const length = rowBytes(columns);
    let above = new Uint8Array(length);
    for (let row = 0; row < rows; row++) {
      const line = raw.subarray(at + 1, at + 1 + length);
      unfilter(raw[at]!, line, above, Math.max(1, bitsPerPixel >> 3));
      toRgb(line, columns, data, ((y + row * dy) * width + x) * 3, dx * 3);
      above = line;
      at += length + 1;
    }
  }
  return { width, height, data };
}

function readChunks(
  bytes: Uint8Array,
  checkSize: (width: number, height: number) => void,
): {
  readonly header: Header;
  readonly colors: Uint8Array;
  readonly compressed: readonly Uint8Array[];
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  let colors = new Uint8Array(0);
  const compressed: Uint8Array[] = [];
  for (let at = signature.length; ; ) {
    if (at + 12 > bytes.length)
      throw new Error(header === undefined ? 'it ends within its header' : 'it ends before its last chunk');
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 8 + length;
    if (end + 4 > bytes.length) throw new Error(`it ends within a chunk ${JSON.stringify(type)}`);
    const data = bytes.subarray(at + 8, end);
    if (type === 'IHDR' && length >= 8) checkSize(view.getUint32(at + 8), view.getUint32(at + 12));
    if (crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end))
      throw new Error(`the checksum of a chunk ${JSON.stringify(type)} is wrong`);
    at = end + 4;
    if (header === undefined) {
      if (type !== 'IHDR' || length !== 13) throw new Error('it does not start with a header');
      header = readHeader(data);
    } else if (type === 'PLTE') {
      if (length % 3 !== 0 || length > 768) throw new Error('its palette has no whole colors');
      colors = new Uint8Array(data);
    } else if (type === 'IDAT') compressed.push(data);
    else if (type === 'IEND') break;
    else if ((type.charCodeAt(0) & 0x20) === 0) throw new Error(`an unknown critical chunk ${JSON.stringify(type)}`);
  }
  if (compressed.length === 0) throw new Error('it has no pixels');
  if (header.color === palette && colors.length === 0) throw new Error('it has no palette');
  return { header, colors, compressed };
}
function readHeader(data: Uint8Array): Header {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [depth, color, compression, filter, interlace] = data.subarray(8) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  const kind = kinds[color];
  if (kind === undefined || !kind.depths.includes(depth))
    throw new Error(`color type ${color} with ${depth} bits is not a kind of PNG`);
  if (compression !== 0 || filter !== 0 || interlace > 1)
    throw new Error('its compression, filter or interlacing is unknown');
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    color,
    channels: kind.channels,
    isInterlaced: interlace === 1,
  };
}

/** Restores a row in place. `step`: the bytes of a pixel. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = line;
  switch (filter) {
    case 0:
      return;
    case 1:
      for (let i = step; i < length; i++) line[i] = line[i]! + line[i - step]!;
      return;
    case 2:
      for (let i = 0; i < length; i++) line[i] = line[i]! + above[i]!;
      return;
    case 3:
      for (let i = 0; i < length; i++) line[i] = line[i]! + (((i < step ? 0 : line[i - step]!) + above[i]!) >> 1);
      return;
    case 4:
      for (let i = 0; i < length; i++) {
        const [left, corner] = i < step ? [0, 0] : [line[i - step]!, above[i - step]!];
        const up = above[i]!;
        const [toLeft, toUp, toCorner] = [
          Math.abs(up - corner),
          Math.abs(left - corner),
          Math.abs(left + up - 2 * corner),
        ];
        line[i] = line[i]! + (toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner);
      }
      return;
    default:
      throw new Error(`a row has the unknown filter ${filter}`);
  }
}

type ToRgb = (line: Uint8Array, columns: number, out: Uint8Array, at: number, step: number) => void;
function converterOf({ depth, color, channels }: Header, colors: Uint8Array): ToRgb {
  if (color === 2 || color === 6) {
    // Of 16 bits, the first byte.
    const bytes = depth / 8;
    return (line, columns, out, at, step) => {
      for (let i = 0, from = 0, to = at; i < columns; i++, from += channels * bytes, to += step) {
        out[to] = line[from]!;
        out[to + 1] = line[from + bytes]!;
        out[to + 2] = line[from + 2 * bytes]!;
      }
    };
  }
  const valueAt = sampleReader(depth, color, channels);
  const scale = color === palette ? 1 : 255 / (2 ** Math.min(depth, 8) - 1);
  const rgb = new Uint8Array(768);
  if (color === palette) rgb.set(colors);
  else for (let i = 0; i < 256; i++) rgb.fill(i * scale, 3 * i, 3 * i + 3);
  return (line, columns, out, at, step) => {
    for (let i = 0, to = at; i < columns; i++, to += step) {
      const from = valueAt(line, i) * 3;
      out[to] = rgb[from]!;
      out[to + 1] = rgb[from + 1]!;
      out[to + 2] = rgb[from + 2]!;
    }
  };
}
/** The gray value or index of a pixel. */
function sampleReader(depth: number, color: number, channels: number): (line: Uint8Array, i: number) => number {
  if (depth === 16 && color === 0) return (line, i) => (line[2 * i] === 0 ? line[2 * i + 1]! : 255);
  if (depth >= 8) {
    const bytes = (channels * depth) / 8;
    return (line, i) => line[i * bytes]!;
  }
  const perByte = 8 / depth;
  const mask = 2 ** depth - 1;
  return (line, i) => (line[Math.floor(i / perByte)]! >> (8 - depth * ((i % perByte) + 1))) & mask;
}

/** A PNG of 8-bit samples: 1 (gray), 3 (RGB) or 4 (RGBA) for each pixel. */
export function encodePng(width: number, height: number, channels: 1 | 3 | 4, data: Uint8Array): Uint8Array {
  const rowBytes = width * channels;
  const raw = new Uint8Array(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) raw.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, { 1: 0, 3: 2, 4: 6 }[channels]], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
