// The live-outs of a trace: the tensors whose values are still needed after it runs, the memory they reuse, and how they
// become tensors with their own elements.
import type { Value } from '../../hlo/index.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { isShared, type TensorImpl } from '../tensor-impl.ts';
import { isChanged, lostSource } from './held-values.ts';
import type { TracedProgram } from './program.ts';
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
