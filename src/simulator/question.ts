// The input of the simulator, as one value that is passed through unchanged: a workload, the machines, the software on them,
// and a layout, or the space of layouts to choose from.
import type { Machine } from '../hardware/machine.ts';
import type { GpuSoftware } from './engines/constants.ts';
import { type EngineConstants, engineConstants, withSoftware } from './engines/engine.ts';
import type { Layout } from './layout.ts';
import type { StorageOptions } from './storage.ts';
import type { Workload } from './workload.ts';

/** The workload, independent of the hardware. */
export interface SimulatedSoftware {
  /** The workload. */
  readonly workload: Workload;
  /** The training software on GPUs; eager PyTorch by default. */
  readonly software?: GpuSoftware | undefined;
  /** Constants of the engine models; the calibrated ones by default. */
  readonly constants?: EngineConstants | undefined;
  /** The shared storage from which samples are read. */
  readonly storage?: StorageOptions | undefined;
}

/** A workload on `nodes` machines, laid out in any way. */
export interface MachineQuestion extends SimulatedSoftware {
  /** The machine. */
  readonly machine: Machine;
  /** The number of instances. */
  readonly nodes: number;
}

/** One optimizer step: the input of `predict`. */
export interface StepQuestion extends MachineQuestion {
  /** How the work is divided among devices. */
  readonly layout: Layout;
}

/** The constants of a question: its own, or the calibrated ones, with its software. */
export function constantsOf({ software, constants = engineConstants }: SimulatedSoftware): EngineConstants {
  return software === undefined ? constants : withSoftware(software, constants);
}
