// The text encoders of CLIP and SigLIP, within a model of images and texts (contrastive.ts) and alone, with Hugging Face's files:
// those of Stable Diffusion are such models. T texts, S tokens, H width, P size of the projected vectors.
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { Embedding, functional as F, init, LayerNorm, type Linear, Module } from '../../nn/index.ts';
import { arange, type Tensor, userLocation } from '../../tensor/index.ts';
import { hiddenActivations } from '../activation-names.ts';
import {
  checkConfig,
  checkParameterCount,
  configError,
  readConfigObject,
  size,
  writeConfigObject,
} from '../config-file.ts';
import type { EncoderBlockLayout } from '../encoder/layout.ts';
import { normalLinear } from '../layers.ts';
import { ofModelType } from '../model-types.ts';
import { loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { clipBlockNames } from './architectures.ts';
import { isProjected } from './projected.ts';
import { mismatch, VisionBlocks } from './vision.ts';

const textConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.string(),
  /** The number of tokens in the vocabulary. */
  vocab_size: size.vocabulary,
  /** The size of hidden states. */
  hidden_size: size.width,
  /** The inner size of the feed-forward network. */
  intermediate_size: size.innerWidth,
  /** The number of layers. */
  num_hidden_layers: size.layers,
  /** The number of attention heads of a layer. */
  num_attention_heads: size.heads,
  /** The longest text, in tokens. */
  max_position_embeddings: size.positions,
  /** The activation of the feed-forward network. */
  hidden_act: z.enum(hiddenActivations),
  /** Added to the variance in layer normalization. */
  layer_norm_eps: z.number().positive(),
  /** The dropout probability of attention weights. */
  attention_dropout: z.number().min(0).max(1).default(0),
  /** The token at the end of a text, whose vector is that of the text (CLIP). */
  eos_token_id: z.int().min(0).nullish(),
  /** SigLIP: the size of the vector of a text; null: the size of hidden states. */
  projection_size: size.width.nullish(),
  /** CLIP: the size of the projected vector, in models with a projection. */
  projection_dim: size.width.optional(),
});

/** The fields of a text encoder's configuration, under their own names; unknown ones are kept unchanged. */
export type ContrastiveTextConfig = Readonly<z.output<typeof textConfigSchema>>;

/** Any of the fields; missing ones have the defaults of the architecture. */
export type ContrastiveTextConfigInput = {
  /** The architecture. */
  readonly model_type: string;
} & Readonly<Partial<z.input<typeof textConfigSchema>>>;

/** A row of the table. */
interface TextArchitecture {
  readonly className: string;
  readonly defaults: Readonly<Partial<z.input<typeof textConfigSchema>>>;
  /** Each token of a text sees only itself and earlier ones. */
  readonly isCausal: boolean;
  /** The vector of a text: its end token, or its last one, even if that is padding. */
  readonly pooled: 'end' | 'last';
  /** The vector is projected in the encoder. */
  readonly hasHead: boolean;
}

/** Every text encoder by its `model_type`. */
export const textArchitectures: Readonly<Record<string, TextArchitecture>> = {
  clip_text_model: {
    className: 'CLIPTextModel',
    defaults: {
      vocab_size: 49408,
      hidden_size: 512,
      intermediate_size: 2048,
      num_hidden_layers: 12,
      num_attention_heads: 8,
      max_position_embeddings: 77,
      hidden_act: 'quick_gelu',
      layer_norm_eps: 1e-5,
      eos_token_id: 49407,
    },
    isCausal: true,
    pooled: 'end',
    hasHead: false,
  },
  siglip_text_model: {
    className: 'SiglipTextModel',
    defaults: {
      vocab_size: 32000,
      hidden_size: 768,
      intermediate_size: 3072,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      max_position_embeddings: 64,
      hidden_act: 'gelu_pytorch_tanh',
      layer_norm_eps: 1e-6,
    },
    isCausal: false,
    pooled: 'last',
    hasHead: true,
  },
};

const textArchitecture = (modelType: string, file: string): TextArchitecture =>
  ofModelType(textArchitectures, modelType, file);

/**
 * Checks the fields of a text encoder's configuration and fills in the defaults. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * contrastiveTextConfig({ model_type: 'clip_text_model' }).vocab_size // 49408
 */
export function contrastiveTextConfig(
  fields: ContrastiveTextConfigInput,
  file = 'the configuration',
): ContrastiveTextConfig {
  const { defaults } = textArchitecture(fields.model_type, file);
  const config = checkConfig(textConfigSchema, { ...defaults, ...fields } as z.input<typeof textConfigSchema>, file);
  // The end token of SigLIP is not used, and is often outside the vocabulary.
  const { hidden_size: width, num_attention_heads: heads, vocab_size: vocabulary, num_hidden_layers: layers } = config;
  if (width % heads !== 0)
    throw configError(file)('hidden_size', `${width} is not a multiple of num_attention_heads, ${heads}`);
  checkParameterCount(layers * (4 * width ** 2 + 2 * width * config.intermediate_size) + vocabulary * width, file);
  return config;
}

/** Texts as inputs. */
export interface TextInputs {
  /** Token ids [T, S], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [T, S]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
}

/** @throws {SHAPE_MISMATCH} */
export function checkTexts({ inputIds, attentionMask }: TextInputs, name: string): void {
  if (inputIds.ndim !== 2) throw mismatch(name, inputIds, '[T, S]', 'token ids have two dims');
  const shape = `[${inputIds.shape.join(', ')}]`;
  if (attentionMask !== undefined && attentionMask.shape.join() !== inputIds.shape.join())
    throw mismatch(name, attentionMask, shape, 'the attention mask has the shape of the token ids');
}

/** A text encoder: [T, S] → the vectors of the texts [T, H], and hidden states. */
export class TextTower extends Module {
  readonly #row: TextArchitecture;
  readonly #config: ContrastiveTextConfig;
  embeddings: Module;
  encoder: VisionBlocks;
  final_layer_norm: LayerNorm;
  head: Linear | undefined;
  readonly #embeddings: TextEmbeddings;
  constructor(config: ContrastiveTextConfig) {
    super();
    const row = textArchitecture(config.model_type, 'the configuration');
    this.#row = row;
    this.#config = config;
    const { hidden_size: width, layer_norm_eps: eps } = config;
    this.#embeddings = new TextEmbeddings(config);
    this.embeddings = this.#embeddings;
    this.encoder = new VisionBlocks({ layers: config.num_hidden_layers, block: textBlock(config) });
    this.final_layer_norm = new LayerNorm(width, { eps });
    this.head = row.hasHead ? normalLinear(0.02, width, config.projection_size ?? width) : undefined;
  }
  override forward(ids: Tensor, mask: Tensor | undefined): { readonly hidden: Tensor; readonly pooled: Tensor } {
    const { isCausal, pooled } = this.#row;
    const padding = mask && F.additiveMask(mask); // [T, 1, 1, S]
    const x = this.encoder.forward(this.#embeddings.forward(ids), padding, isCausal);
    const hidden = this.final_layer_norm.forward(x);
    const vector = pooled === 'last' ? hidden.select(1, -1) : this.#end(hidden, ids);
    return { hidden, pooled: this.head === undefined ? vector : this.head.forward(vector) };
  }
  /** The hidden states of the first end token, [T, H]. */
  #end(hidden: Tensor, ids: Tensor): Tensor {
    const [texts, length, width] = hidden.shape as readonly [number, number, number];
    const end = this.#config.eos_token_id ?? 2;
    // Configurations with the value 2 date from when that field was wrong: the end token is then the one with the largest id.
    const places = (end === 2 ? ids.to('i32') : ids.eq(end).to('i32')).argmax(1).to('i32');
    const starts = arange(0, texts * length, length, { dtype: 'i32' });
    return hidden.reshape(texts * length, width).indexSelect(0, places.add(starts));
  }
}

class TextEmbeddings extends Module {
  token_embedding: Embedding;
  position_embedding: Embedding;
  constructor({ vocab_size, max_position_embeddings: positions, hidden_size: width }: ContrastiveTextConfig) {
    super();
    this.token_embedding = new Embedding(vocab_size, width, { std: 0.02 });
    this.position_embedding = new Embedding(positions, width, { std: 0.02 });
  }
  override forward(ids: Tensor): Tensor {
    const [length, positions] = [ids.shape[1]!, this.position_embedding.weight.shape[0]!];
    if (length > positions)
      throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions }, { location: userLocation() });
    return this.token_embedding.forward(ids).add(this.position_embedding.weight.narrow(0, 0, length));
  }
}

const textBlock = (config: ContrastiveTextConfig): EncoderBlockLayout => ({
  width: config.hidden_size,
  innerWidth: config.intermediate_size,
  heads: config.num_attention_heads,
  headDim: config.hidden_size / config.num_attention_heads,
  norm: { eps: config.layer_norm_eps, bias: true },
  residual: 'pre',
  distances: { kind: 'none' },
  bias: { attention: true, attentionOutput: true, feedForward: true },
  activation: config.hidden_act,
  gated: false,
  layerScale: undefined,
  dropPath: 0,
  dropout: { attention: config.attention_dropout, attentionOutput: 0, inner: 0, output: 0 },
  initializerRange: 0.02,
});

/** The outputs of text encoders. */
export interface ContrastiveTextOutputs {
  /** The hidden states of the last layer, [T, S, H]. */
  readonly lastHiddenState: Tensor;
  /** The vectors of the texts [T, H]. */
  readonly poolerOutput: Tensor;
  /** The projected vectors [T, P]; undefined in models without a projection. */
  readonly textEmbeds: Tensor | undefined;
}

/**
 * The text encoder of CLIP or SigLIP, by `model_type`; with a projection if `architectures` in its configuration says so.
 * @example
 * const sizes = { hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2, vocab_size: 10 };
 * const model = new ContrastiveTextModel({ model_type: 'clip_text_model', ...sizes });
 * model(randint(0, 9, [3, 5])).poolerOutput.shape // [3, 8]
 */
export class ContrastiveTextModel extends Module {
  /** The configuration of the model. */
  readonly config: ContrastiveTextConfig;
  /** The encoder. */
  text_model: Module;
  /** Projects the vectors of texts. */
  text_projection: Linear | undefined;
  readonly #text: TextTower;
  constructor(config: ContrastiveTextConfigInput) {
    super();
    this.config = contrastiveTextConfig(config);
    this.#text = new TextTower(this.config);
    this.text_model = this.#text;
    const { hidden_size: width, projection_dim: projected = 512 } = this.config;
    this.text_projection = isProjected(this.config) ? normalLinear(width ** -0.5, width, projected, false) : undefined;
  }
  /**
   * Token ids [T, S], or inputs by name → hidden states [T, S, H] and the vectors of the texts.
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward(inputs: Tensor | TextInputs): ContrastiveTextOutputs {
    const given = 'inputIds' in inputs ? inputs : { inputIds: inputs };
    checkTexts(given, this.config.model_type);
    const { hidden, pooled } = this.#text.forward(given.inputIds, given.attentionMask);
    return { lastHiddenState: hidden, poolerOutput: pooled, textEmbeds: this.text_projection?.forward(pooled) };
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   * @throws {NO_SUCH_OPTION}
   */
  static async fromPretrained(directory: string, options: PretrainedOptions = {}): Promise<ContrastiveTextModel> {
    refuseUnknownOptions('fromPretrained', options, ['dtype', 'weights', 'onWarning']);
    const file = join(directory, 'config.json');
    const config = contrastiveTextConfig((await readConfigObject(file)) as ContrastiveTextConfigInput, file);
    const model = init.skipInit(() => new ContrastiveTextModel(config));
    await loadDirectory(model, directory, { basePrefix: 'text_model.', rules: clipBlockNames }, options);
    return model;
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    const { className } = textArchitecture(this.config.model_type, directory);
    await saveWeights(this, directory, clipBlockNames);
    await writeConfigObject(join(directory, 'config.json'), className, this.config);
  }
}
