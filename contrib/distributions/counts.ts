// Distributions of counts: binomial, Poisson, negative binomial, multinomial. Their samples have no gradient.

import { wrongArgument } from '../../src/tensor/check-arguments.ts';
import * as constraints from '../../src/tensor/distributions/constraints.ts';
import {
  Bernoulli,
  Categorical,
  type Chances,
  given,
  inside,
  softplus,
} from '../../src/tensor/distributions/discrete.ts';
import {
  checkedTogether,
  checkParameter,
  contextOf,
  Distribution,
  noise,
  type Parameter,
  type Shape,
  type ValidateArgs,
} from '../../src/tensor/distributions/distribution.ts';
import { noGrad } from '../../src/tensor/gradients/grad-mode.ts';
import * as rejection from '../../src/tensor/lower/rejection.ts';
import { record, type Tensor } from '../../src/tensor/tensor.ts';
import { standardGamma } from './gamma.ts';

/** Poisson numbers with these rates. */
const poissonOf = (rate: Tensor): Tensor =>
  record('poisson', [rate], (b, [r], trace) =>
    b.convert(rejection.poisson(contextOf(rate, b, trace), r!), rate.type.elementType),
  );

/**
 * The number of successes of `totalCount` trials. PyTorch: `torch.distributions.Binomial`.
 * @example
 * new distributions.Binomial(10, { probs: 0.3 }).mean // 3
 */
export class Binomial extends Distribution {
  /** The number of trials. */
  readonly totalCount: Tensor;
  /** The probabilities. */
  readonly probs: Tensor;
  /** The log-odds, or unnormalized log-probabilities. */
  readonly logits: Tensor;
  constructor(totalCount: Parameter, chances: Chances<Parameter>, validate?: ValidateArgs) {
    const { isLogits, value } = given('Binomial', chances);
    const [x, n] = checkedTogether(
      'Binomial',
      {
        [isLogits ? 'logits' : 'probs']: [value, isLogits ? constraints.real : constraints.unitInterval],
        totalCount: [totalCount, constraints.nonnegativeInteger],
      },
      validate ?? chances,
    ) as [Tensor, Tensor];
    super(x.shape, [], validate ?? chances);
    this.totalCount = n;
    this.probs = isLogits ? x.sigmoid() : x;
    this.logits = isLogits ? x : inside(x).logit();
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.integerInterval(0, this.totalCount);
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.totalCount.mul(this.probs);
  }
  /** The value with the highest probability. */
  get mode(): Tensor {
    return this.totalCount.add(1).mul(this.probs).floor().minimum(this.totalCount);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.mean.mul(this.probs.neg().add(1));
  }
  override sample(shape: Shape = []): Tensor {
    const size = this.extended(shape);
    const [n, p] = [this.totalCount.expand(size), this.probs.expand(size)];
    return noGrad(() =>
      record('binomial', [n, p], (b, [count, chance], trace) =>
        b.convert(rejection.binomial(contextOf(p, b, trace), count!, chance!), p.type.elementType),
      ),
    );
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const n = this.totalCount;
    const ways = n.add(1).lgamma().sub(value.add(1).lgamma()).sub(n.sub(value).add(1).lgamma());
    return ways.add(value.mul(this.logits)).sub(n.mul(softplus(this.logits)));
  }
  /**
   * The entropy in nats, by summing over the values; for equal counts only.
   * @throws {WRONG_ARGUMENT}
   */
  override entropy(): Tensor {
    const values = this.enumerateSupport(false);
    const log = this.logProb(values);
    return log.exp().mul(log).sum(0).neg();
  }
  /** All values along a new first dim, for each distribution of the batch if `expand`. It reads the counts. @throws {WRONG_ARGUMENT} */
  override enumerateSupport(expand = true): Tensor {
    const counts = Array.from(this.totalCount.detach().data as ArrayLike<number>, Number);
    const most = Math.max(...counts);
    if (counts.some(count => count !== most))
      throw wrongArgument({ call: 'enumerateSupport', argument: 'totalCount' }, this.totalCount, 'equal counts');
    return rangeOver(this.probs, most + 1, this.batchShape, expand);
  }
  expand(shape: Shape): Binomial {
    return new Binomial(this.totalCount.expand(shape), { logits: this.logits.expand(shape) });
  }
}
/** 0, 1, 2 … along a new first dim. */
function rangeOver(like: Tensor, count: number, batch: Shape, expand: boolean): Tensor {
  const values = like.newOnes([count]).cumsum(0).sub(1);
  const wide = values.reshape([count, ...batch.map(() => 1)]);
  return expand ? wide.expand([count, ...batch]) : wide;
}

/**
 * Counts of events at a rate. PyTorch: `torch.distributions.Poisson`.
 * @example
 * new distributions.Poisson(4).logProb(tensor(4)) // -1.6328…
 */
export class Poisson extends Distribution {
  /** The rate. */
  readonly rate: Tensor;
  constructor(rate: Parameter, validate?: ValidateArgs) {
    const [r] = checkedTogether('Poisson', { rate: [rate, constraints.nonnegative] }, validate) as [Tensor];
    super(r.shape, [], validate);
    this.rate = r;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegativeInteger;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.rate;
  }
  /** The value with the highest probability. */
  get mode(): Tensor {
    return this.rate.floor();
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.rate;
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => poissonOf(this.rate.expand(this.extended(shape))));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return value.xlogy(this.rate).sub(this.rate).sub(value.add(1).lgamma());
  }
  expand(shape: Shape): Poisson {
    return new Poisson(this.rate.expand(shape));
  }
}

/**
 * Successes before `totalCount` failures. PyTorch: `torch.distributions.NegativeBinomial`.
 * @example
 * new distributions.NegativeBinomial(3, { probs: 0.5 }).mean // 3
 */
export class NegativeBinomial extends Distribution {
  /** The number of failures at which counting stops. */
  readonly totalCount: Tensor;
  /** The probabilities. */
  readonly probs: Tensor;
  /** The log-odds, or unnormalized log-probabilities. */
  readonly logits: Tensor;
  constructor(totalCount: Parameter, chances: Chances<Parameter>, validate?: ValidateArgs) {
    const { isLogits, value } = given('NegativeBinomial', chances);
    const [x, n] = checkedTogether(
      'NegativeBinomial',
      {
        [isLogits ? 'logits' : 'probs']: [value, isLogits ? constraints.real : constraints.unitInterval],
        totalCount: [totalCount, constraints.nonnegative],
      },
      validate ?? chances,
    ) as [Tensor, Tensor];
    super(x.shape, [], validate ?? chances);
    this.totalCount = n;
    this.probs = isLogits ? x.sigmoid() : x;
    this.logits = isLogits ? x : inside(x).logit();
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegativeInteger;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.totalCount.mul(this.logits.exp());
  }
  /** The value with the highest probability. */
  get mode(): Tensor {
    return this.totalCount.sub(1).mul(this.logits.exp()).floor().clampMin(0);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.mean.div(this.logits.neg().sigmoid());
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => poissonOf(standardGamma(this.totalCount, this.extended(shape)).mul(this.logits.exp())));
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const n = this.totalCount;
    const chance = n.mul(softplus(this.logits).neg()).add(value.mul(softplus(this.logits.neg()).neg()));
    const ways = n.add(value).lgamma().sub(value.add(1).lgamma()).sub(n.lgamma());
    return chance.add(ways.where(n.add(value).ne(0), 0));
  }
  expand(shape: Shape): NegativeBinomial {
    return new NegativeBinomial(this.totalCount.expand(shape), { logits: this.logits.expand(shape) });
  }
}

/**
 * Counts of the classes in `totalCount` samples. PyTorch: `torch.distributions.Multinomial`.
 * @example
 * new distributions.Multinomial(10, { probs: tensor([0.2, 0.8]) }).mean // [2, 8]
 */
export class Multinomial extends Distribution {
  /** The number of trials. */
  readonly totalCount: number;
  /** The distribution of a single trial. */
  readonly categorical: Categorical;
  constructor(totalCount: number, chances: Chances<Tensor>, validate?: ValidateArgs) {
    checkParameter('Multinomial', 'totalCount', totalCount, constraints.nonnegativeInteger, validate);
    const categorical = new Categorical(chances, validate);
    super(categorical.batchShape, [categorical.probs.shape.at(-1)!], validate);
    this.totalCount = totalCount;
    this.categorical = categorical;
  }
  /** The probabilities. */
  get probs(): Tensor {
    return this.categorical.probs;
  }
  /** The logarithms of the probabilities. */
  get logits(): Tensor {
    return this.categorical.logits;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.independent(constraints.integerInterval(0, this.totalCount), 1);
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.probs.mul(this.totalCount);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.mean.mul(this.probs.neg().add(1));
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => {
      const sampled = this.categorical.sample([this.totalCount, ...shape]);
      const classes = this.eventShape[0]!;
      const ones = sampled.unsqueeze(-1).eq(this.probs.newOnes([classes]).cumsum(0).sub(1));
      return ones.to(this.probs.dtype).sum(0);
    });
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const logits = this.logits.expand(value.shape).maskedFill(value.eq(0).logicalAnd(this.logits.eq(-Infinity)), 0);
    const ways = value.sum(-1).add(1).lgamma().sub(value.add(1).lgamma().sum(-1));
    return ways.add(logits.mul(value).sum(-1));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    const n = this.totalCount;
    const log = this.probs.newFull([1], n + 1).lgamma();
    const binomial = new Binomial(n, this.probs);
    const support = binomial.enumerateSupport(false).narrow(0, 1, n);
    const weights = binomial.logProb(support).exp().mul(support.add(1).lgamma());
    return this.categorical
      .entropy()
      .mul(n)
      .sub(log.squeeze(0))
      .add(weights.sum([0, -1]));
  }
  expand(shape: Shape): Multinomial {
    return new Multinomial(this.totalCount, { logits: this.categorical.expand(shape).logits });
  }
}

/**
 * The number of failures before the first success. PyTorch: `torch.distributions.Geometric`.
 * @example
 * new distributions.Geometric({ probs: 0.25 }).mean // 3
 */
export class Geometric extends Distribution {
  /** The probabilities. */
  readonly probs: Tensor;
  constructor(chances: Chances<Parameter>, validate?: ValidateArgs) {
    const { isLogits, value } = given('Geometric', chances);
    const [x] = checkedTogether(
      new.target.name,
      {
        [isLogits ? 'logits' : 'probs']: [value, isLogits ? constraints.real : constraints.unitInterval],
      },
      validate ?? chances,
    ) as [Tensor];
    super(x.shape, [], validate ?? chances);
    this.probs = isLogits ? x.sigmoid() : x;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.nonnegativeInteger;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.probs.reciprocal().sub(1);
  }
  /** The value with the highest probability. */
  get mode(): Tensor {
    return this.probs.mul(0);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.probs.reciprocal().sub(1).div(this.probs);
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => {
      const u = noise(this.probs, this.extended(shape), 'uniform');
      return u.log().div(this.probs.neg().log1p()).floor();
    });
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return value.mul(this.probs.neg().log1p()).add(this.probs.log());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return new Bernoulli(this.probs).entropy().div(this.probs);
  }
  expand(shape: Shape): Geometric {
    return new Geometric(this.probs.expand(shape));
  }
}
