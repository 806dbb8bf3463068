// Which ops belong to an optimizer's update.
import type { Tensor } from '../tensor/index.ts';

/**
 * What `body` does to these parameters and their gradients is part of the optimizer's step, which rounds alike on all ranks,
 * and whatever micro-batches are recorded with it.
 */
export function recordUpdate<T>(parameters: readonly Tensor[], body: () => T): T {
  const devices = new Set(parameters.map(({ device }) => device));
  return [...devices].reduce((inner, device) => () => device.inPhase('update', inner), body)();
}
