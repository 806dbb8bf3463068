// Attention in several heads, with PyTorch's signature, parameters and masks.
import { cat, checkCount, noGrad, type Tensor, wrongArgument, zeros } from '../../tensor/index.ts';
import { requiredFirst, type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { checkHeads } from '../functional/attention-heads.ts';
import * as F from '../functional/functional.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { Parameter } from '../module/parameter.ts';
import { Linear } from './layers.ts';

/** Settings of `MultiheadAttention`. N is the batch, L the length, E the width. */
export interface MultiheadAttentionSettings {
  /** The dropout probability of the attention weights. Default: 0. */
  readonly dropout?: number;
  /** Whether there is a bias. */
  readonly bias?: boolean;
  /** Learned vectors that are appended to keys and values. */
  readonly addBiasKv?: boolean;
  /** Zeros that are appended to keys and values. */
  readonly addZeroAttn?: boolean;
  /** The width of keys and values, if it differs. */
  readonly kdim?: number | undefined;
  /** The size of values. Default: `embedDim`. */
  readonly vdim?: number | undefined;
  /** [N, L, E] in place of [L, N, E]. */
  readonly batchFirst?: boolean;
}
const order = ['dropout', 'bias', 'addBiasKv', 'addZeroAttn', 'kdim', 'vdim', 'batchFirst'] as const;
/** Options of a call of `MultiheadAttention`. N is the batch, L queries, S keys. */
export interface AttentionCallOptions {
  /** `[N, S]`, true where a key is ignored, or numbers that are added to its scores. */
  readonly keyPaddingMask?: Tensor | undefined;
  /** The weights are returned; true by default. Without them, attention is one fused call. */
  readonly needWeights?: boolean;
  /** [L, S] or [N · heads, L, S]: true where attention is not allowed, or numbers that are added to scores. */
  readonly attnMask?: Tensor | undefined;
  /** The mean over heads [N, L, S] in place of [N, heads, L, S]; true by default. */
  readonly averageAttnWeights?: boolean;
  /** Each query sees only keys up to its position. */
  readonly isCausal?: boolean;
}
const callNames = ['keyPaddingMask', 'needWeights', 'attnMask', 'averageAttnWeights', 'isCausal'] as const;

/** Has PyTorch's name, for printed models. */
class NonDynamicallyQuantizableLinear extends Linear {}

/** A mask as numbers that are added to scores: minus infinity where a boolean mask disallows attention. */
const additive = (mask: Tensor, like: Tensor): Tensor =>
  mask.type.elementType === 'i1'
    ? zeros([], { dtype: like.dtype, device: like.device }).expand(mask.shape).maskedFill(mask, -Infinity)
    : mask;

/**
 * Attention of queries [L, N, E] to keys [S, N, kdim] and values [S, N, vdim], without a batch [L, E] …
 *
 *     const attention = new MultiheadAttention(64, 8, { batchFirst: true });
 *     const [output, weights] = attention(x, x, x, { needWeights: false });
 *
 * @throws {INVALID_OPTION} if the heads do not divide the width
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const attention = new nn.MultiheadAttention(16, 4, { batchFirst: true });
 * const x = randn(2, 5, 16);
 * const [output, weights] = attention(x, x, x);
 * output.shape // [2, 5, 16]
 */
export class MultiheadAttention extends Module {
  /** The size of queries and of the output. */
  readonly embedDim: number;
  /** The number of attention heads. */
  readonly numHeads: number;
  /** The dropout probability of the attention weights. */
  readonly dropout: number;
  /** Whether the batch is the first dim: [batch, time, features] instead of [time, batch, features]. */
  readonly batchFirst: boolean;
  /** Whether a key and value of zeros is added. */
  readonly addZeroAttn: boolean;
  /** [3 E, E], of queries, keys and values; null if keys or values have another width. */
  in_proj_weight: Parameter | null;
  /** The weight of the query projection; null where one weight holds all three. */
  q_proj_weight: Parameter | null;
  /** The weight of the key projection; null where one weight holds all three. */
  k_proj_weight: Parameter | null;
  /** The weight of the value projection; null where one weight holds all three. */
  v_proj_weight: Parameter | null;
  /** The bias of the three input projections; null without one. */
  in_proj_bias: Parameter | null;
  /** The bias that is appended to the keys; null without one. */
  bias_k: Parameter | null;
  /** The bias that is appended to the values; null without one. */
  bias_v: Parameter | null;
  /** The output projection. */
  out_proj: Linear;
  constructor(options: Readonly<Record<'embedDim' | 'numHeads', number>> & MultiheadAttentionSettings);
  constructor(embedDim: number, numHeads: number, ...rest: Settings<MultiheadAttentionSettings, typeof order>);
  constructor(...args: readonly unknown[]) {
    super();
    const [embedDim, numHeads, ...rest] = requiredFirst(['embedDim', 'numHeads'], args) as [
      number,
      number,
      ...unknown[],
    ];
    const call = 'MultiheadAttention';
    const given = settle<MultiheadAttentionSettings>(call, order, rest);
    checkCount(call, 'embedDim', embedDim);
    checkHeads(call, embedDim, numHeads);
    const { bias = true, kdim = embedDim, vdim = embedDim } = given;
    this.embedDim = embedDim;
    this.numHeads = numHeads;
    this.dropout = given.dropout ?? 0;
    this.batchFirst = given.batchFirst ?? false;
    this.addZeroAttn = given.addZeroAttn ?? false;
    const weight = (rows: number, columns: number): Parameter =>
      new Parameter(init.xavierUniform([rows, columns]), { fresh: true });
    const isOne = kdim === embedDim && vdim === embedDim;
    this.in_proj_weight = isOne ? weight(3 * embedDim, embedDim) : null;
    this.q_proj_weight = isOne ? null : weight(embedDim, embedDim);
    this.k_proj_weight = isOne ? null : weight(embedDim, kdim);
    this.v_proj_weight = isOne ? null : weight(embedDim, vdim);
    this.in_proj_bias = bias ? new Parameter(zeros([3 * embedDim]), { fresh: true }) : null;
    const kv = (): Parameter =>
      new Parameter(init.normal([1, 1, embedDim], 0, Math.sqrt(1 / embedDim)), { fresh: true });
    this.bias_k = given.addBiasKv ? kv() : null;
    this.bias_v = given.addBiasKv ? kv() : null;
    this.out_proj = new NonDynamicallyQuantizableLinear(embedDim, embedDim, { bias });
    if (this.out_proj.bias !== null) init.zeros_(this.out_proj.bias);
  }

  /** [query, key, value], projected; in one product if they are the same. */
  #project(query: Tensor, key: Tensor, value: Tensor): [Tensor, Tensor, Tensor] {
    const { in_proj_weight: all, in_proj_bias: bias, embedDim: e } = this;
    if (all !== null && query === key && key === value)
      return F.linear(query, all, bias).split(e, -1) as [Tensor, Tensor, Tensor];
    const part = (x: Tensor, i: number): Tensor => x.narrow(0, i * e, e);
    const separate = [this.q_proj_weight, this.k_proj_weight, this.v_proj_weight];
    return [query, key, value].map((x, i) =>
      F.linear(x, all === null ? separate[i]! : part(all, i), bias && part(bias, i)),
    ) as [Tensor, Tensor, Tensor];
  }

  /** [output, weights]; the weights are undefined unless they are needed. */
  override forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    ...rest: Settings<AttentionCallOptions, typeof callNames>
  ): [Tensor, Tensor | undefined] {
    const call = 'MultiheadAttention';
    const {
      needWeights = true,
      averageAttnWeights = true,
      isCausal = false,
      ...masks
    } = settle<AttentionCallOptions>(call, callNames, rest);
    if (query.ndim === 2) {
      const at = this.batchFirst ? 0 : 1;
      const lift = (x: Tensor): Tensor => x.unsqueeze(at);
      const same = query === key && key === value;
      const q = lift(query);
      const inner = {
        ...masks,
        needWeights,
        averageAttnWeights,
        isCausal,
        ...(masks.keyPaddingMask ? { keyPaddingMask: masks.keyPaddingMask.unsqueeze(0) } : {}),
      };
      const [y, w] = this.#attend(q, same ? q : lift(key), same ? q : lift(value), inner);
      return [y.squeeze(at), w?.squeeze(0)];
    }
    if (query.ndim !== 3 || key.ndim !== 3 || value.ndim !== 3)
      throw wrongText(
        { call, argument: 'the query' },
        `a tensor of ${query.ndim} dims`,
        '[L, N, E], or [L, E] without a batch',
      );
    return this.#attend(query, key, value, { ...masks, needWeights, averageAttnWeights, isCausal });
  }
  #attend(query: Tensor, key: Tensor, value: Tensor, options: AttentionCallOptions): [Tensor, Tensor | undefined] {
    const { needWeights = true, averageAttnWeights = true, isCausal = false, keyPaddingMask, attnMask } = options;
    const { numHeads: heads, embedDim } = this;
    if (query.shape.at(-1) !== embedDim)
      throw wrongArgument(
        { call: 'MultiheadAttention', argument: 'the width of the query' },
        query.shape.at(-1),
        String(embedDim),
      );
    let [q, k, v] = this.#project(query, key, value);
    if (!this.batchFirst) {
      const moved = [q, k, v].map(x => x.transpose(0, 1));
      [q, k, v] = moved as [Tensor, Tensor, Tensor];
    }
    const [n, length] = q.shape as [number, number];
    const appended = (x: Tensor, bias: Parameter | null): Tensor => {
      const pieces = [x, ...(bias === null ? [] : [bias.expand(n, 1, embedDim)])];
      if (this.addZeroAttn) pieces.push(zeros([n, 1, embedDim], { dtype: x.dtype, device: x.device }));
      return pieces.length === 1 ? x : cat(pieces, 1);
    };
    const before = k.shape[1]!;
    [k, v] = [appended(k, this.bias_k), appended(v, this.bias_v)];
    const split = (x: Tensor): Tensor => x.reshape(n, x.shape[1]!, heads, embedDim / heads).transpose(1, 2);
    const [hq, hk, hv] = [split(q), split(k), split(v)];
    const size = hk.shape[2]!;
    const mask = this.#mask(hq, length, before, size, attnMask, keyPaddingMask, isCausal && needWeights);
    const dropout = this.training ? this.dropout : 0;
    let mixed: Tensor;
    let weights: Tensor | undefined;
    if (needWeights) {
      const scores = hq.mul(1 / Math.sqrt(embedDim / heads)).matmul(hk.transpose(-2, -1));
      weights = F.dropout((mask === undefined ? scores : scores.add(mask)).softmax(-1), dropout);
      mixed = weights.matmul(hv);
    } else {
      // Booleans, so that fully masked rows give 0.
      const allowed = mask === undefined ? {} : { mask };
      mixed = F.scaledDotProductAttention(hq, hk, hv, {
        ...allowed,
        dropout,
        isCausal: isCausal && mask === undefined,
      });
    }
    const y = this.out_proj(mixed.transpose(1, 2).reshape(n, length, embedDim));
    const given = weights !== undefined && averageAttnWeights ? weights.mean(1) : weights;
    return [this.batchFirst ? y : y.transpose(0, 1), given];
  }
  /** The mask to add to scores [N, heads, L, S]; undefined if nothing is masked. */
  #mask(
    q: Tensor,
    length: number,
    before: number,
    size: number,
    attnMask: Tensor | undefined,
    keyPaddingMask: Tensor | undefined,
    isCausal: boolean,
  ): Tensor | undefined {
    const n = q.shape[0]!;
    const parts: Tensor[] = [];
    if (attnMask !== undefined) {
      const added = additive(attnMask, q);
      parts.push(attnMask.ndim === 3 ? added.reshape(n, this.numHeads, length, before) : added);
    } else if (isCausal) parts.push(additive(zeros([length, before], { device: q.device }).add(1).triu(1).bool(), q));
    if (keyPaddingMask !== undefined) parts.push(additive(keyPaddingMask, q).reshape(n, 1, 1, before));
    if (parts.length === 0) return undefined;
    const sum = parts.reduce((x, y) => x.add(y));
    if (size === before) return sum;
    return noGrad(() => F.pad(sum, [0, size - before]));
  }
}
