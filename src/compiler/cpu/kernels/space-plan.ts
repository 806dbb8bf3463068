// Plans the kernel of values that are computed over one space: its loops, and which form suits it. The caller defines the
// elements (`evaluate`): fused-plan.ts for the groups of a schedule, dynamic/ for values of sizes known only at run time.
import { assertNever } from '../../../base/errors.ts';
import type { Computation, Evaluate, LoopValues, SpaceLoop } from '../../ir/computation.ts';
import { type Extent, greatest } from '../../ir/extent.ts';
import type { Loop } from '../../ir/index-expr.ts';
import type { Nest, Output } from '../../ir/nest.ts';
import { maskOf, usesOf } from '../../ir/node.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { computationIn } from '../../lowering/computation.ts';
import type { ColumnsKernel, FusedKernel, RowsKernel } from '../ir/fused-kernel.ts';
import { planColumns } from './columns-plan.ts';
import { partStarts } from './part-loops.ts';
import { planRows } from './rows-plan.ts';
import { planSplit } from './split-plan.ts';

export interface PlannedSpace {
  readonly kernel: FusedKernel;
  readonly operands: readonly KernelOperand[];
}

export function planSpace(
  loops: readonly SpaceLoop[],
  evaluate: Evaluate,
  markInPlace: (values: LoopValues) => void,
): PlannedSpace {
  const computation = computationIn(loops, evaluate);
  const { loops: real, outputs, nodes } = computation;
  markInPlace(computation);
  const last = real.at(-1);
  const hasReduction = nodes.some(n => n.kind === 'reduced');
  const operands = computation.operands.list;
  const loopsOf = (reduced: boolean): Loop[] => real.filter(l => l.reduced === reduced).map(l => l.loop);
  if (hasReduction && last !== undefined && !last.reduced && loopsOf(true).length > 0) {
    const outer = loopsOf(false).slice(0, -1);
    const columns = { outer, reduced: loopsOf(true) };
    const parts = planParts(computation, evaluate, markInPlace, (column, outputs, list) =>
      planColumns({ ...columns, column, outputs, operands: list }, undefined, last.loop.size),
    );
    return parts ?? { kernel: planColumns({ ...columns, column: last.loop, outputs, operands }), operands };
  }
  const nest = rowNest(computation);
  const split = planSplit(nest);
  if (split !== undefined) return { kernel: split, operands };
  const isByElement = !hasReduction && nest.inner.length === 1 && nest.inner[0] === last?.loop;
  const parts = isByElement
    ? planParts(computation, evaluate, markInPlace, (loop, outputs, list) =>
        planRows({ kept: nest.kept, inner: [loop], outputs, operands: list }),
      )
    : undefined;
  return parts ?? { kernel: planRows(nest), operands };
}

/** Elements that are computed differently from some positions of the last loop on, as parts between these positions. */
function planParts(
  whole: Computation,
  evaluate: Evaluate,
  markInPlace: (values: LoopValues) => void,
  plan: (part: Loop, outputs: readonly Output[], operands: readonly KernelOperand[]) => RowsKernel | ColumnsKernel,
): PlannedSpace | undefined {
  const { loops } = whole;
  const last = loops.at(-1);
  if (last === undefined || typeof last.loop.size !== 'number') return undefined;
  const { id, size } = last.loop;
  const starts = partStarts(whole.nodes, last.loop);
  if (starts === undefined) return undefined;
  const parts: { readonly values: LoopValues; readonly loop: Loop }[] = [];
  for (const [i, from] of starts.entries()) {
    const to = starts[i + 1] ?? size;
    const values = evaluate(loops, parts.at(-1)?.values.operands, { from, to });
    parts.push({ values, loop: { id, size: to - from } });
  }
  markInPlaceOfParts(
    parts.map(part => part.values),
    markInPlace,
  );
  const operands = parts.at(-1)!.values.operands.list;
  return { kernel: { kind: 'parts', parts: parts.map(p => plan(p.loop, p.values.outputs, operands)) }, operands };
}
/** An operand may be overwritten if each part that reads it does so only where it writes. The last part has all operands. */
function markInPlaceOfParts(parts: readonly LoopValues[], markInPlace: (values: LoopValues) => void): void {
  for (const part of parts) markInPlace(part);
  const last = parts.at(-1)!;
  for (const { slot } of last.outputs) {
    const allowedIn = parts.map(part => part.operands.list[slot]!.inPlaceOf ?? []);
    const refused = new Set(
      parts.flatMap((part, i) =>
        part.nodes.flatMap(n => (n.kind === 'load' && !allowedIn[i]!.includes(n.slot) ? [n.slot] : [])),
      ),
    );
    last.operands.list[slot]!.inPlaceOf = [...new Set(allowedIn.flat())].filter(s => !refused.has(s));
  }
}

/** The loops as rows, whose inner loops are the reduced ones or the last. Not for reductions of columns. */
export function rowNest({ loops: real, outputs, nodes, operands }: Computation): Nest {
  const reduced = real.filter(l => l.reduced).map(l => l.loop);
  const hasReduction = nodes.some(n => n.kind === 'reduced');
  const inner = hasReduction ? reduced : real.length === 0 ? [] : rowLoops(real, outputs);
  const innerSet = new Set(inner);
  const kept = real.map(l => l.loop).filter(l => !innerSet.has(l));
  return { kept, inner, outputs, operands: operands.list };
}

/** The inner loops of a kernel without reductions: the reduced dims if values of kept size are computed, else the last. */
function rowLoops(real: readonly SpaceLoop[], outputs: readonly Output[]): Loop[] {
  const full = maskOf(real.map(l => l.loop));
  const reduced = real.filter(l => l.reduced).map(l => l.loop);
  const last = real.at(-1)!.loop;
  const everyRow = outputs.some(o => usesOf(o.index).deps !== full);
  return everyRow && reduced.length > 0 ? reduced : [last];
}

/** The memory of a kernel. */
export function spaceMemory(kernel: FusedKernel): { readonly workspaceBytes: Extent; readonly scratchBytes: Extent } {
  switch (kernel.kind) {
    case 'rows':
      return { workspaceBytes: 0, scratchBytes: kernel.row.scratch.bytes };
    case 'columns':
      return { workspaceBytes: kernel.partials.bytes, scratchBytes: kernel.before?.row.scratch.bytes ?? 0 };
    case 'split':
      return { workspaceBytes: kernel.partials.bytes, scratchBytes: 0 };
    case 'sequence':
      return { workspaceBytes: kernel.second.partials.bytes, scratchBytes: kernel.first.row.scratch.bytes };
    case 'parts': {
      const parts = kernel.parts.map(spaceMemory);
      return {
        workspaceBytes: parts.map(part => part.workspaceBytes).reduce(greatest),
        scratchBytes: parts.map(part => part.scratchBytes).reduce(greatest),
      };
    }
    default:
      return assertNever(kernel);
  }
}
