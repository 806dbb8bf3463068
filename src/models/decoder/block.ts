// One block of a decoder-only language model: attention and a feed-forward network, each with norms and a residual connection.
// B batch, T time (tokens), H width, E size of a head.
import {
  Dropout,
  functional as F,
  init,
  LayerNorm,
  Linear,
  Module,
  mergeHeads,
  Parameter,
  RMSNorm,
  splitHeads,
} from '../../nn/index.ts';
import { type Tensor, zeros } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import type { LayerCache } from '../generation/kv-cache.ts';
import type { DecoderLayout, LayerLayout } from './layout.ts';
import { type RotaryTable, rotate } from './rotary.ts';

/** A linear layer with normal weights and biases of 0. */
export function linear(layout: DecoderLayout, inFeatures: number, outFeatures: number, bias: boolean): Linear {
  const layer = init.skipInit(() => new Linear(inFeatures, outFeatures, { bias }));
  layer.weight.moveFrom(init.normal([outFeatures, inFeatures], 0, layout.initializerRange));
  return layer;
}

/** RMSNorm that multiplies by 1 + weight, like Gemma's. */
class OffsetRmsNorm extends RMSNorm {
  constructor(width: number, eps: number) {
    super(width, { eps, elementwiseAffine: false });
    this.weight = new Parameter(zeros([width]), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    return F.rmsNorm(x, this.shape, this.weight!.add(1), this.eps);
  }
}

/** The norm of an architecture: [.., width] → the same. */
export function norm(layout: DecoderLayout, width = layout.width): LayerNorm | RMSNorm {
  const { norm: kind, normEps: eps } = layout;
  if (kind === 'layer') return new LayerNorm(width, { eps });
  return kind === 'rms' ? new RMSNorm(width, { eps }) : new OffsetRmsNorm(width, eps);
}

/** The inputs of a block in addition to its hidden states. */
export interface BlockInputs {
  /** Added to scores, [B, 1, 1, T]; undefined without padding. */
  readonly mask: Tensor | undefined;
  /** The rotations of this layer's positions; undefined if it has none. */
  readonly rotations: RotaryTable | undefined;
  /** The keys and values of earlier tokens; `x` then has the tokens that follow, and `mask` is not used. */
  readonly cache?: LayerCache | undefined;
  /** Receives the logits of the router, [B · T, experts]. */
  readonly routerLogits?: Tensor[] | undefined;
}

/** A feed-forward network: a single one, or experts. */
export interface FeedForward extends Module {
  /** [B, T, H] → [B, T, H] */
  forward(x: Tensor, routerLogits?: Tensor[]): Tensor;
}

/**
 * Causal attention with grouped key heads, rotary positions, and options of architectures.
 * @example
 * const layout = decoderLayout(decoderConfig({ model_type: 'llama', hidden_size: 8, num_attention_heads: 2 }));
 * new DecoderAttention(layout, layout.layers[0]!)(randn(2, 5, 8), { mask: undefined, rotations: undefined }).shape // [2, 5, 8]
 */
export class DecoderAttention extends Module {
  readonly #layout: DecoderLayout;
  readonly #layer: LayerLayout;
  /** Projects to queries. */
  q_proj: Linear;
  /** Projects to keys. */
  k_proj: Linear;
  /** Projects to values. */
  v_proj: Linear;
  /** Projects the result. */
  o_proj: Linear;
  /** Normalizes each query. */
  q_norm: LayerNorm | RMSNorm | undefined;
  /** Normalizes each key. */
  k_norm: LayerNorm | RMSNorm | undefined;
  constructor(layout: DecoderLayout, layer: LayerLayout) {
    super();
    this.#layout = layout;
    this.#layer = layer;
    const { width, heads, keyHeads, headDim, bias } = layout;
    this.q_proj = linear(layout, width, heads * headDim, bias.queryKeyValue);
    this.k_proj = linear(layout, width, keyHeads * headDim, bias.queryKeyValue);
    this.v_proj = linear(layout, width, keyHeads * headDim, bias.queryKeyValue);
    this.o_proj = linear(layout, heads * headDim, width, bias.output);
    this.q_norm = layout.queryKeyNorm ? norm(layout, headDim) : undefined;
    this.k_norm = layout.queryKeyNorm ? norm(layout, headDim) : undefined;
  }
  /** [B, T, H] → [B, T, H] */
  override forward(x: Tensor, { mask, rotations, cache }: BlockInputs): Tensor {
    const { heads, keyHeads, attentionScale: scale, attentionSoftCap: softCap, dropout } = this.#layout;
    const place = (projected: Tensor, count: number, normalize: LayerNorm | RMSNorm | undefined): Tensor => {
      const split = splitHeads(projected, count);
      const normalized = normalize === undefined ? split : normalize.forward(split);
      return rotations === undefined ? normalized : rotate(normalized, rotations);
    };
    const query = place(this.q_proj.forward(x), heads, this.q_norm); // [B, heads, T, E]
    const key = place(this.k_proj.forward(x), keyHeads, this.k_norm); // [B, keyHeads, T, E]
    const value = splitHeads(this.v_proj.forward(x), keyHeads);
    const { window } = this.#layer;
    if (cache !== undefined)
      return this.o_proj.forward(mergeHeads(cache.attend(query, key, value, { scale, softCap, window })));
    const mixed = F.scaledDotProductAttention(query, key, value, {
      mask,
      isCausal: true,
      scale,
      softCap,
      window,
      enableGqa: true,
      dropout: this.training ? dropout.attention : 0,
    });
    return this.o_proj.forward(mergeHeads(mixed));
  }
}

/**
 * The feed-forward network of a block: `down(activation(up(x)))`, or `down(activation(gate(x)) · up(x))`.
 * @example
 * const layout = decoderLayout(decoderConfig({ model_type: 'llama', hidden_size: 8, num_attention_heads: 2 }));
 * new DecoderFeedForward(layout)(randn(2, 5, 8)).shape // [2, 5, 8]
 */
export class DecoderFeedForward extends Module {
  readonly #activation: (x: Tensor) => Tensor;
  /** Projects to the inner width, for the activation. */
  gate_proj: Linear | undefined;
  /** Projects to the inner width. */
  up_proj: Linear;
  /** Projects the result. */
  down_proj: Linear;
  constructor(layout: DecoderLayout) {
    super();
    const { width, innerWidth, bias, gated } = layout;
    this.#activation = activationOf(layout.activation);
    this.gate_proj = gated ? linear(layout, width, innerWidth, bias.feedForward) : undefined;
    this.up_proj = linear(layout, width, innerWidth, bias.feedForward);
    this.down_proj = linear(layout, innerWidth, width, bias.feedForward);
  }
  /** [B, T, H] → [B, T, H] */
  override forward(x: Tensor): Tensor {
    const up = this.up_proj.forward(x);
    const inner =
      this.gate_proj === undefined ? this.#activation(up) : this.#activation(this.gate_proj.forward(x)).mul(up);
    return this.down_proj.forward(inner);
  }
}

/**
 * Attention and a feed-forward network with their norms and residual connections.
 * @example
 * const layout = decoderLayout(decoderConfig({ model_type: 'llama', hidden_size: 8, num_attention_heads: 2 }));
 * new DecoderBlock(layout, layout.layers[0]!)(randn(2, 5, 8), { mask: undefined, rotations: undefined }).shape // [2, 5, 8]
 */
export class DecoderBlock extends Module {
  readonly #residual: DecoderLayout['residual'];
  /** Normalizes the input of the attention. */
  input_layernorm: LayerNorm | RMSNorm;
  /** The causal self-attention. */
  self_attn: DecoderAttention;
  /** Normalizes the input of the feed-forward network, or, in a `sandwich`, the result of the attention. */
  post_attention_layernorm: LayerNorm | RMSNorm | undefined;
  /** `sandwich`: normalizes the input of the feed-forward network. */
  pre_feedforward_layernorm: LayerNorm | RMSNorm | undefined;
  /** `sandwich`: normalizes its result. */
  post_feedforward_layernorm: LayerNorm | RMSNorm | undefined;
  /** The feed-forward network. */
  mlp: FeedForward;
  /** Applied in training to values that are added to the residual stream. */
  resid_dropout: Dropout;
  /** @param feedForward makes the feed-forward network, if it is not a single one */
  constructor(
    layout: DecoderLayout,
    layer: LayerLayout,
    feedForward: () => FeedForward = () => new DecoderFeedForward(layout),
  ) {
    super();
    const { residual } = layout;
    this.#residual = residual;
    this.input_layernorm = norm(layout);
    this.self_attn = new DecoderAttention(layout, layer);
    this.post_attention_layernorm = residual === 'parallel' ? undefined : norm(layout);
    this.pre_feedforward_layernorm = residual === 'sandwich' ? norm(layout) : undefined;
    this.post_feedforward_layernorm = residual === 'sandwich' ? norm(layout) : undefined;
    this.mlp = feedForward();
    this.resid_dropout = new Dropout(layout.dropout.residual);
  }
  /** [B, T, H] → [B, T, H] */
  override forward(x: Tensor, inputs: BlockInputs): Tensor {
    const normalized = this.input_layernorm.forward(x);
    const attended = this.self_attn.forward(normalized, inputs);
    const { post_attention_layernorm: afterAttention } = this;
    const feed = (y: Tensor): Tensor => this.mlp.forward(y, inputs.routerLogits);
    if (afterAttention === undefined)
      return x.add(this.resid_dropout.forward(attended)).add(this.resid_dropout.forward(feed(normalized)));
    if (this.#residual === 'pre') {
      const sum = x.add(this.resid_dropout.forward(attended));
      return sum.add(this.resid_dropout.forward(feed(afterAttention.forward(sum))));
    }
    const sum = x.add(afterAttention.forward(attended));
    const fed = feed(this.pre_feedforward_layernorm!.forward(sum));
    return sum.add(this.post_feedforward_layernorm!.forward(fed));
  }
}
