// Layers with parameters, named and laid out as PyTorch's.
import { ones, type Tensor, zeros } from '../tensor/index.ts';
import { type Pair, pairOf } from './convolution.ts';
import * as F from './functional.ts';
import * as init from './init.ts';
import { Module } from './module.ts';
import { Parameter } from './parameter.ts';

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
    this.inFeatures = inFeatures;
    this.outFeatures = outFeatures;
    this.weight = fresh(init.defaultWeight([outFeatures, inFeatures]));
    const bound = 1 / Math.sqrt(inFeatures);
    this.bias = options.bias === false ? undefined : fresh(init.uniform([outFeatures], -bound, bound));
  }
  override forward(x: Tensor): Tensor {
    return F.linear(x, this.weight, this.bias);
  }
  protected override describe(): string {
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
    this.paddingIndex = options.paddingIndex;
    this.weight = fresh(withoutRow(init.normal([count, width], 0, options.std ?? 1), options.paddingIndex));
  }
  override forward(index: Tensor): Tensor {
    return F.embedding(index, this.weight, { paddingIndex: this.paddingIndex });
  }
  protected override describe(): string {
    return `${this.weight.shape[0]}, ${this.weight.shape[1]}${this.paddingIndex === undefined ? '' : `, padding ${this.paddingIndex}`}`;
  }
}
/** The vector of padding starts, and stays, zero. */
function withoutRow(table: Tensor, row: number | undefined): Tensor {
  if (row === undefined) return table;
  const { data } = table.literal();
  data.fill(0 as never, row * table.shape[1]!, (row + 1) * table.shape[1]!);
  return table;
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
  protected override describe(): string {
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
  protected override describe(): string {
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
