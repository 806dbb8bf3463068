// Attention and dropout as ops.
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { type Device, lower, randomBits, type Trace } from '../tensor/index.ts';

export interface AttentionOptions {
  /** The probability with which attention weights are dropped; 0 when not training. */
  readonly dropout?: number;
  /** Each position sees only itself and those before it. */
  readonly isCausal?: boolean;
  /** What scores are multiplied with: 1/√E by default. */
  readonly scale?: number;
}

/**
 * x with elements zeroed with probability p. The random state is an input of the program, so neither seed nor step
 * makes another one; each use within a step has a key of its own (see `tensor/random.ts`).
 */
export function dropoutValue(b: Builder, trace: Trace, device: Device, x: Value, p: number): Value {
  const shape = shapeOf(x);
  if (p >= 1) return b.like(x, 0);
  const bits = randomBits(b, trace, device, shape);
  const threshold = Math.min(2 ** 32 - 1, Math.round(p * 2 ** 32));
  const keep = b.compare('GE', bits, b.fill('ui32', shape, threshold));
  return lower.inWide(b, x, wide => b.select(keep, b.multiply(wide, b.like(wide, 1 / (1 - p))), b.like(wide, 0)));
}

export function attention(
  b: Builder,
  trace: Trace,
  device: Device,
  q: Value,
  k: Value,
  v: Value,
  mask: Value | undefined,
  options: AttentionOptions,
): Value {
  const [sq, sk, sv] = [shapeOf(q), shapeOf(k), shapeOf(v)];
  const rank = sq.length;
  const batch = sq.slice(0, -2).map((_, i) => i);
  if (rank < 2 || sk.length !== rank || sq.at(-1) !== sk.at(-1) || batch.some(i => sq[i] !== sk[i])) {
    throw lower.mismatch(
      b,
      'scaledDotProductAttention',
      sq,
      sk,
      'queries and keys must agree in all dims but the last but one',
    );
  }
  if (sv.length !== rank || sv.at(-2) !== sk.at(-2) || batch.some(i => sk[i] !== sv[i])) {
    throw lower.mismatch(b, 'scaledDotProductAttention', sk, sv, 'keys and values must agree in all dims but the last');
  }
  const batches = { lhsBatchingDimensions: batch, rhsBatchingDimensions: batch };
  const type = lower.productType(q, k, v);
  const products = lower.contract(b, q, k, type, {
    ...batches,
    lhsContractingDimensions: [rank - 1],
    rhsContractingDimensions: [rank - 1],
  });
  const shape = shapeOf(products);
  let scores: Value = b.multiply(products, b.like(products, options.scale ?? 1 / Math.sqrt(sq.at(-1)!)));
  const lowest = b.like(scores, -3.4028234663852886e38);
  if (mask !== undefined) {
    lower.broadcastShapes(b, 'scaledDotProductAttention', shape, shapeOf(mask));
    const wide = lower.broadcastTo(b, mask, shape);
    scores =
      mask.type.kind === 'tensor' && mask.type.elementType === 'i1'
        ? b.select(wide, scores, lowest)
        : b.add(scores, lower.widen(b, wide));
  }
  if (options.isCausal) {
    const index = tensorType('i32', shape);
    scores = b.select(b.compare('GE', b.iota(index, rank - 2), b.iota(index, rank - 1)), scores, lowest);
  }
  let weights = lower.softmax(b, scores, -1, value => trace.stopped.add(value));
  if (options.dropout) weights = dropoutValue(b, trace, device, weights, options.dropout);
  const mixed = lower.contract(b, weights, v, type, {
    ...batches,
    lhsContractingDimensions: [rank - 1],
    rhsContractingDimensions: [rank - 2],
  });
  return b.convert(mixed, type);
}
