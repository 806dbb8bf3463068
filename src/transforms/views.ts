// Rules for ops that move elements: chains become one op, and ops that move nothing become reshapes or disappear. The
// remaining ops become strides of kernels and multiplies.
import type { Op, Value } from '../hlo/program.ts';
import { shapeOf } from '../hlo/program.ts';
import { sameShape } from '../hlo/types.ts';
import { type Rewriter, type Rule, ruleFor } from './rewriter.ts';

const identity = (dims: readonly number[]): boolean => dims.every((d, i) => d === i);
/** Whether dims that are not of size 1 keep their order. */
const keepsOrder = (dims: readonly number[], sizes: readonly number[]): boolean => {
  const real = dims.filter((_, i) => sizes[i] !== 1);
  return real.every((d, i) => i === 0 || d > real[i - 1]!);
};

function reshape(op: Op<'reshape'>, r: Rewriter): readonly Value[] | undefined {
  const [x] = op.operands;
  const { shape } = op.attributes;
  if (sameShape(shapeOf(x), shape)) return [x];
  if (x.op?.name === 'reshape') return r.emit('reshape', [x.op.operands[0]], { shape });
  if (x.op?.name === 'broadcast_in_dim' && shapeOf(x.op.operands[0]).length === 0) {
    return r.emit('broadcast_in_dim', x.op.operands, { broadcastDimensions: [], shape });
  }
  return undefined;
}

function transpose(op: Op<'transpose'>, r: Rewriter): readonly Value[] | undefined {
  const [x] = op.operands;
  const { permutation } = op.attributes;
  if (identity(permutation)) return [x];
  if (x.op?.name === 'transpose') {
    const inner = x.op.attributes.permutation;
    return r.emit('transpose', x.op.operands, { permutation: permutation.map(d => inner[d]!) });
  }
  const shape = shapeOf(x);
  if (
    keepsOrder(
      permutation,
      permutation.map(d => shape[d]!),
    )
  )
    return r.emit('reshape', [x], { shape: permutation.map(d => shape[d]!) });
  if (x.op?.name === 'broadcast_in_dim' && shapeOf(x.op.operands[0]).length === 0) {
    return r.emit('broadcast_in_dim', x.op.operands, {
      broadcastDimensions: [],
      shape: permutation.map(d => shape[d]!),
    });
  }
  return undefined;
}

function broadcast(op: Op<'broadcast_in_dim'>, r: Rewriter): readonly Value[] | undefined {
  const [x] = op.operands;
  const { broadcastDimensions, shape } = op.attributes;
  const from = shapeOf(x);
  if (sameShape(from, shape) && identity(broadcastDimensions)) return [x];
  if (x.op?.name === 'broadcast_in_dim') {
    const inner = x.op.attributes.broadcastDimensions;
    // an inner broadcast that the outer one expands further would need its size-1 dim again
    return r.emit('broadcast_in_dim', x.op.operands, {
      broadcastDimensions: inner.map(d => broadcastDimensions[d]!),
      shape,
    });
  }
  const grows = shape.some(
    (size, d) => size !== 1 && (!broadcastDimensions.includes(d) || from[broadcastDimensions.indexOf(d)] !== size),
  );
  if (!grows && keepsOrder(broadcastDimensions, from)) return r.emit('reshape', [x], { shape });
  return undefined;
}

function slice(op: Op<'slice'>, r: Rewriter): readonly Value[] | undefined {
  const [x] = op.operands;
  const { startIndices, limitIndices, strides } = op.attributes;
  const from = shapeOf(x);
  const whole = (d: number): boolean => startIndices[d] === 0 && limitIndices[d] === from[d] && strides[d] === 1;
  if (from.every((_, d) => whole(d))) return [x];
  if (x.op?.name === 'slice') {
    const inner = x.op.attributes;
    // without elements, a start at the end of the inner slice could be beyond the end of its operand
    const isEmpty = (d: number): boolean => limitIndices[d] === startIndices[d];
    const at = (i: number, d: number): number => inner.startIndices[d]! + i * inner.strides[d]!;
    const start = startIndices.map((s, d) => (isEmpty(d) ? 0 : at(s, d)));
    const limit = limitIndices.map((l, d) => (isEmpty(d) ? 0 : at(l - 1, d) + 1));
    return r.emit('slice', x.op.operands, {
      startIndices: start,
      limitIndices: limit,
      strides: strides.map((s, d) => s * inner.strides[d]!),
    });
  }
  if (x.op?.name === 'concatenate') {
    const d = x.op.attributes.dimension;
    let at = 0;
    for (const part of x.op.operands) {
      const size = shapeOf(part)[d]!;
      if (startIndices[d]! >= at && limitIndices[d]! <= at + size) {
        const moved = (list: readonly number[]): number[] => list.map((v, k) => (k === d ? v - at : v));
        return r.emit('slice', [part], {
          startIndices: moved(startIndices),
          limitIndices: moved(limitIndices),
          strides,
        });
      }
      at += size;
    }
  }
  return undefined;
}

export const viewRule: Rule = ruleFor({
  reshape,
  transpose,
  broadcast_in_dim: broadcast,
  slice,
  reverse: op => (op.attributes.dimensions.every(d => shapeOf(op.operands[0])[d] === 1) ? op.operands : undefined),
  concatenate: op => (op.operands.length === 1 ? op.operands : undefined),
});
