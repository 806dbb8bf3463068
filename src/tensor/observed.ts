// Events that tensors emit during training (src/observe): the memory of its state by kind, and losses that are read anyway.
// Nothing is computed or read for them.
import { byteSize } from '../hlo/types.ts';
import { emit, isObserved } from '../observe/events.ts';
import type { ArgumentSource } from './step/trace.ts';
import type { TensorImpl } from './tensor-impl.ts';

/**
 * Emits the memory of a training step's state when its program is new. `donated`: the result that takes each argument's
 * memory.
 */
export function observeState(sources: readonly ArgumentSource[], donated: readonly (number | undefined)[]): void {
  if (!isObserved() || donated.every(result => result === undefined)) return;
  let [parameterBytes, optimizerBytes] = [0, 0];
  sources.forEach(({ impl }, i) => {
    if (impl === undefined) return;
    const bytes = byteSize(impl.type);
    if (impl.leaf && impl.requiresGrad) parameterBytes += bytes;
    else if (donated[i] !== undefined && impl.gradOf === undefined) optimizerBytes += bytes;
  });
  // A step without parameters is not a training step: a running mean, a counter.
  if (parameterBytes > 0) emit({ kind: 'memory', parameterBytes, optimizerBytes });
}

/** Tensors that `backward()` was called on. */
const losses = new WeakSet<TensorImpl>();
export const markLoss = (impl: TensorImpl): void => void losses.add(impl);
export const isLoss = (impl: TensorImpl): boolean => losses.has(impl);

/** Emits a value that a script has read, if it is a loss. */
export function observeRead(impl: TensorImpl, value: number): void {
  if (losses.has(impl)) emit({ kind: 'loss', value });
}
