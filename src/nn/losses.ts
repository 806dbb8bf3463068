// Losses as functions of tensors.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { isFloat, tensorType } from '../hlo/types.ts';
import { checkTensors, lower, record, type Tensor, userLocation, wrongArgument } from '../tensor/index.ts';

export type Reduction = 'mean' | 'sum' | 'none';

const reductions = ['mean', 'sum', 'none'];
function checkReduction(call: string, { reduction }: { readonly reduction?: Reduction }): void {
  if (reduction === undefined || reductions.includes(reduction)) return;
  throw wrongArgument({ call, argument: 'reduction' }, reduction, reductions.map(known => `'${known}'`).join(', '));
}

function reduced(b: Builder, x: Value, reduction: Reduction): Value {
  if (reduction === 'none') return x;
  return (reduction === 'mean' ? lower.mean : lower.sum)(b, x, undefined, false);
}

export interface CrossEntropyOptions {
  /** Targets with this class do not count: -100 by default. */
  readonly ignoreIndex?: number;
  /** The share of the target that is spread over all classes. */
  readonly labelSmoothing?: number;
  readonly reduction?: Reduction;
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

/**
 * Minus the log-probability of the target: logits [N, C] or [N, C, …]; targets are classes [N] or [N, …], or
 * probabilities of the logits' shape. The mean is over the targets that count. Class indices that are out of range are
 * an error where they are on the host already.
 */
export function crossEntropy(logits: Tensor, target: Tensor, options: CrossEntropyOptions = {}): Tensor {
  checkTensors('crossEntropy', { 'the logits': logits, 'the target': target });
  checkReduction('crossEntropy', options);
  const { ignoreIndex = -100, labelSmoothing = 0, reduction = 'mean' } = options;
  checkClasses(logits, target, ignoreIndex);
  return record('crossEntropy', [logits, target], (b, [narrow, t], trace) =>
    lower.inFull(b, narrow!, x => {
      const whole = logits.ndim === 1 ? b.reshape(x, [1, logits.numel()]) : x;
      const shape = shapeOf(whole);
      const classes = shape[1]!;
      const logs = lower.logSoftmax(b, whole, 1, value => trace.stopped.add(value));
      const spread = (): Value => {
        const total = b.sum(logs, [1]);
        return b.multiply(total, b.like(total, -labelSmoothing / classes));
      };
      if (isFloat(target.dtype)) {
        lower.broadcastShapes(b, 'crossEntropy', logits.shape, target.shape);
        const wanted = lower.widen(b, logits.ndim === 1 ? b.reshape(t!, shape) : t!);
        const weighted = b.sum(b.multiply(logs, wanted), [1]);
        let each: Value = b.multiply(weighted, b.like(weighted, labelSmoothing - 1));
        if (labelSmoothing > 0) each = b.add(each, spread());
        return reduced(b, logits.ndim === 1 ? b.reshape(each, []) : each, reduction);
      }
      const index = logits.ndim === 1 ? b.reshape(t!, [1]) : t!;
      const counts = b.compare('NE', index, b.like(index, ignoreIndex));
      const safe = b.select(counts, index, b.like(index, 0));
      const picked = pick(b, logs, safe);
      let each: Value = b.multiply(picked, b.like(picked, labelSmoothing - 1));
      if (labelSmoothing > 0) each = b.add(each, spread());
      each = b.select(counts, each, b.like(each, 0));
      if (reduction === 'none') return logits.ndim === 1 ? b.reshape(each, []) : each;
      const total = b.sum(each);
      return reduction === 'sum' ? total : b.divide(total, b.sum(b.convert(counts, tensorTypeOf(total).elementType)));
    }),
  );
}

function checkClasses(logits: Tensor, target: Tensor, ignoreIndex: number): void {
  const shape = logits.ndim === 1 ? [] : [logits.shape[0]!, ...logits.shape.slice(2)];
  const expected = isFloat(target.dtype) ? logits.shape : shape;
  if (logits.ndim === 0 || expected.length !== target.ndim || expected.some((d, i) => d !== target.shape[i])) {
    throw new TrenioError(
      'SHAPE_MISMATCH',
      {
        op: 'crossEntropy',
        left: lower.formatShape(logits.shape),
        right: lower.formatShape(target.shape),
        detail: `for these logits the targets are classes of shape ${lower.formatShape(shape)}`,
      },
      { location: userLocation() },
    );
  }
  if (isFloat(target.dtype) || !target.buffer?.isReady) return;
  const classes = logits.ndim === 1 ? logits.shape[0]! : logits.shape[1]!;
  const { data } = target.literal();
  for (let i = 0; i < data.length; i++) {
    const label = Number(data[i]);
    if (label !== ignoreIndex && (label < 0 || label >= classes)) {
      throw new TrenioError('LABEL_OUT_OF_RANGE', { label, classes, position: i }, { location: userLocation() });
    }
  }
}

/** Minus the entries of log-probabilities at the target classes. */
export function nllLoss(
  logProbabilities: Tensor,
  target: Tensor,
  options: { readonly reduction?: Reduction } = {},
): Tensor {
  checkTensors('nllLoss', { 'the log-probabilities': logProbabilities, 'the target': target });
  checkReduction('nllLoss', options);
  checkClasses(logProbabilities, target, -100);
  return record('nllLoss', [logProbabilities, target], (b, [x, t]) =>
    lower.inFull(b, x!, w => reduced(b, b.negate(pick(b, w, t!)), options.reduction ?? 'mean')),
  );
}

function both(
  op: string,
  x: Tensor,
  y: Tensor,
  options: { readonly reduction?: Reduction },
  body: (b: Builder, x: Value, y: Value) => Value,
): Tensor {
  checkTensors(op, { 'the first argument': x, 'the second argument': y });
  checkReduction(op, options);
  return record(op, [x, y], (b, [p, q]) => {
    const [u, v] = lower.unify(b, op, p!, q!, true);
    return lower.inFull(b, u, w => reduced(b, body(b, w, lower.widen(b, v)), options.reduction ?? 'mean'));
  });
}
/** The squared difference. */
export const mseLoss = (x: Tensor, y: Tensor, options: { readonly reduction?: Reduction } = {}): Tensor =>
  both('mseLoss', x, y, options, (b, u, v) => {
    const off = b.subtract(u, v);
    return b.multiply(off, off);
  });
/** The absolute difference. */
export const l1Loss = (x: Tensor, y: Tensor, options: { readonly reduction?: Reduction } = {}): Tensor =>
  both('l1Loss', x, y, options, (b, u, v) => b.unary('abs', b.subtract(u, v)));
/** Binary cross entropy of logits, for targets in [0, 1]: max(x, 0) - x·y + log(1 + exp(-|x|)). */
export const bceWithLogits = (x: Tensor, y: Tensor, options: { readonly reduction?: Reduction } = {}): Tensor =>
  both('bceWithLogits', x, y, options, (b, u, v) => {
    const tail = b.unary('log_plus_one', b.unary('exponential', b.negate(b.unary('abs', u))));
    return b.add(b.subtract(b.maximum(u, b.like(u, 0)), b.multiply(u, v)), tail);
  });
