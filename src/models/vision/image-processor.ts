// The steps from images to the inputs of a model: resize, crop, normalize. Equal to transformers' processors of ViT, DeiT, CLIP,
// SigLIP, DINOv2, ConvNeXt and ResNet with Pillow. N batch, C channels.
import { TrenioError } from '../../base/errors.ts';
import type { Image } from '../../data/images/image.ts';
import { type ResizeFilter, resizeImage } from '../../data/images/resize-image.ts';
import { type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import type { ImageNormalization } from './image-normalization.ts';

/** The height and width of images. */
export interface ExactSize {
  /** In pixels. */
  readonly height: number;
  /** In pixels. */
  readonly width: number;
}
/** A resize that keeps the proportions. */
export interface ShortestEdge {
  /** The length of the shorter edge after it, in pixels. */
  readonly shortest_edge: number;
}
/** The size of images after a resize. */
export type ImageSizeRule = ExactSize | ShortestEdge;
/** A resize. */
export interface ImageResize {
  /** The size after it. */
  readonly size: ImageSizeRule;
  /** How pixels are interpolated. */
  readonly filter: ResizeFilter;
}

/** How images become the inputs of a model. */
export interface ImageProcessorSettings {
  /** Undefined: images are not resized. */
  readonly resize: ImageResize | undefined;
  /** Undefined: images are not cropped. */
  readonly crop: ExactSize | undefined;
  /** The numbers that bytes become. */
  readonly normalization: ImageNormalization;
}

/**
 * Resizes, crops and normalizes images for a model.
 * @example
 * const normalization = new ImageNormalization({ factor: 1 / 255, mean: [0, 0, 0], std: [1, 1, 1] });
 * const resize = { size: { height: 2, width: 2 }, filter: 'bicubic' } as const;
 * const processor = new ImageProcessor({ resize, crop: undefined, normalization });
 * processor.process([{ width: 4, height: 3, channels: 3, data: new Uint8Array(36) }]).shape // [1, 3, 2, 2]
 */
export class ImageProcessor {
  /** The steps. */
  readonly settings: ImageProcessorSettings;
  constructor(settings: ImageProcessorSettings) {
    this.settings = settings;
  }
  /**
   * Images, such as those of `readImage` → pixel values [N, C, height, width], f32.
   * @throws {SHAPE_MISMATCH} for images that have different sizes after the steps
   */
  process(images: readonly Image[]): Tensor {
    const { resize, crop, normalization } = this.settings;
    const ready = images.map(image => {
      const resized =
        resize === undefined ? image : resizeImage(image, ...resizedTo(image, resize.size), resize.filter);
      return crop === undefined ? resized : centerCrop(resized, crop.height, crop.width);
    });
    const [first] = ready;
    if (first === undefined) throw mismatch('no images', '[N, C, H, W]', 'give at least one image');
    const { height, width, channels } = first;
    const data = new Uint8Array(ready.length * channels * height * width);
    ready.forEach((image, n) => {
      if (image.height !== height || image.width !== width || image.channels !== channels)
        throw mismatch(sizeOf(image), sizeOf(first), 'the images of a batch have the same size');
      for (let at = 0; at < height * width; at++)
        for (let c = 0; c < channels; c++)
          data[(n * channels + c) * height * width + at] = image.data[at * channels + c]!;
    });
    return normalization.apply(tensor(data, { shape: [ready.length, channels, height, width] }));
  }
}

function resizedTo(image: Image, to: ImageSizeRule): [height: number, width: number] {
  if ('height' in to) return [to.height, to.width];
  const { shortest_edge: edge } = to;
  const { height, width } = image;
  return height <= width ? [edge, Math.trunc((edge * width) / height)] : [Math.trunc((edge * height) / width), edge];
}

/** The middle of an image. Images that are smaller are padded with black, as transformers pads them. */
function centerCrop(image: Image, height: number, width: number): Image {
  const { channels } = image;
  const down = cropOf(image.height, height);
  const right = cropOf(image.width, width);
  const data = new Uint8Array(height * width * channels);
  for (let y = 0; y < down.count; y++) {
    const from = ((down.from + y) * image.width + right.from) * channels;
    const to = ((down.to + y) * width + right.to) * channels;
    data.set(image.data.subarray(from, from + right.count * channels), to);
  }
  return { height, width, channels, data };
}
/** The pixels that are kept in one dim: `count` of them, from position `from` of the image, at position `to` of the result. */
function cropOf(length: number, wanted: number): { from: number; to: number; count: number } {
  // Odd remainders: transformers cuts one pixel more at the end, and pads one more at the start.
  const from = Math.max(0, Math.floor((length - wanted) / 2));
  const to = Math.max(0, Math.ceil((wanted - length) / 2));
  return { from, to, count: Math.min(length, wanted) };
}

const sizeOf = ({ height, width, channels }: Image): string => `[${height}, ${width}, ${channels}]`;
const mismatch = (left: string, right: string, detail: string): TrenioError =>
  new TrenioError('SHAPE_MISMATCH', { op: 'ImageProcessor', left, right, detail }, { location: userLocation() });
