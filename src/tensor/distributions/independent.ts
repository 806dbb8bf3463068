// Treats the last batch dims of a distribution as dims of the event.
import { wrongArgument } from '../check-arguments.ts';
import type { Tensor } from '../tensor.ts';
import * as constraints from './constraints.ts';
import { Distribution, type Shape } from './distribution.ts';

/** A distribution with an entropy. */
export type WithEntropy = Distribution & { entropy(): Tensor };

/**
 * PyTorch: `torch.distributions.Independent`.
 * @throws {WRONG_ARGUMENT} for more dims than the batch has
 * @example
 * const diagonal = new distributions.Independent(new distributions.Normal(zeros(3), ones(3)), 1);
 * diagonal.eventShape // [3]
 * diagonal.logProb(zeros(3)) // -2.7568…
 */
export class Independent<D extends Distribution = Distribution> extends Distribution {
  /** The distribution that this one is derived from. */
  readonly base: D;
  readonly #dims: number;
  override readonly hasRsample: boolean;
  constructor(base: D, reinterpretedBatchNdims: number) {
    const kept = base.batchShape.length - reinterpretedBatchNdims;
    if (!(Number.isInteger(kept) && kept >= 0 && reinterpretedBatchNdims >= 0))
      throw wrongArgument(
        { call: 'Independent', argument: 'reinterpretedBatchNdims' },
        reinterpretedBatchNdims,
        `an integer from 0 to ${base.batchShape.length}`,
      );
    super(base.batchShape.slice(0, kept), [...base.batchShape.slice(kept), ...base.eventShape]);
    this.base = base;
    this.#dims = reinterpretedBatchNdims;
    this.hasRsample = base.hasRsample;
  }
  /** The number of last batch dims that are part of an event. */
  get reinterpretedBatchNdims(): number {
    return this.#dims;
  }
  /** The values that samples may have. */
  get support(): constraints.Constraint {
    return constraints.independent(this.base.support, this.#dims);
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  get mean(): Tensor {
    return this.base.mean;
  }
  /** The variance of each element, [...batchShape, ...eventShape]. */
  get variance(): Tensor {
    return this.base.variance;
  }
  override sample(shape: Shape = []): Tensor {
    return this.base.sample(shape);
  }
  override rsample(shape: Shape = []): Tensor {
    return this.base.rsample(shape);
  }
  logProb(value: Tensor): Tensor {
    this.validateSample(value);
    return sumRightmost(this.base.logProb(value), this.#dims);
  }
  /** The entropy in nats, one number for each distribution of the batch. */
  override entropy(this: Independent<D & WithEntropy>): Tensor {
    return sumRightmost(this.base.entropy(), this.reinterpretedBatchNdims);
  }
  expand(shape: Shape): Independent {
    const event = this.eventShape.slice(0, this.#dims);
    return new Independent(this.base.expand([...shape, ...event]), this.#dims);
  }
}
/** The sum over the last dims. */
export const sumRightmost = (x: Tensor, dims: number): Tensor =>
  dims === 0 ? x : x.sum(Array.from({ length: dims }, (_, i) => -1 - i));
