// The fields of a decoder's config.json, and what a row of the table of architectures says. Names and defaults of the fields
// match transformers.
import * as z from 'zod';
import { hiddenActivations } from '../activation-names.ts';
import { size } from '../config-file.ts';
import { labelFields } from '../labels.ts';
import type { NameRule } from '../tensor-names.ts';
import type { DecoderLayout, ExpertsLayout } from './layout.ts';
import { type RopeDefaults, ropeFields } from './rope-parameters.ts';

const probability = z.number().min(0).max(1);
const positive = z.number().positive();
const layerTypes = z.enum(['full_attention', 'sliding_attention']);

export const decoderConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.string(),
  /** The number of tokens in the vocabulary. */
  vocab_size: size.vocabulary,
  /** The size of hidden states. */
  hidden_size: size.width,
  /** The inner size of the feed-forward network. */
  intermediate_size: size.innerWidth,
  /** The number of blocks. */
  num_hidden_layers: size.layers,
  /** The number of heads of queries. */
  num_attention_heads: size.heads,
  /** The number of heads of keys and values; null: the same as that of queries. */
  num_key_value_heads: size.heads.nullish(),
  /** The size of a head; null: the hidden size divided by the heads. */
  head_dim: size.width.nullish(),
  /** The activation of the feed-forward network. */
  hidden_act: z.enum(hiddenActivations).optional(),
  /** Gemma's name of `hidden_act`, which takes precedence. */
  hidden_activation: z.enum(hiddenActivations).nullish(),
  /** The longest sequence, in tokens. */
  max_position_embeddings: size.positions,
  /** The standard deviation of initial weights. */
  initializer_range: positive.default(0.02),
  /** Added to the mean square in RMSNorm. */
  rms_norm_eps: positive.optional(),
  /** Added to the variance in LayerNorm. */
  layer_norm_eps: positive.optional(),
  /** Whether the head shares the weights of the token embeddings. */
  tie_word_embeddings: z.boolean(),
  /** The dropout probability of attention weights. */
  attention_dropout: probability.nullish(),
  /** The dropout probability of embeddings. */
  embd_pdrop: probability.optional(),
  /** The dropout probability of values that are added to the residual stream. */
  resid_pdrop: probability.optional(),
  /** Whether the projections of the attention have biases. */
  attention_bias: z.boolean().optional(),
  /** Whether the feed-forward network has biases. */
  mlp_bias: z.boolean().optional(),
  /** The number of positions that a position sees in layers with a window; null: all. */
  sliding_window: z.int().min(0).nullish(),
  /** Whether there are layers with a window. */
  use_sliding_window: z.boolean().optional(),
  /** Layers from this one on have a window. */
  max_window_layers: z.int().min(0).optional(),
  /** Every n-th layer has no window; 0: no layer has one; or a letter for each layer, L with a window and G without, repeated. */
  sliding_window_pattern: z
    .union([
      z.int().min(0),
      z.string().regex(/^[LG]+$/, { error: 'expected a number of layers, or letters like LLLG' }),
    ])
    .nullish(),
  /** The kind of each layer. */
  layer_types: z.array(layerTypes).nullish(),
  /** SmolLM 3: 0 for layers without rotary positions. */
  no_rope_layers: z.array(z.int().min(0).max(1)).nullish(),
  /** SmolLM 3: every n-th layer has no rotary positions. */
  no_rope_layer_interval: z.int().positive().optional(),
  /** Scores are divided by the square root of this instead of the size of a head. */
  query_pre_attn_scalar: positive.optional(),
  /** Scores are kept within ± this; null: they are not. */
  attn_logit_softcapping: positive.nullish(),
  /** Logits are kept within ± this; null: they are not. */
  final_logit_softcapping: positive.nullish(),
  /** Phi: whether queries and keys are normalized. */
  qk_layernorm: z.boolean().optional(),
  /** Whether positions also see later ones: not supported. */
  use_bidirectional_attention: z.literal(false).nullish(),
  /** The number of experts: Mixtral's name. */
  num_local_experts: size.experts.optional(),
  /** The number of experts: Qwen's name. */
  num_experts: z
    .int()
    .min(0)
    .max(1 << 14)
    .optional(),
  /** The number of experts that a token goes to. */
  num_experts_per_tok: size.experts.optional(),
  /** The inner size of an expert. */
  moe_intermediate_size: size.innerWidth.optional(),
  /** The inner size of the network that all tokens go to. */
  shared_expert_intermediate_size: size.innerWidth.optional(),
  /** gpt-oss: the limit of the activation's inputs: other values are not supported. */
  swiglu_limit: z.literal(7).optional(),
  /** Whether the shares of a token's experts sum to 1. */
  norm_topk_prob: z.boolean().optional(),
  /** The interval of the layers with experts: 2 for every second layer. */
  decoder_sparse_step: z.int().positive().optional(),
  /** Layers without experts. */
  mlp_only_layers: z.array(z.int().min(0)).nullish(),
  /** Whether queries, keys and values have biases. */
  qkv_bias: z.boolean().optional(),
  /** GPT-NeoX, StableLM: whether attention and feed-forward network get the same hidden states, and both are added. */
  use_parallel_residual: z.boolean().optional(),
  /** StableLM: whether queries, keys and values have biases. */
  use_qkv_bias: z.boolean().optional(),
  /** StarCoder 2: whether all projections have biases. */
  use_bias: z.boolean().optional(),
  /** Cohere: whether queries and keys are normalized. */
  use_qk_norm: z.boolean().optional(),
  /** Cohere: multiplies the logits. MPT: ignored, also a string like `inv_sqrt_d_model`, as in transformers. */
  logit_scale: z.union([positive, z.string()]).nullish(),
  /** Granite: multiplies token embeddings. */
  embedding_multiplier: positive.optional(),
  /** Granite: multiplies scores. */
  attention_multiplier: positive.optional(),
  /** Granite: multiplies the values that are added to the residual stream. */
  residual_multiplier: positive.optional(),
  /** Granite: divides the logits. */
  logits_scaling: positive.optional(),
  /** OLMo: queries, keys and values are kept within ± this; null: they are not. */
  clip_qkv: positive.nullish(),
  /** Seed-OSS: whether the projection of the attention's result has a bias. */
  attention_out_bias: z.boolean().optional(),
  /** OPT: whether norms come before attention and feed-forward network, or after their residual connections. */
  do_layer_norm_before: z.boolean().optional(),
  /** OPT: whether there is no last norm, as in checkpoints made before it was introduced. */
  _remove_final_layer_norm: z.boolean().optional(),
  /** OPT: the size of token embeddings. */
  word_embed_proj_dim: size.width.nullish(),
  /** OPT: whether all projections have biases. */
  enable_bias: z.boolean().optional(),
  /** OPT: whether norms have weights. */
  layer_norm_elementwise_affine: z.boolean().optional(),
  /** BLOOM: whether residual connections start after norms: not supported. */
  apply_residual_connection_post_layernorm: z.literal(false).optional(),
  /** Falcon: whether scores have linear biases (ALiBi) in place of rotary positions. */
  alibi: z.boolean().nullish(),
  /** MPT: the fields of the attention. */
  attn_config: z
    .looseObject({
      /** Dropout of attention weights and of values that are added to the residual stream. */
      attn_pdrop: probability.optional(),
      /** Queries, keys and values are kept within ± this; null: they are not. */
      clip_qkv: positive.nullish(),
      /** The factor of scores; null: 1 divided by the square root of the size of a head. */
      softmax_scale: positive.nullish(),
      /** The exponent of the smallest slope of linear biases: other values are not supported. */
      alibi_bias_max: z.literal(8).optional(),
    })
    .nullish(),
  /** Falcon: whether heads of keys have the number `num_kv_heads`. */
  new_decoder_architecture: z.boolean().optional(),
  /** Falcon, GPT-BigCode: whether there is one head of keys and values. */
  multi_query: z.boolean().optional(),
  /** Falcon: the number of heads of keys and values, if `new_decoder_architecture`. */
  num_kv_heads: size.heads.nullish(),
  /** Falcon: whether attention and feed-forward network get the same hidden states, and both are added. */
  parallel_attn: z.boolean().optional(),
  /** Falcon: the number of norms of a block with `parallel_attn`. */
  num_ln_in_parallel_attn: z.int().min(1).max(2).nullish(),
  /** Falcon: whether all projections have biases. */
  bias: z.boolean().optional(),
  /** GPT-Neo: the kinds of layers, `global` and `local`, each list with its number of repetitions. */
  attention_types: z.array(z.tuple([z.array(z.enum(['global', 'local'])), z.int().min(1).max(4096)])).optional(),
  /** GPT-2, GPT-BigCode: whether scores are divided by the square root of the size of a head. */
  scale_attn_weights: z.boolean().optional(),
  /** GPT-2: whether scores are also divided by the number of the layer, counted from 1. */
  scale_attn_by_inverse_layer_idx: z.boolean().optional(),
  /** Dropout of the token classifier's input. */
  classifier_dropout: probability.nullish(),
  /** Dropout of hidden states. */
  hidden_dropout: probability.nullish(),
  /** The id of the padding token; null: none. Classifiers of sequences use the last token that is not padding. */
  pad_token_id: z.int().nullish(),
  /** The factor of `routerLoss` in the loss. */
  router_aux_loss_coef: z.number().min(0).optional(),
  /** Noise of the router's input in training: not supported. */
  router_jitter_noise: z.literal(0).optional(),
  ...labelFields,
  ...ropeFields,
});

/** The fields of a decoder's `config.json`, under their own names; unknown ones are kept unchanged. */
export type DecoderConfig = Readonly<z.output<typeof decoderConfigSchema>>;

/** Any of the fields; missing ones have the defaults of the architecture. */
export type DecoderConfigInput = {
  /** The architecture. */
  readonly model_type: string;
} & Readonly<Partial<z.input<typeof decoderConfigSchema>>>;

/** Whether a layer has a window by `sliding_window_pattern`, if every n-th has none by default. */
export function isWindowedByPattern(config: DecoderConfig, layer: number, everyNth: number): boolean {
  const pattern = config.sliding_window_pattern ?? everyNth;
  if (typeof pattern === 'number') return pattern !== 0 && (layer + 1) % pattern !== 0;
  return layer < config.num_hidden_layers - 1 && pattern[layer % pattern.length] === 'L';
}

/** A classifier, as the end of the name of its class in transformers. */
export type DecoderHeadName = 'ForSequenceClassification' | 'ForTokenClassification' | 'ForQuestionAnswering';
/** All of them. */
export const allHeads: readonly DecoderHeadName[] = [
  'ForSequenceClassification',
  'ForTokenClassification',
  'ForQuestionAnswering',
];

/** A row of the table. */
export interface DecoderArchitecture {
  /** The class in transformers that reads such a directory. */
  readonly className: string;
  /** Fields that config.json may omit. */
  readonly defaults: Readonly<Partial<z.input<typeof decoderConfigSchema>>>;
  /** The names that fields have in config.json, where they differ. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** The differences from a Llama with these fields. */
  readonly differs?: (config: DecoderConfig) => Partial<DecoderLayout>;
  /** Undefined: positions are embedded in another way. */
  readonly rope?: (RopeDefaults & { readonly localTheta?: number }) | undefined;
  /** Whether a layer has a window; none by default. */
  readonly isWindowed?: (config: DecoderConfig, layer: number) => boolean;
  /** Whether a layer has rotary positions; each by default. */
  readonly isRotary?: (config: DecoderConfig, layer: number) => boolean;
  /** The experts of a layer; none by default. */
  readonly experts?: (config: DecoderConfig, layer: number) => ExpertsLayout | undefined;
  /** The differences of tensor names in files from Llama's names, which the modules use. */
  readonly names?: (config: DecoderConfig) => readonly NameRule[];
  /** The field that holds the model without a head, with a dot; `model.` by default. */
  readonly basePrefix?: string;
  /** The classifiers that transformers has of it. */
  readonly heads: readonly DecoderHeadName[];
  /** The name of the layer that classifies tokens, where it is not `score`. */
  readonly tokenClassifier?: string;
  /** The field that holds the decoder of the class that finds answers, where it is another one than in other classes. */
  readonly answersPrefix?: string;
}
