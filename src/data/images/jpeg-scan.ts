// The scan of a JPEG file, from bits to samples, as native code (native/images.c).

import { fastBits } from './jpeg-huffman.ts';
import { type Plane, zigZag } from './jpeg-planes.ts';
import type { ImageLoops } from './native-images.ts';

/** Decodes all blocks; returns the position of the marker after them. */
export function scanOf(
  native: ImageLoops,
  bytes: Uint8Array,
  from: number,
  planes: readonly Plane[],
  mcusPerLine: number,
  mcusPerColumn: number,
  restart: number,
): number | undefined {
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
}
