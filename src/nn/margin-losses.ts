// Losses of margins, distances and alignments as functions of tensors.
import { isFloat } from '../hlo/types.ts';
import { autocastType } from '../tensor/autocast.ts';
import { arange, cat, checkTensors, full, lower, record, stack, type Tensor } from '../tensor/index.ts';
import { checkLossOptions, type ReductionOptions } from './losses.ts';
import { wrongText } from './settings.ts';

/** A tensor in f32 where autocast computes losses so. */
const wide = (x: Tensor): Tensor =>
  autocastType() !== undefined && isFloat(x.dtype) && x.dtype !== 'f64' ? x.float() : x;
function reduce(each: Tensor, { reduction = 'mean' }: ReductionOptions): Tensor {
  return reduction === 'none' ? each : reduction === 'sum' ? each.sum() : each.mean();
}

/** The cosine of the angle between vectors along a dim: x · y / max(‖x‖ · ‖y‖, eps). */
export function cosineSimilarity(x: Tensor, y: Tensor, dim = 1, eps = 1e-8): Tensor {
  checkTensors('cosineSimilarity', { 'the first input': x, 'the second input': y });
  const norm = (v: Tensor): Tensor => v.norm(2, dim).clampMin(eps);
  return x
    .mul(y)
    .sum(dim)
    .div(norm(x).mul(norm(y)));
}
/** ‖x - y + eps‖ₚ over the last dim. */
export function pairwiseDistance(x: Tensor, y: Tensor, p = 2, eps = 1e-6, keepDim = false): Tensor {
  checkTensors('pairwiseDistance', { 'the first input': x, 'the second input': y });
  const off = x.sub(y).add(eps);
  return off.norm(p, -1, keepDim);
}

/** Options of losses with a margin. */
export interface MarginOptions extends ReductionOptions {
  readonly margin?: number;
}
/** max(0, -y · (x1 - x2) + margin): y is 1 where x1 should be ranked higher, -1 where x2. @throws {UNKNOWN_ARGUMENT} */
export function marginRankingLoss(x1: Tensor, x2: Tensor, y: Tensor, options: MarginOptions = {}): Tensor {
  checkTensors('marginRankingLoss', { 'the first input': x1, 'the second input': x2, 'the target': y });
  checkLossOptions('marginRankingLoss', options, ['margin']);
  return reduce(
    y
      .neg()
      .mul(wide(x1).sub(wide(x2)))
      .add(options.margin ?? 0)
      .relu(),
    options,
  );
}
/** 1 - cos(x1, x2) for targets 1, max(0, cos(x1, x2) - margin) for targets -1: [N, D], [N, D], [N]. @throws {UNKNOWN_ARGUMENT} */
export function cosineEmbeddingLoss(x1: Tensor, x2: Tensor, y: Tensor, options: MarginOptions = {}): Tensor {
  checkTensors('cosineEmbeddingLoss', { 'the first input': x1, 'the second input': x2, 'the target': y });
  checkLossOptions('cosineEmbeddingLoss', options, ['margin']);
  const [u, v] = [wide(x1), wide(x2)];
  const size = (t: Tensor): Tensor => t.square().sum(-1).add(1e-12);
  const cosine = u
    .mul(v)
    .sum(-1)
    .div(size(u).mul(size(v)).sqrt());
  const near = cosine.neg().add(1);
  const far = cosine.sub(options.margin ?? 0).relu();
  const zero = near.mul(0);
  return reduce(near.where(y.eq(1), zero).add(far.where(y.eq(-1), zero)), options);
}

/** Options of `tripletMarginLoss`. */
export interface TripletOptions extends MarginOptions {
  readonly p?: number;
  readonly eps?: number;
  /** Uses the distance of positive and negative where it is smaller (Balntas et al., 2016). */
  readonly swap?: boolean;
}
/** max(0, d(anchor, positive) - d(anchor, negative) + margin): [N, D] each. @throws {UNKNOWN_ARGUMENT} */
export function tripletMarginLoss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  options: TripletOptions = {},
): Tensor {
  checkLossOptions('tripletMarginLoss', options, ['margin', 'p', 'eps', 'swap']);
  const { p = 2, eps = 1e-6, ...rest } = options;
  return tripletMarginWithDistanceLoss(anchor, positive, negative, {
    ...rest,
    distanceFunction: (x, y) => pairwiseDistance(x, y, p, eps),
  });
}
/** Options of `tripletMarginWithDistanceLoss`. */
export interface TripletDistanceOptions extends MarginOptions {
  /** `pairwiseDistance` by default. */
  readonly distanceFunction?: (x: Tensor, y: Tensor) => Tensor;
  readonly swap?: boolean;
}
/** `tripletMarginLoss` with any distance. @throws {UNKNOWN_ARGUMENT} */
export function tripletMarginWithDistanceLoss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  options: TripletDistanceOptions = {},
): Tensor {
  checkTensors('tripletMarginLoss', { 'the anchor': anchor, 'the positive': positive, 'the negative': negative });
  checkLossOptions('tripletMarginWithDistanceLoss', options, ['margin', 'distanceFunction', 'swap']);
  const { margin = 1, distanceFunction = pairwiseDistance, swap = false } = options;
  const [a, p, n] = [wide(anchor), wide(positive), wide(negative)];
  const near = distanceFunction(a, p);
  const far = distanceFunction(a, n);
  const least = swap ? far.minimum(distanceFunction(p, n)) : far;
  return reduce(near.sub(least).add(margin).relu(), options);
}

/** Options of `multiMarginLoss`. */
export interface MultiMarginOptions extends MarginOptions {
  readonly p?: number;
  /** A weight for each class, [C]. */
  readonly weight?: Tensor | undefined;
}
/** Σ over other classes of max(0, margin - x[y] + x[i])ᵖ / C: logits [N, C] or [C], classes [N] or none of these. @throws {UNKNOWN_ARGUMENT} */
export function multiMarginLoss(x: Tensor, y: Tensor, options: MultiMarginOptions = {}): Tensor {
  checkTensors('multiMarginLoss', { 'the input': x, 'the target': y });
  checkLossOptions('multiMarginLoss', options, ['p', 'margin', 'weight']);
  if (x.ndim === 1) {
    const each = multiMarginLoss(x.unsqueeze(0), y.reshape(1), { ...options, reduction: 'none' });
    return options.reduction === 'none' ? each.reshape([]) : each.sum();
  }
  const { p = 1, margin = 1, weight } = options;
  const values = wide(x);
  const column = y.long().unsqueeze(1);
  const gaps = values.sub(values.gather(1, column)).add(margin).relu();
  const powers = p === 1 ? gaps : gaps.pow(p);
  const isOther = arange(0, x.shape[1]!, 1, { device: x.device }).unsqueeze(0).ne(column);
  const others = powers.where(isOther, 0);
  const weighted = weight === undefined ? others : others.mul(weight.indexSelect(0, y.long().reshape(-1)).unsqueeze(1));
  return reduce(weighted.sum(1).div(x.shape[1]!), options);
}
/** Hinge loss of several classes: x [N, C], y [N, C] the classes of each row, then -1. @throws {UNKNOWN_ARGUMENT} */
export function multilabelMarginLoss(x: Tensor, y: Tensor, options: ReductionOptions = {}): Tensor {
  checkTensors('multilabelMarginLoss', { 'the input': x, 'the target': y });
  checkLossOptions('multilabelMarginLoss', options);
  if (x.ndim === 1) {
    const each = multilabelMarginLoss(x.unsqueeze(0), y.unsqueeze(0), { reduction: 'none' });
    return options.reduction === 'none' ? each.reshape([]) : each.sum();
  }
  const values = wide(x);
  const count = x.shape[1]!;
  const labels = y.long();
  // Classes count up to the first -1.
  const before = labels
    .lt(0)
    .float()
    .matmul(full([count, count], 1, { device: x.device }).triu())
    .eq(0);
  const classes = arange(0, count, 1, { device: x.device });
  const isLabel = labels.unsqueeze(2).eq(classes).logicalAnd(before.unsqueeze(2)); // [N, label, class]
  const isTarget = isLabel.any(1);
  const scores = values.gather(1, labels.clamp(0, count - 1));
  const gaps = values.unsqueeze(1).sub(scores.unsqueeze(2)).add(1).relu(); // [N, label, class]
  const counts = before.unsqueeze(2).logicalAnd(isTarget.logicalNot().unsqueeze(1));
  return reduce(gaps.where(counts, 0).sum([1, 2]).div(count), options);
}
/** The mean over classes of the binary cross entropies of logits: x [N, C], y [N, C] of 0 and 1. @throws {UNKNOWN_ARGUMENT} */
export function multilabelSoftMarginLoss(
  x: Tensor,
  y: Tensor,
  options: ReductionOptions & { readonly weight?: Tensor | undefined } = {},
): Tensor {
  checkTensors('multilabelSoftMarginLoss', { 'the input': x, 'the target': y });
  checkLossOptions('multilabelSoftMarginLoss', options, ['weight']);
  const v = wide(x);
  const log = (t: Tensor): Tensor =>
    record('logsigmoid', [t], (b, [u]) => lower.inWide(b, u!, w => lower.logSigmoid(b, w)));
  const each = y
    .mul(log(v))
    .add(y.neg().add(1).mul(log(v.neg())))
    .neg();
  const weighted = options.weight === undefined ? each : each.mul(options.weight);
  return reduce(weighted.mean(-1), options);
}

/** Options of `ctcLoss`. */
export interface CtcOptions extends ReductionOptions {
  /** The class that stands for no label: 0 by default. */
  readonly blank?: number;
  /** Losses that are infinite, of targets that are too long, count as zero. */
  readonly zeroInfinity?: boolean;
}
/** In place of minus infinity, so that differences are numbers. */
const never = -1e30;
/**
 * Connectionist temporal classification (Graves et al., 2006): logProbs [T, N, C] with targets [N, S] (padded) or all in one row,
 * and the lengths of both, as arrays or tensors of whole numbers. The recursion over T is unrolled.
 * @throws {WRONG_ARGUMENT} where shapes and lengths do not fit
 * @throws {UNKNOWN_ARGUMENT}
 */
export function ctcLoss(
  logProbs: Tensor,
  targets: Tensor,
  inputLengths: readonly number[] | Tensor,
  targetLengths: readonly number[] | Tensor,
  options: CtcOptions = {},
): Tensor {
  const call = 'ctcLoss';
  checkTensors(call, { 'the log-probabilities': logProbs, 'the targets': targets });
  checkLossOptions(call, options, ['blank', 'zeroInfinity']);
  const { blank = 0, zeroInfinity = false, reduction = 'mean' } = options;
  const numbers = (x: readonly number[] | Tensor): number[] =>
    Array.isArray(x) ? [...(x as number[])] : ([(x as Tensor).toArray()].flat() as number[]);
  const [frames, lengths] = [numbers(inputLengths), numbers(targetLengths)];
  if (logProbs.ndim === 2) {
    const each = ctcLoss(logProbs.unsqueeze(1), targets.reshape(1, -1), frames, lengths, {
      ...options,
      reduction: 'none',
    });
    return reduction === 'none'
      ? each.reshape([])
      : reduction === 'sum'
        ? each.sum()
        : each.div(Math.max(1, lengths[0]!)).sum();
  }
  const [steps, count, classes] = logProbs.shape as [number, number, number];
  if (frames.length !== count || lengths.length !== count || frames.some(f => f > steps))
    throw wrongText(
      { call, argument: 'the lengths' },
      `[${frames}] and [${lengths}]`,
      `${count} of each, those of the input up to ${steps}`,
    );
  const longest = Math.max(0, ...lengths);
  const rows =
    targets.ndim === 2
      ? targets.narrow(1, 0, longest)
      : stack(
          lengths.map((length, i) => {
            const start = lengths.slice(0, i).reduce((a, c) => a + c, 0);
            const row = targets.narrow(0, start, length);
            return length === longest
              ? row
              : cat([row, full([longest - length], blank, { dtype: targets.dtype, device: targets.device })]);
          }),
        );
  const labels = rows.long();
  // blank, label, blank, label, …, blank: [N, 2 S + 1]
  const states = 2 * longest + 1;
  const blanks = full([count, longest, 1], blank, { dtype: 'i64', device: logProbs.device });
  const spaced = cat([blanks, labels.unsqueeze(2)], 2).reshape(count, 2 * longest);
  const path = cat([spaced, full([count, 1], blank, { dtype: 'i64', device: logProbs.device })], 1);
  const emit = wide(logProbs).gather(
    2,
    path
      .unsqueeze(0)
      .expand(steps, count, states)
      .clamp(0, classes - 1),
  ); // [T, N, states]
  const like = emit.select(0, 0).detach().mul(0);
  const low = (width: number): Tensor => full([count, width], never, { dtype: emit.dtype, device: emit.device });
  // A state may be reached from two before it where that holds another label, and no blank is between.
  const skips =
    states > 2
      ? path
          .narrow(1, 2, states - 2)
          .ne(blank)
          .logicalAnd(path.narrow(1, 2, states - 2).ne(path.narrow(1, 0, states - 2)))
      : undefined;
  const position = arange(0, states, 1, { device: logProbs.device }).unsqueeze(0);
  let alpha = emit.select(0, 0).where(position.lt(2), like.add(never));
  const lengthOf = (list: readonly number[]): Tensor =>
    stack(list.map(n => full([], n, { dtype: 'i32', device: logProbs.device }))).unsqueeze(1);
  const frameCount = lengthOf(frames);
  for (let t = 1; t < steps; t++) {
    const one = states > 1 ? cat([low(1), alpha.narrow(1, 0, states - 1)], 1) : low(1);
    const two =
      skips === undefined ? low(states) : cat([low(2), alpha.narrow(1, 0, states - 2).where(skips, never)], 1);
    const top = alpha.maximum(one).maximum(two).detach();
    const sum = alpha.sub(top).exp().add(one.sub(top).exp()).add(two.sub(top).exp());
    const next = top.add(sum.log()).add(emit.select(0, t));
    alpha = next.where(frameCount.gt(t), alpha);
  }
  const last = lengthOf(lengths).mul(2).long();
  const final = alpha.gather(1, last);
  const label = alpha.gather(1, last.sub(1).clamp(0, states - 1)).where(last.gt(0), never);
  const top = final.maximum(label).detach();
  const loss = top
    .add(final.sub(top).exp().add(label.sub(top).exp()).log())
    .neg()
    .reshape(count);
  const isImpossible = loss.gt(-never / 2);
  const each = zeroInfinity
    ? loss.where(isImpossible.logicalNot(), 0)
    : loss.where(isImpossible.logicalNot(), Infinity);
  if (reduction === 'none') return each;
  if (reduction === 'sum') return each.sum();
  return each.div(lengthOf(lengths).reshape(count).clamp(1).to(each.dtype)).mean();
}
