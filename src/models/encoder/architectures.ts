// Text encoders by `model_type`. A row describes the parts of the model, and the names of fields and tensors in its files.
// Names and defaults of the fields match transformers.
import { ofModelType } from '../model-types.ts';
import type { NameRule } from '../tensor-names.ts';
import type { EncoderConfig, EncoderDefaults } from './fields.ts';
import type { EncoderHeads, EncoderLayout, HeadLayout, TokenHeadLayout } from './layout.ts';

/** The heads of transformers' classes: `BertForMaskedLM` …; `Model` has none. */
export type EncoderHeadName =
  | 'Model'
  | 'ForMaskedLM'
  | 'ForSequenceClassification'
  | 'ForTokenClassification'
  | 'ForQuestionAnswering'
  | 'ForMultipleChoice';

/** How heads differ from BERT's. */
export interface HeadDifferences {
  readonly maskedTokens?: Partial<TokenHeadLayout>;
  readonly sequence?: Partial<HeadLayout>;
  readonly tokens?: Partial<HeadLayout>;
  readonly answers?: Partial<HeadLayout>;
  readonly choices?: Partial<HeadLayout>;
}
export type PartOfHeads = keyof EncoderHeads;

/** A row of the table. */
export interface EncoderArchitecture {
  /** The beginning of the names of transformers' classes. */
  readonly className: string;
  /** The field that holds the encoder in models with a head, as in the names of their tensors. */
  readonly prefix: string;
  /** Fields that config.json may leave out. */
  readonly defaults: EncoderDefaults;
  /** Other names of fields in files. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The differences from a BERT of these fields. */
  readonly differs?: (config: EncoderConfig) => Partial<EncoderLayout>;
  /** The differences of its heads. */
  readonly heads?: (config: EncoderConfig) => HeadDifferences;
  /** The differences of tensor names in files from BERT's names, which the modules use. */
  readonly names?: (config: EncoderConfig) => readonly NameRule[];
  /** The differences of the tensor names of heads. */
  readonly headNames?: (config: EncoderConfig) => Partial<Record<EncoderHeadName, readonly NameRule[]>>;
  /** The head that transformers does not have of it. */
  readonly without?: EncoderHeadName;
}

const bertDefaults = {
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  hidden_act: 'gelu',
  hidden_dropout_prob: 0.1,
  attention_probs_dropout_prob: 0.1,
  max_position_embeddings: 512,
  type_vocab_size: 2,
  initializer_range: 0.02,
  layer_norm_eps: 1e-12,
  pad_token_id: 0,
  classifier_dropout: null,
} as const satisfies EncoderDefaults;

const bertTokenHead: readonly NameRule[] = [
  { file: 'cls.predictions.transform.dense', model: 'transform.dense' },
  { file: 'cls.predictions.transform.LayerNorm', model: 'transform.norm' },
  { file: ['cls.predictions.bias', 'cls.predictions.decoder.bias'], model: 'tokenBias' },
  { file: 'cls.predictions.decoder', model: 'tokens' },
];
const qaOutputs: readonly NameRule[] = [{ file: 'qa_outputs', model: 'classifier' }];

const bert: EncoderArchitecture = {
  className: 'Bert',
  prefix: 'bert',
  defaults: { ...bertDefaults, position_embedding_type: 'absolute' },
  headNames: () => ({ ForMaskedLM: bertTokenHead, ForQuestionAnswering: qaOutputs }),
};

const ernie: EncoderArchitecture = {
  ...bert,
  className: 'Ernie',
  prefix: 'ernie',
  defaults: { ...bertDefaults, task_type_vocab_size: 3, use_task_id: false },
  differs: ({ use_task_id: has, task_type_vocab_size: types = 3 }) => ({ taskTypes: has === true ? types : 0 }),
};

// The rule for `classifier` precedes the one whose results contain `classifier`: rules apply in order.
const denseClassifier: readonly NameRule[] = [
  { file: 'classifier.out_proj', model: 'classifier' },
  { file: 'classifier.dense', model: 'transform.dense' },
];
const languageHead: readonly NameRule[] = [
  { file: 'lm_head.dense', model: 'transform.dense' },
  { file: 'lm_head.layer_norm', model: 'transform.norm' },
  { file: ['lm_head.bias', 'lm_head.decoder.bias'], model: 'tokenBias' },
  { file: 'lm_head.decoder', model: 'tokens' },
];
const denseHead = (config: EncoderConfig, activation: 'tanh' | 'gelu'): Partial<HeadLayout> => ({
  pool: 'first',
  inputDropout: dropoutOfHeads(config),
  transform: { bias: true, activation, norm: false },
});

const dropoutOfHeads = (config: EncoderConfig): number => config.classifier_dropout ?? config.hidden_dropout_prob;

const roberta: EncoderArchitecture = {
  className: 'Roberta',
  prefix: 'roberta',
  defaults: { ...bertDefaults, vocab_size: 50265, pad_token_id: 1 },
  differs: config => ({
    countedFrom: config.pad_token_id ?? 0,
    maxPositions: config.max_position_embeddings - (config.pad_token_id ?? 0) - 1,
  }),
  heads: config => ({
    maskedTokens: { activation: 'gelu' },
    sequence: denseHead(config, 'tanh'),
    choices: { dropout: config.hidden_dropout_prob },
  }),
  headNames: () => ({
    ForMaskedLM: languageHead,
    ForSequenceClassification: denseClassifier,
    ForQuestionAnswering: qaOutputs,
  }),
};

const distilbert: EncoderArchitecture = {
  className: 'DistilBert',
  prefix: 'distilbert',
  defaults: { ...bertDefaults, num_hidden_layers: 6, type_vocab_size: 0, seq_classif_dropout: 0.2, qa_dropout: 0.1 },
  fieldNames: {
    hidden_size: 'dim',
    num_hidden_layers: 'n_layers',
    num_attention_heads: 'n_heads',
    intermediate_size: 'hidden_dim',
    hidden_act: 'activation',
    hidden_dropout_prob: 'dropout',
    attention_probs_dropout_prob: 'attention_dropout',
  },
  differs: ({ hidden_dropout_prob, attention_probs_dropout_prob }) => ({
    pooler: false,
    dropout: {
      attention: attention_probs_dropout_prob,
      attentionOutput: 0,
      inner: 0,
      output: hidden_dropout_prob,
    },
  }),
  heads: config => {
    const dense: Partial<HeadLayout> = {
      pool: 'first',
      transform: { bias: true, activation: 'relu', norm: false },
      dropout: config.seq_classif_dropout ?? 0.2,
    };
    return {
      sequence: dense,
      choices: dense,
      tokens: { dropout: config.hidden_dropout_prob },
      answers: { dropout: config.qa_dropout ?? 0.1 },
    };
  },
  names: () => [
    { file: 'transformer.layer', model: 'encoder.layer' },
    { file: 'attention.q_lin', model: 'attention.self.query' },
    { file: 'attention.k_lin', model: 'attention.self.key' },
    { file: 'attention.v_lin', model: 'attention.self.value' },
    { file: 'attention.out_lin', model: 'attention.output.dense' },
    { file: 'sa_layer_norm', model: 'attention.output.LayerNorm' },
    { file: 'ffn.lin1', model: 'intermediate.dense' },
    { file: 'ffn.lin2', model: 'output.dense' },
    { file: 'output_layer_norm', model: 'output.LayerNorm' },
  ],
  headNames: () => ({
    ForMaskedLM: [
      { file: 'vocab_transform', model: 'transform.dense' },
      { file: 'vocab_layer_norm', model: 'transform.norm' },
      { file: 'vocab_projector.bias', model: 'tokenBias' },
      { file: 'vocab_projector', model: 'tokens' },
    ],
    ForSequenceClassification: [{ file: 'pre_classifier', model: 'transform.dense' }],
    ForMultipleChoice: [{ file: 'pre_classifier', model: 'transform.dense' }],
    ForQuestionAnswering: qaOutputs,
  }),
};

const mpnet: EncoderArchitecture = {
  className: 'MPNet',
  prefix: 'mpnet',
  defaults: {
    ...bertDefaults,
    vocab_size: 30527,
    type_vocab_size: 0,
    relative_attention_num_buckets: 32,
    pad_token_id: 1,
  },
  // The padding of positions and embeddings is always 1, even with a different pad_token_id.
  differs: config => ({
    countedFrom: 1,
    paddingIndex: 1,
    maxPositions: config.max_position_embeddings - 2,
    distances: { kind: 'buckets', buckets: config.relative_attention_num_buckets ?? 32 },
  }),
  heads: config => ({
    maskedTokens: { activation: 'gelu' },
    sequence: { ...denseHead(config, 'tanh'), inputDropout: config.hidden_dropout_prob },
  }),
  names: () => [
    { file: 'attention.attn.q', model: 'attention.self.query' },
    { file: 'attention.attn.k', model: 'attention.self.key' },
    { file: 'attention.attn.v', model: 'attention.self.value' },
    { file: 'attention.attn.o', model: 'attention.output.dense' },
    { file: 'attention.LayerNorm', model: 'attention.output.LayerNorm' },
  ],
  headNames: () => ({
    ForMaskedLM: languageHead,
    ForSequenceClassification: denseClassifier,
    ForQuestionAnswering: qaOutputs,
  }),
};

const electra: EncoderArchitecture = {
  className: 'Electra',
  prefix: 'electra',
  defaults: {
    ...bertDefaults,
    embedding_size: 128,
    hidden_size: 256,
    num_attention_heads: 4,
    intermediate_size: 1024,
    summary_activation: 'gelu',
    summary_last_dropout: 0.1,
  },
  differs: ({ embedding_size: width, hidden_size }) => ({
    pooler: false,
    projection: width === undefined || width === hidden_size ? 'none' : 'after-norm',
  }),
  heads: config => ({
    maskedTokens: { activation: 'gelu', width: config.embedding_size ?? config.hidden_size },
    sequence: denseHead(config, 'gelu'),
    choices: {
      pool: 'first',
      transform: { bias: true, activation: config.summary_activation ?? 'gelu', norm: false },
      dropout: config.summary_last_dropout ?? 0.1,
    },
  }),
  names: () => [{ file: 'embeddings_project', model: 'embeddings.project' }],
  headNames: () => ({
    ForMaskedLM: [
      { file: 'generator_predictions.dense', model: 'transform.dense' },
      { file: 'generator_predictions.LayerNorm', model: 'transform.norm' },
      { file: 'generator_lm_head.bias', model: 'tokenBias' },
      { file: 'generator_lm_head', model: 'tokens' },
    ],
    ForSequenceClassification: denseClassifier,
    ForMultipleChoice: [{ file: 'sequence_summary.summary', model: 'transform.dense' }],
    ForQuestionAnswering: qaOutputs,
  }),
};

const albert: EncoderArchitecture = {
  className: 'Albert',
  prefix: 'albert',
  defaults: {
    ...bertDefaults,
    vocab_size: 30000,
    embedding_size: 128,
    hidden_size: 4096,
    num_attention_heads: 64,
    intermediate_size: 16384,
    num_hidden_groups: 1,
    inner_group_num: 1,
    hidden_act: 'gelu_new',
    hidden_dropout_prob: 0,
    attention_probs_dropout_prob: 0,
    classifier_dropout: 0.1,
  },
  fieldNames: { classifier_dropout: 'classifier_dropout_prob' },
  differs: config => {
    const { num_hidden_layers: layers, num_hidden_groups: groups = 1, inner_group_num: inner = 1 } = config;
    const { hidden_dropout_prob: hidden, attention_probs_dropout_prob: attention } = config;
    return {
      projection: 'after-norm',
      blocks: groups * inner,
      layers: Array.from({ length: layers * inner }, (_, i) => {
        const group = Math.trunc(Math.trunc(i / inner) / (layers / groups));
        return { block: group * inner + (i % inner), window: undefined, rope: undefined };
      }),
      dropout: { attention, attentionOutput: hidden, inner: 0, output: 0 },
    };
  },
  heads: config => ({ maskedTokens: { width: config.embedding_size ?? config.hidden_size } }),
  names: ({ num_hidden_groups: groups = 1, inner_group_num: inner = 1 }) => [
    { file: 'encoder.embedding_hidden_mapping_in', model: 'embeddings.project' },
    { file: 'pooler', model: 'pooler.dense' },
    { file: 'attention', model: 'attention.self' },
    { file: 'attention.dense', model: 'attention.output.dense' },
    { file: 'attention.LayerNorm', model: 'attention.output.LayerNorm' },
    { file: 'ffn', model: 'intermediate.dense' },
    { file: 'ffn_output', model: 'output.dense' },
    { file: 'full_layer_layer_norm', model: 'output.LayerNorm' },
    ...Array.from({ length: groups * inner }, (_, i) => ({
      file: `encoder.albert_layer_groups.${Math.trunc(i / inner)}.albert_layers.${i % inner}`,
      model: `encoder.layer.${i}`,
    })),
  ],
  headNames: () => ({
    ForMaskedLM: [
      { file: 'predictions.dense', model: 'transform.dense' },
      { file: 'predictions.LayerNorm', model: 'transform.norm' },
      { file: ['predictions.bias', 'predictions.decoder.bias'], model: 'tokenBias' },
      { file: 'predictions.decoder', model: 'tokens' },
    ],
    ForQuestionAnswering: qaOutputs,
  }),
};

/** The products of contents and distances: `p2c|c2p`, or a list. */
function partsOf(types: EncoderConfig['pos_att_type']): readonly ('c2p' | 'p2c')[] {
  const named = typeof types === 'string' ? types.toLowerCase().split('|') : (types ?? []);
  const trimmed = named.map(name => name.trim());
  return (['c2p', 'p2c'] as const).filter(part => trimmed.includes(part));
}

const debertaV2: EncoderArchitecture = {
  className: 'DebertaV2',
  prefix: 'deberta',
  defaults: {
    ...bertDefaults,
    vocab_size: 128_100,
    hidden_size: 1536,
    num_hidden_layers: 24,
    num_attention_heads: 24,
    intermediate_size: 6144,
    type_vocab_size: 0,
    layer_norm_eps: 1e-7,
    relative_attention: false,
    position_biased_input: true,
    pooler_dropout: 0,
    pooler_hidden_act: 'gelu',
    legacy: true,
  },
  differs: config => {
    const { embedding_size: width, hidden_size, max_position_embeddings: positions } = config;
    const { max_relative_positions: given = -1, position_buckets: buckets = -1, conv_kernel_size: kernel = 0 } = config;
    const maxDistance = given < 1 ? positions : given;
    return {
      pooler: false,
      zeroPadding: true,
      projection: width === undefined || width === hidden_size ? 'none' : 'before-norm',
      positionRows: (config.position_biased_input ?? true) ? positions : 0,
      distances:
        config.relative_attention === true
          ? {
              kind: 'disentangled',
              span: buckets > 0 ? buckets : maxDistance,
              buckets: Math.max(0, buckets),
              maxDistance,
              parts: partsOf(config.pos_att_type),
              isShared: config.share_att_key ?? false,
              isNormalized: (config.norm_rel_ebd ?? 'none').toLowerCase().split('|').includes('layer_norm'),
            }
          : { kind: 'none' },
      convolution:
        kernel > 0 ? { kernel, groups: config.conv_groups ?? 1, activation: config.conv_act ?? 'tanh' } : undefined,
    };
  },
  heads: config => {
    const pooled: Partial<HeadLayout> = {
      pool: 'first',
      inputDropout: config.pooler_dropout ?? 0,
      transform: { bias: true, activation: config.pooler_hidden_act ?? 'gelu', norm: false },
      dropout: config.cls_dropout ?? config.hidden_dropout_prob,
    };
    return {
      maskedTokens: {
        width: (config.legacy ?? true) ? (config.embedding_size ?? config.hidden_size) : config.hidden_size,
      },
      sequence: pooled,
      choices: pooled,
      tokens: { dropout: config.hidden_dropout_prob },
    };
  },
  names: () => [
    { file: 'embeddings.embed_proj', model: 'embeddings.project' },
    { file: 'encoder.rel_embeddings', model: 'encoder.distances' },
    { file: 'encoder.LayerNorm', model: 'encoder.distanceNorm' },
    { file: 'self.query_proj', model: 'self.query' },
    { file: 'self.key_proj', model: 'self.key' },
    { file: 'self.value_proj', model: 'self.value' },
    { file: 'self.pos_key_proj', model: 'self.distanceKey' },
    { file: 'self.pos_query_proj', model: 'self.distanceQuery' },
  ],
  headNames: ({ legacy = true }) => ({
    ForMaskedLM: legacy
      ? bertTokenHead
      : [
          { file: 'lm_predictions.lm_head.dense', model: 'transform.dense' },
          { file: 'lm_predictions.lm_head.LayerNorm', model: 'transform.norm' },
          { file: 'lm_predictions.lm_head.bias', model: 'tokenBias' },
        ],
    ForSequenceClassification: [{ file: 'pooler.dense', model: 'transform.dense' }],
    ForMultipleChoice: [{ file: 'pooler.dense', model: 'transform.dense' }],
    ForQuestionAnswering: qaOutputs,
  }),
};

/** Version 1 joins queries, keys and values, without a bias of the keys, and has no buckets. */
const deberta: EncoderArchitecture = {
  ...debertaV2,
  className: 'Deberta',
  without: 'ForMultipleChoice',
  defaults: {
    ...debertaV2.defaults,
    vocab_size: 50265,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
  },
  differs: config => ({
    ...debertaV2.differs?.({
      ...config,
      position_buckets: -1,
      norm_rel_ebd: 'none',
      share_att_key: false,
      conv_kernel_size: 0,
    }),
    bias: { attention: true, key: false, attentionOutput: true, feedForward: true },
  }),
  names: ({ num_attention_heads: groups }) => [
    { file: 'embeddings.embed_proj', model: 'embeddings.project' },
    { file: 'encoder.rel_embeddings', model: 'encoder.distances' },
    { file: 'self.q_bias', model: 'self.query.bias' },
    { file: 'self.v_bias', model: 'self.value.bias' },
    { file: 'self.in_proj', model: ['self.query', 'self.key', 'self.value'], groups },
    { file: 'self.pos_proj', model: 'self.distanceKey' },
    { file: 'self.pos_q_proj', model: 'self.distanceQuery' },
  ],
};

const modernHead: readonly NameRule[] = [
  { file: 'head.dense', model: 'transform.dense' },
  { file: 'head.norm', model: 'transform.norm' },
];

const modernbert: EncoderArchitecture = {
  className: 'ModernBert',
  prefix: 'model',
  defaults: {
    ...bertDefaults,
    vocab_size: 50368,
    intermediate_size: 1152,
    num_hidden_layers: 22,
    max_position_embeddings: 8192,
    hidden_dropout_prob: 0,
    attention_probs_dropout_prob: 0,
    classifier_dropout: 0,
    mlp_dropout: 0,
    type_vocab_size: 0,
    layer_norm_eps: 1e-5,
    pad_token_id: 50283,
    local_attention: 128,
    classifier_pooling: 'cls',
    classifier_activation: 'gelu',
  },
  fieldNames: {
    hidden_act: 'hidden_activation',
    layer_norm_eps: 'norm_eps',
    hidden_dropout_prob: 'embedding_dropout',
    attention_probs_dropout_prob: 'attention_dropout',
  },
  differs: config => ({
    pooler: false,
    positionRows: 0,
    residual: 'pre-but-first',
    gated: true,
    norm: { eps: config.layer_norm_eps, bias: config.norm_bias ?? false },
    bias: {
      attention: config.attention_bias ?? false,
      attentionOutput: config.attention_bias ?? false,
      feedForward: config.mlp_bias ?? false,
    },
    dropout: {
      attention: config.attention_probs_dropout_prob,
      attentionOutput: config.attention_probs_dropout_prob,
      inner: config.mlp_dropout ?? 0,
      output: 0,
    },
  }),
  heads: config => {
    const isMean = config.classifier_pooling === 'mean';
    const each: Partial<HeadLayout> = {
      transform: {
        bias: config.classifier_bias ?? false,
        activation: config.classifier_activation ?? 'gelu',
        norm: true,
      },
    };
    return {
      maskedTokens: {
        transformBias: config.classifier_bias ?? false,
        activation: config.classifier_activation ?? 'gelu',
        bias: config.decoder_bias ?? true,
      },
      sequence: { ...each, pool: isMean ? 'mean' : 'first' },
      choices: { ...each, pool: isMean ? 'mean' : 'first-token' },
      tokens: each,
      answers: { ...each, dropout: config.classifier_dropout ?? 0 },
    };
  },
  names: () => [
    { file: 'embeddings.tok_embeddings', model: 'embeddings.word_embeddings' },
    { file: 'embeddings.norm', model: 'embeddings.LayerNorm' },
    { file: 'final_norm', model: 'encoder.layernorm' },
    { file: 'attn.Wqkv', model: ['attention.self.query', 'attention.self.key', 'attention.self.value'] },
    { file: 'attn.Wo', model: 'attention.output.dense' },
    { file: 'mlp.Wi', model: ['intermediate.dense', 'intermediate.gate'] },
    { file: 'mlp.Wo', model: 'output.dense' },
    { file: 'attn_norm', model: 'layernorm_before' },
    { file: 'mlp_norm', model: 'layernorm_after' },
    { file: 'layers', model: 'encoder.layer' },
  ],
  headNames: () => ({
    ForMaskedLM: [...modernHead, { file: 'decoder.bias', model: 'tokenBias' }, { file: 'decoder', model: 'tokens' }],
    ForSequenceClassification: modernHead,
    ForTokenClassification: modernHead,
    ForQuestionAnswering: modernHead,
    ForMultipleChoice: modernHead,
  }),
};

/** Every supported text encoder by its `model_type`. */
export const encoderArchitectures: Readonly<Record<string, EncoderArchitecture>> = {
  bert,
  ernie,
  roberta,
  'xlm-roberta': { ...roberta, className: 'XLMRoberta', defaults: { ...roberta.defaults, vocab_size: 30522 } },
  'data2vec-text': {
    ...roberta,
    className: 'Data2VecText',
    prefix: 'data2vec_text',
    defaults: { ...roberta.defaults, vocab_size: 30522 },
  },
  camembert: { ...roberta, className: 'Camembert', defaults: { ...roberta.defaults, vocab_size: 30522 } },
  distilbert,
  mpnet,
  electra,
  albert,
  deberta,
  'deberta-v2': debertaV2,
  modernbert,
};

/** @throws {MODEL_ARCHITECTURE_UNKNOWN} */
export const encoderArchitecture = (modelType: string, file: string): EncoderArchitecture =>
  ofModelType(encoderArchitectures, modelType, file);
