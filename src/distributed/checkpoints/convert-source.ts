// The source of a conversion: the tensors of a model, and its optimizer if the target keeps it.
import { dirname } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import type { Manifest } from './manifest.ts';
import { optimizerOf } from './optimizer-of.ts';
import { CheckpointReader } from './read-checkpoint.ts';
import {
  type CheckpointFormat,
  checkpointFormat,
  checkpointTensors,
  openTensors,
  withoutPrefix,
} from './tensor-files.ts';
import { openTorchSource } from './torch-source.ts';
import { verifyCheckpoint } from './verify.ts';

export interface ConvertSource extends AsyncDisposable {
  readonly from: CheckpointFormat;
  readonly tensors: TensorReader;
  readonly optimizer: OptimizerState | undefined;
  /** The number of tensors that belong to neither the model nor the optimizer. */
  readonly leftOut: number;
  /** The manifest, if the source is a checkpoint. */
  readonly manifest: Manifest | undefined;
  /** The directory of config.json and the tokenizer, if they exist. */
  readonly directory: string;
}

/** The names of the tensors of a model in a checkpoint. */
const modelPart = 'model';

/**
 * `part`: only tensors of this part, and no optimizer. Default: those of a model.
 * @throws {CHECKPOINT_INVALID} if there are none
 */
export async function openConvertSource(
  path: string,
  part: string | undefined,
  to: CheckpointFormat,
): Promise<ConvertSource> {
  const from = await checkpointFormat(path);
  const keepsOptimizer = part === undefined && (to === 'torch-file' || (to === 'trenio' && from !== 'trenio'));
  if (from === 'torch-file' || from === 'torch-distributed') {
    const source = await openTorchSource(path, from, part, keepsOptimizer);
    const directory = from === 'torch-file' ? dirname(path) : path;
    const { tensors } = source;
    return { ...source, from, manifest: undefined, directory, [Symbol.asyncDispose]: () => tensors.close() };
  }
  // A damaged checkpoint must not become an undamaged copy of wrong values.
  if (from === 'trenio') await verifyCheckpoint(path);
  const checkpoint = from === 'trenio' ? await CheckpointReader.open(path) : undefined;
  const all = checkpoint === undefined ? await openTensors(path, from) : checkpointTensors(checkpoint);
  try {
    const prefix = part ?? (checkpoint === undefined ? undefined : modelPart);
    const tensors = prefix === undefined ? all : withoutPrefix(all, `${prefix}.`);
    if (tensors.types.size === 0) throw withoutTensors(path, all, prefix);
    const kept = checkpoint !== undefined && keepsOptimizer ? await optimizerOf(checkpoint) : undefined;
    return {
      from,
      tensors,
      optimizer: kept?.optimizer,
      leftOut: all.types.size - tensors.types.size - (kept?.tensors ?? 0),
      manifest: checkpoint?.manifest,
      directory: path,
      [Symbol.asyncDispose]: () => all.close(),
    };
  } catch (error) {
    await all.close();
    throw error;
  }
}

function withoutTensors(directory: string, { types }: TensorReader, part: string | undefined): TrenioError {
  const parts = [...new Set([...types.keys()].map(name => name.split('.')[0]!))].sort();
  const problem =
    part === undefined ? 'it has no tensors' : `it has no tensors of a part '${part}', but of ${parts.join(', ')}`;
  return new TrenioError('CHECKPOINT_INVALID', { directory, problem });
}
