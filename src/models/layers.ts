// Layers with the initial values of Hugging Face's models.
import { init, Linear } from '../nn/index.ts';

/** A linear layer with normal weights and biases of 0. */
export function normalLinear(std: number, inFeatures: number, outFeatures: number, bias = true): Linear {
  const layer = init.skipInit(() => new Linear(inFeatures, outFeatures, { bias }));
  layer.weight.moveFrom(init.normal([outFeatures, inFeatures], 0, std));
  return layer;
}
