// The configuration of a model in a GGUF file: the metadata of llama.cpp's architectures as fields of config.json.

import { TrenioError } from '../../base/errors.ts';
import { nearestNames } from '../../base/nearest.ts';
import { type GgufFile, GgufMetadata } from '../../data/gguf/gguf-file.ts';
import type { DecoderConfigInput } from '../decoder/fields.ts';
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
  const metadata = new GgufMetadata(file);
  const number = (key: string): number | undefined => metadata.number(`${name}.${key}`);
  const needed = (key: string): number => metadata.required(`${name}.${key}`, number(key));
  const [width, heads, layers] = ['embedding_length', 'attention.head_count', 'block_count'].map(needed) as [
    number,
    number,
    number,
  ];
  const tokens = metadata.texts('tokenizer.ggml.tokens');
  const headDim = number('attention.key_length') ?? width / heads;
  const rotated = number('rope.dimension_count') ?? headDim;
  const given = {
    rotary_dim: rotated < headDim ? rotated : undefined,
    vocab_size: number('vocab_size') ?? tokens?.length,
    num_key_value_heads: number('attention.head_count_kv'),
    head_dim: number('attention.key_length'),
    rms_norm_eps: number('attention.layer_norm_rms_epsilon'),
    rope_theta: number('rope.freq_base'),
    sliding_window: number('attention.sliding_window'),
    attn_logit_softcapping: number('attn_logit_softcapping'),
    final_logit_softcapping: number('final_logit_softcapping'),
    bos_token_id: metadata.number('tokenizer.ggml.bos_token_id'),
    eos_token_id: metadata.number('tokenizer.ggml.eos_token_id'),
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

/** How rotary frequencies are scaled: by kind and factor, or by a divisor for each frequency in a tensor. */
async function ropeScaling(
  file: GgufFile,
  name: string,
  metadata: GgufMetadata,
): Promise<DecoderConfigInput['rope_scaling']> {
  const positions = metadata.number(`${name}.rope.scaling.original_context_length`);
  const original = positions === undefined ? {} : { original_max_position_embeddings: positions };
  const divisors = await ropeDivisors(file);
  if (divisors !== undefined) {
    const factor = metadata.number(`${name}.rope.scaling.attn_factor`);
    return {
      rope_type: 'longrope',
      short_factor: divisors.short,
      long_factor: divisors.long,
      // Divisors for all lengths are Llama 3's, which leave the size of sines and cosines unchanged.
      ...(divisors.short === divisors.long
        ? { attention_factor: 1 }
        : factor !== undefined && { attention_factor: factor }),
      ...original,
    };
  }
  const kind = metadata.text(`${name}.rope.scaling.type`);
  if (kind === undefined || kind === 'none') return undefined;
  const factor = metadata.number(`${name}.rope.scaling.factor`);
  if (kind === 'linear' || kind === 'yarn')
    return { rope_type: kind, ...(factor !== undefined && { factor }), ...original };
  throw metadata.invalid(`${name}.rope.scaling.type: expected none, linear or yarn (it is ${JSON.stringify(kind)})`);
}
