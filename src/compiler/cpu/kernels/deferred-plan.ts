// The last stage of a row that is limited by the divider, run together with the preceding stage of the next row, which does not
// need it:
//
//   row 0   max   exp, sum                 softmax: a division takes a third of the time of an exponential, but on another unit
//   row 1         max   exp, sum │ 0: x/d  of the processor that is idle meanwhile
//   row 2                     max   exp, sum │ 1: x/d
//
// Only if that stage reads nothing but scratch and values with one element per row. The first row has no preceding row: its
// deferred stage computes garbage, which is then overwritten. Printed by c/kernels/deferred-printer.ts.

import { boundOf, isAtLeast } from '../../ir/extent.ts';
import { blockFunctionOf } from '../../ir/math/index.ts';
import { type Nest, type Output, sizeOf, workOf } from '../../ir/nest.ts';
import type { Node } from '../../ir/node.ts';
import { closure } from '../../ir/node.ts';
import { registerBytes } from '../../ir/registers.ts';
import type { DeferredStage } from '../ir/row.ts';

interface Question {
  readonly nest: Nest;
  readonly outputs: readonly Output[];
  readonly saved: readonly Node[];
  isInner(node: Node): boolean;
  isHoisted(node: Node): boolean;
}

/** The minimum work per element, in additions, for which this pays: that of a division. */
const leastWork = 4;
/** Two rows of scratch must fit in the L1 cache. */
const longestRow = 4096;

export function planDeferred(q: Question): DeferredStage | undefined {
  const saved = new Set(q.saved);
  const roots = q.outputs.map(o => o.node);
  const nodes = closure(roots, n => !q.isInner(n) || saved.has(n));
  const uniform = closure(roots, n => saved.has(n)).filter(n => !q.isInner(n) && !q.isHoisted(n) && isUsedBy(nodes, n));
  const inner = q.nest.inner.filter(l => l.size !== 1);
  const fits =
    inner.length === 1 &&
    workOf(nodes) >= leastWork &&
    nodes.every(n => n.kind === 'expression' && blockFunctionOf(n.op, n.type) === undefined) &&
    q.outputs.every(o => q.isInner(o.node));
  if (!fits || isAtLeast(sizeOf(inner), longestRow + 1)) return undefined;
  const size = sizeOf(inner);
  const width = typeof size === 'number' ? size : Math.min(longestRow, boundOf(size) ?? longestRow);
  const rows = q.saved.map(node => ({ node, apart: rowsApart(width, registerBytes(node.type)) }));
  return { outputs: q.outputs, saved: rows, nodes, uniform };
}

const pageBytes = 4096;
/**
 * The distance of the two rows of scratch, in elements. A load waits for pending stores with the same page offset (4K aliasing),
 * so the offsets of the rows within a page must differ sufficiently.
 */
function rowsApart(width: number, bytes: number): number {
  const near = pageBytes / 8;
  let elements = width;
  const place = (): number => (elements * bytes) % pageBytes;
  while (place() < near || place() > pageBytes - near) elements += near / bytes;
  return elements;
}

const isUsedBy = (nodes: readonly Node[], n: Node): boolean =>
  n.kind !== 'literal' && nodes.some(user => user.kind === 'expression' && user.args.includes(n));
