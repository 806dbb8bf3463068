// The collectives that can be started and awaited later, to overlap with the work in between: large ones whose data is contiguous
// in memory.

import { dispatch, isIn, type PerOp } from '../../hlo/per-op.ts';
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize, elementCount } from '../../hlo/types.ts';

/** Smaller ones take less time than handing them to another thread. */
const smallestBytes = 64 << 10;

type Startable = 'all_reduce' | 'reduce_scatter' | 'all_gather';

/** Parts along the outermost dim (ignoring dims of one element) are contiguous. */
const isOutermost = (v: Value, dim: number): boolean => elementCount(shapeOf(v).slice(0, dim)) === 1;
const inOrder: PerOp<Startable, boolean> = {
  all_reduce: () => true,
  reduce_scatter: op => isOutermost(op.operands[0], op.attributes.scatterDimension),
  all_gather: op => op.operands.every(v => isOutermost(v, op.attributes.allGatherDim)),
};
/** Where the operands are read until the end; an all-reduce works on its results. */
const reading: { readonly [N in Startable]: boolean } = { all_reduce: false, reduce_scatter: true, all_gather: true };

const bytesExchanged = (op: Op): number => Math.max(sum(op.operands), sum(op.results));
const sum = (values: readonly Value[]): number =>
  values.reduce((bytes, v) => bytes + (v.type.kind === 'tensor' ? byteSize(tensorTypeOf(v)) : 0), 0);

/** How many bytes more a collective leaves in memory than it reads. */
export const addedBytes = (op: Op): number => sum(op.results) - sum(op.operands);

export const isStartable = (op: Op): op is Op<Startable> =>
  isIn(inOrder, op) && dispatch(inOrder, op) && bytesExchanged(op) >= smallestBytes;

/** Whether the operands must not change until the collective has been awaited. */
export const keepsOperands = (op: Op): boolean => isIn(reading, op) && reading[op.name];
