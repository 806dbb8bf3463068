// A file of torch.save as the target of a conversion: { model, optimizer }, or the state_dict of the model without an optimizer.
import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeError } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import { torchOptimizerState } from '../../models/torch-file/torch-optimizer.ts';
import { type WritableTorchValue, writeTorchFile } from '../../models/torch-file/write-torch-file.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import { lazily, torchFileName } from './tensor-files.ts';

/** @throws {WRITE_FAILED} if the target already exists, or has another extension */
export async function checkTorchTarget(target: string): Promise<void> {
  if (!torchFileName.test(target))
    throw new TrenioError('WRITE_FAILED', {
      file: target,
      reason: 'the name of a file of torch.save ends with .pt, .pth, .bin or .ckpt',
    });
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere) throw new TrenioError('WRITE_FAILED', { file: target, reason: 'it exists already' });
}

/**
 * Writes the file, with one tensor of the model in memory at a time. The file is either complete or absent.
 * @throws {UNSUPPORTED}
 * @throws {WRITE_FAILED}
 * @throws {DISK_FULL}
 */
export async function writeTorchTarget(
  target: string,
  tensors: TensorReader,
  optimizer: OptimizerState | undefined,
  onRead: (bytes: number) => void,
): Promise<void> {
  const model = new Map([...tensors.types.keys()].map(name => [name, lazily(tensors, name, onRead)]));
  await mkdir(dirname(target), { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    throw writeError(target, 0, cause);
  });
  const whole = new Map<string, WritableTorchValue>([['model', model]]);
  if (optimizer !== undefined) whole.set('optimizer', torchOptimizerState(optimizer));
  await writeTorchFile(target, optimizer === undefined ? model : whole);
}
