// `config.json` of a Hugging Face BERT: read, checked field by field, and written. Fields that are absent take Hugging
// Face's own defaults (those of bert-base); unknown fields are kept and written back. The
// meaning of the fields for the model is in bert.ts.

import * as z from 'zod';
import type { TrenioError } from '../base/errors.ts';
import {
  checkConfig,
  checkParameterCount,
  configError,
  readConfigObject,
  size,
  writeConfigObject,
} from './config-file.ts';

/** The activations of checkpoints. `gelu_new` and `gelu_pytorch_tanh` are the tanh approximation; `swish` is `silu`. */
export const hiddenActivations = [
  'gelu',
  'gelu_new',
  'gelu_pytorch_tanh',
  'quick_gelu',
  'relu',
  'silu',
  'swish',
  'tanh',
] as const;
/** The activations of `hidden_act` in config.json that are supported. */
export type HiddenActivation = (typeof hiddenActivations)[number];

const probability = z.number().min(0).max(1);

// Names and defaults: transformers, BertConfig.
const bertConfigSchema = z.looseObject({
  /** The kind of model. */
  model_type: z.literal('bert').default('bert'),
  /** The number of tokens in the vocabulary. */
  vocab_size: size.vocabulary.default(30522),
  /** The size of hidden states. */
  hidden_size: size.width.default(768),
  /** The number of layers. */
  num_hidden_layers: size.layers.default(12),
  /** The number of attention heads of a layer. */
  num_attention_heads: size.heads.default(12),
  /** The inner size of the feed-forward block. */
  intermediate_size: size.innerWidth.default(3072),
  /** The activation of the feed-forward block. */
  hidden_act: z.enum(hiddenActivations).default('gelu'),
  /** The dropout probability of embeddings and outputs of blocks. */
  hidden_dropout_prob: probability.default(0.1),
  /** The dropout probability of attention weights. */
  attention_probs_dropout_prob: probability.default(0.1),
  /** The longest sequence, in tokens. */
  max_position_embeddings: size.positions.default(512),
  /** The number of token types (segments). */
  type_vocab_size: size.tokenTypes.default(2),
  /** The standard deviation of initial weights. */
  initializer_range: z.number().positive().default(0.02),
  /** Added to the variance in layer normalization. */
  layer_norm_eps: z.number().positive().default(1e-12),
  /** The dropout probability before the classifier; null: `hidden_dropout_prob`. */
  classifier_dropout: probability.nullable().default(null),
  /** The id of the padding token. */
  pad_token_id: z.int().min(0).nullable().default(0),
  /** The number of classes. */
  num_labels: size.labels.optional(),
  /** The name of each class number. */
  id2label: z.record(z.string().regex(/^\d+$/, 'keys are class numbers'), z.string()).optional(),
  /** The class number of each name. */
  label2id: z.record(z.string(), z.int().min(0)).optional(),
  /** The kind of position embeddings. */
  position_embedding_type: z.literal('absolute').default('absolute'),
});

// `Omit` would lose the named fields because of the index signature for unknown ones.
/** Only the named fields. */
export type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The fields of `config.json`, under their own names; unknown ones are kept unchanged. */
export type BertConfig = Readonly<
  Omit<Named<z.output<typeof bertConfigSchema>>, 'num_labels' | 'id2label' | 'label2id'>
> & {
  /** The number of classes. */
  readonly num_labels: number;
  /** Class number, as a string, → name. Its size is `num_labels`. */
  readonly id2label: Readonly<Record<string, string>>;
  /** The class index of each label. */
  readonly label2id: Readonly<Record<string, number>>;
};

/** Any of the fields; missing ones have Hugging Face's defaults. */
export type BertConfigInput = Readonly<z.input<typeof bertConfigSchema>>;

/**
 * Checks the fields of a configuration and fills in the defaults. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @example
 * bertConfig({ num_hidden_layers: 2 }).hidden_size // 768
 */
export function bertConfig(fields: BertConfigInput, file = 'the BERT configuration'): BertConfig {
  const fail = configError(file);
  const config = checkConfig(bertConfigSchema, fields, file);
  if (config.hidden_size % config.num_attention_heads !== 0) {
    throw fail(
      'hidden_size',
      `${config.hidden_size} is not a multiple of num_attention_heads, ${config.num_attention_heads}`,
    );
  }
  if (config.pad_token_id !== null && config.pad_token_id >= config.vocab_size) {
    throw fail('pad_token_id', `${config.pad_token_id} is not below vocab_size, ${config.vocab_size}`);
  }
  const { hidden_size, intermediate_size, num_hidden_layers, vocab_size, max_position_embeddings } = config;
  const perLayer = 4 * hidden_size ** 2 + 2 * hidden_size * intermediate_size;
  checkParameterCount(num_hidden_layers * perLayer + (vocab_size + max_position_embeddings) * hidden_size, file);
  return { ...config, ...labels(config, fail) };
}

/**
 * Reads a `config.json`.
 * @throws {FILE_UNREADABLE}
 * @throws {MODEL_CONFIG_INVALID}
 * @example
 * ```ts no-run
 * const { hidden_size } = await readBertConfig('bert-base-uncased/config.json');
 * ```
 */
export async function readBertConfig(file: string): Promise<BertConfig> {
  return bertConfig((await readConfigObject(file)) as BertConfigInput, file);
}

/**
 * Writes a `config.json` that Hugging Face's BertForSequenceClassification reads.
 * @example
 * ```ts no-run
 * await writeBertConfig('config.json', bertConfig({ num_hidden_layers: 2 }));
 * ```
 */
export async function writeBertConfig(file: string, config: BertConfig): Promise<void> {
  // Hugging Face derives num_labels from id2label and does not write it.
  const { num_labels: _, ...fields } = config;
  await writeConfigObject(file, 'BertForSequenceClassification', fields);
}

/**
 * The classes, from the first field that is present: `id2label`, `label2id`, `num_labels`; by default,
 * two classes.
 */
function labels(
  config: z.output<typeof bertConfigSchema>,
  fail: (field: string, problem: string) => TrenioError,
): Pick<BertConfig, 'num_labels' | 'id2label' | 'label2id'> {
  const { num_labels } = config;
  const id2label = config.id2label ?? inverse(config.label2id);
  const n = id2label === undefined ? (num_labels ?? 2) : Object.keys(id2label).length;
  if (n === 0) throw fail('id2label', 'there are no classes');
  if (num_labels !== undefined && num_labels !== n)
    throw fail('num_labels', `it is ${num_labels}, id2label has ${n} classes`);
  const names = id2label ?? Object.fromEntries(Array.from({ length: n }, (_, i) => [String(i), `LABEL_${i}`]));
  for (let i = 0; i < n; i++) if (names[i] === undefined) throw fail('id2label', `class ${i} of ${n} has no name`);
  const ids = Object.fromEntries(Object.entries(names).map(([id, name]) => [name, Number(id)]));
  return { num_labels: n, id2label: names, label2id: ids };
}

const inverse = (label2id: Readonly<Record<string, number>> | undefined): Record<string, string> | undefined =>
  label2id && Object.fromEntries(Object.entries(label2id).map(([name, id]) => [String(id), name]));
