// Gradient clipping in two steps, for norms that are computed over several sets of parameters: torch.nn.utils.get_total_norm and
// clip_grads_with_norm_.
import { atOneLocation, type Settings, settle, Tensor, wrongArgument, zeros } from '../../tensor/index.ts';
import { checkSetting } from '../update/check-settings.ts';
import { recordUpdate } from '../update/record-update.ts';
import { averageGradients } from './average-gradients.ts';
import type { ClipGradNormOptions } from './clip.ts';
import { clipOrder, gradsOf, listed } from './clip.ts';
import { scaleTo, totalNorm } from './total-norm.ts';

/**
 * The norm of all elements of some tensors, usually gradients, as if they were one vector: a scalar.
 *
 *     const norm = nn.utils.getTotalNorm(model.parameters().map(p => p.grad!));
 *     nn.utils.clipGradsWithNorm_(model.parameters(), 1.0, norm);
 *
 * @throws {INVALID_OPTION} for a norm that is not above 0, or, with `errorIfNonfinite`, if the norm of the tensors is not finite
 * @throws {WRONG_ARGUMENT} if an argument is not a tensor
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * optim.getTotalNorm([tensor([3, 0]), tensor([4])]) // 5
 */
export function getTotalNorm(
  tensors: Iterable<Tensor> | Tensor,
  ...rest: Settings<ClipGradNormOptions, typeof clipOrder>
): Tensor {
  const call = 'getTotalNorm';
  const { normType = 2, errorIfNonfinite = false } = settle<ClipGradNormOptions>(call, clipOrder, rest);
  checkSetting(call, 'normType', normType, normType > 0, 'a number above 0, or Infinity');
  const all =
    tensors instanceof Tensor ? [tensors] : typeof tensors?.[Symbol.iterator] === 'function' ? [...tensors] : undefined;
  if (all === undefined || !all.every(one => one instanceof Tensor))
    throw wrongArgument({ call, argument: 'the tensors' }, tensors, 'tensors, such as gradients');
  if (all.length === 0) return zeros([]);
  return atOneLocation(() => {
    const leaves = all.flatMap(({ gradOf }) => (gradOf === undefined ? [] : [gradOf]));
    averageGradients(leaves);
    return totalNorm(call, all, normType, errorIfNonfinite);
  });
}

/**
 * Scales all gradients by maxNorm / totalNorm if that is below 1.
 *
 *     nn.utils.clipGradsWithNorm_(model.parameters(), 1.0, nn.utils.getTotalNorm(gradients));
 *
 * @throws {INVALID_OPTION} for a norm that is not above 0
 * @throws {WRONG_ARGUMENT} if the first argument is not parameters, or the norm is not a tensor
 * @example
 * const w = new Parameter(tensor([3, 4]));
 * w.square().sum().mul(0.5).backward();
 * optim.clipGradsWithNorm_([w], 1, optim.getTotalNorm([w.grad!]));
 * w.grad // [0.6, 0.8]
 */
export function clipGradsWithNorm_(parameters: Iterable<Tensor> | Tensor, maxNorm: number, totalNorm: Tensor): void {
  const call = 'clipGradsWithNorm_';
  checkSetting(call, 'maxNorm', maxNorm, maxNorm > 0, 'a number above 0');
  if (!(totalNorm instanceof Tensor) || totalNorm.numel() !== 1)
    throw wrongArgument({ call, argument: 'totalNorm' }, totalNorm, 'a tensor of one number');
  const all = listed(call, parameters);
  atOneLocation(() => {
    averageGradients(all);
    const grads = gradsOf(all);
    if (grads.length > 0) recordUpdate(all, () => scaleTo(grads, totalNorm.reshape([]), maxNorm));
  });
}
