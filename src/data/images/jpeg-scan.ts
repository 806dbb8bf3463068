// The scan of a JPEG file, from bits to samples: in JavaScript, and as native code (native/images.c).

import { fillBlock, inverseDct } from './inverse-dct.ts';
import { fastBits, type HuffmanTable } from './jpeg-huffman.ts';
import { type Plane, zigZag } from './jpeg-planes.ts';
import type { ImageLoops } from './native-images.ts';

/** Decodes all blocks; returns the position of the marker after them. */
type Scan = (
  bytes: Uint8Array,
  from: number,
  planes: readonly Plane[],
  mcusPerLine: number,
  mcusPerColumn: number,
  restart: number,
) => number | undefined;

export const nativeScan =
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

export const decodeScan: Scan = (bytes, from, planes, mcusPerLine, mcusPerColumn, restart) => {
  let at = from;
  // The next bits are the lowest `count` ones. The zeros that follow after a marker must not be used.
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
  /** The next value; −1 if the bits are not a code. */
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
      inverseDct(block, plane.samples, place, plane.width);
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
