// A kernel that goes row by row, as data: for each index of the kept loops, one or more passes over the inner loops.
//
//   softmax over [rows, 128]:     for each row: max over i1  (stage 0) → r0
//                                               sum of exp(x - r0), kept in s5  (stage 1) → r1
//                                               y = s5 / r1  (stage 2)
//
// An elementwise kernel is the case without reductions: one stage, the innermost loop inner. Values of an earlier stage
// that a later one needs are read back from where they were stored, kept in a scratch row, or computed again if cheap.
import { type RowsKernel, randomBlock, wholeVectors } from '../ir/fused-kernel.ts';
import { type Nest, reductionsIn, requiredNodes, sizeOf, workOf } from '../ir/nest.ts';
import { maskOf } from '../ir/node.ts';
import type { RowPlan } from '../ir/row.ts';
import { planRow } from './row-plan.ts';
import { cutTasks } from './tasks.ts';

/** The minimum number of rows per task for which it pays to run a stage of one row together with that of another. */
const leastRows = 3;

export function planRows(nest: Nest): RowsKernel {
  const required = requiredNodes(nest.outputs);
  const innerMask = maskOf(nest.inner);
  const perElement = workOf(required.filter(n => (n.deps & innerMask) !== 0)) + nest.outputs.length + 0.5;
  const rows = sizeOf(nest.kept);
  const width = sizeOf(nest.inner);
  const hasRandom = required.some(n => n.kind === 'random');
  // Long rows without reductions are cut along the innermost loop, too.
  const cuttable = reductionsIn(required).length === 0 && nest.inner.filter(l => l.size !== 1).length === 1;
  const limit = hasRandom ? randomBlock : 1 << 20;
  const chunk = cuttable ? Math.min(limit, cutTasks(width, perElement, wholeVectors).perTask) : width;
  const isRanged = cuttable && chunk < width && (width * perElement > 200_000 || (hasRandom && width > randomBlock));
  const chunks = isRanged ? Math.ceil(width / chunk) : 1;
  const { perTask, tasks } = isRanged ? { perTask: 1, tasks: rows * chunks } : cutTasks(rows, width * perElement + 20);
  const isParallel = rows * width * perElement >= 60_000 && tasks > 1;
  const row = planRow(nest, required, isRanged, !isRanged && perTask >= leastRows && rows >= leastRows);
  return { kind: 'rows', row, rows, width, tasks, perTask, chunks, chunk, isParallel };
}

/** Some rows for a kernel that continues with them while they are in the cache: all inner loops complete. */
export const planRowRange = (nest: Nest): RowPlan => planRow(nest, requiredNodes(nest.outputs), false);
