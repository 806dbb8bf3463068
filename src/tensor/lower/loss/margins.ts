// Losses of margins and distances. They are computed in f32 for low-precision floats and under autocast.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import { checkIndices, wholeIndices } from '../../step/index-checks.ts';
import type { Context } from '../../surface/row.ts';
import { logSigmoid } from '../activation.ts';
import { atLeastZero, binary, power, relu, toFloat, unify } from '../elementwise.ts';
import { vectorNorm } from '../linalg/norms.ts';
import { gather, indexSelect } from '../move.ts';
import { inFull, typeOf } from '../narrow.ts';
import { sum } from '../reduce.ts';
import { broadcastTo, mismatch } from '../shapes.ts';
import { raised } from './pairs.ts';
import { type Reduction, reduced, weighted } from './reduction.ts';

const plus = (b: Builder, x: Value, term: number): Value => b.add(x, b.like(x, term));
const times = (b: Builder, x: Value, factor: number): Value => b.multiply(x, b.like(x, factor));
const last = (x: Value): number => shapeOf(x).length - 1;

/** x / max(‖x‖, eps) · y / max(‖y‖, eps) along a dim. */
export function cosineSimilarity({ b, stop }: Context, x: Value, y: Value, dim: number, eps: number): Value {
  const [u, v] = unify(b, 'cosineSimilarity', x, y, true);
  return inFull(b, u, w => {
    const other = b.convert(v, typeOf(w));
    const at = dim < 0 ? dim + shapeOf(w).length : dim;
    const scaledToOne = (of: Value): Value => {
      const norm = raised(b, stop, vectorNorm(b, of, 2, dim, true), eps);
      return b.divide(of, broadcastTo(b, norm, shapeOf(of)));
    };
    return b.sum(b.multiply(scaledToOne(w), scaledToOne(other)), [at]);
  });
}
/** ‖x - y + eps‖ₚ over the last dim. */
export function pairwiseDistance(b: Builder, x: Value, y: Value, p: number, eps: number, keepDim: boolean): Value {
  const [u, v] = unify(b, 'pairwiseDistance', x, y, true);
  return vectorNorm(b, plus(b, b.subtract(u, v), eps), p, -1, keepDim);
}
/** The same, in f32 under autocast. */
export const wideDistance = (b: Builder, x: Value, y: Value, p: number, eps: number): Value => {
  const [u, v] = unify(b, 'pairwiseDistance', x, y, true);
  return inFull(b, u, w => pairwiseDistance(b, w, b.convert(v, typeOf(w)), p, eps, false));
};
/** max(0, -y · (x1 - x2) + margin). */
export function marginRanking(b: Builder, x1: Value, x2: Value, y: Value, margin: number, reduction: Reduction): Value {
  const [u, v] = unify(b, 'marginRankingLoss', x1, x2, true);
  return inFull(b, u, w => {
    const off = binary(b, 'multiply', 'marginRankingLoss', b.negate(y), b.subtract(w, b.convert(v, typeOf(w))));
    return reduced(b, atLeastZero(b, plus(b, off, margin)), reduction);
  });
}
/** 1 - cos(x1, x2) for targets 1, max(0, cos(x1, x2) - margin) for targets -1. */
export function cosineEmbedding(
  b: Builder,
  x1: Value,
  x2: Value,
  target: Value,
  margin: number,
  reduction: Reduction,
): Value {
  const call = 'cosineEmbeddingLoss';
  const [u, v] = unify(b, call, x1, x2, true);
  const ndim = shapeOf(u).length;
  if (ndim < 1 || ndim > 2 || shapeOf(target).length !== ndim - 1)
    throw mismatch(b, call, shapeOf(u), shapeOf(target), 'inputs are [N, D] with targets [N], or [D] with one target');
  return inFull(b, u, w => {
    const other = b.convert(v, typeOf(w));
    const over = (x: Value): Value => b.sum(x, [last(x)]);
    const size = (x: Value): Value => plus(b, over(b.multiply(x, x)), 1e-12);
    const cosine = b.divide(over(b.multiply(w, other)), b.unary('sqrt', b.multiply(size(w), size(other))));
    const [near, y] = unify(b, call, plus(b, b.negate(cosine), 1), target);
    const far = atLeastZero(b, plus(b, cosine, -margin));
    const only = (value: number, x: Value): Value => b.select(b.compare('EQ', y, b.like(y, value)), x, b.like(x, 0));
    return reduced(b, b.add(only(1, near), only(-1, far)), reduction);
  });
}
/** max(0, near - far + margin) of distances. */
export const triplet = (b: Builder, near: Value, far: Value, margin: number, reduction: Reduction): Value =>
  reduced(b, atLeastZero(b, plus(b, b.subtract(near, far), margin)), reduction);

/** Treats an input [C] without a batch dim as a batch of one, and removes that dim from the result. */
function asBatch(b: Builder, x: Value, reduction: Reduction, each: (x: Value) => Value): Value {
  if (shapeOf(x).length !== 1) return reduced(b, each(x), reduction);
  return b.reshape(each(b.reshape(x, [1, ...shapeOf(x)])), []);
}

export interface MultiMargin {
  readonly p: number;
  readonly margin: number;
  readonly weight: Value | undefined;
  readonly reduction: Reduction;
}
/** Σ over other classes of max(0, margin - x[y] + x[i])ᵖ / C. */
export function multiMargin(c: Context, x: Value, y: Value, { p, margin, weight, reduction }: MultiMargin): Value {
  const { b, trace } = c;
  const call = 'multiMarginLoss';
  const [shape, given] = [shapeOf(x), shapeOf(y)];
  const isFit = shape.length === 2 ? given.length === 1 && given[0] === shape[0] : shape.length === 1;
  if (!isFit) throw mismatch(b, call, shape, given, 'inputs are [N, C] with classes [N], or [C] with one class');
  if (weight !== undefined && shapeOf(weight)[0] !== shape.at(-1))
    throw mismatch(b, call, shape, shapeOf(weight), 'there is a weight for each class');
  const classes = wholeIndices(b, call, b.reshape(y, [shape.length === 2 ? shape[0]! : 1]));
  const wide = [shapeOf(classes)[0]!, shape.at(-1)!];
  const column = b.reshape(classes, [wide[0]!, 1]);
  return inFull(b, toFloat(b, x), values =>
    asBatch(b, values, reduction, rows => {
      const score = gather(b, rows, 1, column);
      checkIndices(b, trace, { op: call, index: classes, dim: 1, size: wide[1]! }, score);
      const gaps = relu(b, plus(b, b.subtract(rows, b.broadcastInDim(score, [0, 1], wide)), margin));
      const positions = b.iota(tensorType(typeOf(classes), wide), 1);
      const isOther = b.compare('NE', positions, b.broadcastInDim(classes, [0], wide));
      const others = b.select(isOther, power(b, gaps, p), b.like(gaps, 0));
      const share = weight && indexSelect(b, call, b.convert(weight, typeOf(rows)), 0, classes);
      const all = share === undefined ? others : b.multiply(others, b.broadcastInDim(share, [0], wide));
      return times(b, b.sum(all, [1]), 1 / wide[1]!);
    }),
  );
}
/** Hinge loss of several classes: y has the classes of each row, up to the first -1. */
export function multilabelMargin(c: Context, input: Value, y: Value, reduction: Reduction): Value {
  const { b, trace } = c;
  const x = toFloat(b, input);
  const call = 'multilabelMarginLoss';
  const shape = shapeOf(x);
  const isFit = shape.length === shapeOf(y).length && shape.every((d, i) => d === shapeOf(y)[i]);
  if (!isFit || shape.length < 1 || shape.length > 2)
    throw mismatch(b, call, shape, shapeOf(y), 'inputs and targets are [N, C] or [C], both');
  const [n, count] = shape.length === 2 ? (shape as [number, number]) : [1, shape[0]!];
  const labels = wholeIndices(b, call, b.reshape(y, [n, count]));
  const cube = [n, count, count]; // [N, label, class]
  const type = tensorType(typeOf(labels), cube);
  const isEnd = b.compare('LT', labels, b.like(labels, 0));
  const atOrBefore = b.compare('LE', b.iota(type, 2), b.iota(type, 1));
  const ended = b.binary('and', b.broadcastInDim(isEnd, [0, 2], cube), atOrBefore);
  const counts = b.unary('not', b.reduce('or', ended, b.fill('i1', [], false), [2])); // [N, label]
  const known = b.select(counts, labels, b.like(labels, 0));
  return inFull(b, x, values =>
    asBatch(b, values, reduction, rows => {
      const scores = gather(b, rows, 1, known);
      checkIndices(b, trace, { op: call, index: known, dim: 1, size: count }, scores);
      const hit = b.compare('EQ', b.broadcastInDim(known, [0, 1], cube), b.iota(type, 2));
      const isLabel = b.binary('and', hit, b.broadcastInDim(counts, [0, 1], cube));
      const isTarget = b.reduce('or', isLabel, b.fill('i1', [], false), [1]);
      const wide = b.broadcastInDim(rows, [0, 2], cube);
      const gaps = relu(b, plus(b, b.subtract(wide, b.broadcastInDim(scores, [0, 1], cube)), 1));
      const isOther = b.broadcastInDim(b.unary('not', isTarget), [0, 2], cube);
      const used = b.binary('and', b.broadcastInDim(counts, [0, 1], cube), isOther);
      return times(b, b.sum(b.select(used, gaps, b.like(gaps, 0)), [1, 2]), 1 / count);
    }),
  );
}
/** The mean over classes of the binary cross entropies of logits. */
export function multilabelSoftMargin(
  b: Builder,
  x: Value,
  y: Value,
  weight: Value | undefined,
  reduction: Reduction,
): Value {
  const call = 'multilabelSoftMarginLoss';
  const [u, v] = unify(b, call, x, y, true);
  return inFull(b, u, w => {
    const target = b.convert(v, typeOf(w));
    const hit = b.multiply(target, logSigmoid(b, w));
    const miss = b.multiply(plus(b, b.negate(target), 1), logSigmoid(b, b.negate(w)));
    const each = weighted(b, call, b.negate(b.add(hit, miss)), weight);
    // divided by the number of classes of the input, to which the target may broadcast
    const [classes, at] = [shapeOf(x).at(-1), shapeOf(x).length - 1];
    if (classes === undefined) throw mismatch(b, call, shapeOf(x), [1], 'a dim of classes is needed');
    return reduced(b, times(b, sum(b, each, at, false), 1 / classes), reduction);
  });
}
