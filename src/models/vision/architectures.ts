// Image encoders by `model_type`. A row describes the parts of the model, and the names of tensors in its files.
// Names and defaults of the fields match transformers.
import * as z from 'zod';
import { hiddenActivations } from '../activation-names.ts';
import { checkConfig, checkParameterCount, configError, size } from '../config-file.ts';
import type { EncoderBlockLayout } from '../encoder/layout.ts';
import { type Labels, labelFields, labelsOf } from '../labels.ts';
import { ofModelType } from '../model-types.ts';
import type { NameRule } from '../tensor-names.ts';
import type { PixelSize, VisionLayout } from './layout.ts';
import { isProjected } from './projected.ts';

const probability = z.number().min(0).max(1);
const pixels = z
  .int()
  .min(1)
  .max(1 << 16);
const pixelSize = z.union([pixels, z.tuple([pixels, pixels]).readonly()]);

const visionConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.string(),
  /** The size of hidden states. */
  hidden_size: size.width,
  /** The number of layers. */
  num_hidden_layers: size.layers,
  /** The number of attention heads of a layer. */
  num_attention_heads: size.heads,
  /** The inner size of the feed-forward network. */
  intermediate_size: size.innerWidth.optional(),
  /** DINOv2: the inner size divided by the size of hidden states. */
  mlp_ratio: z.number().positive().optional(),
  /** DINOv2: whether the feed-forward network multiplies two projections. */
  use_swiglu_ffn: z.boolean().optional(),
  /** The activation of the feed-forward network. */
  hidden_act: z.enum(hiddenActivations),
  /** The dropout probability of embeddings and outputs of blocks. */
  hidden_dropout_prob: probability.optional(),
  /** The dropout probability of attention weights. */
  attention_probs_dropout_prob: probability.optional(),
  /** CLIP and SigLIP: the dropout probability of attention weights. */
  attention_dropout: probability.optional(),
  /** The standard deviation of initial weights. */
  initializer_range: z.number().positive().optional(),
  /** Added to the variance in layer normalization. */
  layer_norm_eps: z.number().positive(),
  /** The height and width of images. */
  image_size: pixelSize,
  /** The height and width of patches. */
  patch_size: pixelSize,
  /** The number of channels of images. */
  num_channels: z.int().min(1).max(4096),
  /** Whether queries, keys and values have biases. */
  qkv_bias: z.boolean().optional(),
  /** ViT: the size of the pooled vector; null: the size of hidden states. */
  pooler_output_size: size.width.nullish(),
  /** ViT: the activation of the pooler. */
  pooler_act: z.enum(hiddenActivations).optional(),
  /** DINOv2: the initial factor of each feature. */
  layerscale_value: z.number().optional(),
  /** DINOv2, BEiT: the probability that a result is dropped for a whole image. */
  drop_path_rate: probability.max(0.999).optional(),
  /** DINOv2, BEiT: whether a trained vector can replace patches. */
  use_mask_token: z.boolean().optional(),
  /** DINOv2 with registers: the number of trained tokens before the patches. */
  num_register_tokens: z.int().min(0).max(4096).optional(),
  /** BEiT: the initial factor of each feature; 0: none. */
  layer_scale_init_value: z.number().optional(),
  /** BEiT: whether positions have embeddings. */
  use_absolute_position_embeddings: z.boolean().optional(),
  /** BEiT: whether each block has a table of the distances of patches. */
  use_relative_position_bias: z.boolean().optional(),
  /** BEiT: whether all blocks share one. */
  use_shared_relative_position_bias: z.boolean().optional(),
  /** BEiT: whether the vector of an image is the mean of its patches, not its first token. */
  use_mean_pooling: z.boolean().optional(),
  /** CLIP: the size of the vectors that are compared. */
  projection_dim: size.width.optional(),
  /** SigLIP: whether the image has a pooled vector. */
  vision_use_head: z.boolean().optional(),
  ...labelFields,
});

/** The fields of an image encoder's `config.json`, under their own names; unknown ones are kept unchanged. */
export type VisionConfig = Readonly<z.output<typeof visionConfigSchema>> & Labels;

/** Any of the fields; missing ones have the defaults of the architecture. */
export type VisionConfigInput = {
  /** The architecture. */
  readonly model_type: string;
} & Readonly<Partial<z.input<typeof visionConfigSchema>>>;

/** A row of the table. */
export interface VisionArchitecture {
  /** The beginning of the names of transformers' classes. */
  readonly className: string;
  /** The field that holds the encoder in models with a head, as in the names of their tensors. */
  readonly prefix: string;
  /** The `model_type` whose configuration holds that of a classifier as `vision_config`; none by default. */
  readonly within?: string;
  /** Fields that config.json may leave out. */
  readonly defaults: Readonly<Partial<z.input<typeof visionConfigSchema>>>;
  /** The differences from a ViT of these fields. */
  readonly differs?: (config: VisionConfig) => Partial<VisionLayout>;
  /** The differences of its blocks. */
  readonly block?: (config: VisionConfig) => Partial<EncoderBlockLayout>;
  /** The differences of tensor names in files from the names of the modules. */
  readonly names: (config: VisionConfig) => readonly NameRule[];
  /** The same of the modules in transformers 5, which names them differently than files. */
  readonly moduleNames?: (config: VisionConfig) => readonly NameRule[];
}

const vitDefaults = {
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  hidden_act: 'gelu',
  initializer_range: 0.02,
  image_size: 224,
  patch_size: 16,
  num_channels: 3,
} as const;

/** The names of ViT's modules in transformers 5. */
const vitModules: readonly NameRule[] = [
  { file: 'attention.q_proj', model: 'attention.self.query' },
  { file: 'attention.k_proj', model: 'attention.self.key' },
  { file: 'attention.v_proj', model: 'attention.self.value' },
  { file: 'attention.o_proj', model: 'attention.output.dense' },
  { file: 'mlp.fc1', model: 'intermediate.dense' },
  { file: 'mlp.fc2', model: 'output.dense' },
  { file: 'layers', model: 'encoder.layer' },
];

const vit: VisionArchitecture = {
  className: 'ViT',
  prefix: 'vit',
  defaults: {
    ...vitDefaults,
    intermediate_size: 3072,
    hidden_dropout_prob: 0,
    attention_probs_dropout_prob: 0,
    layer_norm_eps: 1e-12,
    qkv_bias: true,
  },
  names: () => [{ file: 'attention.attention', model: 'attention.self' }],
  moduleNames: () => vitModules,
};

/** Classifiers of this class have two heads. */
const hasTeacher = (config: VisionConfig): boolean =>
  [(config as { readonly architectures?: unknown }).architectures]
    .flat()
    .includes('DeiTForImageClassificationWithTeacher');

const deit: VisionArchitecture = {
  ...vit,
  className: 'DeiT',
  prefix: 'deit',
  differs: config => ({ hasDistillationToken: true, hasTeacher: hasTeacher(config) }),
  moduleNames: () => vitModules,
  names: config => [
    ...vit.names(config),
    ...(hasTeacher(config) ? [{ file: 'cls_classifier', model: 'classifier' }] : []),
  ],
};

const beit: VisionArchitecture = {
  className: 'Beit',
  prefix: 'beit',
  defaults: {
    ...vit.defaults,
    use_mask_token: false,
    use_absolute_position_embeddings: false,
    use_relative_position_bias: false,
    use_shared_relative_position_bias: false,
    layer_scale_init_value: 0.1,
    drop_path_rate: 0.1,
    use_mean_pooling: true,
  },
  differs: config => ({
    hasMaskToken: config.use_mask_token ?? false,
    maskTokenDims: 3,
    hasPositions: config.use_absolute_position_embeddings ?? false,
    patchDistances: {
      shared: config.use_shared_relative_position_bias ?? false,
      each: config.use_relative_position_bias ?? false,
    },
    dropPathGrows: true,
    anySize: true,
    ...((config.use_mean_pooling ?? true)
      ? { outputNorm: 'pooled', pooler: 'mean', classified: 'pooled' }
      : { pooler: 'first', classified: 'first' }),
  }),
  block: ({ layer_scale_init_value: scale = 0.1, drop_path_rate: dropPath = 0.1 }) => ({
    bias: { attention: true, key: false, attentionOutput: true, feedForward: true },
    layerScale: scale > 0 ? scale : undefined,
    dropPath,
  }),
  moduleNames: () => vitModules,
  names: config => [
    ...vit.names(config),
    ...((config.use_mean_pooling ?? true) ? [{ file: 'pooler.layernorm', model: 'layernorm' }] : []),
    { file: 'encoder.relative_position_bias', model: 'distances' },
    ...Array.from({ length: config.num_hidden_layers }, (_, i) => {
      const layer = `encoder.layer.${i}`;
      return [
        { file: `${layer}.lambda_1`, model: `${layer}.attention.output.scale` },
        { file: `${layer}.lambda_2`, model: `${layer}.output.scale` },
        { file: `${layer}.attention.attention.relative_position_bias`, model: `blockDistances.${i}` },
      ];
    }).flat(),
  ],
};

const dinov2: VisionArchitecture = {
  className: 'Dinov2',
  prefix: 'dinov2',
  defaults: {
    ...vitDefaults,
    mlp_ratio: 4,
    use_swiglu_ffn: false,
    hidden_dropout_prob: 0,
    attention_probs_dropout_prob: 0,
    layer_norm_eps: 1e-6,
    patch_size: 14,
    qkv_bias: true,
    layerscale_value: 1,
    drop_path_rate: 0,
    use_mask_token: true,
  },
  differs: config => ({
    hasMaskToken: config.use_mask_token ?? true,
    anySize: true,
    pooler: 'first',
    classified: 'first-and-mean',
  }),
  block: config => {
    const inner = Math.trunc(config.hidden_size * (config.mlp_ratio ?? 4));
    const gated = config.use_swiglu_ffn ?? false;
    return {
      // As in the reference: two thirds, rounded up to a multiple of 8.
      innerWidth: gated ? Math.trunc((Math.trunc((inner * 2) / 3) + 7) / 8) * 8 : inner,
      activation: gated ? 'silu' : config.hidden_act,
      gated,
      layerScale: config.layerscale_value ?? 1,
      dropPath: config.drop_path_rate ?? 0,
    };
  },
  names: config => [
    { file: 'attention.attention', model: 'attention.self' },
    { file: 'norm1', model: 'layernorm_before' },
    { file: 'norm2', model: 'layernorm_after' },
    { file: 'layer_scale1.lambda1', model: 'attention.output.scale' },
    // With the layer: the attention has an `output`, too.
    ...Array.from({ length: config.num_hidden_layers }, (_, i) => {
      const [layer, inner] = [`encoder.layer.${i}`, `encoder.layer.${i}.intermediate`];
      const [first, second] = config.use_swiglu_ffn === true ? ['weights_in', 'weights_out'] : ['fc1', 'fc2'];
      return [
        { file: `${layer}.layer_scale2.lambda1`, model: `${layer}.output.scale` },
        {
          file: `${layer}.mlp.${first}`,
          model: config.use_swiglu_ffn === true ? [`${inner}.dense`, `${inner}.gate`] : `${inner}.dense`,
        },
        { file: `${layer}.mlp.${second}`, model: `${layer}.output.dense` },
      ];
    }).flat(),
  ],
};

const dinov2WithRegisters: VisionArchitecture = {
  ...dinov2,
  className: 'Dinov2WithRegisters',
  prefix: 'dinov2_with_registers',
  defaults: { ...dinov2.defaults, patch_size: 16, num_register_tokens: 4 },
  differs: config => ({
    ...dinov2.differs?.(config),
    hasMaskToken: true,
    registers: config.num_register_tokens ?? 4,
    interpolation: 'antialiased',
  }),
};

/** The names of the blocks of CLIP and SigLIP, of images and texts. */
export const clipBlockNames: readonly NameRule[] = [
  { file: 'self_attn.q_proj', model: 'attention.self.query' },
  { file: 'self_attn.k_proj', model: 'attention.self.key' },
  { file: 'self_attn.v_proj', model: 'attention.self.value' },
  { file: 'self_attn.out_proj', model: 'attention.output.dense' },
  { file: 'layer_norm1', model: 'layernorm_before' },
  { file: 'layer_norm2', model: 'layernorm_after' },
  { file: 'mlp.fc1', model: 'intermediate.dense' },
  { file: 'mlp.fc2', model: 'output.dense' },
  { file: 'encoder.layers', model: 'encoder.layer' },
];

const clip: VisionArchitecture = {
  className: 'CLIPVision',
  prefix: 'vision_model',
  within: 'clip',
  defaults: {
    ...vitDefaults,
    intermediate_size: 3072,
    hidden_act: 'quick_gelu',
    layer_norm_eps: 1e-5,
    attention_dropout: 0,
    patch_size: 32,
    projection_dim: 512,
  },
  differs: config => ({
    patchBias: false,
    isFlat: true,
    inputNorm: true,
    outputNorm: 'pooled',
    pooler: 'first',
    projection: isProjected(config) ? (config.projection_dim ?? 512) : undefined,
    classified: 'mean',
  }),
  block: config => ({ dropout: attentionOnly(config) }),
  names: config => [
    ...clipBlockNames,
    { file: 'embeddings.class_embedding', model: 'embeddings.cls_token' },
    { file: 'embeddings.patch_embedding', model: 'embeddings.patch_embeddings.projection' },
    { file: 'embeddings.position_embedding.weight', model: 'embeddings.position_embeddings' },
    { file: 'pre_layrnorm', model: 'inputNorm' },
    { file: 'post_layernorm', model: 'layernorm' },
    // Next to a projection, the encoder is in a field.
    ...(isProjected(config) ? ['embeddings', 'encoder', 'pre_layrnorm', 'post_layernorm'] : []).map(part => ({
      file: `vision_model.${part}`,
      model: part,
    })),
  ],
};

const attentionOnly = (config: VisionConfig): EncoderBlockLayout['dropout'] => ({
  attention: config.attention_dropout ?? 0,
  attentionOutput: 0,
  inner: 0,
  output: 0,
});

const siglip: VisionArchitecture = {
  className: 'SiglipVision',
  prefix: 'vision_model',
  within: 'siglip',
  defaults: {
    ...vitDefaults,
    intermediate_size: 3072,
    hidden_act: 'gelu_pytorch_tanh',
    layer_norm_eps: 1e-6,
    attention_dropout: 0,
  },
  differs: config => ({
    hasClassToken: false,
    isFlat: true,
    pooler: (config.vision_use_head ?? true) ? 'attention' : 'none',
    classified: 'mean',
  }),
  block: clip.block!,
  names: config => [
    ...clip.names(config),
    { file: 'head.layernorm', model: 'pooler.norm' },
    { file: 'head', model: 'pooler' },
  ],
};

/** Every supported image encoder of patches by its `model_type`. */
export const visionArchitectures: Readonly<Record<string, VisionArchitecture>> = {
  vit,
  deit,
  beit,
  dinov2,
  dinov2_with_registers: dinov2WithRegisters,
  clip_vision_model: clip,
  siglip_vision_model: siglip,
};

/** @throws {MODEL_ARCHITECTURE_UNKNOWN} */
export const visionArchitecture = (modelType: string, file: string): VisionArchitecture =>
  ofModelType(visionArchitectures, modelType, file);

/** Height and width. */
const sizeOf = (value: z.output<typeof pixelSize>): PixelSize => (typeof value === 'number' ? [value, value] : value);

/**
 * Checks the fields of an image encoder's configuration and fills in the defaults of its architecture. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * visionConfig({ model_type: 'dinov2', num_hidden_layers: 2 }).patch_size // 14
 */
export function visionConfig(fields: VisionConfigInput, file = 'the configuration'): VisionConfig {
  const { defaults } = visionArchitecture(fields.model_type, file);
  const given = { ...defaults, ...fields } as z.input<typeof visionConfigSchema>;
  const known = checkConfig(visionConfigSchema, given, file);
  const fail = configError(file);
  const config: VisionConfig = { ...known, ...labelsOf(known, fail) };
  const { hidden_size: width, num_attention_heads: heads } = config;
  if (width % heads !== 0) throw fail('hidden_size', `${width} is not a multiple of num_attention_heads, ${heads}`);
  const { imageSize, patchSize, block, layers } = visionLayout(config);
  if (imageSize.some((n, i) => n < patchSize[i]!))
    throw fail('patch_size', `${patchSize.join('×')} is larger than image_size, ${imageSize.join('×')}`);
  checkParameterCount(layers * (4 * width ** 2 + 2 * width * block.innerWidth), file);
  return config;
}

/**
 * The parts and sizes of an image encoder of this configuration.
 * @example
 * visionLayout(visionConfig({ model_type: 'vit' })).patchSize // [16, 16]
 */
export function visionLayout(config: VisionConfig): VisionLayout {
  const { hidden_size: width, num_attention_heads: heads, hidden_dropout_prob: hidden = 0 } = config;
  const { differs, block } = visionArchitecture(config.model_type, 'the configuration');
  return {
    imageSize: sizeOf(config.image_size),
    patchSize: sizeOf(config.patch_size),
    channels: config.num_channels,
    layers: config.num_hidden_layers,
    block: {
      width,
      innerWidth: config.intermediate_size ?? 4 * width,
      heads,
      headDim: width / heads,
      norm: { eps: config.layer_norm_eps, bias: true },
      residual: 'pre',
      distances: { kind: 'none' },
      bias: { attention: config.qkv_bias ?? true, attentionOutput: true, feedForward: true },
      activation: config.hidden_act,
      gated: false,
      layerScale: undefined,
      dropPath: 0,
      dropout: {
        attention: config.attention_probs_dropout_prob ?? 0,
        attentionOutput: hidden,
        inner: 0,
        output: hidden,
      },
      initializerRange: config.initializer_range ?? 0.02,
      ...block?.(config),
    },
    patchBias: true,
    hasClassToken: true,
    hasDistillationToken: false,
    hasTeacher: false,
    hasMaskToken: false,
    maskTokenDims: 2,
    hasPositions: true,
    patchDistances: { shared: false, each: false },
    dropPathGrows: false,
    registers: 0,
    isFlat: false,
    anySize: false,
    interpolation: 'bicubic',
    inputNorm: false,
    outputNorm: 'tokens',
    pooler: 'dense',
    projection: undefined,
    classified: 'first',
    embeddingDropout: hidden,
    ...differs?.(config),
  };
}
