// torch.autograd.functional: derivatives of functions of several tensors, with inputs and outputs as a tensor or a list. The same
// transformations as in `func`, with PyTorch's older signatures.
import { tensorTypeOf } from '../../hlo/program.ts';
import { checkFunction, wrongArgument } from '../check-arguments.ts';
import { jacfwd, jacrev, vjp as pullBack, jvp as pushForward } from '../func/index.ts';
import { noGradient } from '../gradients/backward.ts';
import { noGrad } from '../gradients/grad-mode.ts';
import { Tensor } from '../tensor.ts';

/** One tensor or several. */
export type Tensors = Tensor | readonly Tensor[];
/** One tensor if one was given, a list if a list was. */
export interface FunctionalOptions {
  /** Makes the results differentiable. */
  readonly createGraph?: boolean;
}
/** Options of `jacobian`. */
export interface JacobianOptions extends FunctionalOptions {
  /** The direction: reverse by default. */
  readonly strategy?: 'reverse-mode' | 'forward-mode';
  /** Accepted for compatibility, without effect: all rows are computed at once. */
  readonly vectorize?: boolean;
}

const list = (x: Tensors): Tensor[] => (x instanceof Tensor ? [x] : [...x]);
const alike = (given: Tensors, results: readonly Tensor[]): Tensors =>
  given instanceof Tensor ? results[0]! : results;
const within = <T>(options: FunctionalOptions, body: () => T): T => (options.createGraph ? body() : noGrad(body));

function checked(call: string, fn: unknown, inputs: Tensors): Tensor[] {
  checkFunction(call, 'its first argument', fn);
  const given = inputs instanceof Tensor ? [inputs] : inputs;
  if (!Array.isArray(given) || given.length === 0 || !given.every(x => x instanceof Tensor))
    throw wrongArgument({ call, argument: 'the inputs' }, inputs, 'a tensor or a list of tensors');
  return [...given];
}
/** The cotangents or tangents of some tensors; 1 by default for a single number. */
function vectors(call: string, v: Tensors | undefined, tensors: readonly Tensor[]): Tensor[] {
  if (v !== undefined) return list(v);
  const [only] = tensors as readonly [Tensor];
  if (tensors.length !== 1 || only.numel() !== 1)
    throw noGradient(call, 'v is required, because there is more than one number');
  const { device } = only;
  const { elementType, shape } = tensorTypeOf(device.valueOf(only));
  const value = device.trace.builder.fill(elementType, shape, 1);
  return [new Tensor({ device, type: only.type, op: 'ones', value, trace: device.trace })];
}

/**
 * The Jacobian of `fn` at the inputs: for a tensor in and out, [m…, n…]; for lists, a list for each output with one for each
 * input.
 *
 *     const J = autograd.functional.jacobian((x: Tensor) => x.exp().sum(1), x);
 * @throws {WRONG_ARGUMENT} where fn does not return tensors
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * autograd.functional.jacobian((x: Tensor) => x.square(), tensor([1, 2])) // [[2, 0], [0, 4]]
 */
export function jacobian(fn: (input: Tensor) => Tensor, inputs: Tensor, options?: JacobianOptions): Tensor;
export function jacobian(fn: (...inputs: Tensor[]) => Tensors, inputs: Tensors, options?: JacobianOptions): unknown;
export function jacobian(
  fn: (...inputs: Tensor[]) => Tensors,
  inputs: Tensors,
  options: JacobianOptions = {},
): unknown {
  const given = checked('autograd.functional.jacobian', fn, inputs);
  const argnums = inputs instanceof Tensor ? 0 : given.map((_, i) => i);
  const transform = options.strategy === 'forward-mode' ? jacfwd : jacrev;
  return within(options, () => transform(fn, { argnums })(...given));
}

/**
 * The Hessian of `fn`, which returns one number: [n…, n…] for a tensor, a list of lists for several.
 *
 *     const H = autograd.functional.hessian((x: Tensor) => x.pow(3).sum(), x);
 * @throws {WRONG_ARGUMENT} where fn does not return tensors
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no second derivative
 * @example
 * autograd.functional.hessian((x: Tensor) => x.pow(3).sum(), tensor([1, 2])) // [[6, 0], [0, 12]]
 */
export function hessian(fn: (input: Tensor) => Tensor, inputs: Tensor, options?: FunctionalOptions): Tensor;
export function hessian(fn: (...inputs: Tensor[]) => Tensor, inputs: Tensors, options?: FunctionalOptions): unknown;
export function hessian(
  fn: (...inputs: Tensor[]) => Tensor,
  inputs: Tensors,
  options: FunctionalOptions = {},
): unknown {
  const given = checked('autograd.functional.hessian', fn, inputs);
  const argnums = inputs instanceof Tensor ? 0 : given.map((_, i) => i);
  return within(options, () =>
    jacrev(jacrev(fn, { argnums }) as (...inputs: Tensor[]) => Tensor, { argnums })(...given),
  );
}

/**
 * `[result, v · Jacobian]`: the cotangents of the inputs, given those of the result.
 *
 *     const [y, dx] = autograd.functional.vjp(f, x, v);
 * @throws {NO_GRADIENT_HERE} without v, where the result is more than one number
 * @throws {BAD_GRADIENT} where v is of another shape than the result
 * @example
 * const square = (x: Tensor) => x.square();
 * const [output, product] = autograd.functional.vjp(square, tensor([1, 2]), tensor([1, 10])); // [1, 4], [2, 40]
 */
export function vjp(
  fn: (...inputs: Tensor[]) => Tensors,
  inputs: Tensors,
  v?: Tensors,
  options: FunctionalOptions = {},
): [result: Tensors, vjp: Tensors] {
  const call = 'autograd.functional.vjp';
  const given = checked(call, fn, inputs);
  return within(options, () => {
    const [result, pull] = pullBack(fn, ...given);
    return [result, alike(inputs, pull(vectors(call, v, list(result))))];
  });
}

/**
 * `[result, Jacobian · v]`: the derivative of the result along v.
 *
 *     const [y, dy] = autograd.functional.jvp(f, x, v);
 * @throws {NO_GRADIENT_HERE} without v, where the input is more than one number
 * @throws {BAD_GRADIENT} where v is of another shape than the inputs
 * @example
 * const square = (x: Tensor) => x.square();
 * const [output, product] = autograd.functional.jvp(square, tensor([1, 2]), tensor([1, 10])); // [1, 4], [2, 40]
 */
export function jvp(
  fn: (...inputs: Tensor[]) => Tensors,
  inputs: Tensors,
  v?: Tensors,
  options: FunctionalOptions = {},
): [result: Tensors, jvp: Tensors] {
  const call = 'autograd.functional.jvp';
  const given = checked(call, fn, inputs);
  return within(options, () => {
    const [result, tangent] = pushForward(fn, given, vectors(call, v, given));
    return [result, tangent];
  });
}

/**
 * [result, Hessian · v] of a function that returns one number.
 *
 *     const [loss, hv] = autograd.functional.hvp(f, x, v);
 * @throws {BAD_GRADIENT} where v is of another shape than the inputs
 * @example
 * const [output, product] = autograd.functional.hvp((x: Tensor) => x.pow(3).sum(), tensor([1, 2]), tensor([1, 0])); // 9, [6, 0]
 */
export function hvp(
  fn: (...inputs: Tensor[]) => Tensor,
  inputs: Tensors,
  v?: Tensors,
  options: FunctionalOptions = {},
): [result: Tensor, hvp: Tensors] {
  const call = 'autograd.functional.hvp';
  const given = checked(call, fn, inputs);
  return within(options, () => {
    const gradient = (...xs: Tensor[]): Tensor[] => {
      const [result, pull] = pullBack(fn, ...xs);
      return pull(vectors(call, undefined, [result]));
    };
    const [, products] = pushForward(gradient, given, vectors(call, v, given));
    return [fn(...given), alike(inputs, products)];
  });
}

/**
 * [result, v · Hessian] of a function that returns one number: the same as `hvp`, because Hessians are symmetric.
 *
 *     const [loss, vh] = autograd.functional.vhp(f, x, v);
 * @throws {BAD_GRADIENT} where v is of another shape than the inputs
 * @example
 * const [output, product] = autograd.functional.vhp((x: Tensor) => x.pow(3).sum(), tensor([1, 2]), tensor([1, 0])); // 9, [6, 0]
 */
export const vhp: typeof hvp = (fn, inputs, v, options) => hvp(fn, inputs, v, options);
