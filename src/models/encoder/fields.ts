// `config.json` of text encoders: the fields of all architectures, each under one name. Some files use other
// names (DistilBERT's `dim` is `hidden_size`), which rows of architectures.ts list.
import * as z from 'zod';
import { hiddenActivations } from '../activation-names.ts';
import { size } from '../config-file.ts';
import { ropeFields } from '../decoder/rope-parameters.ts';
import { labelFields } from '../labels.ts';

const probability = z.number().min(0).max(1);
const positive = z.number().positive();
const activation = z.enum(hiddenActivations);

/** The fields of embeddings and blocks. */
const blockFields = {
  /** The architecture. */
  model_type: z.string(),
  /** The number of tokens in the vocabulary. */
  vocab_size: size.vocabulary,
  /** The size of token embeddings; by default, the size of hidden states. */
  embedding_size: size.width.optional(),
  /** The size of hidden states. */
  hidden_size: size.width,
  /** The number of layers. */
  num_hidden_layers: size.layers,
  /** The number of attention heads of a layer. */
  num_attention_heads: size.heads,
  /** The size of a head; by default, the hidden size divided by the number of heads. */
  attention_head_size: size.width.optional(),
  /** The inner size of the feed-forward network. */
  intermediate_size: size.innerWidth,
  /** The activation of the feed-forward network. */
  hidden_act: activation,
  /** The dropout probability of embeddings and outputs of blocks. */
  hidden_dropout_prob: probability,
  /** The dropout probability of attention weights. */
  attention_probs_dropout_prob: probability,
  /** The longest sequence, in tokens, or the rows of the table of positions. */
  max_position_embeddings: size.positions,
  /** The number of token types (segments). */
  type_vocab_size: z
    .int()
    .min(0)
    .max(1 << 16),
  /** The standard deviation of initial weights. */
  initializer_range: positive,
  /** Added to the variance in layer normalization. */
  layer_norm_eps: positive,
  /** The id of the padding token. */
  pad_token_id: z.int().min(0).nullable(),
  /** The kind of position embeddings. */
  position_embedding_type: z.literal('absolute').optional(),
  /** Decoders of these architectures are not supported. */
  is_decoder: z.literal(false).optional(),
  /** Cross-attention is not supported. */
  add_cross_attention: z.literal(false).optional(),
} as const;

/** The fields of heads. */
const headFields = {
  /** Whether the head of masked tokens shares the weights of the token embeddings. */
  tie_word_embeddings: z.boolean().default(true),
  /** The dropout probability before a classifier; null: `hidden_dropout_prob`. */
  classifier_dropout: probability.nullish(),
  ...labelFields,
} as const;

/** The fields of individual architectures. */
const ownFields = {
  /** ERNIE: whether there are embeddings of tasks; the first one is added to all tokens. */
  use_task_id: z.boolean().optional(),
  /** ERNIE: the number of tasks. */
  task_type_vocab_size: size.tokenTypes.optional(),
  /** MPNet: the number of buckets of distances. */
  relative_attention_num_buckets: z.int().min(4).max(4096).optional(),
  /** ALBERT: the number of groups of blocks; groups do not share weights. */
  num_hidden_groups: size.layers.optional(),
  /** ALBERT: the number of blocks in a group. */
  inner_group_num: size.layers.optional(),
  /** ELECTRA, multiple choice: the vector of a sequence. */
  summary_type: z.literal('first').optional(),
  /** ELECTRA, multiple choice: whether it is projected. */
  summary_use_proj: z.literal(true).optional(),
  /** ELECTRA, multiple choice: the activation of the projection. */
  summary_activation: activation.optional(),
  /** ELECTRA, multiple choice: dropout after it. */
  summary_last_dropout: probability.optional(),
  /** DistilBERT: dropout before the classifier of sequences. */
  seq_classif_dropout: probability.optional(),
  /** DistilBERT: dropout before the scores of answers. */
  qa_dropout: probability.optional(),
  /** DeBERTa: whether scores depend on distances. */
  relative_attention: z.boolean().optional(),
  /** DeBERTa: whether scores and weights of heads are mixed: not supported. */
  talking_head: z.literal(false).optional(),
  /** DeBERTa: the largest distance; less than 1: `max_position_embeddings`. */
  max_relative_positions: z
    .int()
    .max(1 << 24)
    .optional(),
  /** DeBERTa: the number of buckets of distances on each side; less than 1: none. */
  position_buckets: z
    .int()
    .max(1 << 20)
    .optional(),
  /** DeBERTa: `layer_norm` for normalized embeddings of distances. */
  norm_rel_ebd: z.string().optional(),
  /** DeBERTa: whether distances use the projections of the contents. */
  share_att_key: z.boolean().optional(),
  /** DeBERTa: the products of contents and distances: `c2p`, `p2c`. */
  pos_att_type: z.union([z.string(), z.array(z.enum(['c2p', 'p2c'])).readonly()]).nullish(),
  /** DeBERTa: whether embeddings of positions are added to the input. */
  position_biased_input: z.boolean().optional(),
  /** DeBERTa: the size of the convolution after the first block; 0: none. */
  conv_kernel_size: z.int().min(0).max(255).optional(),
  /** DeBERTa: the groups of its channels. */
  conv_groups: size.width.optional(),
  /** DeBERTa: its activation. */
  conv_act: activation.optional(),
  /** DeBERTa: dropout of the first token. */
  pooler_dropout: probability.optional(),
  /** DeBERTa: the activation of the pooler. */
  pooler_hidden_act: activation.optional(),
  /** DeBERTa: dropout before the classifier. */
  cls_dropout: probability.nullish(),
  /** DeBERTa: whether the head of masked tokens has its original tensor names. */
  legacy: z.boolean().optional(),
  /** ModernBERT: whether layer norms have biases. */
  norm_bias: z.boolean().optional(),
  /** ModernBERT: whether the attention has biases. */
  attention_bias: z.boolean().optional(),
  /** ModernBERT: whether the feed-forward network has biases. */
  mlp_bias: z.boolean().optional(),
  /** ModernBERT: whether each token has a bias in the head of masked tokens. */
  decoder_bias: z.boolean().optional(),
  /** ModernBERT: dropout of inner values. */
  mlp_dropout: probability.optional(),
  /** ModernBERT: the vector of a sequence: its first token, or the mean. */
  classifier_pooling: z.enum(['cls', 'mean']).optional(),
  /** ModernBERT: whether the linear layer of heads has a bias. */
  classifier_bias: z.boolean().optional(),
  /** ModernBERT: the activation of heads. */
  classifier_activation: activation.optional(),
  /** ModernBERT: the number of positions that a position sees in layers with a window. */
  local_attention: z.int().positive().optional(),
  /** ModernBERT: the interval of the layers without a window. */
  global_attn_every_n_layers: z.int().positive().optional(),
  /** ModernBERT: the kind of each layer. */
  layer_types: z.array(z.enum(['full_attention', 'sliding_attention'])).nullish(),
  /** ModernBERT: the base of rotations in layers without a window, as earlier versions of transformers write it. */
  global_rope_theta: positive.optional(),
  /** ModernBERT: the base of rotations in layers with a window. */
  local_rope_theta: positive.nullish(),
  ...ropeFields,
} as const;

export const encoderConfigSchema = z.looseObject({ ...blockFields, ...headFields, ...ownFields });

type Fields = z.output<typeof encoderConfigSchema>;

/** The fields of an encoder's `config.json`, under one name for all architectures; unknown ones are kept unchanged. */
export type EncoderConfig = Readonly<Fields> & {
  /** The number of classes. */
  readonly num_labels: number;
  /** Class number, as a string, → name. Its size is `num_labels`. */
  readonly id2label: Readonly<Record<string, string>>;
  /** The class number of each name. */
  readonly label2id: Readonly<Record<string, number>>;
};

/** Any of the fields; missing ones have the defaults of the architecture. */
export type EncoderConfigInput = {
  /** The architecture. */
  readonly model_type: string;
} & Readonly<Partial<z.input<typeof encoderConfigSchema>>>;

/** The defaults of an architecture. */
export type EncoderDefaults = Readonly<Partial<z.input<typeof encoderConfigSchema>>>;
