// Loops inside the step: one compiled loop instead of many copies of its body.

import { moveDim } from '../../autodiff/index.ts';
import { TrenioError } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';
import { formatType, isFloat, sameType } from '../../hlo/types.ts';
import { tensorOf } from '../autograd/function.ts';
import { checkFunction, wrongArgument } from '../check-arguments.ts';
import type { Device } from '../device.ts';
import { firstExample } from '../func/batcher.ts';
import { placeholder, recordExample } from '../func/example.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { userLocation } from '../location.ts';
import { mapTensors, signatureOf, tensorsIn } from '../structure.ts';
import type { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import { emitLoop } from './loop.ts';

/** Options of `control.scan`. */
export interface ScanOptions {
  /** The dim of `xs` to iterate along: 0 by default. Results are stacked along dim 0. */
  readonly dim?: number;
  /** Iterates from the last to the first. */
  readonly reverse?: boolean;
  /** The number of iterations, if there are no `xs`. */
  readonly length?: number;
}

/**
 * Iterates along a dim of `xs` (a tensor, or a structure of tensors), passing a carry from step to step: `fn(carry, x)` returns
 * [next carry, y]; the result is [last carry, ys], with stacked ys. The program has a single loop, whatever the length.
 * Gradients flow through it, also to tensors from outside that `fn` uses: backward iterates in reverse, from the carries before
 * each step, which the forward pass stores. Random numbers differ between steps.
 *
 *     const [h, hs] = control.scan((h: Tensor, x: Tensor) => {
 *       const next = x.matmul(wx).add(h.matmul(wh)).tanh();
 *       return [next, next];
 *     }, h0, xs);
 * @throws {LOOP_TYPES} if the next carry has other types than the first, or xs differ in length
 * @throws {READ_IN_FUNCTION} if fn reads one of its arguments
 * @throws {SIDE_EFFECT} if fn assigns to a tensor from outside
 * @example
 * const step = (sum: Tensor, x: Tensor) => [sum.add(x), sum.add(x)] as const;
 * const [total, sums] = control.scan(step, tensor(0), tensor([1, 2, 3])); // 6, [1, 3, 6]
 */
export function scan<C, X, Y>(
  fn: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  options: ScanOptions = {},
): [carry: C, ys: Y] {
  checkFunction('control.scan', 'its first argument', fn);
  const { dim = 0, reverse = false } = options;
  const call = 'control.scan';
  const [first, inputs] = [tensorsIn(init), tensorsIn(xs)];
  const device = (first[0] ?? inputs[0])?.device;
  if (device === undefined)
    throw wrongArgument({ call, argument: 'init and xs' }, init, 'tensors, or structures of them');
  const turns = turnsOf(inputs, dim, options.length);
  const location = userLocation();
  const { trace, builder } = opening(device);
  builder.location = location;
  const inits = first.map(tensor => device.valueOf(tensor));
  const stacked = inputs.map(x => moveDim(builder, device.valueOf(x), dim < 0 ? dim + x.ndim : dim, 0));
  const start = builder.lastId;
  const carryPlaceholders = inits.map(value => builder.reshape(value, (value.type as Tensor['type']).shape));
  const slicePlaceholders = stacked.map(value => firstExample(trace, value));
  const body = recordBody(call, device, [...carryPlaceholders, ...slicePlaceholders], given => {
    const [carry, x] = [given.slice(0, inits.length), given.slice(inits.length)];
    const returned = fn(refill(init, carry), refill(xs, x));
    if (!Array.isArray(returned) || returned.length !== 2)
      throw wrongArgument({ call, argument: 'the result of the function' }, returned, 'a list [next carry, y]');
    return returned as unknown as readonly [C, Y];
  });
  const [carry, y] = body as readonly [C, Y];
  checkCarry(call, init, carry);
  const carries = tensorsIn(carry).map(tensor => device.valueOf(tensor));
  const outputs = tensorsIn(y).map(tensor => device.valueOf(tensor));
  for (const tensor of [...first, ...inputs]) trace.used(tensor);
  const result =
    turns === 0
      ? {
          carries: inits,
          outputs: outputs.map(value => {
            const { elementType, shape } = value.type as Tensor['type'];
            return builder.fill(elementType, [0, ...shape], 0);
          }),
        }
      : emitLoop({
          name: 'scan',
          device,
          location,
          turns,
          isReverse: reverse,
          start,
          inits,
          inputs: stacked,
          carryPlaceholders,
          slicePlaceholders,
          carries,
          outputs,
        });
  return [refill(carry, made(device, result.carries, 'scan')), refill(y, made(device, result.outputs, 'scan'))];
}

/** Records the body of a loop, given placeholders as tensors. */
export function recordBody<T>(
  call: string,
  device: Device,
  placeholders: readonly Value[],
  body: (given: readonly Tensor[]) => T,
): T {
  const { trace } = device;
  // A carry that starts as a constant may depend on parameters after the first iteration.
  const active = isGradEnabled()
    ? placeholders.filter(value => isFloat((value.type as Tensor['type']).elementType))
    : [];
  for (const value of active) trace.active.add(value);
  try {
    return recordExample(call, device, placeholders, () =>
      body(placeholders.map(value => placeholder(device, value, call, active.includes(value)))),
    );
  } finally {
    for (const value of active) trace.active.delete(value);
  }
}

/** The structure, rebuilt with these tensors. */
export function refill<T>(structure: T, tensors: readonly Tensor[]): T {
  let next = 0;
  return mapTensors(structure, () => tensors[next++]) as T;
}
/** Values of the open trace, as tensors. */
export const made = (device: Device, values: readonly Value[], op: string): Tensor[] =>
  values.map(value => {
    const tensor = tensorOf(device, value, op);
    device.trace.made(tensor);
    return tensor;
  });

function turnsOf(inputs: readonly Tensor[], dim: number, length: number | undefined): number {
  let turns = length;
  for (const x of inputs) {
    const size = x.shape.at(dim);
    if (size === undefined || dim >= x.ndim)
      throw badLoop('control.scan', `a tensor of ${x.ndim} dims has no dim ${dim}`);
    if (turns !== undefined && turns !== size)
      throw badLoop('control.scan', `xs have ${turns} and ${size} slices along dim ${dim}`);
    turns = size;
  }
  if (turns === undefined || !Number.isSafeInteger(turns) || turns < 0)
    throw wrongArgument({ call: 'control.scan', argument: 'the length' }, turns, 'an integer, where there are no xs');
  return turns;
}

/** @throws {LOOP_TYPES} */
export function checkCarry(call: string, init: unknown, carry: unknown): void {
  const [before, after] = [tensorsIn(init), tensorsIn(carry)];
  if (before.length !== after.length)
    throw badLoop(call, `the state begins as ${signatureOf(init)} and becomes ${signatureOf(carry)}`);
  before.forEach((tensor, i) => {
    if (!sameType(tensor.type, after[i]!.type))
      throw badLoop(
        call,
        `a tensor of the state begins as ${formatType(tensor.type)} and becomes ${formatType(after[i]!.type)}`,
      );
  });
}
export const badLoop = (call: string, problem: string): TrenioError =>
  new TrenioError('LOOP_TYPES', { call, problem }, { location: userLocation() });
