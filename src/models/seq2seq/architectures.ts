// Encoder–decoders by `model_type`. A row describes the parts of the model, and the names of tensors in its files.
// Names and defaults of the fields match transformers.
import * as z from 'zod';
import { hiddenActivations } from '../activation-names.ts';
import { checkConfig, checkParameterCount, configError, size } from '../config-file.ts';
import { ofModelType } from '../model-types.ts';
import type { NameRule } from '../tensor-names.ts';
import type { Seq2SeqLayout } from './layout.ts';

const probability = z.number().min(0).max(1);
const positive = z.number().positive();
const token = z.int().min(0);

const seq2SeqConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.string(),
  /** The number of tokens in the vocabulary. */
  vocab_size: size.vocabulary,
  /** The size of hidden states. */
  d_model: size.width,
  /** The id of the padding token. */
  pad_token_id: token.nullable(),
  /** The token that decoding begins with; null: the padding token. */
  decoder_start_token_id: token.nullish(),
  /** Whether the head shares the weights of the token embeddings. */
  tie_word_embeddings: z.boolean().default(true),

  /** T5: the size of a head. */
  d_kv: size.width.optional(),
  /** T5: the inner size of the feed-forward networks. */
  d_ff: size.innerWidth.optional(),
  /** T5: the number of blocks of the encoder. */
  num_layers: size.layers.optional(),
  /** T5: the number of blocks of the decoder; null: the same as of the encoder. */
  num_decoder_layers: size.layers.nullish(),
  /** T5: the number of attention heads. */
  num_heads: size.heads.optional(),
  /** T5: the number of buckets of distances. */
  relative_attention_num_buckets: z.int().min(4).max(4096).optional(),
  /** T5: distances from this one on share a bucket. */
  relative_attention_max_distance: z
    .int()
    .min(4)
    .max(1 << 20)
    .optional(),
  /** T5: the dropout probability. */
  dropout_rate: probability.optional(),
  /** T5: added to the mean square in norms. */
  layer_norm_epsilon: positive.optional(),
  /** T5: whether the result is scaled before the head; by default if the head is tied. */
  scale_decoder_outputs: z.boolean().optional(),
  /** T5: the factor of initial weights. */
  initializer_factor: positive.optional(),
  /** T5: the activation of the feed-forward networks, with `gated-` before it if it multiplies another projection. */
  feed_forward_proj: z
    .string()
    .regex(new RegExp(`^(gated-)?(${hiddenActivations.join('|')})$`), 'it is an activation, or gated-ACTIVATION')
    .optional(),

  /** BART: the longest sequence, in tokens. */
  max_position_embeddings: size.positions.optional(),
  /** BART, Whisper: the number of blocks of the encoder. */
  encoder_layers: size.layers.optional(),
  /** BART: the inner size of the encoder's feed-forward networks. */
  encoder_ffn_dim: size.innerWidth.optional(),
  /** BART: the number of attention heads of the encoder. */
  encoder_attention_heads: size.heads.optional(),
  /** BART: the number of blocks of the decoder. */
  decoder_layers: size.layers.optional(),
  /** BART: the inner size of the decoder's feed-forward networks. */
  decoder_ffn_dim: size.innerWidth.optional(),
  /** BART: the number of attention heads of the decoder. */
  decoder_attention_heads: size.heads.optional(),
  /** BART: the activation of the feed-forward networks. */
  activation_function: z.enum(hiddenActivations).optional(),
  /** BART: the dropout probability of embeddings and results. */
  dropout: probability.optional(),
  /** BART: the dropout probability of attention weights. */
  attention_dropout: probability.optional(),
  /** BART: the dropout probability of inner values of the feed-forward networks. */
  activation_dropout: probability.optional(),
  /** BART: the standard deviation of initial weights. */
  init_std: positive.optional(),
  /** BART: whether token embeddings are multiplied by the square root of the width. */
  scale_embedding: z.boolean().optional(),

  /** Whisper: the number of frequency bands. */
  num_mel_bins: size.width.optional(),
  /** Whisper: the number of positions of the encoder, half the number of frames. */
  max_source_positions: size.positions.optional(),
  /** Whisper: the longest target, in tokens. */
  max_target_positions: size.positions.optional(),
  /** Whisper's classifier: the size of projected frames. */
  classifier_proj_size: size.width.optional(),
  /** Whisper's classifier: whether it weighs the results of all blocks. */
  use_weighted_layer_sum: z.boolean().optional(),
  /** The probability that a block of the encoder is skipped in training. */
  encoder_layerdrop: probability.optional(),
  /** The same for the decoder. */
  decoder_layerdrop: probability.optional(),
  /** Marian: one table of token embeddings for both languages; two are not supported. */
  share_encoder_decoder_embeddings: z.literal(true).optional(),
});

/** The fields of an encoder–decoder's `config.json`, under their own names; unknown ones are kept unchanged. */
export type Seq2SeqConfig = Readonly<z.output<typeof seq2SeqConfigSchema>>;

/** Any of the fields; missing ones have the defaults of the architecture. */
export type Seq2SeqConfigInput = {
  /** The architecture. */
  readonly model_type: string;
} & Readonly<Partial<z.input<typeof seq2SeqConfigSchema>>>;

/** A row of the table. */
export interface Seq2SeqArchitecture {
  /** The class in transformers that reads such a directory. */
  readonly className: string;
  /** Fields that config.json may leave out. */
  readonly defaults: Readonly<Partial<z.input<typeof seq2SeqConfigSchema>>>;
  readonly layout: (config: Seq2SeqConfig) => Seq2SeqLayout;
  /** The differences of tensor names in files from BART's names, which the modules use. */
  readonly names: (config: Seq2SeqConfig) => readonly NameRule[];
}

const t5: Seq2SeqArchitecture = {
  className: 'T5ForConditionalGeneration',
  defaults: {
    vocab_size: 32128,
    d_model: 512,
    d_kv: 64,
    d_ff: 2048,
    num_layers: 6,
    num_heads: 8,
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
    dropout_rate: 0.1,
    layer_norm_epsilon: 1e-6,
    initializer_factor: 1,
    feed_forward_proj: 'relu',
    pad_token_id: 0,
    eos_token_id: 1,
  },
  layout: config => {
    const { d_kv: headDim = 64, d_ff: innerWidth = 2048, num_heads: heads = 8, num_layers: layers = 6 } = config;
    const { d_model: width, dropout_rate: dropout = 0.1, feed_forward_proj: feedForward = 'relu' } = config;
    const [activation, gated] = [feedForward.replace('gated-', ''), feedForward.startsWith('gated-')];
    return {
      vocabulary: config.vocab_size,
      width,
      headDim,
      encoder: { layers, heads, innerWidth },
      decoder: { layers: config.num_decoder_layers ?? layers, heads, innerWidth },
      maxPositions: undefined,
      audio: undefined,
      positionOffset: undefined,
      sinusoids: undefined,
      distances: {
        buckets: config.relative_attention_num_buckets ?? 32,
        maxDistance: config.relative_attention_max_distance ?? 128,
        inEachBlock: false,
      },
      norm: 'rms',
      normEps: config.layer_norm_epsilon ?? 1e-6,
      residual: 'pre',
      embeddingNorm: false,
      finalNorm: true,
      bias: false,
      keyBias: false,
      // `gated-gelu` is the tanh approximation in all checkpoints.
      activation: (feedForward === 'gated-gelu' ? 'gelu_new' : activation) as Seq2SeqLayout['activation'],
      gated,
      embeddingScale: 1,
      attentionScale: 1,
      // Models with an untied head (T5 1.1) do not scale.
      outputScale: (config.scale_decoder_outputs ?? config.tie_word_embeddings) ? width ** -0.5 : 1,
      logitBias: false,
      tied: config.tie_word_embeddings,
      paddingIndex: undefined,
      startToken: config.decoder_start_token_id ?? config.pad_token_id ?? 0,
      startsWithLast: false,
      paddingToken: config.pad_token_id ?? 0,
      dropout: { hidden: dropout, attention: dropout, inner: dropout, last: dropout, encoderLayer: 0, decoderLayer: 0 },
      initializerRange: (config.initializer_factor ?? 1) * 0.05,
    };
  },
  names: config => {
    const { encoder, decoder, gated } = t5.layout(config);
    const { inEachBlock = false } = seq2SeqArchitecture(config.model_type, '').layout(config).distances ?? {};
    const parts = (stack: 'encoder' | 'decoder', layer: number): NameRule[] => {
      const [from, to] = [`model.${stack}.layers.${layer}`, `${stack}.block.${layer}.layer`];
      const feedForward = stack === 'encoder' ? 1 : 2;
      const attention = (model: string, part: string): NameRule[] =>
        ['q', 'k', 'v'].map(one => ({ file: `${to}.${part}.${one}`, model: `${from}.${model}.${one}_proj` }));
      const dense = `${to}.${feedForward}.DenseReluDense`;
      return [
        ...attention('self_attn', '0.SelfAttention'),
        { file: `${to}.0.SelfAttention.o`, model: `${from}.self_attn.out_proj` },
        { file: `${to}.0.layer_norm`, model: `${from}.self_attn_layer_norm` },
        ...attention('encoder_attn', '1.EncDecAttention'),
        { file: `${to}.1.EncDecAttention.o`, model: `${from}.encoder_attn.out_proj` },
        { file: `${to}.1.layer_norm`, model: `${from}.encoder_attn_layer_norm` },
        { file: gated ? `${dense}.wi_0` : `${dense}.wi`, model: `${from}.fc1` },
        { file: `${dense}.wi_1`, model: `${from}.gate` },
        { file: `${dense}.wo`, model: `${from}.fc2` },
        { file: `${to}.${feedForward}.layer_norm`, model: `${from}.final_layer_norm` },
      ];
    };
    const bias = (stack: 'encoder' | 'decoder'): NameRule[] =>
      Array.from({ length: inEachBlock ? { encoder, decoder }[stack].layers : 1 }, (_, i) => ({
        file: `${stack}.block.${i}.layer.0.SelfAttention.relative_attention_bias`,
        model: `model.${stack}.relative_attention_bias.${i}`,
      }));
    return [
      ...Array.from({ length: encoder.layers }, (_, i) => parts('encoder', i)).flat(),
      ...Array.from({ length: decoder.layers }, (_, i) => parts('decoder', i)).flat(),
      ...bias('encoder'),
      ...bias('decoder'),
      { file: 'encoder.final_layer_norm', model: 'model.encoder.layer_norm' },
      { file: 'decoder.final_layer_norm', model: 'model.decoder.layer_norm' },
      { file: ['shared', 'encoder.embed_tokens', 'decoder.embed_tokens'], model: 'model.shared' },
      // Files with a tied head lack it.
      { file: ['lm_head', 'shared'], model: 'lm_head' },
    ];
  },
};

const bart: Seq2SeqArchitecture = {
  className: 'BartForConditionalGeneration',
  defaults: {
    vocab_size: 50265,
    d_model: 1024,
    max_position_embeddings: 1024,
    encoder_layers: 12,
    encoder_ffn_dim: 4096,
    encoder_attention_heads: 16,
    decoder_layers: 12,
    decoder_ffn_dim: 4096,
    decoder_attention_heads: 16,
    activation_function: 'gelu',
    dropout: 0.1,
    attention_dropout: 0,
    activation_dropout: 0,
    init_std: 0.02,
    scale_embedding: false,
    pad_token_id: 1,
    eos_token_id: 2,
    forced_eos_token_id: 2,
    decoder_start_token_id: 2,
  },
  layout: config => {
    const { d_model: width, encoder_attention_heads: heads = 16, dropout: hidden = 0.1 } = config;
    const stack = (layers = 12, own = 16, innerWidth = 4096) => ({ layers, heads: own, innerWidth });
    return {
      vocabulary: config.vocab_size,
      width,
      headDim: width / heads,
      encoder: stack(config.encoder_layers, heads, config.encoder_ffn_dim),
      decoder: stack(config.decoder_layers, config.decoder_attention_heads, config.decoder_ffn_dim),
      maxPositions: config.max_position_embeddings ?? 1024,
      audio: undefined,
      positionOffset: 2,
      sinusoids: undefined,
      distances: undefined,
      norm: 'layer',
      normEps: 1e-5,
      residual: 'post',
      embeddingNorm: true,
      finalNorm: false,
      bias: true,
      keyBias: true,
      activation: config.activation_function ?? 'gelu',
      gated: false,
      embeddingScale: config.scale_embedding === true ? Math.sqrt(width) : 1,
      attentionScale: (width / heads) ** -0.5,
      outputScale: 1,
      logitBias: true,
      tied: config.tie_word_embeddings,
      paddingIndex: config.pad_token_id ?? undefined,
      startToken: config.decoder_start_token_id ?? config.pad_token_id ?? 0,
      startsWithLast: false,
      paddingToken: config.pad_token_id ?? 0,
      dropout: {
        hidden,
        attention: config.attention_dropout ?? 0,
        inner: config.activation_dropout ?? 0,
        last: 0,
        encoderLayer: config.encoder_layerdrop ?? 0,
        decoderLayer: config.decoder_layerdrop ?? 0,
      },
      initializerRange: config.init_std ?? 0.02,
    };
  },
  names: () => [
    {
      file: ['model.shared.weight', 'model.encoder.embed_tokens.weight', 'lm_head.weight'],
      model: 'model.shared.weight',
    },
  ],
};

/** BART with norms before each part and after the last, and positions from row 0. */
const preNorm = (config: Seq2SeqConfig): Seq2SeqLayout => ({
  ...bart.layout(config),
  residual: 'pre',
  embeddingNorm: false,
  finalNorm: true,
  positionOffset: 0,
});

const mbart: Seq2SeqArchitecture = {
  ...bart,
  className: 'MBartForConditionalGeneration',
  defaults: { ...bart.defaults, decoder_start_token_id: null },
  layout: config => ({ ...preNorm(config), embeddingNorm: true, positionOffset: 2, startsWithLast: true }),
};

const marian: Seq2SeqArchitecture = {
  ...bart,
  className: 'MarianMTModel',
  defaults: {
    ...bart.defaults,
    vocab_size: 58101,
    pad_token_id: 58100,
    eos_token_id: 0,
    forced_eos_token_id: 0,
    decoder_start_token_id: 58100,
  },
  layout: config => ({
    ...bart.layout(config),
    embeddingNorm: false,
    positionOffset: 0,
    sinusoids: { steps: config.d_model / 2, inF32: false, inFiles: false },
  }),
};

const pegasus: Seq2SeqArchitecture = {
  ...bart,
  className: 'PegasusForConditionalGeneration',
  defaults: {
    ...bart.defaults,
    pad_token_id: 0,
    eos_token_id: 1,
    forced_eos_token_id: 1,
    decoder_start_token_id: 0,
  },
  layout: config => ({ ...preNorm(config), sinusoids: { steps: config.d_model / 2, inF32: false, inFiles: true } }),
};

// Positions of padding are rows of their own in the reference, which nothing depends on.
const m2m100: Seq2SeqArchitecture = {
  ...bart,
  className: 'M2M100ForConditionalGeneration',
  defaults: {
    ...bart.defaults,
    vocab_size: 128_112,
    activation_function: 'relu',
    attention_dropout: 0.1,
    scale_embedding: true,
    forced_eos_token_id: null,
    encoder_layerdrop: 0.05,
    decoder_layerdrop: 0.05,
  },
  layout: config => ({
    ...preNorm(config),
    positionOffset: (config.pad_token_id ?? 1) + 1,
    sinusoids: { steps: Math.trunc(config.d_model / 2) - 1, inF32: true, inFiles: false },
    logitBias: false,
  }),
};

const whisper: Seq2SeqArchitecture = {
  className: 'WhisperForConditionalGeneration',
  defaults: {
    vocab_size: 51865,
    d_model: 384,
    num_mel_bins: 80,
    max_source_positions: 1500,
    max_target_positions: 448,
    encoder_layers: 4,
    encoder_ffn_dim: 1536,
    encoder_attention_heads: 6,
    decoder_layers: 4,
    decoder_ffn_dim: 1536,
    decoder_attention_heads: 6,
    activation_function: 'gelu',
    dropout: 0,
    attention_dropout: 0,
    activation_dropout: 0,
    init_std: 0.02,
    scale_embedding: false,
    pad_token_id: 50256,
    eos_token_id: 50256,
    begin_suppress_tokens: [220, 50256],
    decoder_start_token_id: 50257,
  },
  layout: config => ({
    ...bart.layout(config),
    maxPositions: config.max_target_positions ?? 448,
    audio: { bands: config.num_mel_bins ?? 80, positions: config.max_source_positions ?? 1500 },
    positionOffset: 0,
    residual: 'pre',
    embeddingNorm: false,
    finalNorm: true,
    keyBias: false,
    // transformers reads scale_embedding and ignores it.
    embeddingScale: 1,
    logitBias: false,
  }),
  names: () => [
    { file: ['model.decoder.embed_tokens', 'proj_out'], model: 'model.shared' },
    { file: 'model.encoder.conv1', model: 'model.features.conv1' },
    { file: 'model.encoder.conv2', model: 'model.features.conv2' },
    { file: 'proj_out', model: 'lm_head' },
  ],
};

/** Every supported encoder–decoder by its `model_type`. */
export const seq2SeqArchitectures: Readonly<Record<string, Seq2SeqArchitecture>> = {
  t5,
  mt5: {
    ...t5,
    className: 'MT5ForConditionalGeneration',
    defaults: {
      ...t5.defaults,
      vocab_size: 250_112,
      d_ff: 1024,
      num_layers: 8,
      num_heads: 6,
      feed_forward_proj: 'gated-gelu',
    },
    layout: config => ({ ...t5.layout(config), outputScale: 1 }),
  },
  umt5: {
    ...t5,
    className: 'UMT5ForConditionalGeneration',
    defaults: {
      ...t5.defaults,
      vocab_size: 250_112,
      d_ff: 1024,
      num_layers: 8,
      num_heads: 6,
      feed_forward_proj: 'gated-gelu',
    },
    layout: config => {
      const layout = t5.layout(config);
      return { ...layout, distances: layout.distances && { ...layout.distances, inEachBlock: true } };
    },
  },
  bart,
  mbart,
  marian,
  pegasus,
  m2m_100: m2m100,
  whisper,
};

/** @throws {MODEL_ARCHITECTURE_UNKNOWN} */
export const seq2SeqArchitecture = (modelType: string, file: string): Seq2SeqArchitecture =>
  ofModelType(seq2SeqArchitectures, modelType, file);

/**
 * Checks the fields of an encoder–decoder's configuration and fills in the defaults of its architecture. `file` is named in
 * errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * seq2SeqConfig({ model_type: 't5', num_layers: 2 }).d_model // 512
 */
export function seq2SeqConfig(fields: Seq2SeqConfigInput, file = 'the configuration'): Seq2SeqConfig {
  const { defaults, layout } = seq2SeqArchitecture(fields.model_type, file);
  const config = checkConfig(
    seq2SeqConfigSchema,
    { ...defaults, ...fields } as z.input<typeof seq2SeqConfigSchema>,
    file,
  );
  const fail = configError(file);
  const { vocabulary, width, headDim, encoder, decoder, paddingToken, startToken } = layout(config);
  if (!Number.isInteger(headDim))
    throw fail('d_model', `${width} is not a multiple of encoder_attention_heads, ${encoder.heads}`);
  if (config.d_kv === undefined && decoder.heads !== encoder.heads)
    throw fail(
      'decoder_attention_heads',
      `${decoder.heads} heads in the decoder and ${encoder.heads} in the encoder are not supported`,
    );
  for (const [name, value] of [
    ['pad_token_id', paddingToken],
    ['decoder_start_token_id', startToken],
  ] as const)
    if (value >= vocabulary) throw fail(name, `${value} is not below vocab_size, ${vocabulary}`);
  const ofStack = ({ layers, heads, innerWidth }: Seq2SeqLayout['encoder'], attentions: number): number =>
    layers * (4 * attentions * width * heads * headDim + 3 * width * innerWidth);
  checkParameterCount(ofStack(encoder, 1) + ofStack(decoder, 2) + vocabulary * width, file);
  return config;
}
