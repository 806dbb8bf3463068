// Layers as functions of tensors, each recorded as one call, so that no intermediate tensors are created and the compiler sees
// plain elementwise chains, reductions and contractions to fuse. They have no state; modules do.
import { shapeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { record, type Settings, settle, type Tensor } from '../../tensor/index.ts';
import type { AttentionOptions } from './attention.ts';
import { attentionInParts } from './attention-in-parts.ts';

export * from '../../tensor/generated/functional.ts';
// rows of the table of the tensor surface
export { sigmoid, tanh } from '../../tensor/generated/functions.ts';
export * from '../generated/absent-functional.ts';
export type { AttentionOptions } from './attention.ts';
export {
  alphaDropout,
  type DropoutOptions,
  type DropoutRest,
  dropout,
  dropout1d,
  dropout2d,
  dropout3d,
  featureAlphaDropout,
} from './dropout.ts';
export { type EmbeddingOptions, embedding } from './embedding.ts';
export { type BagMode, type EmbeddingBagOptions, embeddingBag } from './embedding-bag.ts';
export * from './functional-names.ts';
export { affineGrid, type GridSampleOptions, gridSample } from './grid-sample.ts';
export * from './max-pool-indices.ts';
export * from './normalization.ts';
export { type PadMode, type PadSettings, pad } from './padding.ts';
export * from './pooling.ts';
export {
  fold,
  type InterpolateOptions,
  type InterpolateRest,
  interpolate,
  type UnfoldOptions,
  type UnfoldRest,
  unfold,
} from './resample.ts';

/**
 * xᵀ · weight · y + bias: [..., in1], [..., in2], weight [out, in1, in2] → [..., out].
 * @example
 * nn.functional.bilinear(tensor([[1, 2]]), tensor([[3]]), tensor([[[1], [1]]])) // [[9]]
 */
export function bilinear(x: Tensor, y: Tensor, weight: Tensor, bias?: Tensor | null): Tensor {
  const [out, in1, in2] = weight.shape as [number, number, number];
  const rows = x.matmul(weight.permute(1, 0, 2).reshape(in1, out * in2)).reshape([...x.shape.slice(0, -1), out, in2]);
  const product = rows.mul(y.unsqueeze(-2)).sum(-1);
  return bias == null ? product : product.add(bias);
}

/** The arguments of `scaledDotProductAttention` after the values. */
export interface AttentionSettings extends AttentionOptions {
  /** Added to scores, or, of type bool, true where attention is allowed. It broadcasts to [..., L, S]. */
  readonly attnMask?: Tensor | null | undefined;
  /** The same as `attnMask`. */
  readonly mask?: Tensor | undefined;
  /** The probability with which attention weights are dropped; the same as `dropout`. */
  readonly dropoutP?: number;
  /** Scores of a position that has no value (attention sinks), which broadcast to [..., L, 1]. */
  readonly sinks?: Tensor | undefined;
}
const attentionOrder = ['attnMask', 'dropoutP', 'isCausal', 'scale', 'enableGqa'] as const;
const attentionNames = ['mask', 'sinks', 'dropout', 'window', 'softCap', 'order'] as const;

/**
 * softmax(q · kᵀ · scale + mask) · v: q [..., L, E], k [..., S, E], v [..., S, F] → [..., L, F]. The mask is added (or,
 * of type bool, true where attention is allowed) and broadcasts to [..., L, S]. Leading dims broadcast. A fully masked
 * row gives 0.
 * @throws {SHAPE_MISMATCH}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const q = randn(2, 4, 5, 8), k = randn(2, 4, 7, 8), v = randn(2, 4, 7, 8);
 * nn.functional.scaledDotProductAttention(q, k, v).shape // [2, 4, 5, 8]
 */
export function scaledDotProductAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  ...rest: Settings<AttentionSettings, typeof attentionOrder>
): Tensor {
  const given = settle<AttentionSettings>('scaledDotProductAttention', attentionOrder, rest, attentionNames);
  const { attnMask, mask = attnMask ?? undefined, sinks, dropoutP, ...others } = given;
  const options = { ...others, ...(dropoutP !== undefined && { dropout: dropoutP }) };
  const more = [mask, sinks].filter(one => one !== undefined);
  return record('scaledDotProductAttention', [q, k, v, ...more], (b, [vq, vk, vv, ...values], trace) => {
    const inputs = { mask: mask && values[0], sinks: sinks && values.at(-1) };
    return attentionInParts({ b, trace, device: q.device, q: vq!, k: vk!, v: vv!, inputs, options });
  });
}

/**
 * 0 where the mask is 1, and `lowest` where it is 0: [B, S] → [B, 1, 1, S], to add to attention scores.
 * @example
 * nn.functional.additiveMask(tensor([[1, 1, 0]])).exp() // [[[[1, 1, 0]]]]
 */
export function additiveMask(mask: Tensor, lowest = -3.4028234663852886e38): Tensor {
  return record('additiveMask', [mask], (b, [m]) => {
    const [batch, length] = shapeOf(m!) as [number, number];
    const isOut = b.compare('EQ', m!, b.like(m!, 0));
    const type = tensorType('f32', [batch, length]);
    const added: Value = b.select(isOut, b.fill('f32', type.shape, lowest), b.fill('f32', type.shape, 0));
    return b.reshape(added, [batch, 1, 1, length]);
  });
}
