// Continuous distributions sampled by transforming a fixed noise, so that gradients flow through samples.

import * as constraints from '../../src/tensor/distributions/constraints.ts';
import { LocationScale, Normal } from '../../src/tensor/distributions/continuous.ts';
import {
  checkedTogether,
  Distribution,
  noise,
  type Parameter,
  type Shape,
  type ValidateArgs,
} from '../../src/tensor/distributions/distribution.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';

const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);
const eulerGamma = 0.5772156649015329;

/**
 * The distribution of exp(x) for normal x. PyTorch: `torch.distributions.LogNormal`.
 * @example
 * new distributions.LogNormal(0, 1).mean // 1.6487…
 */
export class LogNormal extends Distribution {
  /** The distribution that this one is derived from. */
  readonly base: Normal;
  override readonly hasRsample = true;
  constructor(loc: Parameter, scale: Parameter, validate?: ValidateArgs) {
    const base = new Normal(loc, scale, validate);
    super(base.batchShape, [], validate);
    this.base = base;
  }
  /** The location parameter. */
  get loc(): Tensor {
    return this.base.loc;
  }
  /** The scale parameter. */
  get scale(): Tensor {
    return this.base.scale;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.positive;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.loc.add(this.scale.square().mul(0.5)).exp();
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc.sub(this.scale.square()).exp();
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    const square = this.scale.square();
    return square.expm1().mul(this.loc.mul(2).add(square).exp());
  }
  override rsample(shape: Shape = []): Tensor {
    return this.base.rsample(shape).exp();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const log = value.log();
    return this.base.logProb(log).sub(log);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.base.entropy().add(this.loc);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.base.cdf(value.log());
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return this.base.icdf(value).exp();
  }
  expand(shape: Shape): LogNormal {
    return new LogNormal(this.loc.expand(shape), this.scale.expand(shape));
  }
}

/**
 * The distribution of |x| for normal x with mean 0. PyTorch: `torch.distributions.HalfNormal`.
 * @example
 * new distributions.HalfNormal(2).mean // 1.5957…
 */
export class HalfNormal extends Distribution {
  /** The scale. */
  readonly scale: Tensor;
  override readonly hasRsample = true;
  constructor(scale: Parameter, validate?: ValidateArgs) {
    const [s] = checkedTogether('HalfNormal', { scale: [scale, constraints.positive] }, validate) as [Tensor];
    super(s.shape, [], validate);
    this.scale = s;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegative;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.scale.mul(Math.sqrt(2 / Math.PI));
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.scale.mul(0);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.scale.square().mul(1 - 2 / Math.PI);
  }
  override rsample(shape: Shape = []): Tensor {
    return noise(this.scale, this.extended(shape), 'standardNormal').abs().mul(this.scale);
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const density = new Normal(0, this.scale).logProb(value).add(Math.LN2);
    return density.where(value.ge(0), Number.NEGATIVE_INFINITY);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.scale.log().add(0.5 + halfLogTwoPi - Math.LN2);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return value.div(this.scale).mul(Math.SQRT1_2).erf();
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return value.erfinv().mul(this.scale).mul(Math.SQRT2);
  }
  expand(shape: Shape): HalfNormal {
    return new HalfNormal(this.scale.expand(shape));
  }
}

/**
 * The Laplace distribution. PyTorch: `torch.distributions.Laplace`.
 * @example
 * new distributions.Laplace(0, 1).entropy() // 1.6931…
 */
export class Laplace extends LocationScale {
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.real;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.loc;
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.scale.square().mul(2);
  }
  protected override standardSample(shape: Shape): Tensor {
    const u = noise(this.loc, shape, 'uniform').sub(0.5);
    return u.sign().mul(u.abs().mul(-2).log1p()).neg();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.standardized(value).abs().neg().sub(this.scale.mul(2).log());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.scale.mul(2).log().add(1);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    const z = this.standardized(value);
    return z.sign().mul(z.abs().neg().expm1()).mul(-0.5).add(0.5);
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    const u = value.sub(0.5);
    return this.loc.sub(this.scale.mul(u.sign()).mul(u.abs().mul(-2).log1p()));
  }
  expand(shape: Shape): Laplace {
    return new Laplace(this.loc.expand(shape), this.scale.expand(shape));
  }
}

/**
 * The Cauchy distribution; it has no mean: NaN. PyTorch: `torch.distributions.Cauchy`.
 * @example
 * new distributions.Cauchy(0, 1).logProb(tensor(0)) // -1.1447…
 */
export class Cauchy extends LocationScale {
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.real;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.loc.mul(Number.NaN);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.scale.mul(0).add(Number.POSITIVE_INFINITY);
  }
  protected override standardSample(shape: Shape): Tensor {
    return noise(this.loc, shape, 'uniform').sub(0.5).mul(Math.PI).tan();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.standardized(value).square().log1p().add(Math.log(Math.PI)).add(this.scale.log()).neg();
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.scale.log().add(Math.log(4 * Math.PI));
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.standardized(value).atan().div(Math.PI).add(0.5);
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return value.sub(0.5).mul(Math.PI).tan().mul(this.scale).add(this.loc);
  }
  expand(shape: Shape): Cauchy {
    return new Cauchy(this.loc.expand(shape), this.scale.expand(shape));
  }
}

/**
 * The Gumbel distribution of maxima. PyTorch: `torch.distributions.Gumbel`.
 * @example
 * new distributions.Gumbel(0, 1).mean // 0.5772…
 */
export class Gumbel extends LocationScale {
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.real;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.loc.add(this.scale.mul(eulerGamma));
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.scale.square().mul(Math.PI ** 2 / 6);
  }
  protected override standardSample(shape: Shape): Tensor {
    return noise(this.loc, shape, 'uniform').log().neg().log().neg();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const z = this.standardized(value);
    return z.add(z.neg().exp()).neg().sub(this.scale.log());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.scale.log().add(1 + eulerGamma);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.standardized(value).neg().exp().neg().exp();
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return this.loc.sub(this.scale.mul(value.log().neg().log()));
  }
  expand(shape: Shape): Gumbel {
    return new Gumbel(this.loc.expand(shape), this.scale.expand(shape));
  }
}

/**
 * The exponential distribution. PyTorch: `torch.distributions.Exponential`.
 * @example
 * new distributions.Exponential(2).mean // 0.5
 */
export class Exponential extends Distribution {
  /** The rate. */
  readonly rate: Tensor;
  override readonly hasRsample = true;
  constructor(rate: Parameter, validate?: ValidateArgs) {
    const [r] = checkedTogether('Exponential', { rate: [rate, constraints.positive] }, validate) as [Tensor];
    super(r.shape, [], validate);
    this.rate = r;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegative;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.rate.reciprocal();
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.rate.mul(0);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.rate.square().reciprocal();
  }
  override rsample(shape: Shape = []): Tensor {
    return noise(this.rate, this.extended(shape), 'uniform').log().neg().div(this.rate);
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.rate.log().sub(this.rate.mul(value));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.rate.log().neg().add(1);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.rate.mul(value).neg().expm1().neg();
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return value.neg().log1p().neg().div(this.rate);
  }
  expand(shape: Shape): Exponential {
    return new Exponential(this.rate.expand(shape));
  }
}
