// The machine of a run, as named in results.json and the result table.
import { availableParallelism } from 'node:os';
import { type Machine, machineInfo } from '../runtime/execution/cores.ts';

/** The machine that a run was measured on. */
export interface RunMachine {
  /** For printing: `2 × Intel(R) Xeon(R) Processor @ 2.50GHz`. The catalog has no price for it. */
  readonly name: string;
  /** The name of the processor. */
  readonly cpu: string;
  /** The number of hardware threads used by all ranks together. */
  readonly threads: number;
  /** The main memory in bytes. */
  readonly memoryBytes: number;
}

/**
 * This machine, as used by `ranks` processes like this one: each may be pinned to its share of the cores. The other
 * arguments are for tests.
 * @example
 * runMachine().threads > 0 // true
 */
export function runMachine(
  ranks = 1,
  machine: Machine = machineInfo(),
  parallelism: number = availableParallelism(),
): RunMachine {
  const threads = Math.min(machine.cpus, ranks * Math.min(machine.allowed.length, parallelism));
  return { name: `${threads} × ${machine.model}`, cpu: machine.model, threads, memoryBytes: machine.memoryBytes };
}
