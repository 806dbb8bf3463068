// Activation functions as modules, with PyTorch's arguments. `inplace` is accepted where PyTorch has it and changes nothing: the
// compiler plans memory, and updates in place where it can.
import { silu } from '../tensor/generated/functional.ts';
import { full, type Tensor } from '../tensor/index.ts';
import * as F from './activations.ts';
import { Module } from './module.ts';
import { python, pythonFloat } from './module-text.ts';
import { Parameter } from './parameter.ts';
import { checkWord, type Settings, settle } from './settings.ts';

/** A setting that PyTorch's activations have. */
export interface InPlace {
  readonly inplace?: boolean;
}
const inplaceText = (inplace: boolean, ...before: readonly string[]): string =>
  [...before, ...(inplace ? ['inplace=True'] : [])].join(', ');

/** max(x, 0); the gradient at 0 is 0. `new ReLU()(x)` */
export class ReLU extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('ReLU', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return x.relu();
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** min(max(x, 0), 6). */
export class ReLU6 extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('ReLU6', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.relu6(x);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** The hyperbolic tangent. */
export class Tanh extends Module {
  override forward(x: Tensor): Tensor {
    return x.tanh();
  }
}

/** 1 / (1 + exp(-x)). */
export class Sigmoid extends Module {
  override forward(x: Tensor): Tensor {
    return x.sigmoid();
  }
}

/** x · sigmoid(x), also called swish. */
export class SiLU extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('SiLU', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return silu(x);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** x · tanh(softplus(x)). */
export class Mish extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('Mish', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.mish(x);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** The self-normalising function of Klambauer et al., 2017. */
export class SELU extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('SELU', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.selu(x);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** relu6(x + 3) / 6. */
export class Hardsigmoid extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('Hardsigmoid', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.hardsigmoid(x);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** x · relu6(x + 3) / 6. */
export class Hardswish extends Module {
  readonly inplace: boolean;
  constructor(...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.inplace = settle<InPlace>('Hardswish', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.hardswish(x);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace);
  }
}

/** log(sigmoid(x)), without overflow. */
export class LogSigmoid extends Module {
  override forward(x: Tensor): Tensor {
    return F.logsigmoid(x);
  }
}

/** x / (1 + |x|). */
export class Softsign extends Module {
  override forward(x: Tensor): Tensor {
    return F.softsign(x);
  }
}

/** x - tanh(x). */
export class Tanhshrink extends Module {
  override forward(x: Tensor): Tensor {
    return F.tanhshrink(x);
  }
}

/** softmax over the channels of images [N, C, H, W] or [C, H, W]. */
export class Softmax2d extends Module {
  override forward(x: Tensor): Tensor {
    return x.softmax(-3);
  }
}

/** Settings of `ELU`. */
export interface ELUSettings {
  readonly alpha?: number;
  readonly inplace?: boolean;
}
/** x above 0, alpha · (exp(x) - 1) elsewhere. `new ELU(0.5)` */
export class ELU extends Module {
  readonly alpha: number;
  readonly inplace: boolean;
  constructor(...rest: Settings<ELUSettings, ['alpha', 'inplace']>) {
    super();
    const given = settle<ELUSettings>('ELU', ['alpha', 'inplace'], rest);
    this.alpha = given.alpha ?? 1;
    this.inplace = given.inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.elu(x, this.alpha);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace, `alpha=${pythonFloat(this.alpha)}`);
  }
}

/** Settings of `CELU`. */
export interface CELUSettings {
  readonly alpha?: number;
  readonly inplace?: boolean;
}
/** x above 0, alpha · (exp(x / alpha) - 1) elsewhere. */
export class CELU extends Module {
  readonly alpha: number;
  readonly inplace: boolean;
  constructor(...rest: Settings<CELUSettings, ['alpha', 'inplace']>) {
    super();
    const given = settle<CELUSettings>('CELU', ['alpha', 'inplace'], rest);
    this.alpha = given.alpha ?? 1;
    this.inplace = given.inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.celu(x, this.alpha);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace, `alpha=${pythonFloat(this.alpha)}`);
  }
}

/** Settings of `LeakyReLU`. */
export interface LeakyReLUSettings {
  readonly negativeSlope?: number;
  readonly inplace?: boolean;
}
/** x above 0, negativeSlope · x elsewhere. `new LeakyReLU(0.2)` */
export class LeakyReLU extends Module {
  readonly negativeSlope: number;
  readonly inplace: boolean;
  constructor(...rest: Settings<LeakyReLUSettings, ['negativeSlope', 'inplace']>) {
    super();
    const given = settle<LeakyReLUSettings>('LeakyReLU', ['negativeSlope', 'inplace'], rest);
    this.negativeSlope = given.negativeSlope ?? 0.01;
    this.inplace = given.inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.leakyRelu(x, this.negativeSlope);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace, `negative_slope=${python(this.negativeSlope)}`);
  }
}

/** Settings of `Hardtanh`. */
export interface HardtanhSettings {
  readonly minVal?: number;
  readonly maxVal?: number;
  readonly inplace?: boolean;
}
/** x within [minVal, maxVal], those elsewhere. */
export class Hardtanh extends Module {
  readonly minVal: number;
  readonly maxVal: number;
  readonly inplace: boolean;
  constructor(...rest: Settings<HardtanhSettings, ['minVal', 'maxVal', 'inplace']>) {
    super();
    const given = settle<HardtanhSettings>('Hardtanh', ['minVal', 'maxVal', 'inplace'], rest);
    this.minVal = given.minVal ?? -1;
    this.maxVal = given.maxVal ?? 1;
    this.inplace = given.inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.hardtanh(x, this.minVal, this.maxVal);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace, `min_val=${pythonFloat(this.minVal)}`, `max_val=${pythonFloat(this.maxVal)}`);
  }
}

/** Settings of `Hardshrink`. */
export interface HardshrinkSettings {
  readonly lambda?: number;
}
/** x outside of [-lambda, lambda], 0 within. */
export class Hardshrink extends Module {
  readonly lambda: number;
  constructor(...rest: Settings<HardshrinkSettings, ['lambda']>) {
    super();
    const given = settle<HardshrinkSettings>('Hardshrink', ['lambda'], rest);
    this.lambda = given.lambda ?? 0.5;
  }
  override forward(x: Tensor): Tensor {
    return F.hardshrink(x, this.lambda);
  }
  protected override extraRepr(): string {
    return python(this.lambda);
  }
}

/** Settings of `Softshrink`. */
export interface SoftshrinkSettings {
  readonly lambda?: number;
}
/** x drawn towards 0 by lambda; 0 within [-lambda, lambda]. */
export class Softshrink extends Module {
  readonly lambda: number;
  constructor(...rest: Settings<SoftshrinkSettings, ['lambda']>) {
    super();
    const given = settle<SoftshrinkSettings>('Softshrink', ['lambda'], rest);
    this.lambda = given.lambda ?? 0.5;
  }
  override forward(x: Tensor): Tensor {
    return F.softshrink(x, this.lambda);
  }
  protected override extraRepr(): string {
    return python(this.lambda);
  }
}

/** Settings of `Softplus`. */
export interface SoftplusSettings {
  readonly beta?: number;
  readonly threshold?: number;
}
/** log(1 + exp(beta · x)) / beta; x itself where beta · x is above the threshold. */
export class Softplus extends Module {
  readonly beta: number;
  readonly threshold: number;
  constructor(...rest: Settings<SoftplusSettings, ['beta', 'threshold']>) {
    super();
    const given = settle<SoftplusSettings>('Softplus', ['beta', 'threshold'], rest);
    this.beta = given.beta ?? 1;
    this.threshold = given.threshold ?? 20;
  }
  override forward(x: Tensor): Tensor {
    return F.softplus(x, this.beta, this.threshold);
  }
  protected override extraRepr(): string {
    return `beta=${pythonFloat(this.beta)}, threshold=${pythonFloat(this.threshold)}`;
  }
}

/** Settings of `RReLU`. */
export interface RReLUSettings {
  readonly lower?: number;
  readonly upper?: number;
  readonly inplace?: boolean;
}
/** leakyRelu with slopes drawn from [lower, upper] while training, and their mean otherwise (Xu et al., 2015). */
export class RReLU extends Module {
  readonly lower: number;
  readonly upper: number;
  readonly inplace: boolean;
  constructor(...rest: Settings<RReLUSettings, ['lower', 'upper', 'inplace']>) {
    super();
    const given = settle<RReLUSettings>('RReLU', ['lower', 'upper', 'inplace'], rest);
    this.lower = given.lower ?? 1 / 8;
    this.upper = given.upper ?? 1 / 3;
    this.inplace = given.inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.rrelu(x, { lower: this.lower, upper: this.upper, training: this.training });
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace, `lower=${python(this.lower)}`, `upper=${python(this.upper)}`);
  }
}

/** Settings of `GELU`. */
export interface GELUSettings {
  readonly approximate?: 'none' | 'tanh';
}
/** x · Φ(x), or with `approximate` 'tanh' its approximation. */
export class GELU extends Module {
  readonly approximate: 'none' | 'tanh';
  constructor(...rest: Settings<GELUSettings, ['approximate']>) {
    super();
    const given = settle<GELUSettings>('GELU', ['approximate'], rest);
    this.approximate = given.approximate ?? 'none';
    checkWord('GELU', 'approximate', this.approximate, ['none', 'tanh']);
  }
  override forward(x: Tensor): Tensor {
    return x.gelu(this.approximate);
  }
  protected override extraRepr(): string {
    return `approximate=${python(this.approximate)}`;
  }
}

/** Settings of `GLU`. */
export interface GLUSettings {
  readonly dim?: number;
}
/** The first half along a dim, times sigmoid of the second half. */
export class GLU extends Module {
  readonly dim: number;
  constructor(...rest: Settings<GLUSettings, ['dim']>) {
    super();
    const given = settle<GLUSettings>('GLU', ['dim'], rest);
    this.dim = given.dim ?? -1;
  }
  override forward(x: Tensor): Tensor {
    return F.glu(x, this.dim);
  }
  protected override extraRepr(): string {
    return `dim=${this.dim}`;
  }
}

/** Settings of `Softmax`. */
export interface SoftmaxSettings {
  readonly dim?: number;
}
/** exp(x) / Σ exp(x) along a dim, by default the last. `new Softmax({ dim: 1 })` */
export class Softmax extends Module {
  readonly dim: number;
  constructor(...rest: Settings<SoftmaxSettings, ['dim']>) {
    super();
    const given = settle<SoftmaxSettings>('Softmax', ['dim'], rest);
    this.dim = given.dim ?? -1;
  }
  override forward(x: Tensor): Tensor {
    return x.softmax(this.dim);
  }
  protected override extraRepr(): string {
    return `dim=${this.dim}`;
  }
}

/** Settings of `LogSoftmax`. */
export interface LogSoftmaxSettings {
  readonly dim?: number;
}
/** log(softmax(x)) along a dim, by default the last. */
export class LogSoftmax extends Module {
  readonly dim: number;
  constructor(...rest: Settings<LogSoftmaxSettings, ['dim']>) {
    super();
    const given = settle<LogSoftmaxSettings>('LogSoftmax', ['dim'], rest);
    this.dim = given.dim ?? -1;
  }
  override forward(x: Tensor): Tensor {
    return x.logSoftmax(this.dim);
  }
  protected override extraRepr(): string {
    return `dim=${this.dim}`;
  }
}

/** Settings of `Softmin`. */
export interface SoftminSettings {
  readonly dim?: number;
}
/** softmax(-x) along a dim, by default the last. */
export class Softmin extends Module {
  readonly dim: number;
  constructor(...rest: Settings<SoftminSettings, ['dim']>) {
    super();
    const given = settle<SoftminSettings>('Softmin', ['dim'], rest);
    this.dim = given.dim ?? -1;
  }
  override forward(x: Tensor): Tensor {
    return F.softmin(x, this.dim);
  }
  protected override extraRepr(): string {
    return `dim=${this.dim}`;
  }
}

/** x above the threshold, `value` elsewhere. `new Threshold(0.1, 20)` */
export class Threshold extends Module {
  readonly threshold: number;
  readonly value: number;
  readonly inplace: boolean;
  constructor(threshold: number, value: number, ...rest: Settings<InPlace, ['inplace']>) {
    super();
    this.threshold = threshold;
    this.value = value;
    this.inplace = settle<InPlace>('Threshold', ['inplace'], rest).inplace ?? false;
  }
  override forward(x: Tensor): Tensor {
    return F.threshold(x, this.threshold, this.value);
  }
  protected override extraRepr(): string {
    return inplaceText(this.inplace, `threshold=${python(this.threshold)}`, `value=${python(this.value)}`);
  }
}

/** Settings of `PReLU`. */
export interface PReLUSettings {
  readonly numParameters?: number;
  readonly init?: number;
}
/** x above 0, weight · x elsewhere; the slopes are learned: one, or one for each channel of [N, C, …]. */
export class PReLU extends Module {
  readonly numParameters: number;
  /** [numParameters] */
  weight: Parameter;
  constructor(...rest: Settings<PReLUSettings, ['numParameters', 'init']>) {
    super();
    const { numParameters = 1, init = 0.25 } = settle<PReLUSettings>('PReLU', ['numParameters', 'init'], rest);
    this.numParameters = numParameters;
    this.weight = new Parameter(full([numParameters], init), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    return F.prelu(x, this.weight);
  }
  protected override extraRepr(): string {
    return `num_parameters=${this.numParameters}`;
  }
}
