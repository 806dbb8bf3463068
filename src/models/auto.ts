// Selects models by the `model_type` of their config.json, like Hugging Face's Auto classes.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { directoryExists, fileExists } from '../base/read-file.ts';
import { isGgufPath, openGguf } from '../data/gguf/gguf-file.ts';
import { Wav2Vec2ForCTC, type Wav2Vec2FromPretrainedOptions, Wav2Vec2Model } from './audio/wav2vec2.ts';
import { Wav2Vec2ForSequenceClassification } from './audio/wav2vec2-classifier.ts';
import {
  type Wav2Vec2Config,
  type Wav2Vec2ConfigInput,
  wav2Vec2Config,
  wav2Vec2Types,
} from './audio/wav2vec2-config.ts';
import { readConfigObject } from './config-file.ts';
import { decoderArchitectures, decoderConfig } from './decoder/architectures.ts';
import { DecoderForCausalLM, type DecoderFromPretrainedOptions, DecoderModel } from './decoder/decoder.ts';
import type { DecoderConfig, DecoderConfigInput, DecoderHeadName } from './decoder/fields.ts';
import {
  DecoderForQuestionAnswering,
  DecoderForSequenceClassification,
  DecoderForTokenClassification,
} from './decoder/heads.ts';
import { encoderArchitectures } from './encoder/architectures.ts';
import { EncoderModel } from './encoder/encoder.ts';
import { encoderConfig } from './encoder/encoder-config.ts';
import type { EncoderConfig, EncoderConfigInput } from './encoder/fields.ts';
import type { EncoderFromPretrainedOptions } from './encoder/files.ts';
import {
  EncoderForMaskedLM,
  EncoderForMultipleChoice,
  EncoderForQuestionAnswering,
  EncoderForSequenceClassification,
  EncoderForTokenClassification,
} from './encoder/heads.ts';
import { ggufConfig } from './gguf/architectures.ts';
import { GPT2LMHeadModel, GPT2Model, type Gpt2FromPretrainedOptions } from './gpt2.ts';
import { type Gpt2Config, gpt2Config } from './gpt2-config.ts';
import { GPT2ForQuestionAnswering, GPT2ForSequenceClassification, GPT2ForTokenClassification } from './gpt2-heads.ts';
import { type ByType, ofModelType } from './model-types.ts';
import type { PretrainedOptions } from './pretrained.ts';
import { ResNet } from './resnet.ts';
import { type ResNetConfig, type ResNetConfigInput, resNetConfig } from './resnet-config.ts';
import { type Seq2SeqConfig, seq2SeqArchitectures, seq2SeqConfig } from './seq2seq/architectures.ts';
import {
  Seq2SeqForConditionalGeneration,
  type Seq2SeqFromPretrainedOptions,
  type Seq2SeqModel,
} from './seq2seq/seq2seq.ts';
import { Seq2SeqTextEncoder, textEncoderTypes } from './seq2seq/text-encoder.ts';
import { type WhisperClassifierOptions, WhisperForAudioClassification } from './seq2seq/whisper-classifier.ts';
import { type VisionConfig, visionArchitectures, visionConfig } from './vision/architectures.ts';
import {
  type ContrastiveConfig,
  ContrastiveModel,
  contrastiveArchitectures,
  contrastiveConfig,
} from './vision/contrastive.ts';
import {
  type ConvNextConfig,
  type ConvNextConfigInput,
  ConvNextForImageClassification,
  ConvNextModel,
  convNextConfig,
  convNextTypes,
} from './vision/convnext.ts';
import {
  type ContrastiveTextConfig,
  type ContrastiveTextConfigInput,
  ContrastiveTextModel,
  contrastiveTextConfig,
  textArchitectures,
} from './vision/text-tower.ts';
import { VisionForImageClassification, VisionModel } from './vision/vision.ts';
import { weightsNotFound } from './weights.ts';

/** A language model that predicts the next token. */
export type CausalLM = DecoderForCausalLM | GPT2LMHeadModel;

/** The fields of a directory's config.json, or of a GGUF file's metadata, not yet checked. */
async function fieldsOf(directory: string): Promise<{ readonly file: string; readonly fields: ConfigFields }> {
  if (isGgufPath(directory)) {
    await using file = await openGguf(directory);
    return { file: directory, fields: await ggufConfig(file) };
  }
  if (!(await directoryExists(directory))) throw new TrenioError('MODEL_NOT_FOUND', { directory });
  const file = join(directory, 'config.json');
  if (!(await fileExists(file))) throw await weightsNotFound(directory, 'config.json');
  return { file, fields: await readConfigObject(file) };
}
type ConfigFields = { readonly model_type?: unknown };

const byTypes = <T>(types: Readonly<Record<string, unknown>>, value: T): ByType<T> =>
  Object.fromEntries(Object.keys(types).map(type => [type, value]));

type Read<M, O = PretrainedOptions> = (directory: string, options?: O) => Promise<M>;

/** The class of a directory's architecture in `table`, read from that directory. */
async function readModel<M, O>(
  reader: string,
  table: ByType<Read<M, O>>,
  directory: string,
  options: O | undefined,
): Promise<M> {
  const { file, fields } = await fieldsOf(directory);
  return ofModelType(table, fields.model_type, file, { name: reader, others: readersOf })(directory, options);
}

/** The configuration of any supported architecture. */
export type AnyConfig =
  | EncoderConfig
  | Gpt2Config
  | DecoderConfig
  | Seq2SeqConfig
  | VisionConfig
  | ContrastiveConfig
  | ContrastiveTextConfig
  | ResNetConfig
  | ConvNextConfig
  | Wav2Vec2Config;
const configs: ByType<(fields: object, file: string) => AnyConfig> = {
  gpt2: (fields, file) => gpt2Config(fields as Parameters<typeof gpt2Config>[0], file),
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

const causal: ByType<Read<CausalLM>> = {
  gpt2: GPT2LMHeadModel.fromPretrained,
  ...byTypes<Read<CausalLM>>(decoderArchitectures, DecoderForCausalLM.fromPretrained),
};

/** A model without a head: it computes hidden states of tokens or patches. */
export type BaseModel =
  | EncoderModel
  | DecoderModel
  | GPT2Model
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
  gpt2: GPT2Model.fromPretrained,
};

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
   * models as `DecoderModel` or `GPT2Model`, encoder–decoders as `Seq2SeqModel`, image encoders as `VisionModel`, CLIP and SigLIP
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
  fromPretrained: (directory: string, options?: PretrainedOptions): Promise<BaseModel> =>
    readModel('AutoModel', bases, directory, options),
} as const;

/** A model that encodes texts. */
export type TextEncoder = EncoderModel | Seq2SeqTextEncoder;
const textEncoders: ByType<Read<TextEncoder>> = {
  ...byTypes<Read<TextEncoder>>(encoderArchitectures, EncoderModel.fromPretrained),
  ...Object.fromEntries(textEncoderTypes.map(type => [type, Seq2SeqTextEncoder.fromPretrained])),
};

/**
 * Text encoders, of any supported architecture; of T5, mT5 and UMT5 the encoder alone.
 * @example
 * ```ts no-run
 * const model = (await AutoModelForTextEncoding.fromPretrained('./t5-v1_1-xxl')) as Seq2SeqTextEncoder;
 * const hidden = model.forward(tensor([[363, 19, 1]], { dtype: 'i32' })); // [1, 3, 4096]
 * ```
 */
export const AutoModelForTextEncoding = {
  /** The encoder of a directory. Throws the errors of `AutoModel.fromPretrained`. */
  fromPretrained: (directory: string, options?: PretrainedOptions): Promise<TextEncoder> =>
    readModel('AutoModelForTextEncoding', textEncoders, directory, options),
} as const;

/**
 * Language models that predict the next token, of any supported architecture.
 * @example
 * ```ts no-run
 * const model = await AutoModelForCausalLM.fromPretrained('./Qwen3-0.6B');
 * const logits = model.forward(tensor([[1, 2, 3]]));
 * ```
 */
export const AutoModelForCausalLM = {
  /**
   * The model of a directory with config.json and model.safetensors (or its shards): GPT-2, Llama, Mistral, Qwen 2 and 3,
   * Gemma 1 to 3, Phi 1 to 3, SmolLM, OLMo, Granite, StableLM, StarCoder 2, Cohere, GLM-4, Nemotron, Arcee, Seed-OSS, ERNIE 4.5,
   * GPT-NeoX, GPT-J, GPT-Neo, OPT, BLOOM, Falcon, MPT, GPT-BigCode, EXAONE 4, OLMoE, Helium. Or that of a GGUF file, whose path
   * ends in `.gguf`:
   * Llama, Mistral, Qwen 2 and 3, Gemma and Phi 3, with weights in F32, F16, BF16, Q8_0, Q4_0, Q4_K
   * and Q6_K, which are widened. Throws the errors of
   * `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: PretrainedOptions): Promise<CausalLM> =>
    readModel('AutoModelForCausalLM', causal, directory, options),
} as const;

type ReadSeq2Seq = Read<Seq2SeqForConditionalGeneration, Seq2SeqFromPretrainedOptions>;
const { whisper: _, ...textToTextArchitectures } = seq2SeqArchitectures;
const textToText = byTypes<ReadSeq2Seq>(textToTextArchitectures, Seq2SeqForConditionalGeneration.fromPretrained);
const speechToText: ByType<ReadSeq2Seq> = { whisper: Seq2SeqForConditionalGeneration.fromPretrained };
const transcribers = byTypes<Read<Wav2Vec2ForCTC, Wav2Vec2FromPretrainedOptions>>(
  wav2Vec2Types,
  Wav2Vec2ForCTC.fromPretrained,
);
/** A model that classifies audio. */
export type AudioClassifier = Wav2Vec2ForSequenceClassification | WhisperForAudioClassification;
/** Options of `AutoModelForAudioClassification.fromPretrained`. */
export interface AudioClassifierOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: Wav2Vec2FromPretrainedOptions['config'] | WhisperClassifierOptions['config'];
}
const audioClassifiers: ByType<Read<AudioClassifier, AudioClassifierOptions>> = {
  ...byTypes(
    wav2Vec2Types,
    Wav2Vec2ForSequenceClassification.fromPretrained as Read<AudioClassifier, AudioClassifierOptions>,
  ),
  whisper: WhisperForAudioClassification.fromPretrained as Read<AudioClassifier, AudioClassifierOptions>,
};

/**
 * Encoder–decoders that predict the next token of a target: T5, mT5, UMT5, BART, mBART, Marian, Pegasus and M2M100.
 * @example
 * ```ts no-run
 * const model = await AutoModelForSeq2SeqLM.fromPretrained('./t5-small');
 * ```
 */
export const AutoModelForSeq2SeqLM = {
  /** The model of a directory. Throws the errors of `AutoModel.fromPretrained`. */
  fromPretrained: (
    directory: string,
    options?: Seq2SeqFromPretrainedOptions,
  ): Promise<Seq2SeqForConditionalGeneration> => readModel('AutoModelForSeq2SeqLM', textToText, directory, options),
} as const;

/**
 * Encoder–decoders that transcribe audio: Whisper.
 * @example
 * ```ts no-run
 * const model = await AutoModelForSpeechSeq2Seq.fromPretrained('./whisper-tiny');
 * ```
 */
export const AutoModelForSpeechSeq2Seq = {
  /** The model of a directory. Throws the errors of `AutoModel.fromPretrained`. */
  fromPretrained: (
    directory: string,
    options?: Seq2SeqFromPretrainedOptions,
  ): Promise<Seq2SeqForConditionalGeneration> =>
    readModel('AutoModelForSpeechSeq2Seq', speechToText, directory, options),
} as const;

/**
 * Audio encoders that transcribe with connectionist temporal classification: Wav2Vec2 and HuBERT.
 * @example
 * ```ts no-run
 * const model = await AutoModelForCTC.fromPretrained('./wav2vec2-base-960h');
 * ```
 */
export const AutoModelForCTC = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: Wav2Vec2FromPretrainedOptions): Promise<Wav2Vec2ForCTC> =>
    readModel('AutoModelForCTC', transcribers, directory, options),
} as const;

/**
 * Models that classify audio: Wav2Vec2 and HuBERT, and the encoder of Whisper.
 * @example
 * ```ts no-run
 * const model = await AutoModelForAudioClassification.fromPretrained('./whisper-medium-fleurs-lang-id');
 * const logits = (model as WhisperForAudioClassification).forward({ inputFeatures });
 * ```
 */
export const AutoModelForAudioClassification = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: AudioClassifierOptions): Promise<AudioClassifier> =>
    readModel('AutoModelForAudioClassification', audioClassifiers, directory, options),
} as const;

/**
 * Text encoders that predict masked tokens, of any supported architecture: logits [B, S, V].
 * @example
 * ```ts no-run
 * const model = await AutoModelForMaskedLM.fromPretrained('./roberta-base');
 * ```
 */
export const AutoModelForMaskedLM = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: EncoderFromPretrainedOptions): Promise<EncoderForMaskedLM> =>
    readModel(
      'AutoModelForMaskedLM',
      byTypes(encoderArchitectures, EncoderForMaskedLM.fromPretrained),
      directory,
      options,
    ),
} as const;

/** Options of `fromPretrained` of text classifiers. */
export interface TextClassifierOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: Partial<EncoderConfigInput> | Partial<DecoderConfigInput>;
}

/** Encoders, and decoders that have the head in transformers. Each class checks the fields of its own architecture. */
const classifiers = <M>(
  head: DecoderHeadName,
  encoder: Read<M, EncoderFromPretrainedOptions>,
  decoder: Read<M, DecoderFromPretrainedOptions>,
  gpt2: Read<M, Gpt2FromPretrainedOptions>,
): ByType<Read<M, TextClassifierOptions>> => {
  const decoders = Object.entries(decoderArchitectures).filter(([, { heads }]) => heads.includes(head));
  return {
    ...byTypes(encoderArchitectures, encoder),
    ...byTypes(Object.fromEntries(decoders), decoder),
    gpt2,
  } as ByType<Read<M, TextClassifierOptions>>;
};

/** A model that classifies sequences of tokens. */
export type SequenceClassifier =
  | EncoderForSequenceClassification
  | DecoderForSequenceClassification
  | GPT2ForSequenceClassification;
const sequenceClassifiers = classifiers<SequenceClassifier>(
  'ForSequenceClassification',
  EncoderForSequenceClassification.fromPretrained,
  DecoderForSequenceClassification.fromPretrained,
  GPT2ForSequenceClassification.fromPretrained,
);

/**
 * Models that classify sequences, of any supported architecture: logits [B, num_labels]. Decoders do it by the last token that is
 * not padding, as rerankers and reward models do.
 * @example
 * ```ts no-run
 * const model = await AutoModelForSequenceClassification.fromPretrained('./roberta-base', { config: { num_labels: 3 } });
 * ```
 */
export const AutoModelForSequenceClassification = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: TextClassifierOptions): Promise<SequenceClassifier> =>
    readModel('AutoModelForSequenceClassification', sequenceClassifiers, directory, options),
} as const;

/** A model that classifies tokens. */
export type TokenClassifier =
  | EncoderForTokenClassification
  | DecoderForTokenClassification
  | GPT2ForTokenClassification;
const tokenClassifiers = classifiers<TokenClassifier>(
  'ForTokenClassification',
  EncoderForTokenClassification.fromPretrained,
  DecoderForTokenClassification.fromPretrained,
  GPT2ForTokenClassification.fromPretrained,
);

/**
 * Models that classify tokens, of any supported architecture: logits [B, S, num_labels].
 * @example
 * ```ts no-run
 * const model = await AutoModelForTokenClassification.fromPretrained('./bert-base-NER');
 * ```
 */
export const AutoModelForTokenClassification = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: TextClassifierOptions): Promise<TokenClassifier> =>
    readModel('AutoModelForTokenClassification', tokenClassifiers, directory, options),
} as const;

/** A model that finds answers. */
export type QuestionAnswerer = EncoderForQuestionAnswering | DecoderForQuestionAnswering | GPT2ForQuestionAnswering;
const questionAnswerers = classifiers<QuestionAnswerer>(
  'ForQuestionAnswering',
  EncoderForQuestionAnswering.fromPretrained,
  DecoderForQuestionAnswering.fromPretrained,
  GPT2ForQuestionAnswering.fromPretrained,
);

/**
 * Models that find answers, of any supported architecture: scores of the first and the last token.
 * @example
 * ```ts no-run
 * const model = await AutoModelForQuestionAnswering.fromPretrained('./distilbert-base-cased-distilled-squad');
 * ```
 */
export const AutoModelForQuestionAnswering = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: TextClassifierOptions): Promise<QuestionAnswerer> =>
    readModel('AutoModelForQuestionAnswering', questionAnswerers, directory, options),
} as const;

const choosers = Object.fromEntries(
  Object.entries(encoderArchitectures).filter(([, { without }]) => without !== 'ForMultipleChoice'),
);

/**
 * Text encoders that score choices, of any supported architecture: logits [B, C].
 * @example
 * ```ts no-run
 * const model = await AutoModelForMultipleChoice.fromPretrained('./roberta-base');
 * ```
 */
export const AutoModelForMultipleChoice = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: EncoderFromPretrainedOptions): Promise<EncoderForMultipleChoice> =>
    readModel(
      'AutoModelForMultipleChoice',
      byTypes(choosers, EncoderForMultipleChoice.fromPretrained),
      directory,
      options,
    ),
} as const;

/** A model that classifies images. */
export type ImageClassifier = VisionForImageClassification | ResNet | ConvNextForImageClassification;
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
    readModel('AutoModelForImageClassification', imageClassifiers, directory, options),
} as const;

/** The classes that read a `model_type`. */
function readersOf(modelType: string): readonly string[] {
  const tables: Readonly<Record<string, ByType<unknown>>> = {
    AutoModelForCausalLM: causal,
    AutoModelForSeq2SeqLM: textToText,
    AutoModelForSpeechSeq2Seq: speechToText,
    AutoModelForCTC: transcribers,
    AutoModelForAudioClassification: audioClassifiers,
    AutoModelForMaskedLM: encoderArchitectures,
    AutoModelForSequenceClassification: sequenceClassifiers,
    AutoModelForTokenClassification: tokenClassifiers,
    AutoModelForQuestionAnswering: questionAnswerers,
    AutoModelForMultipleChoice: choosers,
    AutoModelForImageClassification: imageClassifiers,
    AutoModelForTextEncoding: textEncoders,
  };
  const heads = Object.keys(tables).filter(name => Object.hasOwn(tables[name]!, modelType));
  return [...(Object.hasOwn(bases, modelType) ? ['AutoModel'] : []), ...heads];
}
