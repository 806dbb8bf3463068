// Assigns CPUs to ranks, in whole cores and by neighborhood, so that two ranks share neither a core's
// units nor, if it can be helped, a socket's memory:
//
//   package 0: core 0 (cpu 0, 4) core 1 (cpu 1, 5) │ package 1: core 2 (cpu 2, 6) core 3 (cpu 3, 7)
//   2 ranks:   rank 0: 0, 4, 1, 5                  │            rank 1: 2, 6, 3, 7
import { invariant } from '../../base/errors.ts';

/** A CPU as the system counts them (a hardware thread), and its position. */
export interface CpuPlace {
  readonly cpu: number;
  readonly core: number;
  readonly package: number;
}

/**
 * A list of CPUs for each rank. Every CPU belongs to exactly one rank unless there are more ranks than CPUs; then CPUs
 * are dealt out, one per rank.
 */
export function shareCores(cpus: readonly CpuPlace[], ranks: number): readonly (readonly number[])[] {
  invariant(cpus.length > 0 && ranks > 0, `${cpus.length} CPUs for ${ranks} ranks`);
  const sorted = cpus.toSorted((a, b) => a.package - b.package || a.core - b.core || a.cpu - b.cpu);
  if (ranks >= sorted.length) return Array.from({ length: ranks }, (_, rank) => [sorted[rank % sorted.length]!.cpu]);
  // Split between cores if there are enough of them, otherwise between hardware threads.
  const cores = groupByCore(sorted);
  const units = cores.length >= ranks ? cores : sorted.map(place => [place]);
  return Array.from({ length: ranks }, (_, rank) => {
    const first = Math.floor((rank * units.length) / ranks);
    const end = Math.floor(((rank + 1) * units.length) / ranks);
    return units.slice(first, end).flatMap(unit => unit.map(place => place.cpu));
  });
}

function groupByCore(sorted: readonly CpuPlace[]): readonly (readonly CpuPlace[])[] {
  const cores = new Map<string, CpuPlace[]>();
  for (const place of sorted) {
    const key = `${place.package}:${place.core}`;
    const core = cores.get(key);
    if (core) core.push(place);
    else cores.set(key, [place]);
  }
  return [...cores.values()];
}

/** [0, 1, 2, 8] → `0-2,8` */
export function formatCpuList(cpus: readonly number[]): string {
  const sorted = cpus.toSorted((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    parts.push(end === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[end]}`);
    i = end + 1;
  }
  return parts.join(',');
}
