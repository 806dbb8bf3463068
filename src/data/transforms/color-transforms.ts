// Transforms of colors and sharpness, under torchvision's names and with its defaults.
import type { Settings } from '../../tensor/settings.ts';
import { optionsOf, wrongOption } from '../check-options.ts';
import type { ItemRandom } from '../datasets/item-random.ts';
import type { Image } from '../images/image.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { blurred, grayscale, withBrightness, withContrast, withHue, withSaturation } from './image-colors.ts';
import { ImageTransform } from './transform.ts';
import { type ImageSize, probability, sizeOf } from './transforms.ts';
import { shuffled } from './wrapped-transforms.ts';

/** How far a factor may be from its neutral value, or its least and greatest value. */
export type ColorRange = number | readonly [least: number, greatest: number];
/** Options of `ColorJitter`. */
export interface ColorJitterOptions {
  /** The range of the factor of the brightness. Default 0: unchanged. */
  readonly brightness?: ColorRange | undefined;
  /** The range of the factor of the contrast. */
  readonly contrast?: ColorRange | undefined;
  /** The range of the factor of the saturation. */
  readonly saturation?: ColorRange | undefined;
  /** The range in which hues turn, as a share of the circle, at most 0.5. */
  readonly hue?: ColorRange | undefined;
}
const jitterNames = ['brightness', 'contrast', 'saturation', 'hue'] as const;
const adjusted = { brightness: withBrightness, contrast: withContrast, saturation: withSaturation, hue: withHue };

/** The range of a factor; undefined if it is always neutral. @throws {INVALID_OPTION} */
function rangeOf(name: keyof ColorJitterOptions, given: ColorRange = 0): readonly [number, number] | undefined {
  const [neutral, least, greatest] = name === 'hue' ? [0, -0.5, 0.5] : [1, 0, Number.POSITIVE_INFINITY];
  const isRange = Array.isArray(given) && given.length === 2;
  const [from, to] = (
    isRange ? given : [name === 'hue' ? -given : Math.max(0, 1 - (given as number)), neutral + (given as number)]
  ) as readonly [number, number];
  if ((!isRange && !((given as number) >= 0)) || !(least <= from && from <= to && to <= greatest))
    throw wrongOption('ColorJitter', name, given, `0 or more, or [least, greatest], from ${least} to ${greatest}`);
  return from === neutral && to === neutral ? undefined : [from, to];
}

/**
 * Changes brightness, contrast, saturation and hue by random factors, in random order.
 * @example
 * const image = { width: 1, height: 1, channels: 3, data: Uint8Array.of(100, 100, 100) };
 * new transforms.ColorJitter({ brightness: [0.5, 0.5] })(image).data // [50, 50, 50]
 */
export class ColorJitter extends ImageTransform {
  /** The least and the greatest factor. */
  readonly brightness: readonly [number, number] | undefined;
  /** The least and the greatest factor. */
  readonly contrast: readonly [number, number] | undefined;
  /** The least and the greatest factor. */
  readonly saturation: readonly [number, number] | undefined;
  /** The least and the greatest share of the circle. */
  readonly hue: readonly [number, number] | undefined;

  /** @throws {INVALID_OPTION} */
  constructor(...rest: Settings<ColorJitterOptions, typeof jitterNames>) {
    super();
    const options = optionsOf<ColorJitterOptions>('ColorJitter', jitterNames, rest);
    this.brightness = rangeOf('brightness', options.brightness);
    this.contrast = rangeOf('contrast', options.contrast);
    this.saturation = rangeOf('saturation', options.saturation);
    this.hue = rangeOf('hue', options.hue);
  }
  /** Transforms one image. */
  apply(image: Image, random: ItemRandom): Image {
    return shuffled(jitterNames, random).reduce((now, name) => {
      const range = this[name];
      return range === undefined ? now : adjusted[name](now, random.between(...range));
    }, image);
  }
}

/**
 * The gray values of an image, in one channel or repeated in three.
 * @example
 * new transforms.Grayscale()({ width: 1, height: 1, channels: 3, data: Uint8Array.of(255, 0, 0) }).data // [76]
 */
export class Grayscale extends ImageTransform {
  /** The channels of the result. */
  readonly numOutputChannels: 1 | 3;

  /** @throws {INVALID_OPTION} */
  constructor(numOutputChannels: 1 | 3 = 1) {
    super();
    if (numOutputChannels !== 1 && numOutputChannels !== 3)
      throw wrongOption('Grayscale', 'numOutputChannels', numOutputChannels, '1 or 3');
    this.numOutputChannels = numOutputChannels;
  }
  /** Transforms one image. */
  apply(image: Image): Image {
    return grayscale(image, this.numOutputChannels);
  }
}

/**
 * With probability `p`, the gray values of an image in as many channels as it has.
 * @example
 * new transforms.RandomGrayscale(1)({ width: 1, height: 1, channels: 3, data: Uint8Array.of(255, 0, 0) }).data // [76, 76, 76]
 */
export class RandomGrayscale extends ImageTransform {
  /** The probability. */
  readonly p: number;

  /** @throws {INVALID_OPTION} */
  constructor(p = 0.1) {
    super();
    this.p = probability('RandomGrayscale', p);
  }
  /** Transforms one image. */
  apply(image: Image, random: ItemRandom): Image {
    return random.uniform() < this.p ? grayscale(image, image.channels === 3 ? 3 : 1) : image;
  }
}

/**
 * Blurs an image by a Gaussian whose standard deviation, in pixels, is random in a range, or one number.
 * @example
 * const image = { width: 3, height: 1, channels: 1, data: Uint8Array.of(0, 90, 0) };
 * new transforms.GaussianBlur([3, 1], 1)(image).data // [49, 41, 49]
 */
export class GaussianBlur extends ImageTransform {
  /** The width and height of the kernel, odd. */
  readonly kernelSize: readonly [width: number, height: number];
  /** The least and the greatest standard deviation. */
  readonly sigma: readonly [number, number];

  /** @throws {INVALID_OPTION} */
  constructor(kernelSize: ImageSize, sigma: number | readonly [number, number] = [0.1, 2]) {
    super();
    this.kernelSize = sizeOf('GaussianBlur', kernelSize);
    if (this.kernelSize.some(size => size % 2 === 0))
      throw wrongOption('GaussianBlur', 'kernelSize', kernelSize, 'odd numbers');
    this.sigma = typeof sigma === 'number' ? [sigma, sigma] : sigma;
    if (!Array.isArray(this.sigma) || !(this.sigma[0] > 0 && this.sigma[0] <= this.sigma[1]))
      throw wrongOption('GaussianBlur', 'sigma', sigma, 'a number above 0, or [least, greatest]');
  }
  /** Transforms one image. @throws {INVALID_OPTION} if the kernel is larger than the reflected image */
  apply(image: Image, random: ItemRandom): Image {
    const [width, height] = this.kernelSize;
    if (width > 2 * image.width - 1 || height > 2 * image.height - 1)
      throw wrongOption('GaussianBlur', 'kernelSize', `${width} × ${height}`, 'less than twice the size of the image');
    return blurred(image, this.kernelSize, random.between(...this.sigma));
  }
}

exportToWorkers(import.meta.url, { ColorJitter, Grayscale, RandomGrayscale, GaussianBlur });
