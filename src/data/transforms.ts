// Transforms of images before they become rows of a batch, under torchvision's names. Random ones are pure functions of the
// random numbers they get, which belong to one item in one epoch (`item-random.ts`), so the result does not depend on
// ranks, threads or where a run was resumed. They are objects of plain options, so that they can be sent to another thread.
import { refuseUnknownOptions } from '../base/known-options.ts';
import { type Literal, literalOfBytes } from '../hlo/literal.ts';
import { tensorType } from '../hlo/types.ts';
import type { Image } from './image.ts';
import type { ItemRandom } from './item-random.ts';
import { imageLoops } from './native-images.ts';
import { requireCount, wrongOption } from './options.ts';
import { resizeImage } from './resize-image.ts';
import { exportToWorkers } from './worker-exports.ts';

/** A function of items, with random numbers for this item in this epoch. */
export interface Transform<A, B> {
  /** Transforms one item; all randomness comes from `random`. */
  apply(input: A, random: ItemRandom): B;
}
/** One size for a square (for `Resize`: the shorter edge), or height and width. */
export type ImageSize = number | readonly [height: number, width: number];

/** Checks for an object, because a class also has an `apply`: the method of functions. */
export const isTransform = (value: unknown): value is Transform<never, unknown> =>
  typeof value === 'object' && value !== null && 'apply' in value && typeof value.apply === 'function';

function sizeOf(what: string, size: ImageSize): readonly [height: number, width: number] {
  const both = typeof size === 'number' ? ([size, size] as const) : size;
  if (!Array.isArray(both) || both.length !== 2) throw wrongOption(what, 'size', size, 'a number, or [height, width]');
  for (const edge of both) requireCount(what, 'size', edge, 1);
  return both as readonly [number, number];
}

/**
 * Applies transforms one after another.
 * @example
 * const transform = new Compose([new Resize(2), new ToTensor(), new Normalize([0.5], [0.5])]);
 * const image = { width: 4, height: 4, channels: 1 as const, data: new Uint8Array(16).fill(255) };
 * tensor(transform.apply(image, new ItemRandom(0, 0, 0))).shape // [1, 2, 2]
 */
export class Compose<A, B> implements Transform<A, B> {
  /** The transforms, applied in this order. */
  readonly transforms: readonly Transform<never, unknown>[];

  constructor(transforms: readonly [Transform<A, B>]);
  constructor(transforms: readonly [Transform<A, unknown>, ...Transform<never, unknown>[], Transform<never, B>]);
  constructor(transforms: readonly Transform<never, unknown>[]) {
    if (!Array.isArray(transforms)) throw wrongOption('Compose', 'transforms', transforms, 'an array of transforms');
    transforms.forEach((one: Transform<never, unknown>, i) => {
      if (!isTransform(one))
        throw wrongOption('Compose', `transforms[${i}]`, one, 'a transform, with apply(input, random)');
    });
    this.transforms = transforms;
  }
  /** Transforms one item; all randomness comes from `random`. */
  apply(input: A, random: ItemRandom): B {
    let value: unknown = input;
    for (let i = 0; i < this.transforms.length; i++) {
      const one = this.transforms[i]!;
      const next = this.transforms[i + 1];
      // Fuses these two: each byte has one result.
      if (one instanceof ToTensor && next instanceof Normalize && fitsNormalize(value as Image, next)) {
        value = toTensor(value as Image, normalizedTablesOf(next, (value as Image).channels));
        i++;
      } else value = one.apply(value as never, random);
    }
    return value as B;
  }
}

/**
 * Resizes an image, bilinearly with antialiasing: the shorter edge to `size`, or to height and width.
 * @example
 * const image = { width: 4, height: 8, channels: 1 as const, data: new Uint8Array(32) };
 * new Resize(2).apply(image).height // 4
 */
export class Resize implements Transform<Image, Image> {
  /** The size: height and width, or the length of the shorter side in pixels. */
  readonly size: ImageSize;

  /** @throws {INVALID_OPTION} */
  constructor(size: ImageSize) {
    sizeOf('Resize', size);
    this.size = size;
  }
  /** Transforms one image. */
  apply(image: Image): Image {
    if (typeof this.size !== 'number') return resizeImage(image, this.size[0], this.size[1]);
    const { width, height } = image;
    const long = Math.trunc((this.size * Math.max(width, height)) / Math.min(width, height));
    return width <= height ? resizeImage(image, long, this.size) : resizeImage(image, this.size, long);
  }
}

/**
 * The center of an image. A smaller image is padded with black first.
 * @example
 * const image = { width: 4, height: 8, channels: 1 as const, data: new Uint8Array(32) };
 * new CenterCrop(2).apply(image).data.length // 4
 */
export class CenterCrop implements Transform<Image, Image> {
  /** The height and width of the result in pixels. */
  readonly size: readonly [height: number, width: number];

  /** @throws {INVALID_OPTION} */
  constructor(size: ImageSize) {
    this.size = sizeOf('CenterCrop', size);
  }
  /** Transforms one image. */
  apply(image: Image): Image {
    const [height, width] = this.size;
    // torchvision pads, then rounds half to even.
    const [moreX, moreY] = [Math.max(0, width - image.width), Math.max(0, height - image.height)];
    const padded = pad(
      image,
      Math.trunc(moreX / 2),
      Math.trunc(moreY / 2),
      Math.trunc((moreX + 1) / 2),
      Math.trunc((moreY + 1) / 2),
    );
    return crop(padded, halfToEven(padded.height - height), halfToEven(padded.width - width), height, width);
  }
}
/** n / 2, rounded half to even. */
const halfToEven = (n: number): number => (n % 4 === 3 ? (n + 1) / 2 : Math.floor(n / 2));

/**
 * A part of an image at a random position, after padding each side with black.
 * @example
 * const image = { width: 32, height: 32, channels: 3 as const, data: new Uint8Array(32 * 32 * 3) };
 * new RandomCrop(32, { padding: 4 }).apply(image, new ItemRandom(0, 0, 0)).width // 32
 */
export class RandomCrop implements Transform<Image, Image> {
  /** The height and width of the result in pixels. */
  readonly size: readonly [height: number, width: number];
  /** The number of zero pixels added on each side before cropping. */
  readonly padding: number;

  /** @throws {INVALID_OPTION} */
  constructor(
    size: ImageSize,
    options: {
      /** The number of zero pixels added on each side before cropping. */
      readonly padding?: number | undefined;
    } = {},
  ) {
    refuseUnknownOptions('RandomCrop', options, ['padding']);
    this.size = sizeOf('RandomCrop', size);
    this.padding = options.padding ?? 0;
    requireCount('RandomCrop', 'padding', this.padding, 0);
  }
  /** A random part of the image. @throws {INVALID_OPTION} if the image is smaller than the part */
  apply(image: Image, random: ItemRandom): Image {
    const [height, width] = this.size;
    const { padding } = this;
    const padded = pad(image, padding, padding, padding, padding);
    if (padded.width < width || padded.height < height)
      throw wrongOption(
        'RandomCrop',
        'size',
        height,
        `at most the size of the image, ${padded.height} × ${padded.width}`,
      );
    return crop(
      padded,
      random.below(padded.height - height + 1),
      random.below(padded.width - width + 1),
      height,
      width,
    );
  }
}

/**
 * Mirrors an image with probability `p`.
 * @example
 * const image = { width: 2, height: 1, channels: 1 as const, data: Uint8Array.of(1, 2) };
 * new RandomHorizontalFlip(1).apply(image, new ItemRandom(0, 0, 0)).data // [2, 1]
 */
export class RandomHorizontalFlip implements Transform<Image, Image> {
  /** The probability of a flip. */
  readonly p: number;

  /** @throws {INVALID_OPTION} */
  constructor(p = 0.5) {
    if (!(p >= 0 && p <= 1)) throw wrongOption('RandomHorizontalFlip', 'p', p, 'a probability from 0 to 1');
    this.p = p;
  }
  /** Transforms one image; all randomness comes from `random`. */
  apply(image: Image, random: ItemRandom): Image {
    if (random.uniform() >= this.p) return image;
    const { width, height, channels, data } = image;
    const out = new Uint8Array(data.length);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const from = (y * width + width - 1 - x) * channels;
        out.set(data.subarray(from, from + channels), (y * width + x) * channels);
      }
    return { ...image, data: out };
  }
}

/**
 * An image as f32 [channels, height, width] from 0 to 1.
 * @example
 * const image = { width: 2, height: 1, channels: 1 as const, data: Uint8Array.of(0, 255) };
 * tensor(new ToTensor().apply(image)) // [[[0, 1]]]
 */
export class ToTensor implements Transform<Image, Literal> {
  /** An image as f32 [channels, height, width] in [0, 1]. */
  apply(image: Image): Literal {
    return toTensor(image, unitTablesOf(image.channels));
  }
}

/** The value of each byte, from 0 to 1. */
const unitOf = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);

/** Provides memory that `apply` may write its result to, if the caller has some. */
let outputOf: ((length: number) => Float32Array) | undefined;

/** @internal `apply`, with the result in memory from the caller, if the transform requests it. */
export function applyInto<A, B>(
  transform: Transform<A, B>,
  input: A,
  random: ItemRandom,
  memory: (length: number) => Float32Array,
): B {
  outputOf = memory;
  try {
    return transform.apply(input, random);
  } finally {
    outputOf = undefined;
  }
}
/** @internal Whether the transform and its parts are those of this file, which keep no results. */
export function keepsNothing(transform: Transform<never, unknown>): boolean {
  const kind: unknown = Object.getPrototypeOf(transform);
  if (kind === Compose.prototype) return (transform as Compose<never, unknown>).transforms.every(keepsNothing);
  return [Resize, CenterCrop, RandomCrop, RandomHorizontalFlip, ToTensor, Normalize].some(
    one => one.prototype === kind,
  );
}

function toTensor({ width, height, channels, data }: Image, tables: Float32Array): Literal {
  const out = outputOf?.(data.length) ?? new Float32Array(data.length);
  const plane = width * height;
  const native = data.length === plane * channels ? imageLoops() : undefined;
  if (native !== undefined) native.planes(data, plane, channels, tables, out);
  else
    for (let c = 0; c < channels; c++) {
      const table = tables.subarray(256 * c, 256 * (c + 1));
      const first = c * plane;
      for (let i = 0, at = c; i < plane; i++, at += channels) out[first + i] = table[data[at]!]!;
    }
  return { type: tensorType('f32', [channels, height, width]), data: out };
}
/** 256 numbers for each channel. */
const tablesOf = (channels: number, tableOf: (channel: number) => Float32Array): Float32Array => {
  const tables = new Float32Array(256 * channels);
  for (let c = 0; c < channels; c++) tables.set(tableOf(c), 256 * c);
  return tables;
};
const unitTables = new Map<number, Float32Array>();
function unitTablesOf(channels: number): Float32Array {
  const known = unitTables.get(channels);
  if (known !== undefined) return known;
  const made = tablesOf(channels, () => unitOf);
  unitTables.set(channels, made);
  return made;
}
const normalizedTables = new WeakMap<Normalize, Map<number, Float32Array>>();
function normalizedTablesOf(normalize: Normalize, channels: number): Float32Array {
  const byChannels = normalizedTables.get(normalize) ?? new Map<number, Float32Array>();
  normalizedTables.set(normalize, byChannels);
  const known = byChannels.get(channels);
  if (known !== undefined) return known;
  const made = tablesOf(channels, channel => normalize.tableOf(channel));
  byChannels.set(channels, made);
  return made;
}
/** `Normalize` itself reports an image that does not fit. */
const fitsNormalize = ({ channels }: Image, { mean, std }: Normalize): boolean =>
  [mean, std].every(({ length }) => length === 1 || length === channels);

/**
 * (x − mean) / std, with one mean and one standard deviation per channel, or one for all.
 * @example
 * const normalize = new Normalize([0.5], [0.5]);
 * tensor(normalize.apply(hlo.literal('f32', [1, 1, 2], [0, 1]))) // [[[-1, 1]]]
 */
export class Normalize implements Transform<Literal, Literal> {
  /** The mean that is subtracted, for each channel. */
  readonly mean: readonly number[];
  /** The standard deviation that is divided by, for each channel. */
  readonly std: readonly number[];

  /** @throws {INVALID_OPTION} */
  constructor(mean: readonly number[], std: readonly number[]) {
    for (const [name, list] of Object.entries({ mean, std }))
      if (!Array.isArray(list) || list.length === 0 || !list.every(Number.isFinite))
        throw wrongOption('Normalize', name, list, 'an array of numbers, one for each channel');
    if (std.some(v => v === 0)) throw wrongOption('Normalize', 'std', 0, 'numbers other than 0');
    this.mean = mean;
    this.std = std;
  }
  /** @internal The result of `ToTensor` and this, for each byte. */
  tableOf(channel: number): Float32Array {
    const mean = Math.fround(this.mean[channel % this.mean.length]!);
    const std = Math.fround(this.std[channel % this.std.length]!);
    return unitOf.map(unit => Math.fround(unit - mean) / std);
  }
  /** Normalizes each channel. @throws {INVALID_OPTION} */
  apply(input: Literal): Literal {
    const { data, type } = input;
    const channels = type.shape[0] ?? 1;
    for (const [name, { length }] of Object.entries({ mean: this.mean, std: this.std }))
      if (length !== 1 && length !== channels)
        throw wrongOption('Normalize', `the length of ${name}`, length, `${channels}, the channels of the image, or 1`);
    if (!(data instanceof Float32Array))
      throw wrongOption('Normalize', 'the input', data, 'f32: put ToTensor before it');
    const out = new Float32Array(data.length);
    const plane = data.length / channels;
    for (let c = 0; c < channels; c++) {
      const mean = Math.fround(this.mean[c % this.mean.length]!);
      const std = Math.fround(this.std[c % this.std.length]!);
      for (let i = c * plane; i < (c + 1) * plane; i++) out[i] = Math.fround(data[i]! - mean) / std;
    }
    return literalOfBytes(type, new Uint8Array(out.buffer));
  }
}

function crop({ width, channels, data }: Image, top: number, left: number, height: number, toWidth: number): Image {
  const out = new Uint8Array(height * toWidth * channels);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * width + left) * channels;
    out.set(data.subarray(from, from + toWidth * channels), y * toWidth * channels);
  }
  return { width: toWidth, height, channels, data: out };
}

function pad(image: Image, left: number, top: number, right: number, bottom: number): Image {
  if (left + top + right + bottom === 0) return image;
  const { width, height, channels, data } = image;
  const toWidth = width + left + right;
  const out = new Uint8Array(toWidth * (height + top + bottom) * channels);
  for (let y = 0; y < height; y++)
    out.set(data.subarray(y * width * channels, (y + 1) * width * channels), ((top + y) * toWidth + left) * channels);
  return { width: toWidth, height: height + top + bottom, channels, data: out };
}

exportToWorkers(import.meta.url, {
  Compose,
  Resize,
  CenterCrop,
  RandomCrop,
  RandomHorizontalFlip,
  ToTensor,
  Normalize,
});
