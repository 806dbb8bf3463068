// The optimizer of a checkpoint in PyTorch's format.
import type { Literal } from '../../hlo/literal.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import type { CheckpointReader } from './read-checkpoint.ts';
import { type Json, readState, tensorNames } from './state-tree.ts';

/** The optimizer of a checkpoint, and the number of its tensors; undefined if it has none, or several. */
export async function optimizerOf(
  checkpoint: CheckpointReader,
): Promise<{ readonly optimizer: OptimizerState; readonly tensors: number } | undefined> {
  const json = checkpoint.manifest.state.optimizer as Json | undefined;
  if (json === undefined) return undefined;
  const names = tensorNames(json);
  const tensors = new Map<string, Literal>();
  for (const name of names) tensors.set(name, await checkpoint.read(name));
  const state = readState(json, tensors) as Partial<OptimizerState>;
  if (!(state.tensors instanceof Map) || !Array.isArray(state.groups)) return undefined;
  return { optimizer: state as OptimizerState, tensors: names.length };
}
