// The live-outs of a trace: the cells whose values are still needed after it runs, the memory they reuse, and how they
// become tensors with their own elements.
import type { Value } from '../hlo/index.ts';
import type { DeviceBuffer } from '../runtime/execution/executable.ts';
import { type Cell, isShared, share } from './cell.ts';
import { isChanged, lostSource } from './held-values.ts';
import type { TracedProgram } from './program.ts';
import type { Trace } from './trace.ts';

/** The cells whose values must outlive the trace and do not have elements yet, in a fixed order. */
export function survivorsOf(trace: Trace): Cell[] {
  return survivingCells(trace).filter(cell => cell.buffer === undefined);
}
/** The cells whose values must outlive the trace. */
export function survivingCells(trace: Trace): Cell[] {
  const cells = new Set<Cell>(trace.assigned.keys());
  for (const leaf of trace.graded) for (const { cell } of leaf.partials) cells.add(cell);
  for (const set of [trace.kept, trace.forwardResults, trace.sinks, trace.scalars])
    for (const cell of set) cells.add(cell);
  // Not a gradient of an earlier step to which more was added: that is a separate sum.
  return [...cells].filter(({ value, trace: of }) => value !== undefined && of === trace && value.id > trace.begin);
}

/** For each argument, the result that takes over its memory: the new value of the same piece of state. */
export function donations(trace: Trace, program: TracedProgram, results: readonly Value[]): (number | undefined)[] {
  const taken = new Set<number>();
  const index = new Map(results.map((value, i) => [value, i]));
  return program.sources.map(({ cell, buffer }) => {
    if (cell === undefined || trace.assigned.get(cell) !== buffer || isShared(buffer) || cell.value === undefined)
      return undefined;
    const result = index.get(cell.value);
    if (result === undefined || taken.has(result)) return undefined;
    taken.add(result);
    return result;
  });
}

/** A pending cell turns into a leaf with these elements. */
export function become(cell: Cell, buffer: DeviceBuffer): void {
  cell.buffer = buffer;
  cell.value = undefined;
  cell.trace = undefined;
  if (!cell.leaf) cell.requiresGrad = false;
  cell.leaf = true;
}

/**
 * These cells of a step that has run have their elements: they turn into leaves, except where gradients can still flow through
 * them, because the step changed nothing that they were computed from.
 */
export function finish(trace: Trace, cells: readonly Cell[]): void {
  for (const cell of cells) {
    const { value } = cell;
    const mayHaveHistory = cell.requiresGrad && !cell.leaf && value !== undefined && !trace.losses.has(cell);
    if (!mayHaveHistory || lostSource(trace, value, isChanged) !== undefined) become(cell, cell.buffer!);
  }
  for (const cell of cells) cell.endView?.();
}

/** Gives each cell the output that is its value. Cells with the same value share its memory. */
export function spread(cells: readonly Cell[], results: readonly Value[], outputs: readonly DeviceBuffer[]): void {
  const given = new Set<DeviceBuffer>();
  const index = new Map(results.map((value, i) => [value, i]));
  for (const cell of cells) {
    const buffer = outputs[index.get(cell.value!)!]!;
    if (given.has(buffer)) share(buffer);
    given.add(buffer);
    become(cell, buffer);
  }
}
