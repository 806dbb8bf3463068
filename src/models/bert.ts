// BERT (Devlin et al., 2019) with Hugging Face's configuration and parameter names, so that its checkpoints load and
// ours load there. Post-norm encoder, erf GELU, learned positions. B batch, S sequence, H hidden size.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import {
  checkHeads,
  Dropout,
  Embedding,
  functional as F,
  init,
  LayerNorm,
  Linear,
  Module,
  ModuleList,
  mergeHeads,
  splitHeads,
} from '../nn/index.ts';
import { type Tensor, userLocation, zerosLike } from '../tensor/index.ts';
import { activationOf } from './activations.ts';
import { type BertConfig, type BertConfigInput, bertConfig, readBertConfig, writeBertConfig } from './hf-config.ts';
import { lazyState, loadPretrained } from './pretrained.ts';
import { type TensorReader, writeSafetensors } from './safetensors.ts';

/** The inputs of BERT models. */
export interface BertInputs {
  /** Token ids [B, S], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [B, S]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
  /** The segment of each token [B, S]; all zeros by default. */
  readonly tokenTypeIds?: Tensor | undefined;
}

/** BERT's initialization: normal with the configured standard deviation, biases zero. */
function linear(config: BertConfig, inFeatures: number, outFeatures: number): Linear {
  const layer = init.skipInit(() => new Linear(inFeatures, outFeatures));
  layer.weight.moveFrom(init.normal([outFeatures, inFeatures], 0, config.initializer_range));
  return layer;
}
const embedding = (config: BertConfig, count: number, paddingIndex?: number): Embedding =>
  new Embedding(count, config.hidden_size, { std: config.initializer_range, paddingIndex });
const norm = (config: BertConfig): LayerNorm => new LayerNorm(config.hidden_size, { eps: config.layer_norm_eps });

/**
 * The sum of token, position and segment embeddings, with norm and dropout.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertEmbeddings(bertConfig(sizes))(randint(0, 10, [2, 5]), undefined).shape // [2, 5, 8]
 */
export class BertEmbeddings extends Module {
  /** The embeddings of the tokens. */
  word_embeddings: Embedding;
  /** The embeddings of the positions. */
  position_embeddings: Embedding;
  /** The embeddings of the token types. */
  token_type_embeddings: Embedding;
  /** Normalizes the sum. */
  LayerNorm: LayerNorm;
  /** Applied to the result in training. */
  dropout: Dropout;
  constructor(config: BertConfig) {
    super();
    this.word_embeddings = embedding(config, config.vocab_size, config.pad_token_id ?? undefined);
    this.position_embeddings = embedding(config, config.max_position_embeddings);
    this.token_type_embeddings = embedding(config, config.type_vocab_size);
    this.LayerNorm = norm(config);
    this.dropout = new Dropout(config.hidden_dropout_prob);
  }
  override forward(ids: Tensor, types: Tensor | undefined): Tensor {
    const length = ids.shape[1]!;
    const positions = this.position_embeddings.weight.narrow(0, 0, length); // [S, H]
    const segments = this.token_type_embeddings.forward(types ?? zerosLike(ids)); // [B, S, H]
    const x = this.word_embeddings.forward(ids).add(segments).add(positions);
    return this.dropout.forward(this.LayerNorm.forward(x));
  }
}

/**
 * Self-attention with query, key and value projections.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertSelfAttention(bertConfig(sizes))(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class BertSelfAttention extends Module {
  /** The number of attention heads. */
  readonly heads: number;
  /** The dropout probability of the attention weights. */
  readonly dropout: number;
  /** Projects to queries. */
  query: Linear;
  /** Projects to keys. */
  key: Linear;
  /** Projects to values. */
  value: Linear;
  constructor(config: BertConfig) {
    super();
    this.heads = config.num_attention_heads;
    this.dropout = config.attention_probs_dropout_prob;
    const { hidden_size: width } = config;
    checkHeads('BERT', width, this.heads);
    this.query = linear(config, width, width);
    this.key = linear(config, width, width);
    this.value = linear(config, width, width);
  }
  override forward(x: Tensor, mask: Tensor | undefined): Tensor {
    const [q, k, v] = [this.query, this.key, this.value].map(layer => splitHeads(layer.forward(x), this.heads)) as [
      Tensor,
      Tensor,
      Tensor,
    ];
    return mergeHeads(F.scaledDotProductAttention(q, k, v, { mask, dropout: this.training ? this.dropout : 0 }));
  }
}

/**
 * A projection, dropout, residual connection and norm.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertOutput(bertConfig(sizes), 16)(randn(2, 5, 16), randn(2, 5, 8)).shape // [2, 5, 8]
 */
export class BertOutput extends Module {
  /** Projects to the hidden size. */
  dense: Linear;
  /** Normalizes the sum. */
  LayerNorm: LayerNorm;
  /** Applied to the result in training. */
  dropout: Dropout;
  constructor(config: BertConfig, inFeatures: number) {
    super();
    this.dense = linear(config, inFeatures, config.hidden_size);
    this.LayerNorm = norm(config);
    this.dropout = new Dropout(config.hidden_dropout_prob);
  }
  override forward(x: Tensor, residual: Tensor): Tensor {
    return this.LayerNorm.forward(this.dropout.forward(this.dense.forward(x)).add(residual));
  }
}

/**
 * The attention of a layer, with its projection, residual connection and norm.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertAttention(bertConfig(sizes))(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class BertAttention extends Module {
  /** The attention. */
  self: BertSelfAttention;
  /** The projection with residual connection after the attention. */
  output: BertOutput;
  constructor(config: BertConfig) {
    super();
    this.self = new BertSelfAttention(config);
    this.output = new BertOutput(config, config.hidden_size);
  }
  override forward(x: Tensor, mask: Tensor | undefined): Tensor {
    return this.output.forward(this.self.forward(x, mask), x);
  }
}

/**
 * The first half of the feed-forward network: hidden to intermediate, and the activation.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertIntermediate(bertConfig(sizes))(randn(2, 5, 8)).shape // [2, 5, 16]
 */
export class BertIntermediate extends Module {
  /** Projects to the intermediate size. */
  dense: Linear;
  readonly #activation: (x: Tensor) => Tensor;
  constructor(config: BertConfig) {
    super();
    this.dense = linear(config, config.hidden_size, config.intermediate_size);
    this.#activation = activationOf(config.hidden_act);
  }
  override forward(x: Tensor): Tensor {
    return this.#activation(this.dense.forward(x));
  }
}

/**
 * One layer of BERT: attention, then the feed-forward network, each with a residual connection and a norm.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertLayer(bertConfig(sizes))(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class BertLayer extends Module {
  /** The self-attention block. */
  attention: BertAttention;
  /** The first half of the feed-forward block. */
  intermediate: BertIntermediate;
  /** The second half of the feed-forward block. */
  output: BertOutput;
  constructor(config: BertConfig) {
    super();
    this.attention = new BertAttention(config);
    this.intermediate = new BertIntermediate(config);
    this.output = new BertOutput(config, config.intermediate_size);
  }
  override forward(x: Tensor, mask: Tensor | undefined): Tensor {
    const attended = this.attention.forward(x, mask);
    return this.output.forward(this.intermediate.forward(attended), attended);
  }
}

/**
 * The layers of BERT: [B, S, hidden] to the same shape.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertEncoder(bertConfig(sizes))(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class BertEncoder extends Module {
  /** The layers in order. */
  layer: ModuleList<BertLayer>;
  constructor(config: BertConfig) {
    super();
    this.layer = new ModuleList(Array.from({ length: config.num_hidden_layers }, () => new BertLayer(config)));
  }
  override forward(x: Tensor, mask: Tensor | undefined): Tensor {
    let y = x;
    for (const layer of this.layer) y = layer.forward(y, mask);
    return y;
  }
}

/**
 * The representation of the whole sequence: the first token, projected.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertPooler(bertConfig(sizes))(randn(2, 5, 8)).shape // [2, 8]
 */
export class BertPooler extends Module {
  /** Projects the first token. */
  dense: Linear;
  constructor(config: BertConfig) {
    super();
    this.dense = linear(config, config.hidden_size, config.hidden_size);
  }
  override forward(x: Tensor): Tensor {
    return this.dense.forward(x.select(1, 0)).tanh(); // [B, S, H] → [B, H]
  }
}

/**
 * BERT without a head: embeddings, encoder and pooler.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new BertModel(sizes).eval();
 * model(randint(0, 10, [2, 5])).lastHiddenState.shape // [2, 5, 8]
 */
export class BertModel extends Module {
  /** The configuration of the model. */
  readonly config: BertConfig;
  /** Embeds the tokens. */
  embeddings: BertEmbeddings;
  /** The transformer layers. */
  encoder: BertEncoder;
  /** Computes the pooled output from the first token. */
  pooler: BertPooler;
  constructor(config: BertConfigInput) {
    super();
    this.config = bertConfig(config);
    this.embeddings = new BertEmbeddings(this.config);
    this.encoder = new BertEncoder(this.config);
    this.pooler = new BertPooler(this.config);
  }
  /** Token ids [B, S], or inputs by name → hidden states [B, S, H] and the pooled first token [B, H]. */
  override forward(inputs: Tensor | BertInputs): {
    /** The hidden states of the last layer, [batch, tokens, hidden]. */
    readonly lastHiddenState: Tensor;
    /** The pooled output, [batch, hidden]. */
    readonly poolerOutput: Tensor;
  } {
    const { inputIds, attentionMask, tokenTypeIds } = asInputs(inputs);
    checkInputs(this.config, inputIds, attentionMask, tokenTypeIds);
    const mask = attentionMask && F.additiveMask(attentionMask); // [B, 1, 1, S]
    const lastHiddenState = this.encoder.forward(this.embeddings.forward(inputIds, tokenTypeIds), mask);
    return { lastHiddenState, poolerOutput: this.pooler.forward(lastHiddenState) };
  }
}

const asInputs = (inputs: Tensor | BertInputs): BertInputs => ('inputIds' in inputs ? inputs : { inputIds: inputs });

function checkInputs(config: BertConfig, ids: Tensor, mask: Tensor | undefined, types: Tensor | undefined): void {
  const location = userLocation();
  const shape = `[${ids.shape.join(', ')}]`;
  if (ids.ndim !== 2) {
    throw new TrenioError(
      'SHAPE_MISMATCH',
      { op: 'BERT', left: shape, right: '[B, S]', detail: 'token ids have two dims, batch and sequence' },
      { location },
    );
  }
  const length = ids.shape[1]!;
  const positions = config.max_position_embeddings;
  if (length > positions) throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions }, { location });
  for (const other of [mask, types]) {
    if (other === undefined || (other.ndim === 2 && other.shape.every((d, i) => d === ids.shape[i]))) continue;
    const detail = 'the attention mask and the token types have the shape of the token ids';
    throw new TrenioError(
      'SHAPE_MISMATCH',
      { op: 'BERT', left: shape, right: `[${other.shape.join(', ')}]`, detail },
      { location },
    );
  }
}

/** Options of `fromPretrained`. */
export interface FromPretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: BertConfigInput;
  /** Tensors to use in place of model.safetensors, for example of a checkpoint. */
  readonly weights?: TensorReader | undefined;
  /** Called with messages, such as a randomly initialized classifier; by default they are written to standard error. */
  readonly onWarning?: (message: string) => void;
}

/**
 * BERT with a classifier on the pooled first token: logits [B, num_labels].
 * @example
 * ```ts no-run
 * const model = await BertForSequenceClassification.fromPretrained('bert-base-uncased');
 * ```
 */
export class BertForSequenceClassification extends Module {
  /** The configuration of the model. */
  readonly config: BertConfig;
  /** The encoder. */
  bert: BertModel;
  /** Applied to the result in training. */
  dropout: Dropout;
  /** Computes the logits of the classes. */
  classifier: Linear;
  constructor(config: BertConfigInput = {}) {
    super();
    this.config = bertConfig(config);
    this.bert = new BertModel(this.config);
    this.dropout = new Dropout(this.config.classifier_dropout ?? this.config.hidden_dropout_prob);
    this.classifier = linear(this.config, this.config.hidden_size, this.config.num_labels);
  }
  /** Token ids [B, S], or inputs by name → logits [B, num_labels]. */
  override forward(inputs: Tensor | BertInputs): Tensor {
    return this.classifier.forward(this.dropout.forward(this.bert.forward(inputs).poolerOutput));
  }

  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it. Weights of a
   * base model load too: the classifier is then randomly initialized, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {FILE_UNREADABLE}
   * @throws {STATE_KEYS} (a tensor other than the classifier's is missing)
   */
  static async fromPretrained(
    directory: string,
    options: FromPretrainedOptions = {},
  ): Promise<BertForSequenceClassification> {
    const read = await readBertConfig(join(directory, 'config.json'));
    const config =
      options.config === undefined
        ? read
        : bertConfig(withoutStaleLabels({ ...read, ...options.config }, options.config));
    const model = init.skipInit(() => new BertForSequenceClassification(config));
    const mayMiss = (name: string): boolean => name.startsWith('classifier.');
    const { missing } = await loadPretrained(model, directory, 'bert.', mayMiss, options.weights);
    if (missing.length > 0) {
      model.classifier.weight.moveFrom(init.normal(model.classifier.weight.shape, 0, config.initializer_range));
      const warn = options.onWarning ?? (message => void process.stderr.write(`trenio: warn: ${message}\n`));
      warn(`${directory} has no ${missing.join(' and ')}: initialized randomly; train the model before use`);
    }
    return model;
  }
  /** Writes config.json and model.safetensors into a directory, each of them atomically. */
  async savePretrained(directory: string): Promise<void> {
    await writeSafetensors(join(directory, 'model.safetensors'), lazyState(this), new Map([['format', 'pt']]));
    await this.saveConfig(directory);
  }
  /** Writes config.json into a directory. */
  async saveConfig(directory: string): Promise<void> {
    await writeBertConfig(join(directory, 'config.json'), this.config);
  }
}

/** With another number of labels, the names of the old ones are dropped. */
function withoutStaleLabels(config: BertConfigInput, given: BertConfigInput): BertConfigInput {
  if (given.num_labels === undefined || given.id2label !== undefined) return config;
  const { id2label: _, label2id: __, ...rest } = config;
  return rest;
}
