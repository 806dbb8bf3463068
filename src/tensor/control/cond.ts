// Branches inside the step: the program contains all of them and runs the chosen one. The same holds for its gradient.
import type { SourceLocation } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { formatType, isFloat, isInteger, sameType } from '../../hlo/types.ts';
import { checkFunction, wrongArgument } from '../check-arguments.ts';
import type { Device } from '../device.ts';
import { recordExample } from '../func/example.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { cotangentsIn, gradientGraph, isAttached } from '../gradients/gradient-graph.ts';
import { userLocation } from '../location.ts';
import { signatureOf, tensorsIn } from '../structure.ts';
import { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import { branchBody, inlineTurn } from './body.ts';
import { checksOf, noteBodyChecks, nothingWrong } from './body-checks.ts';
import { badLoop, made, refill } from './scan.ts';

/**
 * The result of `onTrue(...operands)` if the predicate (a tensor with one boolean, or a boolean) holds, else of
 * `onFalse(...operands)`. Only one of them runs; both must return the same structure of tensors. Gradients flow through the
 * one that ran, also to tensors used from outside.
 *
 *     const y = control.cond(x.sum().gt(0), x => x.sin(), x => x.cos(), [x]);
 * @throws {LOOP_TYPES} where the branches return other structures, shapes or data types
 * @throws {WRONG_ARGUMENT} for a predicate that is not a boolean
 * @throws {SIDE_EFFECT} where a branch assigns to a tensor from outside
 * @example
 * const x = tensor(3);
 * control.cond(x.gt(0), () => x.sqrt(), () => x.neg()) // 1.732…
 */
export function cond<A extends readonly unknown[], R>(
  predicate: Tensor | boolean,
  onTrue: (...operands: A) => R,
  onFalse: (...operands: A) => R,
  operands: A = [] as unknown as A,
): R {
  checkFunction('control.cond', 'the function for true', onTrue);
  checkFunction('control.cond', 'the function for false', onFalse);
  if (typeof predicate === 'boolean') return predicate ? onTrue(...operands) : onFalse(...operands);
  if (!(predicate instanceof Tensor) || predicate.numel() !== 1 || predicate.type.elementType !== 'i1')
    throw wrongArgument(
      { call: 'control.cond', argument: 'the predicate' },
      predicate,
      'a boolean, or a tensor with one',
    );
  return choose('control.cond', predicate, [onTrue, onFalse], operands);
}

/**
 * The result of the function at a position, given as a tensor with one integer; the last one if the position is out of range.
 *
 *     const y = control.switch(step.remainder(2), [x => x.sin(), x => x.cos()], [x]);
 * @throws {LOOP_TYPES} where the branches return other structures, shapes or data types
 * @throws {WRONG_ARGUMENT} for an index that is not an integer
 * @example
 * control.switch(tensor(1, { dtype: 'int64' }), [x => x.neg(), x => x.mul(10)], [tensor(3)]) // 30
 */
function switchOf<A extends readonly unknown[], R>(
  index: Tensor,
  branches: readonly ((...operands: A) => R)[],
  operands: A = [] as unknown as A,
): R {
  for (const branch of branches) checkFunction('control.switch', 'a branch', branch);
  if (branches.length === 0)
    throw wrongArgument({ call: 'control.switch', argument: 'the branches' }, branches, 'at least one function');
  if (!(index instanceof Tensor) || index.numel() !== 1 || !isInteger(index.type.elementType))
    throw wrongArgument({ call: 'control.switch', argument: 'the index' }, index, 'a tensor with one integer');
  return choose('control.switch', index.to('i32'), branches, operands);
}

export { switchOf as switch };

interface Branches {
  readonly name: string;
  readonly device: Device;
  readonly location: SourceLocation | undefined;
  /** A boolean or an int32. */
  readonly index: Value;
  /** Ops recorded from here on belong to the branches. */
  readonly start: number;
  /** Down to these. */
  readonly isEnd: (value: Value) => boolean;
  /** The results of each branch. */
  readonly results: readonly (readonly Value[])[];
}

function choose<A extends readonly unknown[], R>(
  call: string,
  index: Tensor,
  branches: readonly ((...operands: A) => R)[],
  operands: A,
): R {
  const { device } = index;
  const { trace, builder } = opening(device);
  const location = userLocation();
  builder.location = location;
  const chosen = builder.reshape(device.valueOf(index), []);
  trace.used(index);
  for (const tensor of tensorsIn(operands)) {
    device.valueOf(tensor);
    trace.used(tensor);
  }
  const start = builder.lastId;
  const returned = branches.map(branch => recordExample(call, device, [], () => branch(...operands), true));
  const [first, ...others] = returned.map(structure => tensorsIn(structure)) as [Tensor[], ...Tensor[][]];
  others.forEach((list, i) => {
    if (list.length !== first.length)
      throw badLoop(call, `one branch returns ${signatureOf(returned[0])}, another ${signatureOf(returned[i + 1])}`);
    list.forEach((tensor, k) => {
      if (!sameType(tensor.type, first[k]!.type))
        throw badLoop(call, `one branch returns ${formatType(first[k]!.type)}, another ${formatType(tensor.type)}`);
    });
  });
  const values = emitBranches({
    name: call.replace('control.', ''),
    device,
    location,
    index: chosen,
    start,
    isEnd: () => false,
    results: [first, ...others].map(list => list.map(tensor => device.valueOf(tensor))),
  });
  return refill(returned[0]!, made(device, values, call.replace('control.', '')));
}

function emitBranches(branches: Branches): readonly Value[] {
  const { device, index, results, start, isEnd } = branches;
  const { trace } = device;
  const b: Builder = trace.builder;
  b.location = branches.location;
  const plain = results.map(list => branchBody(trace, start, list, isEnd));
  const checks = plain.map(body => checksOf(trace, body));
  const all = checks.flat();
  const bodies = results.map((list, i) =>
    checks[i]!.length === 0
      ? plain[i]!
      : branchBody(trace, start, [...list, ...checks[i]!.map(({ wrong }) => wrong)], isEnd),
  );
  const captured = [...new Set(bodies.flatMap(body => body.captured))];
  const regions = bodies.map((body, i) =>
    b.region([], inner => {
      const map = new Map<Value, Value>();
      inlineTurn(inner, body, map);
      // checks of other branches find nothing
      const wrong = all.map(check =>
        checks[i]!.includes(check) ? (map.get(check.wrong) ?? check.wrong) : nothingWrong(inner, check),
      );
      return [...results[i]!.map(value => map.get(value) ?? value), ...wrong];
    }),
  );
  const name = tensorTypeOf(index).elementType === 'i1' ? 'if' : 'case';
  const emitted = b.emit(name, [index], {}, regions);
  const values = emitted.slice(0, results[0]!.length);
  noteBodyChecks(trace, all, emitted.slice(values.length));
  const isDifferentiated =
    isGradEnabled() && captured.some(v => isFloat(tensorTypeOf(v).elementType) && isAttached(trace, v));
  if (!isDifferentiated) for (const value of values) trace.stopped.add(value);
  else {
    const node = {
      name: branches.name,
      location: branches.location,
      inputs: captured,
      outputs: values,
      gradient: (request: Parameters<typeof gradientOf>[2]) => gradientOf(branches, captured, request),
    };
    for (const value of values) trace.nodes.set(value, node);
  }
  return values;
}

function gradientOf(
  branches: Branches,
  captured: readonly Value[],
  request: { readonly cotangents: readonly (Value | undefined)[]; readonly needs: (value: Value) => boolean },
): readonly (Value | undefined)[] {
  const { device, results } = branches;
  const { trace } = device;
  const b: Builder = trace.builder;
  const wanted = captured.filter(value => isFloat(tensorTypeOf(value).elementType) && request.needs(value));
  const outside = new Set<Value>([...captured, ...request.cotangents.filter(value => value !== undefined)]);
  const isEnd = (value: Value): boolean => outside.has(value);
  const gradients = results.map(list => {
    const seeds = list.flatMap((value, i) => {
      const cotangent = request.cotangents[i];
      return cotangent === undefined ? [] : [[value, cotangent] as const];
    });
    const graph = gradientGraph(
      trace,
      seeds.map(([value]) => value),
      isEnd,
    );
    return cotangentsIn(device, trace, graph, seeds, wanted).map((g, i) => g ?? b.like(wanted[i]!, 0));
  });
  const found = emitBranches({ ...branches, isEnd, results: gradients });
  return captured.map(value => (wanted.includes(value) ? found[wanted.indexOf(value)] : undefined));
}
