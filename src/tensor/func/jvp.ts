// Forward mode, implemented by applying reverse mode twice: the gradient of f is linear in its cotangent u, so the gradient of
// ⟨f'(u), t⟩ with respect to u is the derivative of f along t. Ops that depend on u itself are unused and disappear from the
// program.
import type { Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { checkFunction, wrongArgument } from '../check-arguments.ts';
import { checkGradient } from '../gradients/backward.ts';
import { withGradMode } from '../gradients/grad-mode.ts';
import { cotangentsIn, gradientGraph } from '../gradients/gradient-graph.ts';
import { mapTensors, tensorsIn } from '../structure.ts';
import { levelOf, resultOf } from './grad.ts';
import { outside, pullBack, returnedOutside } from './levels.ts';

/**
 * Calls `fn` on `primals` and returns [result, derivative of the result along `tangents`], the latter structured like the former.
 * With `hasAux`, fn returns [result, aux], and a third entry is aux.
 *
 *     const [y, dy] = func.jvp(f, [x], [v]);
 * @throws {WRONG_ARGUMENT} if the numbers of tangents and primals differ
 * @throws {BAD_GRADIENT} for a tangent whose shape differs from its primal
 * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no second derivative
 * @example
 * const [output, tangent] = func.jvp((x: Tensor) => x.square(), [tensor([1, 2])], [tensor([1, 10])]); // [1, 4], [2, 40]
 */
export function jvp<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  primals: A,
  tangents: { readonly [I in keyof A]: A[I] },
  options: { readonly hasAux?: boolean } = {},
): [result: R, tangent: R, ...aux: unknown[]] {
  checkFunction('func.jvp', 'its first argument', fn);
  const { hasAux = false } = options;
  if (!Array.isArray(primals))
    throw wrongArgument({ call: 'func.jvp', argument: 'the primals' }, primals, 'a list of arguments');
  if (!Array.isArray(tangents))
    throw wrongArgument({ call: 'func.jvp', argument: 'the tangents' }, tangents, 'a list of tangents');
  const given = tensorsIn(tangents);
  const at = primals.map((_, i) => i);
  const inputs = tensorsIn(primals);
  if (given.length !== inputs.length)
    throw wrongArgument(
      { call: 'func.jvp', argument: 'the number of tangents' },
      given.length,
      `one for each primal, ${inputs.length}`,
    );
  inputs.forEach((input, i) => {
    checkGradient(input, given[i]);
  });
  const level = levelOf('func.jvp', fn, primals, at);
  const result = resultOf('func.jvp', level.returned, hasAux);
  const outputs = tensorsIn(result);
  const { device, trace } = level;
  const { builder } = trace;
  const floats = outputs.flatMap(output => (isFloat(output.type.elementType) ? [device.valueOf(output)] : []));
  const seeds =
    floats.length === 0
      ? []
      : builder.emit(
          'optimization_barrier',
          floats.map(v => builder.like(v, 0)),
          {},
        );
  for (const seed of seeds) trace.active.add(seed);
  let found: readonly (Value | undefined)[];
  try {
    const linear = pullBack('func.jvp', level, floats, seeds);
    const pairs = linear.flatMap((value, i): [Value, Value][] =>
      value === undefined ? [] : [[value, device.valueOf(given[i]!)]],
    );
    found = withGradMode(true, () =>
      cotangentsIn(
        device,
        trace,
        gradientGraph(
          trace,
          pairs.map(([value]) => value),
        ),
        pairs,
        seeds,
      ),
    );
  } finally {
    for (const seed of seeds) trace.active.delete(seed);
  }
  let next = 0;
  const tangent = mapTensors(result, output => {
    const value = device.valueOf(output);
    const slope = isFloat(output.type.elementType) ? found[next++] : undefined;
    return outside(level, slope ?? builder.like(value, 0), 'func.jvp');
  }) as R;
  const returned = returnedOutside(level, level.returned, 'func.jvp');
  if (!hasAux) return [returned, tangent];
  const [first, aux] = returned as unknown as readonly [R, unknown];
  return [first, tangent, aux];
}
