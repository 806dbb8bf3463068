// How a pass goes over its innermost loop: in blocks, where reductions keep lanes or a function takes a block of elements; and
// which random bits are generated before it. None of this changes a result.
import { elementBytes } from '../../../hlo/types.ts';
import { coefficientOf, type Loop } from '../../ir/index-expr.ts';
import { blockFunctionOf } from '../../ir/math/index.ts';
import type { Nest, Output } from '../../ir/nest.ts';
import type { Node, NodeOf } from '../../ir/node.ts';
import { registerBytes } from '../../ir/registers.ts';
import { randomBlock } from '../ir/fused-kernel.ts';
import { type ElementOrder, type InnerLoop, lanesOf, RowValues } from '../ir/row.ts';
import { blockElements, vectorLanes } from '../target/registers.ts';

export type BlockCall = NodeOf<'expression'>;
/** True for nodes that a C function computes for a block of elements at a time, with the same bits as one at a time. */
export const isBlockCall = (n: Node): n is BlockCall =>
  n.kind === 'expression' && blockFunctionOf(n.op, n.type) !== undefined;

/** For elements smaller than a float, gcc needs enough of them to fill a vector. */
const narrowBlock = 4 * blockElements;
/** The maximum length of an array for a whole row. */
const longestArray = 4096;
/** The minimum number of elements for a buffer of random bits. */
const shortestBuffer = 8;

/**
 * The number of lanes is the number of f32 per vector. With smaller types, gcc would need more elements at a time than a block
 * of lanes has and would not vectorize: then the elements are computed in a separate loop, and added from scratch.
 */
const laneBytes = 4;
const isNarrow = (n: Node): boolean =>
  n.kind === 'load' ? elementBytes(n.type) < laneBytes : n.type !== 'i1' && registerBytes(n.type) < laneBytes;
/** Whether a pass handles types of fewer bytes than a lane has. */
export const hasNarrow = (nodes: readonly Node[], outputs: readonly Output[]): boolean =>
  nodes.some(isNarrow) || outputs.some(o => elementBytes(o.type) < laneBytes);

/** The properties of a pass that its loop depends on. */
interface Pass {
  readonly nodes: readonly Node[];
  readonly order: ElementOrder;
  /** Reductions without lanes, each with one partial result for the whole loop. */
  readonly isReduced: boolean;
  /** The innermost loop may run over a part of its size. */
  readonly isRanged: boolean;
}

export function planInnerLoop(nest: Pick<Nest, 'inner' | 'outputs'>, pass: Pass): InnerLoop {
  const { nodes, order, isRanged } = pass;
  const buffered = new Set<Node>(nodes.filter(n => n.kind === 'random' && isBuffered(nest, n, isRanged)));
  const lanes = lanesOf(order);
  if (lanes > 0) return { ...laneLoop(lanes), buffered };
  const loop = nest.inner.findLast(l => l.size !== 1);
  const hasCalls = loop !== undefined && nodes.some(n => isBlockCall(n) && (n.deps >> loop.id) & 1);
  if (!hasCalls) return { block: 0, part: 0, buffered };
  const block = blockSize(loop, hasNarrow(nodes, nest.outputs), isRanged, order.kind === 'any' && pass.isReduced);
  return { block, part: block, buffered };
}

/** The loop of a pass that only adds elements to lanes. */
export const laneLoop = (lanes: number): InnerLoop => ({
  block: lanes,
  part: Math.min(vectorLanes, lanes),
  buffered: new Set(),
});

/** Elements in a block for a loop with block calls; 0 if no size works, and each element is computed separately. */
function blockSize(loop: Loop, isNarrow: boolean, isRanged: boolean, inOneGo: boolean): number {
  const { size } = loop;
  const isOpen = isRanged || typeof size !== 'number';
  if (inOneGo) return isOpen || size > longestArray ? 0 : size;
  const wanted = isNarrow ? narrowBlock : blockElements;
  return isOpen ? wanted : Math.max(blockElements, Math.min(wanted, size - (size % blockElements)));
}

function isBuffered(nest: Pick<Nest, 'inner'>, node: NodeOf<'random'>, isRanged: boolean): boolean {
  const loop = nest.inner.at(-1);
  if (loop === undefined || typeof loop.size !== 'number') return false;
  if (elementBytes(node.type) === 8 || loop.size < shortestBuffer) return false;
  if (!isRanged && loop.size > randomBlock) return false;
  const { isInner } = new RowValues(nest);
  return coefficientOf(node.index, loop) === 1 && !node.state.some(isInner);
}
