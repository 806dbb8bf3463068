// The training software of a device: which collectives it overlaps, and its start-up costs.
import type { Machine } from '../hardware/machine.ts';
import type { GpuSoftware, GpuSoftwareConstants } from './engines/constants.ts';
import type { EngineConstants } from './engines/engine.ts';

export interface Stack {
  /** Seconds to start a micro-batch's program. */
  readonly programStart: number;
  readonly hostStep: number;
  readonly nodeDeviation: number;
  /** Gradient collectives overlap with the backward pass of the last micro-batch. */
  readonly overlapsGradients: boolean;
  /** Exposed share of the collectives of tensor-parallel layers, and of the sends between stages. */
  readonly exposedLayer: number;
  readonly exposedSend: number;
  /** Seconds per byte of a send in addition to the links' time. */
  readonly sendByte: number;
  /** The share of a collective's time by which it slows down the computation that it overlaps with. */
  readonly overlapCost: number;
  readonly selective: GpuSoftwareConstants['selective'];
  readonly assumptions: readonly string[];
}

const softwareNames: Readonly<Record<GpuSoftware, string>> = {
  'llm.c': 'llm.c, hand-written and fused',
  compiled: 'PyTorch with torch.compile, or JAX',
  eager: 'eager PyTorch, one kernel per operation',
  nanotron: 'nanotron, eager PyTorch with its pipelines',
  'megatron-core': 'Megatron Core since 2023',
  megatron: 'Megatron-LM of 2022',
  'megatron-2021': 'Megatron-LM of 2021',
};

/** The work that `selective` recomputes on a machine. */
export const selectiveIn = ({ device }: Machine, { gpu }: EngineConstants): GpuSoftwareConstants['selective'] =>
  device.kind === 'gpu' ? gpu.software[gpu.runs].selective : 'scores';

export function stackOf({ device }: Machine, nodes: number, { neuron, gpu }: EngineConstants): Stack {
  const software = gpu.software[gpu.runs];
  switch (device.kind) {
    case 'neuron-core':
      return {
        programStart: neuron.programStart,
        hostStep: neuron.hostStep + neuron.hostStepPerDoubling * Math.log2(nodes),
        nodeDeviation: neuron.nodeDeviation,
        overlapsGradients: false,
        exposedLayer: 1,
        exposedSend: 1,
        sendByte: 0,
        overlapCost: 0,
        selective: 'scores',
        assumptions: ['Neuron: gradients are all-reduced after the last backward pass, not during it'],
      };
    case 'gpu':
      return {
        programStart: 0,
        hostStep: software.hostStep,
        nodeDeviation: gpu.nodeDeviation,
        overlapsGradients: true,
        exposedLayer: software.overlapsLayers ? gpu.overlapCost : 1,
        exposedSend: software.overlapsLayers ? gpu.overlapCost : 1,
        sendByte: software.sendByte,
        overlapCost: gpu.overlapCost,
        selective: software.selective,
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
        exposedLayer: 1,
        exposedSend: 1,
        sendByte: 0,
        overlapCost: 0,
        selective: 'scores',
        assumptions: [],
      };
  }
}
