// Discrete choices relaxed to continuous values, through which gradients flow (Maddison et al., 2017; Jang et al., 2017).

import * as constraints from '../../src/tensor/distributions/constraints.ts';
import { Bernoulli, Categorical, type Chances, OneHotCategorical } from '../../src/tensor/distributions/discrete.ts';
import {
  checkParameter,
  Distribution,
  noise,
  type Parameter,
  type Shape,
  type ValidateArgs,
} from '../../src/tensor/distributions/distribution.ts';
import { noGrad } from '../../src/tensor/gradients/grad-mode.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';
import { SigmoidTransform } from './transforms.ts';

/** There is no closed form: NaN. */
const unknown = (like: Tensor): Tensor => like.mul(Number.NaN);

/**
 * A number in (0, 1), close to 0 or 1 at low temperatures. PyTorch: `torch.distributions.RelaxedBernoulli`.
 * @example
 * new distributions.RelaxedBernoulli(0.5, { probs: tensor([0.3, 0.6]) }).rsample().shape // [2]
 */
export class RelaxedBernoulli extends Distribution {
  /** The temperature: lower values give samples closer to discrete ones. */
  readonly temperature: Tensor | number;
  /** The distribution that this one is derived from. */
  readonly base: Bernoulli;
  override readonly hasRsample = true;
  constructor(temperature: Parameter, chances: Chances<Parameter>, validate?: ValidateArgs) {
    checkParameter('RelaxedBernoulli', 'temperature', temperature, constraints.positive, validate);
    const base = new Bernoulli(chances, validate);
    super(base.batchShape, [], validate);
    this.temperature = temperature;
    this.base = base;
  }
  /** The probabilities. */
  get probs(): Tensor {
    return this.base.probs;
  }
  /** The logarithms of the odds. */
  get logits(): Tensor {
    return this.base.logits;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.unitInterval;
  }
  /** There is no closed form: NaN. */
  get mean(): Tensor {
    return unknown(this.probs);
  }
  /** There is no closed form: NaN. */
  get variance(): Tensor {
    return unknown(this.probs);
  }
  override rsample(shape: Shape = []): Tensor {
    const u = noise(this.logits, this.extended(shape), 'uniform');
    const logistic = u.log().sub(u.neg().log1p());
    return logistic.add(this.logits).div(this.temperature).sigmoid();
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const sigmoid = new SigmoidTransform();
    const x = sigmoid.inverse(value);
    const scaled = x.mul(this.temperature);
    const off = this.logits.sub(scaled);
    const log = typeof this.temperature === 'number' ? Math.log(this.temperature) : this.temperature.log();
    const density = off.add(log).sub(off.exp().log1p().mul(2));
    return density.sub(sigmoid.logAbsDetJacobian(x, value));
  }
  expand(shape: Shape): RelaxedBernoulli {
    const t = this.temperature;
    const wide = typeof t !== 'number' && t.ndim > 0 ? t.expand(shape) : t;
    return new RelaxedBernoulli(wide, { logits: this.logits.expand(shape) });
  }
}
/**
 * Probabilities, close to one class at low temperatures. PyTorch: `torch.distributions.RelaxedOneHotCategorical`.
 * @example
 * new distributions.RelaxedOneHotCategorical(0.5, { probs: tensor([0.3, 0.7]) }).rsample().sum() // 1
 */
export class RelaxedOneHotCategorical extends Distribution {
  /** The temperature: lower values give samples closer to discrete ones. */
  readonly temperature: Tensor | number;
  /** The distribution that this one is derived from. */
  readonly base: Categorical;
  override readonly hasRsample = true;
  constructor(temperature: Parameter, chances: Chances<Tensor>, validate?: ValidateArgs) {
    checkParameter('RelaxedOneHotCategorical', 'temperature', temperature, constraints.positive, validate);
    const base = new Categorical(chances, validate);
    super(base.batchShape, [base.probs.shape.at(-1)!], validate);
    this.temperature = temperature;
    this.base = base;
  }
  /** The probabilities. */
  get probs(): Tensor {
    return this.base.probs;
  }
  /** The logarithms of the probabilities. */
  get logits(): Tensor {
    return this.base.logits;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.simplex;
  }
  /** There is no closed form: NaN. */
  get mean(): Tensor {
    return unknown(this.probs);
  }
  /** There is no closed form: NaN. */
  get variance(): Tensor {
    return unknown(this.probs);
  }
  override rsample(shape: Shape = []): Tensor {
    const gumbel = noise(this.logits, this.extended(shape), 'uniform').log().neg().log().neg();
    return this.logits.add(gumbel).div(this.temperature).softmax(-1);
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    const classes = this.eventShape[0]!;
    const log = value.log();
    const score = this.logits.sub(log.mul(this.temperature));
    const normal = score.sub(score.logsumexp(-1, true)).sum(-1);
    const t = this.temperature;
    const gammas = Array.from({ length: classes - 1 }, (_, i) => Math.log(i + 1)).reduce((sum, x) => sum + x, 0);
    const scale = typeof t === 'number' ? Math.log(t) * (classes - 1) : t.log().mul(classes - 1);
    return normal.add(scale).add(gammas).sub(log.sum(-1));
  }
  expand(shape: Shape): RelaxedOneHotCategorical {
    return new RelaxedOneHotCategorical(this.temperature, { logits: this.base.expand(shape).logits });
  }
}
/**
 * One-hot samples whose gradient is that of the probabilities. PyTorch: `OneHotCategoricalStraightThrough`.
 * @example
 * new distributions.OneHotCategoricalStraightThrough({ probs: tensor([0, 1]) }).rsample() // [0, 1]
 */
export class OneHotCategoricalStraightThrough extends OneHotCategorical {
  override readonly hasRsample = true;
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => super.sample(shape));
  }
  override rsample(shape: Shape = []): Tensor {
    return this.sample(shape).detach().add(this.probs.sub(this.probs.detach()));
  }
  override expand(shape: Shape): OneHotCategoricalStraightThrough {
    return new OneHotCategoricalStraightThrough({ logits: this.categorical.expand(shape).logits });
  }
}
