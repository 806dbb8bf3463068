// The common part of function transformations: calling a function on arguments with respect to which it is differentiated,
// and propagating cotangents back from its results. Calls nest: each has its own argument values, so the
// gradients of different calls are never confused.
import type { Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { wrongArgument } from '../check-arguments.ts';
import type { Device } from '../device.ts';
import { noGradient } from '../gradients/backward.ts';
import { enableGrad, isGradEnabled, withGradMode } from '../gradients/grad-mode.ts';
import { cotangentsIn, gradientGraph, isAttached } from '../gradients/gradient-graph.ts';
import { userLocation } from '../location.ts';
import type { Trace } from '../step/trace.ts';
import { mapTensors, tensorsIn } from '../structure.ts';
import { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';

/** A function call that can be differentiated. */
export interface Level<R> {
  readonly device: Device;
  readonly trace: Trace;
  /** The values of the float tensors among the arguments, in order; undefined for others. */
  readonly inner: readonly (Value | undefined)[];
  readonly inputs: readonly Tensor[];
  readonly returned: R;
  readonly outputs: readonly Tensor[];
  /** The results as seen outside: constants if no gradients are recorded there. */
  readonly isRecorded: boolean;
}

/** Calls `fn` with tensors in place of those in `args`, with respect to which its results can be differentiated. */
export function openLevel<A, R>(call: string, args: A, fn: (inner: A) => R): Level<R> {
  const inputs = tensorsIn(args);
  const [first] = inputs;
  if (first === undefined)
    throw wrongArgument({ call, argument: 'the arguments' }, args, 'tensors, or structures of them');
  const { device } = first;
  const { trace, builder } = opening(device);
  const location = userLocation();
  builder.location = location;
  const isRecorded = isGradEnabled();
  const inner = inputs.map(x =>
    isFloat(x.type.elementType) ? builder.reshape(device.valueOf(x), x.shape) : undefined,
  );
  const active = inner.filter(value => value !== undefined);
  for (const value of active) trace.active.add(value);
  try {
    let next = 0;
    const given = mapTensors(args, tensor => {
      const value = inner[next++];
      if (value === undefined) return tensor;
      const made = new Tensor({
        device,
        type: (tensor as Tensor).type,
        op: call,
        value,
        trace,
        location,
        requiresGrad: true,
        leaf: false,
      });
      device.computed(made);
      return made;
    }) as A;
    for (const input of inputs) trace.used(input);
    const returned = enableGrad(() => fn(given));
    return { device, trace, inner, inputs, returned, outputs: tensorsIn(returned), isRecorded };
  } finally {
    for (const value of active) trace.active.delete(value);
  }
}

/** A value of a level as seen by its caller. */
export function outside({ device, trace, isRecorded }: Level<unknown>, value: Value, op: string): Tensor {
  const { builder } = trace;
  const type = value.type as Tensor['type'];
  const own = builder.reshape(value, type.shape);
  const requiresGrad = isRecorded && isFloat(type.elementType) && isAttached(trace, own);
  if (!requiresGrad) trace.stopped.add(own);
  const location = userLocation();
  const made = new Tensor({ device, type, op, value: own, trace, location, requiresGrad, leaf: !requiresGrad });
  trace.made(made);
  device.computed(made);
  return made;
}
/** The results of a level as its caller has them. */
export function returnedOutside<R>(level: Level<unknown>, returned: R, op: string): R {
  return mapTensors(returned, tensor => {
    level.trace.used(tensor);
    return outside(level, level.device.valueOf(tensor), op);
  }) as R;
}

/**
 * The cotangents of the arguments of a level, given those of some of its results; undefined where none flows.
 * @throws {NO_GRADIENT_HERE} after the step in which the function was called
 */
export function pullBack(
  call: string,
  level: Level<unknown>,
  outputs: readonly Value[],
  cotangents: readonly Value[],
): readonly (Value | undefined)[] {
  const { device, trace, inner } = level;
  if (device.trace !== trace) throw noGradient(call, 'the step in which the function was called is over');
  trace.builder.location = userLocation();
  const wrt = inner.filter(value => value !== undefined);
  for (const value of wrt) trace.active.add(value);
  try {
    const found = withGradMode(true, () =>
      cotangentsIn(
        device,
        trace,
        gradientGraph(trace, outputs),
        outputs.map((value, i) => [value, cotangents[i]!]),
        wrt,
      ),
    );
    return inner.map(value => (value === undefined ? undefined : found[wrt.indexOf(value)]));
  } finally {
    for (const value of wrt) trace.active.delete(value);
  }
}
