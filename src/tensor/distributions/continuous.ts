// Distributions with a location or a scale, sampled by transforming a fixed noise, so that gradients flow through samples.
import type { Tensor } from '../tensor.ts';
import * as constraints from './constraints.ts';
import { checkedTogether, Distribution, noise, type Parameter, type Shape, type ValidateArgs } from './distribution.ts';

const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

/** A distribution of loc + scale · noise. */
export abstract class LocationScale extends Distribution {
  /** The location. */
  readonly loc: Tensor;
  /** The scale. */
  readonly scale: Tensor;
  override readonly hasRsample = true;

  constructor(loc: Parameter, scale: Parameter, validate?: ValidateArgs) {
    const [l, s] = checkedTogether(
      new.target.name,
      {
        loc: [loc, constraints.real],
        scale: [scale, constraints.positive],
      },
      validate,
    ) as [Tensor, Tensor];
    super(l.shape, [], validate);
    this.loc = l;
    this.scale = s;
  }
  protected abstract standardSample(shape: Shape): Tensor;
  override rsample(shape: Shape = []): Tensor {
    return this.loc.add(this.scale.mul(this.standardSample(this.extended(shape))));
  }
  /** (value − loc) / scale. */
  protected standardized(value: Tensor): Tensor {
    return value.sub(this.loc).div(this.scale);
  }
}

/**
 * The normal distribution. PyTorch: `torch.distributions.Normal`.
 * @example
 * const normal = new distributions.Normal(tensor([0, 10]), tensor([1, 2]));
 * normal.sample([3]).shape // [3, 2]
 * normal.logProb(tensor([0, 10])) // [-0.9189…, -1.612…]
 */
export class Normal extends LocationScale {
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
    return this.scale.square();
  }
  /** The square root of the variance. */
  override get stddev(): Tensor {
    return this.scale;
  }
  protected override standardSample(shape: Shape): Tensor {
    return noise(this.loc, shape, 'standardNormal');
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.standardized(value).square().mul(-0.5).sub(this.scale.log()).sub(halfLogTwoPi);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.scale.log().add(0.5 + halfLogTwoPi);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.standardized(value).mul(Math.SQRT1_2).erf().add(1).mul(0.5);
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return value.mul(2).sub(1).erfinv().mul(this.scale).mul(Math.SQRT2).add(this.loc);
  }
  expand(shape: Shape): Normal {
    return new Normal(this.loc.expand(shape), this.scale.expand(shape));
  }
}

/**
 * Uniform in [low, high). PyTorch: `torch.distributions.Uniform`.
 * @example
 * new distributions.Uniform(2, 4).entropy() // 0.6931…
 */
export class Uniform extends Distribution {
  /** The lower bound, included. */
  readonly low: Tensor;
  /** The upper bound, excluded. */
  readonly high: Tensor;
  override readonly hasRsample = true;
  constructor(low: Parameter, high: Parameter, validate?: ValidateArgs) {
    const [l, h] = checkedTogether(
      'Uniform',
      {
        low: [low, constraints.real],
        high: [high, constraints.greaterThan(low)],
      },
      validate,
    ) as [Tensor, Tensor];
    super(l.shape, [], validate);
    this.low = l;
    this.high = h;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.interval(this.low, this.high);
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.low.add(this.high).mul(0.5);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.low.mul(Number.NaN);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.high.sub(this.low).square().div(12);
  }
  override rsample(shape: Shape = []): Tensor {
    return this.low.add(noise(this.low, this.extended(shape), 'uniform').mul(this.high.sub(this.low)));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const isInside = value.ge(this.low).logicalAnd(value.lt(this.high));
    return isInside.to(this.low.dtype).log().sub(this.high.sub(this.low).log());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.high.sub(this.low).log();
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return value.sub(this.low).div(this.high.sub(this.low)).clamp(0, 1);
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return value.mul(this.high.sub(this.low)).add(this.low);
  }
  expand(shape: Shape): Uniform {
    return new Uniform(this.low.expand(shape), this.high.expand(shape));
  }
}
