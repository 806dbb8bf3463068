// A loop inside the step that runs while a condition holds.
import { TrenioError } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';
import { checkCount, checkFunction, wrongArgument } from '../check-arguments.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { isAttached } from '../gradients/gradient-graph.ts';
import { userLocation } from '../location.ts';
import type { IndexCheck } from '../step/index-checks.ts';
import type { Trace } from '../step/trace.ts';
import { tensorsIn } from '../structure.ts';
import { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import { type Body, inlineTurn, loopBody } from './body.ts';
import { checksOf, noteBodyChecks, nothingWrong, worst } from './body-checks.ts';
import { cond } from './cond.ts';
import { checkCarry, made, recordBody, refill, scan } from './scan.ts';

/** Options of `control.whileLoop`. */
export interface WhileOptions {
  /**
   * The maximum number of iterations. With it, the loop is differentiable: the state before each iteration is
   * kept, so it takes as much memory as a scan of that length.
   */
  readonly maxTrips?: number;
}

/**
 * Replaces `state`, a list of tensors (or structures of them), by `body(...state)` while `goesOn(...state)` returns a
 * true tensor, and returns the last state.
 *
 *     const [i, x] = control.while((i, x) => i.lt(10), (i, x) => [i.add(1), x.mul(2)], [tensor(0), x0]);
 * @throws {LOOP_TYPES} if body returns a different structure, or different shapes or data types
 * @throws {WRONG_ARGUMENT} if goesOn does not return a tensor with one boolean
 * @throws {NOT_DIFFERENTIABLE} later, for a gradient through a loop without `maxTrips`
 * @throws {READ_IN_FUNCTION} if a function reads one of its arguments
 * @example
 * const [x] = control.while((x: Tensor) => x.lt(100), x => [x.mul(2)], [tensor(3)]);
 * x // 192
 */
function whileLoop<const S extends readonly [unknown, ...unknown[]]>(
  goesOn: (...state: S) => Tensor,
  body: (...state: S) => NoInfer<{ readonly [I in keyof S]: S[I] }>,
  state: S,
  options: WhileOptions = {},
): S {
  const call = 'control.while';
  checkFunction(call, 'the condition', goesOn);
  checkFunction(call, 'the body', body);
  const tensors = tensorsIn(state);
  const [first] = tensors;
  if (!Array.isArray(state) || first === undefined)
    throw wrongArgument({ call, argument: 'the state' }, state, 'a list of tensors');
  const condition = (...given: S): Tensor => {
    const predicate = goesOn(...given);
    if (!(predicate instanceof Tensor) || predicate.numel() !== 1 || predicate.type.elementType !== 'i1')
      throw wrongArgument({ call, argument: 'the result of the condition' }, predicate, 'a tensor with one boolean');
    return predicate;
  };
  const { maxTrips } = options;
  if (maxTrips !== undefined) {
    checkCount(call, 'maxTrips', maxTrips, 0);
    const turn = (before: S): readonly [S, undefined] => {
      const after = cond(
        condition(...before),
        () => {
          const next = body(...before);
          checkCarry(call, before, next);
          return next;
        },
        () => before,
      );
      return [after, undefined];
    };
    return scan(turn, state, undefined, { length: maxTrips })[0];
  }
  const { device } = first;
  const { trace, builder } = opening(device);
  const location = userLocation();
  builder.location = location;
  const inits = tensors.map(tensor => device.valueOf(tensor));
  for (const tensor of tensors) trace.used(tensor);
  const start = builder.lastId;
  const placeholders = inits.map(value => builder.reshape(value, (value.type as Tensor['type']).shape));
  const predicate = recordBody(call, device, placeholders, given =>
    builder.reshape(device.valueOf(condition(...(refill(state, given) as S))), []),
  );
  const next = recordBody(call, device, placeholders, given => body(...(refill(state, given) as S)));
  checkCarry(call, state, next);
  const results = tensorsIn(next).map(tensor => device.valueOf(tensor));
  const [test, turn, checks] = partsOf(trace, start, predicate, results, placeholders);
  // The first entry of the state counts iterations, for random numbers; the last entries are the worst indices.
  const counted = [builder.fill('i32', [], 0), ...inits, ...checks.map(check => nothingWrong(builder, check))];
  const types = counted.map(value => value.type);
  const placed = (values: readonly Value[]): Map<Value, Value> =>
    new Map(placeholders.map((value, i): [Value, Value] => [value, values[i]!]));
  const goesOnRegion = builder.region(types, (inner, args) => {
    const [count, ...rest] = args as [Value, ...Value[]];
    const map = placed(rest);
    inlineTurn(inner, test, map, count);
    return [map.get(predicate) ?? predicate];
  });
  const turnRegion = builder.region(types, (inner, args) => {
    const [count, ...rest] = args as [Value, ...Value[]];
    const map = placed(rest);
    inlineTurn(inner, turn, map, count);
    const wrong = checks.map(check => map.get(check.wrong) ?? check.wrong);
    return [
      inner.add(count, inner.fill('i32', [], 1)),
      ...results.map(value => map.get(value) ?? value),
      ...rest.slice(inits.length).map((earlier, i) => worst(inner, earlier, wrong[i]!)),
    ];
  });
  builder.location = location;
  const all = builder.emit('while', counted, {}, [goesOnRegion, turnRegion]).slice(1);
  const values = all.slice(0, inits.length);
  noteBodyChecks(trace, checks, all.slice(inits.length));
  const around = [...inits, ...test.captured, ...turn.captured];
  if (isGradEnabled() && around.some(value => isAttached(trace, value))) {
    const node = {
      name: 'while',
      location,
      inputs: around,
      outputs: values,
      gradient: () => {
        throw new TrenioError(
          'NOT_DIFFERENTIABLE',
          { op: call, reason: 'a loop of unknown length does not keep its states: set maxTrips' },
          { location },
        );
      },
    };
    for (const value of values) trace.nodes.set(value, node);
  } else for (const value of values) trace.stopped.add(value);
  return refill(state, made(device, values, 'while'));
}

/**
 * The ops of the condition and of an iteration, and the checks of their lookups. An iteration also checks the indices of the
 * condition before it; those of the last condition are not checked.
 */
function partsOf(
  trace: Trace,
  start: number,
  predicate: Value,
  results: readonly Value[],
  placeholders: readonly Value[],
): readonly [test: Body, turn: Body, checks: readonly IndexCheck[]] {
  const part = (values: readonly Value[]): Body => loopBody(trace, start, values, placeholders);
  const [test, turn] = [part([predicate]), part(results)];
  const checks = [...new Set([...checksOf(trace, test), ...checksOf(trace, turn)])];
  if (checks.length === 0) return [test, turn, checks];
  return [test, part([...results, ...checks.map(({ wrong }) => wrong)]), checks];
}

export { whileLoop as while };
