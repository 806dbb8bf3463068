// Distributions of integers, parametrized by probabilities or logits. Their samples have no gradient.
import { TrenioError } from '../../base/errors.ts';
import { enableGrad, noGrad } from '../gradients/grad-mode.ts';
import { atOneLocation, userLocation } from '../location.ts';
import { softplus as lowerSoftplus } from '../lower/activation.ts';
import { record, Tensor } from '../tensor.ts';
import * as constraints from './constraints.ts';
import { checkedTogether, Distribution, type Parameter, type Shape, type ValidateArgs } from './distribution.ts';

/** Probabilities, or one of the two by name. */
export type Chances<T> =
  | T
  | {
      /** The probabilities. */
      readonly probs: T;
      /** Whether values are checked. */
      readonly validateArgs?: boolean;
    }
  | {
      /** The log-odds, or unnormalized log-probabilities. */
      readonly logits: T;
      /** Whether values are checked. */
      readonly validateArgs?: boolean;
    };
export function given<T>(call: string, chances: Chances<T>): { readonly isLogits: boolean; readonly value: T } {
  if (typeof chances === 'number' || chances instanceof Tensor) return { isLogits: false, value: chances as T };
  if (typeof chances === 'object' && chances !== null) {
    const names = Object.keys(chances).filter(name => name !== 'validateArgs');
    if (names.length === 1 && names[0] === 'probs') return { isLogits: false, value: (chances as { probs: T }).probs };
    if (names.length === 1 && names[0] === 'logits')
      return { isLogits: true, value: (chances as { logits: T }).logits };
  }
  throw new TrenioError(
    'INVALID_OPTION',
    { what: call, option: 'probs', got: String(chances), expected: 'probabilities, or either { probs } or { logits }' },
    { location: userLocation() },
  );
}
/** Clamped away from 0 and 1, as in PyTorch, before taking logarithms. */
export const inside = (probs: Tensor): Tensor => {
  const eps = probs.type.elementType === 'f64' ? 2 ** -52 : 2 ** -23;
  return probs.clamp(eps, 1 - eps);
};
/** log(1 + exp(x)). */
export const softplus = (x: Tensor): Tensor => record('softplus', [x], (b, [v]) => lowerSoftplus(b, v!, 1, 40));

/**
 * 1 or 0. PyTorch: `torch.distributions.Bernoulli`.
 * @example
 * new distributions.Bernoulli({ probs: 0.3 }).logProb(tensor(1)) // -1.2039…
 */
export class Bernoulli extends Distribution {
  /** The probabilities. */
  readonly probs: Tensor;
  /** The log-odds, or unnormalized log-probabilities. */
  readonly logits: Tensor;
  constructor(chances: Chances<Parameter>, validate?: ValidateArgs) {
    const { isLogits, value } = given('Bernoulli', chances);
    const [x] = checkedTogether(
      new.target.name,
      {
        [isLogits ? 'logits' : 'probs']: [value, isLogits ? constraints.real : constraints.unitInterval],
      },
      validate ?? chances,
    ) as [Tensor];
    super(x.shape, [], validate ?? chances);
    this.probs = isLogits ? x.sigmoid() : x;
    this.logits = isLogits ? x : inside(x).logit();
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.boolean;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.probs;
  }
  /** The value with the highest probability. */
  get mode(): Tensor {
    return this.probs.ge(0.5).to(this.probs.dtype).where(this.probs.ne(0.5), Number.NaN);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.probs.mul(this.probs.neg().add(1));
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => this.probs.expand(this.extended(shape)).bernoulli());
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.logits.mul(value).sub(softplus(this.logits));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return softplus(this.logits).sub(this.logits.mul(this.probs));
  }
  expand(shape: Shape): Bernoulli {
    return new Bernoulli({ logits: this.logits.expand(shape) });
  }
}

/** Computed at its first use, with gradients even if that is under `noGrad`. */
const computed = (body: () => Tensor): Tensor => atOneLocation(() => enableGrad(body));

/**
 * One of the classes of the last dim, as int64. PyTorch: `torch.distributions.Categorical`.
 * @example
 * const policy = new distributions.Categorical({ probs: tensor([0.25, 0.75]) });
 * policy.entropy() // 0.5623…
 * policy.logProb(policy.sample()).shape // []
 */
export class Categorical extends Distribution {
  readonly #value: Tensor;
  readonly #isLogits: boolean;
  #logits: Tensor | undefined;
  #probs: Tensor | undefined;
  constructor(chances: Chances<Tensor>, validate?: ValidateArgs) {
    const { isLogits, value } = given('Categorical', chances);
    super(value.shape.slice(0, -1), [], validate ?? chances);
    this.#value = value;
    this.#isLogits = isLogits;
  }
  /** Normalized log-probabilities. */
  get logits(): Tensor {
    const value = this.#value;
    this.#logits ??= computed(() => (this.#isLogits ? value.sub(value.logsumexp(-1, true)) : inside(this.probs).log()));
    return this.#logits;
  }
  /** The probabilities. */
  get probs(): Tensor {
    const value = this.#value;
    this.#probs ??= computed(() => (this.#isLogits ? value.softmax(-1) : value.div(value.sum(-1, true))));
    return this.#probs;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.integerInterval(0, this.probs.shape.at(-1)! - 1);
  }
  /** Undefined: NaN. */
  get mean(): Tensor {
    return this.probs.sum(-1).mul(Number.NaN);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.mean;
  }
  /** The value with the highest density. */
  get mode(): Tensor {
    return this.probs.argmax(-1);
  }
  override sample(shape: Shape = []): Tensor {
    return atOneLocation(() =>
      noGrad(() => {
        const classes = this.probs.shape.at(-1)!;
        const samples = shape.reduce((n, d) => n * d, 1);
        const sampled = this.probs.reshape([-1, classes]).multinomial(samples, true);
        return sampled.t().reshape(this.extended(shape));
      }),
    );
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return atOneLocation(() => this.#logProb(value));
  }
  #logProb(value: Tensor): Tensor {
    const index = value.long().unsqueeze(-1);
    const shape = [...new Array<number>(Math.max(0, index.ndim - this.logits.ndim)).fill(1), ...this.logits.shape];
    const lead = index.shape.slice(0, -1);
    const logits = this.logits
      .reshape(shape)
      .expand([
        ...shape.slice(0, -1).map((d, i) => (d === 1 ? (lead[i - (shape.length - index.ndim)] ?? 1) : d)),
        shape.at(-1)!,
      ]);
    const positions = index.expand([...logits.shape.slice(0, -1), 1]);
    return logits.gather(-1, positions).squeeze(-1);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    const finite = this.logits.clampMin(-3.4028234663852886e38);
    return finite.mul(this.probs).sum(-1).neg();
  }
  expand(shape: Shape): Categorical {
    return new Categorical({ logits: this.logits.expand([...shape, this.logits.shape.at(-1)!]) });
  }
}

/**
 * One of the classes of the last dim, as a vector with a 1. PyTorch: `torch.distributions.OneHotCategorical`.
 * @example
 * new distributions.OneHotCategorical({ probs: tensor([0, 1]) }).sample() // [0, 1]
 */
export class OneHotCategorical extends Distribution {
  /** The distribution of a single trial. */
  readonly categorical: Categorical;
  constructor(chances: Chances<Tensor>, validate?: ValidateArgs) {
    const categorical = new Categorical(chances, validate);
    super(categorical.batchShape, [categorical.probs.shape.at(-1)!], validate);
    this.categorical = categorical;
  }
  /** The probabilities. */
  get probs(): Tensor {
    return this.categorical.probs;
  }
  /** The logarithms of the odds. */
  get logits(): Tensor {
    return this.categorical.logits;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.oneHot;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.probs;
  }
  /** The value with the highest probability. */
  get mode(): Tensor {
    return this.probs.eq(this.probs.amax(-1, true)).to(this.probs.dtype);
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.probs.mul(this.probs.neg().add(1));
  }
  override sample(shape: Shape = []): Tensor {
    return noGrad(() => {
      const index = this.categorical.sample(shape).unsqueeze(-1);
      const zeros = this.probs.mul(0).expand(this.extended(shape));
      return zeros.scatter(-1, index, 1);
    });
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return this.categorical.logProb(value.argmax(-1));
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(): Tensor {
    return this.categorical.entropy();
  }
  expand(shape: Shape): OneHotCategorical {
    return new OneHotCategorical({ logits: this.categorical.expand(shape).logits });
  }
}
