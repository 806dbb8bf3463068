// The configuration of a directory.
import {
  type Wav2Vec2Config,
  type Wav2Vec2ConfigInput,
  wav2Vec2Config,
  wav2Vec2Types,
} from '../audio/wav2vec2-config.ts';
import { decoderArchitectures, decoderConfig } from '../decoder/architectures.ts';
import type { DecoderConfig } from '../decoder/fields.ts';
import { encoderArchitectures } from '../encoder/architectures.ts';
import { encoderConfig } from '../encoder/encoder-config.ts';
import type { EncoderConfig } from '../encoder/fields.ts';
import { type ByType, ofModelType } from '../model-types.ts';
import { type ResNetConfig, type ResNetConfigInput, resNetConfig } from '../resnet-config.ts';
import { type Seq2SeqConfig, seq2SeqArchitectures, seq2SeqConfig } from '../seq2seq/architectures.ts';
import { type VisionConfig, visionArchitectures, visionConfig } from '../vision/architectures.ts';
import { type ContrastiveConfig, contrastiveArchitectures, contrastiveConfig } from '../vision/contrastive.ts';
import { type ConvNextConfig, type ConvNextConfigInput, convNextConfig, convNextTypes } from '../vision/convnext.ts';
import {
  type ContrastiveTextConfig,
  type ContrastiveTextConfigInput,
  contrastiveTextConfig,
  textArchitectures,
} from '../vision/text-tower.ts';
import { byTypes, fieldsOf, readersOf } from './readers.ts';

/** The configuration of any supported architecture. */
export type AnyConfig =
  | EncoderConfig
  | DecoderConfig
  | Seq2SeqConfig
  | VisionConfig
  | ContrastiveConfig
  | ContrastiveTextConfig
  | ResNetConfig
  | ConvNextConfig
  | Wav2Vec2Config;
const configs: ByType<(fields: object, file: string) => AnyConfig> = {
  ...byTypes(encoderArchitectures, (fields, file) =>
    encoderConfig(fields as Parameters<typeof encoderConfig>[0], file),
  ),
  ...byTypes(decoderArchitectures, (fields, file) =>
    decoderConfig(fields as Parameters<typeof decoderConfig>[0], file),
  ),
  ...byTypes(seq2SeqArchitectures, (fields, file) =>
    seq2SeqConfig(fields as Parameters<typeof seq2SeqConfig>[0], file),
  ),
  ...byTypes(visionArchitectures, (fields, file) => visionConfig(fields as Parameters<typeof visionConfig>[0], file)),
  ...byTypes(contrastiveArchitectures, (fields, file) =>
    contrastiveConfig(fields as Parameters<typeof contrastiveConfig>[0], file),
  ),
  ...byTypes(textArchitectures, (fields, file) => contrastiveTextConfig(fields as ContrastiveTextConfigInput, file)),
  resnet: (fields, file) => resNetConfig(fields as ResNetConfigInput, file),
  ...byTypes(convNextTypes, (fields, file) => convNextConfig(fields as ConvNextConfigInput, file)),
  ...byTypes(wav2Vec2Types, (fields, file) => wav2Vec2Config(fields as Wav2Vec2ConfigInput, file)),
};

/**
 * Configurations of any supported architecture.
 * @example
 * ```ts no-run
 * const { model_type } = await AutoConfig.fromPretrained('./Qwen3-0.6B');
 * ```
 */
export const AutoConfig = {
  /**
   * The checked fields of a directory's config.json, with the defaults of its architecture.
   * @throws {MODEL_NOT_FOUND}
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   */
  async fromPretrained(directory: string): Promise<AnyConfig> {
    const { file, fields } = await fieldsOf(directory);
    return ofModelType(configs, fields.model_type, file, { name: 'AutoConfig', others: readersOf })(fields, file);
  },
} as const;
