// The settings of image processors in preprocessor_config.json, in the spellings of all versions of transformers. A processor is
// a row of defaults: files of older versions omit fields that have them.
import * as z from 'zod';
import { nearestNames } from '../../base/nearest.ts';
import type { ResizeFilter } from '../../data/images/resize-image.ts';
import { checkConfig, configError } from '../config-file.ts';
import { ImageNormalization } from './image-normalization.ts';
import type { ImageProcessorSettings, ImageSizeRule } from './image-processor.ts';

const pixels = z.int().min(1).max(16384);
const area = z.strictObject({ height: pixels, width: pixels });
const factor = z.number().positive();

// Names: transformers.
const schema = z.looseObject({
  do_resize: z.boolean().nullish(),
  size: z.union([pixels, area, z.strictObject({ shortest_edge: pixels })]).nullish(),
  /** Pillow's number of the filter. */
  resample: z.int().nullish(),
  do_center_crop: z.boolean().nullish(),
  crop_size: z.union([pixels, area]).nullish(),
  /** ConvNeXt: the part of a resized image that is kept. */
  crop_pct: z.number().positive().max(1).nullish(),
  do_rescale: z.boolean().nullish(),
  rescale_factor: factor.nullish(),
  do_normalize: z.boolean().nullish(),
  image_mean: z.array(z.number()).min(1).max(4096).nullish(),
  image_std: z.array(factor).min(1).max(4096).nullish(),
  /** Whether one number as `size` is that of both sides, not of the shorter edge. */
  default_to_square: z.boolean().nullish(),
  /** Padding: not supported. */
  do_pad: z.literal(false).nullish(),
  pad_size: z.null().optional(),
  /** The order of the dims of results: others are not supported. */
  data_format: z.literal('channels_first').nullish(),
});
/** Fields without effect: images are decoded to RGB, and these concern maps of labels, or how transformers runs. */
const withoutEffect = [
  ...['do_convert_rgb', 'input_data_format', 'do_reduce_labels', 'device', 'return_tensors', 'disable_grouping'],
  'image_seq_length',
];
/** @internal All fields that are read, refused, or known to have no effect. */
export const imageProcessorFields: readonly string[] = [...Object.keys(schema.shape), ...withoutEffect];
type Fields = z.output<typeof schema>;

const filters: Readonly<Record<number, ResizeFilter>> = {
  1: 'lanczos',
  2: 'bilinear',
  3: 'bicubic',
  4: 'box',
  5: 'hamming',
};

/** The defaults of a processor. */
interface Kind {
  readonly size: ImageSizeRule;
  readonly crop?: number;
  readonly resample: number;
  readonly mean: readonly number[];
  readonly std: readonly number[];
  /** Whether one number as `size` is that of both sides; default: if `size` here is. */
  readonly isSquare?: boolean;
  /** Images are cropped to `crop_pct` of their resized length. */
  readonly cropsPart?: boolean;
}
const half = { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] };
const clip = { mean: [0.48145466, 0.4578275, 0.40821073], std: [0.26862954, 0.26130258, 0.27577711] };
const square = (edge: number): ImageSizeRule => ({ height: edge, width: edge });
const shorter = (edge: number): ImageSizeRule => ({ shortest_edge: edge });
const kinds: Readonly<Record<string, Kind>> = {
  ViT: { size: square(224), resample: 2, ...half },
  DeiT: { size: square(256), crop: 224, resample: 3, ...half },
  Beit: { size: square(224), resample: 3, ...half },
  CLIP: { size: shorter(224), crop: 224, resample: 3, ...clip },
  Siglip: { size: square(224), resample: 3, ...half, isSquare: false },
  Bit: { size: shorter(224), crop: 224, resample: 3, ...clip },
  ConvNext: { size: shorter(384), resample: 3, ...half, cropsPart: true },
};
const kindOfModel: Readonly<Record<string, string>> = {
  vit: 'ViT',
  deit: 'DeiT',
  beit: 'Beit',
  clip: 'CLIP',
  siglip: 'Siglip',
  dinov2: 'Bit',
  dinov2_with_registers: 'Bit',
  resnet: 'ConvNext',
  convnext: 'ConvNext',
  convnextv2: 'ConvNext',
};

/**
 * The settings in the fields of `file`; `modelType` selects the processor if the file does not name one.
 * @throws {MODEL_CONFIG_INVALID} naming the field
 */
export function imageProcessorSettings(fields: object, modelType: unknown, file: string): ImageProcessorSettings {
  const kind = kindOf(fields, modelType, file);
  const checked = checkConfig(schema, fields as z.input<typeof schema>, file);
  const resize = (checked.do_resize ?? true) ? resizeOf(checked, kind, file) : undefined;
  const isCropped = checked.do_center_crop ?? kind.crop !== undefined;
  if (kind.cropsPart && resize !== undefined) {
    const { size, filter } = resize;
    if (!('shortest_edge' in size)) throw configError(file)('size', 'a processor of ConvNeXt has shortest_edge');
    const edge = size.shortest_edge;
    // ConvNeXt crops small images only.
    const whole = edge >= 384 ? square(edge) : shorter(Math.trunc(edge / (checked.crop_pct ?? 224 / 256)));
    if (isCropped) throw configError(file)('do_center_crop', 'a processor of ConvNeXt crops by crop_pct');
    const crop = edge >= 384 ? undefined : { height: edge, width: edge };
    return { resize: { size: whole, filter }, crop, normalization: normalizationOf(checked, kind, file) };
  }
  const crop = isCropped ? (checked.crop_size ?? kind.crop) : undefined;
  if (isCropped && crop === undefined)
    throw configError(file)('crop_size', 'it is missing, and do_center_crop is true');
  return {
    resize,
    crop: typeof crop === 'number' ? { height: crop, width: crop } : crop,
    normalization: normalizationOf(checked, kind, file),
  };
}

function kindOf(fields: object, modelType: unknown, file: string): Kind {
  const { image_processor_type: type, feature_extractor_type: old } = fields as Readonly<Record<string, unknown>>;
  const named = type ?? old;
  const fail = configError(file);
  const known = Object.keys(kinds).map(name => `${name}ImageProcessor`);
  if (named == null) {
    const name = typeof modelType === 'string' ? kindOfModel[modelType] : undefined;
    if (name !== undefined) return kinds[name]!;
    throw fail('image_processor_type', `it is missing; expected one of ${known.join(', ')}`);
  }
  const name = typeof named === 'string' ? named.replace(/(ImageProcessor|FeatureExtractor)(Fast|Pil)?$/, '') : '';
  if (Object.hasOwn(kinds, name)) return kinds[name]!;
  const nearest = nearestNames(String(named), known);
  throw fail(
    type == null ? 'feature_extractor_type' : 'image_processor_type',
    `the processor ${JSON.stringify(named)} is not supported, only ${(nearest.length > 0 ? nearest : known).join(', ')}`,
  );
}

function resizeOf(fields: Fields, kind: Kind, file: string): NonNullable<ImageProcessorSettings['resize']> {
  const resample = fields.resample ?? kind.resample;
  const filter = filters[resample];
  if (filter === undefined) {
    const known = Object.entries(filters).map(([number, name]) => `${number} (${name})`);
    throw configError(file)('resample', `expected ${known.join(', ')} (it is ${resample})`);
  }
  const size = fields.size ?? kind.size;
  if (typeof size !== 'number') return { size, filter };
  // Files of older versions have one number: the shorter edge, or both sides where the processor makes squares.
  const isSquare = fields.default_to_square ?? kind.isSquare ?? !('shortest_edge' in kind.size);
  return { size: isSquare ? square(size) : shorter(size), filter };
}

function normalizationOf(fields: Fields, kind: Kind, file: string): ImageNormalization {
  const scale = (fields.do_rescale ?? true) ? (fields.rescale_factor ?? 1 / 255) : 1;
  const mean = fields.image_mean ?? kind.mean;
  const std = fields.image_std ?? kind.std;
  if (mean.length !== std.length)
    throw configError(file)('image_std', `it has ${std.length} entries, image_mean has ${mean.length}`);
  const isNormalized = fields.do_normalize ?? true;
  const all = (value: number): number[] => mean.map(() => value);
  return new ImageNormalization({
    factor: scale,
    mean: isNormalized ? mean : all(0),
    std: isNormalized ? std : all(1),
  });
}
