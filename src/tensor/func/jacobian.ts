// Jacobians and Hessians: derivatives along all unit vectors at once, by vmap.
import { tensorTypeOf } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import { tensorOf } from '../autograd/function.ts';
import { checkFunction } from '../check-arguments.ts';
import { mapTensors, tensorsIn } from '../structure.ts';
import type { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import { chosen, type Fn, type FuncOptions, resultOf, vjp } from './grad.ts';
import { jvp } from './jvp.ts';
import { vmap } from './vmap.ts';

/** Options of `func.jacrev`. */
export interface JacobianOptions extends FuncOptions {
  /** The number of derivatives to compute at once; all by default. */
  readonly chunkSize?: number;
}

/** The identity over the elements of all tensors, in parts: for each tensor, [total, ...shape]. */
function unitVectors(tensors: readonly Tensor[]): Tensor[] {
  const counts = tensors.map(tensor => elementCount(tensor.shape));
  const total = counts.reduce((a, b) => a + b, 0);
  let from = 0;
  return tensors.map((tensor, i) => {
    const { trace, builder } = opening(tensor.device);
    const { elementType } = tensorTypeOf(tensor.device.valueOf(tensor));
    const count = counts[i]!;
    const type = { kind: 'tensor', shape: [total, count], elementType: 'i32' } as const;
    const rows = builder.subtract(builder.iota(type, 0), builder.fill('i32', [total, count], from));
    const ones = builder.convert(builder.compare('EQ', rows, builder.iota(type, 1)), elementType);
    from += count;
    const made = tensorOf(tensor.device, builder.reshape(ones, [total, ...tensor.shape]), 'eye', false);
    trace.made(made);
    return made;
  });
}

/** The rows that belong to each tensor of a list, in its shape. */
function parts(x: Tensor, tensors: readonly Tensor[], rest: readonly number[], dim: number): Tensor[] {
  let from = 0;
  return tensors.map(tensor => {
    const count = elementCount(tensor.shape);
    const own = x.narrow(dim, from, count);
    from += count;
    return own.reshape(dim === 0 ? [...tensor.shape, ...rest] : [...rest, ...tensor.shape]);
  });
}

/**
 * The function that returns the Jacobian of `fn` by reverse mode: for a result of shape [m…] and an argument of shape [n…], a
 * tensor [m…, n…]; structured like the result, and within it like the argument. Reverse mode is better for more arguments than
 * results.
 *
 *     const J = func.jacrev((x: Tensor) => x.sin())(x);
 * @throws {WRONG_ARGUMENT} where fn does not return tensors
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
 * @example
 * func.jacrev((x: Tensor) => x.square())(tensor([1, 2])) // [[2, 0], [0, 4]]
 */
export function jacrev<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: JacobianOptions & { readonly hasAux: true },
): (...args: A) => [jacobian: unknown, aux: unknown];
export function jacrev<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options?: JacobianOptions & { readonly hasAux?: false },
): (...args: A) => R;
export function jacrev<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: JacobianOptions = {},
): (...args: A) => unknown {
  checkFunction('func.jacrev', 'its first argument', fn);
  return (...args) => {
    const at = chosen('func.jacrev', args, options.argnums);
    let aux: unknown;
    const [result, pull] = vjp(
      (...inner: readonly unknown[]) => {
        const given: unknown[] = [...args];
        at.forEach((position, i) => {
          given[position] = inner[i];
        });
        const returned = fn(...(given as unknown as A));
        if (options.hasAux) aux = (returned as unknown as readonly unknown[])[1];
        return resultOf('func.jacrev', returned, options.hasAux ?? false);
      },
      ...at.map(i => args[i]),
    );
    const outputs = tensorsIn(result);
    const rows = vmap(
      (...cotangents: readonly Tensor[]) => pull(cotangents),
      options.chunkSize === undefined ? {} : { chunkSize: options.chunkSize },
    )(...unitVectors(outputs));
    // rows: per argument, [total, n…]
    const byOutput = outputs.map((_, o) =>
      rows.map(row => mapTensors(row, g => parts(g, outputs, g.shape.slice(1), 0)[o])),
    );
    let next = 0;
    const jacobian = mapTensors(result, () => {
      const own = byOutput[next++]!;
      return typeof options.argnums === 'object' ? own : own[0];
    });
    return options.hasAux ? [jacobian, aux] : jacobian;
  };
}

/**
 * Like `jacrev`, by forward mode, which is better for more results than arguments.
 *
 *     const J = func.jacfwd((x: Tensor) => x.sin())(x);
 * @throws {WRONG_ARGUMENT} where fn does not return tensors
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no second derivative
 * @example
 * func.jacfwd((x: Tensor) => x.square())(tensor([1, 2])) // [[2, 0], [0, 4]]
 */
export function jacfwd<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: JacobianOptions & { readonly hasAux: true },
): (...args: A) => [jacobian: unknown, aux: unknown];
export function jacfwd<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options?: JacobianOptions & { readonly hasAux?: false },
): (...args: A) => R;
export function jacfwd<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: JacobianOptions = {},
): (...args: A) => unknown {
  checkFunction('func.jacfwd', 'its first argument', fn);
  return (...args) => {
    const at = chosen('func.jacfwd', args, options.argnums);
    const primals = at.map(i => args[i]);
    const inputs = tensorsIn(primals);
    let aux: unknown;
    const along = (...units: readonly Tensor[]): unknown => {
      let next = 0;
      const tangents = mapTensors(primals, () => units[next++]) as unknown[];
      const [, tangent, extra] = jvp(
        (...inner: readonly unknown[]) => {
          const given: unknown[] = [...args];
          at.forEach((position, i) => {
            given[position] = inner[i];
          });
          return fn(...(given as unknown as A)) as unknown;
        },
        primals,
        tangents,
        { hasAux: options.hasAux ?? false },
      );
      aux = extra;
      return tangent;
    };
    const columns = vmap(along, {
      outDims: -1,
      ...(options.chunkSize === undefined ? {} : { chunkSize: options.chunkSize }),
    })(...unitVectors(inputs));
    const jacobian = mapTensors(columns, column => {
      const own = parts(column, inputs, column.shape.slice(0, -1), column.ndim - 1);
      let next = 0;
      const shaped = primals.map(primal => mapTensors(primal, () => own[next++]));
      return typeof options.argnums === 'object' ? shaped : shaped[0];
    });
    return options.hasAux ? [jacobian, aux] : jacobian;
  };
}

/**
 * The function that returns the Hessian of `fn`, which returns one number: forward over reverse mode, [n…, n…] for an
 * argument of shape [n…].
 *
 *     const H = func.hessian((x: Tensor) => x.pow(3).sum())(x);
 * @throws {WRONG_ARGUMENT} where fn does not return tensors
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no third derivative
 * @example
 * func.hessian((x: Tensor) => x.pow(3).sum())(tensor([1, 2])) // [[6, 0], [0, 12]]
 */
export function hessian<A extends readonly unknown[], R>(
  fn: Fn<A, R>,
  options: { readonly argnums?: number | readonly number[] } = {},
): (...args: A) => R {
  return jacfwd(jacrev(fn, options) as Fn<A, R>, options);
}
