// `config.json` of Wav2Vec2 and HuBERT: every field that the model uses, checked. Defaults as in transformers; unknown fields are
// kept.
import * as z from 'zod';
import { hiddenActivations } from '../activation-names.ts';
import { checkConfig, checkParameterCount, configError, size } from '../config-file.ts';
import type { EncoderBlockLayout } from '../encoder/layout.ts';
import { type Labels, labelFields, labelsOf } from '../labels.ts';
import type { NameRule } from '../tensor-names.ts';

const probability = z.number().min(0).max(1);
const positive = z.int().min(1);
const perLayer = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(64).readonly();

// Names and defaults: transformers, Wav2Vec2Config.
const wav2Vec2ConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.enum(['wav2vec2', 'hubert']).default('wav2vec2'),
  /** The number of tokens. */
  vocab_size: size.vocabulary.default(32),
  /** The size of hidden states. */
  hidden_size: size.width.default(768),
  /** The number of layers. */
  num_hidden_layers: size.layers.default(12),
  /** The number of attention heads of a layer. */
  num_attention_heads: size.heads.default(12),
  /** The inner size of the feed-forward network. */
  intermediate_size: size.innerWidth.default(3072),
  /** The activation of the feed-forward network. */
  hidden_act: z.enum(hiddenActivations).default('gelu'),
  /** The dropout probability of embeddings and outputs of blocks. */
  hidden_dropout: probability.default(0.1),
  /** The dropout probability of inner values of the feed-forward network. */
  activation_dropout: probability.default(0.1),
  /** The dropout probability of attention weights. */
  attention_dropout: probability.default(0.1),
  /** The dropout probability of projected features. */
  feat_proj_dropout: probability.default(0),
  /** The dropout probability before the head. */
  final_dropout: probability.default(0.1),
  /** The probability that a layer is skipped in training. */
  layerdrop: probability.default(0.1),
  /** The standard deviation of initial weights. */
  initializer_range: z.number().positive().default(0.02),
  /** Added to the variance in layer normalization. */
  layer_norm_eps: z.number().positive().default(1e-5),
  /** `group`: a norm of each channel after the first convolution; `layer`: layer norms after all of them. */
  feat_extract_norm: z.enum(['group', 'layer']).default('group'),
  /** The activation of the convolutions. */
  feat_extract_activation: z.enum(hiddenActivations).default('gelu'),
  /** The number of channels of each convolution. */
  conv_dim: perLayer(size.width).default([512, 512, 512, 512, 512, 512, 512]),
  /** The stride of each convolution. */
  conv_stride: perLayer(positive.max(4096)).default([5, 2, 2, 2, 2, 2, 2]),
  /** The kernel of each convolution. */
  conv_kernel: perLayer(positive.max(4096)).default([10, 3, 3, 3, 3, 2, 2]),
  /** Whether the convolutions have biases. */
  conv_bias: z.boolean().default(false),
  /** The kernel of the convolution that embeds positions. */
  num_conv_pos_embeddings: positive.max(4096).default(128),
  /** The number of groups of its channels. */
  num_conv_pos_embedding_groups: size.width.default(16),
  /** Whether norms come before attention and feed-forward network (pre-norm), not after the residual sums (post-norm). */
  do_stable_layer_norm: z.boolean().default(false),
  /** The probability of a mask in training; with 0, and `mask_feature_prob` 0, files have no vector for masked frames. */
  mask_time_prob: probability.default(0.05),
  /** The probability of a mask of features in training. */
  mask_feature_prob: probability.default(0),
  /** The id of the padding token, the blank of the CTC loss. */
  pad_token_id: z.int().min(0).nullable().default(0),
  /** The reduction of the CTC loss. */
  ctc_loss_reduction: z.enum(['sum', 'mean']).default('sum'),
  /** Whether infinite losses count as 0. */
  ctc_zero_infinity: z.boolean().default(false),
  /** HuBERT: whether features are normalized before their projection. */
  feat_proj_layer_norm: z.boolean().optional(),
  /** HuBERT: a batch norm of the position convolution is not supported. */
  conv_pos_batch_norm: z.literal(false).optional(),
  /** Classifiers: the size of the vectors that are averaged. */
  classifier_proj_size: size.width.default(256),
  /** Classifiers: whether frames are a weighted sum of the results of all layers, not the result of the last one. */
  use_weighted_layer_sum: z.boolean().default(false),
  ...labelFields,
  /** Adapters are not supported. */
  add_adapter: z.literal(false).default(false),
  /** Adapters of attention are not supported. */
  adapter_attn_dim: z.null().optional(),
});

/** The fields of Wav2Vec2's `config.json`, under their own names; unknown ones are kept unchanged. */
export type Wav2Vec2Config = Readonly<z.output<typeof wav2Vec2ConfigSchema>> & Labels;
/** Any of the fields; missing ones have Hugging Face's defaults. */
export type Wav2Vec2ConfigInput = Readonly<z.input<typeof wav2Vec2ConfigSchema>>;

/**
 * Checks the fields of a Wav2Vec2 configuration and fills in the defaults, those of wav2vec2-base. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @example
 * wav2Vec2Config({ num_hidden_layers: 2 }).conv_dim.length // 7
 */
export function wav2Vec2Config(fields: Wav2Vec2ConfigInput = {}, file = 'the Wav2Vec2 configuration'): Wav2Vec2Config {
  const known = checkConfig(wav2Vec2ConfigSchema, fields, file);
  const fail = configError(file);
  const config: Wav2Vec2Config = { ...known, ...labelsOf(known, fail) };
  const { hidden_size: width, num_attention_heads: heads, conv_dim, num_conv_pos_embedding_groups: groups } = config;
  if (width % heads !== 0) throw fail('hidden_size', `${width} is not a multiple of num_attention_heads, ${heads}`);
  if (width % groups !== 0)
    throw fail('hidden_size', `${width} is not a multiple of num_conv_pos_embedding_groups, ${groups}`);
  for (const name of ['conv_stride', 'conv_kernel'] as const)
    if (config[name].length !== conv_dim.length)
      throw fail(name, `it has ${config[name].length} entries, conv_dim has ${conv_dim.length}`);
  const { pad_token_id: blank, vocab_size: vocabulary } = config;
  if (blank !== null && blank >= vocabulary)
    throw fail('pad_token_id', `${blank} is not below vocab_size, ${vocabulary}`);
  const perBlock = 4 * width ** 2 + 2 * width * config.intermediate_size;
  const convolutions = conv_dim.reduce((sum, n, i) => sum + n * (conv_dim[i - 1] ?? 1) * config.conv_kernel[i]!, 0);
  checkParameterCount(config.num_hidden_layers * perBlock + convolutions, file);
  return config;
}

/** The blocks of a Wav2Vec2. */
export const wav2Vec2Block = (config: Wav2Vec2Config): EncoderBlockLayout => ({
  width: config.hidden_size,
  innerWidth: config.intermediate_size,
  heads: config.num_attention_heads,
  headDim: config.hidden_size / config.num_attention_heads,
  norm: { eps: config.layer_norm_eps, bias: true },
  residual: config.do_stable_layer_norm ? 'pre' : 'post',
  distances: { kind: 'none' },
  bias: { attention: true, attentionOutput: true, feedForward: true },
  activation: config.hidden_act,
  gated: false,
  layerScale: undefined,
  dropPath: 0,
  dropout: {
    attention: config.attention_dropout,
    attentionOutput: config.hidden_dropout,
    inner: config.activation_dropout,
    output: config.hidden_dropout,
  },
  initializerRange: config.initializer_range,
});

/** The beginning of the names of transformers' classes, and the field that holds the model in those with a head. */
export const wav2Vec2Types = {
  wav2vec2: { className: 'Wav2Vec2', prefix: 'wav2vec2' },
  hubert: { className: 'Hubert', prefix: 'hubert' },
} as const;

/** The differences of tensor names in files from the names of the modules. */
export const wav2Vec2Names = ({ model_type: type }: Wav2Vec2Config): readonly NameRule[] => [
  { file: wav2Vec2Types[type].prefix, model: 'wav2vec2' },
  { file: 'attention.q_proj', model: 'attention.self.query' },
  { file: 'attention.k_proj', model: 'attention.self.key' },
  { file: 'attention.v_proj', model: 'attention.self.value' },
  { file: 'attention.out_proj', model: 'attention.output.dense' },
  { file: 'layer_norm', model: 'attention.output.LayerNorm' },
  { file: 'layer_norm', model: 'layernorm_before' },
  { file: 'final_layer_norm', model: 'output.LayerNorm' },
  { file: 'final_layer_norm', model: 'layernorm_after' },
  { file: 'feed_forward.intermediate_dense', model: 'intermediate.dense' },
  { file: 'feed_forward.output_dense', model: 'output.dense' },
  { file: 'encoder.layers', model: 'encoder.layer' },
  // Both spellings of weight normalization in PyTorch.
  { file: ['conv.parametrizations.weight.original0', 'conv.weight_g'], model: 'conv.weight_g' },
  { file: ['conv.parametrizations.weight.original1', 'conv.weight_v'], model: 'conv.weight_v' },
];
