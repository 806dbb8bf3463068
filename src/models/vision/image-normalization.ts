// The numbers of a preprocessor_config.json: how bytes of images become the values that a model was trained with. Images are
// resized and cropped before, with the transforms of data/. N batch, C channels.
import { join } from 'node:path';
import * as z from 'zod';
import { type Tensor, tensor } from '../../tensor/index.ts';
import { checkConfig, configError, readConfigObject } from '../config-file.ts';
import { mismatch } from './vision.ts';

const perChannel = z.array(z.number()).min(1).max(4096).readonly();

// Names and defaults: transformers, ViTImageProcessor and those like it.
const preprocessorSchema = z.looseObject({
  /** Whether bytes are multiplied by `rescale_factor`. */
  do_rescale: z.boolean().nullish(),
  /** 1 / 255 by default. */
  rescale_factor: z
    .number()
    .positive()
    .default(1 / 255),
  /** Whether `image_mean` is subtracted and the difference divided by `image_std`. */
  do_normalize: z.boolean().nullish(),
  /** The mean of each channel. */
  image_mean: perChannel.nullish(),
  /** The standard deviation of each channel. */
  image_std: z.array(z.number().positive()).min(1).max(4096).readonly().nullish(),
});

/**
 * How bytes of images become the inputs of a model.
 * @example
 * const normalization = new ImageNormalization({ factor: 1 / 255, mean: [0.5], std: [0.5] });
 * normalization.apply(tensor([[[[0, 255]]]])) // [[[[-1, 1]]]]
 */
export class ImageNormalization {
  /** Multiplies bytes. */
  readonly factor: number;
  /** Subtracted from each channel. */
  readonly mean: readonly number[];
  /** Divides each channel. */
  readonly std: readonly number[];
  constructor(numbers: Pick<ImageNormalization, 'factor' | 'mean' | 'std'>) {
    this.factor = numbers.factor;
    this.mean = numbers.mean;
    this.std = numbers.std;
  }
  /** Bytes or numbers from 0 to 255 [N, C, height, width] → the same shape, f32. @throws {SHAPE_MISMATCH} */
  apply(images: Tensor): Tensor {
    const channels = this.mean.length;
    if (images.ndim !== 4 || images.shape[1] !== channels)
      throw mismatch('ImageNormalization', images, `[N, ${channels}, H, W]`, `the images have ${channels} channels`);
    const column = (values: readonly number[]): Tensor => tensor([...values]).reshape(1, channels, 1, 1);
    return images.to('f32').mul(this.factor).sub(column(this.mean)).div(column(this.std));
  }
  /**
   * The numbers in a directory's preprocessor_config.json.
   * @throws {FILE_UNREADABLE}
   * @throws {MODEL_CONFIG_INVALID} naming the field
   * @example
   * ```ts no-run
   * const normalization = await ImageNormalization.fromPretrained('./vit-base-patch16-224');
   * normalization.apply(randint(0, 256, [1, 3, 224, 224])).shape // [1, 3, 224, 224]
   * ```
   */
  static async fromPretrained(directory: string): Promise<ImageNormalization> {
    const file = join(directory, 'preprocessor_config.json');
    const fields = checkConfig(
      preprocessorSchema,
      (await readConfigObject(file)) as z.input<typeof preprocessorSchema>,
      file,
    );
    const isNormalized = fields.do_normalize ?? true;
    const { image_mean: mean, image_std: std } = fields;
    const fail = configError(file);
    // Defaults depend on the processor: a guess would be wrong without notice.
    if (isNormalized && mean == null) throw fail('image_mean', 'it is missing, and do_normalize is not false');
    if (isNormalized && mean?.length !== std?.length)
      throw fail('image_std', `it has ${std?.length ?? 0} entries, image_mean has ${mean?.length ?? 0}`);
    const all = (value: number): number[] => Array.from({ length: mean?.length ?? 3 }, () => value);
    return new ImageNormalization({
      factor: (fields.do_rescale ?? true) ? fields.rescale_factor : 1,
      mean: isNormalized && mean != null ? mean : all(0),
      std: isNormalized && std != null ? std : all(1),
    });
  }
}
