// Marks the ops that belong to an optimizer's update.
import type { Tensor } from '../../tensor/index.ts';

/**
 * Marks the ops that `body` records on these parameters and their gradients as part of the optimizer's step, in which rounding is
 * the same on all ranks and does not depend on the micro-batches in the same program.
 * @example
 * const w = new Parameter(tensor([1, 2]));
 * noGrad(() => optim.recordUpdate([w], () => w.mul_(0.5)));
 * w // [0.5, 1]
 */
export function recordUpdate<T>(parameters: readonly Tensor[], body: () => T): T {
  const devices = new Set(parameters.map(({ device }) => device));
  return [...devices].reduce((inner, device) => () => device.inPhase('update', inner), body)();
}
