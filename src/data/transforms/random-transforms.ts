// Transforms that move or erase random parts of images, under torchvision's names and with its defaults and distributions.
import { type Literal, literalOfBytes } from '../../hlo/literal.ts';
import type { Settings } from '../../tensor/settings.ts';
import { optionsOf, wrongOption } from '../check-options.ts';
import type { ItemRandom } from '../datasets/item-random.ts';
import type { Image } from '../images/image.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import {
  affine,
  crop,
  type Fill,
  type Interpolation,
  inverseAffine,
  resized,
  rotated,
  upsideDown,
} from './image-geometry.ts';
import { ImageTransform, TensorTransform } from './transform.ts';
import { checkWord, type ImageSize, interpolations, probability, sizeOf } from './transforms.ts';

/** The least and the greatest value. */
export type Range = readonly [least: number, greatest: number];
type Moved = 'nearest' | 'bilinear';
const moved: readonly Moved[] = ['nearest', 'bilinear'];

/** @throws {INVALID_OPTION} */
function checkRange(what: string, option: string, range: Range, least: number, greatest: number): Range {
  const isRange = Array.isArray(range) && range.length === 2 && least <= range[0] && range[0] <= range[1];
  if (!isRange || !(range[1] <= greatest))
    throw wrongOption(what, option, range, `[least, greatest], from ${least} to ${greatest}`);
  return range;
}
/** −degrees to degrees, or the given range. @throws {INVALID_OPTION} */
function anglesOf(what: string, option: string, degrees: number | Range): Range {
  if (typeof degrees !== 'number') return checkRange(what, option, degrees, -Infinity, Infinity);
  if (!(degrees >= 0)) throw wrongOption(what, option, degrees, '0 or more, or [least, greatest]');
  return [-degrees, degrees];
}

/** Python's round: half to even. */
const rounded = (x: number): number => {
  const floor = Math.floor(x);
  return x - floor === 0.5 ? floor + (floor % 2 === 0 ? 0 : 1) : Math.round(x);
};

/** A part with a random share of the area and a random ratio of the sides; undefined if ten tries do not fit. */
function randomPart(
  { width, height }: { readonly width: number; readonly height: number },
  scale: Range,
  ratio: Range,
  random: ItemRandom,
  fits: (width: number, height: number) => boolean,
  sides: (area: number, ratio: number) => readonly [width: number, height: number],
): { readonly top: number; readonly left: number; readonly width: number; readonly height: number } | undefined {
  for (let i = 0; i < 10; i++) {
    const area = width * height * random.between(...scale);
    const chosen = Math.exp(random.between(Math.log(ratio[0]), Math.log(ratio[1])));
    const [wide, high] = sides(area, chosen);
    if (!fits(wide, high)) continue;
    const top = random.below(height - high + 1);
    return { top, left: random.below(width - wide + 1), width: wide, height: high };
  }
  return undefined;
}

/** Options of `RandomResizedCrop`. */
export interface RandomResizedCropOptions {
  /** The share of the area. Default 0.08 to 1. */
  readonly scale?: Range | undefined;
  /** The ratio of width to height. Default 3/4 to 4/3. */
  readonly ratio?: Range | undefined;
  /** How pixels are computed. Default `bilinear`. */
  readonly interpolation?: Interpolation | undefined;
  /** Without effect: images are always antialiased, as those of Pillow. */
  readonly antialias?: boolean | undefined;
}
const resizedCropNames = ['scale', 'ratio', 'interpolation', 'antialias'] as const;

/**
 * A random part of an image, resized.
 * @example
 * const image = { width: 32, height: 24, channels: 3, data: new Uint8Array(32 * 24 * 3) };
 * new transforms.RandomResizedCrop(16, { scale: [0.5, 1] })(image).width // 16
 */
export class RandomResizedCrop extends ImageTransform {
  /** The height and width of the result. */
  readonly size: readonly [height: number, width: number];
  /** The share of the area. */
  readonly scale: Range;
  /** The ratio of width to height. */
  readonly ratio: Range;
  /** How pixels are computed. */
  readonly interpolation: Interpolation;

  /** @throws {INVALID_OPTION} */
  constructor(size: ImageSize, ...rest: Settings<RandomResizedCropOptions, typeof resizedCropNames>) {
    super();
    const what = 'RandomResizedCrop';
    const given = optionsOf<RandomResizedCropOptions>(what, resizedCropNames, rest);
    this.size = sizeOf(what, size);
    this.scale = checkRange(what, 'scale', given.scale ?? [0.08, 1], 0, Infinity);
    this.ratio = checkRange(what, 'ratio', given.ratio ?? [3 / 4, 4 / 3], Number.MIN_VALUE, Infinity);
    this.interpolation = checkWord(what, 'interpolation', given.interpolation ?? 'bilinear', interpolations);
  }
  /** Transforms one image. */
  apply(image: Image, random: ItemRandom): Image {
    const { width, height } = image;
    const { scale, ratio } = this;
    const fits = (w: number, h: number): boolean => w > 0 && w <= width && h > 0 && h <= height;
    const sides = (area: number, by: number) => [rounded(Math.sqrt(area * by)), rounded(Math.sqrt(area / by))] as const;
    const part = randomPart(image, scale, ratio, random, fits, sides) ?? central(image, ratio);
    return resized(crop(image, part.top, part.left, part.height, part.width), ...this.size, this.interpolation);
  }
}
/** The largest part in the center whose ratio is in the range. */
function central({ width, height }: Image, [least, greatest]: Range) {
  const own = width / height;
  const wide = own > greatest ? rounded(height * greatest) : width;
  const high = own < least ? rounded(width / least) : height;
  return { top: Math.floor((height - high) / 2), left: Math.floor((width - wide) / 2), width: wide, height: high };
}

/**
 * Turns an image upside down with probability `p`.
 * @example
 * const image = { width: 1, height: 2, channels: 1, data: Uint8Array.of(1, 2) };
 * new transforms.RandomVerticalFlip(1)(image).data // [2, 1]
 */
export class RandomVerticalFlip extends ImageTransform {
  /** The probability. */
  readonly p: number;

  /** @throws {INVALID_OPTION} */
  constructor(p = 0.5) {
    super();
    this.p = probability('RandomVerticalFlip', p);
  }
  /** Transforms one image. */
  apply(image: Image, random: ItemRandom): Image {
    return random.uniform() >= this.p ? image : upsideDown(image);
  }
}

/** Options of `RandomRotation`. */
export interface RandomRotationOptions {
  /** How pixels are computed. Default `nearest`. */
  readonly interpolation?: Moved | undefined;
  /** Whether the result has room for the whole image. Default false: it has the same size. */
  readonly expand?: boolean | undefined;
  /** The point that stays, in pixels from the upper left corner. Default: the center. */
  readonly center?: readonly [x: number, y: number] | undefined;
  /** The value of pixels outside of the image, or one for each channel. Default 0. */
  readonly fill?: Fill | undefined;
}
const rotationNames = ['interpolation', 'expand', 'center', 'fill'] as const;

/**
 * Rotates an image counterclockwise by a random angle in degrees: from −`degrees` to `degrees`, or in a range.
 * @example
 * const image = { width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 2) };
 * new transforms.RandomRotation([180, 180])(image).data // [2, 1]
 */
export class RandomRotation extends ImageTransform {
  /** The least and the greatest angle. */
  readonly degrees: Range;
  /** How pixels are computed. */
  readonly interpolation: Moved;
  /** Whether the result has room for the whole image. */
  readonly expand: boolean;
  /** The point that stays. */
  readonly center: readonly [x: number, y: number] | undefined;
  /** The value of pixels outside of the image. */
  readonly fill: Fill;

  /** @throws {INVALID_OPTION} */
  constructor(degrees: number | Range, ...rest: Settings<RandomRotationOptions, typeof rotationNames>) {
    super();
    const given = optionsOf<RandomRotationOptions>('RandomRotation', rotationNames, rest);
    this.degrees = anglesOf('RandomRotation', 'degrees', degrees);
    this.interpolation = checkWord('RandomRotation', 'interpolation', given.interpolation ?? 'nearest', moved);
    this.expand = given.expand ?? false;
    this.center = given.center;
    this.fill = given.fill ?? 0;
  }
  /** Transforms one image. */
  apply(image: Image, random: ItemRandom): Image {
    return rotated(image, random.between(...this.degrees), this);
  }
}

/** Options of `RandomAffine`. */
export interface RandomAffineOptions {
  /** The greatest shift, as a share of the width and of the height. */
  readonly translate?: readonly [x: number, y: number] | undefined;
  /** The factor of the size. */
  readonly scale?: Range | undefined;
  /** Degrees by which rows are sheared, ± or in a range; with four numbers, also columns, by the last two. */
  readonly shear?: number | Range | readonly [number, number, number, number] | undefined;
  /** How pixels are computed. Default `nearest`. */
  readonly interpolation?: Moved | undefined;
  /** The value of pixels outside of the image, or one for each channel. Default 0. */
  readonly fill?: Fill | undefined;
  /** The point that stays, in pixels from the upper left corner. Default: the center. */
  readonly center?: readonly [x: number, y: number] | undefined;
}
const affineNames = ['translate', 'scale', 'shear', 'interpolation', 'fill', 'center'] as const;

/**
 * Rotates, shifts, scales and shears an image by random amounts.
 * @example
 * const image = { width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 2) };
 * new transforms.RandomAffine(0, { scale: [1, 1] })(image).data // [1, 2]
 */
export class RandomAffine extends ImageTransform {
  /** The least and the greatest angle, clockwise. */
  readonly degrees: Range;
  /** The greatest shift, as a share of the width and of the height. */
  readonly translate: readonly [x: number, y: number] | undefined;
  /** The factor of the size. */
  readonly scale: Range | undefined;
  /** Degrees by which rows are sheared, and columns. */
  readonly shear: readonly [Range, Range] | undefined;
  /** How pixels are computed. */
  readonly interpolation: Moved;
  /** The value of pixels outside of the image. */
  readonly fill: Fill;
  /** The point that stays. */
  readonly center: readonly [x: number, y: number] | undefined;

  /** @throws {INVALID_OPTION} */
  constructor(degrees: number | Range, ...rest: Settings<RandomAffineOptions, typeof affineNames>) {
    super();
    const what = 'RandomAffine';
    const given = optionsOf<RandomAffineOptions>(what, affineNames, rest);
    const { translate, scale, shear } = given;
    this.degrees = anglesOf(what, 'degrees', degrees);
    if (translate !== undefined && !(translate.length === 2 && translate.every(t => t >= 0 && t <= 1)))
      throw wrongOption(what, 'translate', translate, '[x, y], each from 0 to 1');
    this.translate = translate;
    this.scale = scale && checkRange(what, 'scale', scale, Number.MIN_VALUE, Infinity);
    const [rows, columns] =
      typeof shear !== 'number' && shear?.length === 4 ? [shear.slice(0, 2), shear.slice(2)] : [shear, 0];
    this.shear =
      rows === undefined
        ? undefined
        : [anglesOf(what, 'shear', rows as number | Range), anglesOf(what, 'shear', columns as number | Range)];
    this.interpolation = checkWord(what, 'interpolation', given.interpolation ?? 'nearest', moved);
    this.fill = given.fill ?? 0;
    this.center = given.center;
  }
  /** Transforms one image. */
  apply(image: Image, random: ItemRandom): Image {
    const { width, height } = image;
    const angle = random.between(...this.degrees);
    const shift = (share: number, size: number): number => rounded(random.between(-share * size, share * size));
    const [x, y] = this.translate ?? [0, 0];
    const shifts = [shift(x, width), shift(y, height)] as const;
    const scale = this.scale === undefined ? 1 : random.between(...this.scale);
    const shear = (
      this.shear ?? [
        [0, 0],
        [0, 0],
      ]
    ).map(range => random.between(range[0]!, range[1]!));
    const center = this.center ?? ([width * 0.5, height * 0.5] as const);
    const map = inverseAffine(center, angle, shifts, scale, shear as [number, number]);
    return affine(image, map, this.interpolation, this.fill);
  }
}

/** Options of `RandomErasing`. */
export interface RandomErasingOptions {
  /** The probability. Default 0.5. */
  readonly p?: number | undefined;
  /** The share of the area. Default 0.02 to 0.33. */
  readonly scale?: Range | undefined;
  /** The ratio of height to width. Default 0.3 to 3.3. */
  readonly ratio?: Range | undefined;
  /** The new value, one for each channel, or `random`: normally distributed. Default 0. */
  readonly value?: number | readonly number[] | 'random' | undefined;
  /** Whether the tensor itself is changed; it is not: `true` is refused. */
  readonly inplace?: false | undefined;
}
const erasingNames = ['p', 'scale', 'ratio', 'value', 'inplace'] as const;

/**
 * Erases a random rectangle of a tensor [channels, height, width], after `ToTensor`.
 * @example
 * const erase = new transforms.RandomErasing({ p: 1, scale: [0.2, 0.3], value: 1 });
 * erase(zeros(3, 8, 8)).max().item() // 1
 */
export class RandomErasing extends TensorTransform {
  /** The probability. */
  readonly p: number;
  /** The share of the area. */
  readonly scale: Range;
  /** The ratio of height to width. */
  readonly ratio: Range;
  /** The new value. */
  readonly value: number | readonly number[] | 'random';

  /** @throws {INVALID_OPTION} */
  constructor(...rest: Settings<RandomErasingOptions, typeof erasingNames>) {
    super();
    const what = 'RandomErasing';
    const given = optionsOf<RandomErasingOptions>(what, erasingNames, rest);
    const { value = 0, inplace = false } = given;
    this.p = probability(what, given.p ?? 0.5);
    this.scale = checkRange(what, 'scale', given.scale ?? [0.02, 0.33], 0, 1);
    this.ratio = checkRange(what, 'ratio', given.ratio ?? [0.3, 3.3], Number.MIN_VALUE, Infinity);
    if (typeof value === 'string' && value !== 'random')
      throw wrongOption(what, 'value', value, "numbers, or 'random'");
    if (inplace !== false) throw wrongOption(what, 'inplace', inplace, 'false: the input is not changed');
    this.value = value;
  }
  /** Transforms one tensor. @throws {INVALID_OPTION} */
  apply(input: Literal, random: ItemRandom): Literal {
    const { data, type } = input;
    const [channels = 0, height = 0, width = 0] = type.shape;
    if (!(data instanceof Float32Array) || type.shape.length !== 3)
      throw wrongOption('RandomErasing', 'the input', data, 'f32 [channels, height, width]: put ToTensor before it');
    const values = this.value === 'random' ? [] : [this.value].flat();
    if (values.length > 1 && values.length !== channels)
      throw wrongOption(
        'RandomErasing',
        'the length of value',
        values.length,
        `1, or ${channels}, one for each channel`,
      );
    if (random.uniform() >= this.p) return input;
    const fits = (w: number, h: number): boolean => h < height && w < width;
    const sides = (area: number, by: number) => [rounded(Math.sqrt(area / by)), rounded(Math.sqrt(area * by))] as const;
    const part = randomPart({ width, height }, this.scale, this.ratio, random, fits, sides);
    if (part === undefined) return input;
    const out = data.slice();
    for (let c = 0; c < channels; c++)
      for (let y = part.top; y < part.top + part.height; y++)
        for (let x = part.left; x < part.left + part.width; x++)
          out[(c * height + y) * width + x] = values.length === 0 ? random.normal() : values[c % values.length]!;
    return literalOfBytes(type, new Uint8Array(out.buffer));
  }
}

exportToWorkers(import.meta.url, {
  RandomResizedCrop,
  RandomVerticalFlip,
  RandomRotation,
  RandomAffine,
  RandomErasing,
});
