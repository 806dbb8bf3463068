// Calls that move elements without computing: reshape, permute, slices, concatenation, lookups.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, sameShape, tensorType } from '../../hlo/types.ts';
import { changing } from '../step/changing-numbers.ts';
import { wholeIndices } from '../step/index-checks.ts';
import { promote } from '../types/dtype.ts';
import {
  badDim,
  broadcastShapes,
  broadcastTo,
  dimOf,
  distinctDims,
  formatShape,
  mismatch,
  resolveShape,
  type Shape,
} from './shapes.ts';

export const reshape = (b: Builder, x: Value, shape: Shape): Value =>
  b.reshape(x, resolveShape(b, 'reshape', shapeOf(x), shape));

export function flatten(b: Builder, x: Value, from: number, to: number): Value {
  const shape = shapeOf(x);
  const [i, j] = [dimOf(b, 'flatten', shape, from), dimOf(b, 'flatten', shape, to)];
  if (shape.length === 0) return b.reshape(x, [1]);
  if (i > j)
    throw new TrenioError(
      'WRONG_ARGUMENT',
      {
        call: 'flatten',
        argument: 'endDim',
        got: String(to),
        expected: `a dim from ${i} on`,
        fix: 'exchange the two dims',
      },
      { location: b.location },
    );
  const middle = shape.slice(i, j + 1).reduce((n, d) => n * d, 1);
  return b.reshape(x, [...shape.slice(0, i), middle, ...shape.slice(j + 1)]);
}
export function permute(b: Builder, x: Value, order: readonly number[]): Value {
  const shape = shapeOf(x);
  const dims = order.map(d => dimOf(b, 'permute', shape, d));
  if (dims.length !== shape.length || new Set(dims).size !== dims.length) {
    throw mismatch(b, 'permute', shape, order, 'each dim must be named once');
  }
  return b.transpose(x, dims);
}
export function transpose(b: Builder, x: Value, dim0: number, dim1: number): Value {
  const shape = shapeOf(x);
  const [i, j] = [dimOf(b, 'transpose', shape, dim0), dimOf(b, 'transpose', shape, dim1)];
  const order = shape.map((_, d) => (d === i ? j : d === j ? i : d));
  return b.transpose(x, order);
}
export function unsqueeze(b: Builder, x: Value, dim: number): Value {
  const shape = shapeOf(x);
  const at = dimOf(b, 'unsqueeze', [...shape, 1], dim);
  return b.reshape(x, [...shape.slice(0, at), 1, ...shape.slice(at)]);
}
export function squeeze(b: Builder, x: Value, dim: number | Shape | undefined): Value {
  const shape = shapeOf(x);
  const dims =
    dim === undefined
      ? shape.map((_, i) => i)
      : distinctDims(b, 'squeeze', shape, typeof dim === 'number' ? [dim] : dim);
  const kept = shape.filter((d, i) => d !== 1 || !dims.includes(i));
  return dim !== undefined && kept.length === shape.length ? x : b.reshape(x, kept);
}
/** The transpose of a matrix; vectors and scalars are returned unchanged. */
export function matrixTranspose(b: Builder, x: Value): Value {
  const { length } = shapeOf(x);
  if (length > 2) throw mismatch(b, 't', shapeOf(x), [2, 2], 'at most two dims; use transpose(-2, -1)');
  return length === 2 ? transpose(b, x, 0, 1) : x;
}
/** @throws {SHAPE_MISMATCH} unless x has at least this many dims */
export function onlyRank(b: Builder, op: string, x: Value, rank: number): Value {
  if (shapeOf(x).length !== rank)
    throw mismatch(
      b,
      op,
      shapeOf(x),
      new Array<number>(rank).fill(-1),
      `${rank} dim${rank === 1 ? ' is' : 's are'} needed`,
    );
  return x;
}
/** Adds leading dims of size 1 up to this number of dims. */
export function atLeast(b: Builder, x: Value, rank: number): Value {
  const shape = shapeOf(x);
  return shape.length >= rank ? x : b.reshape(x, [...new Array<number>(rank - shape.length).fill(1), ...shape]);
}
export function broadcastTogether(b: Builder, xs: readonly Value[]): Value[] {
  const shape = xs.map(shapeOf).reduce((all, one) => broadcastShapes(b, 'broadcastTensors', all, one));
  return xs.map(x => broadcastTo(b, x, shape));
}
export function meshgrid(b: Builder, xs: readonly Value[], isXy: boolean): Value[] {
  const vectors = xs.map(x => onlyRank(b, 'meshgrid', atLeast(b, x, 1), 1));
  const sizes = vectors.map(x => shapeOf(x)[0]!);
  const order = sizes.map((_, i) => (isXy && i < 2 && sizes.length > 1 ? 1 - i : i));
  const shape = order.map(i => sizes[i]!);
  return vectors.map((x, i) => b.broadcastInDim(x, [order[i]!], shape));
}
/** Sizes of -1 are kept; dims of size 1 and new leading dims repeat the elements. */
export function expand(b: Builder, x: Value, sizes: Shape): Value {
  const shape = shapeOf(x);
  const lead = sizes.length - shape.length;
  const to = sizes.map((d, i) => (d === -1 && i >= lead ? shape[i - lead]! : d));
  if (lead < 0 || to.some((d, i) => d < 0 || (i >= lead && shape[i - lead] !== 1 && shape[i - lead] !== d))) {
    throw mismatch(b, 'expand', shape, sizes, 'only dims of size 1 and new leading dims can grow');
  }
  return broadcastTo(b, x, to);
}

export function cat(b: Builder, all: readonly Value[], dim: number): Value {
  const isEmpty = (x: Value): boolean => sameShape(shapeOf(x), [0]);
  const first = all.find(x => !isEmpty(x)) ?? all[0];
  if (first === undefined) throw new TrenioError('NO_TENSORS', { op: 'cat' }, { location: b.location });
  const shape = shapeOf(first);
  const along = dimOf(b, 'cat', shape, dim);
  const type = all.map(x => tensorTypeOf(x).elementType).reduce(promote);
  // [0] counts as no elements of any shape, as in PyTorch
  const xs = all.map(x => (shape.length > 1 && isEmpty(x) ? b.reshape(x, shape.with(along, 0)) : x));
  for (const x of xs) {
    const other = shapeOf(x);
    if (other.length !== shape.length || other.some((d, i) => i !== along && d !== shape[i])) {
      throw mismatch(b, 'cat', shape, other, `all dims but dim ${along} must be equal`);
    }
  }
  return xs.length === 1
    ? b.convert(first, type)
    : b.concatenate(
        xs.map(x => b.convert(x, type)),
        along,
      );
}

export const stack = (b: Builder, xs: readonly Value[], dim: number): Value => {
  const shapes = xs.map(shapeOf);
  const other = shapes.find(shape => !sameShape(shape, shapes[0]!));
  if (other !== undefined) throw mismatch(b, 'stack', shapes[0]!, other, 'all shapes must be equal');
  return cat(
    b,
    xs.map(x => unsqueeze(b, x, dim)),
    dim < 0 ? dim + (shapes[0]?.length ?? 0) + 1 : dim,
  );
};

/** Elements start ≤ i < end along `dim`, each step-th. Bounds out of range are clamped; negative ones count from the end. */
export function slice(b: Builder, x: Value, dim: number, start: number, end: number, step: number): Value {
  const shape = shapeOf(x);
  const along = dimOf(b, 'slice', shape, dim);
  const size = shape[along] ?? 1;
  const clip = (i: number): number => Math.min(size, Math.max(0, i < 0 ? i + size : i));
  const [from, to] = [clip(start), clip(end)];
  return sliceAlong(b, x, along, from, Math.max(from, to), step);
}
/** Elements from ≤ i < to, which are in range. The start may change from step to step. */
export function sliceAlong(b: Builder, x: Value, along: number, from: number, to: number, step: number): Value {
  const shape = shapeOf(x);
  const fixed = (): Value =>
    b.slice(
      x,
      shape.map((_, i) => (i === along ? from : 0)),
      shape.map((d, i) => (i === along ? to : d)),
      shape.map((_, i) => (i === along ? step : 1)),
    );
  if (step !== 1 || shape.length === 0) return fixed();
  const sliceSizes = shape.map((d, i) => (i === along ? to - from : d));
  return changing(b, { value: from, type: 'i32' }, fixed, at => {
    const starts = shape.map((_, i) => (i === along ? at : b.fill('i32', [], 0)));
    return b.emit1('dynamic_slice', [x, ...starts], { sliceSizes });
  });
}
/** `x` with `part` in place of its entries from `from` on along a dim; they are in range. */
export function replaceAlong(b: Builder, x: Value, along: number, from: number, part: Value): Value {
  const write = (at: Value): Value => {
    const starts = shapeOf(x).map((_, i) => (i === along ? at : b.fill('i32', [], 0)));
    return b.emit1('dynamic_update_slice', [x, part, ...starts], {});
  };
  return changing(
    b,
    { value: from, type: 'i32' },
    () => write(b.fill('i32', [], from)),
    write,
    value => value.op?.operands[2 + along]?.op,
  );
}
export function narrow(b: Builder, x: Value, dim: number, start: number, length: number): Value {
  const shape = shapeOf(x);
  if (shape.length === 0) throw mismatch(b, 'narrow', shape, [length], 'at least one dim is needed');
  const along = dimOf(b, 'narrow', shape, dim);
  const from = start < 0 ? start + shape[along]! : start;
  if (from < 0 || length < 0 || from + length > shape[along]!) {
    throw new TrenioError(
      'OUT_OF_RANGE',
      {
        op: 'narrow',
        index: `${start} … ${start + length}`,
        size: shape[along]!,
        dim: along,
        shape: formatShape(shape),
      },
      { location: b.location },
    );
  }
  return slice(b, x, along, from, from + length, 1);
}
export function select(b: Builder, x: Value, dim: number, index: number): Value {
  const shape = shapeOf(x);
  const along = dimOf(b, 'select', shape, dim);
  const at = index < 0 ? index + shape[along]! : index;
  if (!(at >= 0 && at < shape[along]!)) {
    throw new TrenioError(
      'OUT_OF_RANGE',
      { op: 'select', index: String(index), size: shape[along] ?? 0, dim: along, shape: formatShape(shape) },
      { location: b.location },
    );
  }
  return b.reshape(
    slice(b, x, along, at, at + 1, 1),
    shape.filter((_, i) => i !== along),
  );
}

/** The slices of x along `dim` that `index` (any shape) names: [before…, index…, after…]. Indices out of range are clamped. */
export function indexSelect(b: Builder, op: string, x: Value, dim: number, given: Value): Value {
  const index = wholeIndices(b, op, given);
  const [shape, positions] = [shapeOf(x), shapeOf(index)];
  const along = dimOf(b, op, shape, dim);
  if (positions.includes(0))
    return b.fill(tensorTypeOf(x).elementType, [...shape.slice(0, along), ...positions, ...shape.slice(along + 1)], 0);
  const rank = shape.length - 1 + positions.length;
  const offsetDims = Array.from({ length: rank }, (_, i) => i).filter(i => i < along || i >= along + positions.length);
  return b.gather(
    x,
    index,
    {
      offsetDims,
      collapsedSliceDims: [along],
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: [along],
      indexVectorDim: positions.length,
    },
    shape.map((d, i) => (i === along ? 1 : d)),
  );
}

/**
 * Operand and index of `gather` for `takeAlongDim`: flattened without a dim, else broadcast. Negative indices count from the end.
 */
export function alignedAlong(
  b: Builder,
  op: string,
  x: Value,
  given: Value,
  dim: number | undefined,
): [operand: Value, index: Value] {
  const signed = wholeIndices(b, op, given);
  const [shape, positions] = [shapeOf(x), shapeOf(signed)];
  if (dim !== undefined && shape.length === 0) throw badDim(b, op, shape, dim);
  const size = dim === undefined ? shape.reduce((n, d) => n * d, 1) : shape[dimOf(b, op, shape, dim)]!;
  const isNegative = b.compare('LT', signed, b.like(signed, 0));
  const index = b.select(isNegative, b.add(signed, b.like(signed, size)), signed);
  if (dim === undefined)
    return [b.reshape(x, resolveShape(b, op, shape, [-1])), b.reshape(index, resolveShape(b, op, positions, [-1]))];
  const along = dimOf(b, op, shape, dim);
  if (shape.length !== positions.length)
    throw mismatch(b, op, shape, positions, 'the indices must have as many dims as the input');
  const others = broadcastShapes(b, op, shape.with(along, 1), positions.with(along, 1));
  return [
    broadcastTo(b, x, others.with(along, shape[along]!)),
    broadcastTo(b, index, others.with(along, positions[along]!)),
  ];
}

/** out[i…] = x[i… with position `dim` replaced by index[i…]], like PyTorch's `gather`. */
export function gather(b: Builder, x: Value, dim: number, given: Value): Value {
  const index = wholeIndices(b, 'gather', given);
  const [shape, positions] = [shapeOf(x), shapeOf(index)];
  const along = dimOf(b, 'gather', shape, dim);
  if (positions.length !== shape.length || positions.some((d, i) => i !== along && d > shape[i]!)) {
    throw mismatch(b, 'gather', shape, positions, `the index must have as many dims, none but dim ${along} larger`);
  }
  const others = shape.map((_, i) => i).filter(i => i !== along);
  const same = others.every(i => positions[i] === shape[i]);
  const limits = shape.map((d, i) => (i === along ? d : positions[i]!));
  const operand = same
    ? x
    : b.slice(
        x,
        shape.map(() => 0),
        limits,
      );
  return b.gather(
    operand,
    index,
    {
      offsetDims: [],
      collapsedSliceDims: [along],
      operandBatchingDims: others,
      startIndicesBatchingDims: others,
      startIndexMap: [along],
      indexVectorDim: shape.length,
    },
    shape.map(() => 1),
  );
}

/** The elements at indices of shape [before…, 1, after…] along `dim`. */
export const atIndex = (b: Builder, op: string, x: Value, dim: number, index: Value): Value =>
  shapeOf(x).length === 0 ? b.reshape(x, []) : gather(b, x, dimOf(b, op, shapeOf(x), dim), index);

/** 1 where the class is the index, else 0: [..., classes], in the given type. i1 for a mask. */
export function oneHot(b: Builder, given: Value, classes: number, type: ElementType): Value {
  const index = wholeIndices(b, 'oneHot', given);
  const shape = [...shapeOf(index), classes];
  const wide = b.broadcastInDim(
    index,
    shapeOf(index).map((_, i) => i),
    shape,
  );
  const hit = b.compare('EQ', wide, b.iota(tensorType(tensorTypeOf(index).elementType, shape), shape.length - 1));
  return b.convert(hit, type);
}

/** Zeros (or `value`) around: low and high per dim. */
export function pad(b: Builder, x: Value, low: Shape, high: Shape, value: number): Value {
  return b.pad(x, b.fill(tensorTypeOf(x).elementType, [], value), low, high);
}
/** Keeps the triangle where column - row ≤ diagonal (lower) or ≥ diagonal (upper) of the last two dims. */
export function triangle(b: Builder, x: Value, lower: boolean, diagonal: number): Value {
  const shape = shapeOf(x);
  if (shape.length < 2) throw mismatch(b, lower ? 'tril' : 'triu', shape, [2, 2], 'at least two dims are needed');
  const index = tensorType('i32', shape);
  const [row, column] = [b.iota(index, shape.length - 2), b.iota(index, shape.length - 1)];
  const off = b.subtract(column, row);
  const limit = changing(
    b,
    { value: diagonal, type: 'i32' },
    () => b.like(off, diagonal),
    v => b.broadcastInDim(v, [], shape),
    value => value.op?.operands[0]?.op,
  );
  const inside = b.compare(lower ? 'LE' : 'GE', off, limit);
  return b.select(inside, x, b.like(x, 0));
}
