// Time before the first step. The simulator predicts steps; this time is assumed, listed with each plan, and can be set.
import type { Machine } from '../../hardware/machine.ts';

/** Seconds. */
export interface StartUp {
  /** From the request until the script runs: finding and booting an instance, mounting its data. */
  readonly provision: number;
  /** Compiling the step, and loading it and the weights. */
  readonly prepare: number;
}

/**
 * The seconds until the first step.
 * @example
 * simulator.startUpSeconds({ provision: 120, prepare: 60 }) // 180
 */
export const startUpSeconds = (startUp: StartUp): number => startUp.provision + startUp.prepare;

/**
 * Provisioning: 5 minutes, 0 for this machine. Preparing: 15 minutes on NeuronCores, where the whole step is compiled ahead
 * (users report minutes to an hour, and almost nothing once it is cached), 2 minutes on GPUs, 10 seconds on a CPU.
 * @example
 * simulator.startUpSeconds(simulator.defaultStartUp(hardware.machineOf('trn1.32xlarge'))) > 0 // true
 */
export function defaultStartUp(machine: Machine): StartUp {
  switch (machine.device.kind) {
    case 'neuron-core':
      return { provision: 300, prepare: 900 };
    case 'gpu':
      return { provision: 300, prepare: 120 };
    case 'cpu':
      return { provision: 0, prepare: 10 };
  }
}
