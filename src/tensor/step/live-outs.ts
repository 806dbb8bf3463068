// The live-outs of a trace: the tensors whose values are still needed after it runs, the memory they reuse, and how they
// become tensors with their own elements.
import type { Op, Value } from '../../hlo/index.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { isShared, type TensorImpl } from '../tensor-impl.ts';
import { isChanged, lostSource } from './held-values.ts';
import { operandsOf, type TracedProgram, workOf } from './program.ts';
import { leastShare } from './read-results.ts';
import type { Trace } from './trace.ts';

/** The tensors whose values must outlive the trace and do not have elements yet, in a fixed order. */
export function pendingLiveOuts(trace: Trace): TensorImpl[] {
  return liveOutsOf(trace).filter(impl => impl.buffer === undefined);
}
/** The tensors whose values must outlive the trace. */
export function liveOutsOf(trace: Trace): TensorImpl[] {
  const impls = new Set<TensorImpl>(trace.assigned.keys());
  for (const leaf of trace.graded) for (const { impl } of leaf.partials) impls.add(impl);
  for (const set of [trace.kept, trace.forwardResults, trace.unusedResults, trace.scalars])
    for (const impl of set) impls.add(impl);
  // Not a gradient of an earlier step that was accumulated further: that is a separate sum.
  return [...impls].filter(({ value, trace: of }) => value !== undefined && of === trace && value.id > trace.begin);
}

/**
 * The results of an evaluation that no other call has used yet, such as the other results of a layer, if they are cheap, or if
 * another program would do much of the work of `program` again to compute them.
 */
export function unusedBeside(trace: Trace, { ops }: TracedProgram, results: readonly Value[]): readonly TensorImpl[] {
  const isTraining = trace.graded.size > 0 || [...trace.forwardResults].some(result => result.requiresGrad);
  const begin = trace.builder.ops[0]?.results[0]?.id;
  if (isTraining || trace.evaluated.size === 0 || begin === undefined) return [];
  const share = leastShare * workOf(ops);
  return [...new Set([...trace.forwardResults, ...trace.unusedResults])].filter(impl => {
    const { value } = impl;
    const isPending = impl.buffer === undefined && impl.trace === trace && !impl.requiresGrad;
    if (value?.op === undefined || !isPending || value.id < begin || ops.has(value.op)) return false;
    const own = opsOf(value, results);
    const more = workOf(own.filter(op => !ops.has(op)));
    return more <= share || workOf(own) - more >= share;
  });
}
/** The ops that a value is computed from, given others. */
function opsOf(value: Value, given: readonly Value[]): readonly Op[] {
  const ops = new Set<Op>();
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.op === undefined || ops.has(next.op) || given.includes(next)) continue;
    ops.add(next.op);
    pending.push(...operandsOf(next.op));
  }
  return [...ops];
}

/** For each argument, the result that takes over its memory: the new value of the same piece of state. */
export function donations(trace: Trace, program: TracedProgram, results: readonly Value[]): (number | undefined)[] {
  const taken = new Set<number>();
  const index = new Map(results.map((value, i) => [value, i]));
  return program.sources.map(({ impl, buffer }) => {
    if (impl === undefined || trace.assigned.get(impl) !== buffer || isShared(buffer) || impl.value === undefined)
      return undefined;
    const result = index.get(impl.value);
    if (result === undefined || taken.has(result)) return undefined;
    taken.add(result);
    return result;
  });
}

/** A pending tensor becomes a leaf with these elements. */
export function become(impl: TensorImpl, buffer: DeviceBuffer): void {
  impl.buffer = buffer;
  impl.value = undefined;
  impl.trace = undefined;
  if (!impl.leaf) impl.requiresGrad = false;
  impl.leaf = true;
}

/**
 * These tensors of a step that has run have their elements. They become leaves, unless gradients can still flow through them
 * because the step changed none of the values that they depend on.
 */
export function finish(trace: Trace, impls: readonly TensorImpl[]): void {
  for (const impl of impls) {
    const { value } = impl;
    const mayHaveHistory = impl.requiresGrad && !impl.leaf && value !== undefined && !trace.losses.has(impl);
    if (!mayHaveHistory || lostSource(trace, value, isChanged) !== undefined) become(impl, impl.buffer!);
  }
  for (const impl of impls) impl.endView?.();
}
