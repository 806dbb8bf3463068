// Where each element of a view comes from: the index into the operand, given the index into the result. The compiler's
// rule for each op that only moves elements, guards where some elements come from elsewhere.
import { elementAt } from '../../base/element-at.ts';
import { dispatch, type PerOp } from '../../hlo/per-op.ts';
import type { Op } from '../../hlo/program.ts';
import { shapeOf } from '../../hlo/program.ts';
import {
  add,
  addConstant,
  constantIndex,
  delinearize,
  divMod,
  type Index,
  linearize,
  scale,
  zeroIndex,
} from '../ir/index-expr.ts';
import type { Guard } from '../ir/node.ts';
import { isLoweredAs, type LoweredAs } from './lowering-kinds.ts';

export type ViewOp = LoweredAs<'view'>;
export const isView = (op: Op): op is ViewOp => isLoweredAs(op, 'view');

const viewRules: PerOp<ViewOp['name'], Index[], [index: readonly Index[]]> = {
  reshape: ({ operands, results }, index) => delinearize(shapeOf(operands[0]), linearize(shapeOf(results[0]), index)),
  broadcast_in_dim: ({ operands, attributes }, index) => {
    const from = shapeOf(operands[0]);
    return attributes.broadcastDimensions.map((to, d) => (from[d] === 1 ? zeroIndex : index[to]!));
  },
  transpose: ({ attributes }, index) => {
    const out = new Array<Index>(index.length);
    attributes.permutation.forEach((source, d) => {
      out[source] = index[d]!;
    });
    return out;
  },
  reverse: ({ operands, attributes }, index) => {
    const from = shapeOf(operands[0]);
    return index.map((i, d) => (attributes.dimensions.includes(d) ? addConstant(scale(i, -1), from[d]! - 1) : i));
  },
  slice: ({ attributes: { startIndices, strides } }, index) =>
    index.map((i, d) => addConstant(scale(i, strides[d]!), startIndices[d]!)),
};

/** The operand's index of an element of a view. */
export const viewIndex = (op: ViewOp, index: readonly Index[]): Index[] => dispatch(viewRules, op, index);

/** The index into a pad's operand, and the condition under which an element comes from the operand. */
export function padIndex(
  op: Op<'pad'>,
  index: readonly Index[],
): { readonly index: Index[]; readonly guards: Guard<number>[] } {
  const { edgePaddingLow, interiorPadding } = op.attributes;
  const from = shapeOf(op.operands[0]);
  const guards: Guard<number>[] = [];
  const inner = index.map((i, d) => {
    const shifted = addConstant(i, -edgePaddingLow[d]!);
    const step = interiorPadding[d]! + 1;
    const high = from[d]! === 0 ? 0 : (from[d]! - 1) * step + 1;
    guards.push({ index: shifted, low: 0, high, ...(step > 1 ? { modulus: step, remainder: 0 } : {}) });
    return step === 1 ? shifted : divMod(shifted, step)[0];
  });
  return { index: inner, guards };
}

/** 'always' and 'never' where the ranges of the loops decide it; otherwise the guards that remain. */
export function simplifyGuards(guards: readonly Guard<number>[]): 'always' | 'never' | Guard<number>[] {
  const rest: Guard<number>[] = [];
  for (const g of guards) {
    if (g.index.max < g.low || g.index.min >= g.high) return 'never';
    if (g.index.min === g.index.max && g.modulus !== undefined && g.index.min % g.modulus !== g.remainder)
      return 'never';
    const inRange = g.index.min >= g.low && g.index.max < g.high;
    const aligned = g.modulus === undefined || g.index.min === g.index.max;
    if (!inRange || !aligned) rest.push(g);
  }
  return rest.length === 0 ? 'always' : rest;
}

/** For each operand of a concatenate: its index, and the guard under which the element comes from it. */
export function concatenateParts(
  op: Op<'concatenate'>,
  index: readonly Index[],
): { readonly operand: number; readonly index: Index[]; readonly guard: Guard<number> }[] {
  const d = op.attributes.dimension;
  let start = 0;
  return op.operands.map((x, operand) => {
    const size = shapeOf(x)[d]!;
    const at = index[d]!;
    const part = {
      operand,
      index: index.map((i, k) => (k === d ? addConstant(i, -start) : i)),
      guard: { index: at, low: start, high: start + size },
    };
    start += size;
    return part;
  });
}

/** The operand's index of an element of a gather, from the (clamped) start of its slice along each operand dim. */
export function gatherIndex(
  op: Op<'gather' | 'dynamic_gather'>,
  index: readonly Index[],
  start: (batch: readonly Index[], component: number, dim: number) => Index,
): Index[] {
  const { dimensionNumbers: n } = op.attributes;
  const batch = index.filter((_, d) => !n.offsetDims.includes(d));
  const offsets = index.filter((_, d) => n.offsetDims.includes(d));
  let nextOffset = 0;
  return shapeOf(op.operands[0]).map((_, d) => {
    const batching = n.operandBatchingDims.indexOf(d);
    if (batching >= 0) {
      // batch dims of the result are those of the indices, the index vector left out
      const dim = elementAt(n.startIndicesBatchingDims, batching);
      return elementAt(batch, dim < n.indexVectorDim ? dim : dim - 1);
    }
    const offset = n.collapsedSliceDims.includes(d) ? zeroIndex : elementAt(offsets, nextOffset++);
    const component = n.startIndexMap.indexOf(d);
    return component < 0 ? offset : add(offset, start(batch, component, d));
  });
}
/** The index into start_indices of one component of the start of a slice. */
export function startIndexAt(op: Op<'gather' | 'dynamic_gather'>, batch: readonly Index[], component: number): Index[] {
  const { indexVectorDim } = op.attributes.dimensionNumbers;
  const rank = shapeOf(op.operands[1]).length;
  if (indexVectorDim === rank) return [...batch];
  return [...batch.slice(0, indexVectorDim), constantIndex(component), ...batch.slice(indexVectorDim)];
}
