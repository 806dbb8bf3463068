// Wav2Vec2 (Baevski et al., 2020) and HuBERT (Hsu et al., 2021): convolutions over the samples of audio, and the blocks of a text
// encoder over their frames, with Hugging Face's files. SpecAugment is not applied in training: pass `maskedFrames`.
// B batch, L samples, T frames, H width.
import { join } from 'node:path';
import {
  Conv1d,
  Dropout,
  functional as F,
  GroupNorm,
  init,
  LayerNorm,
  type Linear,
  Module,
  ModuleList,
  Parameter,
} from '../../nn/index.ts';
import { arange, full, rand, type Tensor, where, zeros } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import { readConfigObject, writeConfigObject } from '../config-file.ts';
import { EncoderLayer } from '../encoder/block.ts';
import { withLabels } from '../labels.ts';
import { normalLinear } from '../layers.ts';
import { loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { TaskModel } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import { initializeMissing, mismatch } from '../vision/vision.ts';
import {
  type Wav2Vec2Config,
  type Wav2Vec2ConfigInput,
  wav2Vec2Block,
  wav2Vec2Config,
  wav2Vec2Names,
  wav2Vec2Types,
} from './wav2vec2-config.ts';

/** The inputs of Wav2Vec2. */
export interface Wav2Vec2Inputs {
  /** Samples of audio [B, L], of mean 0 and variance 1, at 16 kHz in published models. */
  readonly inputValues: Tensor;
  /** 1 for samples, 0 for padding [B, L]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
  /** 1 for frames that a trained vector replaces [B, T]. */
  readonly maskedFrames?: Tensor | undefined;
  /** Receives the frames before the first layer and after each, [B, T, H]. */
  readonly states?: Tensor[] | undefined;
}

/** One convolution over samples or frames: [B, C, L] → [B, C, T]. */
class FeatureConvolution extends Module {
  readonly #activation: (x: Tensor) => Tensor;
  readonly #isLayerNorm: boolean;
  conv: Conv1d;
  layer_norm: LayerNorm | GroupNorm | undefined;
  constructor(config: Wav2Vec2Config, index: number) {
    super();
    const { conv_dim: widths, conv_kernel, conv_stride, conv_bias: bias, feat_extract_norm: norm } = config;
    const [inputs, outputs] = [widths[index - 1] ?? 1, widths[index]!];
    this.#activation = activationOf(config.feat_extract_activation);
    this.#isLayerNorm = norm === 'layer';
    this.conv = new Conv1d(inputs, outputs, conv_kernel[index]!, { stride: conv_stride[index]!, bias });
    if (this.#isLayerNorm) this.layer_norm = new LayerNorm(outputs);
    else this.layer_norm = index === 0 ? new GroupNorm(outputs, outputs) : undefined;
  }
  override forward(x: Tensor): Tensor {
    const y = this.conv.forward(x);
    const { layer_norm: norm } = this;
    if (norm === undefined) return this.#activation(y);
    return this.#activation(this.#isLayerNorm ? norm.forward(y.transpose(1, 2)).transpose(1, 2) : norm.forward(y));
  }
}

class FeatureExtractor extends Module {
  conv_layers: ModuleList<FeatureConvolution>;
  constructor(config: Wav2Vec2Config) {
    super();
    this.conv_layers = new ModuleList(config.conv_dim.map((_, i) => new FeatureConvolution(config, i)));
  }
  override forward(x: Tensor): Tensor {
    let y = x;
    for (const layer of this.conv_layers) y = layer.forward(y);
    return y;
  }
}

class FeatureProjection extends Module {
  layer_norm: LayerNorm | undefined;
  projection: Linear;
  dropout: Dropout;
  constructor(config: Wav2Vec2Config) {
    super();
    const width = config.conv_dim.at(-1)!;
    const hasNorm = config.model_type === 'wav2vec2' || (config.feat_proj_layer_norm ?? true);
    this.layer_norm = hasNorm ? new LayerNorm(width, { eps: config.layer_norm_eps }) : undefined;
    this.projection = normalLinear(config.initializer_range, width, config.hidden_size);
    this.dropout = new Dropout(config.feat_proj_dropout);
  }
  override forward(x: Tensor): Tensor {
    return this.dropout.forward(this.projection.forward(this.layer_norm?.forward(x) ?? x));
  }
}

/** A convolution with weight normalization: the weight is a direction times a magnitude for each kernel position. */
class NormalizedConvolution extends Module {
  readonly #groups: number;
  readonly #kernel: number;
  bias: Parameter;
  weight_g: Parameter;
  weight_v: Parameter;
  constructor(width: number, kernel: number, groups: number) {
    super();
    this.#groups = groups;
    this.#kernel = kernel;
    this.bias = new Parameter(zeros([width]), { fresh: true });
    this.weight_g = new Parameter(full([1, 1, kernel], 1), { fresh: true });
    const shape = [width, width / groups, kernel];
    this.weight_v = new Parameter(init.normal(shape, 0, 2 * Math.sqrt(1 / (kernel * width))), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    const length = this.weight_v.square().sum([0, 1], true).sqrt();
    const weight = this.weight_v.mul(this.weight_g.div(length));
    const padding = Math.trunc(this.#kernel / 2);
    return F.conv1d(x, weight, this.bias, { padding, groups: this.#groups });
  }
}

/** Positions: a convolution over frames, [B, T, H] → the same. */
class PositionConvolution extends Module {
  readonly #activation: (x: Tensor) => Tensor;
  conv: NormalizedConvolution;
  constructor(config: Wav2Vec2Config) {
    super();
    const { hidden_size: width, num_conv_pos_embeddings: kernel, num_conv_pos_embedding_groups: groups } = config;
    this.#activation = activationOf(config.feat_extract_activation);
    this.conv = new NormalizedConvolution(width, kernel, groups);
  }
  override forward(x: Tensor): Tensor {
    // An even kernel gives one frame too many.
    const y = this.conv.forward(x.transpose(1, 2)).narrow(2, 0, x.shape[1]!);
    return this.#activation(y).transpose(1, 2);
  }
}

class Wav2Vec2Encoder extends Module {
  readonly #isPre: boolean;
  readonly #layerDrop: number;
  pos_conv_embed: PositionConvolution;
  layer_norm: LayerNorm;
  dropout: Dropout;
  layer: ModuleList<EncoderLayer>;
  constructor(config: Wav2Vec2Config) {
    super();
    const block = wav2Vec2Block(config);
    this.#isPre = config.do_stable_layer_norm;
    this.#layerDrop = config.layerdrop;
    this.pos_conv_embed = new PositionConvolution(config);
    this.layer_norm = new LayerNorm(config.hidden_size, { eps: config.layer_norm_eps });
    this.dropout = new Dropout(config.hidden_dropout);
    this.layer = new ModuleList(Array.from({ length: config.num_hidden_layers }, (_, i) => new EncoderLayer(block, i)));
  }
  /** Frames [B, T, H] → the same; `mask` [B, T] is 1 for frames of audio. `states` receives the first input and all results. */
  override forward(x: Tensor, mask: Tensor | undefined, states?: Tensor[]): Tensor {
    const heard = mask === undefined ? x : x.mul(mask.to(x.dtype).unsqueeze(-1));
    const placed = heard.add(this.pos_conv_embed.forward(heard));
    let y = this.dropout.forward(this.#isPre ? placed : this.layer_norm.forward(placed));
    const padding = mask && F.additiveMask(mask); // [B, 1, 1, T]
    states?.push(y);
    for (const layer of this.layer) {
      const next = layer.forward(y, padding);
      const drops = this.training && this.#layerDrop > 0;
      y = drops ? where(rand([1]).lt(this.#layerDrop), y, next) : next;
      states?.push(y);
    }
    return this.#isPre ? this.layer_norm.forward(y) : y;
  }
}

/** Options of `fromPretrained` of Wav2Vec2. */
export interface Wav2Vec2FromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `vocab_size`. */
  readonly config?: Wav2Vec2ConfigInput;
}

/**
 * Wav2Vec2 without a head.
 * @example
 * const conv = { conv_dim: [8, 8], conv_kernel: [10, 3], conv_stride: [5, 2], num_conv_pos_embeddings: 4 };
 * const sizes = { hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16 };
 * const model = new Wav2Vec2Model({ ...conv, ...sizes });
 * model({ inputValues: randn(2, 100) }).shape // [2, 9, 16]
 */
export class Wav2Vec2Model extends Module {
  /** The configuration of the model. */
  readonly config: Wav2Vec2Config;
  /** The convolutions over samples. */
  feature_extractor: Module;
  /** Projects their result to the hidden size. */
  feature_projection: Module;
  /** Replaces masked frames. */
  masked_spec_embed: Parameter | undefined;
  /** The blocks. */
  encoder: Module;
  readonly #extractor: FeatureExtractor;
  readonly #projection: FeatureProjection;
  readonly #encoder: Wav2Vec2Encoder;
  constructor(config: Wav2Vec2ConfigInput = {}) {
    super();
    this.config = wav2Vec2Config(config);
    const { hidden_size: width, mask_time_prob, mask_feature_prob } = this.config;
    this.#extractor = new FeatureExtractor(this.config);
    this.feature_extractor = this.#extractor;
    this.#projection = new FeatureProjection(this.config);
    this.feature_projection = this.#projection;
    const hasMask = mask_time_prob > 0 || mask_feature_prob > 0;
    this.masked_spec_embed = hasMask ? new Parameter(init.uniform([width], 0, 1), { fresh: true }) : undefined;
    this.#encoder = new Wav2Vec2Encoder(this.config);
    this.encoder = this.#encoder;
  }
  /**
   * Samples [B, L] by name → hidden states of the frames [B, T, H].
   * @throws {SHAPE_MISMATCH}
   */
  override forward({ inputValues, attentionMask, maskedFrames, states }: Wav2Vec2Inputs): Tensor {
    this.#check(inputValues, attentionMask);
    const features = this.#extractor.forward(inputValues.unsqueeze(1)).transpose(1, 2); // [B, T, C]
    const mask = attentionMask && this.frameMask(attentionMask, features.shape[1]!);
    let x = this.#projection.forward(features);
    if (maskedFrames !== undefined && this.masked_spec_embed !== undefined)
      x = where(maskedFrames.ne(0).unsqueeze(-1), this.masked_spec_embed, x);
    return this.#encoder.forward(x, mask, states);
  }
  /** The number of frames for each number of samples [B], i32. */
  frameLengths(samples: Tensor): Tensor {
    const { conv_kernel: kernels, conv_stride: strides } = this.config;
    return kernels.reduce((length, kernel, i) => length.sub(kernel).floorDivide(strides[i]!).add(1), samples.to('i32'));
  }
  /** The mask of samples [B, L] for frames: [B, T]. */
  frameMask(attentionMask: Tensor, frames: number): Tensor {
    const lengths = this.frameLengths(attentionMask.to('i32').sum(1).to('i32')).unsqueeze(1);
    return arange(0, frames, 1, { dtype: 'i32' }).unsqueeze(0).lt(lengths).to('i32');
  }
  #check(x: Tensor, mask: Tensor | undefined): void {
    const { conv_kernel: kernels, conv_stride: strides } = this.config;
    const least = kernels.reduceRight((length, kernel, i) => (length - 1) * strides[i]! + kernel, 1);
    if (x.ndim !== 2 || x.shape[1]! < least)
      throw mismatch(this.config.model_type, x, '[B, samples]', `audio has two dims, and at least ${least} samples`);
    if (mask !== undefined && mask.shape.join() !== x.shape.join())
      throw mismatch(
        this.config.model_type,
        mask,
        `[${x.shape.join(', ')}]`,
        'the attention mask has the shape of the samples',
      );
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static fromPretrained(directory: string, options: Wav2Vec2FromPretrainedOptions = {}): Promise<Wav2Vec2Model> {
    return loadWav2Vec2(config => new Wav2Vec2Model(config), directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return wav2Vec2Names(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWav2Vec2(this, this.config, 'Model', directory);
  }
}

/**
 * Wav2Vec2 that transcribes audio with connectionist temporal classification (CTC): logits [B, T, V].
 * @example
 * const conv = { conv_dim: [8, 8], conv_kernel: [10, 3], conv_stride: [5, 2], num_conv_pos_embeddings: 4 };
 * const sizes = { hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16 };
 * const model = new Wav2Vec2ForCTC({ ...conv, ...sizes, vocab_size: 12 });
 * model({ inputValues: randn(2, 100) }).shape // [2, 9, 12]
 */
export class Wav2Vec2ForCTC extends TaskModel<Wav2Vec2Inputs> {
  /** The configuration of the model. */
  readonly config: Wav2Vec2Config;
  /** The model without the head. */
  wav2vec2: Wav2Vec2Model;
  /** Applied before the head in training. */
  dropout: Dropout;
  /** Computes the logits of the tokens. */
  lm_head: Linear;
  constructor(config: Wav2Vec2ConfigInput = {}) {
    super();
    this.wav2vec2 = new Wav2Vec2Model(config);
    this.config = this.wav2vec2.config;
    const { hidden_size: width, vocab_size, initializer_range: std, final_dropout } = this.config;
    this.dropout = new Dropout(final_dropout);
    this.lm_head = normalLinear(std, width, vocab_size);
  }
  /** @internal */
  protected override logitsOf(inputs: Wav2Vec2Inputs): Tensor {
    return this.lm_head.forward(this.dropout.forward(this.wav2vec2.forward(inputs)));
  }
  /** @internal The CTC loss of labels [B, S], with -100 after the end of a text. The blank is `pad_token_id`. */
  protected override lossOf(logits: Tensor, labels: Tensor, { attentionMask }: Wav2Vec2Inputs): Tensor {
    const { pad_token_id, ctc_loss_reduction: reduction, ctc_zero_infinity: zeroInfinity } = this.config;
    const [batch, frames] = logits.shape as readonly [number, number];
    const inputLengths =
      attentionMask === undefined
        ? full([batch], frames, { dtype: 'i32' })
        : this.wav2vec2.frameLengths(attentionMask.to('i32').sum(1));
    const targetLengths = labels.ge(0).to('i32').sum(1).to('i32');
    const logProbabilities = logits.to('f32').logSoftmax(-1).transpose(0, 1); // [T, B, V]
    const options = { blank: pad_token_id ?? 0, reduction, zeroInfinity };
    return F.ctcLoss(logProbabilities, labels.clampMin(0), inputLengths, targetLengths, options);
  }
  /** As `Wav2Vec2Model.fromPretrained`. A head that the directory lacks is initialized randomly, with a warning. */
  static fromPretrained(directory: string, options: Wav2Vec2FromPretrainedOptions = {}): Promise<Wav2Vec2ForCTC> {
    return loadWav2Vec2(config => new Wav2Vec2ForCTC(config), directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return wav2Vec2Names(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWav2Vec2(this, this.config, 'ForCTC', directory);
  }
}

/** Reads a directory's configuration, makes the model, and loads its weights. Heads may be missing. */
export async function loadWav2Vec2<M extends Module>(
  make: (config: Wav2Vec2Config) => M,
  directory: string,
  { config: given, ...options }: Wav2Vec2FromPretrainedOptions,
): Promise<M> {
  const file = join(directory, 'config.json');
  const read = { ...((await readConfigObject(file)) as Wav2Vec2ConfigInput), ...given };
  const config = wav2Vec2Config(given === undefined ? read : withLabels(read, given), file);
  const model = init.skipInit(() => make(config));
  const names = {
    basePrefix: `${wav2Vec2Types[config.model_type].prefix}.`,
    rules: wav2Vec2Names(config),
    mayMiss: (name: string) => /^(lm_head|projector|classifier|layer_weights)\b/.test(name),
  };
  await loadDirectory(model, directory, names, options, missing =>
    initializeMissing(model, missing, config.initializer_range),
  );
  return model;
}

/** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
export async function saveWav2Vec2(
  model: Module,
  config: Wav2Vec2Config,
  head: string,
  directory: string,
): Promise<void> {
  await saveWeights(model, directory, wav2Vec2Names(config));
  // Hugging Face derives num_labels from id2label and does not write it.
  const { num_labels: _, ...fields } = config;
  const { className } = wav2Vec2Types[config.model_type];
  await writeConfigObject(join(directory, 'config.json'), className + head, fields);
}
