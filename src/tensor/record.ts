// Records one call on tensors: `lower` appends the ops that compute it and returns the results. All operations
// on tensors go through here. Layers with several ops use it, too, which avoids intermediate tensors.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { isContinuous } from '../hlo/types.ts';
import { isScalar, notATensor, wrongArgument } from './check-arguments.ts';
import type { Device } from './device.ts';
import { isGradEnabled } from './gradients/grad-mode.ts';
import { mayCarryGradient } from './gradients/gradient-graph.ts';
import { zeroGradient } from './gradients/gradient-node.ts';
import { userLocation } from './location.ts';
import type { Operand, Scalar } from './lower/elementwise.ts';
import { operandsOf } from './step/program.ts';
import type { Trace } from './step/trace.ts';
import { opening, type TensorInit } from './tensor-core.ts';
import { Traced } from './traced.ts';
import { shareElements, type ViewKind } from './views/view.ts';

type Lowering = (b: Builder, values: readonly Value[], trace: Trace) => Value;
/** Determines the device and class of results. */
interface Origin {
  readonly device: Device;
  make(init: TensorInit): Traced;
}
export interface RecordOptions {
  /** Where the results are made, for calls that may have no inputs. */
  readonly on?: Origin;
  /** False: no gradient flows through the result. */
  readonly differentiable?: boolean;
  /** The results share the elements of the first input, as PyTorch's views do; `reshape`: where PyTorch would not copy. */
  readonly view?: ViewKind | undefined;
}

export function record<T extends Traced>(
  op: string,
  inputs: readonly T[],
  lower: Lowering,
  options: RecordOptions = {},
): T {
  return recordAny(op, inputs, lower, options, record) as T;
}

/** `record` of a call with one result or a list of them. The search for the user's line starts at the caller of `from`. */
export function recordAny<T extends Traced>(
  op: string,
  inputs: readonly T[],
  lower: (b: Builder, values: readonly Value[], trace: Trace) => Value | readonly Value[],
  options: RecordOptions = {},
  from: (...args: never) => unknown = recordAny,
): T | T[] {
  if (!Array.isArray(inputs)) throw wrongArgument({ call: op, argument: 'the list' }, inputs, 'an array of tensors');
  for (const input of inputs)
    if (!(input instanceof Traced)) throw notATensor({ call: op, argument: 'an operand' }, input);
  const first = options.on ?? inputs[0];
  if (first === undefined) throw new TrenioError('NO_TENSORS', { op }, { location: userLocation() });
  const { device } = first;
  if (device.beginsStep() && isGradEnabled() && inputs.some(input => input.requiresGrad)) device.endStep();
  const { trace, builder } = opening(device);
  const location = userLocation(from);
  let needsGrad = false;
  const values: Value[] = [];
  for (const input of inputs) {
    if (input.device !== device)
      throw new TrenioError('DEVICE_MISMATCH', { op, left: String(device), right: String(input.device) }, { location });
    values.push(device.valueOf(input));
    needsGrad ||= input.requiresGrad;
  }
  builder.location = location;
  const before = builder.lastId;
  const lowered = lower(builder, values, trace);
  for (const input of inputs) trace.used(input);
  const isDifferentiable = needsGrad && isGradEnabled() && options.differentiable !== false;
  const made = (computed: Value): T => {
    let value = computed;
    const type = tensorTypeOf(value);
    const requiresGrad = isDifferentiable && isContinuous(type.elementType);
    if (requiresGrad) {
      const sources = values.filter((_, i) => inputs[i]!.requiresGrad);
      if (!dependsOn(trace, value, sources, before)) {
        value = builder.reshape(value, type.shape);
        trace.nodes.set(value, zeroGradient(op, location, sources, value));
      }
    }
    if (needsGrad && !requiresGrad && isContinuous(type.elementType)) {
      if (values.includes(value)) value = builder.reshape(value, shapeOf(value));
      trace.stopped.add(value);
    }
    const result = first.make({ device, type, op, value, trace, location, requiresGrad, leaf: !requiresGrad });
    if (options.view !== undefined)
      shareElements(inputs[0]!, result, values[0]!, options.view, needsGrad && !requiresGrad);
    device.made(result);
    device.computed(result);
    return result as T;
  };
  return 'id' in lowered ? made(lowered) : lowered.map(made);
}

/** Whether gradients can flow from a value to one of `sources`, through ops recorded after `before`. */
function dependsOn(trace: Trace, value: Value, sources: readonly Value[], before: number): boolean {
  const isPassable = (v: Value): boolean => v.id > before && !trace.stopped.has(v) && mayCarryGradient(v);
  if (isPassable(value) && value.op?.operands.some(operand => sources.includes(operand))) return true;
  const seen = new Set<Value>();
  const pending: Value[] = [value];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    if (sources.includes(v)) return true;
    if (v.op === undefined || seen.has(v) || !isPassable(v)) continue;
    seen.add(v);
    pending.push(...operandsOf(v.op));
  }
  return false;
}

/** `record` where operands may be JavaScript numbers; at least one is a tensor. */
export function combine<T extends Traced>(
  op: string,
  operands: readonly (T | Scalar)[],
  lower: (b: Builder, xs: readonly Operand[]) => Value,
): T {
  const inputs = operands.filter(x => x instanceof Traced) as T[];
  for (const x of operands)
    if (!(x instanceof Traced) && !isScalar(x))
      throw notATensor({ call: op, argument: 'an operand' }, x, 'a tensor or a number');
  return record(op, inputs, (b, values) => {
    let next = 0;
    return lower(
      b,
      operands.map(x => (x instanceof Traced ? values[next++]! : (x as Scalar))),
    );
  });
}
