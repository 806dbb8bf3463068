// A linear layer and the cross entropy of its outputs as one module: the head of a language model.

import type { CrossEntropyOptions } from '../../tensor/generated/options.ts';
import { type Tensor, wrongArgument } from '../../tensor/index.ts';
import { checkWord, requiredFirst, settle } from '../../tensor/settings.ts';
import { linearCrossEntropy } from '../functional/functional-names.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import { StateBuffer } from '../module/parameter.ts';
import { Linear } from './layers.ts';

/** Settings of `LinearCrossEntropyLoss`. */
export interface LinearCrossEntropySettings extends CrossEntropyOptions<Tensor> {
  /** The dims of the loss after the classes: none by default. */
  readonly outFeatures?: readonly number[];
  /** False by default. */
  readonly bias?: boolean;
}
const names = ['outFeatures', 'bias', 'reduction', 'weight', 'ignoreIndex', 'labelSmoothing'] as const;

/**
 * The cross entropy of a linear layer's outputs: x [N, in] and classes [N] (or [N, …outFeatures]) → the loss.
 *
 *     const loss = new nn.LinearCrossEntropyLoss(64, 1000);
 *     loss(hidden, labels).backward();
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const head = new nn.LinearCrossEntropyLoss(8, 10);
 * head(randn(4, 8), randint(0, 10, [4])).shape // []
 */
export class LinearCrossEntropyLoss extends Module {
  /** The number of classes. */
  readonly numClasses: number;
  /** The sizes of the dims of the targets after the batch. */
  readonly outFeatures: readonly number[];
  /** How the losses of the examples are combined. */
  readonly reduction: 'mean' | 'sum' | 'none';
  /** Targets with this class do not count. */
  readonly ignoreIndex: number | undefined;
  /** The probability that is distributed over all classes, 0 to 1. */
  readonly labelSmoothing: number;
  /** The weight of each class; undefined for 1. */
  weight: StateBuffer | undefined;
  /** The layer that computes the logits. */
  linear: Linear;
  constructor(options: Readonly<Record<'inFeatures' | 'numClasses', number>> & LinearCrossEntropySettings);
  constructor(inFeatures: number, numClasses: number, options?: LinearCrossEntropySettings);
  constructor(...args: readonly unknown[]) {
    super();
    const [inFeatures, numClasses, ...rest] = requiredFirst(['inFeatures', 'numClasses'], args) as [
      number,
      number,
      ...unknown[],
    ];
    const call = 'LinearCrossEntropyLoss';
    const given = settle<LinearCrossEntropySettings>(call, [], rest, names);
    const { outFeatures = [], bias = false, reduction = 'mean', ignoreIndex, labelSmoothing = 0 } = given;
    const weight = given.weight ?? undefined;
    if (!(labelSmoothing <= 1)) throw wrongArgument({ call, argument: 'labelSmoothing' }, labelSmoothing, 'at most 1');
    if (weight !== undefined && String(weight.shape) !== String([numClasses]))
      throw wrongArgument({ call, argument: 'weight' }, weight, `a tensor [${numClasses}]`);
    this.numClasses = numClasses;
    this.outFeatures = outFeatures;
    this.reduction = checkWord(call, 'reduction', reduction, ['none', 'mean', 'sum']);
    this.ignoreIndex = ignoreIndex;
    this.labelSmoothing = labelSmoothing;
    this.weight = weight === undefined ? undefined : new StateBuffer(weight);
    this.linear = new Linear(
      inFeatures,
      outFeatures.reduce((p, d) => p * d, numClasses),
      { bias },
    );
  }
  override forward(x: Tensor, target: Tensor): Tensor {
    const { linear, numClasses, outFeatures, reduction, ignoreIndex, labelSmoothing, weight } = this;
    return linearCrossEntropy(x, linear.weight.reshape([numClasses, ...outFeatures, linear.inFeatures]), target, {
      linearBias: linear.bias ?? undefined,
      weight,
      reduction,
      labelSmoothing,
      ...(ignoreIndex === undefined ? {} : { ignoreIndex }),
    });
  }
  protected override extraRepr(): string {
    const { linear, numClasses, outFeatures, reduction, ignoreIndex, labelSmoothing } = this;
    const smoothing = Number.isInteger(labelSmoothing) ? `${labelSmoothing}.0` : python(labelSmoothing);
    return `in_features=${linear.inFeatures}, num_classes=${numClasses}, out_features=${outFeatures.length === 0 ? '()' : python(outFeatures)}, bias=${python(linear.bias !== null)}, reduction=${reduction}, ignore_index=${python(ignoreIndex)}, label_smoothing=${smoothing}, options=None`;
  }
}
