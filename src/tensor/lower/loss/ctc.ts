// Connectionist temporal classification (Graves et al., 2006): the recursion over time, unrolled.
//
//   states  blank a blank b blank         alpha(t, s) = log Σ of alpha(t - 1) of s, s - 1 and, where the label before the blank
//   is
//             0   1   2   3   4           another one, s - 2; plus the log-probability of the state at t
import { literal } from '../../../hlo/literal.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import { checkIndices, wholeIndices } from '../../step/index-checks.ts';
import type { Context } from '../../surface/row.ts';
import { clamp } from '../elementwise.ts';
import { cat, gather, narrow, select } from '../move.ts';
import { inFull, typeOf } from '../narrow.ts';
import { mean } from '../reduce.ts';
import { type Reduction, refused } from './reduction.ts';

/** In place of minus infinity, so that differences are numbers. */
const never = -1e30;
const call = 'ctcLoss';

/** Numbers on the host, or computed. */
export type Lengths = readonly number[] | Value;
const areKnown = (lengths: Lengths): lengths is readonly number[] => Array.isArray(lengths);

export interface Ctc {
  /** [T, N, C], or [T, C]. */
  readonly logProbs: Value;
  /** [N, S], or all in one row. */
  readonly targets: Value;
  readonly inputLengths: Lengths;
  readonly targetLengths: Lengths;
  readonly blank: number;
  readonly reduction: Reduction;
  readonly zeroInfinity: boolean;
}

export function ctcLoss(c: Context, given: Ctc): Value {
  const { b } = c;
  const { reduction, zeroInfinity } = given;
  const isSingle = shapeOf(given.logProbs).length === 2;
  const [steps, count] = isSingle ? [shapeOf(given.logProbs)[0]!, 1] : (shapeOf(given.logProbs) as [number, number]);
  const frames = lengthsOf(c, given.inputLengths, 'inputLengths', count, steps);
  const lengths = lengthsOf(c, given.targetLengths, 'targetLengths', count, mostLabels(given, isSingle));
  const labels = labelsOf(c, given, count, lengths);
  return inFull(b, given.logProbs, wide => {
    const logs = isSingle ? b.reshape(wide, [steps, 1, shapeOf(wide)[1]!]) : wide;
    const loss = lossesOf(c, logs, labels, frames, lengths, given.blank);
    const isImpossible = b.compare('GT', loss, b.like(loss, -never / 2));
    const each = b.select(isImpossible, b.like(loss, zeroInfinity ? 0 : Infinity), loss);
    if (reduction === 'none') return isSingle ? b.reshape(each, []) : each;
    if (reduction === 'sum') return b.sum(each);
    const size = b.convert(clamp(b, lengths, 1, undefined), typeOf(each));
    return mean(b, b.divide(each, size), undefined, false);
  });
}
/** No target can have more labels than this. */
function mostLabels({ targets }: Ctc, isSingle: boolean): number {
  const shape = shapeOf(targets);
  return isSingle || shape.length === 1 ? shape.reduce((n, d) => n * d, 1) : shape[1]!;
}
/** As a value [N] in i64, checked. */
function lengthsOf({ b, trace }: Context, lengths: Lengths, argument: string, count: number, most: number): Value {
  const expected = `${count} integers up to ${most}`;
  if (areKnown(lengths)) {
    if (lengths.length !== count || lengths.some(n => n < 0 || n > most))
      throw refused(b, { call, argument }, `[${lengths}]`, expected);
    return b.constant(literal('i64', [count], lengths));
  }
  if (shapeOf(lengths).reduce((n, d) => n * d, 1) !== count)
    throw refused(b, { call, argument }, `a tensor [${shapeOf(lengths)}]`, expected);
  const whole = b.convert(b.reshape(wholeIndices(b, call, lengths), [count]), 'i64');
  checkIndices(b, trace, { op: `${call}, ${argument}`, index: whole, dim: 0, size: most + 1 }, whole);
  return whole;
}
/** The labels, padded: [N, S]. */
function labelsOf({ b }: Context, { targets, targetLengths }: Ctc, count: number, lengths: Value): Value {
  const whole = b.convert(wholeIndices(b, call, targets), 'i64');
  const longest = areKnown(targetLengths) ? Math.max(0, ...targetLengths) : undefined;
  const shape = shapeOf(whole);
  if (shape.length === 2) return longest === undefined ? whole : narrow(b, whole, 1, 0, longest);
  const total = shape[0]!;
  const width = longest ?? total;
  if (width === 0) return b.fill('i64', [count, 0], 0);
  // where the labels of each begin: the sum of the lengths before
  const square = tensorType('i64', [count, count]);
  const isBefore = b.compare('LT', b.iota(square, 1), b.iota(square, 0));
  const others = b.broadcastInDim(lengths, [1], [count, count]);
  const starts = b.sum(b.select(isBefore, others, b.like(others, 0)), [1]);
  const table = [count, width];
  const positions = b.add(b.broadcastInDim(starts, [0], table), b.iota(tensorType('i64', table), 1));
  const flat = b.broadcastInDim(whole, [1], [count, total]);
  return gather(b, flat, 1, clamp(b, positions, 0, total - 1));
}
/** Minus the log-likelihood of each target: [N]. */
function lossesOf(
  { b, stop }: Context,
  logs: Value,
  labels: Value,
  frames: Value,
  lengths: Value,
  blank: number,
): Value {
  const [steps, count, classes] = shapeOf(logs) as [number, number, number];
  const longest = shapeOf(labels)[1]!;
  const states = 2 * longest + 1;
  const blanks = b.fill('i64', [count, longest, 1], blank);
  const spaced = b.reshape(cat(b, [blanks, b.reshape(labels, [count, longest, 1])], 2), [count, 2 * longest]);
  const path = cat(b, [spaced, b.fill('i64', [count, 1], blank)], 1);
  const all = b.broadcastInDim(clamp(b, path, 0, classes - 1), [1, 2], [steps, count, states]);
  const emit = gather(b, logs, 2, all); // [T, N, states]
  const type = typeOf(emit);
  const low = (width: number): Value => b.fill(type, [count, width], never);
  const table = [count, states];
  // A state can also be reached from the state two before it, if both are labels and they differ.
  const skips = ((): Value | undefined => {
    if (states <= 2) return undefined;
    const [here, before] = [narrow(b, path, 1, 2, states - 2), narrow(b, path, 1, 0, states - 2)];
    return b.binary('and', b.compare('NE', here, b.like(here, blank)), b.compare('NE', here, before));
  })();
  const position = b.iota(tensorType('i64', table), 1);
  let alpha = b.select(b.compare('LT', position, b.like(position, 2)), select(b, emit, 0, 0), low(states));
  const running = b.broadcastInDim(frames, [0], table);
  for (let t = 1; t < steps; t++) {
    const one = states > 1 ? cat(b, [low(1), narrow(b, alpha, 1, 0, states - 1)], 1) : low(1);
    const two =
      skips === undefined
        ? low(states)
        : cat(b, [low(2), b.select(skips, narrow(b, alpha, 1, 0, states - 2), low(states - 2))], 1);
    const top = b.maximum(b.maximum(alpha, one), two);
    stop(top);
    const power = (x: Value): Value => b.unary('exponential', b.subtract(x, top));
    const sum = b.add(b.add(power(alpha), power(one)), power(two));
    const next = b.add(b.add(top, b.unary('log', sum)), select(b, emit, 0, t));
    alpha = b.select(b.compare('GT', running, b.like(running, t)), next, alpha);
  }
  const end = b.multiply(lengths, b.like(lengths, 2));
  const at = (place: Value): Value => b.reshape(gather(b, alpha, 1, b.reshape(place, [count, 1])), [count]);
  const final = at(end);
  const before = at(clamp(b, b.subtract(end, b.like(end, 1)), 0, states - 1));
  const label = b.select(b.compare('GT', end, b.like(end, 0)), before, b.like(before, never));
  const top = b.maximum(final, label);
  stop(top);
  const power = (x: Value): Value => b.unary('exponential', b.subtract(x, top));
  return b.negate(b.add(top, b.unary('log', b.add(power(final), power(label)))));
}
