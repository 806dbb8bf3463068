// Gamma and Beta. Samples by rejection (Marsaglia and Tsang, 2000): each attempt is accepted with a probability of at least
// 0.95, so that all 8 fail once in 10¹⁰ samples, when the last one is taken. They have no gradient.
import { noGrad } from '../grad-mode.ts';
import type { Tensor } from '../tensor.ts';
import { Distribution, noise, type Parameter, type Shape, together } from './distribution.ts';

const attempts = 8;

/** Samples with this concentration and rate 1, in a shape that it broadcasts to. */
function standardGamma(concentration: Tensor, shape: Shape): Tensor {
  const alpha = concentration.expand(shape);
  const isSmall = alpha.lt(1);
  // Gamma(α) is Gamma(α + 1) · u^(1/α)
  const boost = noise(alpha, shape, 'uniform').pow(alpha.reciprocal());
  const d = alpha
    .add(1)
    .where(isSmall, alpha)
    .sub(1 / 3);
  const c = d.mul(9).rsqrt();
  let found: Tensor | undefined;
  let isFound: Tensor | undefined;
  for (let i = 0; i < attempts; i++) {
    const x = noise(alpha, shape, 'standardNormal');
    const u = noise(alpha, shape, 'uniform');
    const root = x.mul(c).add(1);
    const v = root.mul(root).mul(root);
    const limit = x
      .square()
      .mul(0.5)
      .add(d)
      .sub(d.mul(v))
      .add(d.mul(v.clampMin(1e-30).log()));
    const accepted = root.gt(0).logicalAnd(u.log().lt(limit));
    const candidate = d.mul(v.clampMin(1e-30));
    found = found === undefined ? candidate : found.where(isFound!, candidate);
    isFound = isFound === undefined ? accepted : isFound.logicalOr(accepted);
  }
  return found!.mul(boost.where(isSmall, 1));
}

/** The gamma distribution. PyTorch: `torch.distributions.Gamma`. */
export class Gamma extends Distribution {
  readonly concentration: Tensor;
  readonly rate: Tensor;
  constructor(concentration: Parameter, rate: Parameter) {
    const [a, r] = together(concentration, rate) as [Tensor, Tensor];
    super(a.shape);
    this.concentration = a;
    this.rate = r;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.concentration.div(this.rate);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.concentration.div(this.rate.square());
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => standardGamma(this.concentration, this.extended(shape)).div(this.rate));
  }
  logProb(value: Tensor): Tensor {
    const { concentration: a, rate } = this;
    return a.xlogy(rate).add(a.sub(1).xlogy(value)).sub(rate.mul(value)).sub(a.lgamma());
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  entropy(): Tensor {
    const { concentration: a, rate } = this;
    return a.sub(rate.log()).add(a.lgamma()).sub(a.sub(1).mul(a.digamma()));
  }
  expand(shape: Shape): Gamma {
    return new Gamma(this.concentration.expand(shape), this.rate.expand(shape));
  }
}

/** The beta distribution. PyTorch: `torch.distributions.Beta`. */
export class Beta extends Distribution {
  /** The concentration at 1. */
  readonly concentration1: Tensor;
  /** The concentration at 0. */
  readonly concentration0: Tensor;
  constructor(concentration1: Parameter, concentration0: Parameter) {
    const [a, b] = together(concentration1, concentration0) as [Tensor, Tensor];
    super(a.shape);
    this.concentration1 = a;
    this.concentration0 = b;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.concentration1.div(this.concentration1.add(this.concentration0));
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    const total = this.concentration1.add(this.concentration0);
    return this.concentration1.mul(this.concentration0).div(total.square().mul(total.add(1)));
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => {
      const x = standardGamma(this.concentration1, this.extended(shape));
      const y = standardGamma(this.concentration0, this.extended(shape));
      return x.div(x.add(y));
    });
  }
  logProb(value: Tensor): Tensor {
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
