// Layers as functions of tensors, each recorded as one call so that no tensors are made in between and the compiler sees
// plain elementwise chains, reductions and contractions to fuse. No state: see the modules for that.
import { TrenioError } from '../base/errors.ts';
import { shapeOf, type Value } from '../hlo/program.ts';
import { isFloat, tensorType } from '../hlo/types.ts';
import { checkIndices, checkOptionNames, lower, record, type Tensor, userLocation } from '../tensor/index.ts';
import { type AttentionOptions, attention } from './attention.ts';

export * from '../tensor/generated/functional.ts';
// rows of the table of the tensor surface
export { sigmoid, tanh } from '../tensor/generated/functions.ts';
export * from './activations.ts';
export * from './convolution.ts';
export { alphaDropout, dropout, dropout1d, dropout2d, dropout3d, featureAlphaDropout } from './dropout.ts';
export * from './elementwise-losses.ts';
export {
  type CrossEntropyOptions,
  crossEntropy,
  type NllOptions,
  nllLoss,
  type Reduction,
  type ReductionOptions,
} from './losses.ts';
export * from './margin-losses.ts';
export * from './normalization.ts';
export { pad } from './padding.ts';
export * from './pooling.ts';
export {
  channelShuffle,
  fold,
  type InterpolateOptions,
  interpolate,
  pixelShuffle,
  pixelUnshuffle,
  unfold,
} from './resample.ts';

/** x · weightᵀ + bias: [..., in] → [..., out], with PyTorch's layout [out, in] of the weight. */
export function linear(x: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  return record('linear', bias === undefined ? [x, weight] : [x, weight, bias], (b, [v, w, c]) =>
    lower.linear(b, v!, w!, c),
  );
}

/**
 * The rows of weight [n, width] that the indices name: [...] → [..., width]. The row `paddingIndex` gets no gradient.
 * @throws {TOKEN_ID_OUT_OF_RANGE} for indices that are on the host already and outside [0, n)
 */
export function embedding(
  index: Tensor,
  weight: Tensor,
  options: { readonly paddingIndex?: number | undefined } = {},
): Tensor {
  checkUploaded(index, weight.shape[0]!);
  const { paddingIndex } = options;
  return record('embedding', [weight, index], (b, [w, i], trace) => {
    const rows = lower.indexSelect(b, 'embedding', w!, 0, i!);
    checkIndices(b, trace, { op: 'embedding', index: i!, dim: 0, size: weight.shape[0]! }, rows);
    if (paddingIndex === undefined || !weight.requiresGrad) return rows;
    const frozen = b.reshape(rows, shapeOf(rows));
    trace.stopped.add(frozen);
    const isPadding = b.compare('EQ', i!, b.like(i!, paddingIndex));
    const mask = b.broadcastInDim(
      isPadding,
      shapeOf(i!).map((_, d) => d),
      shapeOf(rows),
    );
    return b.select(mask, frozen, rows);
  });
}
/** Indices that were uploaded (and not computed) are checked here, where the line that used them can be named. */
function checkUploaded(index: Tensor, size: number): void {
  const { buffer } = index;
  if (buffer === undefined || !buffer.isReady || isFloat(index.dtype) || index.isExample) return;
  const { data } = index.literal();
  for (let i = 0; i < data.length; i++) {
    const id = Number(data[i]);
    if (id < 0 || id >= size)
      throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id, vocabularySize: size }, { location: userLocation() });
  }
}

/** xᵀ · weight · y + bias: [..., in1], [..., in2], weight [out, in1, in2] → [..., out]. */
export function bilinear(x: Tensor, y: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  const [out, in1, in2] = weight.shape as [number, number, number];
  const rows = x.matmul(weight.permute(1, 0, 2).reshape(in1, out * in2)).reshape([...x.shape.slice(0, -1), out, in2]);
  const product = rows.mul(y.unsqueeze(-2)).sum(-1);
  return bias === undefined ? product : product.add(bias);
}

/**
 * softmax(q · kᵀ · scale + mask) · v: q [..., L, E], k [..., S, E], v [..., S, F] → [..., L, F]. The mask is added (or,
 * of type i1, true where attention is allowed) and broadcasts to [..., L, S]. Leading dims broadcast. A row of which everything
 * is masked gives 0.
 * @throws {SHAPE_MISMATCH}
 * @throws {UNKNOWN_ARGUMENT}
 */
export function scaledDotProductAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  options: AttentionOptions & { readonly mask?: Tensor | undefined } = {},
): Tensor {
  checkOptionNames('scaledDotProductAttention', options, ['mask', 'dropout', 'isCausal', 'scale', 'enableGqa']);
  const { mask } = options;
  return record(
    'scaledDotProductAttention',
    mask === undefined ? [q, k, v] : [q, k, v, mask],
    (b, [vq, vk, vv, vm], trace) => attention(b, trace, q.device, vq!, vk!, vv!, vm, options),
  );
}

/** 0 where the mask is 1, and `lowest` where it is 0: [B, S] → [B, 1, 1, S], to be added to attention scores. */
export function additiveMask(mask: Tensor, lowest = -3.4028234663852886e38): Tensor {
  return record('additiveMask', [mask], (b, [m]) => {
    const [batch, length] = shapeOf(m!) as [number, number];
    const isOut = b.compare('EQ', m!, b.like(m!, 0));
    const type = tensorType('f32', [batch, length]);
    const added: Value = b.select(isOut, b.fill('f32', type.shape, lowest), b.fill('f32', type.shape, 0));
    return b.reshape(added, [batch, 1, 1, length]);
  });
}
