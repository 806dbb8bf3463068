// Models without a head.

import { Wav2Vec2Model } from '../audio/wav2vec2.ts';
import { wav2Vec2Types } from '../audio/wav2vec2-config.ts';
import { decoderArchitectures } from '../decoder/architectures.ts';
import { DecoderModel } from '../decoder/decoder.ts';
import { encoderArchitectures } from '../encoder/architectures.ts';
import { EncoderModel } from '../encoder/encoder.ts';
import type { ByType } from '../model-types.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import { ResNet } from '../resnet.ts';
import { seq2SeqArchitectures } from '../seq2seq/architectures.ts';
import { Seq2SeqForConditionalGeneration, type Seq2SeqModel } from '../seq2seq/seq2seq.ts';
import { Seq2SeqTextEncoder, textEncoderTypes } from '../seq2seq/text-encoder.ts';
import { visionArchitectures } from '../vision/architectures.ts';
import { ContrastiveModel, contrastiveArchitectures } from '../vision/contrastive.ts';
import { ConvNextModel, convNextTypes } from '../vision/convnext.ts';
import { ContrastiveTextModel, textArchitectures } from '../vision/text-tower.ts';
import { VisionModel } from '../vision/vision.ts';
import { byTypes, fieldsOf, type Read, reader } from './readers.ts';

/** A model without a head: it computes hidden states of tokens or patches. */
export type BaseModel =
  | EncoderModel
  | DecoderModel
  | Seq2SeqModel
  | Seq2SeqTextEncoder
  | VisionModel
  | ContrastiveModel
  | ContrastiveTextModel
  | ResNet
  | ConvNextModel
  | Wav2Vec2Model;
const bases: ByType<Read<BaseModel>> = {
  ...byTypes<Read<BaseModel>>(encoderArchitectures, EncoderModel.fromPretrained),
  ...byTypes<Read<BaseModel>>(visionArchitectures, VisionModel.fromPretrained),
  ...byTypes<Read<BaseModel>>(contrastiveArchitectures, ContrastiveModel.fromPretrained),
  ...byTypes<Read<BaseModel>>(textArchitectures, ContrastiveTextModel.fromPretrained),
  resnet: ResNet.fromPretrained,
  ...byTypes<Read<BaseModel>>(convNextTypes, ConvNextModel.fromPretrained),
  ...byTypes<Read<BaseModel>>(wav2Vec2Types, Wav2Vec2Model.fromPretrained),
  ...byTypes<Read<BaseModel>>(decoderArchitectures, DecoderModel.fromPretrained),
  ...byTypes<Read<BaseModel>>(
    seq2SeqArchitectures,
    async (directory, options) => (await Seq2SeqForConditionalGeneration.fromPretrained(directory, options)).model,
  ),
  ...byTypes<Read<BaseModel>>(
    Object.fromEntries(textEncoderTypes.map(type => [type, type])),
    async (directory, options) => {
      const { fields } = await fieldsOf(directory);
      // A directory that was written by the class of the encoder has no decoder.
      if (
        [(fields as { readonly architectures?: unknown }).architectures]
          .flat()
          .some(name => /EncoderModel$/.test(`${name}`))
      )
        return Seq2SeqTextEncoder.fromPretrained(directory, options);
      return (await Seq2SeqForConditionalGeneration.fromPretrained(directory, options)).model;
    },
  ),
};

const readBase = reader('AutoModel', bases);

/**
 * Models without a head, of any supported architecture: hidden states of tokens, for embeddings and custom heads.
 * @example
 * ```ts no-run
 * const model = (await AutoModel.fromPretrained('./all-mpnet-base-v2')) as EncoderModel;
 * const { lastHiddenState } = model.forward(tensor([[0, 7, 8, 2]], { dtype: 'i32' }));
 * ```
 */
export const AutoModel = {
  /**
   * The model of a directory with config.json and model.safetensors (or its shards): text encoders as `EncoderModel`, language
   * models as `DecoderModel`, encoder–decoders as `Seq2SeqModel`, image encoders as `VisionModel`, CLIP and SigLIP
   * as `ContrastiveModel`, their text encoders as `ContrastiveTextModel`, `ConvNextModel`, and `ResNet`, whose method `features`
   * leaves out the classifier.
   * @throws {MODEL_NOT_FOUND}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {GGUF_INVALID}
   */
  fromPretrained: (directory: string, options?: PretrainedOptions): Promise<BaseModel> => readBase(directory, options),
} as const;
