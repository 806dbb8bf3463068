// Tensors with one part replaced.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { sameShape, tensorType } from '../../hlo/types.ts';
import * as arrange from './arrange.ts';
import { dimOf, mismatch, type Shape } from './shapes.ts';

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
/** @throws {SHAPE_MISMATCH} unless x has this shape */
export function ofShape(b: Builder, op: string, x: Value, shape: Shape): Value {
  if (!sameShape(shapeOf(x), shape)) throw mismatch(b, op, shapeOf(x), shape, 'the part must have this shape');
  return x;
}
