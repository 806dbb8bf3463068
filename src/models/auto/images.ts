// Models of images, with a classifier.
import type { Tensor } from '../../tensor/index.ts';
import type { ByType } from '../model-types.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import { ResNet } from '../resnet.ts';
import type { ImageInputs, TaskModel } from '../task-model.ts';
import { ConvNextForImageClassification, convNextTypes } from '../vision/convnext.ts';
import { VisionForImageClassification } from '../vision/vision.ts';
import { byTypes, type Read, reader } from './readers.ts';

/** A model that classifies images. */
export type ImageClassifier = TaskModel<Tensor | ImageInputs> &
  Pick<VisionForImageClassification | ResNet | ConvNextForImageClassification, 'config' | 'savePretrained'>;
/** Options of `AutoModelForImageClassification.fromPretrained`. */
export interface ImageClassifierOptions extends PretrainedOptions {
  /** Fields that replace those of config.json. */
  readonly config?: {
    /** The number of classes. */
    readonly num_labels?: number;
    /** The name of each class number. */
    readonly id2label?: Readonly<Record<string, string>>;
  };
}
const imageClassifiers: ByType<Read<ImageClassifier, ImageClassifierOptions>> = {
  vit: VisionForImageClassification.fromPretrained,
  deit: VisionForImageClassification.fromPretrained,
  beit: VisionForImageClassification.fromPretrained,
  dinov2: VisionForImageClassification.fromPretrained,
  dinov2_with_registers: VisionForImageClassification.fromPretrained,
  clip: VisionForImageClassification.fromPretrained,
  siglip: VisionForImageClassification.fromPretrained,
  resnet: ResNet.fromPretrained,
  ...byTypes<Read<ImageClassifier, ImageClassifierOptions>>(
    convNextTypes,
    ConvNextForImageClassification.fromPretrained,
  ),
};

const readImageClassification = reader('AutoModelForImageClassification', imageClassifiers);

/**
 * Models that classify images, of any supported architecture: logits [N, num_labels].
 * @example
 * ```ts no-run
 * const model = await AutoModelForImageClassification.fromPretrained('./vit-base-patch16-224');
 * ```
 */
export const AutoModelForImageClassification = {
  /**
   * The model of a directory: ViT, DeiT (with and without a teacher), BEiT, DINOv2, ResNet, ConvNeXt, ConvNeXt V2, and
   * classifiers on the image encoders of CLIP and SigLIP.
   * A classifier that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: ImageClassifierOptions): Promise<ImageClassifier> =>
    readImageClassification(directory, options),
} as const;
