// Resizing with antialiasing, equal to Pillow's bit for bit: each output pixel is a weighted sum of the input pixels under a
// filter that grows with the reduction, first along rows, then along columns, in 22-bit fixed point with rounding after each.
// After Pillow's Resample.c.
import type { Image } from './image.ts';

const precisionBits = 22;

interface Weights {
  /** The first input pixel of each output pixel. */
  readonly first: Int32Array;
  readonly counts: Int32Array;
  readonly weights: Int32Array;
  readonly width: number;
}

/** A filter: its value at a distance in pixels, and the distance beyond which it is 0. */
interface Filter {
  readonly support: number;
  valueAt(distance: number): number;
}
const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));
const filters = {
  box: { support: 0.5, valueAt: x => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  hamming: {
    support: 1,
    valueAt: x => (Math.abs(x) < 1 ? sinc(x) * (0.54 + 0.46 * Math.cos(x * Math.PI)) : 0),
  },
  lanczos: { support: 3, valueAt: x => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0) },
  bilinear: { support: 1, valueAt: x => Math.max(0, 1 - Math.abs(x)) },
  bicubic: {
    support: 2,
    valueAt: distance => {
      const [a, x] = [-0.5, Math.abs(distance)];
      if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
      return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
    },
  },
} as const satisfies Readonly<Record<string, Filter>>;
/** The filters of `resizeImage`, in Pillow's names. */
export type ResizeFilter = keyof typeof filters;

export function resizeImage(image: Image, height: number, width: number, filter: ResizeFilter = 'bilinear'): Image {
  const { data, channels } = image;
  const rows =
    width === image.width
      ? data
      : resizeRows(data, weightsOf(image.width, width, filters[filter]), image.width, width, image.height, channels);
  if (height === image.height) return { width, height, channels, data: rows };
  return {
    width,
    height,
    channels,
    data: resizeColumns(rows, weightsOf(image.height, height, filters[filter]), width * channels, height),
  };
}

/** The input pixels of an output pixel: `values` from pixel `from` on, whose sum is 1. */
interface Shares {
  readonly from: number;
  readonly values: readonly number[];
}
function sharesOf(input: number, output: number, filter: Filter): readonly Shares[] {
  const scale = input / output;
  const stretch = Math.max(scale, 1);
  const support = filter.support * stretch;
  return Array.from({ length: output }, (_, at) => {
    const center = (at + 0.5) * scale;
    const from = Math.max(0, Math.trunc(center - support + 0.5));
    const count = Math.min(input, Math.trunc(center + support + 0.5)) - from;
    const exact = Array.from({ length: count }, (_, i) => filter.valueAt((i + from - center + 0.5) * (1 / stretch)));
    const total = exact.reduce((sum, w) => sum + w, 0);
    return { from, values: total === 0 ? exact : exact.map(w => w / total) };
  });
}

/** The matrix [output, input] that resizes a row or column of numbers. */
export function resizeMatrix(input: number, output: number, filter: ResizeFilter): Float32Array {
  const matrix = new Float32Array(output * input);
  for (const [at, { from, values }] of sharesOf(input, output, filters[filter]).entries())
    matrix.set(values, at * input + from);
  return matrix;
}

function weightsOf(input: number, output: number, filter: Filter): Weights {
  const shares = sharesOf(input, output, filter);
  const width = Math.max(...shares.map(({ values }) => values.length));
  const weights = new Int32Array(output * width);
  for (const [at, { values }] of shares.entries())
    for (const [i, share] of values.entries()) {
      const scaled = share * 2 ** precisionBits;
      weights[at * width + i] = Math.trunc(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    }
  const first = Int32Array.from(shares, ({ from }) => from);
  const counts = Int32Array.from(shares, ({ values }) => values.length);
  return { first, counts, weights, width };
}

function resizeRows(
  data: Uint8Array,
  { first, counts, weights, width }: Weights,
  from: number,
  to: number,
  height: number,
  channels: number,
): Uint8Array {
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

function resizeColumns(
  data: Uint8Array,
  { first, counts, weights, width }: Weights,
  rowBytes: number,
  to: number,
): Uint8Array {
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
