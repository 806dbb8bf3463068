// Normalization as modules, with PyTorch's names of state: running_mean, running_var, num_batches_tracked.

import * as F from '../../tensor/generated/functional.ts';
import { checkCount, ones, type Tensor, wrongArgument, zeros } from '../../tensor/index.ts';
import { requiredFirst, type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { localResponseNorm } from '../functional/normalization.ts';
import { Module } from '../module/module.ts';
import { python, pythonFloat } from '../module/module-text.ts';
import { Parameter, StateBuffer } from '../module/parameter.ts';

const fresh = (data: Tensor): Parameter => new Parameter(data, { fresh: true });

/** Settings of norms over the last dims. */
export interface ShapeSettings {
  /** Added to the variance for numerical stability. */
  readonly eps?: number | undefined;
  /** Weight (and bias) of the shape; true by default. */
  readonly elementwiseAffine?: boolean;
}
/** Settings of `LayerNorm`. */
export interface LayerNormSettings extends ShapeSettings {
  /** True by default. */
  readonly bias?: boolean;
}
/** The shape that `LayerNorm` and `RMSNorm` need, by name. */
export interface NormalizedShape {
  /** The sizes of the last dims. */
  readonly normalizedShape: number | readonly number[];
}
const shapeFirst = (args: readonly unknown[]): [number | readonly number[], ...unknown[]] =>
  requiredFirst(['normalizedShape'], args) as [number | readonly number[], ...unknown[]];
const layerNormOrder = ['eps', 'elementwiseAffine', 'bias'] as const;
function shapeOf(call: string, shape: number | readonly number[]): readonly number[] {
  const list = typeof shape === 'number' ? [shape] : shape;
  if (!Array.isArray(list) || list.length === 0)
    throw wrongArgument({ call, argument: 'the shape' }, shape, 'a size, or an array of sizes');
  for (const size of list) checkCount(call, 'a size of the shape', size);
  return list;
}
const tuple = (shape: readonly number[]): string => python(shape);

/**
 * Normalizes over the last dims, those of `shape`: [..., …shape].
 *
 *     new LayerNorm(64)          new LayerNorm([8, 64], { eps: 1e-6, bias: false })
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} where it is called with other last dims
 * @example
 * new nn.LayerNorm(4)(randn(2, 3, 4)).shape // [2, 3, 4]
 */
export class LayerNorm extends Module {
  /** The sizes of the normalized dims. */
  readonly shape: readonly number[];
  /** Added to the variance for numerical stability. */
  readonly eps: number;
  /** The scale, in the normalized shape; null without one. */
  weight: Parameter | null;
  /** The bias, in the normalized shape; null without one. */
  bias: Parameter | null;
  constructor(options: NormalizedShape & LayerNormSettings);
  constructor(shape: number | readonly number[], ...rest: Settings<LayerNormSettings, typeof layerNormOrder>);
  constructor(...args: readonly unknown[]) {
    super();
    const [shape, ...rest] = shapeFirst(args);
    const {
      eps = 1e-5,
      elementwiseAffine = true,
      bias = true,
    } = settle<LayerNormSettings>('LayerNorm', layerNormOrder, rest);
    this.shape = shapeOf('LayerNorm', shape);
    this.eps = eps;
    this.weight = elementwiseAffine ? fresh(ones(this.shape)) : null;
    this.bias = elementwiseAffine && bias ? fresh(zeros(this.shape)) : null;
  }
  override forward(x: Tensor): Tensor {
    return F.layerNorm(x, this.shape, this.weight, this.bias, this.eps);
  }
  protected override extraRepr(): string {
    return `${tuple(this.shape)}, eps=${python(this.eps)}, elementwise_affine=${python(this.weight !== null)}, bias=${python(this.bias !== null)}`;
  }
}

/**
 * Divides by the root mean square over the last dims, those of `shape`. `new RMSNorm(64, { eps: 1e-6 })`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.RMSNorm(2)(tensor([[3, 4]])) // [[0.8485…, 1.1313…]]
 */
export class RMSNorm extends Module {
  /** The sizes of the normalized dims. */
  readonly shape: readonly number[];
  /** If undefined, the machine epsilon of the data type. */
  readonly eps: number | undefined;
  /** The scale, in the normalized shape; null without one. */
  weight: Parameter | null;
  constructor(options: NormalizedShape & ShapeSettings);
  constructor(shape: number | readonly number[], ...rest: Settings<ShapeSettings, ['eps', 'elementwiseAffine']>);
  constructor(...args: readonly unknown[]) {
    super();
    const [shape, ...rest] = shapeFirst(args);
    const { eps, elementwiseAffine = true } = settle<ShapeSettings>('RMSNorm', ['eps', 'elementwiseAffine'], rest);
    this.shape = shapeOf('RMSNorm', shape);
    this.eps = eps;
    this.weight = elementwiseAffine ? fresh(ones(this.shape)) : null;
  }
  override forward(x: Tensor): Tensor {
    return F.rmsNorm(x, this.shape, this.weight, this.eps);
  }
  protected override extraRepr(): string {
    return `${tuple(this.shape)}, eps=${python(this.eps)}, elementwise_affine=${python(this.weight !== null)}`;
  }
}

/** Settings of `GroupNorm`. */
export interface GroupNormSettings {
  /** Added to the variance for numerical stability. */
  readonly eps?: number;
  /** Learned weight (and bias); true by default. */
  readonly affine?: boolean;
  /** True by default. */
  readonly bias?: boolean;
}
/**
 * Normalizes over groups of channels: [N, C, …]. `new GroupNorm(8, 64)`
 * @throws {WRONG_ARGUMENT} if the groups do not divide the channels
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * new nn.GroupNorm(2, 8)(randn(1, 8, 4, 4)).shape // [1, 8, 4, 4]
 */
export class GroupNorm extends Module {
  /** The number of groups that channels are divided into. */
  readonly numGroups: number;
  /** The number of channels. */
  readonly numChannels: number;
  /** Added to the variance for numerical stability. */
  readonly eps: number;
  /** The scale, [numChannels]; null without one. */
  weight: Parameter | null;
  /** The bias, [numChannels]; null without one. */
  bias: Parameter | null;
  constructor(options: Readonly<Record<'numGroups' | 'numChannels', number>> & GroupNormSettings);
  constructor(numGroups: number, numChannels: number, ...rest: Settings<GroupNormSettings, ['eps', 'affine', 'bias']>);
  constructor(...args: readonly unknown[]) {
    super();
    const [numGroups, numChannels, ...rest] = requiredFirst(['numGroups', 'numChannels'], args) as [
      number,
      number,
      ...unknown[],
    ];
    const {
      eps = 1e-5,
      affine = true,
      bias = true,
    } = settle<GroupNormSettings>('GroupNorm', ['eps', 'affine', 'bias'], rest);
    checkCount('GroupNorm', 'numGroups', numGroups);
    checkCount('GroupNorm', 'numChannels', numChannels);
    if (numChannels % numGroups !== 0)
      throw wrongArgument(
        { call: 'GroupNorm', argument: 'numGroups' },
        numGroups,
        `a divisor of the ${numChannels} channels`,
      );
    this.numGroups = numGroups;
    this.numChannels = numChannels;
    this.eps = eps;
    this.weight = affine ? fresh(ones([numChannels])) : null;
    this.bias = affine && bias ? fresh(zeros([numChannels])) : null;
  }
  override forward(x: Tensor): Tensor {
    return F.groupNorm(x, this.numGroups, this.weight, this.bias, this.eps);
  }
  protected override extraRepr(): string {
    return `${this.numGroups}, ${this.numChannels}, eps=${python(this.eps)}, affine=${python(this.weight !== null)}, bias=${python(this.bias !== null)}`;
  }
}

/** Settings of batch and instance norms. */
export interface NormSettings {
  /** Added to the variance for numerical stability. */
  readonly eps?: number;
  /** The share of a new batch in the running statistics; null for their plain average. */
  readonly momentum?: number | null;
  /** Learned weight and bias. */
  readonly affine?: boolean;
  /** Whether running statistics are kept for evaluation. */
  readonly trackRunningStats?: boolean;
  /** False for a weight without a bias. */
  readonly bias?: boolean;
}
const normOrder = ['eps', 'momentum', 'affine', 'trackRunningStats'] as const;
/** The arguments of batch and instance norms after the number of features: in PyTorch's order, or by name. */
export type NormArguments = Settings<NormSettings, typeof normOrder>;

/** The size that batch and instance norms need, by name. */
export interface NormFeatures {
  /** The number of channels. */
  readonly numFeatures: number;
}

/** The common part of batch and instance normalization: parameters and running statistics by channel. */
abstract class ChannelNorm extends Module {
  /** The number of channels. */
  readonly numFeatures: number;
  /** Added to the variance for numerical stability. */
  readonly eps: number;
  /** The weight of the new batch in the running statistics; null for the average of all batches. */
  readonly momentum: number | null;
  /** The scale, [C]. */
  weight: Parameter | null;
  /** The bias, [numFeatures]; null without one. */
  bias: Parameter | null;
  /** The running mean of each channel; null if it is not kept. */
  running_mean: StateBuffer | null;
  /** The running variance of each channel; null if it is not kept. */
  running_var: StateBuffer | null;
  /** The number of batches in the running statistics; null if they are not kept. */
  num_batches_tracked: StateBuffer | null;
  constructor(args: readonly unknown[], byDefault: boolean) {
    super();
    const call = this.constructor.name;
    const [numFeatures, ...rest] = requiredFirst(['numFeatures'], args) as [number, ...unknown[]];
    const {
      eps = 1e-5,
      momentum = 0.1,
      affine = byDefault,
      trackRunningStats = byDefault,
      bias = true,
    } = settle<NormSettings>(call, normOrder, rest, ['bias']);
    checkCount(call, 'numFeatures', numFeatures);
    this.numFeatures = numFeatures;
    this.eps = eps;
    this.momentum = momentum;
    this.weight = affine ? fresh(ones([numFeatures])) : null;
    this.bias = affine && bias ? fresh(zeros([numFeatures])) : null;
    this.running_mean = trackRunningStats ? new StateBuffer(zeros([numFeatures]), { fresh: true }) : null;
    this.running_var = trackRunningStats ? new StateBuffer(ones([numFeatures]), { fresh: true }) : null;
    this.num_batches_tracked = trackRunningStats ? new StateBuffer(zeros([], { dtype: 'i64' }), { fresh: true }) : null;
  }
  protected checkDims(x: Tensor, dims: readonly number[]): void {
    if (dims.includes(x.ndim)) return;
    throw wrongText(
      { call: this.constructor.name, argument: 'the input' },
      `a tensor of ${x.ndim} dims`,
      `one of ${dims.join(' or ')} dims`,
    );
  }
  protected override extraRepr(): string {
    const { numFeatures, eps, momentum, weight, bias, running_mean } = this;
    return `${numFeatures}, eps=${python(eps)}, momentum=${python(momentum)}, affine=${python(weight !== null)}, bias=${python(bias !== null)}, track_running_stats=${python(running_mean !== null)}`;
  }
}

abstract class BatchNorm extends ChannelNorm {
  constructor(options: NormFeatures & NormSettings);
  constructor(numFeatures: number, ...rest: NormArguments);
  constructor(...args: readonly unknown[]) {
    super(args, true);
  }
  protected normalized(x: Tensor): Tensor {
    const { training, eps } = this;
    if (training) this.num_batches_tracked?.add_(1);
    const count = this.num_batches_tracked;
    const momentum = this.momentum ?? (training ? count?.detach().float().reciprocal() : undefined) ?? 0;
    const byBatch = training || this.running_mean === null;
    return F.batchNorm(x, this.running_mean, this.running_var, this.weight, this.bias, {
      training: byBatch,
      momentum,
      eps,
    });
  }
}

/**
 * Normalizes each channel of features [N, C] or sequences [N, C, L]: by the batch while training, by running statistics
 * otherwise.
 *
 *     new BatchNorm1d(64, { eps: 1e-3, momentum: 0.01 })
 *
 * @throws {WRONG_ARGUMENT} for an input of other dims
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} for other channels, and for training with one value per channel
 * @example
 * const norm = new nn.BatchNorm1d(2);
 * norm(tensor([[1, 10], [3, 30]])) // [[-1, -1], [1, 1]]
 */
export class BatchNorm1d extends BatchNorm {
  override forward(x: Tensor): Tensor {
    this.checkDims(x, [2, 3]);
    return this.normalized(x);
  }
}

/**
 * Normalizes each channel of images [N, C, H, W]: by the batch while training, by running statistics otherwise.
 *
 *     new BatchNorm2d(64, { eps: 1e-3, momentum: 0.01 })
 *
 * @throws {WRONG_ARGUMENT} for an input of other dims
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} for other channels, and for training with one value per channel
 * @example
 * const norm = new nn.BatchNorm2d(8);
 * norm(randn(4, 8, 5, 5)).shape // [4, 8, 5, 5]
 * norm.running_mean!.shape // [8]
 */
export class BatchNorm2d extends BatchNorm {
  override forward(x: Tensor): Tensor {
    this.checkDims(x, [4]);
    return this.normalized(x);
  }
}

/**
 * Normalizes each channel of volumes [N, C, D, H, W]: by the batch while training, by running statistics otherwise.
 *
 *     new BatchNorm3d(64, { eps: 1e-3, momentum: 0.01 })
 *
 * @throws {WRONG_ARGUMENT} for an input of other dims
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} for other channels, and for training with one value per channel
 * @example
 * new nn.BatchNorm3d(8)(randn(4, 8, 2, 5, 5)).shape // [4, 8, 2, 5, 5]
 */
export class BatchNorm3d extends BatchNorm {
  override forward(x: Tensor): Tensor {
    this.checkDims(x, [5]);
    return this.normalized(x);
  }
}

abstract class InstanceNorm extends ChannelNorm {
  constructor(options: NormFeatures & NormSettings);
  constructor(numFeatures: number, ...rest: NormArguments);
  constructor(...args: readonly unknown[]) {
    super(args, false);
  }
  /** `dims`: the number of dims of an input with a batch; an input without a batch has one less. */
  protected normalized(x: Tensor, dims: number): Tensor {
    this.checkDims(x, [dims - 1, dims]);
    if (x.ndim < dims) return this.normalized(x.unsqueeze(0), dims).squeeze(0);
    if (x.shape[1] !== this.numFeatures && this.weight !== null)
      throw wrongArgument(
        { call: this.constructor.name, argument: 'the channels' },
        x.shape[1],
        String(this.numFeatures),
      );
    const useInputStats = this.training || this.running_mean === null;
    const [mean, variance] = [this.running_mean, this.running_var];
    return F.instanceNorm(x, mean, variance, this.weight, this.bias, {
      useInputStats,
      momentum: this.momentum ?? 0,
      eps: this.eps,
    });
  }
}

/**
 * Normalizes each channel of each instance over its positions: [N, C, L] or [C, L]. Errors as `BatchNorm1d`.
 * @example
 * new nn.InstanceNorm1d(1)(tensor([[[1, 3]]])) // [[[-1, 1]]]
 */
export class InstanceNorm1d extends InstanceNorm {
  override forward(x: Tensor): Tensor {
    return this.normalized(x, 3);
  }
}

/**
 * Normalizes each channel of each instance over its positions: [N, C, H, W] or [C, H, W]. Errors as `BatchNorm2d`.
 * @example
 * new nn.InstanceNorm2d(8, { affine: true })(randn(4, 8, 5, 5)).shape // [4, 8, 5, 5]
 */
export class InstanceNorm2d extends InstanceNorm {
  override forward(x: Tensor): Tensor {
    return this.normalized(x, 4);
  }
}

/**
 * Normalizes each channel of each instance over its positions: [N, C, D, H, W] or [C, D, H, W]. Errors as `BatchNorm3d`.
 * @example
 * new nn.InstanceNorm3d(8)(randn(4, 8, 2, 5, 5)).shape // [4, 8, 2, 5, 5]
 */
export class InstanceNorm3d extends InstanceNorm {
  override forward(x: Tensor): Tensor {
    return this.normalized(x, 5);
  }
}

/** Settings of `LocalResponseNorm`. */
export interface LocalSettings {
  /** The factor of the mean of squares. */
  readonly alpha?: number;
  /** The exponent. */
  readonly beta?: number;
  /** The constant that is added. */
  readonly k?: number;
}
/**
 * x / (k + alpha · the mean of squares over `size` neighboring channels)^beta.
 * @example
 * new nn.LocalResponseNorm(2)(ones(1, 4, 3, 3)).shape // [1, 4, 3, 3]
 */
export class LocalResponseNorm extends Module {
  /** The number of neighboring channels. */
  readonly size: number;
  /** The factor of the mean of squares. */
  readonly alpha: number;
  /** The exponent. */
  readonly beta: number;
  /** The constant that is added. */
  readonly k: number;
  constructor(options: { readonly size: number } & LocalSettings);
  constructor(size: number, ...rest: Settings<LocalSettings, ['alpha', 'beta', 'k']>);
  constructor(...args: readonly unknown[]) {
    super();
    const [size, ...rest] = requiredFirst(['size'], args) as [number, ...unknown[]];
    const {
      alpha = 1e-4,
      beta = 0.75,
      k = 1,
    } = settle<LocalSettings>('LocalResponseNorm', ['alpha', 'beta', 'k'], rest);
    checkCount('LocalResponseNorm', 'size', size);
    this.size = size;
    this.alpha = alpha;
    this.beta = beta;
    this.k = k;
  }
  override forward(x: Tensor): Tensor {
    return localResponseNorm(x, this.size, this.alpha, this.beta, this.k);
  }
  protected override extraRepr(): string {
    return `${this.size}, alpha=${python(this.alpha)}, beta=${python(this.beta)}, k=${pythonFloat(this.k)}`;
  }
}
