// How the work of a kernel is split into tasks. The split depends only on the shape, not on the number of threads, and so do
// results.

import { ceilDiv, type Extent, greatest, least, quotient, round, select, times } from '../../ir/extent.ts';
import type { TaskCut } from '../ir/op-kernel.ts';

/** The work, in additions, below which a parallel loop costs more than it gains. */
const serialBelow = 60_000;
/** Additions' worth of work of one task. */
const taskWork = 120_000;

/** Splits `units` of equal work into tasks of multiples of `multiple` units; a single task if there is too little work. */
export function cutTasks(units: number, workPerUnit: number, multiple?: number): TaskCut;
export function cutTasks(units: Extent, workPerUnit: Extent, multiple?: number): TaskCut<Extent>;
export function cutTasks(units: Extent, workPerUnit: Extent, multiple = 1): TaskCut<Extent> {
  const work = times(units, workPerUnit);
  const wanted = greatest(1, round(quotient(taskWork, greatest(workPerUnit, 1e-6))));
  const several = least(units, times(ceilDiv(wanted, multiple), multiple));
  const perTask = select(work, serialBelow, several, greatest(units, 1));
  return { units, perTask, tasks: select(work, serialBelow, ceilDiv(units, several), 1) };
}
