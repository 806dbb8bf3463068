// The batch and the sequence, divided where a model receives them: its tensors keep the shapes of the whole.
import { refuseUnknownOptions } from '../../base/known-options.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { Module } from '../../nn/index.ts';
import { constrained, mapTensors, meshName, type Tensor, userLocation, wrongArgument } from '../../tensor/index.ts';

/** The axes of the mesh among these, from major to minor. */
export const axesAmong = (mesh: DeviceMesh, names: readonly string[]): readonly string[] =>
  mesh.axes.map(({ name }) => name).filter(name => names.includes(name));

export const expertAxes = ['ep', 'expert'] as const;
export const batchAxes = ['dp_replicate', 'dp_shard', ...expertAxes] as const;
export const sequenceAxes = ['cp', 'context'] as const;

/**
 * Divides dim 0 of all tensors that a module is called with along these axes, and dim 1 along others. Dims without an axis stay
 * as another call has divided them.
 */
export function divideInputs(module: Module, batch: readonly string[], sequence: readonly string[]): void {
  if (batch.length + sequence.length === 0) return;
  const divided = (x: Tensor): Tensor => {
    if (x.ndim === 0) return x;
    const refs = (names: readonly string[]) => names.map(name => ({ name }));
    const axes = [refs(batch), refs(sequence)];
    const dims = x.shape.map((_, d) => ({ axes: axes[d] ?? [], isOpen: (axes[d] ?? []).length === 0 }));
    return constrained(x, { mesh: meshName, dims, replicated: [], unreduced: [], reduction: 'sum' });
  };
  module.registerForwardPreHook((_, args) => mapTensors(args, divided) as unknown[]);
}

/** @throws {NO_SUCH_OPTION} with the line of the call */
export const checkOptions = (call: string, options: object, known: readonly string[]): void =>
  refuseUnknownOptions(call, options, known, userLocation());
/** @throws {WRONG_ARGUMENT} for anything other than a module */
export const checkModel = (call: string, model: Module): void => {
  if (!(model instanceof Module)) throw wrongArgument({ call, argument: 'the model' }, model, 'a module');
};
