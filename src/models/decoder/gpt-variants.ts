// Decoders in the line of GPT: feed-forward networks without a gate, LayerNorm, learned positions or linear biases (ALiBi) in
// some, and queries, keys and values that files store as one tensor. Rows of the table in architectures.ts.
import type { NameRule } from '../tensor-names.ts';
import { allHeads, type DecoderArchitecture, type DecoderConfig } from './fields.ts';

const noAnswers = allHeads.slice(0, 2);
const bias = (queryKeyValue: boolean, others = queryKeyValue, head = false) => ({
  queryKeyValue,
  output: others,
  feedForward: others,
  head,
});

/** The names of the block's projections; queries, keys and values of each of `groups` heads follow each other in `joined`. */
const joinedNames = (joined: string, output: string, groups: number): readonly NameRule[] => [
  { file: joined, model: ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'], groups },
  { file: output, model: 'self_attn.o_proj' },
];
const feedForwardNames = (up: string, down: string): readonly NameRule[] => [
  { file: `mlp.${up}`, model: 'mlp.up_proj' },
  { file: `mlp.${down}`, model: 'mlp.down_proj' },
];
/** GPT-2's files have [in, out]. */
const transposed = (rule: NameRule): NameRule => ({ ...rule, isTransposed: true });
/** GPT-2's names of what surrounds the blocks. */
const gpt2Names: readonly NameRule[] = [
  { file: 'wte', model: 'embed_tokens' },
  { file: 'wpe', model: 'embed_positions' },
  { file: 'h', model: 'layers' },
  { file: 'ln_1', model: 'input_layernorm' },
  { file: 'ln_2', model: 'post_attention_layernorm' },
  { file: 'ln_f', model: 'norm' },
  { file: 'transformer', model: 'model' },
];
/** BLOOM's and Falcon's. */
const bloomNames: readonly NameRule[] = [
  { file: 'word_embeddings', model: 'embed_tokens' },
  { file: 'word_embeddings_layernorm', model: 'embed_norm' },
  { file: 'h', model: 'layers' },
  { file: 'ln_f', model: 'norm' },
  { file: 'transformer', model: 'model' },
];

const gpt2Aliases = {
  hidden_size: ['n_embd'],
  num_hidden_layers: ['n_layer'],
  num_attention_heads: ['n_head'],
  max_position_embeddings: ['n_positions'],
  intermediate_size: ['n_inner'],
  hidden_act: ['activation_function'],
  layer_norm_eps: ['layer_norm_epsilon'],
  attention_dropout: ['attn_pdrop'],
} as const;
const learned = ({ max_position_embeddings: count }: DecoderConfig, offset = 0) => ({ count, offset });

/** Whether a layer of GPT-Neo has a window. */
function isWindowedGptNeo({ attention_types: types }: DecoderConfig, layer: number): boolean {
  const kinds = (types ?? [[['global', 'local'], layer + 1] as const]).flatMap(([list, times]) =>
    Array.from({ length: times }, () => list).flat(),
  );
  return kinds[layer] === 'local';
}

const falconKeyHeads = (config: DecoderConfig): number => {
  if (config.new_decoder_architecture === true) return config.num_kv_heads ?? config.num_attention_heads;
  return (config.multi_query ?? true) ? 1 : config.num_attention_heads;
};
function falconResidual(config: DecoderConfig): 'pre' | 'parallel' | 'parallel-norms' {
  const { new_decoder_architecture: isNew = false, parallel_attn: isParallel = true } = config;
  if (isNew) return (config.num_ln_in_parallel_attn ?? 2) === 2 ? 'parallel-norms' : 'parallel';
  return isParallel ? 'parallel' : 'pre';
}
const bigCodeKeyHeads = (config: DecoderConfig): number =>
  (config.multi_query ?? true) ? 1 : config.num_attention_heads;

/** Scores are divided by the square root of the size of a head, unless the file says otherwise. */
const gpt2Scale = ({ scale_attn_weights: isScaled = true }: DecoderConfig) => (isScaled ? {} : { attentionScale: 1 });

/** The rows by their `model_type`. */
export const gptVariants: Readonly<Record<string, DecoderArchitecture>> = {
  gpt2: {
    className: 'GPT2LMHeadModel',
    heads: allHeads,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 50_257,
      hidden_size: 768,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      hidden_act: 'gelu_new',
      max_position_embeddings: 1024,
      layer_norm_eps: 1e-5,
      resid_pdrop: 0.1,
      embd_pdrop: 0.1,
      attention_dropout: 0.1,
      tie_word_embeddings: true,
    },
    aliases: gpt2Aliases,
    differs: config => ({
      norm: 'layer',
      gated: false,
      bias: bias(true),
      positions: learned(config),
      ...gpt2Scale(config),
      residualInitializerRange: config.initializer_range / Math.sqrt(2 * config.num_hidden_layers),
    }),
    basePrefix: 'transformer.',
    names: () => [
      ...joinedNames('attn.c_attn', 'attn.c_proj', 1).map(transposed),
      ...feedForwardNames('c_fc', 'c_proj').map(transposed),
      ...gpt2Names,
    ],
  },
  gpt_neox: {
    className: 'GPTNeoXForCausalLM',
    heads: allHeads,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 50_432,
      hidden_size: 6144,
      num_hidden_layers: 44,
      num_attention_heads: 64,
      hidden_act: 'gelu',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      classifier_dropout: 0.1,
      tie_word_embeddings: false,
    },
    rope: { theta: 10_000, partial: 0.25 },
    aliases: {
      partial_rotary_factor: ['rotary_pct'],
      rope_theta: ['rotary_emb_base'],
      resid_pdrop: ['hidden_dropout'],
    },
    differs: ({ use_parallel_residual: isParallel = true, attention_bias: has = true }) => ({
      norm: 'layer',
      residual: isParallel ? 'parallel-norms' : 'pre',
      gated: false,
      bias: { queryKeyValue: has, output: has, feedForward: true, head: false },
    }),
    basePrefix: 'gpt_neox.',
    names: ({ num_attention_heads: heads }) => [
      ...joinedNames('attention.query_key_value', 'attention.dense', heads),
      ...feedForwardNames('dense_h_to_4h', 'dense_4h_to_h'),
      { file: 'embed_in', model: 'embed_tokens' },
      { file: 'embed_out', model: 'lm_head' },
      { file: 'final_layer_norm', model: 'norm' },
      { file: 'gpt_neox', model: 'model' },
    ],
  },
  opt: {
    className: 'OPTForCausalLM',
    heads: ['ForSequenceClassification', 'ForQuestionAnswering'],
    defaults: {
      vocab_size: 50_272,
      hidden_size: 768,
      num_hidden_layers: 12,
      intermediate_size: 3072,
      num_attention_heads: 12,
      hidden_act: 'relu',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      resid_pdrop: 0.1,
      pad_token_id: 1,
      tie_word_embeddings: true,
    },
    aliases: {
      intermediate_size: ['ffn_dim'],
      hidden_act: ['activation_function'],
      resid_pdrop: ['dropout'],
      initializer_range: ['init_std'],
    },
    differs: config => ({
      norm: config.layer_norm_elementwise_affine === false ? 'layer-fixed' : 'layer',
      residual: config.do_layer_norm_before === false ? 'after' : 'pre',
      hasLastNorm: config.do_layer_norm_before !== false && config._remove_final_layer_norm !== true,
      gated: false,
      bias: bias(config.enable_bias ?? true),
      positions: { ...learned(config, 2), isCounted: true },
      embeddingWidth: config.word_embed_proj_dim ?? config.hidden_size,
    }),
    basePrefix: 'model.decoder.',
    names: ({ do_layer_norm_before: isBefore = true }) => [
      { file: 'self_attn.out_proj', model: 'self_attn.o_proj' },
      { file: 'fc1', model: 'mlp.up_proj' },
      { file: 'fc2', model: 'mlp.down_proj' },
      { file: 'self_attn_layer_norm', model: isBefore ? 'input_layernorm' : 'post_attention_layernorm' },
      { file: 'final_layer_norm', model: isBefore ? 'post_attention_layernorm' : 'post_feedforward_layernorm' },
      // Files of the model without a head have the field `decoder` alone.
      { file: ['final_layer_norm', 'decoder.final_layer_norm'], model: 'norm' },
      ...['embed_tokens', 'embed_positions', 'project_in', 'project_out', 'layers'].map(model => ({
        file: [model, `decoder.${model}`],
        model,
      })),
      { file: 'model.decoder', model: 'model' },
    ],
  },
  bloom: {
    className: 'BloomForCausalLM',
    heads: allHeads,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 250_880,
      hidden_size: 64,
      num_hidden_layers: 2,
      num_attention_heads: 8,
      hidden_act: 'gelu_new',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      tie_word_embeddings: true,
    },
    aliases: {
      hidden_size: ['n_embed'],
      num_hidden_layers: ['n_layer'],
      num_attention_heads: ['n_head'],
      layer_norm_eps: ['layer_norm_epsilon'],
      resid_pdrop: ['hidden_dropout'],
    },
    differs: () => ({
      norm: 'layer',
      gated: false,
      bias: bias(true),
      embeddingNorm: true,
      alibi: { scale: 1, isRounded: false },
      maxPositions: Number.POSITIVE_INFINITY,
    }),
    basePrefix: 'transformer.',
    names: ({ num_attention_heads: heads }) => [
      ...joinedNames('self_attention.query_key_value', 'self_attention.dense', heads),
      ...feedForwardNames('dense_h_to_4h', 'dense_4h_to_h'),
      ...bloomNames,
    ],
  },
  falcon: {
    className: 'FalconForCausalLM',
    heads: allHeads,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 65_024,
      hidden_size: 4544,
      num_hidden_layers: 32,
      num_attention_heads: 71,
      hidden_act: 'gelu',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      tie_word_embeddings: true,
    },
    rope: { theta: 10_000 },
    isRotary: ({ alibi }) => alibi !== true,
    aliases: {
      num_hidden_layers: ['n_layer'],
      num_attention_heads: ['n_head'],
      intermediate_size: ['ffn_hidden_size'],
      hidden_act: ['activation'],
      layer_norm_eps: ['layer_norm_epsilon'],
      resid_pdrop: ['hidden_dropout'],
    },
    differs: config => ({
      norm: 'layer',
      residual: falconResidual(config),
      gated: false,
      keyHeads: falconKeyHeads(config),
      bias: bias(config.bias ?? false),
      ...(config.alibi === true && {
        // Biases are added before scores are scaled.
        alibi: { scale: (config.hidden_size / config.num_attention_heads) ** -0.5, isRounded: true },
        maxPositions: Number.POSITIVE_INFINITY,
      }),
    }),
    basePrefix: 'transformer.',
    names: config => [
      ...joinedNames('self_attention.query_key_value', 'self_attention.dense', falconKeyHeads(config)),
      ...feedForwardNames('dense_h_to_4h', 'dense_4h_to_h'),
      ...(falconResidual(config) === 'parallel-norms'
        ? [
            { file: 'ln_attn', model: 'input_layernorm' },
            { file: 'ln_mlp', model: 'post_attention_layernorm' },
          ]
        : []),
      ...bloomNames,
    ],
  },
  mpt: {
    className: 'MptForCausalLM',
    heads: allHeads,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 50_368,
      hidden_size: 2048,
      num_hidden_layers: 24,
      num_attention_heads: 16,
      hidden_act: 'gelu',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      tie_word_embeddings: true,
    },
    aliases: {
      hidden_size: ['d_model'],
      num_hidden_layers: ['n_layers'],
      num_attention_heads: ['n_heads'],
      max_position_embeddings: ['max_seq_len'],
      layer_norm_eps: ['layer_norm_epsilon'],
    },
    differs: ({ attn_config: attention, hidden_size: width, num_attention_heads: heads }) => ({
      norm: 'layer-unbiased',
      gated: false,
      // transformers reads logit_scale and ignores it.
      logitScale: 1,
      attentionScale: attention?.softmax_scale ?? (width / heads) ** -0.5,
      queryKeyValueClip: attention?.clip_qkv ?? undefined,
      alibi: { scale: 1, isRounded: false },
      dropout: { embeddings: 0, attention: attention?.attn_pdrop ?? 0, residual: attention?.attn_pdrop ?? 0 },
    }),
    basePrefix: 'transformer.',
    names: () => [
      ...joinedNames('attn.Wqkv', 'attn.out_proj', 1),
      { file: 'ffn', model: 'mlp' },
      { file: 'wte', model: 'embed_tokens' },
      { file: 'blocks', model: 'layers' },
      { file: 'norm_1', model: 'input_layernorm' },
      { file: 'norm_2', model: 'post_attention_layernorm' },
      { file: 'norm_f', model: 'norm' },
      { file: 'transformer', model: 'model' },
    ],
  },
  gptj: {
    className: 'GPTJForCausalLM',
    heads: ['ForSequenceClassification', 'ForQuestionAnswering'],
    defaults: {
      vocab_size: 50_400,
      hidden_size: 4096,
      num_hidden_layers: 28,
      num_attention_heads: 16,
      hidden_act: 'gelu_new',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      rotary_dim: 64,
      tie_word_embeddings: false,
    },
    rope: { theta: 10_000 },
    aliases: gpt2Aliases,
    differs: () => ({
      norm: 'layer',
      residual: 'parallel',
      gated: false,
      rotatedPairs: 'neighbors',
      bias: { queryKeyValue: false, output: false, feedForward: true, head: true },
    }),
    basePrefix: 'transformer.',
    names: () => [
      { file: 'attn.out_proj', model: 'self_attn.o_proj' },
      { file: 'attn', model: 'self_attn' },
      ...feedForwardNames('fc_in', 'fc_out'),
      ...gpt2Names,
    ],
  },
  gpt_neo: {
    className: 'GPTNeoForCausalLM',
    heads: allHeads,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 50_257,
      hidden_size: 2048,
      num_hidden_layers: 24,
      num_attention_heads: 16,
      hidden_act: 'gelu_new',
      max_position_embeddings: 2048,
      sliding_window: 256,
      layer_norm_eps: 1e-5,
      classifier_dropout: 0.1,
      tie_word_embeddings: true,
    },
    aliases: {
      num_hidden_layers: ['num_layers'],
      num_attention_heads: ['num_heads'],
      hidden_act: ['activation_function'],
      sliding_window: ['window_size'],
      layer_norm_eps: ['layer_norm_epsilon'],
      resid_pdrop: ['resid_dropout'],
      embd_pdrop: ['embed_dropout'],
    },
    isWindowed: isWindowedGptNeo,
    differs: config => ({
      norm: 'layer',
      gated: false,
      attentionScale: 1,
      bias: bias(false, true),
      positions: learned(config),
    }),
    basePrefix: 'transformer.',
    names: () => [
      { file: 'attn.attention.out_proj', model: 'self_attn.o_proj' },
      { file: 'attn.attention', model: 'self_attn' },
      ...feedForwardNames('c_fc', 'c_proj'),
      ...gpt2Names,
    ],
  },
  gpt_bigcode: {
    className: 'GPTBigCodeForCausalLM',
    heads: noAnswers,
    tokenClassifier: 'classifier',
    defaults: {
      vocab_size: 50_257,
      hidden_size: 768,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      hidden_act: 'gelu_pytorch_tanh',
      max_position_embeddings: 1024,
      layer_norm_eps: 1e-5,
      resid_pdrop: 0.1,
      embd_pdrop: 0.1,
      attention_dropout: 0.1,
      tie_word_embeddings: true,
    },
    aliases: gpt2Aliases,
    differs: config => ({
      norm: 'layer',
      gated: false,
      keyHeads: bigCodeKeyHeads(config),
      bias: bias(true),
      positions: learned(config),
      ...gpt2Scale(config),
    }),
    basePrefix: 'transformer.',
    names: config => [
      ...joinedNames('attn.c_attn', 'attn.c_proj', bigCodeKeyHeads(config)),
      ...feedForwardNames('c_fc', 'c_proj'),
      ...gpt2Names,
    ],
  },
};
