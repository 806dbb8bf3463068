// The engine model of a device, with the constants of its software.
import type { Device } from '../../hardware/machine.ts';
import type { Work } from '../work.ts';
import {
  type GpuConstants,
  type GpuSoftware,
  gpuConstants,
  type NeuronConstants,
  neuronConstants,
} from './constants.ts';
import { timeOnCpu } from './cpu.ts';
import { timeOnGpu } from './gpu.ts';
import { timeOnNeuronCore } from './neuron-core.ts';
import type { Spent } from './spent.ts';

/** The fitted constants of the engine models. */
export interface EngineConstants {
  /** The constants for NeuronCores. */
  readonly neuron: NeuronConstants;
  /** The constants for GPUs. */
  readonly gpu: GpuConstants;
}
/** The constants that predictions use. */
export const engineConstants: EngineConstants = { neuron: neuronConstants, gpu: gpuConstants };

/**
 * The constants for GPU software other than eager PyTorch. Returns the same object for the same constants, because it is a
 * cache key for times.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const constants = simulator.withSoftware('compiled');
 * simulator.predict({ ...question, constants, layout: prediction.layout }).stepSeconds < prediction.stepSeconds // true
 */
export function withSoftware(runs: GpuSoftware, constants: EngineConstants = engineConstants): EngineConstants {
  const own = variants.get(constants) ?? new Map<GpuSoftware, EngineConstants>();
  variants.set(constants, own);
  const variant = own.get(runs) ?? { ...constants, gpu: { ...constants.gpu, runs } };
  own.set(runs, variant);
  return variant;
}
const variants = new WeakMap<EngineConstants, Map<GpuSoftware, EngineConstants>>();

/** The time of one unit of work in the schedule. */
export function timeOf(works: readonly Work[], device: Device, constants: EngineConstants): Spent {
  switch (device.kind) {
    case 'neuron-core':
      return timeOnNeuronCore(works, device, constants.neuron);
    case 'gpu':
      return timeOnGpu(works, device, constants.gpu);
    case 'cpu':
      return timeOnCpu(works, device);
  }
}
