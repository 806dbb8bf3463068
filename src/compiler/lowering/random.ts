// Random bits as a pure function of the element's index, so that a kernel can generate them where they are used, on any number
// of threads, and again in the backward pass instead of storing them. The bits match the op table's row.
import { elementAt } from '../../base/element-at.ts';
import { assertNever } from '../../base/errors.ts';
import type { Op } from '../../hlo/program.ts';
import { type ElementType, elementBytes, elementCount } from '../../hlo/types.ts';
import { divMod, type Index, linearize } from '../ir/index-expr.ts';
import type { Node, NodeGraph } from '../ir/node.ts';

type RandomOp = Op<'rng_bit_generator'>;

/** The dim that Threefry's two words of a block alternate along: the first even one, or else the first largest. */
export function splitDimension(shape: readonly number[]): number {
  const even = shape.findIndex(d => d % 2 === 0);
  return even >= 0 ? even : shape.indexOf(Math.max(...shape));
}
export const halved = (shape: readonly number[], split: number): number[] =>
  shape.map((d, i) => (i === split ? Math.ceil(d / 2) : d));

/** The number of blocks, of 128 (Philox) or 64 bits (Threefry), for the op's elements. */
function blockCount(op: RandomOp): number {
  const { type, rngAlgorithm } = op.attributes;
  const count = elementCount(type.shape);
  const wide = elementBytes(type.elementType) === 8;
  if (rngAlgorithm !== 'THREE_FRY') return Math.ceil((wide ? 2 * count : count) / 4);
  const shape = type.shape.length === 0 ? [1] : type.shape;
  return wide ? count : elementCount(halved(shape, splitDimension(shape)));
}

/** One word of the state after the op. */
export function advancedState(graph: NodeGraph, op: RandomOp, state: readonly Node[], word: Index): Node {
  const blocks = blockCount(op);
  return graph.expression('ui64', { name: 'advance_counter', blocks }, [graph.index(word), ...state], 2);
}

export function randomElement(graph: NodeGraph, op: RandomOp, state: readonly Node[], index: readonly Index[]): Node {
  const { type, rngAlgorithm } = op.attributes;
  switch (rngAlgorithm) {
    case 'PHILOX':
    case 'DEFAULT':
      return philoxElement(graph, type.elementType, state, linearize(type.shape, index));
    case 'THREE_FRY':
      return threefryElement(graph, type.elementType, type.shape, state, index);
    default:
      return assertNever(rngAlgorithm);
  }
}

/** The element at a position in row-major order. */
export function philoxElement(graph: NodeGraph, type: ElementType, state: readonly Node[], position: Index): Node {
  const [key, low] = [elementAt(state, 0), elementAt(state, 1)];
  return graph.random(type, [key, low, state[2] ?? key], position);
}

function threefryElement(
  graph: NodeGraph,
  type: ElementType,
  shape: readonly number[],
  state: readonly Node[],
  index: readonly Index[],
): Node {
  const [key, counter] = [elementAt(state, 0), elementAt(state, 1)];
  if (elementBytes(type) === 8)
    return graph.expression(type, { name: 'threefry' }, [key, counter, graph.index(linearize(shape, index))], 40);
  const split = splitDimension(shape);
  let block = linearize(shape, index);
  let which = divMod(block, 2)[1];
  if (shape.length > 0) {
    const [half, odd] = divMod(index[split]!, 2);
    block = linearize(
      halved(shape, split),
      index.map((x, d) => (d === split ? half : x)),
    );
    which = odd;
  }
  return graph.expression(type, { name: 'threefry' }, [key, counter, graph.index(block), graph.index(which)], 40);
}
