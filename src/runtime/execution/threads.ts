// How many threads compute, and on which CPUs.
import { availableParallelism } from 'node:os';
import { parseCpuList, readVariable, type Variables } from '../../base/environment.ts';
import { readIfThere } from '../../base/file-error.ts';

/** The CPUs that this process may run on, or undefined if the system does not report them. */
export function allowedCpus(status = '/proc/self/status'): readonly number[] | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readIfThere(status) ?? '')?.[1];
  return list === undefined ? undefined : parseCpuList(list);
}

/**
 * One entry per thread: the CPU it is pinned to, or -1 for any. Pinned threads wake ten times faster, but two processes
 * pinned to the same CPU starve each other, so threads are pinned only to the CPUs in TRENIO_CPUS, or if there is a thread for
 * each CPU anyway.
 */
export function threadPlan(
  variables?: Variables,
  allowed = allowedCpus(),
  parallelism = availableParallelism(),
): Int32Array {
  const given = readVariable('TRENIO_CPUS', variables);
  const threads = readVariable('TRENIO_NUM_THREADS', variables) ?? given?.length ?? parallelism;
  const pinTo = given ?? (allowed?.length === threads ? allowed : []);
  return Int32Array.from({ length: threads }, (_, i) => (threads <= pinTo.length ? pinTo[i]! : -1));
}
