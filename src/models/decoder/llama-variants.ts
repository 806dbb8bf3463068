// Decoders that have Llama's parts in other forms: other norms and their places, rotary positions of neighboring dims, factors,
// clipped projections, one projection less. Rows of the table in architectures.ts.
import { allHeads, type DecoderArchitecture, type DecoderConfig, isWindowedByPattern } from './fields.ts';

const noAnswers = allHeads.slice(0, 2);
const sequences = allHeads.slice(0, 1);

const sizes = {
  vocab_size: 32_000,
  hidden_size: 4096,
  intermediate_size: 11_008,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  hidden_act: 'silu',
  max_position_embeddings: 2048,
  tie_word_embeddings: false,
} as const;
const noBias = { queryKeyValue: false, output: false, feedForward: false, head: false } as const;
const gateAndUp = { file: 'mlp.gate_up_proj', model: ['mlp.gate_proj', 'mlp.up_proj'] } as const;

const olmo2: DecoderArchitecture = {
  className: 'Olmo2ForCausalLM',
  heads: sequences,
  defaults: { ...sizes, vocab_size: 50_304, rms_norm_eps: 1e-5 },
  rope: { theta: 10_000 },
  differs: () => ({ residual: 'post', queryKeyNorm: 'whole' }),
};

/** Cohere's parts that all versions have. */
const cohereParts = { norm: 'layer-unbiased', residual: 'parallel', rotatedPairs: 'neighbors' } as const;
const cohereSizes = {
  ...sizes,
  vocab_size: 256_000,
  hidden_size: 8192,
  intermediate_size: 22_528,
  num_hidden_layers: 40,
  num_attention_heads: 64,
  max_position_embeddings: 8192,
  layer_norm_eps: 1e-5,
  logit_scale: 0.0625,
  tie_word_embeddings: true,
} as const;
const isWindowedCohere = (config: DecoderConfig, layer: number): boolean =>
  config.layer_types == null
    ? isWindowedByPattern(config, layer, 4)
    : config.layer_types[layer] === 'sliding_attention';

const glm: DecoderArchitecture = {
  className: 'GlmForCausalLM',
  heads: noAnswers,
  defaults: {
    ...sizes,
    vocab_size: 151_552,
    intermediate_size: 13_696,
    num_hidden_layers: 40,
    num_key_value_heads: 2,
    head_dim: 128,
    max_position_embeddings: 131_072,
    rms_norm_eps: 1.5625e-7,
  },
  rope: { theta: 10_000, partial: 0.5 },
  differs: ({ attention_bias: queryKeyValue = true }) => ({
    rotatedPairs: 'neighbors',
    bias: { ...noBias, queryKeyValue },
  }),
  names: () => [gateAndUp],
};

const isWindowedExaone = (config: DecoderConfig, layer: number): boolean =>
  config.sliding_window != null && config.sliding_window_pattern !== null && isWindowedByPattern(config, layer, 4);

/** The rows by their `model_type`. */
export const llamaVariants: Readonly<Record<string, DecoderArchitecture>> = {
  olmo: {
    className: 'OlmoForCausalLM',
    heads: sequences,
    defaults: { ...sizes, vocab_size: 50_304, layer_norm_eps: 1e-5 },
    rope: { theta: 10_000 },
    differs: ({ clip_qkv }) => ({ norm: 'layer-fixed', queryKeyValueClip: clip_qkv ?? undefined }),
  },
  olmo2,
  olmo3: {
    ...olmo2,
    className: 'Olmo3ForCausalLM',
    defaults: { ...olmo2.defaults, sliding_window: 4096 },
    rope: { theta: 500_000, localTheta: 500_000 },
    isWindowed: (_, i) => (i + 1) % 4 !== 0,
  },
  exaone4: {
    className: 'Exaone4ForCausalLM',
    heads: allHeads,
    defaults: {
      ...sizes,
      vocab_size: 102_400,
      intermediate_size: 16_384,
      num_key_value_heads: 32,
      rms_norm_eps: 1e-5,
      sliding_window: 4096,
    },
    rope: { theta: 10_000 },
    // In models with windows, only the layers that have one embed positions.
    isRotary: (config, i) =>
      config.sliding_window == null ||
      (config.layer_types == null ? isWindowedExaone(config, i) : config.layer_types[i] === 'sliding_attention'),
    isWindowed: isWindowedExaone,
    differs: () => ({ residual: 'post', queryKeyNorm: 'head' }),
  },
  helium: {
    className: 'HeliumForCausalLM',
    heads: noAnswers,
    defaults: {
      ...sizes,
      vocab_size: 48_000,
      hidden_size: 2560,
      intermediate_size: 7040,
      num_hidden_layers: 24,
      num_attention_heads: 20,
      num_key_value_heads: 20,
      head_dim: 128,
      max_position_embeddings: 4096,
      rms_norm_eps: 1e-8,
    },
    rope: { theta: 100_000 },
    differs: ({ attention_bias: queryKeyValue = false }) => ({
      rotatedPairs: 'neighbors',
      bias: { ...noBias, queryKeyValue },
    }),
  },
  granite: {
    className: 'GraniteForCausalLM',
    heads: [],
    defaults: { ...sizes, rms_norm_eps: 1e-6 },
    rope: { theta: 10_000 },
    differs: config => ({
      embeddingScale: config.embedding_multiplier ?? 1,
      attentionScale: config.attention_multiplier ?? 1,
      residualScale: config.residual_multiplier ?? 1,
      logitScale: 1 / (config.logits_scaling ?? 1),
    }),
  },
  stablelm: {
    className: 'StableLmForCausalLM',
    heads: noAnswers,
    defaults: {
      ...sizes,
      vocab_size: 50_304,
      hidden_size: 2560,
      intermediate_size: 6912,
      max_position_embeddings: 4096,
      layer_norm_eps: 1e-5,
    },
    rope: { theta: 10_000, partial: 0.25 },
    aliases: { resid_pdrop: ['hidden_dropout'] },
    differs: config => ({
      norm: 'layer',
      residual: config.use_parallel_residual === true ? 'parallel' : 'pre',
      queryKeyNorm: config.qk_layernorm === true ? 'each-head' : undefined,
      bias: { ...noBias, queryKeyValue: config.use_qkv_bias ?? false },
    }),
    names: () => [
      { file: 'self_attn.q_layernorm.norms.*.weight', model: 'self_attn.q_norm.weight' },
      { file: 'self_attn.k_layernorm.norms.*.weight', model: 'self_attn.k_norm.weight' },
    ],
  },
  starcoder2: {
    className: 'Starcoder2ForCausalLM',
    heads: noAnswers,
    defaults: {
      ...sizes,
      vocab_size: 49_152,
      hidden_size: 3072,
      intermediate_size: 12_288,
      num_hidden_layers: 30,
      num_attention_heads: 24,
      num_key_value_heads: 2,
      hidden_act: 'gelu_pytorch_tanh',
      max_position_embeddings: 4096,
      initializer_range: 0.018042,
      layer_norm_eps: 1e-5,
      tie_word_embeddings: true,
    },
    rope: { theta: 10_000 },
    aliases: {
      layer_norm_eps: ['norm_epsilon'],
      resid_pdrop: ['residual_dropout'],
      embd_pdrop: ['embedding_dropout'],
    },
    isWindowed: () => true,
    differs: ({ use_bias: has = true }) => ({
      norm: 'layer',
      gated: false,
      bias: { queryKeyValue: has, output: has, feedForward: has, head: false },
    }),
    names: () => [
      { file: 'mlp.c_fc', model: 'mlp.up_proj' },
      { file: 'mlp.c_proj', model: 'mlp.down_proj' },
    ],
  },
  cohere: {
    className: 'CohereForCausalLM',
    heads: [],
    defaults: cohereSizes,
    rope: { theta: 500_000 },
    differs: config => ({
      ...cohereParts,
      logitScale: Number(config.logit_scale ?? 1),
      queryKeyNorm: config.use_qk_norm === true ? 'each-head' : undefined,
    }),
  },
  cohere2: {
    className: 'Cohere2ForCausalLM',
    heads: [],
    defaults: { ...cohereSizes, sliding_window: 4096 },
    rope: { theta: 10_000 },
    isWindowed: isWindowedCohere,
    isRotary: (config, i) => config.sliding_window != null && isWindowedCohere(config, i),
    differs: config => ({ ...cohereParts, logitScale: Number(config.logit_scale ?? 1) }),
  },
  glm,
  glm4: {
    ...glm,
    className: 'Glm4ForCausalLM',
    differs: config => ({ ...glm.differs?.(config), residual: 'sandwich' }),
    names: () => [
      gateAndUp,
      { file: 'post_self_attn_layernorm', model: 'post_attention_layernorm' },
      { file: 'post_attention_layernorm', model: 'pre_feedforward_layernorm' },
      { file: 'post_mlp_layernorm', model: 'post_feedforward_layernorm' },
    ],
  },
  nemotron: {
    className: 'NemotronForCausalLM',
    heads: allHeads,
    answersPrefix: 'transformer',
    defaults: {
      ...sizes,
      vocab_size: 256_000,
      hidden_size: 6144,
      intermediate_size: 24_576,
      num_attention_heads: 48,
      hidden_act: 'relu2',
      max_position_embeddings: 4096,
      initializer_range: 0.0134,
      layer_norm_eps: 1e-5,
    },
    rope: { theta: 10_000, partial: 0.5 },
    aliases: { layer_norm_eps: ['norm_eps'] },
    differs: () => ({ norm: 'layer-offset', gated: false }),
  },
  arcee: {
    className: 'ArceeForCausalLM',
    heads: allHeads,
    answersPrefix: 'transformer',
    defaults: {
      ...sizes,
      hidden_size: 2560,
      intermediate_size: 18_432,
      hidden_act: 'relu2',
      max_position_embeddings: 4096,
      rms_norm_eps: 1e-5,
    },
    rope: { theta: 10_000 },
    differs: () => ({ gated: false }),
  },
  seed_oss: {
    className: 'SeedOssForCausalLM',
    heads: allHeads,
    answersPrefix: 'transformer',
    defaults: {
      ...sizes,
      vocab_size: 155_136,
      intermediate_size: 27_648,
      num_hidden_layers: 64,
      num_attention_heads: 80,
      num_key_value_heads: 8,
      head_dim: 128,
      max_position_embeddings: 524_288,
      rms_norm_eps: 1e-6,
      attention_dropout: 0.1,
      resid_pdrop: 0.1,
    },
    rope: { theta: 10_000 },
    aliases: { resid_pdrop: ['residual_dropout'] },
    differs: config => ({
      bias: {
        queryKeyValue: config.attention_bias ?? true,
        output: config.attention_out_bias ?? false,
        feedForward: config.mlp_bias ?? false,
        head: false,
      },
    }),
  },
  ernie4_5: {
    className: 'Ernie4_5ForCausalLM',
    heads: [],
    defaults: {
      ...sizes,
      vocab_size: 103_424,
      hidden_size: 1024,
      intermediate_size: 3072,
      num_hidden_layers: 18,
      num_attention_heads: 16,
      num_key_value_heads: 2,
      head_dim: 128,
      max_position_embeddings: 131_072,
      rms_norm_eps: 1e-5,
      tie_word_embeddings: true,
    },
    rope: { theta: 500_000 },
    differs: ({ use_bias: has = false }) => ({
      rotatedPairs: 'neighbors',
      bias: { queryKeyValue: has, output: has, feedForward: has, head: false },
    }),
  },
};
