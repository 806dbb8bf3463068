// Selects what prepares the inputs of a model by the files of its directory, like Hugging Face's AutoImageProcessor and
// AutoFeatureExtractor.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { nearestNames } from '../base/nearest.ts';
import { directoryExists, fileExists } from '../base/read-file.ts';
import { Wav2Vec2FeatureExtractor, WhisperFeatureExtractor } from './audio/feature-extractor.ts';
import { configError, readConfigObject } from './config-file.ts';
import { ImageProcessor } from './vision/image-processor.ts';
import { imageProcessorSettings } from './vision/image-processor-config.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of preprocessor_config.json, or of `part` of the processor_config.json that transformers 5 writes for models with
 * several kinds of inputs.
 */
async function fieldsOf(
  directory: string,
  part: 'image_processor' | 'feature_extractor',
): Promise<{ readonly file: string; readonly fields: Fields; readonly modelType: unknown }> {
  if (!(await directoryExists(directory))) throw new TrenioError('MODEL_NOT_FOUND', { directory });
  const [own, joint, model] = ['preprocessor_config.json', 'processor_config.json', 'config.json'].map(name =>
    join(directory, name),
  ) as [string, string, string];
  const isJoint = !(await fileExists(own)) && (await fileExists(joint));
  const file = isJoint ? joint : own;
  const read = async (path: string): Promise<Fields> => (await readConfigObject(path)) as Fields;
  const all = await read(file);
  const fields = isJoint ? all[part] : all;
  if (typeof fields !== 'object' || fields === null)
    throw configError(file)(part, fields === undefined ? 'it is missing' : 'it is not a JSON object');
  const modelType = (await fileExists(model)) ? (await read(model)).model_type : undefined;
  return { file, fields: fields as Fields, modelType };
}

/**
 * Image processors of ViT, DeiT, CLIP, SigLIP, DINOv2, ConvNeXt and ResNet.
 * @example
 * ```ts no-run
 * const processor = await AutoImageProcessor.fromPretrained('./vit-base-patch16-224');
 * processor.process([await readImage('cat.jpg')]).shape // [1, 3, 224, 224]
 * ```
 */
export const AutoImageProcessor = {
  /**
   * The processor of a directory with preprocessor_config.json.
   * @throws {MODEL_NOT_FOUND}
   * @throws {FILE_UNREADABLE}
   * @throws {MODEL_CONFIG_INVALID} naming the field
   */
  async fromPretrained(directory: string): Promise<ImageProcessor> {
    const { file, fields, modelType } = await fieldsOf(directory, 'image_processor');
    return new ImageProcessor(imageProcessorSettings(fields, modelType, file));
  },
} as const;

/** Prepares audio for a model. */
export type FeatureExtractor = WhisperFeatureExtractor | Wav2Vec2FeatureExtractor;
const extractors: Readonly<Record<string, new (fields: object, file: string) => FeatureExtractor>> = {
  WhisperFeatureExtractor,
  Wav2Vec2FeatureExtractor,
};
const extractorOfModel: Readonly<Record<string, string>> = {
  whisper: 'WhisperFeatureExtractor',
  wav2vec2: 'Wav2Vec2FeatureExtractor',
};

/**
 * Feature extractors of Whisper and Wav2Vec2.
 * @example
 * ```ts no-run
 * const extractor = (await AutoFeatureExtractor.fromPretrained('./whisper-tiny')) as WhisperFeatureExtractor;
 * const { inputFeatures } = extractor.process(new Float32Array(16_000), { samplingRate: 16_000 });
 * ```
 */
export const AutoFeatureExtractor = {
  /**
   * The feature extractor of a directory with preprocessor_config.json.
   * @throws {MODEL_NOT_FOUND}
   * @throws {FILE_UNREADABLE}
   * @throws {MODEL_CONFIG_INVALID} naming the field
   */
  async fromPretrained(directory: string): Promise<FeatureExtractor> {
    const { file, fields, modelType } = await fieldsOf(directory, 'feature_extractor');
    const named = fields.feature_extractor_type ?? (typeof modelType === 'string' ? extractorOfModel[modelType] : null);
    const known = Object.keys(extractors);
    const isKnown = typeof named === 'string' && Object.hasOwn(extractors, named);
    if (isKnown) return new extractors[named]!(fields, file);
    const nearest = nearestNames(String(named), known);
    const expected = `expected ${(nearest.length > 0 ? nearest : known).join(' or ')}`;
    throw configError(file)(
      'feature_extractor_type',
      named == null ? `it is missing; ${expected}` : `${expected} (it is ${JSON.stringify(named)})`,
    );
  },
} as const;
