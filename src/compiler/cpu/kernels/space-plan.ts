// Plans the kernel of values that are computed over one space: its loops, and which form suits it. The caller defines the
// elements (`evaluate`): fused-plan.ts for the groups of a schedule, dynamic/ for values of sizes known only at run time.
import { assertNever } from '../../../base/errors.ts';
import { type Extent, greatest, sameExtent, times } from '../../ir/extent.ts';
import type { ColumnsKernel, FusedKernel, RowsKernel } from '../../ir/fused-kernel.ts';
import { coefficientOf, type Index, type Loop } from '../../ir/index-expr.ts';
import type { Nest, Output } from '../../ir/nest.ts';
import { indicesOf, maskOf, type Node, usesOf } from '../../ir/node.ts';
import type { KernelOperand, Operands } from '../../ir/operands.ts';
import { planColumns } from './columns-plan.ts';
import { partStarts } from './part-loops.ts';
import { planRows } from './rows-plan.ts';
import { planSplit } from './split-plan.ts';

export interface SpaceLoop {
  readonly loop: Loop;
  readonly reduced: boolean;
}
/** The values computed in the loops. */
export interface Built {
  readonly operands: Operands;
  readonly outputs: readonly Output[];
  readonly nodes: readonly Node[];
}
/** Elements `from` to `to` of the innermost loop. */
export interface Part {
  readonly from: number;
  readonly to: number;
}
/** The outputs in these loops, or in a part of the innermost one; `before` are the operands of earlier parts. */
export type Evaluate = (loops: readonly SpaceLoop[], before?: Operands, part?: Part) => Built;

export interface PlannedSpace {
  readonly kernel: FusedKernel;
  readonly operands: readonly KernelOperand[];
}

export function planSpace(
  loops: readonly SpaceLoop[],
  evaluate: Evaluate,
  markInPlace: (built: Built) => void,
): PlannedSpace {
  const { built, real } = builtIn(loops, evaluate);
  markInPlace(built);
  const last = real.at(-1);
  const hasReduction = built.nodes.some(n => n.kind === 'reduced');
  const operands = built.operands.list;
  const loopsOf = (reduced: boolean): Loop[] => real.filter(l => l.reduced === reduced).map(l => l.loop);
  if (hasReduction && last !== undefined && !last.reduced && loopsOf(true).length > 0) {
    const outer = loopsOf(false).slice(0, -1);
    const columns = { outer, reduced: loopsOf(true) };
    const parts = planParts(real, built, evaluate, markInPlace, (column, outputs, list) =>
      planColumns({ ...columns, column, outputs, operands: list }, undefined, last.loop.size),
    );
    return (
      parts ?? { kernel: planColumns({ ...columns, column: last.loop, outputs: built.outputs, operands }), operands }
    );
  }
  const nest = rowNest(real, built);
  const split = planSplit(nest);
  if (split !== undefined) return { kernel: split, operands };
  const isByElement = !hasReduction && nest.inner.length === 1 && nest.inner[0] === last?.loop;
  const parts = isByElement
    ? planParts(real, built, evaluate, markInPlace, (loop, outputs, list) =>
        planRows({ kept: nest.kept, inner: [loop], outputs, operands: list }),
      )
    : undefined;
  return parts ?? { kernel: planRows(nest), operands };
}

/** Elements that are computed differently from some positions of the last loop on, as parts between these positions. */
function planParts(
  loops: readonly SpaceLoop[],
  whole: Built,
  evaluate: Evaluate,
  markInPlace: (built: Built) => void,
  plan: (part: Loop, outputs: readonly Output[], operands: readonly KernelOperand[]) => RowsKernel | ColumnsKernel,
): PlannedSpace | undefined {
  const last = loops.at(-1);
  if (last === undefined || typeof last.loop.size !== 'number') return undefined;
  const { id, size } = last.loop;
  const starts = partStarts(whole.nodes, last.loop);
  if (starts === undefined) return undefined;
  const parts: { readonly built: Built; readonly loop: Loop }[] = [];
  for (const [i, from] of starts.entries()) {
    const to = starts[i + 1] ?? size;
    const built = evaluate(loops, parts.at(-1)?.built.operands, { from, to });
    parts.push({ built, loop: { id, size: to - from } });
  }
  markInPlaceOfParts(
    parts.map(part => part.built),
    markInPlace,
  );
  const operands = parts.at(-1)!.built.operands.list;
  return { kernel: { kind: 'parts', parts: parts.map(p => plan(p.loop, p.built.outputs, operands)) }, operands };
}
/** An operand may be overwritten if each part that reads it does so only where it writes. The last part has all operands. */
function markInPlaceOfParts(parts: readonly Built[], markInPlace: (built: Built) => void): void {
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

/** The values computed in the smallest possible number of loops, and the loops that take more than one step. */
export function builtIn(
  loops: readonly SpaceLoop[],
  evaluate: Evaluate,
): { readonly built: Built; readonly real: readonly SpaceLoop[] } {
  const built = evaluate(loops);
  const merged = mergeLoops(loops, built);
  if (merged.length === loops.length) return { built, real: loops.filter(l => l.loop.size !== 1) };
  return { built: evaluate(merged), real: merged.filter(l => l.loop.size !== 1) };
}

/** The loops as rows, whose inner loops are the reduced ones or the last. Not for reductions of columns. */
export function rowNest(real: readonly SpaceLoop[], built: Built): Nest {
  const reduced = real.filter(l => l.reduced).map(l => l.loop);
  const hasReduction = built.nodes.some(n => n.kind === 'reduced');
  const inner = hasReduction ? reduced : real.length === 0 ? [] : rowLoops(real, built);
  const innerSet = new Set(inner);
  const kept = real.map(l => l.loop).filter(l => !innerSet.has(l));
  return { kept, inner, outputs: built.outputs, operands: built.operands.list };
}

/** The inner loops of a kernel without reductions: the reduced dims if values of kept size are computed, else the last. */
function rowLoops(real: readonly SpaceLoop[], built: Built): Loop[] {
  const full = maskOf(real.map(l => l.loop));
  const reduced = real.filter(l => l.reduced).map(l => l.loop);
  const last = real.at(-1)!.loop;
  const everyRow = built.outputs.some(o => usesOf(o.index).deps !== full);
  return everyRow && reduced.length > 0 ? reduced : [last];
}

/** Adjacent loops are merged if every index is linear in the merged loop: dense data is one long loop. */
function mergeLoops(loops: readonly SpaceLoop[], built: Built): SpaceLoop[] {
  const indices: Index[] = [
    ...new Map([...built.nodes.flatMap(indicesOf), ...built.outputs.map(o => o.index)].map(i => [i.key, i])).values(),
  ];
  const out: SpaceLoop[] = [];
  for (const l of loops) {
    if (l.loop.size === 1) continue;
    const previous = out.at(-1);
    const fits =
      previous !== undefined &&
      previous.reduced === l.reduced &&
      indices.every(i => {
        const outer = coefficientOf(i, previous.loop);
        const inner = coefficientOf(i, l.loop);
        return outer !== undefined && inner !== undefined && sameExtent(outer, times(inner, l.loop.size));
      });
    if (fits) out[out.length - 1] = { loop: joined(previous.loop, l.loop), reduced: l.reduced };
    else out.push(l);
  }
  return out.map(({ loop, reduced }, id) => ({ loop: { id, size: loop.size }, reduced }));
}
/** A merged loop keeps the id of its last part, whose coefficients the next part is compared with. */
const joined = (outer: Loop, inner: Loop): Loop => ({ id: inner.id, size: times(outer.size, inner.size) });

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
