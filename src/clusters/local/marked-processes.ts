// The processes of a cluster, found in /proc by a marker in their environment.
import { readdirSync, readFileSync } from 'node:fs';
import { expectFileError } from '../../base/file-error.ts';
import { CLUSTER_MARK } from '../slurm/slurm-programs.ts';

export interface MarkedProcess {
  readonly pid: number;
  readonly parent: number;
}

/** The processes that this user may inspect. @param folder of the cluster */
export function markedProcesses(folder: string): readonly MarkedProcess[] {
  const mark = `${CLUSTER_MARK}=${folder}`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const environ = read(`/proc/${name}/environ`);
      if (environ === undefined || !environ.split('\0').includes(mark)) return [];
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(read(`/proc/${name}/status`) ?? '')?.[1] ?? 0);
      return [{ pid: Number(name), parent }];
    });
}

/** Supervisors of a cluster: `supervisor-main FOLDER`. */
export const supervisorsOf = (folder: string): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      const words = read(`/proc/${name}/cmdline`)?.split('\0') ?? [];
      return words.includes(folder) && words.some(word => /supervisor-main\.[jt]s$/.test(word));
    })
    .map(Number);

/** Undefined for a process that has ended in the meantime, or belongs to another user. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') expectFileError(error);
    return undefined;
  }
}
