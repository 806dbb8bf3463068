// Whisper's encoder that classifies audio: the mean of projected frames, and a linear classifier. B batch, S positions, H width.
import { join } from 'node:path';
import { init, type Linear, type Module, type Parameter } from '../../nn/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { layerWeights, weightedSum } from '../audio/wav2vec2-classifier.ts';
import { configError, readConfigObject, writeConfigObject } from '../config-file.ts';
import { type LabelFields, type Labels, labelsOf, withLabels } from '../labels.ts';
import { normalLinear } from '../layers.ts';
import { initializeMissing, loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { TaskModel } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import { type Seq2SeqConfig, type Seq2SeqConfigInput, seq2SeqConfig } from './architectures.ts';
import { AudioFeatures, audioPositions } from './audio-features.ts';
import { type Seq2SeqInputs, Seq2SeqStack, seq2SeqLayout } from './seq2seq.ts';

/** The fields of config.json. */
export type WhisperClassifierConfig = Seq2SeqConfig & Labels;
/** Any of the fields. */
export type WhisperClassifierConfigInput = Partial<Seq2SeqConfigInput> & {
  /** The number of classes. */
  readonly num_labels?: number | undefined;
  /** The name of each class number. */
  readonly id2label?: Readonly<Record<string, string>> | undefined;
  /** The class number of each name. */
  readonly label2id?: Readonly<Record<string, number>> | undefined;
};

/** Features [B, bands, frames]. */
type AudioInputs = Required<Pick<Seq2SeqInputs, 'inputFeatures'>>;

const file = 'the configuration';

/** Options of `fromPretrained`. */
export interface WhisperClassifierOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: WhisperClassifierConfigInput;
}

/**
 * Whisper's encoder that classifies audio: logits [B, num_labels].
 * @example
 * const sizes = { d_model: 8, encoder_layers: 1, encoder_attention_heads: 2, encoder_ffn_dim: 16, decoder_attention_heads: 2 };
 * const audio = { num_mel_bins: 4, max_source_positions: 6, classifier_proj_size: 8 };
 * new WhisperForAudioClassification({ ...sizes, ...audio, num_labels: 3 })({ inputFeatures: randn(2, 4, 12) }).shape // [2, 3]
 */
export class WhisperForAudioClassification extends TaskModel<AudioInputs> {
  /** The configuration of the model. */
  readonly config: WhisperClassifierConfig;
  /** Embeds the frames. */
  features: Module;
  readonly #features: AudioFeatures;
  /** The blocks. */
  encoder: Seq2SeqStack;
  /** The weights of the blocks' results before their softmax. */
  layer_weights: Parameter | undefined;
  /** Projects frames before their mean. */
  projector: Linear;
  /** Computes the logits of the classes. */
  classifier: Linear;
  /** @throws {MODEL_CONFIG_INVALID} */
  constructor(config: WhisperClassifierConfigInput = {}) {
    super();
    this.config = classifierConfig(config, file);
    const layout = seq2SeqLayout(this.config);
    const { width, audio, encoder, initializerRange: std } = layout;
    this.#features = new AudioFeatures(layout, audio!.bands);
    this.features = this.#features;
    this.encoder = new Seq2SeqStack(layout, 'encoder');
    this.encoder.embed_positions = audioPositions(audio!.positions, width);
    const {
      classifier_proj_size: projected = 256,
      use_weighted_layer_sum: isWeighted = false,
      num_labels,
    } = this.config;
    this.layer_weights = isWeighted ? layerWeights(encoder.layers) : undefined;
    this.projector = normalLinear(std, width, projected);
    this.classifier = normalLinear(std, projected, num_labels);
  }
  /** @internal */
  protected override logitsOf({ inputFeatures }: AudioInputs): Tensor {
    const states: Tensor[] = [];
    const last = this.encoder.forward(this.#features.forward(inputFeatures!), undefined, undefined, undefined, states);
    const { layer_weights: weights } = this;
    const frames = this.projector.forward(weights === undefined ? last : weightedSum(states, weights)); // [B, S, projected]
    return this.classifier.forward(frames.mean(1));
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), with or without a decoder. A head that it
   * lacks is initialized randomly, with a warning. Throws the errors of `Seq2SeqForConditionalGeneration.fromPretrained`.
   */
  static async fromPretrained(
    directory: string,
    options: WhisperClassifierOptions = {},
  ): Promise<WhisperForAudioClassification> {
    const path = join(directory, 'config.json');
    const { config: given, ...rest } = options;
    const read = { ...((await readConfigObject(path)) as WhisperClassifierConfigInput), ...given };
    const config = classifierConfig(given === undefined ? read : withLabels(read, given), path);
    const model = init.skipInit(() => new WhisperForAudioClassification(config));
    const names = {
      basePrefix: 'model.',
      rules: model.tensorNames,
      mayMiss: (name: string) => /^(projector|classifier|layer_weights)\b/.test(name),
      isOptional: (name: string) => name === 'encoder.embed_positions.weight',
      isIgnored: (name: string) => /^(model\.)?decoder\./.test(name),
    };
    await loadDirectory(model, directory, names, rest, missing =>
      initializeMissing(model, missing, seq2SeqLayout(config).initializerRange),
    );
    return model;
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return ['conv1', 'conv2'].map(name => ({ file: `encoder.${name}`, model: `features.${name}` }));
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory, this.tensorNames);
    // Hugging Face derives num_labels from id2label and does not write it.
    const { num_labels: _, ...fields } = this.config;
    await writeConfigObject(join(directory, 'config.json'), 'WhisperForAudioClassification', fields);
  }
}

function classifierConfig(fields: WhisperClassifierConfigInput, path: string): WhisperClassifierConfig {
  const known = seq2SeqConfig({ ...fields, model_type: 'whisper' }, path);
  return { ...known, ...labelsOf(known as LabelFields, configError(path)) };
}
