// A kernel that reduces over leading dims, as data: sums of columns, such as bias gradients. A task has a block of columns and
// walks down its rows with one accumulator per column, which the compiler keeps in vectors:
//
//            columns lo … hi              tall and narrow ones are cut into chunks of rows as well; how many depends on
//   rows  ┌──────┬──────┬──────┐          the shape only, and the chunks are combined in order, so the result is the
//     ↓   │ task │ task │ task │          same on any number of threads.
//         └──────┴──────┴──────┘

import { invariant } from '../../../base/errors.ts';
import {
  ceilDiv,
  divides,
  type Extent,
  floor,
  greatest,
  isAtLeast,
  least,
  numberOf,
  quotient,
  select,
  times,
} from '../../ir/extent.ts';
import { reductionsIn, requiredNodes, sizeOf, workOf } from '../../ir/nest.ts';
import { closure, maskOf } from '../../ir/node.ts';
import { registerBytes } from '../../ir/registers.ts';
import type { ColumnNest, ColumnsKernel, RowsBefore } from '../ir/fused-kernel.ts';
import { RowValues } from '../ir/row.ts';
import { planInnerLoop } from './inner-loop-plan.ts';
import { noPartials, planPartials } from './partials.ts';
import { planPieces } from './plan-pairwise-sums.ts';

/** Bytes of a task's accumulators, so that they and a row of the input stay in the L1 cache. */
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
  // whole rows if they fit: memory is read fastest sequentially
  const accumulatorBytes = reductions.reduce(
    (n, r) => n + r.inputs.length * registerBytes(r.accumulator?.held ?? 'f64'),
    0,
  );
  const wanted = ceilDiv(times(columns, accumulatorBytes), blockBytes);
  const block = least(columns, times(ceilDiv(ceilDiv(columns, wanted), 16), 16));
  const longestBlock = typeof block === 'number' ? block : Math.ceil(blockBytes / accumulatorBytes / 16) * 16;
  const blocks = ceilDiv(columns, block);
  const first = reduced.find(l => l.size !== 1);
  const cuttable = first !== undefined && reductions.every(r => r.accumulator !== undefined);
  const wantedChunks = cuttable ? chooseChunks(sizeOf(outer), rows, ofColumns, first.size) : 1;
  const chunks = isAtLeast(wantedChunks, 2) ? wantedChunks : 1;
  const tasks = times(times(sizeOf(outer), blocks), chunks);
  const allWork = times(times(times(sizeOf(outer), rows), columns), work);
  invariant(
    before === undefined || (first !== undefined && chunks !== 1 && blocks === 1),
    'rows are computed for chunks of whole rows',
  );
  const full = outputs.filter(o => o.node.kind !== 'reduced');
  const roots = [...full.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
  const nodes = closure(roots, n => !isInner(n));
  const inner = [...reduced, column];
  const perChunk = first === undefined ? 1 : ceilDiv(first.size, chunks);
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
    longestBlock,
    blocks,
    multiple: commonFactor(columns, block),
    first,
    perChunk,
    chunks,
    tasks,
    isParallel: typeof tasks !== 'number' || typeof allWork !== 'number' || (tasks > 1 && allWork > 60_000),
    before,
    pieces: planPieces(reductions, times(perChunk, sizeOf(reduced.filter(l => l !== first)))),
    partials: chunks === 1 ? noPartials : planPartials(reductions, times(times(chunks, sizeOf(outer)), columns)),
  };
}

/** A power of two, at most 64, that divides both. */
const commonFactor = (a: Extent, b: Extent): number => [64, 32, 16].find(n => divides(n, a) && divides(n, b)) ?? 1;

/** Whether a kernel that adds up the columns of `rows` × `columns` goes through whole rows, in several chunks of them. */
export function isWholeRows(rows: number, columns: number, accumulators: number): boolean {
  return columns * accumulators * 8 <= blockBytes && numberOf(chooseChunks(1, rows, columns, rows)) >= maxChunks / 2;
}

/**
 * Number of chunks for `first` steps of the outermost reduced loop. Assumes the work of two additions per element and eight
 * bytes per column, whatever else the kernel computes: sums must not depend on fusion.
 */
function chooseChunks(outer: Extent, rows: Extent, columns: Extent, first: Extent): Extent {
  const units = times(outer, ceilDiv(times(columns, 8), blockBytes));
  const workPerUnit = quotient(times(times(times(2, outer), rows), columns), units);
  const fitting = least(ceilDiv(maxChunks, units), floor(quotient(workPerUnit, 60_000)));
  const wanted = least(least(maxChunks, fitting), first);
  const chunks = greatest(1, ceilDiv(first, ceilDiv(first, greatest(1, wanted))));
  return select(units, maxChunks, 1, select(workPerUnit, 120_000, chunks, 1));
}
