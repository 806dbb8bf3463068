// Gradient clipping, under the names of torch.nn.utils. Everything is recorded on the device; values are read only if requested.
import { atOneLocation, lower, type Settings, settle, Tensor, userLocation, zeros } from '../../tensor/index.ts';
import { requiredFirst } from '../../tensor/settings.ts';
import { checkParameters, checkSetting } from '../update/check-settings.ts';
import { recordUpdate } from '../update/record-update.ts';
import { averageGradients } from './average-gradients.ts';
import { scaleTo, totalNorm } from './total-norm.ts';

/** Options of `clipGradNorm_`. */
export interface ClipGradNormOptions {
  /** p of the p-norm: a number above 0, or Infinity for the largest magnitude; 2 by default. */
  readonly normType?: number;
  /** Throws if the norm is not finite. This reads the norm, which waits for the backward pass; false by default. */
  readonly errorIfNonfinite?: boolean;
  /** Accepted, as in PyTorch, without effect. */
  readonly foreach?: boolean | undefined;
}
export const clipOrder = ['normType', 'errorIfNonfinite', 'foreach'] as const;

/**
 * Scales all gradients so that their common norm is at most `maxNorm`, and returns their norm before scaling, as
 * torch.nn.utils.clip_grad_norm_. Parameters without gradients do not count. Call it between `backward()` and `step()`.
 *
 *     const norm = clipGradNorm_(model.parameters(), 1.0);
 *
 * @throws {INVALID_OPTION} for a norm that is not above 0, or, with `errorIfNonfinite`, if the norm of the gradients is not finite
 * @throws {WRONG_ARGUMENT} if the argument is not parameters
 * @example
 * const w = new Parameter(tensor([3, 4]));
 * w.square().sum().mul(0.5).backward();
 * clipGradNorm_([w], 1) // 5
 * w.grad // [0.6, 0.8]
 */
export function clipGradNorm_(
  parameters: Iterable<Tensor> | Tensor,
  maxNorm: number,
  ...rest: Settings<ClipGradNormOptions, typeof clipOrder>
): Tensor;
export function clipGradNorm_(
  parameters: Iterable<Tensor> | Tensor,
  options: { readonly maxNorm: number } & ClipGradNormOptions,
): Tensor;
export function clipGradNorm_(parameters: Iterable<Tensor> | Tensor, ...args: readonly unknown[]): Tensor {
  const [maxNorm, ...rest] = requiredFirst(['maxNorm'], args) as [number, ...unknown[]];
  checkSetting('clipGradNorm_', 'maxNorm', maxNorm, maxNorm > 0, 'a number above 0');
  const { normType = 2, errorIfNonfinite = false } = settle<ClipGradNormOptions>('clipGradNorm_', clipOrder, rest);
  checkSetting('clipGradNorm_', 'normType', normType, normType > 0, 'a number above 0, or Infinity');
  const all = listed('clipGradNorm_', parameters);
  return atOneLocation(() => {
    averageGradients(all);
    return recordUpdate(all, () => clipped(all, maxNorm, normType, errorIfNonfinite));
  });
}

/**
 * Limits each element of all gradients to [-clipValue, clipValue], like torch.nn.utils.clip_grad_value_.
 *
 *     clipGradValue_(model.parameters(), 0.5);
 *
 * @throws {INVALID_OPTION} for a value below 0, or NaN
 * @throws {WRONG_ARGUMENT} if the argument is not parameters
 * @example
 * const w = new Parameter(tensor([3, -0.5]));
 * w.square().sum().mul(0.5).backward();
 * clipGradValue_([w], 1);
 * w.grad // [1, -0.5]
 */
export function clipGradValue_(
  parameters: Iterable<Tensor> | Tensor,
  clipValue: number,
  ...rest: Settings<Pick<ClipGradNormOptions, 'foreach'>, ['foreach']>
): void {
  settle('clipGradValue_', ['foreach'], rest);
  checkSetting('clipGradValue_', 'clipValue', clipValue, clipValue >= 0, 'a number of at least 0');
  const all = listed('clipGradValue_', parameters);
  atOneLocation(() => {
    averageGradients(all);
    recordUpdate(all, () => {
      for (const grad of gradsOf(all)) {
        const { device } = grad;
        const b = device.trace.builder;
        b.location = userLocation();
        grad.bind(
          lower.inWide(b, device.valueOf(grad), x =>
            b.minimum(b.maximum(x, b.like(x, -clipValue)), b.like(x, clipValue)),
          ),
        );
      }
    });
  });
}

export function listed(call: string, parameters: Iterable<Tensor> | Tensor): readonly Tensor[] {
  if (parameters instanceof Tensor) return [parameters];
  checkParameters(call, parameters);
  return [...parameters];
}
export const gradsOf = (parameters: readonly Tensor[]): readonly Tensor[] =>
  parameters.flatMap(({ grad }) => (grad === undefined ? [] : [grad]));

function clipped(parameters: readonly Tensor[], maxNorm: number, normType: number, errorIfNonfinite: boolean): Tensor {
  const grads = gradsOf(parameters);
  if (grads.length === 0) return zeros([], { device: parameters[0]?.device });
  const norm = totalNorm('clipGradNorm_', grads, normType, errorIfNonfinite);
  scaleTo(grads, norm, maxNorm);
  return norm;
}
