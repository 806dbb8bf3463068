// An approximation of softmax over many classes (Grave et al., 2017): frequent classes in the head, rare ones in clusters
// selected by the head, each with a smaller projection.
//
//   cutoffs [c₀, c₁]:   head: classes 0…c₀−1, cluster 0, cluster 1      cluster 0: classes c₀…c₁−1      cluster 1: c₁…n−1
//   log p(class in cluster i) = log p(cluster i) + log p(class | cluster i)

import { logSoftmax } from '../../src/nn/functional/functional.ts';
import { ModuleList, Sequential } from '../../src/nn/layers/containers.ts';
import { Linear } from '../../src/nn/layers/layers.ts';
import { Module } from '../../src/nn/module/module.ts';
import { cat, checkCount, type Tensor, wrongArgument } from '../../src/tensor/index.ts';
import { requiredFirst, type Settings, settle, wrongText } from '../../src/tensor/settings.ts';

/** Settings of `AdaptiveLogSoftmaxWithLoss`. */
export interface AdaptiveSoftmaxSettings {
  /** Cluster i projects to inFeatures / divValue^(i + 1) features; 4 by default. */
  readonly divValue?: number;
  /** Whether the head has a bias; false by default. */
  readonly headBias?: boolean;
}
/** The result of `AdaptiveLogSoftmaxWithLoss`, by name or in this order. */
export type AdaptiveSoftmaxResult = readonly [output: Tensor, loss: Tensor] & {
  /** The log-probability of each target: [N], or [] without a batch dim. */
  readonly output: Tensor;
  /** Minus their mean: []. */
  readonly loss: Tensor;
};

/**
 * Softmax over many classes, as a loss: x [N, in] and targets [N] → the log-probabilities of the targets [N] and the loss [].
 * Classes must be sorted by frequency, the most frequent first.
 *
 *     const softmax = new nn.AdaptiveLogSoftmaxWithLoss(64, 10000, [100, 1000]);
 *     const { loss } = softmax(hidden, words);
 *     softmax.predict(hidden); // [N]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {INDEX_OUT_OF_RANGE} when something is read, for invalid targets
 * @example
 * const head = new nn.AdaptiveLogSoftmaxWithLoss(16, 1000, [100, 500]);
 * const { output, loss } = head(randn(8, 16), randint(0, 1000, [8]));
 * output.shape // [8]
 */
export class AdaptiveLogSoftmaxWithLoss extends Module {
  /** The size of the last dim of the input. */
  readonly inFeatures: number;
  /** The number of classes. */
  readonly nClasses: number;
  /** Including the number of classes at the end. */
  readonly cutoffs: readonly number[];
  /** By how much the size of the projections shrinks from cluster to cluster. */
  readonly divValue: number;
  /** Whether the head has a bias. */
  readonly headBias: boolean;
  /** The number of classes in the head. */
  readonly shortlistSize: number;
  /** The number of clusters after the head. */
  readonly nClusters: number;
  /** The number of features of a head. */
  readonly headSize: number;
  /** [in] → [classes of the head, clusters] */
  head: Linear;
  /** The projections of the clusters. */
  tail: ModuleList<Sequential>;
  constructor(
    options: Readonly<Record<'inFeatures' | 'nClasses', number>> & {
      readonly cutoffs: readonly number[];
    } & AdaptiveSoftmaxSettings,
  );
  constructor(
    inFeatures: number,
    nClasses: number,
    cutoffs: readonly number[],
    ...rest: Settings<AdaptiveSoftmaxSettings, ['divValue', 'headBias']>
  );
  constructor(...args: readonly unknown[]) {
    super();
    const [inFeatures, nClasses, cutoffs, ...rest] = requiredFirst(['inFeatures', 'nClasses', 'cutoffs'], args) as [
      number,
      number,
      readonly number[],
      ...unknown[],
    ];
    const call = 'AdaptiveLogSoftmaxWithLoss';
    const { divValue = 4, headBias = false } = settle<AdaptiveSoftmaxSettings>(call, ['divValue', 'headBias'], rest);
    checkCount(call, 'inFeatures', inFeatures);
    checkCount(call, 'nClasses', nClasses);
    const rises = (c: number, i: number): boolean =>
      Number.isInteger(c) && c >= 1 && c < nClasses && (i === 0 || c > cutoffs[i - 1]!);
    if (!Array.isArray(cutoffs) || cutoffs.length === 0 || !cutoffs.every(rises))
      throw wrongText(
        { call, argument: 'cutoffs' },
        Array.isArray(cutoffs) ? `[${cutoffs.join(', ')}]` : String(cutoffs),
        `integers from 1 to ${nClasses - 1}, each larger than the one before`,
      );
    if (!(divValue > 0)) throw wrongArgument({ call, argument: 'divValue' }, divValue, 'a number above 0');
    this.inFeatures = inFeatures;
    this.nClasses = nClasses;
    this.cutoffs = [...cutoffs, nClasses];
    this.divValue = divValue;
    this.headBias = headBias;
    this.shortlistSize = this.cutoffs[0]!;
    this.nClusters = cutoffs.length;
    this.headSize = this.shortlistSize + this.nClusters;
    this.head = new Linear(inFeatures, this.headSize, { bias: headBias });
    this.tail = new ModuleList(
      cutoffs.map((cutoff, i) => {
        const hidden = Math.floor(inFeatures / divValue ** (i + 1));
        if (hidden < 1)
          throw wrongArgument({ call, argument: 'divValue' }, divValue, `a number for which cluster ${i} has features`);
        return new Sequential(
          new Linear(inFeatures, hidden, { bias: false }),
          new Linear(hidden, this.cutoffs[i + 1]! - cutoff, { bias: false }),
        );
      }),
    );
  }
  override forward(input: Tensor, target: Tensor): AdaptiveSoftmaxResult {
    const isBatched = target.ndim > 0;
    if (input.ndim !== target.ndim + 1 || target.ndim > 1 || (isBatched && input.shape[0] !== target.shape[0]))
      throw wrongText(
        { call: 'AdaptiveLogSoftmaxWithLoss', argument: 'the target' },
        `[${target.shape}]`,
        `[N] for an input [N, ${this.inFeatures}], or [] for [${this.inFeatures}]; the input is [${input.shape}]`,
      );
    const x = isBatched ? input : input.unsqueeze(0);
    const classes = (isBatched ? target : target.unsqueeze(0)).to('i64');
    // An invalid class is looked up past the end of the head, where the lookup reports it.
    let inHead = classes.where(classes.lt(this.nClasses), this.headSize);
    const parts: Tensor[] = [];
    [...this.tail].forEach((cluster, i) => {
      const [low, high] = [this.cutoffs[i]!, this.cutoffs[i + 1]!];
      const isHere = classes.ge(low).logicalAnd(classes.lt(high));
      const within = classes.sub(low).clamp(0, high - low - 1);
      const picked = logSoftmax(cluster(x), 1).gather(1, within.unsqueeze(1)).squeeze(1);
      parts.push(picked.where(isHere, 0));
      inHead = inHead.where(isHere.logicalNot(), this.shortlistSize + i);
    });
    const head = logSoftmax(this.head(x), 1).gather(1, inHead.unsqueeze(1)).squeeze(1);
    const output = parts.reduce((sum, part) => sum.add(part), head);
    const loss = output.neg().mean();
    const result = isBatched ? output : output.squeeze(0);
    return Object.assign([result, loss] as const, { output: result, loss });
  }
  /** The log-probabilities of all classes: x [N, in] → [N, classes]. */
  logProb(input: Tensor): Tensor {
    const head = logSoftmax(this.head(input), 1);
    const clusters = [...this.tail].map((cluster, i) =>
      logSoftmax(cluster(input), 1).add(head.narrow(1, this.shortlistSize + i, 1)),
    );
    return cat([head.narrow(1, 0, this.shortlistSize), ...clusters], 1);
  }
  /** The most probable class: x [N, in] → [N]. */
  predict(input: Tensor): Tensor {
    return this.logProb(input).argmax(1);
  }
}
