// Windows, combining and splitting tensors, and tensors with one part replaced.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { sameShape, tensorType } from '../../hlo/types.ts';
import { promote } from '../types/dtype.ts';
import * as arrange from './arrange.ts';
import { conj } from './complex.ts';
import * as move from './move.ts';
import { total } from './reduce.ts';
import { dimOf, mismatch, type Shape } from './shapes.ts';

/** Windows of `size` entries of a dim, one every `step`, as a new last dim. */
export function windows(b: Builder, x: Value, dim: number, size: number, step: number): Value {
  const shape = shapeOf(x);
  if (shape.length === 0) return b.reshape(windows(b, b.reshape(x, [1]), dim, size, step), [size]);
  const at = dimOf(b, 'unfold', shape, dim);
  const total = shape[at]!;
  if (size < 0 || size > total || step < 1)
    throw mismatch(b, 'unfold', shape, [size, step], `windows have 0 to ${total} entries, and the step is 1 or more`);
  const count = Math.floor((total - size) / step) + 1;
  if (size === 0) return b.fill(tensorTypeOf(x).elementType, [...shape.with(at, count), 0], 0);
  const last = shape.length;
  if (size <= count) {
    // entry j of each window
    const entries = Array.from({ length: size }, (_, j) =>
      move.unsqueeze(b, move.slice(b, x, at, j, j + (count - 1) * step + 1, step), last),
    );
    return move.cat(b, entries, last);
  }
  const others = shape.map((_, d) => d).filter(d => d !== at);
  const each = Array.from({ length: count }, (_, i) => {
    const window = move.slice(b, x, at, i * step, i * step + size, 1);
    return move.unsqueeze(b, b.transpose(window, [...others, at]), at);
  });
  return move.cat(b, each, at);
}

/** The conjugate transpose of matrices; vectors are rejected. */
export function adjoint(b: Builder, op: string, x: Value): Value {
  const shape = shapeOf(x);
  if (shape.length === 1) throw mismatch(b, op, shape, [-1, -1], 'a matrix, or a batch of matrices, is needed');
  const turned = shape.length === 0 ? b.reshape(x, []) : move.transpose(b, x, -2, -1);
  return tensorTypeOf(x).elementType.startsWith('complex') ? conj(b, turned) : turned;
}
/** At least `rank` dims, with new ones where NumPy puts them. */
export function atLeast(b: Builder, x: Value, rank: 1 | 2 | 3): Value {
  const shape = shapeOf(x);
  if (rank < 3 || shape.length === 0) return move.atLeast(b, x, rank);
  return shape.length === 1 ? b.reshape(x, [1, ...shape, 1]) : shape.length === 2 ? b.reshape(x, [...shape, 1]) : x;
}
/** Matrices along the diagonal of one, zeros elsewhere. */
export function blockDiagonal(b: Builder, xs: readonly Value[]): Value {
  const blocks = xs.map(x => {
    if (shapeOf(x).length > 2) throw mismatch(b, 'blockDiag', shapeOf(x), [-1, -1], 'blocks have at most two dims');
    return move.atLeast(b, x, 2);
  });
  if (blocks.length === 0) return b.fill('f32', [1, 0], 0);
  const type = blocks.map(x => tensorTypeOf(x).elementType).reduce(promote);
  const columns = blocks.map(x => shapeOf(x)[1]!).reduce((n, d) => n + d, 0);
  let start = 0;
  const wide = blocks.map(x => {
    const width = shapeOf(x)[1]!;
    start += width;
    return b.pad(b.convert(x, type), b.fill(type, [], 0), [0, start - width], [0, columns - start]);
  });
  return wide.length === 1 ? wide[0]! : b.concatenate(wide, 0);
}
/** `count` parts whose sizes differ by at most 1, the larger first; or parts that begin at indices. */
export function tensorSplit(b: Builder, op: string, x: Value, by: number | Shape, dim: number): Value[] {
  const shape = shapeOf(x);
  if (shape.length === 0) throw mismatch(b, op, shape, [1], 'a tensor without dims cannot be split');
  const at = dimOf(b, op, shape, dim);
  const size = shape[at]!;
  if (typeof by === 'number') {
    if (by < 1) throw mismatch(b, op, shape, [by], 'the number of parts is 1 or more');
    const [small, larger] = [Math.floor(size / by), size % by];
    return arrange.split(
      b,
      op,
      x,
      Array.from({ length: by }, (_, i) => small + (i < larger ? 1 : 0)),
      at,
    );
  }
  return [...by, size].map((end, i) => {
    const start = i === 0 ? 0 : by[i - 1]!;
    return move.slice(b, x, at, start, end, 1);
  });
}
/** As `tensorSplit`, but a number of parts must divide the dim. */
export function evenSplit(b: Builder, op: string, x: Value, by: number | Shape, dim: number): Value[] {
  const shape = shapeOf(x);
  const at = dimOf(b, op, shape, dim);
  if (typeof by === 'number' && (by < 1 || shape[at]! % by !== 0))
    throw mismatch(b, op, shape, [by], `the number of parts must divide ${shape[at]}, the size of dim ${at}`);
  return tensorSplit(b, op, x, by, at);
}
/** A quarter turn of two dims, from the first to the second, `turns` times. */
export function quarterTurns(b: Builder, x: Value, turns: number, dims: Shape): Value {
  const shape = shapeOf(x);
  if (dims.length !== 2) throw mismatch(b, 'rot90', shape, dims, 'two dims are needed');
  const [i, j] = [dimOf(b, 'rot90', shape, dims[0]!), dimOf(b, 'rot90', shape, dims[1]!)];
  if (i === j || shape.length < 2) throw mismatch(b, 'rot90', shape, dims, 'two different dims are needed');
  switch (((turns % 4) + 4) % 4) {
    case 1:
      return move.transpose(b, arrange.flip(b, x, [j]), i, j);
    case 2:
      return arrange.flip(b, x, [i, j]);
    case 3:
      return move.transpose(b, arrange.flip(b, x, [i]), i, j);
    default:
      return x;
  }
}

/** x with `part` in place of the entries start, start + step, … of a dim that are before `end`. */
export function replaceSlice(
  b: Builder,
  op: string,
  x: Value,
  part: Value,
  [dim, start, end, step]: readonly [dim: number, start: number, end: number, step: number],
): Value {
  const shape = shapeOf(x);
  const at = dimOf(b, op, shape, dim);
  if (shape.length === 0) throw mismatch(b, op, shape, [1], 'at least one dim is needed');
  if (step < 1) throw mismatch(b, op, shape, [step], 'the step is 1 or more');
  const size = shape[at]!;
  const clip = (i: number): number => Math.min(size, Math.max(0, i < 0 ? i + size : i));
  const [from, to] = [clip(start), clip(end)];
  const count = Math.max(0, Math.ceil((to - from) / step));
  const wanted = shape.with(at, count);
  ofShape(b, op, part, wanted);
  const { elementType } = tensorTypeOf(x);
  if (count === 0) return x;
  const positions = (of: (d: number) => number): number[] => shape.map((_, d) => (d === at ? of(d) : 0));
  const low = positions(() => from);
  const high = positions(() => size - (from + (count - 1) * step + 1));
  const between = positions(() => step - 1);
  const spread = (value: Value, type: typeof elementType): Value =>
    b.pad(value, b.fill(type, [], 0), low, high, between);
  const isOn = spread(b.fill('i1', wanted, true), 'i1');
  return b.select(isOn, spread(b.convert(part, elementType), elementType), x);
}
/** x with `part` in place of a diagonal of two dims. */
export function replaceDiagonal(
  b: Builder,
  op: string,
  x: Value,
  part: Value,
  [offset, dim1, dim2]: readonly [offset: number, dim1: number, dim2: number],
): Value {
  const wanted = shapeOf(arrange.diagonal(b, op, x, offset, dim1, dim2));
  ofShape(b, op, part, wanted);
  const shape = shapeOf(x);
  const [i, j] = [dimOf(b, op, shape, dim1), dimOf(b, op, shape, dim2)];
  const others = shape.map((_, d) => d).filter(d => d !== i && d !== j);
  // matrices last; the diagonal entry of a row, or of a column, is repeated along the other
  const order = [...others, i, j];
  const turned = b.transpose(x, order);
  const full = shapeOf(turned);
  const rows = full.at(-2)!;
  const [row, column] = [Math.max(0, -offset), Math.max(0, offset)];
  const count = wanted.at(-1)!;
  const { elementType } = tensorTypeOf(x);
  const none = others.map(() => 0);
  const tall = b.pad(
    b.convert(part, elementType),
    b.fill(elementType, [], 0),
    [...none, row],
    [...none, rows - row - count],
  );
  const wide = b.broadcastInDim(tall, [...others.keys(), others.length], full);
  const index = tensorType('i32', full);
  const [r, c] = [b.iota(index, others.length), b.iota(index, others.length + 1)];
  const isOn = b.compare('EQ', b.subtract(c, r), b.fill('i32', full, column - row));
  return b.transpose(
    b.select(isOn, wide, turned),
    order.map((_, d) => order.indexOf(d)),
  );
}
/** x summed over the dims that broadcasting from `size` would add or repeat. */
export function sumTo(b: Builder, x: Value, size: Shape): Value {
  const shape = shapeOf(x);
  const lead = shape.length - size.length;
  if (lead < 0 || size.some((d, i) => d !== 1 && d !== shape[i + lead]))
    throw mismatch(b, 'sumToSize', shape, size, 'the size must broadcast to the shape of the input');
  const dims = shape.map((_, d) => d).filter(d => d < lead || (size[d - lead] === 1 && shape[d] !== 1));
  return dims.length === 0 ? x : b.reshape(total(b, x, dims, false, false), size);
}
/** Vectors as columns; other tensors are returned unchanged. */
export const asColumns = (b: Builder, xs: readonly Value[]): Value[] =>
  xs.map(x => (shapeOf(x).length < 2 ? b.reshape(x, [shapeOf(x)[0] ?? 1, 1]) : x));
/** Positions in a flattened tensor of a shape as one coordinate per dim. */
export function coordinates(b: Builder, index: Value, shape: Shape): Value[] {
  const type = tensorTypeOf(index).elementType;
  return shape.map((size, d) => {
    const inner = shape.slice(d + 1).reduce((n, s) => n * s, 1);
    const within = b.divide(index, b.fill(type, shapeOf(index), inner));
    return b.binary('remainder', within, b.fill(type, shapeOf(index), size));
  });
}
/** @throws {SHAPE_MISMATCH} unless x has this shape */
export function ofShape(b: Builder, op: string, x: Value, shape: Shape): Value {
  if (!sameShape(shapeOf(x), shape)) throw mismatch(b, op, shapeOf(x), shape, 'the part must have this shape');
  return x;
}
