// Shapes, splits and stacks by names that NumPy has too.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { promote } from '../types/dtype.ts';
import * as arrange from './arrange.ts';
import * as move from './move.ts';
import { dimOf, mismatch, type Shape } from './shapes.ts';

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
