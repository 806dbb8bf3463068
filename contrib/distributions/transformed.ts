// Distributions of transformed samples, among them: Weibull, Pareto, Kumaraswamy, half Cauchy,
// logistic normal.
import { wrongArgument } from '../../src/tensor/check-arguments.ts';
import * as constraints from '../../src/tensor/distributions/constraints.ts';
import { Normal } from '../../src/tensor/distributions/continuous.ts';
import {
  checkedTogether,
  Distribution,
  noise,
  type Parameter,
  type Shape,
  type ValidateArgs,
} from '../../src/tensor/distributions/distribution.ts';
import { Independent, sumRightmost } from '../../src/tensor/distributions/independent.ts';
import { noGrad } from '../../src/tensor/gradients/grad-mode.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';
import { Cauchy } from './continuous.ts';
import { logBeta } from './gamma.ts';
import { ComposeTransform, StickBreakingTransform, type Transform } from './transforms.ts';

/**
 * The distribution of transformed samples. PyTorch: `torch.distributions.TransformedDistribution`.
 * @example
 * const base = new distributions.Normal(0, 1);
 * const logNormal = new distributions.TransformedDistribution(base, [new distributions.transforms.ExpTransform()]);
 * logNormal.logProb(tensor(1)) // -0.9189…
 */
export class TransformedDistribution extends Distribution {
  /** The distribution that this one is derived from. */
  readonly base: Distribution;
  /** The transforms, applied in this order. */
  readonly transforms: readonly Transform[];
  override readonly hasRsample: boolean;
  constructor(base: Distribution, transforms: Transform | readonly Transform[], validate?: ValidateArgs) {
    const list = Array.isArray(transforms) ? (transforms as readonly Transform[]) : [transforms as Transform];
    const all = new ComposeTransform(list);
    const eventDim = Math.max(base.eventShape.length, all.domain.eventDim);
    const shape = [...base.batchShape, ...base.eventShape];
    if (shape.length < eventDim)
      throw wrongArgument({ call: 'TransformedDistribution', argument: 'base' }, shape, `at least ${eventDim} dims`);
    const extra = eventDim - base.eventShape.length;
    const used = extra > 0 ? new Independent(base, extra) : base;
    const out = all.forwardShape(shape);
    const outDims = Math.max(all.codomain.eventDim, eventDim + all.codomain.eventDim - all.domain.eventDim);
    super(out.slice(0, out.length - outDims), out.slice(out.length - outDims), validate);
    this.base = used;
    this.transforms = list;
    this.hasRsample = base.hasRsample;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    const last = this.transforms.at(-1)?.codomain ?? this.base.support;
    const missing = this.eventShape.length - last.eventDim;
    return missing > 0 ? constraints.independent(last, missing) : last;
  }
  /** There is no closed form. @throws {WRONG_ARGUMENT} */
  get mean(): Tensor {
    throw noMoment('mean');
  }
  /** There is no closed form. @throws {WRONG_ARGUMENT} */
  get variance(): Tensor {
    throw noMoment('variance');
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => this.transforms.reduce((x, transform) => transform.call(x), this.base.sample(shape)));
  }
  override rsample(shape: Shape = []): Tensor {
    return this.transforms.reduce((x, transform) => transform.call(x), this.base.rsample(shape));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    let eventDim = this.eventShape.length;
    let y = value;
    let total: Tensor | undefined;
    for (const transform of this.transforms.toReversed()) {
      const x = transform.inverse(y);
      eventDim += transform.domain.eventDim - transform.codomain.eventDim;
      const term = sumRightmost(transform.logAbsDetJacobian(x, y), eventDim - transform.domain.eventDim);
      total = total === undefined ? term : total.add(term);
      y = x;
    }
    const density = sumRightmost(this.base.logProb(y), eventDim - this.base.eventShape.length);
    return total === undefined ? density : density.sub(total);
  }
  /** The probability of a value not above x, for monotonic transforms. @throws {WRONG_ARGUMENT} */
  override cdf(value: Tensor): Tensor {
    const x = this.transforms.reduceRight((y, transform) => transform.inverse(y), value);
    return this.#turned((this.base as Distribution & Quantiles).cdf(x));
  }
  /** The quantile: the inverse of `cdf`. @throws {WRONG_ARGUMENT} */
  override icdf(value: Tensor): Tensor {
    const x = (this.base as Distribution & Quantiles).icdf(this.#turned(value));
    return this.transforms.reduce((y, transform) => transform.call(y), x);
  }
  /** 1 - p if an odd number of transforms reverse the order. */
  #turned(p: Tensor): Tensor {
    let sign: number | Tensor = 1;
    for (const transform of this.transforms) {
      const own: number | Tensor = transform.sign;
      if (own === 0)
        throw wrongArgument(
          { call: 'TransformedDistribution.cdf', argument: 'transforms' },
          transform.constructor.name,
          'transforms that keep or reverse the order',
        );
      sign = typeof own === 'number' ? (typeof sign === 'number' ? sign * own : sign.mul(own)) : own.mul(sign);
    }
    if (sign === 1) return p;
    return typeof sign === 'number' ? p.neg().add(1) : sign.mul(p.sub(0.5)).add(0.5);
  }
  expand(shape: Shape): TransformedDistribution {
    const inner = this.base.eventShape.length;
    const before = new ComposeTransform(this.transforms).inverseShape([...shape, ...this.eventShape]);
    return new TransformedDistribution(this.base.expand(before.slice(0, before.length - inner)), this.transforms);
  }
}
interface Quantiles {
  cdf(x: Tensor): Tensor;
  icdf(p: Tensor): Tensor;
}
const noMoment = (what: string): Error =>
  wrongArgument(
    { call: `TransformedDistribution.${what}`, argument: 'this' },
    'a transformed distribution',
    'a distribution with a closed form',
    `estimate it from samples: d.sample([n]).${what === 'mean' ? 'mean' : 'var'}(0)`,
  );

const eulerGamma = 0.5772156649015329;
/**
 * The Weibull distribution. PyTorch: `torch.distributions.Weibull`.
 * @example
 * new distributions.Weibull(2, 1).mean // 2
 */
export class Weibull extends Distribution {
  /** The scale. */
  readonly scale: Tensor;
  /** The concentration. */
  readonly concentration: Tensor;
  override readonly hasRsample = true;
  constructor(scale: Parameter, concentration: Parameter, validate?: ValidateArgs) {
    const [s, k] = checkedTogether(
      'Weibull',
      {
        scale: [scale, constraints.positive],
        concentration: [concentration, constraints.positive],
      },
      validate,
    ) as [Tensor, Tensor];
    super(s.shape, [], validate);
    this.scale = s;
    this.concentration = k;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.positive;
  }
  /** The mean of x to a power, for scale 1. */
  #moment(power: number): Tensor {
    return this.concentration.reciprocal().mul(power).add(1).lgamma().exp();
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.scale.mul(this.#moment(1));
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    const k = this.concentration;
    return this.scale.mul(k.sub(1).div(k).pow(k.reciprocal()));
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.scale.square().mul(this.#moment(2).sub(this.#moment(1).square()));
  }
  override rsample(shape: Shape = []): Tensor {
    const u = noise(this.scale, this.extended(shape), 'uniform');
    return this.scale.mul(u.log().neg().pow(this.concentration.reciprocal()));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const k = this.concentration;
    const ratio = value.div(this.scale);
    return k.div(this.scale).log().add(k.sub(1).mul(ratio.log())).sub(ratio.pow(k));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    const inverse = this.concentration.reciprocal();
    return inverse.neg().add(1).mul(eulerGamma).add(this.scale.mul(inverse).log()).add(1);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return value.div(this.scale).pow(this.concentration).neg().expm1().neg();
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return this.scale.mul(value.neg().log1p().neg().pow(this.concentration.reciprocal()));
  }
  expand(shape: Shape): Weibull {
    return new Weibull(this.scale.expand(shape), this.concentration.expand(shape));
  }
}
/**
 * The Pareto distribution of values from `scale` on. PyTorch: `torch.distributions.Pareto`.
 * @example
 * new distributions.Pareto(1, 3).mean // 1.5
 */
export class Pareto extends Distribution {
  /** The scale. */
  readonly scale: Tensor;
  /** The shape parameter. */
  readonly alpha: Tensor;
  override readonly hasRsample = true;
  constructor(scale: Parameter, alpha: Parameter, validate?: ValidateArgs) {
    const [s, a] = checkedTogether(
      'Pareto',
      {
        scale: [scale, constraints.positive],
        alpha: [alpha, constraints.positive],
      },
      validate,
    ) as [Tensor, Tensor];
    super(s.shape, [], validate);
    this.scale = s;
    this.alpha = a;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.greaterThanEq(this.scale);
  }
  /** The expected value; infinite for alpha of at most 1. */
  get mean(): Tensor {
    const a = this.alpha.clampMin(1);
    return a.mul(this.scale).div(a.sub(1));
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.scale;
  }
  /** The variance; infinite for alpha of at most 2. */
  get variance(): Tensor {
    const a = this.alpha.clampMin(2);
    return this.scale
      .square()
      .mul(a)
      .div(a.sub(1).square().mul(a.sub(2)));
  }
  override rsample(shape: Shape = []): Tensor {
    const u = noise(this.scale, this.extended(shape), 'uniform');
    return this.scale.mul(u.log().neg().div(this.alpha).exp());
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.alpha.log().add(this.alpha.mul(this.scale.log())).sub(this.alpha.add(1).mul(value.log()));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.scale.div(this.alpha).log().add(this.alpha.reciprocal()).add(1);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.scale.div(value).log().mul(this.alpha).expm1().neg();
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return this.scale.mul(value.neg().log1p().neg().div(this.alpha).exp());
  }
  expand(shape: Shape): Pareto {
    return new Pareto(this.scale.expand(shape), this.alpha.expand(shape));
  }
}
/**
 * The Kumaraswamy distribution. PyTorch: `torch.distributions.Kumaraswamy`.
 * @example
 * new distributions.Kumaraswamy(1, 1).mean // 0.5
 */
export class Kumaraswamy extends Distribution {
  /** The first concentration parameter. */
  readonly concentration1: Tensor;
  /** The second concentration parameter. */
  readonly concentration0: Tensor;
  override readonly hasRsample = true;
  constructor(concentration1: Parameter, concentration0: Parameter, validate?: ValidateArgs) {
    const [a, b] = checkedTogether(
      'Kumaraswamy',
      {
        concentration1: [concentration1, constraints.positive],
        concentration0: [concentration0, constraints.positive],
      },
      validate,
    ) as [Tensor, Tensor];
    super(a.shape, [], validate);
    this.concentration1 = a;
    this.concentration0 = b;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.unitInterval;
  }
  #moment(n: number): Tensor {
    const { concentration1: a, concentration0: b } = this;
    return b.mul(logBeta(a.reciprocal().mul(n).add(1), b).exp());
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.#moment(1);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    const { concentration1: a, concentration0: b } = this;
    const inside = a.sub(1).div(a.mul(b).sub(1)).pow(a.reciprocal());
    return inside.where(a.ge(1).logicalAnd(b.ge(1)), Number.NaN);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.#moment(2).sub(this.#moment(1).square());
  }
  override rsample(shape: Shape = []): Tensor {
    return this.icdf(noise(this.concentration1, this.extended(shape), 'uniform'));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const { concentration1: a, concentration0: b } = this;
    return a
      .mul(b)
      .log()
      .add(a.sub(1).xlogy(value))
      .add(b.sub(1).mul(value.pow(a).neg().log1p()));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    const { concentration1: a, concentration0: b } = this;
    const [t1, t0] = [a.reciprocal().neg().add(1), b.reciprocal().neg().add(1)];
    const harmonic = b.add(1).digamma().add(eulerGamma);
    return t0.add(t1.mul(harmonic)).sub(a.log()).sub(b.log());
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return value.pow(this.concentration1).neg().log1p().mul(this.concentration0).expm1().neg();
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    const inner = value.neg().log1p().div(this.concentration0).expm1().neg();
    return inner.pow(this.concentration1.reciprocal());
  }
  expand(shape: Shape): Kumaraswamy {
    return new Kumaraswamy(this.concentration1.expand(shape), this.concentration0.expand(shape));
  }
}
/**
 * The distribution of |x| for Cauchy-distributed x. PyTorch: `torch.distributions.HalfCauchy`.
 * @example
 * new distributions.HalfCauchy(1).cdf(tensor(1)) // 0.5
 */
export class HalfCauchy extends Distribution {
  /** The scale. */
  readonly scale: Tensor;
  readonly #base: Cauchy;
  override readonly hasRsample = true;
  constructor(scale: Parameter, validate?: ValidateArgs) {
    const [s] = checkedTogether('HalfCauchy', { scale: [scale, constraints.positive] }, validate) as [Tensor];
    super(s.shape, [], validate);
    this.scale = s;
    this.#base = new Cauchy(0, s);
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegative;
  }
  /** Infinite. */
  get mean(): Tensor {
    return this.scale.mul(0).add(Number.POSITIVE_INFINITY);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.scale.mul(0);
  }
  /** Infinite. */
  get variance(): Tensor {
    return this.#base.variance;
  }
  override rsample(shape: Shape = []): Tensor {
    return this.#base.rsample(shape).abs();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.#base.logProb(value).add(Math.LN2).where(value.ge(0), Number.NEGATIVE_INFINITY);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.#base.entropy().sub(Math.LN2);
  }
  /** The probability of a value not above x. */
  override cdf(value: Tensor): Tensor {
    return this.#base.cdf(value).mul(2).sub(1);
  }
  /** The quantile: the inverse of `cdf`. */
  override icdf(value: Tensor): Tensor {
    return this.#base.icdf(value.add(1).mul(0.5));
  }
  expand(shape: Shape): HalfCauchy {
    return new HalfCauchy(this.scale.expand(shape));
  }
}
/**
 * Probabilities from normal vectors, by `StickBreakingTransform`. PyTorch: `torch.distributions.LogisticNormal`.
 * @example
 * new distributions.LogisticNormal(zeros(2), ones(2)).sample().sum() // 1
 */
export class LogisticNormal extends TransformedDistribution {
  readonly #normal: Normal;
  constructor(loc: Tensor, scale: Tensor, validate?: ValidateArgs) {
    const normal = new Normal(loc, scale, validate);
    super(normal, new StickBreakingTransform(), validate);
    this.#normal = normal;
  }
  /** The location of the normal distribution. */
  get loc(): Tensor {
    return this.#normal.loc;
  }
  /** The scale of the normal distribution. */
  get scale(): Tensor {
    return this.#normal.scale;
  }
  override expand(shape: Shape): LogisticNormal {
    const size = [...shape, this.loc.shape.at(-1)!];
    return new LogisticNormal(this.loc.expand(size), this.scale.expand(size));
  }
}
