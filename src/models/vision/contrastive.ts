// Models that compare images and texts: CLIP and SigLIP, with Hugging Face's files. An image encoder (vision.ts) and a text
// encoder compute vectors of the same size; logits are their cosines, scaled. N images, T texts, S tokens, H width,
// P size of the vectors.
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { Embedding, functional as F, init, LayerNorm, type Linear, Module, Parameter } from '../../nn/index.ts';
import { arange, full, type Tensor, userLocation, zeros } from '../../tensor/index.ts';
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
import type { NameRule } from '../tensor-names.ts';
import {
  clipBlockNames,
  type VisionConfig,
  type VisionConfigInput,
  visionArchitectures,
  visionConfig,
} from './architectures.ts';
import { mismatch, VisionBlocks, VisionModel } from './vision.ts';

const textConfigSchema = z.looseObject({
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
});

const contrastiveConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.string(),
  /** The text encoder. */
  text_config: textConfigSchema,
  /** The image encoder. */
  vision_config: z.custom<VisionConfig>(),
  /** CLIP: the size of the vectors that are compared. */
  projection_dim: size.width.optional(),
  /** CLIP: the logarithm of the initial factor of the cosines. */
  logit_scale_init_value: z.number().optional(),
});

/** The fields of `config.json` of CLIP and SigLIP, under their own names; unknown ones are kept unchanged. */
export type ContrastiveConfig = Readonly<z.output<typeof contrastiveConfigSchema>>;

/** Any of the fields; missing ones have the defaults of the architecture. */
export interface ContrastiveConfigInput {
  /** The architecture. */
  readonly model_type: string;
  /** The text encoder. */
  readonly text_config?: Partial<z.input<typeof textConfigSchema>> | null;
  /** The image encoder. */
  readonly vision_config?: Partial<VisionConfigInput> | null;
  /** CLIP: the size of the vectors that are compared. */
  readonly projection_dim?: number | undefined;
  /** CLIP: the logarithm of the initial factor of the cosines. */
  readonly logit_scale_init_value?: number | undefined;
}

/** A row of the table. */
interface ContrastiveArchitecture {
  readonly className: string;
  readonly visionType: string;
  readonly defaults: Readonly<Partial<z.input<typeof contrastiveConfigSchema>>>;
  readonly textDefaults: z.input<typeof textConfigSchema>;
  /** Each token of a text sees only itself and earlier ones. */
  readonly isCausal: boolean;
  /** The vector of a text: its end token, or its last one, even if that is padding. */
  readonly pooled: 'end' | 'last';
  /** Vectors are projected after both encoders (CLIP), or in them (SigLIP). */
  readonly projects: boolean;
}

const clip: ContrastiveArchitecture = {
  className: 'CLIPModel',
  visionType: 'clip_vision_model',
  defaults: { projection_dim: 512, logit_scale_init_value: 2.6592 },
  textDefaults: {
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
  projects: true,
};

const siglip: ContrastiveArchitecture = {
  className: 'SiglipModel',
  visionType: 'siglip_vision_model',
  defaults: {},
  textDefaults: {
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
  projects: false,
};

/** Every supported model of images and texts by its `model_type`. */
export const contrastiveArchitectures: Readonly<Record<string, ContrastiveArchitecture>> = { clip, siglip };

const rowOf = (modelType: string, file = 'the configuration'): ContrastiveArchitecture =>
  ofModelType(contrastiveArchitectures, modelType, file);

/**
 * Checks the fields of a configuration of CLIP or SigLIP and fills in the defaults. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * contrastiveConfig({ model_type: 'clip' }).text_config.vocab_size // 49408
 */
export function contrastiveConfig(fields: ContrastiveConfigInput, file = 'the configuration'): ContrastiveConfig {
  const { defaults, textDefaults, visionType } = rowOf(fields.model_type, file);
  const vision_config = visionConfig({ ...fields.vision_config, model_type: visionType }, `${file}: vision_config`);
  const given = {
    ...defaults,
    ...fields,
    text_config: { ...textDefaults, ...fields.text_config },
    vision_config,
  } as z.input<typeof contrastiveConfigSchema>;
  const config = checkConfig(contrastiveConfigSchema, given, file);
  const fail = configError(file);
  const { hidden_size: width, num_attention_heads: heads, vocab_size: vocabulary, ...text } = config.text_config;
  if (width % heads !== 0)
    throw fail('text_config.hidden_size', `${width} is not a multiple of num_attention_heads, ${heads}`);
  // The end token of SigLIP is not used, and is often outside the vocabulary.
  const sizes = [text.projection_size ?? width, config.vision_config.hidden_size] as const;
  if (!rowOf(config.model_type).projects && sizes[0] !== sizes[1])
    throw fail('text_config.projection_size', `${sizes[0]} is not the hidden_size of vision_config, ${sizes[1]}`);
  const perLayer = 4 * width ** 2 + 2 * width * text.intermediate_size;
  checkParameterCount(text.num_hidden_layers * perLayer + vocabulary * width, file);
  return config;
}

/** A text encoder: [T, S] → the vectors of the texts [T, H], and hidden states. */
class TextTower extends Module {
  readonly #row: ContrastiveArchitecture;
  readonly #config: ContrastiveConfig['text_config'];
  embeddings: Module;
  encoder: VisionBlocks;
  final_layer_norm: LayerNorm;
  head: Linear | undefined;
  readonly #embeddings: TextEmbeddings;
  constructor(config: ContrastiveConfig['text_config'], row: ContrastiveArchitecture) {
    super();
    this.#row = row;
    this.#config = config;
    const { hidden_size: width, layer_norm_eps: eps } = config;
    this.#embeddings = new TextEmbeddings(config);
    this.embeddings = this.#embeddings;
    this.encoder = new VisionBlocks({ layers: config.num_hidden_layers, block: textBlock(config) });
    this.final_layer_norm = new LayerNorm(width, { eps });
    this.head = row.projects ? undefined : normalLinear(0.02, width, config.projection_size ?? width);
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
  constructor({
    vocab_size,
    max_position_embeddings: positions,
    hidden_size: width,
  }: ContrastiveConfig['text_config']) {
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

const textBlock = (config: ContrastiveConfig['text_config']): EncoderBlockLayout => ({
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

/** Texts as inputs. */
export interface TextInputs {
  /** Token ids [T, S], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [T, S]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
}

/** The inputs of models of images and texts. */
export interface ContrastiveInputs extends TextInputs {
  /** Images [N, 3, height, width], normalized. */
  readonly pixelValues: Tensor;
}

/** The outputs of models of images and texts. */
export interface ContrastiveOutputs {
  /** The scores of each text for each image, [N, T]. */
  readonly logitsPerImage: Tensor;
  /** The scores of each image for each text, [T, N]. */
  readonly logitsPerText: Tensor;
  /** The vectors of the images, of length 1: [N, P]. */
  readonly imageEmbeds: Tensor;
  /** The vectors of the texts, of length 1: [T, P]. */
  readonly textEmbeds: Tensor;
}

/**
 * CLIP or SigLIP, by `model_type`: an image encoder and a text encoder whose vectors are compared.
 * @example
 * const sizes = { hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const vision_config = { ...sizes, image_size: 8, patch_size: 4 };
 * const model = new ContrastiveModel({ model_type: 'clip', text_config: { ...sizes, vocab_size: 10 }, vision_config });
 * model({ inputIds: randint(0, 9, [3, 5]), pixelValues: randn(2, 3, 8, 8) }).logitsPerImage.shape // [2, 3]
 */
export class ContrastiveModel extends Module {
  /** The configuration of the model. */
  readonly config: ContrastiveConfig;
  readonly #row: ContrastiveArchitecture;
  /** The image encoder. */
  vision_model: VisionModel;
  /** The text encoder. */
  text_model: Module;
  /** Projects the vectors of images (CLIP). */
  visual_projection: Linear | undefined;
  /** Projects the vectors of texts (CLIP). */
  text_projection: Linear | undefined;
  /** The logarithm of the factor of the cosines. */
  logit_scale: Parameter;
  /** Added to all logits (SigLIP). */
  logit_bias: Parameter | undefined;
  readonly #text: TextTower;
  constructor(config: ContrastiveConfigInput) {
    super();
    this.config = contrastiveConfig(config);
    const row = rowOf(this.config.model_type);
    this.#row = row;
    const { text_config: text, vision_config: vision, projection_dim: width = 512 } = this.config;
    this.vision_model = new VisionModel(vision);
    this.#text = new TextTower(text, row);
    this.text_model = this.#text;
    this.visual_projection = row.projects
      ? normalLinear(vision.hidden_size ** -0.5, vision.hidden_size, width, false)
      : undefined;
    this.text_projection = row.projects
      ? normalLinear(text.hidden_size ** -0.5, text.hidden_size, width, false)
      : undefined;
    const scale = this.config.logit_scale_init_value ?? 0;
    this.logit_scale = new Parameter(full(row.projects ? [] : [1], scale), { fresh: true });
    this.logit_bias = row.projects ? undefined : new Parameter(zeros([1]), { fresh: true });
  }
  /**
   * Images and texts → the scores of each pair.
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward({ pixelValues, ...texts }: ContrastiveInputs): ContrastiveOutputs {
    const imageEmbeds = unit(this.imageFeatures(pixelValues));
    const textEmbeds = unit(this.textFeatures(texts));
    const scaled = textEmbeds.matmul(imageEmbeds.transpose(0, 1)).mul(this.logit_scale.exp()); // [T, N]
    const logitsPerText = this.logit_bias === undefined ? scaled : scaled.add(this.logit_bias);
    return { logitsPerText, logitsPerImage: logitsPerText.transpose(0, 1), imageEmbeds, textEmbeds };
  }
  /** Images [N, 3, height, width] → their vectors [N, P], before they are scaled to length 1. */
  imageFeatures(pixelValues: Tensor): Tensor {
    const { poolerOutput } = this.vision_model.forward({ pixelValues });
    return this.visual_projection?.forward(poolerOutput!) ?? poolerOutput!;
  }
  /** Token ids [T, S] → the vectors of the texts [T, P], before they are scaled to length 1. */
  textFeatures({ inputIds, attentionMask }: TextInputs): Tensor {
    if (inputIds.ndim !== 2) throw mismatch(this.config.model_type, inputIds, '[T, S]', 'token ids have two dims');
    if (attentionMask !== undefined && attentionMask.shape.join() !== inputIds.shape.join())
      throw mismatch(
        this.config.model_type,
        attentionMask,
        `[${inputIds.shape.join(', ')}]`,
        'the attention mask has the shape of the token ids',
      );
    const { pooled } = this.#text.forward(inputIds, attentionMask);
    return this.text_projection?.forward(pooled) ?? pooled;
  }
  /**
   * The loss of matching pairs, text i with image i: for CLIP the cross-entropy of rows and columns (arXiv:2103.00020), for
   * SigLIP the logistic loss of each pair (arXiv:2303.15343).
   */
  loss({ logitsPerText: logits }: Pick<ContrastiveOutputs, 'logitsPerText'>): Tensor {
    const count = logits.shape[0]!;
    if (logits.shape[1] !== count)
      throw mismatch('loss', logits, `[${count}, ${count}]`, 'there is one text for each image');
    const pairs = arange(0, count, 1, { dtype: 'i32' });
    if (this.#row.projects)
      return F.crossEntropy(logits, pairs)
        .add(F.crossEntropy(logits.transpose(0, 1), pairs))
        .div(2);
    const signs = pairs.unsqueeze(0).eq(pairs.unsqueeze(1)).to(logits.dtype).mul(2).sub(1);
    return F.logsigmoid(logits.mul(signs)).sum(1).mean().neg();
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static async fromPretrained(directory: string, options: PretrainedOptions = {}): Promise<ContrastiveModel> {
    const file = join(directory, 'config.json');
    const config = contrastiveConfig((await readConfigObject(file)) as unknown as ContrastiveConfigInput, file);
    const model = init.skipInit(() => new ContrastiveModel(config));
    await loadDirectory(model, directory, { basePrefix: '', rules: contrastiveNames(config) }, options);
    return model;
  }
  /** Writes config.json and model.safetensors into a directory, each of them atomically. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory, contrastiveNames(this.config));
    const { num_labels: _, id2label: __, label2id: ___, ...vision_config } = this.config.vision_config;
    const fields = { ...this.config, vision_config };
    await writeConfigObject(join(directory, 'config.json'), this.#row.className, fields);
  }
}

const unit = (x: Tensor): Tensor => x.div(x.mul(x).sum(-1, { keepDim: true }).sqrt());

/** The differences of tensor names in files from the names of the modules. */
export const contrastiveNames = ({ vision_config: vision }: ContrastiveConfig): readonly NameRule[] => [
  ...visionArchitectures[vision.model_type]!.names(vision),
  // Texts have the block names of images.
  ...clipBlockNames,
];
