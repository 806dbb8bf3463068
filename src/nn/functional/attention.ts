// Attention and dropout as ops.
import type { Builder } from '../../hlo/builder.ts';
import { dispatch, isIn, type PerOp } from '../../hlo/per-op.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { type Device, lower, randomBits, type Trace } from '../../tensor/index.ts';

/** Options of `scaledDotProductAttention`. */
export interface AttentionOptions {
  /** The probability with which attention weights are dropped; 0 when not training. */
  readonly dropout?: number;
  /** Each position attends only to itself and earlier positions. */
  readonly isCausal?: boolean;
  /** The factor for scores: 1/√E by default. */
  readonly scale?: number;
  /** With `isCausal`: a position attends to this many positions, ending with itself (sliding-window attention). */
  readonly window?: number | undefined;
  /** Scores are kept within ± this: `softCap · tanh(score / softCap)`, before masks. */
  readonly softCap?: number | undefined;
  /** Keys and values may have fewer heads than queries, the third dim from the end: each is used by several. */
  readonly enableGqa?: boolean;
  /** Queries, keys and values are in head-tail order (`contextParallel`). */
  readonly order?: 'headtail' | undefined;
}

/** The tensors that change scores. */
export interface AttentionInputs {
  /** Added to scores, or whether a position is seen. */
  readonly mask: Value | undefined;
  /** Scores of a position that has no value, [.., S, 1]: the softmax of each row counts it. */
  readonly sinks: Value | undefined;
}

/**
 * x with elements zeroed with probability p. The random state is an input of the program, so changing the seed or step
 * does not recompile; each use within a step has a separate key (see `tensor/random/random.ts`).
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
  inputs: AttentionInputs,
  options: AttentionOptions,
): Value {
  const call = 'scaledDotProductAttention';
  for (const [one, name] of [
    [q, 'queries'],
    [k, 'keys'],
    [v, 'values'],
  ] as const)
    if (shapeOf(one).length < 2) throw lower.mismatch(b, call, shapeOf(one), [], `${name} have at least two dims`);
  let [key, value] = [k, v];
  if (options.enableGqa) [key, value] = [repeatHeads(b, k, q), repeatHeads(b, v, q)];
  if (shapeOf(q).at(-1) !== shapeOf(key).at(-1))
    throw lower.mismatch(b, call, shapeOf(q), shapeOf(key), 'queries and keys must agree in the last dim');
  if (shapeOf(key).at(-2) !== shapeOf(value).at(-2))
    throw lower.mismatch(b, call, shapeOf(key), shapeOf(value), 'keys and values must agree in the last dim but one');
  const lead = [q, key, value]
    .map((one): readonly number[] => shapeOf(one).slice(0, -2))
    .reduce((x, y) => lower.broadcastShapes(b, call, x, y));
  const [bq, bk, bv] = [q, key, value].map(one => lower.broadcastTo(b, one, [...lead, ...shapeOf(one).slice(-2)])) as [
    Value,
    Value,
    Value,
  ];
  return attend(b, trace, device, bq, bk, bv, inputs, options);
}

/** softmax over the last dim; rows of only minus infinity give 0. */
function maskedSoftmax(b: Builder, scores: Value, stop: (value: Value) => unknown): Value {
  const shape = shapeOf(scores);
  const last = shape.length - 1;
  if (shape.includes(0)) return scores;
  const top = lower.extreme(b, 'maximum', scores, last, false);
  const finite = b.select(b.compare('EQ', top, b.like(top, -Infinity)), b.like(top, 0), top);
  stop(finite);
  const powers = b.unary('exponential', b.subtract(scores, lower.spreadAlong(b, finite, [last], shape)));
  const sum = b.sum(powers, [last]);
  const divisor = b.select(b.compare('EQ', sum, b.like(sum, 0)), b.like(sum, 1), sum);
  return b.divide(powers, lower.spreadAlong(b, divisor, [last], shape));
}

/** Whether a mask is known to contain only finite numbers, like that of `additiveMask`: then no row is fully masked. */
const hasFiniteNumbers = ({ op }: Value): boolean => op !== undefined && isIn(finiteOps, op) && dispatch(finiteOps, op);

const finiteOps: PerOp<'constant' | 'reshape' | 'broadcast_in_dim' | 'select', boolean> = {
  constant: ({ attributes }) => Array.from(attributes.value.data, Number).every(Number.isFinite),
  reshape: ({ operands: [x] }) => hasFiniteNumbers(x),
  broadcast_in_dim: ({ operands: [x] }) => hasFiniteNumbers(x),
  select: ({ operands: [, onTrue, onFalse] }) => hasFiniteNumbers(onTrue) && hasFiniteNumbers(onFalse),
};

/** Keys or values with fewer heads [.., G, S, E], each repeated for its group of query heads. */
export function repeatHeads(b: Builder, x: Value, q: Value): Value {
  const [shape, heads] = [shapeOf(x), shapeOf(q).at(-3)!];
  const groups = shape.at(-3)!;
  if (heads % groups !== 0)
    throw lower.mismatch(
      b,
      'scaledDotProductAttention',
      shapeOf(q),
      shape,
      `${groups} heads of keys must divide ${heads}`,
    );
  if (heads === groups) return x;
  const at = shape.length - 3;
  const split = [...shape.slice(0, at + 1), heads / groups, ...shape.slice(at + 1)];
  const wide = b.broadcastInDim(
    x,
    shape.map((_, d) => (d <= at ? d : d + 1)),
    split,
  );
  return b.reshape(wide, [...shape.slice(0, at), heads, ...shape.slice(at + 1)]);
}

/**
 * Masked and scaled scores [.., L, S] of queries and keys.
 * @param positions the places in their sequence of the query and the key of each score
 */
export function attentionScores(
  b: Builder,
  q: Value,
  k: Value,
  type: ElementType,
  mask: Value | undefined,
  options: AttentionOptions,
  positions: (shape: readonly number[]) => readonly [query: Value, key: Value],
): Value {
  const sq = shapeOf(q);
  const rank = sq.length;
  const batch = sq.slice(0, -2).map((_, i) => i);
  const products = lower.contract(b, q, k, type, {
    lhsBatchingDimensions: batch,
    rhsBatchingDimensions: batch,
    lhsContractingDimensions: [rank - 1],
    rhsContractingDimensions: [rank - 1],
  });
  const shape = shapeOf(products);
  let scores: Value = b.multiply(products, b.like(products, options.scale ?? 1 / Math.sqrt(sq.at(-1)!)));
  if (options.softCap !== undefined) {
    const cap = b.like(scores, options.softCap);
    scores = b.multiply(cap, b.unary('tanh', b.divide(scores, cap)));
  }
  const lowest = b.like(scores, -3.4028234663852886e38);
  if (mask !== undefined) {
    lower.broadcastShapes(b, 'scaledDotProductAttention', shape, shapeOf(mask));
    const wide = lower.broadcastTo(b, mask, shape);
    scores =
      mask.type.kind === 'tensor' && mask.type.elementType === 'i1'
        ? b.select(wide, scores, b.like(scores, -Infinity))
        : b.add(scores, lower.widen(b, wide));
  }
  if (options.isCausal) {
    const [query, key] = positions(shape);
    scores = b.select(b.compare('GE', query, key), scores, lowest);
    if (options.window !== undefined) {
      const inWindow = b.compare('LT', b.subtract(query, key), b.like(query, options.window));
      scores = b.select(inWindow, scores, lowest);
    }
  }
  return scores;
}

/** The options without a window that holds the whole sequence. */
export const withinWindow = (options: AttentionOptions, length: number): AttentionOptions =>
  options.window === undefined || options.window < length ? options : { ...options, window: undefined };

function attend(
  b: Builder,
  trace: Trace,
  device: Device,
  q: Value,
  k: Value,
  v: Value,
  { mask, sinks }: AttentionInputs,
  options: AttentionOptions,
): Value {
  const type = lower.productType(q, k, v);
  const rank = shapeOf(q).length;
  let scores = attentionScores(b, q, k, type, mask, withinWindow(options, shapeOf(k).at(-2)!), given => {
    const index = tensorType('i32', given);
    return [b.iota(index, rank - 2), b.iota(index, rank - 1)];
  });
  const shape = shapeOf(scores);
  if (sinks !== undefined) {
    const column = [...shape.slice(0, -1), 1];
    scores = b.concatenate([scores, lower.broadcastTo(b, lower.widen(b, sinks), column)], rank - 1);
  }
  const stop = (value: Value): unknown => trace.stopped.add(value);
  // The result of a fully masked row is 0, as in PyTorch.
  const canBeEmpty = mask !== undefined && !hasFiniteNumbers(mask);
  let weights = canBeEmpty ? maskedSoftmax(b, scores, stop) : lower.softmax(b, scores, -1, stop);
  if (sinks !== undefined)
    weights = b.slice(
      weights,
      shape.map(() => 0),
      shape,
    );
  if (options.dropout) weights = dropoutValue(b, trace, device, weights, options.dropout);
  const batch = shape.slice(0, -2).map((_, i) => i);
  const mixed = lower.contract(b, weights, v, type, {
    lhsBatchingDimensions: batch,
    rhsBatchingDimensions: batch,
    lhsContractingDimensions: [rank - 1],
    rhsContractingDimensions: [rank - 2],
  });
  return b.convert(mixed, type);
}
