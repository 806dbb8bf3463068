// The training software of a device: which collectives it overlaps, and its start-up costs.
import type { Machine } from '../hardware/machine.ts';
import type { GpuSoftware } from './engines/constants.ts';
import type { EngineConstants } from './engines/engine.ts';

export interface Stack {
  /** Seconds to start a micro-batch's program. */
  readonly programStart: number;
  readonly hostStep: number;
  readonly nodeDeviation: number;
  /** Gradient collectives overlap with the backward pass of the last micro-batch. */
  readonly overlapsGradients: boolean;
  /** Exposed share of the sends between stages. */
  readonly exposedSend: number;
  readonly assumptions: readonly string[];
}

const softwareNames: Readonly<Record<GpuSoftware, string>> = {
  compiled: 'a compiler that fuses all it can',
  eager: 'eager PyTorch, one kernel per operation',
  megatron: 'Megatron-LM since 2022',
  'megatron-2021': 'Megatron-LM of 2021',
};

export function stackOf({ device }: Machine, nodes: number, { neuron, gpu }: EngineConstants): Stack {
  switch (device.kind) {
    case 'neuron-core':
      return {
        programStart: neuron.programStart,
        hostStep: neuron.hostStep + neuron.hostStepPerDoubling * Math.log2(nodes),
        nodeDeviation: neuron.nodeDeviation,
        overlapsGradients: false,
        exposedSend: 1,
        assumptions: ['Neuron: gradients are all-reduced after the last backward pass, not during it'],
      };
    case 'gpu':
      return {
        programStart: 0,
        hostStep: gpu.software[gpu.runs].hostStep,
        nodeDeviation: gpu.nodeDeviation,
        overlapsGradients: true,
        exposedSend: 1,
        assumptions: [
          'GPU: gradients are all-reduced during the last backward pass, as PyTorch does',
          `GPU: kernels and host as with ${softwareNames[gpu.runs]}`,
          ...(device.sustained < 1
            ? [
                `${device.name}: large multiplies sustain ${Math.round(100 * device.sustained)} % of the data sheet's peak`,
              ]
            : []),
        ],
      };
    case 'cpu':
      return {
        programStart: device.rates.programStart,
        hostStep: 0,
        nodeDeviation: 0,
        overlapsGradients: false,
        exposedSend: 1,
        assumptions: [],
      };
  }
}
