// Training on preferences (DPO, Rafailov et al. 2023): log-probabilities of answers under the trained model and a reference, and
// the losses on them. The reference is a second model, or log-probabilities that were stored before training.
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import { functional as F } from '../nn/index.ts';
import { type Tensor, userLocation } from '../tensor/index.ts';

const ignored = -100;

function checkShapes(op: string, left: Tensor, right: Tensor, isRight: boolean, detail: string): void {
  if (isRight) return;
  const [a, b] = [left, right].map(({ shape }) => `[${shape.join(', ')}]`) as [string, string];
  throw new TrenioError('SHAPE_MISMATCH', { op, left: a, right: b, detail }, { location: userLocation() });
}

/**
 * The log-probability of each sequence's labels: logits [B, T, V], labels [B, T] → [B]. logits[t] predict labels[t + 1]; labels
 * of -100, such as those of the prompt, are not counted.
 * @throws {SHAPE_MISMATCH}
 * @example
 * sequenceLogProbabilities(zeros(1, 3, 4), tensor([[0, 1, 2]], { dtype: 'int64' })) // [-2.7725…]
 */
export function sequenceLogProbabilities(logits: Tensor, labels: Tensor): Tensor {
  const [batch, time, vocabulary] = logits.shape as [number, number, number];
  const isRight = logits.ndim === 3 && labels.ndim === 2 && labels.shape[0] === batch && labels.shape[1] === time;
  checkShapes('sequenceLogProbabilities', logits, labels, isRight, 'logits are [B, T, V] and labels [B, T]');
  const next = F.pad(labels.narrow(1, 1, time - 1), [0, 1], 'constant', ignored);
  const losses = F.crossEntropy(logits.reshape(batch * time, vocabulary), next.reshape(batch * time), {
    reduction: 'none',
  });
  return losses.reshape(batch, time).sum(1).neg();
}

export const dpoLossTypes = ['sigmoid', 'hinge', 'ipo', 'robust', 'sigmoid_norm'] as const;
/** The losses of `dpoLoss`, in TRL's names. */
export type DpoLossType = (typeof dpoLossTypes)[number];

/** Options of `dpoLoss`. */
export interface DpoOptions {
  /** The strength of the penalty for moving away from the reference. Default 0.1. */
  readonly beta?: number;
  /** Default `sigmoid`, the loss of DPO's paper. */
  readonly lossType?: DpoLossType;
  /** The probability that a preference is wrong, for `robust`. Default 0. */
  readonly labelSmoothing?: number;
  /** The numbers of tokens of the answers [2 · B], for `ipo` and `sigmoid_norm`. */
  readonly lengths?: Tensor;
}

/** The loss of a batch, and the rewards that it compares. */
export interface DpoResult {
  /** The mean loss, a number. */
  readonly loss: Tensor;
  /** beta · the log-ratios of the preferred answers, [B]. */
  readonly chosenRewards: Tensor;
  /** beta · the log-ratios of the rejected answers, [B]. */
  readonly rejectedRewards: Tensor;
}

/**
 * The loss of preferences: log-probabilities of answers [2 · B] under the model and under the reference, the B preferred answers
 * first. Equal to TRL's DPOTrainer.
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 * @throws {SHAPE_MISMATCH}
 * @example
 * const model = tensor([-4, -6]), reference = tensor([-5, -5]);
 * dpoLoss(model, reference, { beta: 0.5 }).loss // 0.3132…
 */
export function dpoLoss(policy: Tensor, reference: Tensor, options: DpoOptions = {}): DpoResult {
  refuseUnknownOptions('dpoLoss', options, ['beta', 'lossType', 'labelSmoothing', 'lengths']);
  const { beta = 0.1, lossType = 'sigmoid', labelSmoothing = 0, lengths } = options;
  const isRight = policy.ndim === 1 && policy.shape[0]! % 2 === 0 && String(reference.shape) === String(policy.shape);
  checkShapes('dpoLoss', policy, reference, isRight, 'both are [2 · B], the preferred answers first');
  if (!(beta > 0)) throw invalid('beta', beta, 'a number above 0');
  if (!(labelSmoothing >= 0 && labelSmoothing < 0.5))
    throw invalid('labelSmoothing', labelSmoothing, '0 or more, below 0.5');
  const ratios = policy.sub(reference.detach());
  const [chosen, rejected] = halves(ratios);
  const perToken = (): Tensor => {
    if (lengths === undefined) throw invalid('lengths', lengths, `the lengths of the answers, for ${lossType}`);
    checkShapes('dpoLoss', policy, lengths, String(lengths.shape) === String(policy.shape), 'lengths are [2 · B]');
    const [a, b] = halves(ratios.div(lengths.clampMin(1)));
    return a.sub(b);
  };
  const loss = (): Tensor => {
    const margin = chosen.sub(rejected);
    switch (lossType) {
      case 'sigmoid':
        return F.logsigmoid(margin.mul(beta)).neg();
      case 'hinge':
        return margin.mul(-beta).add(1).relu();
      case 'ipo':
        return perToken()
          .sub(1 / (2 * beta))
          .square();
      case 'robust':
        return F.logsigmoid(margin.mul(beta))
          .mul(labelSmoothing - 1)
          .add(F.logsigmoid(margin.mul(-beta)).mul(labelSmoothing))
          .div(1 - 2 * labelSmoothing);
      case 'sigmoid_norm':
        return F.logsigmoid(perToken().mul(beta)).neg();
      default:
        throw invalid('lossType', lossType, `one of ${dpoLossTypes.join(', ')}`);
    }
  };
  return {
    loss: loss().mean(),
    chosenRewards: chosen.detach().mul(beta),
    rejectedRewards: rejected.detach().mul(beta),
  };
}

function halves(both: Tensor): readonly [Tensor, Tensor] {
  const half = both.shape[0]! / 2;
  return [both.narrow(0, 0, half), both.narrow(0, half, half)];
}

const invalid = (option: string, got: unknown, expected: string): TrenioError =>
  new TrenioError(
    'INVALID_OPTION',
    { what: 'dpoLoss', option, got: String(got), expected },
    { location: userLocation() },
  );
