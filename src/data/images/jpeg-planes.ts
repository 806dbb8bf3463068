// The data of the baseline JPEG decoder: planes of samples, and the image made of them.
import type { HuffmanTable } from './jpeg-huffman.ts';

/** The index of a coefficient in its block, by its position in the file (zigzag order). */
export const zigZag = Uint8Array.of(
  ...[0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21],
  ...[28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61],
  ...[54, 47, 55, 62, 63],
);
/** One component of an image while it is decoded: its samples, and the tables for them. */
export interface Plane {
  readonly h: number;
  readonly v: number;
  readonly width: number;
  readonly samples: Uint8Array;
  readonly table: Int32Array;
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
}

/** Red, green and blue interleaved, row by row. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 3;
  readonly data: Uint8Array;
}
