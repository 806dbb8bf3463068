// The machine a run was on, as results.json and the result table name it.
import { availableParallelism } from 'node:os';
import { type Machine, machineInfo } from '../runtime/execution/cores.ts';

/** The machine that a run was measured on. */
export interface RunMachine {
  /** For people: `2 × Intel(R) Xeon(R) Processor @ 2.50GHz`. The catalogue has no price for it. */
  readonly name: string;
  readonly cpu: string;
  /** The hardware threads that all ranks together use. */
  readonly threads: number;
  readonly memoryBytes: number;
}

/**
 * This machine, as `ranks` processes like this one use it: each may be pinned to its share of the cores. The other
 * arguments are for tests.
 */
export function runMachine(
  ranks = 1,
  machine: Machine = machineInfo(),
  parallelism: number = availableParallelism(),
): RunMachine {
  const threads = Math.min(machine.cpus, ranks * Math.min(machine.allowed.length, parallelism));
  return { name: `${threads} × ${machine.model}`, cpu: machine.model, threads, memoryBytes: machine.memoryBytes };
}
