// One block of a bidirectional encoder: attention and a feed-forward network, each with a norm and a residual connection, in the
// names of Hugging Face's BERT and ViT. B batch, S sequence, H width, E size of a head.
import {
  Dropout,
  functional as F,
  LayerNorm,
  type Linear,
  Module,
  mergeHeads,
  Parameter,
  splitHeads,
} from '../../nn/index.ts';
import { full, ones, type Tensor } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import { type RotaryTable, rotate } from '../decoder/rotary.ts';
import { normalLinear } from '../layers.ts';
import { atDistances } from './distances.ts';
import { encoderLayout } from './encoder-config.ts';
import type { EncoderConfig } from './fields.ts';
import type { EncoderBlockLayout } from './layout.ts';

/** Embeddings of distances, and the row of each pair of positions. */
export interface DistanceInputs {
  /** [N, H] */
  readonly embeddings: Tensor;
  /** Content to position: [query, key]. */
  readonly c2p: Tensor;
  /** Position to content: [key, query]. */
  readonly p2c: Tensor;
}

/** The positions that are tokens, not padding. */
export interface TokenPairs {
  /** [B, 1, S, 1] */
  readonly rows: Tensor;
  /** Whether both positions are tokens, [B, 1, S, S]. */
  readonly pairs: Tensor;
}

/** Inputs of a block that only some architectures have. */
export interface EncoderBlockInputs {
  /** Replaces the mask: padding attends to all positions equally, and its scores have no gradients (DeBERTa). */
  readonly tokens?: TokenPairs | undefined;
  /** The rotations of positions; undefined without rotary embeddings. */
  readonly rotations?: RotaryTable | undefined;
  /** Undefined without disentangled attention. */
  readonly distances?: DistanceInputs | undefined;
  /** Each position sees only itself and earlier ones (CLIP's texts). */
  readonly isCausal?: boolean;
}

const lowest = -3.4028234663852886e38;
const withoutDistances = { scale: undefined, scores: undefined };

/** Scores where both positions are tokens, else the lowest. */
const ofTokens = (scores: Tensor | undefined, pairs: Tensor): Tensor =>
  scores === undefined ? pairs.to('f32').sub(1).mul(-lowest) : scores.maskedFill(pairs.logicalNot(), lowest);

/** The configuration of a text encoder, or the layout of a block. */
export type BlockParts = EncoderConfig | EncoderBlockLayout;
const layoutOf = (parts: BlockParts): EncoderBlockLayout => ('model_type' in parts ? encoderLayout(parts) : parts);

const linear = (layout: EncoderBlockLayout, inFeatures: number, outFeatures: number, bias: boolean): Linear =>
  normalLinear(layout.initializerRange, inFeatures, outFeatures, bias);
/** The layer norm of an architecture. */
export const layerNorm = ({ norm }: Pick<EncoderBlockLayout, 'norm'>, width: number): LayerNorm =>
  new LayerNorm(width, { eps: norm.eps, bias: norm.bias });

/**
 * Self-attention with query, key and value projections.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderSelfAttention(config)(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class EncoderSelfAttention extends Module {
  readonly #layout: EncoderBlockLayout;
  /** Projects to queries. */
  query: Linear;
  /** Projects to keys. */
  key: Linear;
  /** Projects to values. */
  value: Linear;
  /** Projects embeddings of distances to keys (DeBERTa). */
  distanceKey: Linear | undefined;
  /** Projects embeddings of distances to queries (DeBERTa). */
  distanceQuery: Linear | undefined;
  /** Applied to embeddings of distances in training. */
  distanceDropout: Dropout | undefined;
  constructor(parts: BlockParts) {
    super();
    const layout = layoutOf(parts);
    this.#layout = layout;
    const { width, heads, headDim, bias, distances } = layout;
    const projection = (hasBias = bias.attention): Linear => linear(layout, width, heads * headDim, hasBias);
    this.query = projection();
    this.key = projection(bias.key);
    this.value = projection();
    if (distances.kind !== 'disentangled') return;
    this.distanceDropout = new Dropout(layout.dropout.output);
    if (distances.isShared) return;
    this.distanceKey = distances.parts.includes('c2p') ? projection(bias.key) : undefined;
    this.distanceQuery = distances.parts.includes('p2c') ? projection() : undefined;
  }
  /** [B, S, H] → [B, S, heads · E]. The mask is added to scores and broadcasts to [B, heads, S, S]. */
  override forward(
    x: Tensor,
    mask: Tensor | undefined,
    { tokens, rotations, distances, isCausal }: EncoderBlockInputs = {},
  ): Tensor {
    const { heads, dropout } = this.#layout;
    const [q, k, v] = [this.query, this.key, this.value].map(layer => splitHeads(layer.forward(x), heads)) as [
      Tensor,
      Tensor,
      Tensor,
    ];
    const [query, key] = rotations === undefined ? [q, k] : [rotate(q, rotations), rotate(k, rotations)];
    const { scale, scores } = distances === undefined ? withoutDistances : this.#distanceScores(q, k, distances);
    return mergeHeads(
      F.scaledDotProductAttention(tokens === undefined ? query : query.mul(tokens.rows.to(query.dtype)), key, v, {
        mask: tokens === undefined ? (mask ?? scores) : ofTokens(scores, tokens.pairs),
        dropout: this.training ? dropout.attention : 0,
        ...(isCausal === true && { isCausal }),
        ...(scale === undefined ? {} : { scale }),
      }),
    );
  }

  /** The products of contents and distances, [B, heads, S, S], and the factor of scores. */
  #distanceScores(
    q: Tensor,
    k: Tensor,
    { embeddings, c2p, p2c }: DistanceInputs,
  ): { readonly scale: number; readonly scores: Tensor | undefined } {
    const { heads, headDim, distances } = this.#layout;
    const parts = distances.kind === 'disentangled' ? distances.parts : [];
    const scale = 1 / Math.sqrt(headDim * (1 + parts.length));
    const table = this.distanceDropout!.forward(embeddings).unsqueeze(0); // [1, N, H]
    const projected = (layer: Linear): Tensor => splitHeads(layer.forward(table), heads).squeeze(0); // [heads, N, E]
    const scores = parts.map(part =>
      part === 'c2p'
        ? atDistances(q, projected(this.distanceKey ?? this.key), c2p)
        : atDistances(k, projected(this.distanceQuery ?? this.query), p2c).transpose(-1, -2),
    );
    return { scale, scores: scores.length === 0 ? undefined : scores.reduce((a, b) => a.add(b)).mul(scale) };
  }
}

/** Drops the result of a part for a whole sample with this probability: x [B, …] → [B, …] (stochastic depth). */
export const dropPath = (x: Tensor, probability: number): Tensor =>
  probability === 0
    ? x
    : x.mul(F.dropout(ones([x.shape[0]!, ...x.shape.slice(1).map(() => 1)], { dtype: x.dtype }), probability));

/** Options of `EncoderOutput`. */
export interface OutputOptions {
  /** Whether the projection has a bias; true by default. */
  readonly bias?: boolean;
  /** The dropout probability; by default, from the configuration. */
  readonly dropout?: number;
}

/**
 * A projection and dropout; with `post` norms also the residual connection and the norm.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderOutput(config, 16)(randn(2, 5, 16), randn(2, 5, 8)).shape // [2, 5, 8]
 */
export class EncoderOutput extends Module {
  /** Projects to the hidden size. */
  dense: Linear;
  /** Normalizes the sum. */
  LayerNorm: LayerNorm | undefined;
  /** Applied to the result in training. */
  dropout: Dropout;
  /** The factor of each feature of the result (DINOv2). */
  scale: Parameter | undefined;
  readonly #dropPath: number;
  constructor(parts: BlockParts, inFeatures: number, options: OutputOptions = {}) {
    super();
    const layout = layoutOf(parts);
    this.dense = linear(layout, inFeatures, layout.width, options.bias ?? true);
    this.LayerNorm = layout.residual === 'post' ? layerNorm(layout, layout.width) : undefined;
    this.dropout = new Dropout(options.dropout ?? layout.dropout.output);
    const { layerScale: scale, width } = layout;
    this.scale = scale === undefined ? undefined : new Parameter(full([width], scale), { fresh: true });
    this.#dropPath = layout.dropPath;
  }
  override forward(x: Tensor, residual: Tensor): Tensor {
    const sum = this.#scaled(this.dropout.forward(this.dense.forward(x))).add(residual);
    return this.LayerNorm === undefined ? sum : this.LayerNorm.forward(sum);
  }
  #scaled(x: Tensor): Tensor {
    const scaled = this.scale === undefined ? x : x.mul(this.scale);
    return this.training ? dropPath(scaled, this.#dropPath) : scaled;
  }
}

/**
 * The attention of a block, with its projection and residual connection.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderAttention(config)(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class EncoderAttention extends Module {
  /** The attention. */
  self: EncoderSelfAttention;
  /** The projection after it. */
  output: EncoderOutput;
  constructor(parts: BlockParts) {
    super();
    const { heads, headDim, bias, dropout } = layoutOf(parts);
    const options = { bias: bias.attentionOutput, dropout: dropout.attentionOutput };
    this.self = new EncoderSelfAttention(parts);
    this.output = new EncoderOutput(parts, heads * headDim, options);
  }
  /** [B, S, H] → [B, S, H]. `residual` is added; the input by default. */
  override forward(x: Tensor, mask: Tensor | undefined, inputs: EncoderBlockInputs = {}, residual = x): Tensor {
    return this.output.forward(this.self.forward(x, mask, inputs), residual);
  }
}

/**
 * The first half of the feed-forward network: `activation(dense(x))`, or `activation(dense(x)) · gate(x)`.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderIntermediate(config)(randn(2, 5, 8)).shape // [2, 5, 3072]
 */
export class EncoderIntermediate extends Module {
  /** Projects to the inner size. */
  dense: Linear;
  /** Projects to the factors of the activation. */
  gate: Linear | undefined;
  /** Applied to the result in training. */
  dropout: Dropout | undefined;
  readonly #activation: (x: Tensor) => Tensor;
  constructor(parts: BlockParts) {
    super();
    const layout = layoutOf(parts);
    const { width, innerWidth, bias, gated, dropout } = layout;
    this.dense = linear(layout, width, innerWidth, bias.feedForward);
    this.gate = gated ? linear(layout, width, innerWidth, bias.feedForward) : undefined;
    this.dropout = dropout.inner > 0 ? new Dropout(dropout.inner) : undefined;
    this.#activation = activationOf(layout.activation);
  }
  override forward(x: Tensor): Tensor {
    const active = this.#activation(this.dense.forward(x));
    const inner = this.gate === undefined ? active : active.mul(this.gate.forward(x));
    return this.dropout === undefined ? inner : this.dropout.forward(inner);
  }
}

/**
 * Attention and a feed-forward network with their norms and residual connections.
 * @example
 * const config = encoderConfig({ model_type: 'roberta', hidden_size: 8, num_attention_heads: 2 });
 * new EncoderLayer(config)(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class EncoderLayer extends Module {
  /** With `pre` norms: normalizes the input of the attention. */
  layernorm_before: LayerNorm | undefined;
  /** The attention. */
  attention: EncoderAttention;
  /** With `pre` norms: normalizes the input of the feed-forward network. */
  layernorm_after: LayerNorm | undefined;
  /** The first half of the feed-forward network. */
  intermediate: EncoderIntermediate;
  /** The second half of the feed-forward network. */
  output: EncoderOutput;
  /** @param index the number of the block */
  constructor(parts: BlockParts, index = 0) {
    super();
    const layout = layoutOf(parts);
    const { width, innerWidth, residual, bias, dropout } = layout;
    const isPre = residual !== 'post';
    this.layernorm_before =
      isPre && !(residual === 'pre-but-first' && index === 0) ? layerNorm(layout, width) : undefined;
    this.attention = new EncoderAttention(parts);
    this.layernorm_after = isPre ? layerNorm(layout, width) : undefined;
    this.intermediate = new EncoderIntermediate(parts);
    this.output = new EncoderOutput(parts, innerWidth, { bias: bias.feedForward, dropout: dropout.output });
  }
  /** [B, S, H] → [B, S, H] */
  override forward(x: Tensor, mask: Tensor | undefined, inputs: EncoderBlockInputs = {}): Tensor {
    const attended = this.attention.forward(this.layernorm_before?.forward(x) ?? x, mask, inputs, x);
    const normalized = this.layernorm_after?.forward(attended) ?? attended;
    return this.output.forward(this.intermediate.forward(normalized), attended);
  }
}
