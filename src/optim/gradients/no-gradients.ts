// Warns if the first step of an optimizer has nothing to update: it belongs to another model, or backward() was not called.
// PyTorch is silent, and the loss does not change. If some parameters have a gradient, the others are frozen or belong to
// another loss.

import { warnOnce } from '../../base/warn-once.ts';
import type { Parameter } from '../../nn/index.ts';
import { userLocation } from '../../tensor/index.ts';

export function warnIfNoneHasGradient(optimizer: string, parameters: readonly Parameter[]): void {
  if (parameters.some(({ grad }) => grad !== undefined)) return;
  const count = parameters.length === 1 ? 'parameter' : `${parameters.length} parameters`;
  const cause = parameters.some(({ requiresGrad }) => requiresGrad)
    ? 'call loss.backward() before it, with a loss that depends on the model whose parameters() were given to the optimizer'
    : 'requiresGrad is false for each of them';
  warnOnce(
    `no gradients ${optimizer}`,
    `${optimizer}.step: none of the optimizer's ${count} has a gradient, so nothing is updated: ${cause}`,
    userLocation(),
  );
}
