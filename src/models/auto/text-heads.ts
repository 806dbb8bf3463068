// Models of text with heads for classification and answers.
import type { Tensor } from '../../tensor/index.ts';
import { decoderArchitectures } from '../decoder/architectures.ts';
import type { DecoderFromPretrainedOptions } from '../decoder/decoder.ts';
import type { DecoderConfigInput, DecoderHeadName } from '../decoder/fields.ts';
import {
  DecoderForQuestionAnswering,
  DecoderForSequenceClassification,
  DecoderForTokenClassification,
} from '../decoder/heads.ts';
import { encoderArchitectures } from '../encoder/architectures.ts';
import type { EncoderInputs } from '../encoder/encoder.ts';
import type { EncoderConfigInput } from '../encoder/fields.ts';
import type { EncoderFromPretrainedOptions } from '../encoder/files.ts';
import {
  EncoderForMultipleChoice,
  EncoderForQuestionAnswering,
  EncoderForSequenceClassification,
  EncoderForTokenClassification,
} from '../encoder/heads.ts';
import type { ByType } from '../model-types.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import type { TaskModel } from '../task-model.ts';
import { byTypes, type Read, reader } from './readers.ts';

/** Options of `fromPretrained` of text classifiers. */
export interface TextClassifierOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: Partial<EncoderConfigInput> | Partial<DecoderConfigInput>;
  /** The number of classes: `num_labels` of `config`. */
  readonly numLabels?: number;
}

/** Encoders, and decoders that have the head in transformers. Each class checks the fields of its own architecture. */
const classifiers = <M>(
  head: DecoderHeadName,
  encoder: Read<M, EncoderFromPretrainedOptions>,
  decoder: Read<M, DecoderFromPretrainedOptions>,
): ByType<Read<M, TextClassifierOptions>> => {
  const decoders = Object.entries(decoderArchitectures).filter(([, { heads }]) => heads.includes(head));
  const labeled =
    (read: unknown): Read<M, TextClassifierOptions> =>
    (directory, { numLabels, ...options } = {}) =>
      (read as Read<M, TextClassifierOptions>)(
        directory,
        numLabels === undefined ? options : { ...options, config: { ...options.config, num_labels: numLabels } },
      );
  return {
    ...byTypes(encoderArchitectures, labeled(encoder)),
    ...byTypes(Object.fromEntries(decoders), labeled(decoder)),
  };
};

// Interfaces, not unions: TypeScript cannot call a union of overloads.
/** Members of all models that a class reads. */
type Common = 'config' | 'savePretrained';

/** A model that classifies sequences of tokens. */
export type SequenceClassifier = TaskModel<Tensor | EncoderInputs> &
  Pick<EncoderForSequenceClassification | DecoderForSequenceClassification, Common>;
const sequenceClassifiers = classifiers<SequenceClassifier>(
  'ForSequenceClassification',
  EncoderForSequenceClassification.fromPretrained,
  DecoderForSequenceClassification.fromPretrained,
);

const readSequenceClassification = reader('AutoModelForSequenceClassification', sequenceClassifiers);

/**
 * Models that classify sequences, of any supported architecture: logits [B, num_labels]. Decoders do it by the last token that is
 * not padding, as rerankers and reward models do.
 * @example
 * ```ts no-run
 * const model = await AutoModelForSequenceClassification.fromPretrained('./roberta-base', { numLabels: 3 });
 * ```
 */
export const AutoModelForSequenceClassification = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: TextClassifierOptions): Promise<SequenceClassifier> =>
    readSequenceClassification(directory, options),
} as const;

/** A model that classifies tokens. */
export type TokenClassifier = TaskModel<Tensor | EncoderInputs> &
  Pick<EncoderForTokenClassification | DecoderForTokenClassification, Common>;
const tokenClassifiers = classifiers<TokenClassifier>(
  'ForTokenClassification',
  EncoderForTokenClassification.fromPretrained,
  DecoderForTokenClassification.fromPretrained,
);

const readTokenClassification = reader('AutoModelForTokenClassification', tokenClassifiers);

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
    readTokenClassification(directory, options),
} as const;

/** A model that finds answers. */
export type QuestionAnswerer = TaskModel<Tensor | EncoderInputs, 'answers'> &
  Pick<EncoderForQuestionAnswering | DecoderForQuestionAnswering, Common>;
const questionAnswerers = classifiers<QuestionAnswerer>(
  'ForQuestionAnswering',
  EncoderForQuestionAnswering.fromPretrained,
  DecoderForQuestionAnswering.fromPretrained,
);

const readQuestionAnswering = reader('AutoModelForQuestionAnswering', questionAnswerers);

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
    readQuestionAnswering(directory, options),
} as const;

const choosers = Object.fromEntries(
  Object.entries(encoderArchitectures).filter(([, { without }]) => without !== 'ForMultipleChoice'),
);

const readMultipleChoice = reader(
  'AutoModelForMultipleChoice',
  byTypes(choosers, EncoderForMultipleChoice.fromPretrained),
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
    readMultipleChoice(directory, options),
} as const;
