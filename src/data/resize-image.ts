// Bilinear resizing with antialiasing, equal to Pillow's bit for bit: each output pixel is a weighted sum of the input pixels
// under a triangle that grows with the reduction, first along rows, then along columns, in 22-bit fixed point with rounding
// after each. After Pillow's Resample.c.
import type { Image } from './image.ts';

const precisionBits = 22;

interface Weights {
  /** The first input pixel of each output pixel. */
  readonly first: Int32Array;
  readonly counts: Int32Array;
  readonly weights: Int32Array;
  readonly width: number;
}

export function resizeImage(image: Image, height: number, width: number): Image {
  const { data, channels } = image;
  const rows = width === image.width ? data : resizeRows(data, image.width, width, image.height, channels);
  if (height === image.height) return { width, height, channels, data: rows };
  return { width, height, channels, data: resizeColumns(rows, width * channels, image.height, height) };
}

function weightsOf(input: number, output: number): Weights {
  const scale = input / output;
  const support = Math.max(scale, 1);
  const width = Math.ceil(support) * 2 + 1;
  const first = new Int32Array(output);
  const counts = new Int32Array(output);
  const weights = new Int32Array(output * width);
  for (let at = 0; at < output; at++) {
    const center = (at + 0.5) * scale;
    const from = Math.max(0, Math.trunc(center - support + 0.5));
    const count = Math.min(input, Math.trunc(center + support + 0.5)) - from;
    const exact = Array.from({ length: count }, (_, i) =>
      Math.max(0, 1 - Math.abs((i + from - center + 0.5) * (1 / support))),
    );
    const total = exact.reduce((sum, w) => sum + w, 0);
    exact.forEach((w, i) => {
      weights[at * width + i] = Math.trunc(0.5 + (total === 0 ? w : w / total) * 2 ** precisionBits);
    });
    first[at] = from;
    counts[at] = count;
  }
  return { first, counts, weights, width };
}

function resizeRows(data: Uint8Array, from: number, to: number, height: number, channels: number): Uint8Array {
  const { first, counts, weights, width } = weightsOf(from, to);
  const out = new Uint8Array(height * to * channels);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < to; x++) {
      const start = (y * from + first[x]!) * channels;
      for (let c = 0; c < channels; c++, at++) {
        let sum = 1 << (precisionBits - 1);
        for (let i = 0; i < counts[x]!; i++) sum += data[start + i * channels + c]! * weights[x * width + i]!;
        out[at] = clamped(sum);
      }
    }
  return out;
}

function resizeColumns(data: Uint8Array, rowBytes: number, from: number, to: number): Uint8Array {
  const { first, counts, weights, width } = weightsOf(from, to);
  const out = new Uint8Array(to * rowBytes);
  for (let y = 0, at = 0; y < to; y++)
    for (let x = 0; x < rowBytes; x++, at++) {
      let sum = 1 << (precisionBits - 1);
      for (let i = 0; i < counts[y]!; i++) sum += data[(first[y]! + i) * rowBytes + x]! * weights[y * width + i]!;
      out[at] = clamped(sum);
    }
  return out;
}

const clamped = (sum: number): number => Math.min(255, Math.max(0, sum >> precisionBits));
