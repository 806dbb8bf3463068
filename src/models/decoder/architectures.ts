// Decoder-only language models by `model_type`: each row derives the parts of the model from its config.json. Those that differ
// more from Llama are in llama-variants.ts and gpt-variants.ts.
import type * as z from 'zod';
import { checkConfig, checkParameterCount, configError } from '../config-file.ts';
import { ofModelType } from '../model-types.ts';
import type { NameRule } from '../tensor-names.ts';
import {
  allHeads,
  type DecoderArchitecture,
  type DecoderConfig,
  type DecoderConfigInput,
  decoderConfigSchema,
  isWindowedByPattern,
} from './fields.ts';
import { gptVariants } from './gpt-variants.ts';
import type { DecoderLayout, ExpertsLayout, LayerLayout } from './layout.ts';
import { llamaVariants } from './llama-variants.ts';
import { type LayerType, ropeOf } from './rope-parameters.ts';
import { checkRope } from './rotary.ts';

const noAnswers = allHeads.slice(0, 2);
const sequences = allHeads.slice(0, 1);

const llama: DecoderArchitecture = {
  className: 'LlamaForCausalLM',
  heads: allHeads,
  answersPrefix: 'transformer',
  defaults: {
    vocab_size: 32000,
    hidden_size: 4096,
    intermediate_size: 11008,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    hidden_act: 'silu',
    max_position_embeddings: 2048,
    rms_norm_eps: 1e-6,
    tie_word_embeddings: false,
  },
  rope: { theta: 10_000 },
};

const mistral: DecoderArchitecture = {
  className: 'MistralForCausalLM',
  heads: allHeads,
  defaults: {
    ...llama.defaults,
    intermediate_size: 14336,
    num_key_value_heads: 8,
    max_position_embeddings: 131_072,
    sliding_window: 4096,
  },
  rope: { theta: 10_000 },
  isWindowed: () => true,
};

const qwen2: DecoderArchitecture = {
  className: 'Qwen2ForCausalLM',
  heads: allHeads,
  answersPrefix: 'transformer',
  defaults: {
    ...llama.defaults,
    vocab_size: 151_936,
    intermediate_size: 22_016,
    num_key_value_heads: 32,
    max_position_embeddings: 32_768,
    sliding_window: 4096,
    use_sliding_window: false,
  },
  rope: { theta: 10_000 },
  isWindowed: ({ max_window_layers: first = 28 }, i) => i >= first,
  differs: () => ({ bias: { queryKeyValue: true, output: false, feedForward: false, head: false } }),
};

/** Qwen's experts, in each layer or at an interval. */
function qwenExperts(
  config: DecoderConfig,
  layer: number,
  usual: { readonly count: number; readonly innerWidth: number; readonly sharedWidth?: number },
): ExpertsLayout | undefined {
  const { num_experts_per_tok: perToken = 1, decoder_sparse_step: step = 1, mlp_only_layers: without } = config;
  const count = config.num_local_experts ?? config.num_experts ?? usual.count;
  if (count === 0 || without?.includes(layer) === true || (layer + 1) % step !== 0) return undefined;
  const { moe_intermediate_size: innerWidth = usual.innerWidth, norm_topk_prob: isNormalized = false } = config;
  const { shared_expert_intermediate_size: shared = usual.sharedWidth } = config;
  return { count, perToken, innerWidth, isNormalized, sharedWidth: usual.sharedWidth && shared };
}

/** Files have one tensor per expert; the model stacks them. */
const expertNames = (file: string, gate: string, up: string, down: string): readonly NameRule[] => [
  { file: `${file}.*.${gate}.weight`, model: 'mlp.experts.gate_proj' },
  { file: `${file}.*.${up}.weight`, model: 'mlp.experts.up_proj' },
  { file: `${file}.*.${down}.weight`, model: 'mlp.experts.down_proj' },
];
const qwenExpertNames = expertNames('mlp.experts', 'gate_proj', 'up_proj', 'down_proj');

const mixtral: DecoderArchitecture = {
  className: 'MixtralForCausalLM',
  heads: allHeads,
  defaults: {
    ...mistral.defaults,
    rms_norm_eps: 1e-5,
    sliding_window: null,
    num_experts_per_tok: 2,
    num_local_experts: 8,
    router_aux_loss_coef: 0.001,
  },
  rope: { theta: 1_000_000 },
  isWindowed: () => true,
  experts: ({ num_local_experts: count = 8, num_experts_per_tok: perToken = 2, intermediate_size: innerWidth }) => ({
    count,
    perToken,
    innerWidth,
    isNormalized: true,
    sharedWidth: undefined,
  }),
  names: () => [
    { file: 'block_sparse_moe.gate', model: 'mlp.gate' },
    ...expertNames('block_sparse_moe.experts', 'w1', 'w3', 'w2'),
  ],
};

const qwen2Moe: DecoderArchitecture = {
  className: 'Qwen2MoeForCausalLM',
  heads: allHeads,
  defaults: {
    ...qwen2.defaults,
    hidden_size: 2048,
    intermediate_size: 5632,
    num_hidden_layers: 24,
    num_attention_heads: 16,
    num_key_value_heads: 16,
    num_experts_per_tok: 4,
    router_aux_loss_coef: 0.001,
  },
  rope: qwen2.rope,
  isWindowed: ({ max_window_layers: first = 28 }, i) => i % 2 === 0 && i < first,
  differs: ({ qkv_bias: queryKeyValue = true }) => ({
    bias: { queryKeyValue, output: false, feedForward: false, head: false },
  }),
  experts: (config, layer) => qwenExperts(config, layer, { count: 60, innerWidth: 1408, sharedWidth: 5632 }),
  names: () => qwenExpertNames,
};

const qwen3Moe: DecoderArchitecture = {
  className: 'Qwen3MoeForCausalLM',
  heads: allHeads,
  answersPrefix: 'transformer',
  defaults: {
    ...qwen2Moe.defaults,
    intermediate_size: 6144,
    num_attention_heads: 32,
    num_key_value_heads: 4,
    num_experts_per_tok: 8,
  },
  rope: qwen2.rope,
  isWindowed: () => true,
  differs: () => ({ queryKeyNorm: 'head' }),
  experts: (config, layer) => qwenExperts(config, layer, { count: 128, innerWidth: 768 }),
  names: () => qwenExpertNames,
};

const olmoe: DecoderArchitecture = {
  className: 'OlmoeForCausalLM',
  heads: [],
  defaults: {
    ...llama.defaults,
    vocab_size: 50_304,
    hidden_size: 2048,
    intermediate_size: 2048,
    num_hidden_layers: 16,
    num_attention_heads: 16,
    max_position_embeddings: 4096,
    rms_norm_eps: 1e-5,
    num_experts: 64,
    num_experts_per_tok: 8,
    router_aux_loss_coef: 0.01,
  },
  rope: { theta: 10_000 },
  differs: ({ clip_qkv }) => ({ queryKeyNorm: 'whole', queryKeyValueClip: clip_qkv ?? undefined }),
  experts: (config, layer) => ({
    ...qwenExperts(config, layer, { count: 64, innerWidth: config.intermediate_size })!,
    innerWidth: config.intermediate_size,
  }),
  names: () => qwenExpertNames,
};

const gptOss: DecoderArchitecture = {
  className: 'GptOssForCausalLM',
  heads: noAnswers,
  defaults: {
    ...mistral.defaults,
    vocab_size: 201_088,
    hidden_size: 2880,
    intermediate_size: 2880,
    num_hidden_layers: 36,
    num_attention_heads: 64,
    head_dim: 64,
    attention_bias: true,
    rms_norm_eps: 1e-5,
    sliding_window: 128,
    num_local_experts: 128,
    num_experts_per_tok: 4,
    router_aux_loss_coef: 0.001,
    rope_scaling: {
      rope_type: 'yarn',
      factor: 32,
      beta_fast: 32,
      beta_slow: 1,
      truncate: false,
      original_max_position_embeddings: 4096,
    },
  },
  rope: { theta: 150_000 },
  isWindowed: (_, i) => i % 2 === 0,
  differs: () => ({ hasSinks: true }),
  experts: (config, layer) => ({ ...mixtral.experts!(config, layer)!, isClamped: true }),
  names: () => [{ file: 'mlp.router', model: 'mlp.gate' }],
};

const gemma: DecoderArchitecture = {
  className: 'GemmaForCausalLM',
  heads: noAnswers,
  defaults: {
    vocab_size: 256_000,
    hidden_size: 3072,
    intermediate_size: 24_576,
    num_hidden_layers: 28,
    num_attention_heads: 16,
    num_key_value_heads: 16,
    head_dim: 256,
    max_position_embeddings: 8192,
    rms_norm_eps: 1e-6,
    tie_word_embeddings: true,
  },
  rope: { theta: 10_000 },
  differs: config => ({
    norm: 'rms-offset',
    embeddingScale: Math.sqrt(config.hidden_size),
    activation: config.hidden_activation ?? config.hidden_act ?? 'gelu_pytorch_tanh',
  }),
};

const gemma2: DecoderArchitecture = {
  className: 'Gemma2ForCausalLM',
  heads: noAnswers,
  defaults: {
    ...gemma.defaults,
    hidden_size: 2304,
    intermediate_size: 9216,
    num_hidden_layers: 26,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    query_pre_attn_scalar: 256,
    sliding_window: 4096,
    final_logit_softcapping: 30,
    attn_logit_softcapping: 50,
  },
  rope: gemma.rope,
  isWindowed: (_, i) => i % 2 === 0,
  differs: config => ({ ...gemma.differs?.(config), residual: 'sandwich' }),
};

const gemma3: DecoderArchitecture = {
  className: 'Gemma3ForCausalLM',
  heads: sequences,
  defaults: {
    ...gemma2.defaults,
    vocab_size: 262_208,
    max_position_embeddings: 131_072,
    final_logit_softcapping: null,
    attn_logit_softcapping: null,
  },
  rope: { theta: 1_000_000, localTheta: 10_000 },
  isWindowed: (config, i) => isWindowedByPattern(config, i, 6),
  // transformers has the field attn_logit_softcapping, but does not use it.
  differs: config => ({ ...gemma2.differs?.(config), queryKeyNorm: 'head', attentionSoftCap: undefined }),
};

const isRotarySmolLm3 = (config: DecoderConfig, layer: number): boolean =>
  config.no_rope_layers == null
    ? (layer + 1) % (config.no_rope_layer_interval ?? 4) !== 0
    : config.no_rope_layers[layer] === 1;

/** Every supported architecture by its `model_type`, in the order of docs and errors. */
export const decoderArchitectures: Readonly<Record<string, DecoderArchitecture>> = {
  llama,
  mistral,
  qwen2,
  qwen3: {
    ...qwen2,
    className: 'Qwen3ForCausalLM',
    defaults: { ...qwen2.defaults, head_dim: 128 },
    differs: () => ({ queryKeyNorm: 'head' }),
  },
  mixtral,
  qwen2_moe: qwen2Moe,
  qwen3_moe: qwen3Moe,
  olmoe,
  gpt_oss: gptOss,
  smollm3: {
    className: 'SmolLM3ForCausalLM',
    heads: allHeads,
    answersPrefix: 'transformer',
    defaults: {
      ...llama.defaults,
      vocab_size: 128_256,
      hidden_size: 2048,
      num_hidden_layers: 36,
      num_attention_heads: 16,
      num_key_value_heads: 4,
      max_position_embeddings: 32_768,
      use_sliding_window: false,
      tie_word_embeddings: true,
    },
    rope: { theta: 2_000_000 },
    isRotary: isRotarySmolLm3,
    isWindowed: (config, i) => !isRotarySmolLm3(config, i),
  },
  gemma,
  gemma2,
  gemma3_text: gemma3,
  phi: {
    className: 'PhiForCausalLM',
    heads: noAnswers,
    defaults: {
      vocab_size: 51_200,
      hidden_size: 2048,
      intermediate_size: 8192,
      num_hidden_layers: 24,
      num_attention_heads: 32,
      hidden_act: 'gelu_new',
      max_position_embeddings: 2048,
      layer_norm_eps: 1e-5,
      tie_word_embeddings: false,
    },
    rope: { theta: 10_000, partial: 0.5 },
    differs: config => ({
      norm: 'layer',
      residual: 'parallel',
      gated: false,
      queryKeyNorm: config.qk_layernorm ? 'head' : undefined,
      bias: { queryKeyValue: true, output: true, feedForward: true, head: true },
    }),
    names: () => [
      { file: 'self_attn.dense', model: 'self_attn.o_proj' },
      { file: 'self_attn.q_layernorm', model: 'self_attn.q_norm' },
      { file: 'self_attn.k_layernorm', model: 'self_attn.k_norm' },
      { file: 'mlp.fc1', model: 'mlp.up_proj' },
      { file: 'mlp.fc2', model: 'mlp.down_proj' },
      { file: 'final_layernorm', model: 'norm' },
    ],
  },
  phi3: {
    className: 'Phi3ForCausalLM',
    heads: noAnswers,
    defaults: {
      ...llama.defaults,
      vocab_size: 32_064,
      hidden_size: 3072,
      intermediate_size: 8192,
      max_position_embeddings: 4096,
      rms_norm_eps: 1e-5,
    },
    rope: { theta: 10_000, partial: 1 },
    isWindowed: () => true,
    names: () => [
      { file: 'self_attn.qkv_proj', model: ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'] },
      { file: 'mlp.gate_up_proj', model: ['mlp.gate_proj', 'mlp.up_proj'] },
    ],
  },
  ...llamaVariants,
  ...gptVariants,
};

/** @throws {MODEL_ARCHITECTURE_UNKNOWN} */
export const decoderArchitecture = (modelType: string, file: string): DecoderArchitecture =>
  ofModelType(decoderArchitectures, modelType, file);

/** The differences of tensor names in a model's files from its own. */
export const decoderNames = (config: DecoderConfig): readonly NameRule[] =>
  decoderArchitecture(config.model_type, 'the configuration').names?.(config) ?? [];

/**
 * Checks the fields of a decoder's configuration and fills in the defaults of its architecture. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * decoderConfig({ model_type: 'llama', num_hidden_layers: 2 }).hidden_size // 4096
 */
export function decoderConfig(fields: DecoderConfigInput, file = 'the configuration'): DecoderConfig {
  const { defaults, aliases = {} } = decoderArchitecture(fields.model_type, file);
  const fail = configError(file);
  const given: Record<string, unknown> = { ...defaults, ...underOwnNames(fields, aliases, fail) };
  if (typeof given.hidden_size === 'number') given.intermediate_size ??= 4 * given.hidden_size;
  const config = checkConfig(decoderConfigSchema, given as z.input<typeof decoderConfigSchema>, file);
  const { num_attention_heads: heads, hidden_size, num_hidden_layers: layers } = config;
  if (config.head_dim == null && hidden_size % heads !== 0)
    throw fail('hidden_size', `${hidden_size} is not a multiple of num_attention_heads, ${heads}`);
  for (const name of ['layer_types', 'no_rope_layers'] as const)
    if (config[name] != null && config[name].length !== layers)
      throw fail(name, `it has ${config[name].length} entries, num_hidden_layers is ${layers}`);
  const layout = decoderLayout(config);
  if (Number.isNaN(layout.logitScale))
    throw fail('logit_scale', `it is ${JSON.stringify(config.logit_scale)}, expected a number`);
  if (heads % layout.keyHeads !== 0)
    throw fail('num_key_value_heads', `${layout.keyHeads} does not divide num_attention_heads, ${heads}`);
  const attention = 2 * hidden_size * layout.headDim * (heads + layout.keyHeads);
  const inner = layout.layers.reduce((sum, { experts }) => {
    if (experts !== undefined && experts.perToken > experts.count)
      throw fail('num_experts_per_tok', `${experts.perToken} is more than the number of experts, ${experts.count}`);
    return sum + (experts === undefined ? config.intermediate_size : experts.count * experts.innerWidth);
  }, 0);
  checkParameterCount(layers * attention + 3 * hidden_size * inner, file);
  for (const rope of new Set(layout.layers.map(layer => layer.rope))) if (rope !== undefined) checkRope(rope, file);
  return config;
}

/** The fields under the names of the schema. @throws {MODEL_CONFIG_INVALID} if two names of a field have different values */
function underOwnNames(
  fields: object,
  aliases: NonNullable<DecoderArchitecture['aliases']>,
  fail: ReturnType<typeof configError>,
): object {
  const own: Record<string, unknown> = { ...fields };
  for (const [name, others] of Object.entries(aliases))
    for (const other of others) {
      if (own[other] == null) continue;
      if (own[name] != null && own[name] !== own[other])
        throw fail(other, `it is ${own[other]}, but ${name}, another name of it, is ${own[name]}`);
      own[name] = own[other];
    }
  return own;
}

/** The fields of a file with others in their place, under any of their names. */
export function withFields(
  fields: DecoderConfigInput,
  given: Partial<DecoderConfigInput>,
  file: string,
): DecoderConfigInput {
  const { aliases = {} } = decoderArchitecture(given.model_type ?? fields.model_type, file);
  const kept: Record<string, unknown> = { ...fields };
  for (const [name, others] of Object.entries(aliases)) {
    const names = [name, ...others];
    if (names.some(one => given[one] !== undefined)) for (const one of names) delete kept[one];
  }
  return { ...kept, ...given } as DecoderConfigInput;
}

/**
 * The parts and sizes of a decoder of this configuration.
 * @example
 * decoderLayout(decoderConfig({ model_type: 'gemma2' })).residual // 'sandwich'
 */
export function decoderLayout(config: DecoderConfig): DecoderLayout {
  const architecture = decoderArchitecture(config.model_type, 'the configuration');
  const { num_attention_heads: heads, hidden_size: width } = config;
  const headDim = config.head_dim ?? width / heads;
  const { attention_bias: attentionBias = false } = config;
  return {
    vocabulary: config.vocab_size,
    width,
    innerWidth: config.intermediate_size,
    heads,
    keyHeads: config.num_key_value_heads ?? heads,
    headDim,
    maxPositions: config.max_position_embeddings,
    layers: layersOf(config, architecture, headDim),
    norm: 'rms',
    normEps: config.rms_norm_eps ?? config.layer_norm_eps ?? 1e-6,
    residual: 'pre',
    hasLastNorm: true,
    residualScale: 1,
    bias: {
      queryKeyValue: attentionBias,
      output: attentionBias,
      feedForward: config.mlp_bias ?? false,
      head: false,
    },
    queryKeyNorm: undefined,
    queryKeyValueClip: undefined,
    rotatedPairs: 'halves',
    positions: undefined,
    alibi: undefined,
    attentionScale: (config.query_pre_attn_scalar ?? headDim) ** -0.5,
    attentionSoftCap: config.attn_logit_softcapping ?? undefined,
    hasSinks: false,
    activation: config.hidden_act ?? 'silu',
    gated: true,
    embeddingWidth: width,
    embeddingNorm: false,
    embeddingScale: 1,
    logitScale: 1,
    logitSoftCap: config.final_logit_softcapping ?? undefined,
    tied: config.tie_word_embeddings,
    dropout: {
      embeddings: config.embd_pdrop ?? 0,
      attention: config.attention_dropout ?? 0,
      residual: config.resid_pdrop ?? 0,
    },
    initializerRange: config.initializer_range,
    residualInitializerRange: config.initializer_range,
    ...architecture.differs?.(config),
  };
}

function layersOf(config: DecoderConfig, row: DecoderArchitecture, headDim: number): readonly LayerLayout[] {
  const rope = (layer: LayerType) => {
    if (row.rope === undefined) return undefined;
    const isLocal = row.rope.localTheta !== undefined && layer === 'sliding_attention';
    const own = isLocal
      ? { ...config, rope_scaling: null, rope_theta: config.rope_local_base_freq ?? row.rope.localTheta }
      : config;
    return ropeOf(own, headDim, row.rope, layer);
  };
  const ropes = { full_attention: rope('full_attention'), sliding_attention: rope('sliding_attention') };
  return Array.from({ length: config.num_hidden_layers }, (_, i) => {
    const { isWindowed } = row;
    const listed = config.layer_types?.[i];
    const type: LayerType =
      isWindowed !== undefined &&
      config.use_sliding_window !== false &&
      (listed === undefined ? isWindowed(config, i) : listed === 'sliding_attention')
        ? 'sliding_attention'
        : 'full_attention';
    return {
      window: type === 'sliding_attention' ? config.sliding_window || undefined : undefined,
      rope: (row.isRotary?.(config, i) ?? true) ? ropes[type] : undefined,
      experts: row.experts?.(config, i),
      ...(config.scale_attn_by_inverse_layer_idx === true && { scoreDivisor: i + 1 }),
    };
  });
}
