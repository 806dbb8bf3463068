// The choice of tokens within a compiled step: S rows of logits over a vocabulary of V become S tokens. The noise of a row
// depends only on its key, so a row has the same token whatever is chosen beside it.
//
//   logits ─▶ edits ─▶ ÷ temperature ─▶ those above the threshold of top-k, top-p and min-p ─▶ + noise ─▶ the largest
import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { functional as F } from '../../nn/index.ts';
import { control, full, record, type Tensor, where } from '../../tensor/index.ts';

/** How tokens are chosen, of each row. */
export interface ChoiceInputs {
  /** f32 [S, 1]; 0: the most probable token. */
  readonly temperature: Tensor;
  /** i32 [S, 1]; V: all. */
  readonly topK: Tensor;
  /** f32 [S, 1]; 1: all. */
  readonly topP: Tensor;
  /** f32 [S, 1]: the least probability, as a share of the largest; 0: all. */
  readonly minP: Tensor;
  /** f32 [S, 1]: the share of tokens whose surprise is closest to the expected one (Meister et al. 2022); 1: all. */
  readonly typicalP: Tensor;
  /** i32 [S, 1]: the token that is taken whatever its probability; −1: none. */
  readonly given: Tensor;
  /** Two random words, ui32 [S, 2]. */
  readonly keys: Tensor;
}
/** Changes of logits, f32 [S, V]: positive ones are divided by the factor, others multiplied; then the other is added. */
export interface LogitEdits {
  readonly factors: Tensor;
  readonly added: Tensor;
}
export interface ChosenTokens {
  /** i32 [S]; -1 for a row whose logits are not numbers. */
  readonly ids: Tensor;
  /** The logarithm of the probability of each chosen token, before edits and at temperature 1, f32 [S]. */
  readonly logprobs: Tensor;
  /** The number of tokens that are as probable or more, i32 [S]. */
  readonly ranks: Tensor;
  /** The logarithm of the sum of the exponentials of logits, f32 [S, 1]. */
  readonly normalizers: Tensor;
}

/** @param logits f32 [S, V] */
export function chooseTokens(logits: Tensor, choice: ChoiceInputs, edits: LogitEdits | undefined): ChosenTokens {
  const { temperature, keys } = choice;
  const [rows, vocabulary] = logits.shape as [number, number];
  const edited =
    edits === undefined
      ? logits
      : where(logits.gt(0), logits.div(edits.factors), logits.mul(edits.factors)).add(edits.added);
  const isRandom = temperature.gt(0);
  const scaled = edited.div(where(isRandom, temperature, full([rows, 1], 1)));
  const lowest = full([rows, 1], Number.NEGATIVE_INFINITY);
  const threshold = control.cond(
    isAny(choice, vocabulary),
    () => thresholdOf(scaled, choice),
    () => lowest,
  );
  const kept = where(scaled.ge(threshold), scaled, lowest);
  const typical = control.cond(
    choice.typicalP.lt(1).any(),
    () => typicalOnly(kept, choice.typicalP),
    () => kept,
  );
  // Where nothing is random, the most probable token is among those kept.
  const scores = where(isRandom, typical.add(gumbelNoise(keys, vocabulary)), scaled);
  const ids = where(choice.given.ge(0), choice.given, scores.argmax(-1, { keepDim: true }).to('i32'));
  const chosen = logits.gather(1, ids.to('int64'));
  const most = logits.amax(-1, { keepDim: true });
  const normalizers = sumOfRows(logits.sub(most).exp()).log().add(most);
  return {
    ids: numbersOnly(ids.reshape(rows), normalizers.reshape(rows)),
    logprobs: chosen.sub(normalizers).reshape(rows),
    ranks: logits.ge(chosen).to('i32').sum(-1).to('i32'),
    normalizers,
  };
}

/** The most probable tokens, i32 [S]; -1 for a row whose logits are not numbers. */
export const bestTokens = (logits: Tensor): Tensor => numbersOnly(logits.argmax(-1).to('i32'), logits.amax(-1));

/** -1 in place of the tokens whose `measures` are NaN. */
const numbersOnly = (ids: Tensor, measures: Tensor): Tensor =>
  where(measures.isnan(), full(ids.shape, -1, { dtype: 'int32' }), ids);

const isAny = ({ topK, topP, minP }: ChoiceInputs, vocabulary: number): Tensor =>
  topK.lt(vocabulary).logicalOr(topP.lt(1)).logicalOr(minP.gt(0)).any();

/** Sums [S, V] → [S, 1] in an order that does not depend on the number of rows: parts of at most 128 elements. */
function sumOfRows(x: Tensor): Tensor {
  const part = 128;
  const [rows, size] = x.shape as [number, number];
  if (size <= part) return x.sum(-1, { keepDim: true });
  const parts = Math.ceil(size / part);
  const padded = parts * part === size ? x : F.pad(x, [0, parts * part - size]);
  return sumOfRows(padded.reshape(rows, parts, part).sum(-1));
}

/** The bits of an f32 as a whole number in the order of the numbers, and back: the same map in both directions. */
const ordered = (bits: Tensor): Tensor => where(bits.ge(0), bits, bits.bitwiseXor(0x7fffffff));

const bitsAs = (type: 'f32' | 'i32', x: Tensor): Tensor =>
  record('bitsAs', [x], (b, [bits]) => b.emit1('bitcast_convert', [bits!], { type: tensorType(type, x.shape) }));

/** The least score [S, 1] of the tokens that may be chosen. */
function thresholdOf(scaled: Tensor, { topK, topP, minP }: ChoiceInputs): Tensor {
  const most = scaled.amax(-1, { keepDim: true });
  const weights = scaled.sub(most).exp();
  const ofTopK = largestThreshold(most, at => scaled.ge(at).to('i32').sum(-1, { keepDim: true }).ge(topK));
  const massAbove = (at: Tensor): Tensor => sumOfRows(where(scaled.ge(at), weights, weights.mul(0)));
  const wanted = massAbove(ofTopK).mul(topP);
  const ofTopP = where(
    topP.lt(1),
    largestThreshold(most, at => massAbove(at).ge(wanted)),
    ofTopK,
  );
  // The logarithm of 0 is no threshold.
  return ofTopK.maximum(ofTopP).maximum(most.add(minP.log()));
}

/** Scores [S, V] of which only those stay whose surprise is closest to the expected one; others are -∞. */
function typicalOnly(scores: Tensor, typicalP: Tensor): Tensor {
  const most = scores.amax(-1, { keepDim: true });
  const weights = scores.sub(most).exp();
  const none = weights.mul(0);
  const lowest = none.sub(Number.POSITIVE_INFINITY);
  const total = sumOfRows(weights);
  const logprobs = scores.sub(most).sub(total.log());
  const isPossible = weights.gt(0);
  const entropy = sumOfRows(where(isPossible, weights.mul(logprobs), none))
    .div(total)
    .neg();
  const closeness = where(isPossible, logprobs.add(entropy).abs().neg(), lowest);
  const wanted = total.mul(typicalP);
  const threshold = largestThreshold(closeness.amax(-1, { keepDim: true }), at =>
    sumOfRows(where(closeness.ge(at), weights, none)).ge(wanted),
  );
  return where(typicalP.ge(1).logicalOr(closeness.ge(threshold)), scores, lowest);
}

/** The largest number [S, 1], at most `most`, that keeps enough, found bit by bit. */
function largestThreshold(most: Tensor, keeps: (threshold: Tensor) => Tensor): Tensor {
  const [low] = control.while(
    (_low: Tensor, _high: Tensor, turn: Tensor) => turn.lt(33),
    (low, high, turn) => {
      // Without overflow, rounded up: low ≤ middle ≤ high.
      const middle = low.bitwiseOr(high).sub(low.bitwiseXor(high).bitwiseRightShift(1));
      const isKept = keeps(bitsAs('f32', ordered(middle)));
      return [where(isKept, middle, low), where(isKept, high, middle.sub(1).maximum(low)), turn.add(1)];
    },
    [full(most.shape, -0x7f800000, { dtype: 'int32' }), ordered(bitsAs('i32', most)), full([], 0, { dtype: 'int32' })],
  );
  return bitsAs('f32', ordered(low));
}

/** Noise whose largest sum with the logarithms of probabilities is at each token with its probability, f32 [S, V]. */
function gumbelNoise(keys: Tensor, vocabulary: number): Tensor {
  const rows = keys.shape[0]!;
  const shape = [rows, vocabulary];
  const words = record('tokenNoise', [keys], (b, [key]) => {
    const type = tensorType('ui32', shape);
    const constant = (value: number): Value => b.broadcastInDim(b.constant(literal('ui32', [], [value])), [], shape);
    const word = (i: number): Value =>
      b.broadcastInDim(b.reshape(b.slice(key!, [0, i], [rows, i + 1]), [rows]), [0], shape);
    const shifted = (x: Value, by: number): Value =>
      b.binary('xor', x, b.binary('shift_right_logical', x, constant(by)));
    // A mixer of 32 bits with low bias (C. Wellons, "Prospecting for Hash Functions", 2018), twice with a key each.
    const mixed = (x: Value): Value => {
      const first = b.multiply(shifted(x, 16), constant(0x7feb352d));
      return shifted(b.multiply(shifted(first, 15), constant(0x846ca68b)), 16);
    };
    const bits = mixed(b.add(mixed(b.binary('xor', b.iota(type, 1), word(0))), word(1)));
    return b.binary('shift_right_logical', bits, constant(8));
  });
  const uniform = words
    .to('f32')
    .add(0.5)
    .mul(2 ** -24);
  return uniform.log().neg().log().neg();
}
