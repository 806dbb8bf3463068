// Models of audio, with heads.

import { Wav2Vec2ForCTC, type Wav2Vec2FromPretrainedOptions } from '../audio/wav2vec2.ts';
import { Wav2Vec2ForSequenceClassification } from '../audio/wav2vec2-classifier.ts';
import { wav2Vec2Types } from '../audio/wav2vec2-config.ts';
import type { ByType } from '../model-types.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import { Seq2SeqForConditionalGeneration, type Seq2SeqFromPretrainedOptions } from '../seq2seq/seq2seq.ts';
import { type WhisperClassifierOptions, WhisperForAudioClassification } from '../seq2seq/whisper-classifier.ts';
import { byTypes, type Read, reader } from './readers.ts';

type ReadSeq2Seq = Read<Seq2SeqForConditionalGeneration, Seq2SeqFromPretrainedOptions>;
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

const readSpeechSeq2Seq = reader('AutoModelForSpeechSeq2Seq', speechToText);

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
  ): Promise<Seq2SeqForConditionalGeneration> => readSpeechSeq2Seq(directory, options),
} as const;

const readCTC = reader('AutoModelForCTC', transcribers);

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
    readCTC(directory, options),
} as const;

const readAudioClassification = reader('AutoModelForAudioClassification', audioClassifiers);

/**
 * Models that classify audio: Wav2Vec2 and HuBERT, and the encoder of Whisper.
 * @example
 * ```ts no-run
 * const model = await AutoModelForAudioClassification.fromPretrained('./whisper-medium-fleurs-lang-id');
 * const logits = (model as WhisperForAudioClassification).forward({ inputFeatures: zeros(1, 80, 3000) }); // of silence
 * ```
 */
export const AutoModelForAudioClassification = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: AudioClassifierOptions): Promise<AudioClassifier> =>
    readAudioClassification(directory, options),
} as const;
