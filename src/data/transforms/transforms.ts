// Transforms of images before they become rows of a batch, under torchvision's names. Random ones are pure functions of the
// random numbers they get, which belong to one item in one epoch (`item-random.ts`), so the result does not depend on
// ranks, threads or where a run was resumed. They are objects of plain options, so that they can be sent to another thread.
import { type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import type { Settings } from '../../tensor/settings.ts';
import { optionsOf, requireCount, wrongOption } from '../check-options.ts';
import type { ItemRandom } from '../datasets/item-random.ts';
import type { Image } from '../images/image.ts';
import { imageLoops } from '../images/native-images.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { crop, type Fill, type Interpolation, mirrored, type PaddingMode, pad, resized } from './image-geometry.ts';
import {
  applied,
  CallableTransform,
  ImageTransform,
  isTransform,
  TensorTransform,
  type Transform,
} from './transform.ts';

/** One size for a square (for `Resize`: the shorter edge), or height and width. */
export type ImageSize = number | readonly [height: number, width: number];

/** Height and width. @throws {INVALID_OPTION} */
export function sizeOf(what: string, size: ImageSize): readonly [height: number, width: number] {
  const both = typeof size === 'number' ? ([size, size] as const) : size;
  if (!Array.isArray(both) || both.length !== 2) throw wrongOption(what, 'size', size, 'a number, or [height, width]');
  for (const edge of both) requireCount(what, 'size', edge, 1);
  return both as readonly [number, number];
}

/** @throws {INVALID_OPTION} */
export function checkTransforms(what: string, transforms: readonly Transform<never, unknown>[]): void {
  if (!Array.isArray(transforms)) throw wrongOption(what, 'transforms', transforms, 'an array of transforms');
  transforms.forEach((one: unknown, i) => {
    if (!isTransform(one))
      throw wrongOption(what, `transforms[${i}]`, one, 'a transform, with apply(input, random); Lambda makes one');
  });
}

/**
 * Applies transforms one after another.
 * @example
 * const transform = new Compose([new Resize(2), new ToTensor(), new Normalize([0.5], [0.5])]);
 * const image = { width: 4, height: 4, channels: 1 as const, data: new Uint8Array(16).fill(255) };
 * transform(image).shape // [1, 2, 2]
 */
export class Compose<A, B> extends CallableTransform<A, B> {
  /** The transforms, applied in this order. */
  readonly transforms: readonly Transform<never, unknown>[];

  constructor(transforms: readonly [Transform<A, B>]);
  constructor(transforms: readonly [Transform<A, unknown>, ...Transform<never, unknown>[], Transform<never, B>]);
  constructor(transforms: readonly Transform<never, unknown>[]) {
    super();
    checkTransforms('Compose', transforms);
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
      } else value = applied(one, value, random);
    }
    return value as B;
  }
}

/** Options of `Resize`. */
export interface ResizeOptions {
  /** How pixels are computed. Default `bilinear`. */
  readonly interpolation?: Interpolation | undefined;
  /** The longest allowed side; only where `size` is the shorter one. */
  readonly maxSize?: number | undefined;
  /** Without effect: images are always antialiased, as those of Pillow. */
  readonly antialias?: boolean | undefined;
}
export const interpolations: readonly Interpolation[] = ['nearest', 'bilinear', 'bicubic', 'box', 'hamming', 'lanczos'];
/** @throws {INVALID_OPTION} */
export function checkWord<W extends string>(what: string, option: string, got: W, words: readonly W[]): W {
  if (!words.includes(got)) throw wrongOption(what, option, got, `one of ${words.join(', ')}`);
  return got;
}

/**
 * Resizes an image with antialiasing: the shorter edge to `size`, or to height and width.
 * @example
 * const image = { width: 4, height: 8, channels: 1 as const, data: new Uint8Array(32) };
 * new Resize(2)(image).height // 4
 */
export class Resize extends ImageTransform {
  /** The size: height and width, or the length of the shorter side in pixels. */
  readonly size: ImageSize;
  /** How pixels are computed. */
  readonly interpolation: Interpolation;
  /** The longest allowed side. */
  readonly maxSize: number | undefined;

  /** @throws {INVALID_OPTION} */
  constructor(size: ImageSize, ...rest: Settings<ResizeOptions, ['interpolation', 'maxSize', 'antialias']>) {
    super();
    const { interpolation = 'bilinear', maxSize } = optionsOf<ResizeOptions>(
      'Resize',
      ['interpolation', 'maxSize', 'antialias'],
      rest,
    );
    sizeOf('Resize', size);
    if (maxSize !== undefined && !(typeof size === 'number' && maxSize > size))
      throw wrongOption('Resize', 'maxSize', maxSize, 'more than a size that is one number');
    this.size = size;
    this.interpolation = checkWord('Resize', 'interpolation', interpolation, interpolations);
    this.maxSize = maxSize;
  }
  /** Transforms one image. */
  apply(image: Image): Image {
    const { size, interpolation, maxSize = Number.POSITIVE_INFINITY } = this;
    if (typeof size !== 'number') return resized(image, size[0], size[1], interpolation);
    const { width, height } = image;
    const [short, long] = [Math.min(width, height), Math.max(width, height)];
    const wanted = Math.trunc((size * long) / short);
    const [to, other] = wanted > maxSize ? [Math.trunc((maxSize * size) / wanted), maxSize] : [size, wanted];
    return width <= height ? resized(image, other, to, interpolation) : resized(image, to, other, interpolation);
  }
}

/**
 * The center of an image. A smaller image is padded with black first.
 * @example
 * const image = { width: 4, height: 8, channels: 1 as const, data: new Uint8Array(32) };
 * new CenterCrop(2)(image).data.length // 4
 */
export class CenterCrop extends ImageTransform {
  /** The height and width of the result in pixels. */
  readonly size: readonly [height: number, width: number];

  /** @throws {INVALID_OPTION} */
  constructor(size: ImageSize) {
    super();
    this.size = sizeOf('CenterCrop', size);
  }
  /** Transforms one image. */
  apply(image: Image): Image {
    const [height, width] = this.size;
    // torchvision pads, then rounds half to even.
    const [moreX, moreY] = [Math.max(0, width - image.width), Math.max(0, height - image.height)];
    const half = (n: number): number => Math.trunc(n / 2);
    const padded = pad(image, [half(moreX), half(moreY), half(moreX + 1), half(moreY + 1)]);
    return crop(padded, halfToEven(padded.height - height), halfToEven(padded.width - width), height, width);
  }
}
/** n / 2, rounded half to even. */
const halfToEven = (n: number): number => (n % 4 === 3 ? (n + 1) / 2 : Math.floor(n / 2));

/** Pixels on all sides, on the sides and above and below, or on the left, above, on the right and below. */
export type Padding =
  | number
  | readonly [sides: number, aboveAndBelow: number]
  | readonly [left: number, top: number, right: number, bottom: number];
type Sides = readonly [left: number, top: number, right: number, bottom: number];

function sidesOf(what: string, padding: Padding): Sides {
  const list = typeof padding === 'number' ? [padding] : padding;
  if (!Array.isArray(list) || ![1, 2, 4].includes(list.length))
    throw wrongOption(what, 'padding', padding, 'a number, or two or four of them');
  for (const one of list) requireCount(what, 'padding', one, 0);
  const [left, top = left, right = left, bottom = top] = list as unknown as Sides;
  return [left, top, right, bottom];
}
const paddingModes: readonly PaddingMode[] = ['constant', 'edge', 'reflect', 'symmetric'];
const padNames = ['fill', 'paddingMode'] as const;

/** Options of `Pad`. */
export interface PadOptions {
  /** The value of new pixels, or one for each channel. Default 0. */
  readonly fill?: Fill | undefined;
  /** How new pixels are computed. Default `constant`: they are `fill`. */
  readonly paddingMode?: PaddingMode | undefined;
}

/**
 * Adds pixels around an image.
 * @example
 * const image = { width: 2, height: 1, channels: 1 as const, data: Uint8Array.of(1, 2) };
 * new transforms.Pad([1, 0], 0, 'edge')(image).data // [1, 1, 2, 2]
 */
export class Pad extends ImageTransform {
  /** Pixels on the left, above, on the right and below. */
  readonly padding: Sides;
  /** The value of new pixels. */
  readonly fill: Fill;
  /** How new pixels are computed. */
  readonly paddingMode: PaddingMode;

  /** @throws {INVALID_OPTION} */
  constructor(padding: Padding, ...rest: Settings<PadOptions, typeof padNames>) {
    super();
    const { fill = 0, paddingMode = 'constant' } = optionsOf<PadOptions>('Pad', padNames, rest);
    this.padding = sidesOf('Pad', padding);
    this.fill = fill;
    this.paddingMode = checkWord('Pad', 'paddingMode', paddingMode, paddingModes);
  }
  /** Transforms one image. */
  apply(image: Image): Image {
    return pad(image, this.padding, this.fill, this.paddingMode);
  }
}

/** Options of `RandomCrop`. */
export interface RandomCropOptions extends PadOptions {
  /** Pixels added before cropping. */
  readonly padding?: Padding | undefined;
  /** Whether an image that is too small is padded. Default false. */
  readonly padIfNeeded?: boolean | undefined;
}
const cropNames = ['padding', 'padIfNeeded', 'fill', 'paddingMode'] as const;

/**
 * A part of an image at a random position, after padding.
 * @example
 * const image = { width: 32, height: 32, channels: 3 as const, data: new Uint8Array(32 * 32 * 3) };
 * new RandomCrop(32, { padding: 4 })(image).width // 32
 */
export class RandomCrop extends ImageTransform {
  /** The height and width of the result in pixels. */
  readonly size: readonly [height: number, width: number];
  /** Pixels added on the left, above, on the right and below, before cropping. */
  readonly padding: Sides;
  /** Whether an image that is too small is padded. */
  readonly padIfNeeded: boolean;
  /** The value of new pixels. */
  readonly fill: Fill;
  /** How new pixels are computed. */
  readonly paddingMode: PaddingMode;

  /** @throws {INVALID_OPTION} */
  constructor(size: ImageSize, ...rest: Settings<RandomCropOptions, typeof cropNames>) {
    super();
    const options = optionsOf<RandomCropOptions>('RandomCrop', cropNames, rest);
    this.size = sizeOf('RandomCrop', size);
    this.padding = sidesOf('RandomCrop', options.padding ?? 0);
    this.padIfNeeded = options.padIfNeeded ?? false;
    this.fill = options.fill ?? 0;
    this.paddingMode = checkWord('RandomCrop', 'paddingMode', options.paddingMode ?? 'constant', paddingModes);
  }
  /** A random part of the image. @throws {INVALID_OPTION} if the image is smaller than the part */
  apply(image: Image, random: ItemRandom): Image {
    const [height, width] = this.size;
    const { fill, paddingMode } = this;
    let padded = pad(image, this.padding, fill, paddingMode);
    if (this.padIfNeeded) {
      const [x, y] = [Math.max(0, width - padded.width), Math.max(0, height - padded.height)];
      padded = pad(padded, [x, y, x, y], fill, paddingMode);
    }
    if (padded.width < width || padded.height < height)
      throw wrongOption(
        'RandomCrop',
        'size',
        height,
        `at most the size of the image, ${padded.height} × ${padded.width}`,
      );
    const top = random.below(padded.height - height + 1);
    return crop(padded, top, random.below(padded.width - width + 1), height, width);
  }
}

/** @throws {INVALID_OPTION} */
export function probability(what: string, p: number): number {
  if (!(p >= 0 && p <= 1)) throw wrongOption(what, 'p', p, 'a probability from 0 to 1');
  return p;
}

/**
 * Mirrors an image with probability `p`.
 * @example
 * const image = { width: 2, height: 1, channels: 1 as const, data: Uint8Array.of(1, 2) };
 * new RandomHorizontalFlip(1)(image).data // [2, 1]
 */
export class RandomHorizontalFlip extends ImageTransform {
  /** The probability of a flip. */
  readonly p: number;

  /** @throws {INVALID_OPTION} */
  constructor(p = 0.5) {
    super();
    this.p = probability('RandomHorizontalFlip', p);
  }
  /** Transforms one image; all randomness comes from `random`. */
  apply(image: Image, random: ItemRandom): Image {
    return random.uniform() >= this.p ? image : mirrored(image);
  }
}

/**
 * An image as f32 [channels, height, width] from 0 to 1.
 * @example
 * const image = { width: 2, height: 1, channels: 1 as const, data: Uint8Array.of(0, 255) };
 * new ToTensor()(image) // [[[0, 1]]]
 */
export class ToTensor extends ImageTransform<Literal> {
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
 * normalize(tensor([[[0, 1]]])) // [[[-1, 1]]]
 */
export class Normalize extends TensorTransform {
  /** The mean that is subtracted, for each channel. */
  readonly mean: readonly number[];
  /** The standard deviation that is divided by, for each channel. */
  readonly std: readonly number[];

  /** @throws {INVALID_OPTION} */
  constructor(mean: readonly number[], std: readonly number[]) {
    super();
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

exportToWorkers(import.meta.url, {
  Compose,
  Resize,
  CenterCrop,
  Pad,
  RandomCrop,
  RandomHorizontalFlip,
  ToTensor,
  Normalize,
});
