// `config.json` of a Hugging Face GPT-2: read, checked field by field, and written. Fields that are absent take Hugging
// Face's own defaults (those of `gpt2`, 124 M parameters); unknown fields are kept and written back.
import * as z from 'zod';
import { hiddenActivations } from './activation-names.ts';
import {
  checkConfig,
  checkParameterCount,
  configError,
  readConfigObject,
  size,
  writeConfigObject,
} from './config-file.ts';
import { labelFields } from './labels.ts';

const probability = z.number().min(0).max(1);

// Names and defaults: transformers, GPT2Config.
const gpt2ConfigSchema = z.looseObject({
  /** The kind of model. */
  model_type: z.literal('gpt2').default('gpt2'),
  /** The number of tokens in the vocabulary. */
  vocab_size: size.vocabulary.default(50257),
  /** The longest sequence, in tokens. */
  n_positions: size.positions.default(1024),
  /** The size of hidden states. */
  n_embd: size.width.default(768),
  /** The number of layers. */
  n_layer: size.layers.default(12),
  /** The number of attention heads of a layer. */
  n_head: size.heads.default(12),
  /** The inner size of the feed-forward block; null: 4 · `n_embd`. */
  n_inner: size.innerWidth.nullable().default(null),
  /** The activation of the feed-forward block. */
  activation_function: z.enum(hiddenActivations).default('gelu_new'),
  /** The dropout probability of outputs of blocks. */
  resid_pdrop: probability.default(0.1),
  /** The dropout probability of embeddings. */
  embd_pdrop: probability.default(0.1),
  /** The dropout probability of attention weights. */
  attn_pdrop: probability.default(0.1),
  /** Added to the variance in layer normalization. */
  layer_norm_epsilon: z.number().positive().default(1e-5),
  /** The standard deviation of initial weights. */
  initializer_range: z.number().positive().default(0.02),
  /** Whether attention scores are divided by the square root of the size of a head. */
  scale_attn_weights: z.boolean().default(true),
  /** Whether scores are also divided by the number of the layer, counted from 1. */
  scale_attn_by_inverse_layer_idx: z.boolean().default(false),
  /** Whether PyTorch computes scores in float32 in other types: here, they always are. */
  reorder_and_upcast_attn: z.boolean().default(false),
  /** Whether the head shares the weights of the token embeddings. */
  tie_word_embeddings: z.boolean().default(true),
  /** The dropout probability of the token classifier's input. */
  classifier_dropout: probability.nullish(),
  /** The id of the padding token; null: none. Classifiers of sequences use the last token that is not padding. */
  pad_token_id: z.int().nullish(),
  ...labelFields,
});

/** The fields of `config.json`, under their own names; unknown ones are kept unchanged. */
export type Gpt2Config = Readonly<z.output<typeof gpt2ConfigSchema>>;

/** Any of the fields; missing ones have Hugging Face's defaults. */
export type Gpt2ConfigInput = Readonly<z.input<typeof gpt2ConfigSchema>>;

/**
 * Checks the fields of a configuration and fills in the defaults. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @example
 * gpt2Config({ n_layer: 2 }).n_embd // 768
 */
export function gpt2Config(fields: Gpt2ConfigInput, file = 'the GPT-2 configuration'): Gpt2Config {
  const config = checkConfig(gpt2ConfigSchema, fields, file);
  if (config.n_embd % config.n_head !== 0)
    throw configError(file)('n_embd', `${config.n_embd} is not a multiple of n_head, ${config.n_head}`);
  const { n_embd, n_inner, n_layer, vocab_size, n_positions } = config;
  const perLayer = 4 * n_embd ** 2 + 2 * n_embd * (n_inner ?? 4 * n_embd);
  checkParameterCount(n_layer * perLayer + (vocab_size + n_positions) * n_embd, file);
  return config;
}

/**
 * Reads a `config.json`.
 * @throws {FILE_UNREADABLE}
 * @throws {MODEL_CONFIG_INVALID}
 * @example
 * ```ts no-run
 * const { n_layer } = await readGpt2Config('gpt2/config.json');
 * ```
 */
export async function readGpt2Config(file: string): Promise<Gpt2Config> {
  return gpt2Config((await readConfigObject(file)) as Gpt2ConfigInput, file);
}

/**
 * Writes a `config.json` that Hugging Face's GPT2LMHeadModel reads.
 * @example
 * ```ts no-run
 * await writeGpt2Config('config.json', gpt2Config({ n_layer: 2 }));
 * ```
 */
export async function writeGpt2Config(file: string, config: Gpt2Config): Promise<void> {
  await writeConfigObject(file, 'GPT2LMHeadModel', config);
}
