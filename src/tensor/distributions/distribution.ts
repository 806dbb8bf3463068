// The base class of all distributions: shapes, samples, parameters that broadcast. Parameters that are numbers are always
// checked; tensors only after `Distribution.setDefaultValidateArgs(true)`, because checking reads them. Samples are generated
// within the program (`../lower/random.ts`), with new numbers at each step.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { wrongArgument } from '../check-arguments.ts';
import { tensor } from '../functions/create.ts';
import { broadcastTensors } from '../generated/functions.ts';
import { noGradient } from '../gradients/backward.ts';
import { noGrad } from '../gradients/grad-mode.ts';
import { userLocation } from '../location.ts';
import { type Source, standardNormal, uniform } from '../lower/random.ts';
import type { Trace } from '../step/trace.ts';
import type { Context } from '../surface/row.ts';
import { record, Tensor } from '../tensor.ts';
import type { Constraint } from './constraints.ts';

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
/** The last argument of a distribution, by position or by name: whether its values are checked (`setDefaultValidateArgs`). */
export type ValidateArgs = boolean | { readonly validateArgs?: boolean | undefined };
const isChecked = (validate: unknown): boolean | undefined =>
  typeof validate === 'object' && validate !== null
    ? (validate as { readonly validateArgs?: boolean }).validateArgs
    : typeof validate === 'boolean'
      ? validate
      : undefined;
/** Parameters with their constraints, as tensors of one shape. @throws {WRONG_ARGUMENT} */
export function checkedTogether(
  call: string,
  given: Readonly<Record<string, readonly [value: Parameter, constraint: Constraint]>>,
  validate?: unknown,
): Tensor[] {
  for (const [argument, [value, constraint]] of Object.entries(given))
    checkParameter(call, argument, value, constraint, validate);
  return together(...Object.values(given).map(([value]) => value));
}
/** @throws {WRONG_ARGUMENT} for a number outside the set; for a tensor with one, if arguments are validated */
export function checkParameter(
  call: string,
  argument: string,
  value: unknown,
  constraint: Constraint,
  validate?: unknown,
): void {
  const checks = isChecked(validate);
  if (value instanceof Tensor) {
    if ((checks ?? validation.isOn) && !isMet(constraint, value))
      throw wrongArgument({ call, argument }, value, `a tensor of which each value is ${constraint.name}`);
    return;
  }
  if (typeof value !== 'number') throw wrongArgument({ call, argument }, value, 'a tensor or a number');
  if (checks !== false && constraint.accepts !== undefined && !constraint.accepts(value))
    throw wrongArgument({ call, argument }, value, constraint.name);
}
const isMet = (constraint: Constraint, value: Tensor): boolean =>
  noGrad(() => Boolean(constraint.check(value.detach()).all().item()));
const validation = { isOn: false };
const kinds = { uniform, standardNormal } as const;
/** Random numbers of a kind, with the type and on the device of a parameter. */
export function noise(like: Tensor, shape: Shape, kind: keyof typeof kinds): Tensor {
  return record(
    'noise',
    [like],
    (b, _, trace) =>
      b.convert(kinds[kind]({ b, trace, device: like.device, generator: undefined }, shape), like.type.elementType),
    { differentiable: false },
  );
}

/** Where samples are recorded, for lowerings that need more than a builder. */
export const contextOf = (like: Tensor, b: Builder, trace: Trace): Context & Source => ({
  b,
  trace,
  device: like.device,
  generator: undefined,
  stop: value => {
    trace.stopped.add(value);
  },
});

/**
 * A distribution of random tensors. PyTorch: `torch.distributions.Distribution`.
 * @example
 * const spread = (distribution: distributions.Distribution) => distribution.variance.sqrt();
 * spread(new distributions.Uniform(0, 6)) // 1.732…
 */
export abstract class Distribution {
  /** Independent distributions, one per element of the parameters. */
  readonly batchShape: Shape;
  /** One sample of one of them. */
  readonly eventShape: Shape;
  /** Whether gradients flow through `rsample` to the parameters. */
  readonly hasRsample: boolean = false;

  readonly #validates: boolean | undefined;

  constructor(batchShape: Shape, eventShape: Shape = [], validate?: unknown) {
    this.#validates = isChecked(validate);
    this.batchShape = batchShape;
    this.eventShape = eventShape;
  }
  /**
   * Whether the values of tensors are checked, those of parameters and those given to `logProb`; false by default, because
   * checking reads them. PyTorch: `Distribution.set_default_validate_args`.
   */
  static setDefaultValidateArgs(value: boolean): void {
    validation.isOn = value;
  }
  /** The values that samples may have. */
  abstract get support(): Constraint;
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
  /**
   * The probability of values up to this one.
   * @throws {ABSENT_NAME} for distributions without a formula
   */
  cdf(_value: Tensor): Tensor {
    throw this.lacks('cdf', 'estimate it from samples, as in sample([1000]).le(value).float().mean(0)');
  }
  /**
   * The value with this `cdf`.
   * @throws {ABSENT_NAME} for distributions without a formula
   */
  icdf(_value: Tensor): Tensor {
    throw this.lacks('icdf', 'use the quantile of samples');
  }
  /**
   * The entropy in nats, one number for each distribution of the batch.
   * @throws {ABSENT_NAME} for distributions without a formula
   */
  entropy(): Tensor {
    throw this.lacks('entropy', 'estimate it from samples, as in logProb(sample([1000])).neg().mean(0)');
  }
  /** The exponential of the entropy. */
  perplexity(): Tensor {
    return this.entropy().exp();
  }
  /**
   * All values of a discrete distribution, along a new first dim.
   * @throws {ABSENT_NAME} where they are not a finite number
   */
  enumerateSupport(_expand = true): Tensor {
    throw this.lacks('enumerateSupport', 'use sample: its values are not a finite number');
  }
  /** The error of a method that PyTorch has for other distributions. */
  protected lacks(method: string, instead: string): TrenioError {
    const name = `${this.constructor.name}.${method}`;
    return new TrenioError('ABSENT_NAME', { name, instead }, { location: userLocation() });
  }
  /** @throws {WRONG_ARGUMENT} for a value that is not a sample, if arguments are validated */
  protected validateSample(value: Tensor): void {
    if ((this.#validates ?? validation.isOn) && !isMet(this.support, value))
      throw wrongArgument(
        { call: `${this.constructor.name}.logProb`, argument: 'value' },
        value,
        `a tensor of which each value is ${this.support.name}`,
      );
  }
  /** The shape of samples. */
  protected extended(shape: Shape): number[] {
    return [...shape, ...this.batchShape, ...this.eventShape];
  }
}
