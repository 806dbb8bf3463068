// The image processor of a model: preprocessor_config.json says how images are resized, cropped and normalized. Equal to
// transformers' processors of ViT, DINOv2, CLIP and SigLIP. N batch, C channels.
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import type { Image } from '../../data/image.ts';
import { type ResizeFilter, resizeImage } from '../../data/resize-image.ts';
import { type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import { checkConfig, configError, readConfigObject } from '../config-file.ts';
import { ImageNormalization } from './image-normalization.ts';

const pixels = z.int().min(1).max(16384);
const area = z.strictObject({ height: pixels, width: pixels });
const size = z.union([pixels, area, z.strictObject({ shortest_edge: pixels })]);

// Names: transformers. A size has no default, because it depends on the processor.
const schema = z.looseObject({
  /** The class of the processor. */
  image_processor_type: z.string().nullish(),
  feature_extractor_type: z.string().nullish(),
  do_resize: z.boolean().nullish(),
  size: size.nullish(),
  /** Pillow's number of the filter: 2 bilinear, 3 bicubic. */
  resample: z.int().nullish(),
  do_center_crop: z.boolean().nullish(),
  crop_size: z.union([pixels, area]).nullish(),
  /** ConvNeXt's own way to crop. */
  crop_pct: z.number().nullish(),
});

/** The size of images after a resize: exact, or of the shorter edge. */
type Size = { readonly height: number; readonly width: number } | { readonly shortest_edge: number };

/** How images become the inputs of a model. */
export interface ImageProcessorSettings {
  /** Undefined: images are not resized. */
  readonly resize: { readonly size: Size; readonly filter: ResizeFilter } | undefined;
  /** Undefined: images are not cropped. */
  readonly crop: { readonly height: number; readonly width: number } | undefined;
  /** The numbers that bytes become. */
  readonly normalization: ImageNormalization;
}

const filterNumbers: Readonly<Record<number, ResizeFilter>> = { 2: 'bilinear', 3: 'bicubic' };
/** Processors that crop only where the file says so. */
const withoutCrop = /^(ViT|Siglip|DeiT)/;

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
   * @throws {SHAPE_MISMATCH} for images that have different sizes after the steps, or are smaller than the crop
   */
  process(images: readonly Image[]): Tensor {
    const { resize, crop, normalization } = this.settings;
    const ready = images.map(image => {
      const resized = resize === undefined ? image : resizeImage(image, ...resizedTo(image, resize.size), resize.filter);
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
  /**
   * The processor of a directory with a preprocessor_config.json.
   * @throws {FILE_UNREADABLE}
   * @throws {MODEL_CONFIG_INVALID} naming the field
   * @example
   * ```ts no-run
   * const processor = await ImageProcessor.fromPretrained('./vit-base-patch16-224');
   * processor.process([await readImage('cat.jpg')]).shape // [1, 3, 224, 224]
   * ```
   */
  static async fromPretrained(directory: string): Promise<ImageProcessor> {
    const file = join(directory, 'preprocessor_config.json');
    const fields = checkConfig(schema, (await readConfigObject(file)) as z.input<typeof schema>, file);
    const fail = configError(file);
    const type = fields.image_processor_type ?? fields.feature_extractor_type ?? '';
    if (fields.crop_pct != null) throw fail('crop_pct', 'the processor of ConvNeXt is not supported');
    const isCropped = fields.do_center_crop ?? (fields.crop_size != null && !withoutCrop.test(type));
    const isResized = fields.do_resize ?? true;
    if (isResized && fields.size == null) throw fail('size', 'it is missing, and do_resize is not false');
    if (isCropped && fields.crop_size == null) throw fail('crop_size', 'it is missing, and do_center_crop is true');
    if (isResized && fields.resample == null) throw fail('resample', 'it is missing: 2 is bilinear, 3 bicubic');
    const filter = filterNumbers[fields.resample ?? 2];
    if (filter === undefined) throw fail('resample', `${fields.resample} is not supported, only 2 (bilinear) and 3 (bicubic)`);
    // Files of older versions have one number: both sides of an area, or the shorter edge where the image is cropped.
    const square = (edge: number): Size => (isCropped ? { shortest_edge: edge } : { height: edge, width: edge });
    const areaOf = (of: number | { height: number; width: number }) =>
      typeof of === 'number' ? { height: of, width: of } : of;
    return new ImageProcessor({
      resize: isResized
        ? { size: typeof fields.size === 'number' ? square(fields.size) : fields.size!, filter }
        : undefined,
      crop: isCropped ? areaOf(fields.crop_size!) : undefined,
      normalization: await ImageNormalization.fromPretrained(directory),
    });
  }
}

function resizedTo(image: Image, to: Size): [height: number, width: number] {
  if ('height' in to) return [to.height, to.width];
  const { shortest_edge: edge } = to;
  const { height, width } = image;
  return height <= width ? [edge, Math.trunc((edge * width) / height)] : [Math.trunc((edge * height) / width), edge];
}

function centerCrop(image: Image, height: number, width: number): Image {
  if (image.height < height || image.width < width)
    throw mismatch(sizeOf(image), `[${height}, ${width}]`, 'the image is smaller than the crop');
  const { channels } = image;
  const top = Math.floor((image.height - height) / 2);
  const left = Math.floor((image.width - width) / 2);
  const data = new Uint8Array(height * width * channels);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * image.width + left) * channels;
    data.set(image.data.subarray(from, from + width * channels), y * width * channels);
  }
  return { height, width, channels, data };
}

const sizeOf = ({ height, width, channels }: Image): string => `[${height}, ${width}, ${channels}]`;
const mismatch = (left: string, right: string, detail: string): TrenioError =>
  new TrenioError('SHAPE_MISMATCH', { op: 'ImageProcessor', left, right, detail }, { location: userLocation() });
