// Records a function for one example, or for one iteration of a loop: its arguments are placeholders, and the recorded
// ops are then rewritten for all examples, or moved into the body of the loop. They never run as recorded.
import { TrenioError } from '../../base/errors.ts';
import type { Op, Value } from '../../hlo/program.ts';
import type { Device } from '../device.ts';
import { userLocation } from '../location.ts';
import { operandsOf } from '../step/program.ts';
import type { Trace } from '../step/trace.ts';
import { Tensor } from '../tensor.ts';
import type { TensorImpl } from '../tensor-impl.ts';
import { dependsOnExample } from './placeholders.ts';

/**
 * Calls `body`, given placeholders that are values of the open trace, and forgets the tensors that it created but did not use.
 * @throws {SIDE_EFFECT} if it assigns to a tensor from outside a value that depends on a placeholder (in a branch: any value)
 */
export function recordExample<T>(
  call: string,
  device: Device,
  placeholders: readonly Value[],
  body: () => T,
  isBranch = false,
): T {
  const { trace } = device;
  const before = [trace.unusedResults, trace.forwardResults, trace.kept].map(impls => new Set(impls));
  const assigned = new Map([...trace.assigned.keys()].map(impl => [impl, impl.value]));
  for (const value of placeholders) trace.placeholders.add(value);
  // The rewritten body checks its indices; here they are those of one example, or of a branch that may not run.
  const { onCheck } = trace;
  trace.onCheck = undefined;
  try {
    return body();
  } finally {
    trace.onCheck = onCheck;
    [trace.unusedResults, trace.forwardResults, trace.kept].forEach((impls, i) => {
      for (const impl of impls) if (!before[i]!.has(impl)) impls.delete(impl);
    });
    try {
      refuseAssignments(call, trace, assigned, isBranch);
    } finally {
      for (const value of placeholders) trace.placeholders.delete(value);
    }
  }
}

function refuseAssignments(
  call: string,
  trace: Trace,
  before: ReadonlyMap<TensorImpl, Value | undefined>,
  isBranch: boolean,
): void {
  for (const [impl, buffer] of [...trace.assigned]) {
    if (impl.value === undefined || impl.value === before.get(impl)) continue;
    if (!isBranch && !dependsOnExample(trace, impl.value)) continue;
    impl.value = before.get(impl);
    if (!before.has(impl)) {
      trace.assigned.delete(impl);
      impl.buffer = buffer;
      impl.trace = undefined;
    }
    throw new TrenioError(
      'SIDE_EFFECT',
      { call, shape: `[${impl.type.shape}]`, label: impl.label },
      { location: userLocation() },
    );
  }
}

/**
 * The ops recorded since `start` that some values are computed from, in program order; the search stops at `ends`. With
 * `nodes`, the ops that their gradients depend on are included.
 */
export function recordedOps(
  trace: Trace,
  start: number,
  values: readonly Value[],
  isEnd: (value: Value) => boolean,
  withNodes = false,
): readonly Op[] {
  const ops = new Set<Op>();
  const seen = new Set<Value>();
  const pending: Value[] = [...values];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    if (seen.has(v) || isEnd(v)) continue;
    seen.add(v);
    const node = withNodes ? trace.nodes.get(v) : undefined;
    if (node !== undefined) pending.push(...node.inputs, ...node.outputs);
    if (v.op === undefined || ops.has(v.op) || (v.op.results[0]?.id ?? -1) <= start) continue;
    ops.add(v.op);
    pending.push(...operandsOf(v.op));
  }
  return [...ops].sort((a, b) => (a.results[0]?.id ?? 0) - (b.results[0]?.id ?? 0));
}

/** A placeholder tensor in a function that is being recorded. */
export const placeholder = (device: Device, value: Value, op: string, requiresGrad: boolean): Tensor => {
  const { trace } = device;
  const made = new Tensor({
    device,
    type: value.type as Tensor['type'],
    op,
    value,
    trace,
    location: userLocation(),
    requiresGrad,
    leaf: !requiresGrad,
  });
  device.computed(made);
  return made;
};
