// The number of compute threads, and their CPUs.
import { availableParallelism, cpus } from 'node:os';
import { parseCpuList } from '../../base/cpu-list.ts';
import { readVariable, type Variables } from '../../base/environment.ts';
import { readIfThere } from '../../base/file-error.ts';
import type { RankInfo } from './rank-info.ts';

/** The CPUs that this process may run on, or undefined if the system does not report them. */
export function allowedCpus(status = '/proc/self/status'): readonly number[] | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readIfThere(status) ?? '')?.[1];
  return list === undefined ? undefined : parseCpuList(list);
}

/** The CPUs that this process may use, and those of the machine. */
export interface UsableCpus {
  readonly allowed: readonly number[] | undefined;
  /** The number of threads that can run at once: fewer than `allowed` if a container has a quota. */
  readonly parallelism: number;
  readonly total: number;
}

const usableCpus = (): UsableCpus => ({
  allowed: allowedCpus(),
  parallelism: availableParallelism(),
  total: cpus().length,
});

/**
 * One entry per thread: the CPU it is pinned to, or -1 for any. Pinned threads wake ten times faster, but two processes
 * pinned to the same CPU starve each other, so threads are pinned only to the CPUs in TRENIO_CPUS, or if there is a thread for
 * each CPU anyway. Ranks of a host that may all use the same CPUs, such as those of `mpirun --bind-to none`, divide them.
 */
export function threadPlan(
  variables?: Variables,
  ranks: Pick<RankInfo, 'localRank' | 'localWorldSize'> = { localRank: 0, localWorldSize: 1 },
  usable = usableCpus(),
): Int32Array {
  const given = readVariable('TRENIO_CPUS', variables);
  const share = given === undefined ? shareOf(usable, ranks) : { cpus: given, threads: given.length };
  const threads = readVariable('TRENIO_NUM_THREADS', variables) ?? share.threads;
  const pinTo = given !== undefined || share.cpus.length === threads ? share.cpus : [];
  return Int32Array.from({ length: threads }, (_, i) => (threads <= pinTo.length ? pinTo[i]! : -1));
}

/** The CPUs that only this rank uses, if known, and the number of its threads. */
function shareOf(
  { allowed = [], parallelism, total }: UsableCpus,
  { localRank, localWorldSize }: Pick<RankInfo, 'localRank' | 'localWorldSize'>,
): { readonly cpus: readonly number[]; readonly threads: number } {
  // The number of ranks of this host that use a CPU, if they are spread evenly.
  const sharing = Math.ceil((allowed.length * localWorldSize) / total);
  if (localWorldSize === 1 || sharing <= 1) return { cpus: allowed, threads: parallelism };
  const threads = Math.max(1, Math.floor(parallelism / sharing));
  // Only ranks that may use all CPUs are known to have the same ones.
  if (allowed.length !== total || parallelism !== total || sharing > total) return { cpus: [], threads };
  const first = Math.floor((localRank * total) / localWorldSize);
  const cpus = allowed.slice(first, Math.floor(((localRank + 1) * total) / localWorldSize));
  return { cpus, threads: cpus.length };
}
