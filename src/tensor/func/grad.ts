// Gradients of functions, reverse mode: grad, gradAndValue, vjp.
import { TrenioError } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { checkFunction, wrongArgument } from '../check-arguments.ts';
import { checkGradient } from '../gradients/backward.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import { mapTensors, tensorsIn } from '../structure.ts';
import { Tensor } from '../tensor.ts';
import { type Level, openLevel, outside, pullBack, returnedOutside } from './levels.ts';

/** Options of `func.grad` and `func.gradAndValue`. */
export interface FuncOptions {
  /** The argument to differentiate with respect to, or several: 0 by default. */
  readonly argnums?: number | readonly number[];
  /** The function returns [result, aux]: aux is returned unchanged. */
  readonly hasAux?: boolean;
}
/** A function. */
export type Fn<A extends readonly unknown[], R> = (...args: A) => R;
/** The type of a gradient: that of the argument. */
export type GradientOf<A extends readonly unknown[]> = A[0];

/** The arguments named by argnums. */
export function chosen(call: string, args: readonly unknown[], argnums: FuncOptions['argnums'] = 0): readonly number[] {
  const list = typeof argnums === 'number' ? [argnums] : argnums;
  return list.map(argnum => {
    const at = argnum < 0 ? argnum + args.length : argnum;
    if (!Number.isInteger(at) || at < 0 || at >= args.length)
      throw wrongArgument({ call, argument: 'argnums' }, argnum, `the position of one of the ${args.length} arguments`);
    return at;
  });
}

/** Calls fn so that it can be differentiated with respect to the chosen arguments. */
export function levelOf<A extends readonly unknown[], R>(
  call: string,
  fn: Fn<A, R>,
  args: A,
  at: readonly number[],
): Level<R> {
  return openLevel(
    call,
    at.map(i => args[i]),
    inner => {
      const given: unknown[] = [...args];
      at.forEach((position, i) => {
        given[position] = inner[i];
      });
      return fn(...(given as unknown as A));
    },
  );
}

/** The result in [result, aux]. */
export function resultOf(call: string, returned: unknown, hasAux: boolean): unknown {
  if (!hasAux) return returned;
  if (Array.isArray(returned) && returned.length === 2) return returned[0];
  throw wrongArgument(
    { call, argument: 'the result of the function' },
    returned,
    'a list [result, aux], as hasAux says',
  );
}

/** Gradients as tensors, zeros where none flows; arguments that are not floats have none. */
export function gradientsOf(
  level: Level<unknown>,
  found: readonly (Value | undefined)[],
  op: string,
): (Tensor | undefined)[] {
  return found.map((value, i) => {
    const inner = level.inner[i];
    return inner === undefined ? undefined : outside(level, value ?? level.trace.builder.like(inner, 0), op);
  });
}

function gradientAndValue<A extends readonly unknown[], R>(
  call: string,
  fn: Fn<A, R>,
  options: FuncOptions,
  args: A,
): readonly [gradient: unknown, returned: R] {
  const { argnums, hasAux = false } = options;
  const at = chosen(call, args, argnums);
  const level = levelOf(call, fn, args, at);
  const output = resultOf(call, level.returned, hasAux);
  if (!(output instanceof Tensor))
    throw wrongArgument({ call, argument: 'the result of the function' }, output, 'a tensor');
  if (output.numel() !== 1 || !isFloat(output.type.elementType))
    throw new TrenioError(
      'NOT_ONE_ELEMENT',
      { op: call, shape: formatShape(output.shape) },
      { location: userLocation() },
    );
  const value = level.device.valueOf(output);
  const gradients = gradientsOf(level, pullBack(call, level, [value], [level.trace.builder.like(value, 1)]), call);
  let next = 0;
  const shaped = at.map(i => mapTensors(args[i], () => gradients[next++]));
  return [typeof argnums === 'object' ? shaped : shaped[0], returnedOutside(level, level.returned, call)];
}

/**
 * The function that returns the gradient of `fn`, which returns a scalar, with respect to its first argument (or those in
 * `argnums`): tensors, or structures of them. With `hasAux`, [gradient, aux].
 *
 *     const df = func.grad((x: Tensor) => x.sin().sum());
 *     const secondOrder = func.grad(x => func.grad(f)(x).sum());
 *     const perSample = func.vmap(func.grad(loss), { inDims: [null, 0, 0] })(params, xs, ys);
 * @throws {WRONG_ARGUMENT} if fn does not return a tensor, or an argument contains no tensor
 * @throws {NOT_ONE_ELEMENT} if it returns more than one number
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * func.grad((x: Tensor) => x.square().sum())(tensor([1, 2])) // [2, 4]
 */
export function grad<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: FuncOptions & { readonly hasAux: true; readonly argnums?: number },
): (...args: A) => [gradient: GradientOf<A>, aux: R extends readonly [unknown, infer X] ? X : unknown];
export function grad<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: { readonly hasAux?: false; readonly argnums: readonly number[] },
): (...args: A) => A[number][];
export function grad<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options?: { readonly hasAux?: false; readonly argnums?: number },
): (...args: A) => GradientOf<A>;
export function grad<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: FuncOptions = {},
): (...args: A) => unknown {
  checkFunction('func.grad', 'its first argument', fn);
  return (...args) => {
    const [gradient, returned] = gradientAndValue('func.grad', fn, options, args);
    return options.hasAux ? [gradient, (returned as unknown as readonly unknown[])[1]] : gradient;
  };
}

/**
 * As `grad`, but returns [gradient, value of fn]; with `hasAux`, the value is [result, aux].
 *
 *     const [dw, loss] = func.gradAndValue(lossOf)(w, x, y);
 * @throws {WRONG_ARGUMENT} if fn does not return a tensor, or an argument contains no tensor
 * @throws {NOT_ONE_ELEMENT} if it returns more than one number
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * const [gradient, value] = func.gradAndValue((x: Tensor) => x.square().sum())(tensor([1, 2])); // [2, 4], 5
 */
export function gradAndValue<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: FuncOptions = {},
): (...args: A) => [gradient: GradientOf<A>, value: R] {
  checkFunction('func.gradAndValue', 'its first argument', fn);
  return (...args) => [...gradientAndValue('func.gradAndValue', fn, options, args)] as [GradientOf<A>, R];
}
/**
 * Like `gradAndValue`, with the value first, as in JAX.
 *
 *     const [loss, dw] = func.valueAndGrad(lossOf)(w, x, y);
 * @throws {WRONG_ARGUMENT} if fn does not return a tensor, or an argument contains no tensor
 * @throws {NOT_ONE_ELEMENT} if it returns more than one number
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * const [value, gradient] = func.valueAndGrad((x: Tensor) => x.square().sum())(tensor([1, 2])); // 5, [2, 4]
 */
export function valueAndGrad<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: FuncOptions = {},
): (...args: A) => [value: R, gradient: GradientOf<A>] {
  checkFunction('func.valueAndGrad', 'its first argument', fn);
  return (...args) => {
    const [gradient, value] = gradientAndValue('func.valueAndGrad', fn, options, args);
    return [value, gradient as GradientOf<A>];
  };
}

/**
 * Calls `fn` on `primals`; returns its result and the function that takes cotangents of the result (a tensor, or as many as
 * the result has) to a list of those of the primals. That function may be called several times within the step.
 *
 *     const [y, pull] = func.vjp(f, x);
 *     const [dx] = pull(onesLike(y));
 * @throws {WRONG_ARGUMENT} if the primals contain no tensor
 * @throws {BAD_GRADIENT} for a cotangent whose shape differs from its result
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @throws {NO_GRADIENT_HERE} after the step in which fn was called
 * @example
 * const [output, pullback] = func.vjp((x: Tensor) => x.square(), tensor([1, 2]));
 * output // [1, 4]
 * pullback(tensor([1, 10])) // [[2, 40]]
 */
export function vjp<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  ...primals: A
): [result: R, pull: (...cotangents: readonly unknown[]) => { -readonly [I in keyof A]: A[I] }] {
  checkFunction('func.vjp', 'its first argument', fn);
  const level = levelOf(
    'func.vjp',
    fn,
    primals,
    primals.map((_, i) => i),
  );
  const outputs = level.outputs;
  const values = outputs.map(output => level.device.valueOf(output));
  const result = returnedOutside(level, level.returned, 'func.vjp');
  const pull = (...given: readonly unknown[]): { -readonly [I in keyof A]: A[I] } => {
    const cotangents = tensorsIn(given);
    if (cotangents.length !== outputs.length)
      throw wrongArgument(
        { call: 'the function that func.vjp returned', argument: 'the number of cotangents' },
        cotangents.length,
        `one for each result, ${outputs.length}`,
      );
    outputs.forEach((output, i) => {
      checkGradient(output, cotangents[i]);
    });
    const floats = outputs.flatMap((output, i) => (isFloat(output.type.elementType) ? [i] : []));
    const found = pullBack(
      'func.vjp',
      level,
      floats.map(i => values[i]!),
      floats.map(i => level.device.valueOf(cotangents[i]!)),
    );
    const gradients = gradientsOf(level, found, 'func.vjp');
    let next = 0;
    return primals.map(primal => mapTensors(primal, () => gradients[next++])) as { -readonly [I in keyof A]: A[I] };
  };
  return [result, pull];
}
