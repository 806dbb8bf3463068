// The cores of this machine, each with its CPUs (hardware threads) and the processes that may run on them.
import type { RunningProcess } from '../../runtime/profiling/running-processes.ts';
import type { CpuPlace } from './core-shares.ts';

export interface CoreRow {
  readonly core: number;
  readonly socket: number;
  readonly cpus: readonly number[];
  /** Process ids. */
  readonly processes: readonly number[];
}

/** By socket and core. */
export function coreRows(places: readonly CpuPlace[], processes: readonly RunningProcess[]): readonly CoreRow[] {
  const cores = new Map<string, CpuPlace[]>();
  for (const place of places.toSorted((a, b) => a.package - b.package || a.core - b.core || a.cpu - b.cpu)) {
    const key = `${place.package}:${place.core}`;
    cores.set(key, [...(cores.get(key) ?? []), place]);
  }
  return [...cores.values()].map(group => {
    const cpus = group.map(place => place.cpu);
    return {
      core: group[0]!.core,
      socket: group[0]!.package,
      cpus,
      processes: processes.filter(p => p.cpus.some(cpu => cpus.includes(cpu))).map(p => p.pid),
    };
  });
}
