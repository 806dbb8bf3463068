// Mixtures of distributions of one kind, and the von Mises distribution of angles.
import { wrongArgument } from '../../src/tensor/check-arguments.ts';
import * as constraints from '../../src/tensor/distributions/constraints.ts';
import type { Categorical } from '../../src/tensor/distributions/discrete.ts';
import {
  checkedTogether,
  contextOf,
  Distribution,
  type Parameter,
  type Shape,
  type ValidateArgs,
} from '../../src/tensor/distributions/distribution.ts';
import { noGrad } from '../../src/tensor/gradients/grad-mode.ts';
import { bessel } from '../../src/tensor/lower/bessel.ts';
import * as rejection from '../../src/tensor/lower/rejection.ts';
import { record, type Tensor } from '../../src/tensor/tensor.ts';

/**
 * One of several distributions, chosen by a categorical distribution. PyTorch: `torch.distributions.MixtureSameFamily`.
 * @example
 * const weights = new distributions.Categorical({ probs: tensor([0.5, 0.5]) });
 * const parts = new distributions.Normal(tensor([-1, 3]), tensor([1, 1]));
 * new distributions.MixtureSameFamily(weights, parts).mean // 1
 */
export class MixtureSameFamily<D extends Distribution = Distribution> extends Distribution {
  /** The weights of the components. */
  readonly mixtureDistribution: Categorical;
  /** The components are along the last dim of its batch. */
  readonly componentDistribution: D;
  /** @throws {WRONG_ARGUMENT} where the numbers of components differ */
  constructor(mixtureDistribution: Categorical, componentDistribution: D, validate?: ValidateArgs) {
    const { batchShape, eventShape } = componentDistribution;
    const count = mixtureDistribution.probs.shape.at(-1);
    if (batchShape.length < 1 || batchShape.at(-1) !== count)
      throw wrongArgument(
        { call: 'MixtureSameFamily', argument: 'componentDistribution' },
        `a batch of shape [${batchShape}]`,
        `a batch with ${count} components along its last dim`,
      );
    super(batchShape.slice(0, -1), eventShape, validate);
    this.mixtureDistribution = mixtureDistribution;
    this.componentDistribution = componentDistribution;
  }
  #padded(x: Tensor): Tensor {
    return this.eventShape.reduce((value: Tensor) => value.unsqueeze(-1), x);
  }
  #components(x: Tensor): Tensor {
    return x.unsqueeze(-1 - this.eventShape.length);
  }
  get #dim(): number {
    return -1 - this.eventShape.length;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return this.componentDistribution.support;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    const probs = this.#padded(this.mixtureDistribution.probs);
    return probs.mul(this.componentDistribution.mean).sum(this.#dim);
  }
  /** The variance of each element, by the law of total variance. */
  get variance(): Tensor {
    const probs = this.#padded(this.mixtureDistribution.probs);
    const within = probs.mul(this.componentDistribution.variance).sum(this.#dim);
    const off = this.componentDistribution.mean.sub(this.#components(this.mean));
    return within.add(probs.mul(off.square()).sum(this.#dim));
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => {
      const chosen = this.mixtureDistribution.sample(shape);
      const all = this.componentDistribution.sample(shape);
      const lead = this.eventShape.reduce((value: Tensor) => value.unsqueeze(-1), chosen.unsqueeze(-1));
      const size = [...shape, ...this.batchShape];
      const index = lead.expand([...size, 1, ...this.eventShape]);
      return all.gather(size.length, index).squeeze(size.length);
    });
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const each = this.componentDistribution.logProb(this.#components(value));
    return each.add(this.mixtureDistribution.logits).logsumexp(-1);
  }
  /** The probability of a value not above x. */
  override cdf(this: MixtureSameFamily<D & { cdf(x: Tensor): Tensor }>, value: Tensor): Tensor {
    const each = this.componentDistribution.cdf(value.unsqueeze(-1));
    return each.mul(this.mixtureDistribution.probs).sum(-1);
  }
  expand(shape: Shape): MixtureSameFamily {
    const count = this.componentDistribution.batchShape.at(-1)!;
    return new MixtureSameFamily(
      this.mixtureDistribution.expand(shape),
      this.componentDistribution.expand([...shape, count]),
    );
  }
}

/**
 * Angles around `loc`, in radians. PyTorch: `torch.distributions.VonMises`.
 * @example
 * new distributions.VonMises(0, 4).sample([5]).shape // [5]
 */
export class VonMises extends Distribution {
  /** The location. */
  readonly loc: Tensor;
  /** The concentration. */
  readonly concentration: Tensor;
  constructor(loc: Parameter, concentration: Parameter, validate?: ValidateArgs) {
    const [l, k] = checkedTogether(
      'VonMises',
      {
        loc: [loc, constraints.real],
        concentration: [concentration, constraints.positive],
      },
      validate,
    ) as [Tensor, Tensor];
    super(l.shape, [], validate);
    this.loc = l;
    this.concentration = k;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.real;
  }
  /** The circular mean. */
  get mean(): Tensor {
    return this.loc;
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.loc;
  }
  #bessel(kind: 'i0e' | 'i1e'): Tensor {
    const k = this.concentration;
    return record(kind, [k], (b, [x], trace) => bessel(contextOf(k, b, trace), kind, x!));
  }
  /** The circular variance. */
  get variance(): Tensor {
    return this.#bessel('i1e').div(this.#bessel('i0e')).neg().add(1);
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => {
      const k = this.concentration.expand(this.extended(shape));
      const off = record('vonMises', [k], (b, [x], trace) => rejection.vonMises(contextOf(k, b, trace), x!));
      return off
        .add(Math.PI)
        .add(this.loc)
        .remainder(2 * Math.PI)
        .sub(Math.PI);
    });
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const k = this.concentration;
    const density = value.sub(this.loc).cos().mul(k);
    return density.sub(Math.log(2 * Math.PI)).sub(this.#bessel('i0e').log().add(k));
  }
  expand(shape: Shape): VonMises {
    return new VonMises(this.loc.expand(shape), this.concentration.expand(shape));
  }
}
