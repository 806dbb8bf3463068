// The configuration of a model in a GGUF file: the metadata of llama.cpp's architectures as fields of config.json.

import { TrenioError } from '../../base/errors.ts';
import { nearestNames } from '../../base/nearest.ts';
import { type GgufFile, GgufMetadata } from '../../data/gguf/gguf-file.ts';
import type { GgufValue } from '../../data/gguf/gguf-header.ts';
import { refuseUnsupportedKeys } from '../../data/gguf/gguf-keys.ts';
import type { DecoderConfigInput } from '../decoder/fields.ts';
import { endTokens } from './generation.ts';
import { ropeDivisors } from './rope-divisors.ts';

/** A row of the table. */
export interface GgufArchitecture {
  /** The `model_type` of transformers. */
  readonly modelType: string;
  /** Whether rows of queries and keys are stored in the order of interleaved rotary pairs. */
  readonly isInterleaved?: boolean;
  /** Whether weights of norms are stored with 1 added, which the model adds itself. */
  readonly hasOffsetNorms?: boolean;
  /** Names of tensors in a block that differ from Llama's. */
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that the metadata lacks. */
  readonly fields?: (config: { readonly width: number; readonly heads: number; readonly layers: number }) => object;
}

/** Gemma's norms before and after each part of a block. */
const sandwichNames = {
  post_attention_norm: 'post_attention_layernorm',
  ffn_norm: 'pre_feedforward_layernorm',
  post_ffw_norm: 'post_feedforward_layernorm',
};

/** The largest model of each family, recognized by its number of layers, scales scores by the width per head. */
const scoreScale =
  (largest: number): NonNullable<GgufArchitecture['fields']> =>
  ({ width, heads, layers }) =>
    layers === largest ? { query_pre_attn_scalar: width / heads } : {};

/** By `general.architecture`. */
export const ggufArchitectures: Readonly<Record<string, GgufArchitecture>> = {
  llama: { modelType: 'llama', isInterleaved: true },
  qwen2: { modelType: 'qwen2' },
  qwen3: { modelType: 'qwen3' },
  gemma: { modelType: 'gemma', hasOffsetNorms: true },
  gemma2: { modelType: 'gemma2', hasOffsetNorms: true, names: sandwichNames, fields: scoreScale(46) },
  gemma3: { modelType: 'gemma3_text', hasOffsetNorms: true, names: sandwichNames, fields: scoreScale(62) },
  phi3: { modelType: 'phi3', names: { attn_qkv: 'self_attn.qkv_proj', ffn_up: 'mlp.gate_up_proj' } },
};

/** @throws {MODEL_ARCHITECTURE_UNKNOWN} @throws {GGUF_INVALID} */
export function ggufArchitecture(file: GgufFile): { readonly name: string; readonly row: GgufArchitecture } {
  const metadata = new GgufMetadata(file);
  const name = metadata.required('general.architecture', metadata.text('general.architecture'));
  if (Object.hasOwn(ggufArchitectures, name)) return { name, row: ggufArchitectures[name]! };
  const known = Object.keys(ggufArchitectures);
  throw new TrenioError('MODEL_ARCHITECTURE_UNKNOWN', {
    file: file.file,
    field: 'general.architecture',
    modelType: name,
    nearest: nearestNames(name, known),
    known,
  });
}

/**
 * The fields of config.json for the model in a file; not yet checked.
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @throws {GGUF_INVALID}
 */
export async function ggufConfig(file: GgufFile): Promise<DecoderConfigInput> {
  const { name, row } = ggufArchitecture(file);
  refuseUnsupportedKeys(file);
  const metadata = new GgufMetadata(file);
  const number = (key: string): number | undefined => metadata.sameNumber(`${name}.${key}`);
  const needed = (key: string): number => metadata.required(`${name}.${key}`, number(key));
  const [width, heads, layers] = ['embedding_length', 'attention.head_count', 'block_count'].map(needed) as [
    number,
    number,
    number,
  ];
  const tokens = metadata.texts('tokenizer.ggml.tokens') ?? [];
  const ends = endTokens(metadata, tokens);
  const scale = number('attention.scale');
  const headDim = number('attention.key_length') ?? width / heads;
  const rotated = number('rope.dimension_count') ?? headDim;
  const given = {
    rotary_dim: rotated < headDim ? rotated : undefined,
    // The matrix may have rows for padding, or for fewer tokens than the tokenizer.
    vocab_size: file.tensors.get('token_embd.weight')?.shape[0] ?? tokens.length,
    num_key_value_heads: number('attention.head_count_kv'),
    head_dim: number('attention.key_length'),
    rms_norm_eps: number('attention.layer_norm_rms_epsilon'),
    rope_theta: number('rope.freq_base'),
    rope_local_base_freq: number('rope.freq_base_swa'),
    query_pre_attn_scalar: scale ? scale ** -2 : undefined,
    sliding_window: number('attention.sliding_window'),
    ...slidingLayers(file.metadata.get(`${name}.attention.sliding_window_pattern`)),
    attn_logit_softcapping: number('attn_logit_softcapping'),
    final_logit_softcapping: number('final_logit_softcapping'),
    bos_token_id: metadata.number('tokenizer.ggml.bos_token_id'),
    eos_token_id: ends.length > 1 ? ends : ends[0],
    pad_token_id: metadata.number('tokenizer.ggml.padding_token_id'),
    rope_scaling: await ropeScaling(file, name, metadata),
  };
  return {
    model_type: row.modelType,
    hidden_size: width,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    intermediate_size: needed('feed_forward_length'),
    max_position_embeddings: needed('context_length'),
    tie_word_embeddings: !file.tensors.has('output.weight'),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...row.fields?.({ width, heads, layers }),
  };
}

/** The layers that have a window: a flag for each, or every n-th has none. */
function slidingLayers(
  pattern: GgufValue | undefined,
): Pick<DecoderConfigInput, 'layer_types' | 'sliding_window_pattern'> {
  if (typeof pattern === 'number') return { sliding_window_pattern: pattern };
  if (!Array.isArray(pattern)) return {};
  const isSliding = pattern as readonly GgufValue[];
  return { layer_types: isSliding.map(is => (Number(is) === 0 ? 'full_attention' : 'sliding_attention')) };
}

/** How rotary frequencies are scaled: by kind and factor, or by a divisor for each frequency in a tensor. */
async function ropeScaling(
  file: GgufFile,
  name: string,
  metadata: GgufMetadata,
): Promise<DecoderConfigInput['rope_scaling']> {
  const [positions, given, attention, fast, slow] = [
    ...['original_context_length', 'factor', 'attn_factor', 'yarn_beta_fast', 'yarn_beta_slow'],
  ].map(key => metadata.number(`${name}.rope.scaling.${key}`));
  const kind = metadata.text(`${name}.rope.scaling.type`) ?? 'linear';
  if (!['none', 'linear', 'yarn', 'longrope'].includes(kind))
    throw metadata.invalid(
      `${name}.rope.scaling.type: expected none, linear, yarn or longrope (it is ${JSON.stringify(kind)})`,
    );
  const original = positions === undefined ? {} : { original_max_position_embeddings: positions };
  const factor = kind === 'none' || kind === 'longrope' ? 1 : given || 1;
  const divisors = await ropeDivisors(file);
  if (divisors !== undefined) {
    if (kind === 'yarn') throw metadata.invalid(`${name}.rope.scaling.type is "yarn" in a file with rotary divisors`);
    const scaled = (list: readonly number[]): readonly number[] => list.map(divisor => divisor * factor);
    return {
      rope_type: 'longrope',
      short_factor: scaled(divisors.short),
      long_factor: scaled(divisors.long),
      // Divisors for all lengths are Llama 3's, which leave the size of sines and cosines unchanged.
      ...(divisors.short === divisors.long
        ? { attention_factor: 1 }
        : attention !== undefined && { attention_factor: attention }),
      ...original,
    };
  }
  if (kind !== 'yarn' && attention !== undefined && attention !== 1)
    throw metadata.invalid(`${name}.rope.scaling.attn_factor is ${attention}; without yarn, only 1 is supported`);
  if (kind === 'longrope') throw metadata.invalid('its rope.scaling.type is longrope, but it has no rotary divisors');
  if (factor === 1) return undefined;
  if (kind === 'linear') return { rope_type: 'linear', factor, ...original };
  return {
    rope_type: 'yarn',
    factor,
    ...(fast !== undefined && { beta_fast: fast }),
    ...(slow !== undefined && { beta_slow: slow }),
    ...(attention !== undefined && { attention_factor: attention * (0.1 * Math.log(factor) + 1) }),
    ...original,
  };
}
