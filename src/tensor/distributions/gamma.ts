// The gamma distribution and what is made of its samples: beta, chi-squared, inverse gamma, Student's t, Fisher and Snedecor's F,
// Dirichlet. Samples are drawn by rejection (`../lower/rejection.ts`); gradients flow through them by implicit
// differentiation (Figurnov et al., 2018).
import { stack } from '../generated/functions.ts';
import { incompleteGamma } from '../lower/incomplete-gamma.ts';
import * as rejection from '../lower/rejection.ts';
import { record, type Tensor } from '../tensor.ts';
import * as constraints from './constraints.ts';
import {
  checkedTogether,
  checkParameter,
  contextOf,
  Distribution,
  noise,
  type Parameter,
  type Shape,
} from './distribution.ts';

/** Samples with this concentration and rate 1, in a shape that it broadcasts to. */
export function standardGamma(concentration: Tensor, shape: Shape): Tensor {
  const alpha = concentration.expand(shape);
  return record('standardGamma', [alpha], (b, [a], trace) => rejection.standardGamma(contextOf(alpha, b, trace), a!));
}
const halfLogPi = 0.5 * Math.log(Math.PI);

/** The gamma distribution. PyTorch: `torch.distributions.Gamma`. */
export class Gamma extends Distribution {
  readonly concentration: Tensor;
  readonly rate: Tensor;
  override readonly hasRsample = true;
  constructor(concentration: Parameter, rate: Parameter) {
    const [a, r] = checkedTogether('Gamma', {
      concentration: [concentration, constraints.positive],
      rate: [rate, constraints.positive],
    }) as [Tensor, Tensor];
    super(a.shape);
    this.concentration = a;
    this.rate = r;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegative;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.concentration.div(this.rate);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.concentration.sub(1).div(this.rate).clampMin(0);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.concentration.div(this.rate.square());
  }
  override rsample(shape: Shape = []): Tensor {
    return standardGamma(this.concentration, this.extended(shape)).div(this.rate);
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const { concentration: a, rate } = this;
    return a.xlogy(rate).add(a.sub(1).xlogy(value)).sub(rate.mul(value)).sub(a.lgamma());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  entropy(): Tensor {
    const { concentration: a, rate } = this;
    return a.sub(rate.log()).add(a.lgamma()).sub(a.sub(1).mul(a.digamma()));
  }
  /** The probability of a value not above x; gradients flow to x and the rate. */
  cdf(value: Tensor): Tensor {
    this.validateSample(value);
    const x = value.mul(this.rate);
    const a = this.concentration.expand(x.shape);
    return record('gammaCdf', [a, x], (b, [shape, bound], trace) =>
      incompleteGamma(contextOf(x, b, trace), shape!, bound!, false),
    );
  }
  expand(shape: Shape): Gamma {
    return new Gamma(this.concentration.expand(shape), this.rate.expand(shape));
  }
}

/** The distribution of a sum of squares of normal numbers. PyTorch: `torch.distributions.Chi2`. */
export class Chi2 extends Gamma {
  constructor(df: Parameter) {
    checkParameter('Chi2', 'df', df, constraints.positive);
    super(typeof df === 'number' ? df / 2 : df.mul(0.5), 0.5);
  }
  /** The degrees of freedom. */
  get df(): Tensor {
    return this.concentration.mul(2);
  }
  override expand(shape: Shape): Chi2 {
    return new Chi2(this.df.expand(shape));
  }
}

/** The distribution of 1 / x for x of the gamma distribution. PyTorch: `torch.distributions.InverseGamma`. */
export class InverseGamma extends Distribution {
  readonly base: Gamma;
  override readonly hasRsample = true;
  constructor(concentration: Parameter, rate: Parameter) {
    const base = new Gamma(concentration, rate);
    super(base.batchShape);
    this.base = base;
  }
  /** The shape parameter. */
  get concentration(): Tensor {
    return this.base.concentration;
  }
  /** The rate of the gamma distribution. */
  get rate(): Tensor {
    return this.base.rate;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.positive;
  }
  /** The expected value; infinite for concentrations of at most 1. */
  get mean(): Tensor {
    const a = this.concentration;
    return this.rate.div(a.sub(1)).where(a.gt(1), Number.POSITIVE_INFINITY);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.rate.div(this.concentration.add(1));
  }
  /** The variance; infinite for concentrations of at most 2. */
  get variance(): Tensor {
    const a = this.concentration;
    const finite = this.rate.square().div(a.sub(1).square().mul(a.sub(2)));
    return finite.where(a.gt(2), Number.POSITIVE_INFINITY);
  }
  override rsample(shape: Shape = []): Tensor {
    return this.base.rsample(shape).reciprocal();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.base.logProb(value.reciprocal()).sub(value.log().mul(2));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  entropy(): Tensor {
    const a = this.concentration;
    return a.add(this.rate.log()).add(a.lgamma()).sub(a.add(1).mul(a.digamma()));
  }
  /** The probability of a value not above x. */
  cdf(value: Tensor): Tensor {
    return this.base.cdf(value.reciprocal()).neg().add(1);
  }
  expand(shape: Shape): InverseGamma {
    return new InverseGamma(this.concentration.expand(shape), this.rate.expand(shape));
  }
}

/** The beta distribution. PyTorch: `torch.distributions.Beta`. */
export class Beta extends Distribution {
  /** The concentration at 1. */
  readonly concentration1: Tensor;
  /** The concentration at 0. */
  readonly concentration0: Tensor;
  override readonly hasRsample = true;
  constructor(concentration1: Parameter, concentration0: Parameter) {
    const [a, b] = checkedTogether('Beta', {
      concentration1: [concentration1, constraints.positive],
      concentration0: [concentration0, constraints.positive],
    }) as [Tensor, Tensor];
    super(a.shape);
    this.concentration1 = a;
    this.concentration0 = b;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.unitInterval;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.concentration1.div(this.concentration1.add(this.concentration0));
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.#pair().mode.select(-1, 0);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    const total = this.concentration1.add(this.concentration0);
    return this.concentration1.mul(this.concentration0).div(total.square().mul(total.add(1)));
  }
  #pair(): Dirichlet {
    return new Dirichlet(stack([this.concentration1, this.concentration0], -1) as Tensor);
  }
  override rsample(shape: Shape = []): Tensor {
    const x = standardGamma(this.concentration1, this.extended(shape));
    const y = standardGamma(this.concentration0, this.extended(shape));
    return x.div(x.add(y));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const { concentration1: a, concentration0: b } = this;
    const density = a
      .sub(1)
      .xlogy(value)
      .add(b.sub(1).xlogy(value.neg().add(1)));
    return density.sub(logBeta(a, b));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  entropy(): Tensor {
    const { concentration1: a, concentration0: b } = this;
    const total = a.add(b);
    const ends = a.sub(1).mul(a.digamma()).add(b.sub(1).mul(b.digamma()));
    return logBeta(a, b).sub(ends).add(total.sub(2).mul(total.digamma()));
  }
  expand(shape: Shape): Beta {
    return new Beta(this.concentration1.expand(shape), this.concentration0.expand(shape));
  }
}
/** The logarithm of the beta function. */
export const logBeta = (a: Tensor, b: Tensor): Tensor => a.lgamma().add(b.lgamma()).sub(a.add(b).lgamma());

/** Probabilities of classes, along the last dim. PyTorch: `torch.distributions.Dirichlet`. */
export class Dirichlet extends Distribution {
  readonly concentration: Tensor;
  override readonly hasRsample = true;
  constructor(concentration: Tensor) {
    checkParameter('Dirichlet', 'concentration', concentration, constraints.independent(constraints.positive, 1));
    super(concentration.shape.slice(0, -1), concentration.shape.slice(-1));
    this.concentration = concentration;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.simplex;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.concentration.div(this.concentration.sum(-1, true));
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    const above = this.concentration.sub(1).clampMin(0);
    const inside = above.div(above.sum(-1, true));
    // all below 1: the highest corner
    const largest = inside.nanToNum(0).argmax(-1, true);
    const corner = inside.mul(0).nanToNum(0).scatter(-1, largest, 1);
    return inside.where(this.concentration.lt(1).all(-1, true).logicalNot(), corner);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    const total = this.concentration.sum(-1, true);
    return this.concentration.mul(total.sub(this.concentration)).div(total.square().mul(total.add(1)));
  }
  override rsample(shape: Shape = []): Tensor {
    const x = standardGamma(this.concentration, this.extended(shape));
    return x.div(x.sum(-1, true));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const a = this.concentration;
    return a.sub(1).xlogy(value).sum(-1).add(a.sum(-1).lgamma()).sub(a.lgamma().sum(-1));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  entropy(): Tensor {
    const a = this.concentration;
    const total = a.sum(-1);
    const classes = a.shape.at(-1)!;
    return a
      .lgamma()
      .sum(-1)
      .sub(total.lgamma())
      .sub(total.neg().add(classes).mul(total.digamma()))
      .sub(a.sub(1).mul(a.digamma()).sum(-1));
  }
  expand(shape: Shape): Dirichlet {
    return new Dirichlet(this.concentration.expand([...shape, ...this.eventShape]));
  }
}

/** Student's t distribution. PyTorch: `torch.distributions.StudentT`. */
export class StudentT extends Distribution {
  /** The degrees of freedom. */
  readonly df: Tensor;
  readonly loc: Tensor;
  readonly scale: Tensor;
  override readonly hasRsample = true;
  constructor(df: Parameter, loc: Parameter = 0, scale: Parameter = 1) {
    const [d, l, s] = checkedTogether('StudentT', {
      df: [df, constraints.positive],
      loc: [loc, constraints.real],
      scale: [scale, constraints.positive],
    }) as [Tensor, Tensor, Tensor];
    super(d.shape);
    this.df = d;
    this.loc = l;
    this.scale = s;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.real;
  }
  /** The expected value; NaN for at most one degree of freedom. */
  get mean(): Tensor {
    return this.loc.where(this.df.gt(1), Number.NaN);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  /** The variance; infinite for at most two degrees of freedom, NaN for at most one. */
  get variance(): Tensor {
    const finite = this.scale.square().mul(this.df).div(this.df.sub(2));
    return finite.where(this.df.gt(2), Number.POSITIVE_INFINITY).where(this.df.gt(1), Number.NaN);
  }
  override rsample(shape: Shape = []): Tensor {
    const size = this.extended(shape);
    const x = noise(this.loc, size, 'standardNormal');
    const z = standardGamma(this.df.mul(0.5), size).mul(2);
    return this.loc.add(this.scale.mul(x).mul(z.div(this.df).rsqrt()));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const y = value.sub(this.loc).div(this.scale);
    const weight = y.square().div(this.df).log1p().mul(this.df.add(1)).mul(0.5);
    return weight.neg().sub(this.#logNormalizer());
  }
  #logNormalizer(): Tensor {
    const half = this.df.mul(0.5);
    return this.scale.log().add(this.df.log().mul(0.5)).add(halfLogPi).add(half.lgamma()).sub(half.add(0.5).lgamma());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  entropy(): Tensor {
    const half = this.df.mul(0.5);
    const log = logBeta(half, half.mul(0).add(0.5));
    return this.scale
      .log()
      .add(half.add(0.5).mul(half.add(0.5).digamma().sub(half.digamma())))
      .add(this.df.log().mul(0.5))
      .add(log);
  }
  expand(shape: Shape): StudentT {
    return new StudentT(this.df.expand(shape), this.loc.expand(shape), this.scale.expand(shape));
  }
}

/** The distribution of a ratio of mean squares. PyTorch: `torch.distributions.FisherSnedecor`. */
export class FisherSnedecor extends Distribution {
  readonly df1: Tensor;
  readonly df2: Tensor;
  override readonly hasRsample = true;
  constructor(df1: Parameter, df2: Parameter) {
    const [d1, d2] = checkedTogether('FisherSnedecor', {
      df1: [df1, constraints.positive],
      df2: [df2, constraints.positive],
    }) as [Tensor, Tensor];
    super(d1.shape);
    this.df1 = d1;
    this.df2 = d2;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.positive;
  }
  /** The expected value; NaN for df2 of at most 2. */
  get mean(): Tensor {
    return this.df2.div(this.df2.sub(2)).where(this.df2.gt(2), Number.NaN);
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.df1.sub(2).div(this.df1).mul(this.df2).div(this.df2.add(2)).where(this.df1.gt(2), Number.NaN);
  }
  /** The variance; NaN for df2 of at most 4. */
  get variance(): Tensor {
    const { df1, df2 } = this;
    const finite = df2
      .square()
      .mul(2)
      .mul(df1.add(df2).sub(2))
      .div(df1.mul(df2.sub(2).square()).mul(df2.sub(4)));
    return finite.where(df2.gt(4), Number.NaN);
  }
  override rsample(shape: Shape = []): Tensor {
    const size = this.extended(shape);
    const [x, y] = [this.df1, this.df2].map(df => standardGamma(df.mul(0.5), size).div(df)) as [Tensor, Tensor];
    return x.div(y);
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const [h1, h2] = [this.df1.mul(0.5), this.df2.mul(0.5)];
    const ratio = this.df1.div(this.df2);
    const ends = h1.add(h2).lgamma().sub(h1.lgamma()).sub(h2.lgamma());
    const weight = h1.mul(ratio.log()).add(h1.sub(1).mul(value.log()));
    return ends.add(weight).sub(h1.add(h2).mul(ratio.mul(value).log1p()));
  }
  expand(shape: Shape): FisherSnedecor {
    return new FisherSnedecor(this.df1.expand(shape), this.df2.expand(shape));
  }
}
