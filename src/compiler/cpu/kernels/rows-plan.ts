// A kernel that goes row by row, as data: for each index of the kept loops, one or more passes over the inner loops.
//
//   softmax over [rows, 128]:     for each row: max over i1  (stage 0) → r0
//                                               sum of exp(x - r0), kept in s5  (stage 1) → r1
//                                               y = s5 / r1  (stage 2)
//
// An elementwise kernel is the case without reductions: one stage, the innermost loop inner. Values of an earlier stage
// that a later one needs are read back from where they were stored, kept in a scratch row, or computed again if cheap.
import { ceilDiv, divides, type Extent, isAtLeast, least, plus, times } from '../../ir/extent.ts';
import { type Nest, reductionsIn, requiredNodes, sizeOf, workOf } from '../../ir/nest.ts';
import { maskOf } from '../../ir/node.ts';
import { type RowsKernel, randomBlock, wholeVectors } from '../ir/fused-kernel.ts';
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
  const chunk = cuttable ? least(limit, cutTasks(width, perElement, wholeVectors).perTask) : width;
  const isRanged = cuttable && isCut({ rows, width, chunk, perElement, hasRandom });
  const chunks = isRanged ? ceilDiv(width, chunk) : 1;
  const { perTask, tasks } = isRanged
    ? { perTask: 1, tasks: times(rows, chunks) }
    : cutTasks(rows, plus(times(width, perElement), 20));
  const work = times(times(rows, width), perElement);
  const isParallel = isOrMayBe(work, 60_000) && isOrMayBe(tasks, 2);
  const row = planRow(
    nest,
    required,
    isRanged,
    !isRanged && isOrMayBe(perTask, leastRows) && isOrMayBe(rows, leastRows),
  );
  const multiple = divides(wholeVectors, width) ? wholeVectors : 1;
  return { kind: 'rows', row, rows, width, tasks, perTask, chunks, chunk, multiple, isParallel };
}

/** The answer for a size known only at run time is assumed to be yes, if no result depends on it. */
const isOrMayBe = (size: Extent, bound: number): boolean => typeof size !== 'number' || size >= bound;

function isCut(
  q: Record<'rows' | 'width' | 'chunk', Extent> & { readonly perElement: number; readonly hasRandom: boolean },
): boolean {
  const { rows, width, chunk, perElement, hasRandom } = q;
  if (typeof width === 'number' && typeof chunk === 'number')
    return chunk < width && (width * perElement > 200_000 || (hasRandom && width > randomBlock));
  // one long row: a chunk may as well be all of it
  return rows === 1 || isAtLeast(times(width, perElement), 200_000);
}

/** Some rows for a kernel that continues with them while they are in the cache: all inner loops complete. */
export const planRowRange = (nest: Nest): RowPlan => planRow(nest, requiredNodes(nest.outputs), false);
