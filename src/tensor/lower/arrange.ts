// Calls that repeat, flip or select elements by a fixed pattern: repeat, flip, roll, diagonals, split.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { conj } from './complex.ts';
import * as move from './move.ts';
import { dimOf, formatShape, mismatch, type Shape } from './shapes.ts';

/** Tiles a tensor `repeats` times along each dim; more repeats than dims add leading dims. */
export function repeat(b: Builder, op: string, x: Value, repeats: Shape): Value {
  const shape = shapeOf(x);
  if (repeats.length < shape.length || repeats.some(r => r < 0))
    throw mismatch(b, op, shape, repeats, 'each dim needs a number of repeats of 0 or more');
  const sizes = [...new Array<number>(repeats.length - shape.length).fill(1), ...shape];
  const paired = b.broadcastInDim(
    x,
    shape.map((_, i) => 2 * (i + repeats.length - shape.length) + 1),
    sizes.flatMap((size, i) => [repeats[i]!, size]),
  );
  return b.reshape(
    paired,
    sizes.map((size, i) => size * repeats[i]!),
  );
}
/** Each element `repeats` times; of the flattened tensor without a dim. */
export function repeatInterleave(b: Builder, x: Value, repeats: number, dim: number | undefined): Value {
  const shape = shapeOf(x);
  if (dim === undefined) {
    const flat = b.reshape(x, [shape.reduce((n, d) => n * d, 1)]);
    return repeatInterleave(b, flat, repeats, 0);
  }
  const along = dimOf(b, 'repeatInterleave', shape, dim);
  if (repeats < 0) throw mismatch(b, 'repeatInterleave', shape, [repeats], 'the repeats must be 0 or more');
  const paired = b.broadcastInDim(
    x,
    shape.map((_, i) => (i > along ? i + 1 : i)),
    [...shape.slice(0, along + 1), repeats, ...shape.slice(along + 1)],
  );
  return b.reshape(
    paired,
    shape.map((size, i) => (i === along ? size * repeats : size)),
  );
}
export function flip(b: Builder, x: Value, dims: Shape): Value {
  const along = dims.map(d => dimOf(b, 'flip', shapeOf(x), d));
  if (new Set(along).size !== along.length) throw mismatch(b, 'flip', shapeOf(x), dims, 'each dim may be named once');
  return along.length === 0 || shapeOf(x).length === 0 ? x : b.emit1('reverse', [x], { dimensions: along });
}
/** Shifts elements along dims; those shifted past the end reappear at the start. */
export function roll(b: Builder, x: Value, shifts: number | Shape, dims: number | Shape | undefined): Value {
  const shape = shapeOf(x);
  const moved = typeof shifts === 'number' ? [shifts] : shifts;
  if (dims === undefined || (typeof dims === 'object' && dims.length === 0)) {
    const flat = b.reshape(x, [shape.reduce((n, d) => n * d, 1)]);
    return b.reshape(roll(b, flat, moved, 0), shape);
  }
  const along = typeof dims === 'number' ? [dims] : dims;
  if (along.length !== moved.length) throw mismatch(b, 'roll', moved, along, 'each shift needs a dim');
  return along.reduce((value, d, i) => {
    const at = dimOf(b, 'roll', shape, d);
    const size = shape[at]!;
    const by = size === 0 ? 0 : ((moved[i]! % size) + size) % size;
    if (by === 0) return value;
    const parts = [move.slice(b, value, at, size - by, size, 1), move.slice(b, value, at, 0, size - by, 1)];
    return b.concatenate(parts, at);
  }, x);
}
export function unflatten(b: Builder, x: Value, dim: number, sizes: Shape): Value {
  const shape = shapeOf(x);
  const at = dimOf(b, 'unflatten', shape, dim);
  const unknown = sizes.indexOf(-1);
  const rest = sizes.reduce((n, d, i) => (i === unknown ? n : n * d), 1);
  const inner = sizes.map((d, i) => (i === unknown ? shape[at]! / rest : d));
  if (inner.some(d => !Number.isInteger(d) || d < 0) || inner.reduce((n, d) => n * d, 1) !== shape[at])
    throw mismatch(b, 'unflatten', shape, sizes, `dim ${at} of size ${shape[at]} cannot be split like this`);
  return b.reshape(x, [...shape.slice(0, at), ...inner, ...shape.slice(at + 1)]);
}
/** Moves dims to other positions; the rest keep their order. */
export function moveDims(b: Builder, x: Value, source: number | Shape, destination: number | Shape): Value {
  const shape = shapeOf(x);
  const list = (of: number | Shape): number[] =>
    (typeof of === 'number' ? [of] : of).map(d => dimOf(b, 'movedim', shape, d));
  const [from, to] = [list(source), list(destination)];
  if (from.length !== to.length || new Set(from).size !== from.length || new Set(to).size !== to.length)
    throw mismatch(b, 'movedim', from, to, 'each dim must be named once, with one new position');
  const rest = shape.map((_, i) => i).filter(i => !from.includes(i));
  const order = shape.map((_, i) => (to.includes(i) ? from[to.indexOf(i)]! : rest.shift()!));
  return b.transpose(x, order);
}

/** Splits a dim into parts of `size` (the last may be smaller), or of the listed sizes. */
export function split(b: Builder, op: string, x: Value, size: number | Shape, dim: number): Value[] {
  const shape = shapeOf(x);
  const at = dimOf(b, op, shape, dim);
  const total = shape[at];
  if (total === undefined) throw mismatch(b, op, shape, [1], 'a tensor without dims cannot be split');
  if (typeof size === 'number' && (size < 0 || (size === 0 && total > 0)))
    throw mismatch(b, op, shape, [size], 'the size of a part must be 1 or more');
  const sizes =
    typeof size === 'number'
      ? Array.from({ length: Math.max(1, Math.ceil(total / size) || 0) }, (_, i) => Math.min(size, total - i * size))
      : size;
  if (sizes.some(d => d < 0) || sizes.reduce((n, d) => n + d, 0) !== total)
    throw mismatch(b, op, shape, sizes, `the sizes must sum to ${total}, the size of dim ${at}`);
  let end = 0;
  return sizes.map(d => {
    end += d;
    return move.slice(b, x, at, end - d, end, 1);
  });
}
export function chunk(b: Builder, x: Value, chunks: number, dim: number): Value[] {
  const shape = shapeOf(x);
  const size = shape[dimOf(b, 'chunk', shape, dim)] ?? 1;
  if (chunks < 1) throw mismatch(b, 'chunk', shape, [chunks], 'the number of chunks is 1 or more');
  return size === 0 ? new Array<Value>(chunks).fill(x) : split(b, 'chunk', x, Math.ceil(size / chunks), dim);
}
export function unbind(b: Builder, x: Value, dim: number): Value[] {
  const shape = shapeOf(x);
  const at = dimOf(b, 'unbind', shape, dim);
  if (shape.length === 0) throw mismatch(b, 'unbind', shape, [1], 'a tensor without dims cannot be unbound');
  return Array.from({ length: shape[at]! }, (_, i) => move.select(b, x, at, i));
}

/** A diagonal over two dims, as the last dim. */
export function diagonal(b: Builder, op: string, x: Value, offset: number, dim1: number, dim2: number): Value {
  const shape = shapeOf(x);
  const [i, j] = distinctDims(b, op, shape, dim1, dim2);
  const others = shape.map((_, d) => d).filter(d => d !== i && d !== j);
  const [rows, columns] = [shape[i]!, shape[j]!];
  const [row, column] = [Math.max(0, -offset), Math.max(0, offset)];
  const count = Math.max(0, Math.min(rows - row, columns - column));
  const flat = b.reshape(b.transpose(x, [...others, i, j]), [...others.map(d => shape[d]!), rows * columns]);
  if (count === 0) return move.slice(b, flat, -1, 0, 0, 1);
  const start = row * columns + column;
  return move.slice(b, flat, -1, start, start + (count - 1) * (columns + 1) + 1, columns + 1);
}
/** The last dim as a diagonal of two new dims, zeros elsewhere. */
export function diagEmbed(b: Builder, op: string, x: Value, offset: number, dim1: number, dim2: number): Value {
  const shape = shapeOf(x);
  if (shape.length === 0) throw mismatch(b, op, shape, [1], 'at least one dim is needed');
  const n = shape.at(-1)! + Math.abs(offset);
  const full = [...shape.slice(0, -1), n, n];
  const [i, j] = distinctDims(b, op, full, dim1, dim2);
  const rank = full.length;
  const zero = b.fill(tensorTypeOf(x).elementType, [], 0);
  const none = shape.map(() => 0);
  const padded = b.pad(x, zero, none, [...none.slice(1), Math.abs(offset)]);
  const lead = shape.slice(0, -1).map((_, d) => d);
  const wide = b.broadcastInDim(padded, [...lead, offset >= 0 ? rank - 2 : rank - 1], full);
  const index = tensorType('i32', full);
  const [row, column] = [b.iota(index, rank - 2), b.iota(index, rank - 1)];
  const isOn = b.compare('EQ', b.subtract(column, row), b.fill('i32', full, offset));
  return moveDims(b, b.select(isOn, wide, b.like(wide, 0)), [rank - 2, rank - 1], [i, j]);
}
function distinctDims(b: Builder, op: string, shape: Shape, dim1: number, dim2: number): [number, number] {
  const [i, j] = [dimOf(b, op, shape, dim1), dimOf(b, op, shape, dim2)];
  if (i === j || shape.length < 2)
    throw new TrenioError(
      'SHAPE_MISMATCH',
      { op, left: formatShape(shape), right: formatShape([dim1, dim2]), detail: 'two different dims are needed' },
      { location: b.location },
    );
  return [i, j];
}
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
