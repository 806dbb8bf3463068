// A file of torch.save as the source of a conversion: its tensors, and the state of its optimizer.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import { loadTorchFile, type TorchValue } from '../../models/torch-file/torch-file.ts';
import { optimizerStateFromTorch } from '../../models/torch-file/torch-optimizer.ts';
import type { OptimizerState } from '../../optim/optimizer-state.ts';
import { isLiteral } from '../../tensor/index.ts';

/** Names that are usual for the two in what scripts save. */
const models = ['model', 'model_state_dict', 'state_dict', 'module'];
const optimizers = ['optimizer', 'optimizer_state_dict', 'optim'];

type Dictionary = ReadonlyMap<string | number, TorchValue>;
const isDictionary = (value: TorchValue | undefined): value is Dictionary => value instanceof Map;
const isStateDict = (value: TorchValue | undefined): value is ReadonlyMap<string, Literal> =>
  isDictionary(value) &&
  value.size > 0 &&
  [...value].every(([name, child]) => typeof name === 'string' && isLiteral(child));

/**
 * `part`: the key of the tensors; default: one that is usual for a model, or the whole file.
 * @throws {TORCH_FILE_INVALID}
 * @throws {CHECKPOINT_INVALID} where there are no tensors
 */
export async function openTorchSource(
  path: string,
  part: string | undefined,
): Promise<{ readonly tensors: TensorReader; readonly optimizer: OptimizerState | undefined }> {
  const root = await loadTorchFile(path);
  const fields: Dictionary = isDictionary(root) ? root : new Map();
  const under = (names: readonly string[]): TorchValue | undefined =>
    names.map(name => fields.get(name)).find(isDictionary);
  const model = part !== undefined ? fields.get(part) : isStateDict(root) ? root : under(models);
  if (!isStateDict(model)) {
    const found = [...fields.keys()].slice(0, 20).join(', ');
    const problem = `it has no dictionary of tensors ${part === undefined ? `under ${models.join(', ')}` : `'${part}'`}; it has ${found === '' ? 'none at all' : found}`;
    throw new TrenioError('CHECKPOINT_INVALID', { directory: path, problem });
  }
  const optimizer = part === undefined ? under(optimizers) : undefined;
  const close = (): Promise<void> => Promise.resolve();
  return {
    tensors: {
      file: path,
      types: new Map([...model].map(([name, { type }]) => [name, type])),
      metadata: new Map(),
      read: name => Promise.resolve(model.get(name)!),
      close,
      [Symbol.asyncDispose]: close,
    },
    optimizer: optimizer === undefined ? undefined : optimizerStateFromTorch(optimizer),
  };
}
