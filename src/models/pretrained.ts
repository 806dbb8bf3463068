// Loads and saves the weights of a model directory, one tensor at a time, so that a load
// or a save never holds a second copy of the model. The architecture is defined in the model's own file.
import { TrenioError } from '../base/errors.ts';
import { loadInto, type Module } from '../nn/index.ts';
import type { LazyTensor, TensorReader } from './safetensors.ts';
import { matchWeights, openWeights } from './weights.ts';

/** Mismatches found when loading a directory. */
export interface PretrainedReport {
  /** Parameters missing in the files; they keep their initial values. */
  readonly missing: readonly string[];
  /** Tensors in the files that the model does not have. */
  readonly unexpected: readonly string[];
}

/** The state by name; each tensor is copied to the host only when it is needed. */
export function lazyState(model: Module): ReadonlyMap<string, LazyTensor> {
  return new Map([...model.namedParameters(), ...model.namedBuffers()]);
}

/** Loads a directory's weights, or these, into a model. All shapes are checked before anything is changed. */
export async function loadPretrained(
  model: Module,
  directory: string,
  basePrefix: string,
  mayMiss: (name: string) => boolean,
  weights?: TensorReader,
): Promise<PretrainedReport> {
  await using opened = weights === undefined ? await openWeights(directory) : undefined;
  const reader = weights ?? opened!;
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
