// A kernel that reduces over leading dims, as data: sums of columns, as bias gradients are. A task has a block of columns and
// walks down its rows with one accumulator a column, which the compiler keeps in vectors:
//
//            columns lo … hi              tall and narrow ones are cut into chunks of rows as well; how many depends on
//   rows  ┌──────┬──────┬──────┐          the shape only, and the chunks are combined in order, so the result is the
//     ↓   │ task │ task │ task │          same on any number of threads.
//         └──────┴──────┴──────┘

import { invariant } from '../../base/errors.ts';
import type { ColumnNest, ColumnsKernel, RowsBefore } from '../ir/fused-kernel.ts';
import { reductionsIn, requiredNodes, sizeOf, workOf } from '../ir/nest.ts';
import { closure, maskOf } from '../ir/node.ts';
import { RowValues } from '../ir/row.ts';
import { registerBytes } from '../target/registers.ts';
import { planInnerLoop } from './inner-loop-plan.ts';
import { noPartials, planPartials } from './partials.ts';

/** Bytes of a task's accumulators, so that they and a row of what is read stay in the first cache. */
const blockBytes = 16 * 1024;
const maxChunks = 16;

/**
 * `before` only if `isWholeRows` is true. `ofColumns`: the number of all columns if these are a part: rows are cut as for all.
 */
export function planColumns(nest: ColumnNest, before?: RowsBefore, ofColumns = nest.column.size): ColumnsKernel {
  const { outer, reduced, column, outputs } = nest;
  const required = requiredNodes(outputs);
  const reductions = reductionsIn(required);
  const { isInner } = new RowValues({ inner: [...reduced, column] });
  const innerMask = maskOf([...reduced, column]);
  const work = workOf(required.filter(n => (n.deps & innerMask) !== 0)) + outputs.length;
  const columns = column.size;
  const rows = sizeOf(reduced);
  // whole rows where they fit: memory is fastest when it is read on and on
  const accumulatorBytes = reductions.reduce(
    (n, r) => n + r.inputs.length * registerBytes(r.accumulator?.held ?? 'f64'),
    0,
  );
  const wanted = Math.ceil((columns * accumulatorBytes) / blockBytes);
  const block = Math.min(columns, Math.ceil(columns / wanted / 16) * 16);
  const blocks = Math.ceil(columns / block);
  const first = reduced.find(l => l.size !== 1);
  const cuttable = first !== undefined && reductions.every(r => r.accumulator !== undefined);
  const chunks = cuttable ? chooseChunks(sizeOf(outer), rows, ofColumns, first.size) : 1;
  const tasks = sizeOf(outer) * blocks * chunks;
  invariant(
    before === undefined || (first !== undefined && chunks > 1 && blocks === 1),
    'rows are computed for chunks of whole rows',
  );
  const full = outputs.filter(o => o.node.kind !== 'reduced');
  const roots = [...full.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
  const nodes = closure(roots, n => !isInner(n));
  const inner = [...reduced, column];
  return {
    kind: 'columns',
    nest,
    reductions,
    uniform: required.filter(n => !isInner(n) && n.kind !== 'literal' && n.kind !== 'reduced'),
    nodes,
    inner: planInnerLoop({ inner, outputs }, { nodes, order: { kind: 'any' }, isReduced: false, isRanged: true }),
    roots,
    full,
    results: outputs.filter(o => o.node.kind === 'reduced'),
    block,
    blocks,
    first,
    perChunk: first === undefined ? 1 : Math.ceil(first.size / chunks),
    chunks,
    tasks,
    isParallel: tasks > 1 && sizeOf(outer) * rows * columns * work > 60_000,
    before,
    partials: chunks > 1 ? planPartials(reductions, chunks * sizeOf(outer) * columns) : noPartials,
  };
}

/** True when a kernel that adds up the columns of `rows` × `columns` goes through whole rows, in several chunks of them. */
export function isWholeRows(rows: number, columns: number, accumulators: number): boolean {
  return columns * accumulators * 8 <= blockBytes && chooseChunks(1, rows, columns, rows) >= maxChunks / 2;
}

/**
 * Number of chunks for `first` steps of the outermost reduced loop. Assumes the work of two additions per element and eight
 * bytes per column, whatever else the kernel computes: sums must not depend on what they are fused with.
 */
function chooseChunks(outer: number, rows: number, columns: number, first: number): number {
  const units = outer * Math.ceil((columns * 8) / blockBytes);
  const workPerUnit = (2 * outer * rows * columns) / units;
  if (units >= maxChunks || workPerUnit < 120_000) return 1;
  const wanted = Math.min(maxChunks, Math.ceil(maxChunks / units), Math.floor(workPerUnit / 60_000), first);
  return Math.max(1, Math.ceil(first / Math.ceil(first / Math.max(1, wanted))));
}
