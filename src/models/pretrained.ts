// Weights between a model and the directory it is published in: maps tensors to files, one at a time, so that a load
// or a save never holds a second copy of the model. The architecture is defined in the model's own file.
import { TrenioError } from '../base/errors.ts';
import { loadInto, type Module } from '../nn/index.ts';
import type { LazyTensor } from './safetensors.ts';
import { matchWeights, openWeights } from './weights.ts';

/** What loading a directory found in addition to the weights that it used. */
export interface PretrainedReport {
  /** Parameters that the files lack; they keep their fresh values. */
  readonly missing: readonly string[];
  /** Tensors of the files that the model has no place for. */
  readonly unexpected: readonly string[];
}

/** The state by name, each tensor copied to the host only when its turn comes. */
export function lazyState(model: Module): ReadonlyMap<string, LazyTensor> {
  return new Map([...model.namedParameters(), ...model.namedBuffers()]);
}

/** Loads a directory's weights into a model. All shapes are checked before anything is changed. */
export async function loadPretrained(
  model: Module,
  directory: string,
  basePrefix: string,
  mayMiss: (name: string) => boolean,
): Promise<PretrainedReport> {
  await using reader = await openWeights(directory);
  const parameters = new Map([...model.namedParameters(), ...model.namedBuffers()]);
  const { found, missing, unexpected } = matchWeights(
    reader,
    new Map([...parameters].map(([name, p]) => [name, p.type])),
    { basePrefix },
  );
  const needed = missing.filter(name => !mayMiss(name));
  if (needed.length > 0)
    throw new TrenioError('STATE_KEYS', {
      what: `${model.constructor.name} (${reader.file})`,
      missing: needed,
      unexpected: [],
    });
  for (const [name, inFile] of found) loadInto(parameters.get(name)!, await reader.read(inFile));
  return { missing, unexpected };
}
