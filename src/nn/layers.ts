// Layers with parameters, named and laid out as PyTorch's.
import { checkCount, ones, type Tensor, zeros } from '../tensor/index.ts';
import { type Pair, pairOf } from './convolution.ts';
import * as F from './functional.ts';
import * as init from './init.ts';
import { Module } from './module.ts';
import { Parameter, StateBuffer } from './parameter.ts';

const fresh = (data: Tensor): Parameter => new Parameter(data, { fresh: true });

/** x · weightᵀ + bias: [..., in] → [..., out]. */
export class Linear extends Module {
  readonly inFeatures: number;
  readonly outFeatures: number;
  /** [out, in] */
  weight: Parameter;
  bias: Parameter | undefined;
  constructor(inFeatures: number, outFeatures: number, options: { readonly bias?: boolean } = {}) {
    super();
    checkCount('Linear', 'inFeatures', inFeatures);
    checkCount('Linear', 'outFeatures', outFeatures);
    this.inFeatures = inFeatures;
    this.outFeatures = outFeatures;
    this.weight = fresh(init.defaultWeight([outFeatures, inFeatures]));
    const bound = 1 / Math.sqrt(inFeatures);
    this.bias = options.bias === false ? undefined : fresh(init.uniform([outFeatures], -bound, bound));
  }
  override forward(x: Tensor): Tensor {
    return F.linear(x, this.weight, this.bias);
  }
  protected override extraRepr(): string {
    return `${this.inFeatures}, ${this.outFeatures}${this.bias === undefined ? ', no bias' : ''}`;
  }
}

/** A table of vectors: indices [...] → [..., width]. */
export class Embedding extends Module {
  readonly paddingIndex: number | undefined;
  /** [count, width] */
  weight: Parameter;
  constructor(
    count: number,
    width: number,
    options: { readonly paddingIndex?: number | undefined; readonly std?: number } = {},
  ) {
    super();
    checkCount('Embedding', 'the number of vectors', count);
    checkCount('Embedding', 'the width', width);
    this.paddingIndex = options.paddingIndex;
    // The vector of padding starts, and stays, zero.
    this.weight = fresh(init.table([count, width], options.std ?? 1, options.paddingIndex));
  }
  override forward(index: Tensor): Tensor {
    return F.embedding(index, this.weight, { paddingIndex: this.paddingIndex });
  }
  protected override extraRepr(): string {
    return `${this.weight.shape[0]}, ${this.weight.shape[1]}${this.paddingIndex === undefined ? '' : `, padding ${this.paddingIndex}`}`;
  }
}

/** Normalises over the last dims. */
export class LayerNorm extends Module {
  readonly shape: readonly number[];
  readonly eps: number;
  weight: Parameter;
  bias: Parameter;
  constructor(shape: number | readonly number[], options: { readonly eps?: number } = {}) {
    super();
    this.shape = typeof shape === 'number' ? [shape] : shape;
    this.eps = options.eps ?? 1e-5;
    this.weight = fresh(ones(this.shape));
    this.bias = fresh(zeros(this.shape));
  }
  override forward(x: Tensor): Tensor {
    return F.layerNorm(x, this.shape, this.weight, this.bias, this.eps);
  }
  protected override extraRepr(): string {
    return `[${this.shape.join(', ')}], eps ${this.eps}`;
  }
}

/** Zeros elements at random while training. */
export class Dropout extends Module {
  readonly p: number;
  constructor(p = 0.5) {
    super();
    F.checkProbability(p);
    this.p = p;
  }
  override forward(x: Tensor): Tensor {
    return F.dropout(x, this.p, this.training);
  }
  protected override extraRepr(): string {
    return String(this.p);
  }
}

export class GELU extends Module {
  readonly approximate: 'none' | 'tanh';
  constructor(approximate: 'none' | 'tanh' = 'none') {
    super();
    this.approximate = approximate;
  }
  override forward(x: Tensor): Tensor {
    return x.gelu(this.approximate);
  }
}
export class ReLU extends Module {
  override forward(x: Tensor): Tensor {
    return x.relu();
  }
}
export class Tanh extends Module {
  override forward(x: Tensor): Tensor {
    return x.tanh();
  }
}
export class Sigmoid extends Module {
  override forward(x: Tensor): Tensor {
    return x.sigmoid();
  }
}
export class Flatten extends Module {
  override forward(x: Tensor): Tensor {
    return x.flatten(1);
  }
}

/** Passes its input on. */
export class Identity extends Module {
  override forward(x: Tensor): Tensor {
    return x;
  }
}

/** Convolution over images [N, C, H, W]. */
export class Conv2d extends Module {
  readonly options: F.ConvOptions;
  /** [out, in / groups, kh, kw] */
  weight: Parameter;
  bias: Parameter | undefined;
  constructor(
    inChannels: number,
    outChannels: number,
    kernel: Pair,
    options: F.ConvOptions & { readonly bias?: boolean } = {},
  ) {
    super();
    checkCount('Conv2d', 'inChannels', inChannels);
    checkCount('Conv2d', 'outChannels', outChannels);
    this.options = options;
    const shape = [outChannels, inChannels / (options.groups ?? 1), ...pairOf(kernel)];
    this.weight = fresh(init.defaultWeight(shape));
    const bound = 1 / Math.sqrt(init.fans(shape).fanIn);
    this.bias = options.bias === false ? undefined : fresh(init.uniform([outChannels], -bound, bound));
  }
  override forward(x: Tensor): Tensor {
    return F.conv2d(x, this.weight, this.bias, this.options);
  }
}
export class MaxPool2d extends Module {
  readonly kernel: Pair;
  readonly options: F.PoolOptions;
  constructor(kernel: Pair, options: F.PoolOptions = {}) {
    super();
    this.kernel = kernel;
    this.options = options;
  }
  override forward(x: Tensor): Tensor {
    return F.maxPool2d(x, this.kernel, this.options);
  }
}
export class AvgPool2d extends Module {
  readonly kernel: Pair;
  readonly options: F.PoolOptions;
  constructor(kernel: Pair, options: F.PoolOptions = {}) {
    super();
    this.kernel = kernel;
    this.options = options;
  }
  override forward(x: Tensor): Tensor {
    return F.avgPool2d(x, this.kernel, this.options);
  }
}

/** The mean over windows that divide the image evenly into `size`. */
export class AdaptiveAvgPool2d extends Module {
  readonly size: Pair;
  constructor(size: Pair) {
    super();
    this.size = size;
  }
  override forward(x: Tensor): Tensor {
    return F.adaptiveAvgPool2d(x, this.size);
  }
}

/** Normalises each channel of images [N, C, H, W]: by the batch while training, by running statistics otherwise. */
export class BatchNorm2d extends Module {
  readonly eps: number;
  readonly momentum: number;
  /** [C], as all of these but the count. */
  weight: Parameter;
  bias: Parameter;
  running_mean: StateBuffer;
  running_var: StateBuffer;
  num_batches_tracked: StateBuffer;
  constructor(channels: number, options: { readonly eps?: number; readonly momentum?: number } = {}) {
    super();
    checkCount('BatchNorm2d', 'channels', channels);
    this.eps = options.eps ?? 1e-5;
    this.momentum = options.momentum ?? 0.1;
    this.weight = fresh(ones([channels]));
    this.bias = fresh(zeros([channels]));
    this.running_mean = new StateBuffer(zeros([channels]), { fresh: true });
    this.running_var = new StateBuffer(ones([channels]), { fresh: true });
    this.num_batches_tracked = new StateBuffer(zeros([], { dtype: 'i64' }), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    const { training, momentum, eps } = this;
    if (training) this.num_batches_tracked.add_(1);
    return F.batchNorm(x, this.running_mean, this.running_var, this.weight, this.bias, { training, momentum, eps });
  }
  protected override extraRepr(): string {
    return `${this.weight.shape[0]}, eps ${this.eps}, momentum ${this.momentum}`;
  }
}
