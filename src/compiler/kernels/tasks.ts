// How the work of a kernel is cut into tasks. The cut is a function of the shape alone, never of the number of threads,
// so that a result does not depend on it either.

import { ceilDiv, type Extent, greatest, least, quotient, round, select, times } from '../ir/extent.ts';
import type { TaskCut } from '../ir/op-kernel.ts';

/** Additions' worth of work below which starting a parallel loop costs more than it gains. */
const serialBelow = 60_000;
/** Additions' worth of work of one task. */
const taskWork = 120_000;

/** Cuts `units` of equal work, in multiples of `multiple` units. One task when it is too little to share. */
export function cutTasks(units: number, workPerUnit: number, multiple?: number): TaskCut;
export function cutTasks(units: Extent, workPerUnit: Extent, multiple?: number): TaskCut<Extent>;
export function cutTasks(units: Extent, workPerUnit: Extent, multiple = 1): TaskCut<Extent> {
  const work = times(units, workPerUnit);
  const wanted = greatest(1, round(quotient(taskWork, greatest(workPerUnit, 1e-6))));
  const several = least(units, times(ceilDiv(wanted, multiple), multiple));
  const perTask = select(work, serialBelow, several, greatest(units, 1));
  return { units, perTask, tasks: select(work, serialBelow, ceilDiv(units, several), 1) };
}
