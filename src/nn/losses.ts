// Losses of classes as functions of tensors, and what all losses share: reductions, and checks of what they are given.
import { TrenioError } from '../base/errors.ts';
import { warnOnce } from '../base/warn-once.ts';
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { isFloat, tensorType } from '../hlo/types.ts';
import {
  checkIndices,
  checkOptionNames,
  checkTensors,
  lower,
  record,
  type Tensor,
  userLocation,
  wrongArgument,
} from '../tensor/index.ts';
import { wrongText } from './settings.ts';

/** How the losses of elements become one: their mean, their sum, or not at all. */
export type Reduction = 'mean' | 'sum' | 'none';

export const reductions = ['mean', 'sum', 'none'] as const;
/** An option that all losses have. */
export interface ReductionOptions {
  /** What is done with the losses of the elements: their mean by default. */
  readonly reduction?: Reduction;
}
/** @throws {WRONG_ARGUMENT} for a reduction that there is not @throws {UNKNOWN_ARGUMENT} */
export function checkLossOptions(call: string, options: ReductionOptions, names: readonly string[] = []): void {
  checkOptionNames(call, options, [...names, 'reduction']);
  const { reduction } = options;
  if (reduction === undefined || (reductions as readonly string[]).includes(reduction)) return;
  throw wrongArgument({ call, argument: 'reduction' }, reduction, reductions.map(known => `'${known}'`).join(', '));
}
/** Tells of shapes that broadcast: a loss over [N, 1] and [N] is one over [N, N], hardly ever what is meant. */
export function warnOfBroadcast(call: string, x: Tensor, target: Tensor): void {
  if (x.ndim === target.ndim && x.shape.every((d, i) => d === target.shape[i])) return;
  warnOnce(
    `broadcast ${call} ${x.shape} ${target.shape}`,
    `${call}: the input is ${lower.formatShape(x.shape)} and the target ${lower.formatShape(target.shape)}; they broadcast, which is hardly ever meant. Give both one shape, for example with target.view(${x.shape.join(', ')}) or output.squeeze(-1)`,
    userLocation(),
  );
}

export function reduced(b: Builder, x: Value, reduction: Reduction): Value {
  if (reduction === 'none') return x;
  return (reduction === 'mean' ? lower.mean : lower.sum)(b, x, undefined, false);
}

/** Options of `crossEntropy`. */
export interface CrossEntropyOptions extends ReductionOptions {
  /** A weight for each class, [C]. */
  readonly weight?: Tensor | undefined;
  /** Targets with this class do not count: -100 by default. */
  readonly ignoreIndex?: number;
  /** The share of the target that is spread over all classes. */
  readonly labelSmoothing?: number;
}

/** Up to here a comparison with each class is cheaper than a lookup, forwards and backwards. */
const fewClasses = 1024;

/** The entries of logProbabilities [N, C, …] at the target classes [N, …]. */
function pick(b: Builder, logProbabilities: Value, target: Value): Value {
  const shape = shapeOf(logProbabilities);
  if (shape[1]! <= fewClasses) {
    const index = tensorType(tensorTypeOf(target).elementType, shape);
    const wide = lower.spreadAlong(b, target, [1], shape);
    const hit = b.compare('EQ', wide, b.iota(index, 1));
    return b.sum(b.select(hit, logProbabilities, b.like(logProbabilities, 0)), [1]);
  }
  const column = b.reshape(target, [shape[0]!, 1, ...shape.slice(2)]);
  return b.reshape(lower.gather(b, logProbabilities, 1, column), shapeOf(target));
}

/** The weights [C] of classes for each entry of logs [N, C, …]. */
const spreadWeights = (b: Builder, weight: Value, logs: Value): Value =>
  b.broadcastInDim(b.convert(weight, lower.typeOf(logs)), [1], shapeOf(logs));

/**
 * Minus the log-probability of the target: logits [N, C], [N, C, …] or [C]; targets are classes [N], [N, …] or none of these
 * dims, or probabilities of the logits' shape. Classes may be given as whole floats. The mean is over the targets that count,
 * with their weights. Classes that are out of range are an error where they are on the host already.
 *
 *     crossEntropy(logits, labels)
 *     crossEntropy(logits, labels, { weight, labelSmoothing: 0.1, ignoreIndex: 0, reduction: 'sum' })
 *
 * @throws {SHAPE_MISMATCH} where the target has neither the shape of classes nor that of the logits
 * @throws {LABEL_OUT_OF_RANGE}
 * @throws {BAD_DTYPE} for classes that are not whole numbers
 * @throws {UNKNOWN_ARGUMENT}
 */
export function crossEntropy(logits: Tensor, target: Tensor, options: CrossEntropyOptions = {}): Tensor {
  checkTensors('crossEntropy', { 'the logits': logits, 'the target': target });
  checkLossOptions('crossEntropy', options, ['weight', 'ignoreIndex', 'labelSmoothing']);
  const { ignoreIndex = -100, labelSmoothing = 0, reduction = 'mean', weight } = options;
  const classes = wholeClasses('crossEntropy', logits, target);
  const isProbability = isFloat(classes.dtype);
  checkClasses('crossEntropy', logits, classes, ignoreIndex, weight, target);
  return record(
    'crossEntropy',
    weight === undefined ? [logits, classes] : [logits, classes, weight],
    (b, [narrow, t, w], trace) =>
      lower.inFull(b, narrow!, x => {
        const isSingle = logits.ndim === 1;
        const whole = isSingle ? b.reshape(x, [1, logits.numel()]) : x;
        const count = shapeOf(whole)[1]!;
        const logs = lower.logSoftmax(b, whole, 1, value => trace.stopped.add(value));
        const weights = w === undefined ? undefined : spreadWeights(b, w, logs);
        const weighted = weights === undefined ? logs : b.multiply(logs, weights);
        const smooth = (each: Value): Value => {
          if (labelSmoothing === 0) return each;
          const total = b.sum(weighted, [1]);
          return b.add(each, b.multiply(total, b.like(total, -labelSmoothing / count)));
        };
        if (isProbability) {
          const wanted = b.convert(isSingle ? b.reshape(t!, shapeOf(whole)) : t!, lower.typeOf(logs));
          const sum = b.sum(b.multiply(weighted, wanted), [1]);
          const each = smooth(b.multiply(sum, b.like(sum, labelSmoothing - 1)));
          return reduced(b, isSingle ? b.reshape(each, []) : each, reduction);
        }
        const index = isSingle ? b.reshape(t!, [1]) : t!;
        const counts = b.compare('NE', index, b.like(index, ignoreIndex));
        const safe = b.select(counts, index, b.like(index, 0));
        checkIndices(b, trace, { op: 'crossEntropy', index: safe, dim: 1, size: count }, safe);
        const picked = pick(b, weighted, safe);
        const smoothed = smooth(b.multiply(picked, b.like(picked, labelSmoothing - 1)));
        const each = b.select(counts, smoothed, b.like(smoothed, 0));
        if (reduction === 'none') return isSingle ? b.reshape(each, []) : each;
        return averaged(b, each, counts, weights && pick(b, weights, safe), reduction);
      }),
  );
}
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
  const type = lower.typeOf(total);
  const shares = weights === undefined ? b.convert(counts, type) : b.select(counts, weights, b.like(weights, 0));
  return b.divide(total, b.sum(shares));
}

/** Targets that have the shape of classes, as integers: whole floats are classes, too. */
function wholeClasses(call: string, x: Tensor, target: Tensor): Tensor {
  if (!isFloat(target.dtype) || target.ndim === x.ndim) return target;
  if (target.buffer?.isReady && !target.isExample) {
    const { data } = target.literal();
    for (let i = 0; i < data.length; i++)
      if (!Number.isInteger(Number(data[i])))
        throw new TrenioError(
          'BAD_DTYPE',
          { op: call, got: `${target.dtype} with the class ${Number(data[i])}`, expected: 'whole numbers as classes' },
          { location: userLocation() },
        );
  }
  return target.to('i32');
}

/** `given` is the target as it came, of which the elements may be on the host. */
function checkClasses(
  call: string,
  logits: Tensor,
  target: Tensor,
  ignoreIndex: number,
  weight: Tensor | undefined,
  given: Tensor,
): void {
  const shape = logits.ndim === 1 ? [] : [logits.shape[0]!, ...logits.shape.slice(2)];
  const expected = isFloat(target.dtype) ? logits.shape : shape;
  if (logits.ndim === 0 || expected.length !== target.ndim || expected.some((d, i) => d !== target.shape[i])) {
    throw new TrenioError(
      'SHAPE_MISMATCH',
      {
        op: call,
        left: lower.formatShape(logits.shape),
        right: lower.formatShape(target.shape),
        detail: `for these logits the targets are classes of shape ${lower.formatShape(shape)}`,
      },
      { location: userLocation() },
    );
  }
  const classes = logits.ndim === 1 ? logits.shape[0]! : logits.shape[1]!;
  if (weight !== undefined && (weight.ndim !== 1 || weight.shape[0] !== classes))
    throw wrongText({ call, argument: 'weight' }, `[${weight.shape}]`, `a weight for each of the ${classes} classes`);
  if (isFloat(target.dtype) || !given.buffer?.isReady || given.isExample) return;
  const { data } = given.literal();
  for (let i = 0; i < data.length; i++) {
    const label = Number(data[i]);
    if (label !== ignoreIndex && (label < 0 || label >= classes)) {
      throw new TrenioError('LABEL_OUT_OF_RANGE', { label, classes, position: i }, { location: userLocation() });
    }
  }
}

/** Options of `nllLoss`. */
export interface NllOptions extends ReductionOptions {
  /** A weight for each class, [C]. */
  readonly weight?: Tensor | undefined;
  /** Targets with this class do not count: -100 by default. */
  readonly ignoreIndex?: number;
}
/**
 * Minus the entries of log-probabilities [N, C, …] at the target classes [N, …]. Errors as `crossEntropy`.
 *
 *     nllLoss(logSoftmax(logits, 1), labels)
 */
export function nllLoss(logProbabilities: Tensor, target: Tensor, options: NllOptions = {}): Tensor {
  checkTensors('nllLoss', { 'the log-probabilities': logProbabilities, 'the target': target });
  checkLossOptions('nllLoss', options, ['weight', 'ignoreIndex']);
  const { ignoreIndex = -100, reduction = 'mean', weight } = options;
  const classes = wholeClasses('nllLoss', logProbabilities, target);
  checkClasses('nllLoss', logProbabilities, classes, ignoreIndex, weight, target);
  const inputs = weight === undefined ? [logProbabilities, classes] : [logProbabilities, classes, weight];
  return record('nllLoss', inputs, (b, [x, t, w], trace) =>
    lower.inFull(b, x!, wide => {
      const isSingle = logProbabilities.ndim === 1;
      const logs = isSingle ? b.reshape(wide, [1, logProbabilities.numel()]) : wide;
      const index = isSingle ? b.reshape(t!, [1]) : t!;
      const counts = b.compare('NE', index, b.like(index, ignoreIndex));
      const safe = b.select(counts, index, b.like(index, 0));
      checkIndices(b, trace, { op: 'nllLoss', index: safe, dim: 1, size: shapeOf(logs)[1]! }, safe);
      const weights = w === undefined ? undefined : spreadWeights(b, w, logs);
      const picked = pick(b, weights === undefined ? logs : b.multiply(logs, weights), safe);
      const each = b.select(counts, b.negate(picked), b.like(picked, 0));
      if (reduction === 'none') return isSingle ? b.reshape(each, []) : each;
      return averaged(b, each, counts, weights && pick(b, weights, safe), reduction);
    }),
  );
}
