// Losses of pairs of elements as functions of tensors: an input and a target of one shape, a loss for each element, reduced.
// They are computed in f32 for narrow floats and under autocast.
import type { Builder } from '../hlo/builder.ts';
import type { Value } from '../hlo/program.ts';
import { checkTensors, lower, record, type Tensor } from '../tensor/index.ts';
import { checkLossOptions, type Reduction, type ReductionOptions, reduced, warnOfBroadcast } from './losses.ts';
import { wrongText } from './settings.ts';

type Body = (b: Builder, x: Value, y: Value, rest: readonly Value[]) => Value;
interface Pairwise {
  readonly call: string;
  readonly options: ReductionOptions;
  /** Names of options other than the reduction. */
  readonly names?: readonly string[];
  /** More tensors that the body needs. */
  readonly rest?: readonly (Tensor | undefined)[];
  /** The reduction, where it is not one of the three that all losses have. */
  readonly reduce?: (b: Builder, each: Value) => Value;
}
function pairwise({ call, options, names, rest = [], reduce }: Pairwise, x: Tensor, y: Tensor, body: Body): Tensor {
  checkTensors(call, { 'the input': x, 'the target': y });
  checkLossOptions(call, options, names);
  warnOfBroadcast(call, x, y);
  const more = rest.filter(one => one !== undefined);
  return record(call, [x, y, ...more], (b, [p, q, ...others]) => {
    const [u, v] = lower.unify(b, call, p!, q!, true);
    return lower.inFull(b, u, wide => {
      const type = lower.typeOf(wide);
      const each = body(
        b,
        wide,
        b.convert(v, type),
        others.map(one => b.convert(one, type)),
      );
      return reduce === undefined ? reduced(b, each, options.reduction ?? 'mean') : reduce(b, each);
    });
  });
}
const plus = (b: Builder, x: Value, term: number): Value => b.add(x, b.like(x, term));
const times = (b: Builder, x: Value, factor: number): Value => b.multiply(x, b.like(x, factor));
/** The part above 0; the gradient at 0 is 0. */
const positive = (b: Builder, x: Value): Value => lower.relu(b, x);
/** log(1 + exp(-|x|)). */
const tail = (b: Builder, x: Value): Value =>
  b.unary('log_plus_one', b.unary('exponential', b.negate(b.unary('abs', x))));
/** A tensor times another that broadcasts to it, where there is one. */
const weighted = (b: Builder, call: string, each: Value, weight: Value | undefined): Value => {
  if (weight === undefined) return each;
  const [x, w] = lower.unify(b, call, each, weight);
  return b.multiply(x, w);
};

/**
 * The squared difference: input and target of one shape.
 *
 *     mseLoss(output, target, { reduction: 'sum' })
 *
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} where the shapes do not broadcast; a warning is printed once where they do
 */
export const mseLoss = (x: Tensor, y: Tensor, options: ReductionOptions = {}): Tensor =>
  pairwise({ call: 'mseLoss', options }, x, y, (b, u, v) => {
    const off = b.subtract(u, v);
    return b.multiply(off, off);
  });
/** The absolute difference. Errors as `mseLoss`. */
export const l1Loss = (x: Tensor, y: Tensor, options: ReductionOptions = {}): Tensor =>
  pairwise({ call: 'l1Loss', options }, x, y, (b, u, v) => b.unary('abs', b.subtract(u, v)));

/** d² / 2 below the limit and linear above, of which the slope is `limit`. */
function bent(b: Builder, u: Value, v: Value, limit: number): Value {
  const size = b.unary('abs', b.subtract(u, v));
  const curve = times(b, b.multiply(size, size), 0.5);
  const line = times(b, plus(b, size, -0.5 * limit), limit);
  return b.select(b.compare('LT', size, b.like(size, limit)), curve, line);
}
/** The squared difference / (2 · beta) below beta, and |difference| - beta / 2 above. Errors as `mseLoss`. */
export const smoothL1Loss = (
  x: Tensor,
  y: Tensor,
  options: ReductionOptions & { readonly beta?: number } = {},
): Tensor => {
  const { beta = 1, ...rest } = options;
  if (beta === 0) return l1Loss(x, y, rest);
  return pairwise({ call: 'smoothL1Loss', options, names: ['beta'] }, x, y, (b, u, v) =>
    times(b, bent(b, u, v, beta), 1 / beta),
  );
};
/** The squared difference / 2 below delta, and delta · (|difference| - delta / 2) above. Errors as `mseLoss`. */
export const huberLoss = (x: Tensor, y: Tensor, options: ReductionOptions & { readonly delta?: number } = {}): Tensor =>
  pairwise({ call: 'huberLoss', options, names: ['delta'] }, x, y, (b, u, v) => bent(b, u, v, options.delta ?? 1));

function checkSame(call: string, x: Tensor, y: Tensor): void {
  if (x.ndim === y.ndim && x.shape.every((d, i) => d === y.shape[i])) return;
  throw wrongText(
    { call, argument: 'the target' },
    `[${y.shape.join(', ')}]`,
    `the shape of the input, [${x.shape.join(', ')}]`,
  );
}
/** Options of `binaryCrossEntropy`. */
export interface BceOptions extends ReductionOptions {
  /** A weight for each element; broadcasts. */
  readonly weight?: Tensor | undefined;
}
/**
 * Binary cross entropy of probabilities, for targets in [0, 1]: -(y · log x + (1 - y) · log(1 - x)), with logarithms of at least
 * -100. See `binaryCrossEntropyWithLogits` for a form that is exact for large inputs.
 * @throws {WRONG_ARGUMENT} where the shapes differ
 * @throws {UNKNOWN_ARGUMENT}
 */
export function binaryCrossEntropy(x: Tensor, y: Tensor, options: BceOptions = {}): Tensor {
  const call = 'binaryCrossEntropy';
  checkTensors(call, { 'the input': x, 'the target': y });
  checkSame(call, x, y);
  const log = (b: Builder, v: Value): Value => {
    const isTiny = b.compare('LT', v, b.like(v, 1.2e-38));
    return b.select(isTiny, b.like(v, -100), b.unary('log', b.select(isTiny, b.like(v, 1), v)));
  };
  return pairwise({ call, options, names: ['weight'], rest: [options.weight] }, x, y, (b, u, v, [w]) => {
    const other = b.subtract(b.like(u, 1), u);
    const hit = b.multiply(v, log(b, u));
    const miss = b.multiply(b.subtract(b.like(v, 1), v), log(b, other));
    return weighted(b, call, b.negate(b.add(hit, miss)), w);
  });
}
/** Options of `binaryCrossEntropyWithLogits`. */
export interface BceWithLogitsOptions extends BceOptions {
  /** A weight for the positive class, for each of the last dims; broadcasts. */
  readonly posWeight?: Tensor | undefined;
}
/**
 * Binary cross entropy of logits, for targets in [0, 1]: max(x, 0) - x · y + log(1 + exp(-|x|)), without overflow.
 * @throws {WRONG_ARGUMENT} where the shapes differ
 * @throws {UNKNOWN_ARGUMENT}
 */
export function binaryCrossEntropyWithLogits(x: Tensor, y: Tensor, options: BceWithLogitsOptions = {}): Tensor {
  const call = 'binaryCrossEntropyWithLogits';
  checkTensors(call, { 'the logits': x, 'the target': y });
  checkSame(call, x, y);
  const { weight, posWeight } = options;
  return pairwise(
    { call, options, names: ['weight', 'posWeight'], rest: [weight, posWeight] },
    x,
    y,
    (b, u, v, rest) => {
      const others = [...rest];
      const w = weight === undefined ? undefined : others.shift();
      const pos = others.shift();
      if (pos === undefined) {
        const each = b.add(b.subtract(b.maximum(u, b.like(u, 0)), b.multiply(u, v)), tail(b, u));
        return weighted(b, call, each, w);
      }
      const [, p] = lower.unify(b, call, v, pos);
      const scale = plus(b, b.multiply(plus(b, p, -1), v), 1);
      const bend = b.add(tail(b, u), b.maximum(b.negate(u), b.like(u, 0)));
      return weighted(b, call, b.add(b.multiply(b.subtract(b.like(v, 1), v), u), b.multiply(scale, bend)), w);
    },
  );
}
/** log(1 + exp(-y · x)), for targets 1 and -1. Errors as `mseLoss`. */
export const softMarginLoss = (x: Tensor, y: Tensor, options: ReductionOptions = {}): Tensor =>
  pairwise({ call: 'softMarginLoss', options }, x, y, (b, u, v) => {
    const z = b.negate(b.multiply(u, v));
    return b.add(tail(b, z), b.maximum(z, b.like(z, 0)));
  });
/** x for targets 1, max(0, margin - x) for targets -1. Errors as `mseLoss`. */
export const hingeEmbeddingLoss = (
  x: Tensor,
  y: Tensor,
  options: ReductionOptions & { readonly margin?: number } = {},
): Tensor =>
  pairwise({ call: 'hingeEmbeddingLoss', options, names: ['margin'] }, x, y, (b, u, v) => {
    const far = positive(b, b.subtract(b.like(u, options.margin ?? 1), u));
    const zero = b.like(u, 0);
    const near = b.select(b.compare('EQ', v, b.like(v, -1)), zero, u);
    return b.add(near, b.select(b.compare('EQ', v, b.like(v, 1)), zero, far));
  });

/** Options of `klDiv`. */
export interface KlOptions {
  /** `batchmean` divides the sum by the first dim: the divergence by definition. 'mean' by default, as in PyTorch. */
  readonly reduction?: Reduction | 'batchmean';
  /** The target is given as its logarithm. */
  readonly logTarget?: boolean;
}
/**
 * target · (log target - input), for an input of log-probabilities: the Kullback-Leibler divergence with `reduction` 'batchmean'.
 *
 *     klDiv(logSoftmax(logits, 1), probabilities, { reduction: 'batchmean' })
 *
 * @throws {UNKNOWN_ARGUMENT}
 */
export function klDiv(x: Tensor, target: Tensor, options: KlOptions = {}): Tensor {
  const { reduction = 'mean', logTarget = false } = options;
  const isBatchMean = reduction === 'batchmean';
  const rest = { ...options, reduction: isBatchMean ? ('sum' as const) : reduction };
  const reduce = (b: Builder, each: Value): Value => times(b, b.sum(each), 1 / (x.shape[0] ?? 1));
  return pairwise(
    { call: 'klDiv', options: rest, names: ['logTarget'], ...(isBatchMean ? { reduce } : {}) },
    x,
    target,
    (b, u, v) => {
      if (logTarget) return b.multiply(b.unary('exponential', v), b.subtract(v, u));
      const isZero = b.compare('EQ', v, b.like(v, 0));
      const log = b.unary('log', b.select(isZero, b.like(v, 1), v));
      return b.subtract(b.multiply(v, log), b.multiply(v, u));
    },
  );
}
/** Options of `poissonNllLoss`. */
export interface PoissonOptions extends ReductionOptions {
  /** The input is the logarithm of the rate; true by default. */
  readonly logInput?: boolean;
  /** Adds Stirling's approximation of the constant term. */
  readonly full?: boolean;
  readonly eps?: number;
}
/** Minus the log-likelihood of counts under rates. Errors as `mseLoss`. */
export const poissonNllLoss = (x: Tensor, y: Tensor, options: PoissonOptions = {}): Tensor => {
  const { logInput = true, full = false, eps = 1e-8 } = options;
  return pairwise({ call: 'poissonNllLoss', options, names: ['logInput', 'full', 'eps'] }, x, y, (b, u, v) => {
    const each = logInput
      ? b.subtract(b.unary('exponential', u), b.multiply(v, u))
      : b.subtract(u, b.multiply(v, b.unary('log', plus(b, u, eps))));
    if (!full) return each;
    const isLarge = b.compare('GT', v, b.like(v, 1));
    const safe = b.select(isLarge, v, b.like(v, 1));
    const log = b.unary('log', safe);
    const stirling = b.add(b.subtract(b.multiply(safe, log), safe), times(b, plus(b, log, Math.log(2 * Math.PI)), 0.5));
    return b.add(each, b.select(isLarge, stirling, b.like(v, 0)));
  });
};
/** Options of `gaussianNllLoss`. */
export interface GaussianOptions extends ReductionOptions {
  /** Adds the constant term. */
  readonly full?: boolean;
  /** The least variance; 1e-6 by default. */
  readonly eps?: number;
}
/** Minus the log-likelihood of a target under normal distributions with mean `x` and a variance for each, or for each row. */
export function gaussianNllLoss(
  x: Tensor,
  y: Tensor,
  variance: Tensor | number,
  options: GaussianOptions = {},
): Tensor {
  const { full = false, eps = 1e-6 } = options;
  const given = typeof variance === 'number' ? x.detach().mul(0).add(variance) : variance;
  const spread = given.ndim === x.ndim - 1 ? given.unsqueeze(-1) : given;
  return pairwise(
    { call: 'gaussianNllLoss', options, names: ['full', 'eps'], rest: [spread] },
    x,
    y,
    (b, u, v, [w]) => {
      const [, wide] = lower.unify(b, 'gaussianNllLoss', u, w!);
      // The gradient passes as if the variance had not been raised to eps.
      const least = b.select(
        b.compare('LT', wide, b.like(wide, eps)),
        b.add(b.subtract(wide, wide), b.like(wide, eps)),
        wide,
      );
      const off = b.subtract(u, v);
      const each = times(b, b.add(b.unary('log', least), b.divide(b.multiply(off, off), least)), 0.5);
      return full ? plus(b, each, 0.5 * Math.log(2 * Math.PI)) : each;
    },
  );
}
