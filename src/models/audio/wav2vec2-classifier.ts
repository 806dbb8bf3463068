// Wav2Vec2 and HuBERT that classify audio: the mean of projected frames, and a linear classifier. B batch, L samples, T frames,
// H width.
import { type Linear, Parameter } from '../../nn/index.ts';
import { full, stack, type Tensor } from '../../tensor/index.ts';
import { normalLinear } from '../layers.ts';
import { TaskModel } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import {
  loadWav2Vec2,
  saveWav2Vec2,
  type Wav2Vec2FromPretrainedOptions,
  type Wav2Vec2Inputs,
  Wav2Vec2Model,
} from './wav2vec2.ts';
import { type Wav2Vec2Config, type Wav2Vec2ConfigInput, wav2Vec2Names } from './wav2vec2-config.ts';

/** States of several layers [B, T, H], weighted by the softmax of trained numbers → [B, T, H]. */
export function weightedSum(states: readonly Tensor[], weights: Tensor): Tensor {
  return stack(states, 1)
    .mul(weights.softmax(-1).reshape(-1, 1, 1))
    .sum(1);
}

/** Equal weights for the input of the first layer and the result of each. */
export const layerWeights = (layers: number): Parameter =>
  new Parameter(full([layers + 1], 1 / (layers + 1)), { fresh: true });

/**
 * Wav2Vec2 or HuBERT that classifies audio: logits [B, num_labels].
 * @example
 * const conv = { conv_dim: [8, 8], conv_kernel: [10, 3], conv_stride: [5, 2], num_conv_pos_embeddings: 4 };
 * const sizes = { hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16 };
 * const model = new Wav2Vec2ForSequenceClassification({ ...conv, ...sizes, num_labels: 3 });
 * model({ inputValues: randn(2, 100) }).shape // [2, 3]
 */
export class Wav2Vec2ForSequenceClassification extends TaskModel<Wav2Vec2Inputs> {
  /** The configuration of the model. */
  readonly config: Wav2Vec2Config;
  /** The model without the head. */
  wav2vec2: Wav2Vec2Model;
  /** The weights of the layers' results before their softmax. */
  layer_weights: Parameter | undefined;
  /** Projects frames before their mean. */
  projector: Linear;
  /** Computes the logits of the classes. */
  classifier: Linear;
  constructor(config: Wav2Vec2ConfigInput = {}) {
    super();
    this.wav2vec2 = new Wav2Vec2Model(config);
    this.config = this.wav2vec2.config;
    const { hidden_size: width, classifier_proj_size: projected, initializer_range: std, num_labels } = this.config;
    this.layer_weights = this.config.use_weighted_layer_sum ? layerWeights(this.config.num_hidden_layers) : undefined;
    this.projector = normalLinear(std, width, projected);
    this.classifier = normalLinear(std, projected, num_labels);
  }
  /** @internal */
  protected override logitsOf(inputs: Wav2Vec2Inputs): Tensor {
    const { layer_weights: weights } = this;
    const states: Tensor[] = [];
    const last = this.wav2vec2.forward(weights === undefined ? inputs : { ...inputs, states });
    const frames = this.projector.forward(weights === undefined ? last : weightedSum(states, weights)); // [B, T, projected]
    const { attentionMask: samples } = inputs;
    if (samples === undefined) return this.classifier.forward(frames.mean(1));
    const mask = this.wav2vec2.frameMask(samples, frames.shape[1]!).to(frames.dtype).unsqueeze(-1); // [B, T, 1]
    return this.classifier.forward(frames.mul(mask).sum(1).div(mask.sum(1)));
  }
  /** As `Wav2Vec2Model.fromPretrained`. A head that the directory lacks is initialized randomly, with a warning. */
  static fromPretrained(
    directory: string,
    options: Wav2Vec2FromPretrainedOptions = {},
  ): Promise<Wav2Vec2ForSequenceClassification> {
    return loadWav2Vec2(config => new Wav2Vec2ForSequenceClassification(config), directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return wav2Vec2Names(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWav2Vec2(this, this.config, 'ForSequenceClassification', directory);
  }
}
