// A kernel that reduces a few long rows, such as the sum of squares of a whole parameter, as data. There are too few rows to
// distribute, so each is cut into chunks. A task reduces a chunk; then the chunks' results are combined in order. How many
// chunks there are depends on the shape only.

import { assumeAtLeast, ceil, ceilDiv, isAtLeast, least, quotient, times } from '../../ir/extent.ts';
import { type Nest, reductionsIn, requiredNodes, sizeOf, stageOf } from '../../ir/nest.ts';
import type { Node } from '../../ir/node.ts';
import { closure } from '../../ir/node.ts';
import { randomBlock, type SplitKernel } from '../ir/fused-kernel.ts';
import { lanesOf, RowValues } from '../ir/row.ts';
import { planInnerLoop } from './inner-loop-plan.ts';
import { orderOf } from './lanes.ts';
import { planPartials } from './partials.ts';
import { planPieces } from './plan-pairwise-sums.ts';

const fewRows = 16;
const maxChunks = 64;
/** Work of a chunk, in additions. */
const chunkWork = 120_000;
/**
 * The assumed work per element: that of a sum of squares, whatever else the kernel computes. Sums must not depend on fusion.
 */
const elementWork = 2.5;

/** Undefined if there are many rows, or they are short, or reductions that cannot be split. */
export function planSplit(nest: Nest): SplitKernel | undefined {
  const required = requiredNodes(nest.outputs);
  const reductions = reductionsIn(required);
  const rows = sizeOf(nest.kept);
  const inner = nest.inner.filter(l => l.size !== 1);
  const [first] = inner;
  const { isInner, isInnerOutput, isHoisted } = new RowValues(nest);
  const full = nest.outputs.filter(isInnerOutput);
  const total = times(times(rows, sizeOf(inner)), elementWork);
  if (first === undefined || reductions.length === 0) return undefined;
  if (reductions.some(r => r.stage > 0 || r.accumulator === undefined) || full.some(o => stageOf(o) > 0))
    return undefined;
  if (isAtLeast(rows, fewRows) || !isAtLeast(total, 2 * chunkWork)) return undefined;
  const mostRows = typeof rows === 'number' ? rows : fewRows - 1;
  assumeAtLeast(sizeOf(inner), Math.ceil((2 * chunkWork) / elementWork / mostRows));

  const hasRandom = inner.length === 1 && required.some(n => n.kind === 'random');
  const wanted = hasRandom
    ? ceilDiv(first.size, randomBlock)
    : least(least(maxChunks, ceil(quotient(quotient(total, rows), chunkWork))), first.size);
  const order = orderOf(reductions, inner.at(-1));
  // the lane of an element must not depend on its chunk
  const step = inner.length === 1 ? Math.max(1, lanesOf(order)) : 1;
  const perChunk = times(ceilDiv(ceilDiv(first.size, wanted), step), step);
  const uniformOf = (stage: number): Node[] =>
    required.filter(
      n => n.stage === stage && !isInner(n) && n.kind !== 'literal' && n.kind !== 'reduced' && !isHoisted(n),
    );
  const roots = [...full.map(o => o.node), ...reductions.flatMap(r => r.inputs)];
  const chunks = ceilDiv(first.size, perChunk);
  const nodes = closure(roots, n => !isInner(n));
  const isRanged = inner.length === 1;
  return {
    kind: 'split',
    nest,
    required,
    reductions,
    rows,
    hoisted: required.filter(n => isHoisted(n) && n.kind !== 'literal'),
    uniform: uniformOf(0),
    uniformAfter: uniformOf(1),
    nodes,
    inner: planInnerLoop(nest, { nodes, order, isReduced: true, isRanged }),
    roots,
    full,
    results: nest.outputs.filter(o => !isInnerOutput(o)),
    first,
    perChunk,
    chunks,
    order,
    pieces: planPieces(reductions, times(perChunk, sizeOf(inner.slice(1))), Math.max(1, lanesOf(order))),
    chunkPieces: planPieces(reductions, chunks),
    partials: planPartials(reductions, times(rows, chunks), 8),
  };
}
