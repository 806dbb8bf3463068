// How bytes of images become the values that a model was trained with. N batch, C channels.
import { type Tensor, tensor } from '../../tensor/index.ts';
import { mismatch } from './vision.ts';

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
}
