// Plans the kernel of a fused group: which form suits its computation is decided in space-plan.ts. A group of rows may also have
// sums of columns: they process the same rows a few at a time, in the same chunks as in a separate kernel.
import { invariant } from '../../../base/errors.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { elementBytes, elementCount } from '../../../hlo/types.ts';
import { numberOf } from '../../ir/extent.ts';
import type { FusedGroup, Storage } from '../../ir/group.ts';
import { reductionsIn, sizeOf } from '../../ir/nest.ts';
import { computationOf, evaluatorOf, loopsOfGroup, markInPlace } from '../../lowering/computation.ts';
import type { PlannedKernel } from '../ir/kernel.ts';
import { planColumns } from './columns-plan.ts';
import { stepsOfWholePieces } from './plan-pairwise-sums.ts';
import { planRowRange, planRows } from './rows-plan.ts';
import { type PlannedSpace, planSpace, rowNest, spaceMemory } from './space-plan.ts';

export function planFused(group: FusedGroup, storage: Storage): PlannedKernel {
  const { kernel, operands } =
    group.columns === undefined
      ? planSpace(loopsOfGroup(group, storage), evaluatorOf(group, storage), markInPlace)
      : planRowsAndColumns(group, group.columns, storage);
  const { workspaceBytes, scratchBytes } = spaceMemory(kernel);
  return { kernel, operands, workspaceBytes: numberOf(workspaceBytes), scratchBytes: numberOf(scratchBytes) };
}

/**
 * Bytes of rows that are computed before they are added up. They stay in the L2 cache; fewer rows, which would fit in L1, are
 * slower.
 */
const rowBytes = 128 * 1024;

function planRowsAndColumns(group: FusedGroup, columns: FusedGroup, storage: Storage): PlannedSpace {
  const first = computationOf(group, storage);
  const second = computationOf(columns, storage, undefined, first.operands);
  const operands = second.operands.list;
  // Values that are summed later must not have been overwritten.
  const added = new Set(second.nodes.flatMap(n => (n.kind === 'load' ? [n.slot] : [])));
  for (const o of first.outputs) {
    const allowed = first.operands.list[o.slot]!.inPlaceOf ?? [];
    operands[o.slot]!.inPlaceOf = allowed.filter(slot => !added.has(slot));
  }
  for (const o of second.outputs) operands[o.slot]!.inPlaceOf = [];
  const nest = rowNest(first);
  const reduced = second.loops.filter(l => l.reduced).map(l => l.loop);
  const [row] = reduced;
  const column = second.loops.at(-1)!.loop;
  invariant(row !== undefined && reduced.length + 1 === second.loops.length, 'sums of columns over whole rows');
  const columnNest = { outer: [], reduced, column, outputs: second.outputs, operands };
  const rows = numberOf(sizeOf(nest.kept));
  const width = numberOf(column.size);
  const isCut = reductionsIn(second.nodes).every(r => r.accumulator !== undefined);
  // The rows are not a single loop in both, or must be added in one pass: process them sequentially.
  if (reduced.length > 1 || row.size !== rows || !isCut)
    return { kernel: { kind: 'sequence', first: planRows(nest), second: planColumns(columnNest) }, operands };
  const bytes = [...new Set(operands.map(o => o.value))]
    .filter(v => elementCount(shapeOf(v)) === rows * width)
    .reduce((n, v) => n + width * elementBytes(tensorTypeOf(v).elementType), 0);
  const atOnce = stepsOfWholePieces(Math.floor(rowBytes / Math.max(1, bytes)));
  const before = { row: planRowRange(nest), rows: atOnce };
  return { kernel: planColumns(columnNest, before), operands };
}
