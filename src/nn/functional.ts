// Layers as functions of tensors, each recorded as one call so that no tensors are made in between and the compiler sees
// plain elementwise chains, reductions and contractions to fuse. No state: see the modules for that.
import { TrenioError } from '../base/errors.ts';
import { shapeOf, type Value } from '../hlo/program.ts';
import { isFloat, tensorType } from '../hlo/types.ts';
import { lower, record, type Tensor, userLocation } from '../tensor/index.ts';
import { type AttentionOptions, attention, dropoutValue } from './attention.ts';
import { normalise } from './normalise.ts';

export * from '../tensor/generated/functional.ts';
// rows of the table of the tensor surface
export { sigmoid, tanh } from '../tensor/generated/functions.ts';
export { type BatchNormOptions, batchNorm } from './batch-norm.ts';
export { adaptiveAvgPool2d, avgPool2d, type ConvOptions, conv2d, maxPool2d, type PoolOptions } from './convolution.ts';
export {
  bceWithLogits,
  type CrossEntropyOptions,
  crossEntropy,
  l1Loss,
  mseLoss,
  nllLoss,
  type Reduction,
} from './losses.ts';

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
  checkIndices(index, weight.shape[0]!);
  const { paddingIndex } = options;
  return record('embedding', [weight, index], (b, [w, i], trace) => {
    const rows = lower.indexSelect(b, 'embedding', w!, 0, i!);
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
function checkIndices(index: Tensor, size: number): void {
  const { buffer } = index;
  if (buffer === undefined || !buffer.isReady || isFloat(index.dtype)) return;
  const { data } = index.literal();
  for (let i = 0; i < data.length; i++) {
    const id = Number(data[i]);
    if (id < 0 || id >= size)
      throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id, vocabularySize: size }, { location: userLocation() });
  }
}

/** Normalised over the last dims, those of `shape`, then scaled and shifted. */
export function layerNorm(x: Tensor, shape: readonly number[], weight?: Tensor, bias?: Tensor, eps = 1e-5): Tensor {
  const inputs = [x, ...(weight ? [weight] : []), ...(bias ? [bias] : [])];
  return record('layerNorm', inputs, (b, [v, ...rest]) => {
    const from = x.shape.slice(x.ndim - shape.length);
    if (shape.length > x.ndim || shape.some((d, i) => d !== from[i])) {
      throw lower.mismatch(b, 'layerNorm', x.shape, shape, 'the last dims of the input must be those of the layer');
    }
    const w = weight ? rest.shift() : undefined;
    return normalise(b, v!, shape.length, w, rest.shift(), eps);
  });
}

/** Zeros elements with probability p and scales the others by 1/(1 - p); nothing when not training. */
export function dropout(x: Tensor, p = 0.5, training = true): Tensor {
  checkProbability(p);
  if (!training || p === 0) return x;
  return record('dropout', [x], (b, [v], trace) => dropoutValue(b, trace, x.device, v!, p));
}
export function checkProbability(p: number): void {
  if (!(p >= 0 && p <= 1)) {
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'dropout', option: 'p', got: String(p), expected: 'a probability in [0, 1]' },
      { location: userLocation() },
    );
  }
}

/**
 * softmax(q · kᵀ · scale + mask) · v: q [..., L, E], k [..., S, E], v [..., S, F] → [..., L, F]. The mask is added (or,
 * of type i1, true where attention is allowed) and broadcasts to [..., L, S].
 */
export function scaledDotProductAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  options: AttentionOptions & { readonly mask?: Tensor | undefined } = {},
): Tensor {
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
