// Calls that move elements without computing: reshape, permute, slices, concatenation, lookups.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isInteger, tensorType } from '../../hlo/types.ts';
import { promote } from '../dtype.ts';
import { broadcastTo, dimOf, formatShape, mismatch, resolveShape, type Shape } from './shapes.ts';

export const reshape = (b: Builder, x: Value, shape: Shape): Value =>
  b.reshape(x, resolveShape(b, 'reshape', shapeOf(x), shape));

export function flatten(b: Builder, x: Value, from: number, to: number): Value {
  const shape = shapeOf(x);
  if (shape.length === 0) return b.reshape(x, [1]);
  const [i, j] = [dimOf(b, 'flatten', shape, from), dimOf(b, 'flatten', shape, to)];
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
export function squeeze(b: Builder, x: Value, dim: number | undefined): Value {
  const shape = shapeOf(x);
  if (dim === undefined)
    return b.reshape(
      x,
      shape.filter(d => d !== 1),
    );
  const at = dimOf(b, 'squeeze', shape, dim);
  return shape[at] === 1
    ? b.reshape(
        x,
        shape.filter((_, d) => d !== at),
      )
    : x;
}
/** Sizes of -1 stay as they are; dims of size 1 and new leading dims repeat the elements. */
export function expand(b: Builder, x: Value, sizes: Shape): Value {
  const shape = shapeOf(x);
  const lead = sizes.length - shape.length;
  const to = sizes.map((d, i) => (d === -1 && i >= lead ? shape[i - lead]! : d));
  if (lead < 0 || to.some((d, i) => d < 0 || (i >= lead && shape[i - lead] !== 1 && shape[i - lead] !== d))) {
    throw mismatch(b, 'expand', shape, sizes, 'only dims of size 1 and new leading dims can grow');
  }
  return broadcastTo(b, x, to);
}

export function cat(b: Builder, xs: readonly Value[], dim: number): Value {
  const first = xs[0];
  if (first === undefined) throw new TrenioError('NO_TENSORS', { op: 'cat' }, { location: b.location });
  const shape = shapeOf(first);
  const along = dimOf(b, 'cat', shape, dim);
  let type: ElementType = tensorTypeOf(first).elementType;
  for (const x of xs) {
    const other = shapeOf(x);
    if (other.length !== shape.length || other.some((d, i) => i !== along && d !== shape[i])) {
      throw mismatch(b, 'cat', shape, other, `all dims but dim ${along} must be equal`);
    }
    type = promote(type, tensorTypeOf(x).elementType);
  }
  return xs.length === 1
    ? first
    : b.concatenate(
        xs.map(x => b.convert(x, type)),
        along,
      );
}

/** Elements start ≤ i < end along `dim`, each step-th. Out of range is cut off, negative counts from the end. */
export function slice(b: Builder, x: Value, dim: number, start: number, end: number, step: number): Value {
  const shape = shapeOf(x);
  const along = dimOf(b, 'slice', shape, dim);
  const size = shape[along] ?? 1;
  const clip = (i: number): number => Math.min(size, Math.max(0, i < 0 ? i + size : i));
  const [from, to] = [clip(start), clip(end)];
  return b.slice(
    x,
    shape.map((_, i) => (i === along ? from : 0)),
    shape.map((d, i) => (i === along ? Math.max(from, to) : d)),
    shape.map((_, i) => (i === along ? step : 1)),
  );
}
export function narrow(b: Builder, x: Value, dim: number, start: number, length: number): Value {
  const shape = shapeOf(x);
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

function integers(b: Builder, op: string, index: Value): Value {
  const type = tensorTypeOf(index).elementType;
  if (isInteger(type)) return index;
  throw new TrenioError('BAD_DTYPE', { op, got: type, expected: 'whole numbers as indices' }, { location: b.location });
}

/** The slices of x along `dim` that `index` (any shape) names: [before…, index…, after…]. Out of range is clamped. */
export function indexSelect(b: Builder, op: string, x: Value, dim: number, index: Value): Value {
  const [shape, places] = [shapeOf(x), shapeOf(integers(b, op, index))];
  const along = dimOf(b, op, shape, dim);
  const rank = shape.length - 1 + places.length;
  const offsetDims = Array.from({ length: rank }, (_, i) => i).filter(i => i < along || i >= along + places.length);
  return b.gather(
    x,
    index,
    {
      offsetDims,
      collapsedSliceDims: [along],
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: [along],
      indexVectorDim: places.length,
    },
    shape.map((d, i) => (i === along ? 1 : d)),
  );
}

/** out[i…] = x[i… with position `dim` replaced by index[i…]], as PyTorch's `gather`. */
export function gather(b: Builder, x: Value, dim: number, index: Value): Value {
  const [shape, places] = [shapeOf(x), shapeOf(integers(b, 'gather', index))];
  const along = dimOf(b, 'gather', shape, dim);
  if (places.length !== shape.length || places.some((d, i) => i !== along && d > shape[i]!)) {
    throw mismatch(b, 'gather', shape, places, `the index must have as many dims, none but dim ${along} larger`);
  }
  const others = shape.map((_, i) => i).filter(i => i !== along);
  const same = others.every(i => places[i] === shape[i]);
  const limits = shape.map((d, i) => (i === along ? d : places[i]!));
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
export function oneHot(b: Builder, index: Value, classes: number, type: ElementType): Value {
  const shape = [...shapeOf(integers(b, 'oneHot', index)), classes];
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
  const inside = b.compare(lower ? 'LE' : 'GE', off, b.like(off, diagonal));
  return b.select(inside, x, b.like(x, 0));
}
