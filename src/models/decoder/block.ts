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
import { ones, type Tensor, zeros } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import type { LayerCache } from '../generation/cache.ts';
import type { DecoderLayout, LayerLayout } from './layout.ts';
import { type RotaryTable, rotate } from './rotary.ts';

/** A linear layer with normal weights and biases of 0. */
export function linear(
  layout: DecoderLayout,
  inFeatures: number,
  outFeatures: number,
  bias: boolean,
  std = layout.initializerRange,
): Linear {
  const layer = init.skipInit(() => new Linear(inFeatures, outFeatures, { bias }));
  layer.weight.moveFrom(init.normal([outFeatures, inFeatures], 0, std));
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

/** LayerNorm that multiplies by 1 + weight, like Nemotron's. */
class OffsetLayerNorm extends LayerNorm {
  constructor(width: number, eps: number) {
    super(width, { eps });
    this.weight = new Parameter(zeros([width]), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    return F.layerNorm(x, this.shape, this.weight!.add(1), this.bias, this.eps);
  }
}

/** LayerNorm of each head with weights of its own: [B, heads, T, E] → the same. */
class HeadNorm extends Module {
  readonly #eps: number;
  /** [heads, E] */
  weight: Parameter;
  constructor(heads: number, headDim: number, eps: number) {
    super();
    this.#eps = eps;
    this.weight = new Parameter(ones([heads, headDim]), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    const size = x.shape.at(-1)!;
    return F.layerNorm(x, [size], undefined, undefined, this.#eps).mul(this.weight.unsqueeze(1));
  }
}

/** The norm of an architecture: [.., width] → the same. */
export function norm(layout: DecoderLayout, width = layout.width): LayerNorm | RMSNorm {
  const { norm: kind, normEps: eps } = layout;
  switch (kind) {
    case 'rms':
      return new RMSNorm(width, { eps });
    case 'rms-offset':
      return new OffsetRmsNorm(width, eps);
    case 'layer':
      return new LayerNorm(width, { eps });
    case 'layer-offset':
      return new OffsetLayerNorm(width, eps);
    case 'layer-unbiased':
      return new LayerNorm(width, { eps, bias: false });
    case 'layer-fixed':
      return new LayerNorm(width, { eps, elementwiseAffine: false });
  }
}

/** The norm of queries or keys. */
function headNorm(layout: DecoderLayout, heads: number): QueryKeyNorm | undefined {
  const { queryKeyNorm: kind, headDim, normEps } = layout;
  if (kind === undefined) return undefined;
  if (kind === 'each-head') return new HeadNorm(heads, headDim, normEps);
  return norm(layout, kind === 'whole' ? heads * headDim : headDim);
}
type QueryKeyNorm = LayerNorm | RMSNorm | HeadNorm;

/** The inputs of a block in addition to its hidden states. */
export interface BlockInputs {
  /** Added to scores, [B, 1, 1, T]; undefined without padding. */
  readonly mask: Tensor | undefined;
  /** The rotations of this layer's positions; undefined if it has none. */
  readonly rotations: RotaryTable | undefined;
  /** Added to scores, [1, heads, 1, S]: of all positions, or of those in the cache. */
  readonly alibi?: Tensor | undefined;
  /** The keys and values of earlier tokens; `x` then has the tokens that follow, and `mask` is not used. */
  readonly cache?: LayerCache | undefined;
  /** The order of the sequence, if it is another one. */
  readonly order?: 'headtail' | undefined;
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
  /** Normalizes queries. */
  q_norm: QueryKeyNorm | undefined;
  /** Normalizes keys. */
  k_norm: QueryKeyNorm | undefined;
  /** The score of a position that has no value, of each head [heads]. */
  sinks: Parameter | undefined;
  constructor(layout: DecoderLayout, layer: LayerLayout) {
    super();
    this.#layout = layout;
    this.#layer = layer;
    const { width, heads, keyHeads, headDim, bias } = layout;
    this.q_proj = linear(layout, width, heads * headDim, bias.queryKeyValue);
    this.k_proj = linear(layout, width, keyHeads * headDim, bias.queryKeyValue);
    this.v_proj = linear(layout, width, keyHeads * headDim, bias.queryKeyValue);
    this.o_proj = linear(layout, heads * headDim, width, bias.output, layout.residualInitializerRange);
    this.q_norm = headNorm(layout, heads);
    this.k_norm = headNorm(layout, keyHeads);
    this.sinks = layout.hasSinks
      ? new Parameter(init.normal([heads], 0, layout.initializerRange), { fresh: true })
      : undefined;
  }
  /** [B, T, H] → [B, T, H] */
  override forward(x: Tensor, { mask, rotations, alibi, cache, order }: BlockInputs): Tensor {
    const { heads, keyHeads, attentionSoftCap: softCap, dropout } = this.#layout;
    const scale = this.#layout.attentionScale / (this.#layer.scoreDivisor ?? 1);
    const { queryKeyNorm, queryKeyValueClip: limit, rotatedPairs } = this.#layout;
    const clipped = (projected: Tensor): Tensor => (limit === undefined ? projected : projected.clamp(-limit, limit));
    const place = (projected: Tensor, count: number, normalize: QueryKeyNorm | undefined): Tensor => {
      const normalized = (part: Tensor): Tensor => (normalize === undefined ? part : normalize.forward(part));
      const ready =
        queryKeyNorm === 'whole'
          ? splitHeads(clipped(normalized(projected)), count)
          : normalized(splitHeads(clipped(projected), count));
      return rotations === undefined ? ready : rotate(ready, rotations, rotatedPairs);
    };
    const query = place(this.q_proj.forward(x), heads, this.q_norm); // [B, heads, T, E]
    const key = place(this.k_proj.forward(x), keyHeads, this.k_norm); // [B, keyHeads, T, E]
    const value = splitHeads(clipped(this.v_proj.forward(x)), keyHeads);
    const { window } = this.#layer;
    if (cache !== undefined) {
      const options = { scale, softCap, window, bias: alibi, sinks: this.sinks };
      return this.o_proj.forward(mergeHeads(cache.attend(query, key, value, options)));
    }
    const mixed = F.scaledDotProductAttention(query, key, value, {
      mask: alibi === undefined ? mask : (mask?.add(alibi) ?? alibi),
      isCausal: true,
      scale,
      softCap,
      window,
      enableGqa: true,
      sinks: this.sinks?.reshape(1, heads, 1, 1),
      dropout: this.training ? dropout.attention : 0,
      order,
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
    this.down_proj = linear(layout, innerWidth, width, bias.feedForward, layout.residualInitializerRange);
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
  readonly #residualScale: number;
  /** Normalizes the input of the attention. */
  input_layernorm: LayerNorm | RMSNorm | undefined;
  /** The causal self-attention. */
  self_attn: DecoderAttention;
  /**
   * Normalizes the input of the feed-forward network, or, where norms come after, the result of the attention; `after`: the sum
   * of that and its input.
   */
  post_attention_layernorm: LayerNorm | RMSNorm | undefined;
  /** `sandwich`: normalizes the input of the feed-forward network. */
  pre_feedforward_layernorm: LayerNorm | RMSNorm | undefined;
  /** Where norms come after: normalizes the result of the feed-forward network, or the sum. */
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
    const isAfter = residual === 'post' || residual === 'after';
    this.#residual = residual;
    this.#residualScale = layout.residualScale;
    this.input_layernorm = isAfter ? undefined : norm(layout);
    this.self_attn = new DecoderAttention(layout, layer);
    this.post_attention_layernorm = residual === 'parallel' ? undefined : norm(layout);
    this.pre_feedforward_layernorm = residual === 'sandwich' ? norm(layout) : undefined;
    this.post_feedforward_layernorm = isAfter || residual === 'sandwich' ? norm(layout) : undefined;
    this.mlp = feedForward();
    this.resid_dropout = new Dropout(layout.dropout.residual);
  }
  /** [B, T, H] → [B, T, H] */
  override forward(x: Tensor, inputs: BlockInputs): Tensor {
    const scale = this.#residualScale;
    const added = (y: Tensor): Tensor => this.resid_dropout.forward(scale === 1 ? y : y.mul(scale));
    const attended = (y: Tensor): Tensor => this.self_attn.forward(y, inputs);
    const fed = (y: Tensor): Tensor => this.mlp.forward(y, inputs.routerLogits);
    const { input_layernorm: before, post_attention_layernorm: second, post_feedforward_layernorm: last } = this;
    switch (this.#residual) {
      case 'pre': {
        const sum = x.add(added(attended(before!.forward(x))));
        return sum.add(added(fed(second!.forward(sum))));
      }
      case 'post': {
        const sum = x.add(added(second!.forward(attended(x))));
        return sum.add(added(last!.forward(fed(sum))));
      }
      case 'sandwich': {
        const sum = x.add(added(second!.forward(attended(before!.forward(x)))));
        return sum.add(added(last!.forward(fed(this.pre_feedforward_layernorm!.forward(sum)))));
      }
      case 'after': {
        const sum = second!.forward(x.add(added(attended(x))));
        return last!.forward(sum.add(added(fed(sum))));
      }
      case 'parallel': {
        const normalized = before!.forward(x);
        return x.add(added(attended(normalized))).add(added(fed(normalized)));
      }
      case 'parallel-norms':
        return x.add(added(attended(before!.forward(x)))).add(added(fed(second!.forward(x))));
    }
  }
}
