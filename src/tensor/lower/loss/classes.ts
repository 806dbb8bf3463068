// Losses of classes: minus the log-probability of the target class.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { isFloat, tensorType } from '../../../hlo/types.ts';
import { checkIndices, wholeIndices } from '../../step/index-checks.ts';
import type { Context } from '../../surface/row.ts';
import { gather } from '../move.ts';
import { inFull, typeOf } from '../narrow.ts';
import { logSoftmax, spreadAlong } from '../reduce.ts';
import { formatShape, mismatch } from '../shapes.ts';
import { type Reduction, reduced, refused } from './reduction.ts';

/** Up to here a comparison with each class is cheaper than a lookup, forwards and backwards. */
const fewClasses = 1024;

/** The entries of logs [N, C, …] at the target classes [N, …]. */
function pick(b: Builder, logs: Value, target: Value): Value {
  const shape = shapeOf(logs);
  if (shape[1]! <= fewClasses) {
    const index = tensorType(tensorTypeOf(target).elementType, shape);
    const wide = spreadAlong(b, target, [1], shape);
    const hit = b.compare('EQ', wide, b.iota(index, 1));
    return b.sum(b.select(hit, logs, b.like(logs, 0)), [1]);
  }
  const column = b.reshape(target, [shape[0]!, 1, ...shape.slice(2)]);
  return b.reshape(gather(b, logs, 1, column), shapeOf(target));
}
/** The weights [C] of classes for each entry of logs [N, C, …]. */
const spreadWeights = (b: Builder, weight: Value, logs: Value): Value =>
  b.broadcastInDim(b.convert(weight, typeOf(logs)), [1], shapeOf(logs));

/** The sum of losses, or their mean over the targets that count, by their weights. */
function averaged(
  b: Builder,
  each: Value,
  counts: Value,
  weights: Value | undefined,
  reduction: 'mean' | 'sum',
): Value {
  const total = b.sum(each);
  if (reduction === 'sum') return total;
  const type = typeOf(total);
  const shares = weights === undefined ? b.convert(counts, type) : b.select(counts, weights, b.like(weights, 0));
  return b.divide(total, b.sum(shares));
}

export interface ClassLoss {
  readonly call: string;
  /** [N, C, …] or [C]. */
  readonly input: Value;
  /** [N, …], or no dims; for probabilities the shape of the input. */
  readonly target: Value;
  readonly weight: Value | undefined;
  readonly ignoreIndex: number;
  readonly reduction: Reduction;
}
function checkShapes(b: Builder, { call, input, target, weight }: ClassLoss, isProbability: boolean): void {
  const [shape, given] = [shapeOf(input), shapeOf(target)];
  const classShape = shape.length === 1 ? [] : [shape[0]!, ...shape.slice(2)];
  const expected = isProbability ? shape : classShape;
  if (shape.length === 0 || expected.length !== given.length || expected.some((d, i) => d !== given[i]))
    throw mismatch(
      b,
      call,
      shape,
      given,
      `for these logits the targets are classes of shape ${formatShape(classShape)}`,
    );
  const classes = shape.length === 1 ? shape[0]! : shape[1]!;
  if (weight !== undefined && (shapeOf(weight).length !== 1 || shapeOf(weight)[0] !== classes))
    throw refused(
      b,
      { call, argument: 'weight' },
      `[${shapeOf(weight)}]`,
      `a weight for each of the ${classes} classes`,
    );
}
/** The classes, with 0 for ignored ones, and a mask of those that count. */
function countedClasses({ b, trace }: Context, { call, ignoreIndex }: ClassLoss, target: Value, size: number): Value[] {
  const counts = b.compare('NE', target, b.like(target, ignoreIndex));
  const safe = b.select(counts, target, b.like(target, 0));
  const index = wholeIndices(b, call, safe);
  checkIndices(b, trace, { op: call, index: safe, dim: 1, size }, index);
  return [counts, index];
}
/** [C] as [1, C]; and the result without that dim. */
const asBatch = (b: Builder, x: Value, isSingle: boolean): Value => (isSingle ? b.reshape(x, [1, ...shapeOf(x)]) : x);

export function crossEntropy(c: Context, loss: ClassLoss, labelSmoothing: number): Value {
  const { b } = c;
  const { input, target, weight, reduction } = loss;
  const isSingle = shapeOf(input).length === 1;
  const isProbability = isFloat(typeOf(target)) && shapeOf(target).length === shapeOf(input).length;
  checkShapes(b, loss, isProbability);
  return inFull(b, input, x => {
    const whole = asBatch(b, x, isSingle);
    const count = shapeOf(whole)[1]!;
    const logs = logSoftmax(b, whole, 1, c.stop);
    const weights = weight === undefined ? undefined : spreadWeights(b, weight, logs);
    const weighted = weights === undefined ? logs : b.multiply(logs, weights);
    const smooth = (each: Value): Value => {
      if (labelSmoothing === 0) return each;
      const total = b.sum(weighted, [1]);
      return b.add(each, b.multiply(total, b.like(total, -labelSmoothing / count)));
    };
    if (isProbability) {
      const wanted = b.convert(asBatch(b, target, isSingle), typeOf(logs));
      const sum = b.sum(b.multiply(weighted, wanted), [1]);
      const each = smooth(b.multiply(sum, b.like(sum, labelSmoothing - 1)));
      return reduced(b, isSingle ? b.reshape(each, []) : each, reduction);
    }
    const [counts, index] = countedClasses(c, loss, asBatch(b, target, isSingle), count) as [Value, Value];
    const picked = pick(b, weighted, index);
    const smoothed = smooth(b.multiply(picked, b.like(picked, labelSmoothing - 1)));
    const each = b.select(counts, smoothed, b.like(smoothed, 0));
    if (reduction === 'none') return isSingle ? b.reshape(each, []) : each;
    return averaged(b, each, counts, weights && pick(b, weights, index), reduction);
  });
}

export function nllLoss(c: Context, loss: ClassLoss): Value {
  const { b } = c;
  const { input, target, weight, reduction } = loss;
  const isSingle = shapeOf(input).length === 1;
  checkShapes(b, loss, false);
  return inFull(b, input, wide => {
    const logs = asBatch(b, wide, isSingle);
    const [counts, index] = countedClasses(c, loss, asBatch(b, target, isSingle), shapeOf(logs)[1]!) as [Value, Value];
    const weights = weight === undefined ? undefined : spreadWeights(b, weight, logs);
    const picked = pick(b, weights === undefined ? logs : b.multiply(logs, weights), index);
    const each = b.select(counts, b.negate(picked), b.like(picked, 0));
    if (reduction === 'none') return isSingle ? b.reshape(each, []) : each;
    return averaged(b, each, counts, weights && pick(b, weights, index), reduction);
  });
}
