// Bidirectional text encoders of all architectures in architectures.ts, without heads (heads.ts). B batch, S sequence, H width.
import { TrenioError } from '../../base/errors.ts';
import {
  Conv1d,
  Dropout,
  Embedding,
  functional as F,
  type LayerNorm,
  type Linear,
  Module,
  ModuleList,
} from '../../nn/index.ts';
import { type Tensor, tensor, userLocation, zerosLike } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import type { RopeParameters } from '../decoder/rope-parameters.ts';
import { RotaryEmbedding } from '../decoder/rotary.ts';
import { normalLinear } from '../layers.ts';
import type { NameRule } from '../tensor-names.ts';
import { type EncoderBlockInputs, EncoderLayer, layerNorm, type TokenPairs } from './block.ts';
import { type DisentangledTables, DistanceTable, disentangledTables, distanceBucket } from './distances.ts';
import { encoderConfig, encoderLayout } from './encoder-config.ts';
import type { EncoderConfig, EncoderConfigInput } from './fields.ts';
import { type EncoderFromPretrainedOptions, encoderNames, loadEncoder, saveEncoder } from './files.ts';
import type { EncoderLayout } from './layout.ts';

/** The inputs of text encoders. */
export interface EncoderInputs {
  /** Token ids [B, S], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [B, S]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
  /** The segment of each token [B, S]; all zeros by default. */
  readonly tokenTypeIds?: Tensor | undefined;
}

/** The outputs of text encoders. */
export interface EncoderOutputs {
  /** The hidden states of the last layer, [B, S, H]. */
  readonly lastHiddenState: Tensor;
  /** The first token, projected [B, H]; undefined for architectures without a pooler. */
  readonly poolerOutput: Tensor | undefined;
}

/**
 * The sum of the embeddings of tokens, positions and segments, with norm and dropout.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderEmbeddings(config)(randint(2, 10, [2, 5])).shape // [2, 5, 8]
 */
export class EncoderEmbeddings extends Module {
  readonly #layout: EncoderLayout;
  /** The embeddings of the tokens. */
  word_embeddings: Embedding;
  /** The embeddings of the positions. */
  position_embeddings: Embedding | undefined;
  /** The embeddings of the token types. */
  token_type_embeddings: Embedding | undefined;
  /** The embeddings of the tasks (ERNIE). */
  task_type_embeddings: Embedding | undefined;
  /** Normalizes the sum. */
  LayerNorm: LayerNorm;
  /** Projects to the hidden size. */
  project: Linear | undefined;
  /** Applied in training. */
  dropout: Dropout;
  constructor(config: EncoderConfig) {
    super();
    const layout = encoderLayout(config);
    this.#layout = layout;
    const { embeddingWidth, width, initializerRange: std, projection, countedFrom } = layout;
    const table = (count: number, paddingIndex?: number): Embedding | undefined =>
      count === 0 ? undefined : new Embedding(count, embeddingWidth, { std, paddingIndex });
    this.word_embeddings = table(layout.vocabulary, layout.paddingIndex)!;
    this.position_embeddings = table(layout.positionRows, countedFrom);
    this.token_type_embeddings = table(layout.tokenTypes);
    this.task_type_embeddings = table(layout.taskTypes);
    this.LayerNorm = layerNorm(layout, projection === 'before-norm' ? width : embeddingWidth);
    this.project =
      projection === 'none' ? undefined : normalLinear(std, embeddingWidth, width, projection === 'after-norm');
    this.dropout = new Dropout(layout.embeddingDropout);
  }
  /** [B, S] → [B, S, H] */
  override forward(ids: Tensor, types?: Tensor, mask?: Tensor): Tensor {
    const { projection, zeroPadding } = this.#layout;
    const positions = this.position_embeddings && this.#positions(ids, this.position_embeddings);
    const segments = this.token_type_embeddings?.forward(types ?? zerosLike(ids));
    let x = this.word_embeddings.forward(ids);
    if (segments !== undefined) x = x.add(segments);
    if (positions !== undefined) x = x.add(positions);
    const { task_type_embeddings: tasks } = this;
    if (tasks !== undefined) x = x.add(tasks.weight.narrow(0, 0, 1)); // [1, H]
    if (projection === 'before-norm') x = this.project!.forward(x);
    x = this.LayerNorm.forward(x);
    if (zeroPadding && mask !== undefined) x = x.mul(mask.to(x.dtype).unsqueeze(-1));
    x = this.dropout.forward(x);
    return projection === 'after-norm' ? this.project!.forward(x) : x;
  }
  /** [S, H], or, where positions are counted from the tokens, [B, S, H]. */
  #positions(ids: Tensor, table: Embedding): Tensor {
    const { countedFrom } = this.#layout;
    if (countedFrom === undefined) return table.weight.narrow(0, 0, ids.shape[1]!);
    const isToken = ids.ne(countedFrom).to('i32');
    return table.forward(isToken.cumsum(1).to('i32').mul(isToken).add(countedFrom));
  }
}

/** The convolution over tokens of DeBERTa-v2 XL, added to the result of the first block. */
class TokenConvolution extends Module {
  conv: Conv1d;
  LayerNorm: LayerNorm;
  dropout: Dropout;
  readonly #activation: (x: Tensor) => Tensor;
  constructor(layout: EncoderLayout, { kernel, groups, activation }: NonNullable<EncoderLayout['convolution']>) {
    super();
    this.conv = new Conv1d(layout.width, layout.width, kernel, { padding: (kernel - 1) / 2, groups });
    this.LayerNorm = layerNorm(layout, layout.width);
    this.dropout = new Dropout(layout.dropout.output);
    this.#activation = activationOf(activation);
  }
  override forward(x: Tensor, added: Tensor, mask: Tensor | undefined): Tensor {
    const isToken = mask?.to(x.dtype).unsqueeze(-1); // [B, S, 1]
    const mixed = this.conv.forward(x.transpose(1, 2)).transpose(1, 2);
    const active = this.#activation(this.dropout.forward(isToken === undefined ? mixed : mixed.mul(isToken)));
    const normalized = this.LayerNorm.forward(added.add(active));
    return isToken === undefined ? normalized : normalized.mul(isToken);
  }
}

/**
 * The blocks of an encoder: [B, S, H] to the same shape.
 * @example
 * const config = encoderConfig({ model_type: 'mpnet', hidden_size: 8, num_attention_heads: 2, num_hidden_layers: 1 });
 * new EncoderBlocks(config)(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class EncoderBlocks extends Module {
  readonly #layout: EncoderLayout;
  /** One for each kind of rotation: layers share them. */
  readonly #rotary: ReadonlyMap<RopeParameters, RotaryEmbedding>;
  /** 0 for pairs of positions within a window, by its size. */
  readonly #windows = new Map<number, Map<number, Tensor>>();
  readonly #bucketTable: DistanceTable | undefined;
  readonly #distanceTables: DisentangledTables | undefined;
  /** The blocks. */
  layer: ModuleList<EncoderLayer>;
  /** Added to the scores of each head, by buckets of distances (MPNet). */
  relative_attention_bias: Embedding | undefined;
  /** The embeddings of distances (DeBERTa). */
  distances: Embedding | undefined;
  /** Normalizes them. */
  distanceNorm: LayerNorm | undefined;
  /** The convolution after the first block (DeBERTa). */
  conv: Module | undefined;
  readonly #conv: TokenConvolution | undefined;
  /** With `pre` norms: normalizes the result. */
  layernorm: LayerNorm | undefined;
  constructor(config: EncoderConfig) {
    super();
    const layout = encoderLayout(config);
    this.#layout = layout;
    const { distances, width, heads, initializerRange: std, convolution } = layout;
    const ropes = new Set(layout.layers.flatMap(({ rope }) => rope ?? []));
    this.#rotary = new Map([...ropes].map(rope => [rope, new RotaryEmbedding(rope)]));
    this.layer = new ModuleList(Array.from({ length: layout.blocks }, (_, i) => new EncoderLayer(config, i)));
    if (distances.kind === 'buckets') {
      const { buckets } = distances;
      this.relative_attention_bias = new Embedding(buckets, heads, { std });
      // MPNet always has 32 buckets, whatever the size of the table, as in transformers.
      this.#bucketTable = new DistanceTable((query, key) => distanceBucket(key - query, 32, 128, true));
    }
    if (distances.kind === 'disentangled') {
      const { span, buckets, maxDistance, isNormalized } = distances;
      this.distances = new Embedding(2 * span, width, { std });
      this.distanceNorm = isNormalized ? layerNorm(layout, width) : undefined;
      this.#distanceTables = disentangledTables(span, buckets, maxDistance);
    }
    this.#conv = convolution && new TokenConvolution(layout, convolution);
    this.conv = this.#conv;
    this.layernorm = layout.residual === 'post' ? undefined : layerNorm(layout, width);
  }
  /** `mask` is added to scores, [B, 1, 1, S]; `attentionMask` [B, S] is 1 for tokens and 0 for padding (DeBERTa). */
  override forward(x: Tensor, mask: Tensor | undefined, attentionMask?: Tensor): Tensor {
    const length = x.shape[1]!;
    const { zeroPadding } = this.#layout;
    const shared = sum(mask, this.#bucketScores(length));
    const distances = this.#distances(length);
    const tokens = zeroPadding && attentionMask !== undefined ? pairsOf(attentionMask.ne(0)) : undefined;
    let y = x;
    for (const [i, { block, window, rope }] of this.#layout.layers.entries()) {
      const seen = window === undefined ? shared : sum(shared, this.#window(window, length))?.maximum(lowest);
      const rotations = rope && this.#rotary.get(rope)!.table(length);
      const result = this.layer[block]!.forward(y, seen, { tokens, rotations, distances });
      y = i === 0 && this.#conv !== undefined ? this.#conv.forward(x, result, attentionMask) : result;
    }
    return this.layernorm === undefined ? y : this.layernorm.forward(y);
  }
  /** [1, heads, S, S] */
  #bucketScores(length: number): Tensor | undefined {
    const rows = this.relative_attention_bias?.forward(this.#bucketTable!.of(length)); // [S, S, heads]
    return rows?.permute(2, 0, 1).unsqueeze(0);
  }
  #distances(length: number): EncoderBlockInputs['distances'] {
    if (this.distances === undefined) return undefined;
    const { c2p, p2c } = this.#distanceTables!;
    const { weight } = this.distances;
    return { embeddings: this.distanceNorm?.forward(weight) ?? weight, c2p: c2p.of(length), p2c: p2c.of(length) };
  }
  /** 0 within the window, else lowest: [S, S]. */
  #window(window: number, length: number): Tensor {
    const byLength = this.#windows.get(window) ?? new Map<number, Tensor>();
    this.#windows.set(window, byLength);
    const known = byLength.get(length);
    if (known !== undefined) return known;
    const data = Float32Array.from({ length: length ** 2 }, (_, i) =>
      Math.abs(Math.trunc(i / length) - (i % length)) <= window ? 0 : lowest,
    );
    const made = tensor(data, { shape: [length, length] });
    byLength.set(length, made);
    return made;
  }
}

/** [B, S] */
function pairsOf(isToken: Tensor): TokenPairs {
  const rows = isToken.unsqueeze(1).unsqueeze(3);
  return { rows, pairs: rows.logicalAnd(isToken.unsqueeze(1).unsqueeze(2)) };
}

const lowest = -3.4028234663852886e38;
const sum = (x: Tensor | undefined, y: Tensor | undefined): Tensor | undefined =>
  x === undefined || y === undefined ? (x ?? y) : x.add(y);

/**
 * The representation of the whole sequence: the first token, projected.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderPooler(config)(randn(2, 5, 8)).shape // [2, 8]
 */
export class EncoderPooler extends Module {
  /** Projects the first token. */
  dense: Linear;
  constructor({ hidden_size: width, initializer_range: std }: EncoderConfig) {
    super();
    this.dense = normalLinear(std, width, width);
  }
  override forward(x: Tensor): Tensor {
    return this.dense.forward(x.select(1, 0)).tanh(); // [B, S, H] → [B, H]
  }
}

/** Options of encoders. */
export interface EncoderOptions {
  /** Whether there is a pooler, where the architecture has one; true by default. */
  readonly pooler?: boolean;
}

/**
 * A text encoder without a head: embeddings, blocks and, in some architectures, a pooler.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderModel({ model_type: 'roberta', ...sizes }).eval();
 * model(randint(2, 10, [2, 5])).lastHiddenState.shape // [2, 5, 8]
 */
export class EncoderModel extends Module {
  /** The configuration of the model. */
  readonly config: EncoderConfig;
  readonly #layout: EncoderLayout;
  /** Embeds the tokens. */
  embeddings: EncoderEmbeddings;
  /** The blocks. */
  encoder: EncoderBlocks;
  /** Computes the pooled output from the first token. */
  pooler: EncoderPooler | undefined;
  constructor(config: EncoderConfigInput, options: EncoderOptions = {}) {
    super();
    this.config = encoderConfig(config);
    const layout = encoderLayout(this.config);
    this.#layout = layout;
    this.embeddings = new EncoderEmbeddings(this.config);
    this.encoder = new EncoderBlocks(this.config);
    this.pooler = layout.pooler && options.pooler !== false ? new EncoderPooler(this.config) : undefined;
  }
  /**
   * Token ids [B, S], or inputs by name → hidden states [B, S, H] and the pooled first token [B, H].
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward(inputs: Tensor | EncoderInputs): EncoderOutputs {
    const { inputIds, attentionMask, tokenTypeIds } = encoderInputs(inputs);
    this.#checkInputs(inputIds, attentionMask, tokenTypeIds);
    const mask = attentionMask && F.additiveMask(attentionMask); // [B, 1, 1, S]
    const embedded = this.embeddings.forward(inputIds, tokenTypeIds, attentionMask);
    const lastHiddenState = this.encoder.forward(embedded, mask, attentionMask);
    return { lastHiddenState, poolerOutput: this.pooler?.forward(lastHiddenState) };
  }

  #checkInputs(ids: Tensor, mask: Tensor | undefined, types: Tensor | undefined): void {
    const location = userLocation();
    const shape = `[${ids.shape.join(', ')}]`;
    const mismatch = (right: string, detail: string): TrenioError =>
      new TrenioError('SHAPE_MISMATCH', { op: this.config.model_type, left: shape, right, detail }, { location });
    if (ids.ndim !== 2) throw mismatch('[B, S]', 'token ids have two dims, batch and sequence');
    const length = ids.shape[1]!;
    const positions = this.#layout.maxPositions;
    if (length > positions) throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions }, { location });
    for (const other of [mask, types]) {
      if (other === undefined || (other.ndim === 2 && other.shape.every((d, i) => d === ids.shape[i]))) continue;
      const detail = 'the attention mask and the token types have the shape of the token ids';
      throw mismatch(`[${other.shape.join(', ')}]`, detail);
    }
  }

  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it, with or without a
   * head. A pooler that the directory lacks is initialized randomly, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static fromPretrained(directory: string, options: EncoderFromPretrainedOptions = {}): Promise<EncoderModel> {
    return loadEncoder(config => new EncoderModel(config), 'Model', directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return encoderNames(this.config, 'Model');
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveEncoder(this, this.config, 'Model', directory);
  }
}

export const encoderInputs = (inputs: Tensor | EncoderInputs): EncoderInputs =>
  'inputIds' in inputs ? inputs : { inputIds: inputs };
