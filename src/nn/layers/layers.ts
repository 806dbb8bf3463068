// Linear layers, with PyTorch's names and layouts.
import { checkCount, type Tensor } from '../../tensor/index.ts';
import { requiredFirst, type Settings, settle } from '../../tensor/settings.ts';
import * as F from '../functional/functional.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import { Parameter } from '../module/parameter.ts';

const fresh = (data: Tensor): Parameter => new Parameter(data, { fresh: true });
/** A setting of linear layers. */
export interface BiasSettings {
  /** True by default. */
  readonly bias?: boolean;
}

/**
 * x · weightᵀ + bias: [..., in] → [..., out].
 *
 *     new Linear(784, 10)          new Linear(64, 64, { bias: false })
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH} where it is called with other inputs
 * @example
 * const layer = new nn.Linear(3, 2);
 * layer(randn(4, 3)).shape // [4, 2]
 * layer.weight.shape // [2, 3]
 */
export class Linear extends Module {
  /** The size of the last dim of the input. */
  readonly inFeatures: number;
  /** The size of the last dim of the output. */
  readonly outFeatures: number;
  /** [out, in] */
  weight: Parameter;
  /** The bias, [outFeatures]; null without one. */
  bias: Parameter | null;
  constructor(options: Readonly<Record<'inFeatures' | 'outFeatures', number>> & BiasSettings);
  constructor(inFeatures: number, outFeatures: number, ...rest: Settings<BiasSettings, ['bias']>);
  constructor(...args: readonly unknown[]) {
    super();
    const [inFeatures, outFeatures, ...rest] = requiredFirst(['inFeatures', 'outFeatures'], args) as [
      number,
      number,
      ...unknown[],
    ];
    const { bias = true } = settle<BiasSettings>('Linear', ['bias'], rest);
    checkCount('Linear', 'inFeatures', inFeatures);
    checkCount('Linear', 'outFeatures', outFeatures);
    this.inFeatures = inFeatures;
    this.outFeatures = outFeatures;
    this.weight = fresh(init.defaultWeight([outFeatures, inFeatures]));
    const bound = 1 / Math.sqrt(inFeatures);
    this.bias = bias ? fresh(init.uniform([outFeatures], -bound, bound)) : null;
  }
  override forward(x: Tensor): Tensor {
    return F.linear(x, this.weight, this.bias);
  }
  protected override extraRepr(): string {
    return `in_features=${this.inFeatures}, out_features=${this.outFeatures}, bias=${python(this.bias !== null)}`;
  }
}

/**
 * xᵀ · weight · y + bias for each output: [..., in1], [..., in2] → [..., out].
 * @throws {WRONG_ARGUMENT}
 * @example
 * new nn.Bilinear(4, 5, 3)(randn(2, 4), randn(2, 5)).shape // [2, 3]
 */
export class Bilinear extends Module {
  /** The size of the last dim of the first input. */
  readonly in1Features: number;
  /** The size of the last dim of the second input. */
  readonly in2Features: number;
  /** The size of the last dim of the output. */
  readonly outFeatures: number;
  /** [out, in1, in2] */
  weight: Parameter;
  /** The bias, [outFeatures]; null without one. */
  bias: Parameter | null;
  constructor(options: Readonly<Record<'in1Features' | 'in2Features' | 'outFeatures', number>> & BiasSettings);
  constructor(in1Features: number, in2Features: number, outFeatures: number, ...rest: Settings<BiasSettings, ['bias']>);
  constructor(...args: readonly unknown[]) {
    super();
    const names = ['in1Features', 'in2Features', 'outFeatures'];
    const [in1Features, in2Features, outFeatures, ...rest] = requiredFirst(names, args) as [
      number,
      number,
      number,
      ...unknown[],
    ];
    const { bias = true } = settle<BiasSettings>('Bilinear', ['bias'], rest);
    checkCount('Bilinear', 'in1Features', in1Features);
    checkCount('Bilinear', 'in2Features', in2Features);
    checkCount('Bilinear', 'outFeatures', outFeatures);
    this.in1Features = in1Features;
    this.in2Features = in2Features;
    this.outFeatures = outFeatures;
    const bound = 1 / Math.sqrt(in1Features);
    this.weight = fresh(init.uniform([outFeatures, in1Features, in2Features], -bound, bound));
    this.bias = bias ? fresh(init.uniform([outFeatures], -bound, bound)) : null;
  }
  override forward(x: Tensor, y: Tensor): Tensor {
    return F.bilinear(x, y, this.weight, this.bias);
  }
  protected override extraRepr(): string {
    return `in1_features=${this.in1Features}, in2_features=${this.in2Features}, out_features=${this.outFeatures}, bias=${python(this.bias !== null)}`;
  }
}

/**
 * Passes its input on; arguments of the constructor are accepted and ignored, as in PyTorch.
 * @example
 * new nn.Identity()(tensor([1, 2])) // [1, 2]
 */
export class Identity extends Module {
  constructor(..._ignored: readonly unknown[]) {
    super();
  }
  override forward(x: Tensor): Tensor {
    return x;
  }
}
