// How the work of a kernel is cut into tasks. The cut is a function of the shape alone, never of the number of threads,
// so that a result does not depend on it either.

import type { TaskCut } from '../ir/op-kernel.ts';

/** Additions' worth of work below which starting a parallel loop costs more than it gains. */
const serialBelow = 60_000;
/** Additions' worth of work of one task. */
const taskWork = 120_000;

/** Cuts `units` of equal work, in multiples of `multiple` units. One task when it is too little to share. */
export function cutTasks(units: number, workPerUnit: number, multiple = 1): TaskCut {
  if (units * workPerUnit < serialBelow) return { units, perTask: Math.max(units, 1), tasks: 1 };
  const wanted = Math.max(1, Math.round(taskWork / Math.max(workPerUnit, 1e-6)));
  const perTask = Math.min(units, Math.ceil(wanted / multiple) * multiple);
  return { units, perTask, tasks: Math.ceil(units / perTask) };
}
