// One block of an encoder–decoder: attention, in the decoder also to the encoder's result, and a feed-forward network, each with
// a norm and a residual connection, in the names of Hugging Face's BART. B batch, S source, T target, H width, E size of a head.
import {
  Dropout,
  functional as F,
  LayerNorm,
  type Linear,
  Module,
  mergeHeads,
  RMSNorm,
  splitHeads,
} from '../../nn/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import type { LayerCache } from '../generation/cache.ts';
import { normalLinear } from '../layers.ts';
import type { Seq2SeqLayout, StackLayout } from './layout.ts';

const linear = (layout: Seq2SeqLayout, inFeatures: number, outFeatures: number, bias = layout.bias): Linear =>
  normalLinear(layout.initializerRange, inFeatures, outFeatures, bias);

/** The norm of an architecture: [.., H] → the same. */
export const seq2SeqNorm = ({ norm, width, normEps: eps }: Seq2SeqLayout): LayerNorm | RMSNorm =>
  norm === 'layer' ? new LayerNorm(width, { eps }) : new RMSNorm(width, { eps });

/** The keys and values [B, heads, S, E] of a sequence. */
export interface SourceHeads {
  readonly key: Tensor;
  readonly value: Tensor;
}

/**
 * Attention from one sequence to another, or to itself.
 * @example
 * const layout = seq2SeqLayout(seq2SeqConfig({ model_type: 'bart', d_model: 32 }));
 * new Seq2SeqAttention(layout, layout.decoder)(randn(2, 5, 32), randn(2, 7, 32), undefined).shape // [2, 5, 32]
 */
export class Seq2SeqAttention extends Module {
  readonly #heads: number;
  readonly #scale: number;
  readonly #dropout: number;
  /** Projects to queries. */
  q_proj: Linear;
  /** Projects to keys. */
  k_proj: Linear;
  /** Projects to values. */
  v_proj: Linear;
  /** Projects the result. */
  out_proj: Linear;
  constructor(layout: Seq2SeqLayout, { heads }: StackLayout) {
    super();
    const { width, headDim, attentionScale, dropout } = layout;
    this.#heads = heads;
    this.#scale = attentionScale;
    this.#dropout = dropout.attention;
    this.k_proj = linear(layout, width, heads * headDim, layout.keyBias);
    this.v_proj = linear(layout, width, heads * headDim);
    this.q_proj = linear(layout, width, heads * headDim);
    this.out_proj = linear(layout, heads * headDim, width);
  }
  /** Queries [B, T, H], keys and values of [B, S, H] → [B, T, H]. The mask is added to scores, [B, heads, T, S] or less. */
  override forward(x: Tensor, source: Tensor, mask: Tensor | undefined, isCausal = false): Tensor {
    const { key, value } = this.headsOf(source);
    const mixed = F.scaledDotProductAttention(this.#split(this.q_proj, x), key, value, {
      mask,
      isCausal,
      scale: this.#scale,
      dropout: this.training ? this.#dropout : 0,
    });
    return this.out_proj.forward(mergeHeads(mixed));
  }
  /** @internal The keys and values that `forward` computes from a source [B, S, H]. */
  headsOf(source: Tensor): SourceHeads {
    return { key: this.#split(this.k_proj, source), value: this.#split(this.v_proj, source) };
  }
  /** @internal Attention of tokens [B, T, H] to themselves and to those in a cache. `bias` is added to scores. */
  forwardCached(x: Tensor, cache: LayerCache, bias: Tensor | undefined): Tensor {
    const { key, value } = this.headsOf(x);
    const mixed = cache.attend(this.#split(this.q_proj, x), key, value, { scale: this.#scale, bias });
    return this.out_proj.forward(mergeHeads(mixed));
  }
  /** @internal Attention of tokens [B, T, H] to the source in a cache. */
  forwardSource(x: Tensor, cache: LayerCache): Tensor {
    return this.out_proj.forward(mergeHeads(cache.attendSource(this.#split(this.q_proj, x), this.#scale)));
  }
  #split(layer: Linear, x: Tensor): Tensor {
    return splitHeads(layer.forward(x), this.#heads);
  }
}

/** The masks of a block. */
export interface Seq2SeqMasks {
  /** Added to the scores of self-attention. */
  readonly self: Tensor | undefined;
  /** Added to the scores of the attention to the encoder's result. */
  readonly source?: Tensor | undefined;
}

/**
 * A block of the encoder or, with `kind` 'decoder', of the decoder: a decoder block is causal, and attends to the
 * encoder's result.
 * @example
 * const layout = seq2SeqLayout(seq2SeqConfig({ model_type: 't5', d_model: 32 }));
 * new Seq2SeqBlock(layout, 'decoder')(randn(2, 5, 32), { self: undefined }, randn(2, 7, 32)).shape // [2, 5, 32]
 */
export class Seq2SeqBlock extends Module {
  readonly #isPre: boolean;
  readonly #isDecoder: boolean;
  readonly #activation: (x: Tensor) => Tensor;
  /** The self-attention. */
  self_attn: Seq2SeqAttention;
  /** Its norm. */
  self_attn_layer_norm: LayerNorm | RMSNorm;
  /** The attention to the encoder's result. */
  encoder_attn: Seq2SeqAttention | undefined;
  /** Its norm. */
  encoder_attn_layer_norm: LayerNorm | RMSNorm | undefined;
  /** Projects to the inner size. */
  fc1: Linear;
  /** Projects to the factors of the activation. */
  gate: Linear | undefined;
  /** Projects the inner values back. */
  fc2: Linear;
  /** The norm of the feed-forward network. */
  final_layer_norm: LayerNorm | RMSNorm;
  /** Applied to the result of each part in training. */
  dropout: Dropout;
  /** Applied to inner values in training. */
  inner_dropout: Dropout;
  constructor(layout: Seq2SeqLayout, kind: 'encoder' | 'decoder') {
    super();
    const stack = layout[kind];
    this.#isPre = layout.residual === 'pre';
    this.#isDecoder = kind === 'decoder';
    this.#activation = activationOf(layout.activation);
    this.self_attn = new Seq2SeqAttention(layout, stack);
    this.self_attn_layer_norm = seq2SeqNorm(layout);
    this.encoder_attn = this.#isDecoder ? new Seq2SeqAttention(layout, stack) : undefined;
    this.encoder_attn_layer_norm = this.#isDecoder ? seq2SeqNorm(layout) : undefined;
    this.fc1 = linear(layout, layout.width, stack.innerWidth);
    this.gate = layout.gated ? linear(layout, layout.width, stack.innerWidth) : undefined;
    this.fc2 = linear(layout, stack.innerWidth, layout.width);
    this.final_layer_norm = seq2SeqNorm(layout);
    this.dropout = new Dropout(layout.dropout.hidden);
    this.inner_dropout = new Dropout(layout.dropout.inner);
  }
  /** [B, T, H] → [B, T, H]. `source` [B, S, H] is the encoder's result. */
  override forward(x: Tensor, masks: Seq2SeqMasks, source?: Tensor): Tensor {
    let y = this.#added(x, this.self_attn_layer_norm, z => this.self_attn.forward(z, z, masks.self, this.#isDecoder));
    const { encoder_attn: attention, encoder_attn_layer_norm: norm } = this;
    if (attention !== undefined && norm !== undefined)
      y = this.#added(y, norm, z => attention.forward(z, source!, masks.source));
    return this.#added(y, this.final_layer_norm, z => this.#feedForward(z));
  }
  /** @internal The tokens [B, T, H] that follow those in a cache. */
  forwardCached(x: Tensor, cache: LayerCache, bias: Tensor | undefined): Tensor {
    let y = this.#added(x, this.self_attn_layer_norm, z => this.self_attn.forwardCached(z, cache, bias));
    y = this.#added(y, this.encoder_attn_layer_norm!, z => this.encoder_attn!.forwardSource(z, cache));
    return this.#added(y, this.final_layer_norm, z => this.#feedForward(z));
  }
  /** x plus a part of it, with the norm before the part or after the sum. */
  #added(x: Tensor, norm: LayerNorm | RMSNorm, part: (x: Tensor) => Tensor): Tensor {
    return this.#isPre
      ? x.add(this.dropout.forward(part(norm.forward(x))))
      : norm.forward(x.add(this.dropout.forward(part(x))));
  }
  #feedForward(x: Tensor): Tensor {
    const active = this.#activation(this.fc1.forward(x));
    const inner = this.gate === undefined ? active : active.mul(this.gate.forward(x));
    return this.fc2.forward(this.inner_dropout.forward(inner));
  }
}
