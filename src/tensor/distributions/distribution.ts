// What all distributions share: shapes, samples, parameters that broadcast. Values of parameters are not checked, as that
// would read them. Samples are drawn within the program (`../lower/random.ts`), with other numbers at each step.
import { tensor } from '../create.ts';
import { broadcastTensors } from '../generated/functions.ts';
import { noGrad } from '../grad-mode.ts';
import { standardNormal, uniform } from '../lower/random.ts';
import { record, Tensor } from '../tensor.ts';
import { noGradient } from '../traced.ts';

/** The sizes of the dims, outermost first. */
export type Shape = readonly number[];
/** A parameter: a tensor, or a number for all. */
export type Parameter = Tensor | number;

/** Parameters as tensors of one shape. */
export function together(...values: readonly Parameter[]): Tensor[] {
  const first = values.find(value => value instanceof Tensor);
  const options = first === undefined ? {} : { device: first.device, dtype: first.dtype };
  const tensors = values.map(value => (value instanceof Tensor ? value : tensor(value, options)));
  return [...broadcastTensors(...tensors)] as Tensor[];
}
const kinds = { uniform, standardNormal } as const;
/** Random numbers of a kind, of the type and on the device of a parameter. */
export function noise(like: Tensor, shape: Shape, kind: keyof typeof kinds): Tensor {
  return record(
    'noise',
    [like],
    (b, _, trace) =>
      b.convert(kinds[kind]({ b, trace, device: like.device, generator: undefined }, shape), like.type.elementType),
    { differentiable: false },
  );
}

/** A distribution of random tensors. PyTorch: `torch.distributions.Distribution`. */
export abstract class Distribution {
  /** Independent distributions with parameters of their own. */
  readonly batchShape: Shape;
  /** One sample of one of them. */
  readonly eventShape: Shape;
  /** Whether gradients flow through `rsample` to the parameters. */
  readonly hasRsample: boolean = false;

  constructor(batchShape: Shape, eventShape: Shape = []) {
    this.batchShape = batchShape;
    this.eventShape = eventShape;
  }
  /** The expected value, [...batchShape, ...eventShape]. */
  abstract get mean(): Tensor;
  /** The variance of each element, [...batchShape, ...eventShape]. */
  abstract get variance(): Tensor;
  /** The square root of the variance. */
  get stddev(): Tensor {
    return this.variance.sqrt();
  }
  /** The logarithm of the density, or of the probability, at a value. */
  abstract logProb(value: Tensor): Tensor;
  /** The same distribution for a larger batch. */
  abstract expand(batchShape: Shape): Distribution;
  /** Samples of shape [...shape, ...batchShape, ...eventShape]; no gradient flows through them. */
  sample(shape: Shape = []): Tensor {
    return noGrad(() => this.rsample(shape)).detach();
  }
  /**
   * Samples through which gradients flow to the parameters.
   * @throws {NO_GRADIENT_HERE} for distributions without them: see `hasRsample`
   */
  rsample(_shape: Shape = []): Tensor {
    throw noGradient('rsample', `samples of ${this.constructor.name} have no gradient; use sample()`);
  }
  /** The shape of samples. */
  protected extended(shape: Shape): number[] {
    return [...shape, ...this.batchShape, ...this.eventShape];
  }
}
