// Constants of serving. Those of NeuronCores are fitted to the published decoders in published.ts; those of GPUs are the ones
// of training where there are any, and assumed otherwise: no published run of a GPU is compared yet, so plans say so.
import type { Device } from '../../hardware/machine.ts';
import { engineConstants } from '../engines/engine.ts';

export interface ServingConstants {
  /** The share of the bandwidth with which weights are read. */
  readonly memoryShare: number;
  /** The share of that with which keys and values are read: pieces of each sequence. */
  readonly cacheShare: number;
  /** The share of the multiply peak for prompts. */
  readonly multiplyShare: number;
  /** The share of that for scores of attention. */
  readonly attentionShare: number;
  /** Per layer, besides its all-reduces: starting its operations. */
  readonly layerSeconds: number;
  /** Per layer and sequence. */
  readonly sequenceSeconds: number;
  /** Per step with parts of prompts. */
  readonly promptSeconds: number;
  /** Per step: sampling, and the host. */
  readonly stepSeconds: number;
}

const neuron: ServingConstants = {
  memoryShare: 0.735,
  cacheShare: 0.68,
  multiplyShare: 0.43,
  attentionShare: 0.0166,
  layerSeconds: 113e-6,
  sequenceSeconds: 5.2e-6,
  promptSeconds: 10.7e-3,
  stepSeconds: 0,
};

/** Kernels of a layer that a graph starts without the host. */
const kernelsOfLayer = 9;

export function servingConstants(device: Device): ServingConstants {
  if (device.kind === 'neuron-core') return neuron;
  const { memoryEfficiency, kernelStart } = engineConstants.gpu;
  return {
    memoryShare: memoryEfficiency,
    cacheShare: 0.8,
    multiplyShare: 0.6 * (device.kind === 'gpu' ? device.sustained : 1),
    attentionShare: 0.5,
    layerSeconds: device.kind === 'gpu' ? kernelsOfLayer * kernelStart : 0,
    sequenceSeconds: 0,
    promptSeconds: 0,
    stepSeconds: 1.5e-3,
  };
}
