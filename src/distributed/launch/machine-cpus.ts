// The CPUs that this process may use and their topology, which the launcher distributes among ranks. Linux reports all of it;
// elsewhere the CPUs are only counted, and nothing is pinned.
import { availableParallelism } from 'node:os';
import { readIfThere } from '../../base/file-error.ts';
import { allowedCpus } from '../../runtime/execution/threads.ts';
import type { CpuPlace } from './core-shares.ts';

export interface MachineCpus {
  readonly cpus: readonly CpuPlace[];
  /** Whether a process can be pinned to some of them. */
  readonly canPin: boolean;
}

/** Arguments are for tests. */
export function machineCpus(
  allowed: readonly number[] | undefined = allowedCpus(),
  parallelism: number = availableParallelism(),
  readNumber: (path: string) => number | undefined = readSysNumber,
): MachineCpus {
  if (allowed === undefined || allowed.length === 0) {
    return { cpus: Array.from({ length: parallelism }, (_, cpu) => ({ cpu, core: cpu, package: 0 })), canPin: false };
  }
  const cpus = allowed.map(cpu => {
    const topology = `/sys/devices/system/cpu/cpu${cpu}/topology`;
    return {
      cpu,
      core: readNumber(`${topology}/core_id`) ?? cpu,
      package: readNumber(`${topology}/physical_package_id`) ?? 0,
    };
  });
  // A container may be allowed to use all CPUs, but have the CPU time of only a few (a quota): more threads than that would
  // wait for each other.
  return { cpus: cpus.slice(0, Math.max(1, Math.min(cpus.length, parallelism))), canPin: true };
}

function readSysNumber(path: string): number | undefined {
  const n = Number(readIfThere(path)?.trim());
  return Number.isInteger(n) && n >= 0 ? n : undefined;
}
