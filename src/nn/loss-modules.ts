// Losses as modules: `criterion(output, target)`. See the functions of the same names.
import type { Tensor } from '../tensor/index.ts';
import * as F from './functional.ts';
import { checkLossOptions } from './losses.ts';
import { Module } from './module.ts';
import { StateBuffer } from './parameter.ts';

/** A loss with settings; tensors among them (weights) are buffers. */
abstract class Loss<O extends F.ReductionOptions | F.KlOptions> extends Module {
  readonly options: O;
  constructor(options: O, names: readonly string[], isReductionChecked = true) {
    super();
    checkLossOptions(
      this.constructor.name,
      isReductionChecked ? (options as F.ReductionOptions) : { ...options, reduction: 'mean' },
      names,
    );
    this.options = options;
  }
}
/** A weight as a buffer that is saved, as in PyTorch. */
const buffer = (weight: Tensor | undefined): StateBuffer | undefined =>
  weight === undefined ? undefined : new StateBuffer(weight);

/** Minus the log-probability of the target classes: see `functional.crossEntropy`. `new CrossEntropyLoss({ labelSmoothing: 0.1 })(logits, labels)` @throws {UNKNOWN_ARGUMENT} */
export class CrossEntropyLoss extends Loss<F.CrossEntropyOptions> {
  weight: StateBuffer | undefined;
  constructor(options: F.CrossEntropyOptions = {}) {
    super(options, ['weight', 'ignoreIndex', 'labelSmoothing']);
    this.weight = buffer(options.weight);
  }
  override forward(logits: Tensor, target: Tensor): Tensor {
    return F.crossEntropy(logits, target, { ...this.options, weight: this.weight });
  }
}

/** Minus the log-probabilities of the target classes. @throws {UNKNOWN_ARGUMENT} */
export class NLLLoss extends Loss<F.NllOptions> {
  weight: StateBuffer | undefined;
  constructor(options: F.NllOptions = {}) {
    super(options, ['weight', 'ignoreIndex']);
    this.weight = buffer(options.weight);
  }
  override forward(logProbabilities: Tensor, target: Tensor): Tensor {
    return F.nllLoss(logProbabilities, target, { ...this.options, weight: this.weight });
  }
}

/** The squared difference. `new MSELoss()(output, target)` @throws {UNKNOWN_ARGUMENT} */
export class MSELoss extends Loss<F.ReductionOptions> {
  constructor(options: F.ReductionOptions = {}) {
    super(options, []);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.mseLoss(input, target, this.options);
  }
}

/** The absolute difference. @throws {UNKNOWN_ARGUMENT} */
export class L1Loss extends Loss<F.ReductionOptions> {
  constructor(options: F.ReductionOptions = {}) {
    super(options, []);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.l1Loss(input, target, this.options);
  }
}

/** Squared below beta, linear above. @throws {UNKNOWN_ARGUMENT} */
export class SmoothL1Loss extends Loss<F.ReductionOptions & { readonly beta?: number }> {
  constructor(options: F.ReductionOptions & { readonly beta?: number } = {}) {
    super(options, ['beta']);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.smoothL1Loss(input, target, this.options);
  }
}

/** Squared below delta, linear above. @throws {UNKNOWN_ARGUMENT} */
export class HuberLoss extends Loss<F.ReductionOptions & { readonly delta?: number }> {
  constructor(options: F.ReductionOptions & { readonly delta?: number } = {}) {
    super(options, ['delta']);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.huberLoss(input, target, this.options);
  }
}

/** Binary cross entropy of probabilities. @throws {UNKNOWN_ARGUMENT} */
export class BCELoss extends Loss<F.BceOptions> {
  weight: StateBuffer | undefined;
  constructor(options: F.BceOptions = {}) {
    super(options, ['weight']);
    this.weight = buffer(options.weight);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.binaryCrossEntropy(input, target, { ...this.options, weight: this.weight });
  }
}

/** Binary cross entropy of logits. @throws {UNKNOWN_ARGUMENT} */
export class BCEWithLogitsLoss extends Loss<F.BceWithLogitsOptions> {
  weight: StateBuffer | undefined;
  posWeight: StateBuffer | undefined;
  constructor(options: F.BceWithLogitsOptions = {}) {
    super(options, ['weight', 'posWeight']);
    this.weight = buffer(options.weight);
    this.posWeight = buffer(options.posWeight);
  }
  override forward(logits: Tensor, target: Tensor): Tensor {
    return F.binaryCrossEntropyWithLogits(logits, target, {
      ...this.options,
      weight: this.weight,
      posWeight: this.posWeight,
    });
  }
}

/** target · (log target - input); the Kullback-Leibler divergence with `reduction` 'batchmean'. @throws {UNKNOWN_ARGUMENT} */
export class KLDivLoss extends Loss<F.KlOptions> {
  constructor(options: F.KlOptions = {}) {
    super(options, ['logTarget'], false);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.klDiv(input, target, this.options);
  }
}

/** Minus the log-likelihood of counts. @throws {UNKNOWN_ARGUMENT} */
export class PoissonNLLLoss extends Loss<F.PoissonOptions> {
  constructor(options: F.PoissonOptions = {}) {
    super(options, ['logInput', 'full', 'eps']);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.poissonNllLoss(input, target, this.options);
  }
}

/** Minus the log-likelihood under normal distributions. @throws {UNKNOWN_ARGUMENT} */
export class GaussianNLLLoss extends Loss<F.GaussianOptions> {
  constructor(options: F.GaussianOptions = {}) {
    super(options, ['full', 'eps']);
  }
  override forward(input: Tensor, target: Tensor, variance: Tensor): Tensor {
    return F.gaussianNllLoss(input, target, variance, this.options);
  }
}

/** log(1 + exp(-y · x)). @throws {UNKNOWN_ARGUMENT} */
export class SoftMarginLoss extends Loss<F.ReductionOptions> {
  constructor(options: F.ReductionOptions = {}) {
    super(options, []);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.softMarginLoss(input, target, this.options);
  }
}

/** x for targets 1, max(0, margin - x) for targets -1. @throws {UNKNOWN_ARGUMENT} */
export class HingeEmbeddingLoss extends Loss<F.ReductionOptions & { readonly margin?: number }> {
  constructor(options: F.ReductionOptions & { readonly margin?: number } = {}) {
    super(options, ['margin']);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.hingeEmbeddingLoss(input, target, this.options);
  }
}

/** max(0, -y · (x1 - x2) + margin). @throws {UNKNOWN_ARGUMENT} */
export class MarginRankingLoss extends Loss<F.ReductionOptions & { readonly margin?: number }> {
  constructor(options: F.ReductionOptions & { readonly margin?: number } = {}) {
    super(options, ['margin']);
  }
  override forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor {
    return F.marginRankingLoss(input1, input2, target, this.options);
  }
}

/** 1 - cos for targets 1, max(0, cos - margin) for targets -1. @throws {UNKNOWN_ARGUMENT} */
export class CosineEmbeddingLoss extends Loss<F.ReductionOptions & { readonly margin?: number }> {
  constructor(options: F.ReductionOptions & { readonly margin?: number } = {}) {
    super(options, ['margin']);
  }
  override forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor {
    return F.cosineEmbeddingLoss(input1, input2, target, this.options);
  }
}

/** max(0, d(anchor, positive) - d(anchor, negative) + margin). @throws {UNKNOWN_ARGUMENT} */
export class TripletMarginLoss extends Loss<
  F.ReductionOptions & { readonly margin?: number; readonly p?: number; readonly eps?: number; readonly swap?: boolean }
> {
  constructor(
    options: F.ReductionOptions & {
      readonly margin?: number;
      readonly p?: number;
      readonly eps?: number;
      readonly swap?: boolean;
    } = {},
  ) {
    super(options, ['margin', 'p', 'eps', 'swap']);
  }
  override forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor {
    return F.tripletMarginLoss(anchor, positive, negative, this.options);
  }
}

/** `TripletMarginLoss` with any distance. @throws {UNKNOWN_ARGUMENT} */
export class TripletMarginWithDistanceLoss extends Loss<
  F.ReductionOptions & {
    /** The distance of two tensors [N, D], as [N]; `pairwiseDistance` by default. */
    readonly distanceFunction?: (x: Tensor, y: Tensor) => Tensor;
    readonly margin?: number;
    readonly swap?: boolean;
  }
> {
  constructor(
    options: F.ReductionOptions & {
      /** The distance of two tensors [N, D], as [N]; `pairwiseDistance` by default. */
      readonly distanceFunction?: (x: Tensor, y: Tensor) => Tensor;
      readonly margin?: number;
      readonly swap?: boolean;
    } = {},
  ) {
    super(options, ['distanceFunction', 'margin', 'swap']);
  }
  override forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor {
    return F.tripletMarginWithDistanceLoss(anchor, positive, negative, this.options);
  }
}

/** Hinge loss of one class. @throws {UNKNOWN_ARGUMENT} */
export class MultiMarginLoss extends Loss<
  F.ReductionOptions & { readonly p?: number; readonly margin?: number; readonly weight?: Tensor | undefined }
> {
  weight: StateBuffer | undefined;
  constructor(
    options: F.ReductionOptions & {
      readonly p?: number;
      readonly margin?: number;
      readonly weight?: Tensor | undefined;
    } = {},
  ) {
    super(options, ['p', 'margin', 'weight']);
    this.weight = buffer(options.weight);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.multiMarginLoss(input, target, { ...this.options, weight: this.weight });
  }
}

/** Hinge loss of several classes. @throws {UNKNOWN_ARGUMENT} */
export class MultiLabelMarginLoss extends Loss<F.ReductionOptions> {
  constructor(options: F.ReductionOptions = {}) {
    super(options, []);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.multilabelMarginLoss(input, target, this.options);
  }
}

/** The mean over classes of binary cross entropies. @throws {UNKNOWN_ARGUMENT} */
export class MultiLabelSoftMarginLoss extends Loss<F.ReductionOptions & { readonly weight?: Tensor | undefined }> {
  weight: StateBuffer | undefined;
  constructor(options: F.ReductionOptions & { readonly weight?: Tensor | undefined } = {}) {
    super(options, ['weight']);
    this.weight = buffer(options.weight);
  }
  override forward(input: Tensor, target: Tensor): Tensor {
    return F.multilabelSoftMarginLoss(input, target, { ...this.options, weight: this.weight });
  }
}

/** Connectionist temporal classification; see `functional.ctcLoss`. @throws {UNKNOWN_ARGUMENT} */
export class CTCLoss extends Loss<F.CtcOptions> {
  constructor(options: F.CtcOptions = {}) {
    super(options, ['blank', 'zeroInfinity']);
  }
  override forward(
    logProbs: Tensor,
    targets: Tensor,
    inputLengths: readonly number[] | Tensor,
    targetLengths: readonly number[] | Tensor,
  ): Tensor {
    return F.ctcLoss(logProbs, targets, inputLengths, targetLengths, this.options);
  }
}

/** The cosine of the angle between vectors along a dim. */
export class CosineSimilarity extends Module {
  readonly dim: number;
  readonly eps: number;
  constructor(options: { readonly dim?: number; readonly eps?: number } = {}) {
    super();
    this.dim = options.dim ?? 1;
    this.eps = options.eps ?? 1e-8;
  }
  override forward(x: Tensor, y: Tensor): Tensor {
    return F.cosineSimilarity(x, y, this.dim, this.eps);
  }
}
/** ‖x - y + eps‖ₚ over the last dim. */
export class PairwiseDistance extends Module {
  readonly options: { readonly p?: number; readonly eps?: number; readonly keepDim?: boolean };
  constructor(options: { readonly p?: number; readonly eps?: number; readonly keepDim?: boolean } = {}) {
    super();
    this.options = options;
  }
  override forward(x: Tensor, y: Tensor): Tensor {
    const { p = 2, eps = 1e-6, keepDim = false } = this.options;
    return F.pairwiseDistance(x, y, p, eps, keepDim);
  }
}
