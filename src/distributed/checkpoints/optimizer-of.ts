// The optimizer of a checkpoint in PyTorch's format.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import { elementCount } from '../../hlo/types.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import type { CheckpointReader } from './read-checkpoint.ts';
import { type Json, readState, tensorNames } from './state-tree.ts';

/**
 * The optimizer of a checkpoint, and the number of its tensors; undefined if it has none, or several.
 * @throws {UNSUPPORTED} for state that was divided among ranks, if the shapes of its parameters are not known
 */
export async function optimizerOf(
  checkpoint: CheckpointReader,
  model: TensorReader,
): Promise<{ readonly optimizer: OptimizerState; readonly tensors: number } | undefined> {
  const json = checkpoint.manifest.state.optimizer as Json | undefined;
  if (json === undefined) return undefined;
  const names = tensorNames(json);
  const tensors = new Map<string, Literal>();
  for (const name of names) tensors.set(name, await readWhole(checkpoint, name));
  const state = readState(json, tensors) as Partial<OptimizerState>;
  if (!(state.tensors instanceof Map) || !Array.isArray(state.groups)) return undefined;
  const moments = [...tensors.values()].filter(({ type }) => type.shape.length > 0);
  const sizes = new Set(
    [...model.types.values()].filter(({ shape }) => shape.length > 1).map(({ shape }) => elementCount(shape)),
  );
  // State that was divided among ranks is a list of elements. Older checkpoints lack the shapes of the parameters.
  if (moments.length > 0 && moments.every(({ type: { shape } }) => shape.length === 1))
    if (moments.some(({ type: { shape } }) => sizes.has(shape[0]!)))
      throw new TrenioError('UNSUPPORTED', {
        what: 'the state of an optimizer that was divided among ranks',
        where: 'a file of torch.save',
        instead: 'use --part model, or resume once and save: since then, checkpoints have the shapes of the parameters',
      });
  return { optimizer: state as OptimizerState, tensors: names.length };
}

async function readWhole(checkpoint: CheckpointReader, name: string): Promise<Literal> {
  const literal = await checkpoint.read(name);
  const { parameterShape } = checkpoint.manifest.tensors[name]!;
  return parameterShape === undefined ? literal : { ...literal, type: { ...literal.type, shape: parameterShape } };
}
