// The common part of matrix decompositions: matrices in one batch [count, rows, columns], loops, and results with custom
// gradient formulas.
import { TrenioError } from '../../../base/errors.ts';
import type { Builder } from '../../../hlo/builder.ts';
import { product, swapped, triangle, trianglePart } from '../../../hlo/ops/matrices.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { elementCount, tensorType } from '../../../hlo/types.ts';
import type { Context } from '../../surface/row.ts';
import { isComplex, real } from '../complex.ts';
import { dtypeOf, typeOf } from '../narrow.ts';
import { mismatch } from '../shapes.ts';

export { product, swapped, triangle, trianglePart };

/** @throws {SHAPE_MISMATCH} @throws {BAD_DTYPE} unless x is a matrix of f32 or f64, or a batch of them */
export function checkMatrix(b: Builder, op: string, x: Value, isSquare = false): Value {
  const shape = shapeOf(x);
  if (shape.length < 2) throw mismatch(b, op, shape, [-1, -1], 'a matrix, or a batch of matrices, is needed');
  if (isSquare && shape.at(-1) !== shape.at(-2)) throw mismatch(b, op, shape, shape, 'square matrices are needed');
  return checkFloat(b, op, x);
}
/** `checkMatrix`, and complex elements are allowed. */
export function checkAnyMatrix(b: Builder, op: string, x: Value, isSquare = false): void {
  checkMatrix(b, op, isComplex(x) ? real(b, x) : x, isSquare);
}
/** @throws {BAD_DTYPE} */
export function checkFloat(b: Builder, op: string, x: Value): Value {
  if (typeOf(x) === 'f32' || typeOf(x) === 'f64') return x;
  throw new TrenioError('BAD_DTYPE', { op, got: dtypeOf(x), expected: 'float32 or float64' }, { location: b.location });
}

export const epsilonOf = (x: Value): number => (typeOf(x) === 'f64' ? 2 ** -52 : 2 ** -23);
export const batchOf = (x: Value): readonly number[] => shapeOf(x).slice(0, -2);
export const sizeOf = (x: Value): readonly [rows: number, columns: number] =>
  shapeOf(x).slice(-2) as unknown as readonly [number, number];
/** [batch…, rows, columns] → [count, rows, columns]. */
export const flat = (b: Builder, x: Value): Value => b.reshape(x, [elementCount(batchOf(x)), ...sizeOf(x)]);
/** The first dim as the batch dims of another value. */
export const unflat = (b: Builder, x: Value, batch: readonly number[]): Value =>
  b.reshape(x, [...batch, ...shapeOf(x).slice(1)]);

export const scaled = (b: Builder, x: Value, factor: number): Value => b.multiply(x, b.like(x, factor));
/** Identity matrices in the shape and type of x. */
export const identityLike = (b: Builder, x: Value): Value => b.convert(triangle(b, x, 'EQ'), typeOf(x));
/** x of the dims `dims` of a shape, repeated along the others. */
export const spread = (b: Builder, x: Value, dims: readonly number[], shape: readonly number[]): Value =>
  b.broadcastInDim(x, dims, shape);
/** [count, rows, columns] → [count, min(rows, columns)]. */
export function diagonalOf(b: Builder, x: Value): Value {
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  const n = Math.min(rows, columns);
  // -0 keeps the signs of zeros
  const on = b.select(triangle(b, x, 'EQ'), x, b.like(x, -0));
  const sums = b.reduce('add', on, b.fill(typeOf(x), [], -0), [rows <= columns ? 2 : 1]);
  return shapeOf(sums)[1] === n ? sums : b.slice(sums, [0, 0], [count, n]);
}
/** x with each column multiplied by an element of v [count, columns]. */
export const timesColumns = (b: Builder, x: Value, v: Value): Value => b.multiply(x, spread(b, v, [0, 2], shapeOf(x)));
export const timesRows = (b: Builder, x: Value, v: Value): Value => b.multiply(x, spread(b, v, [0, 1], shapeOf(x)));
/** The first columns. */
export function firstColumns(b: Builder, x: Value, n: number): Value {
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  return n === columns ? x : b.slice(x, [0, 0, 0], [count, rows, n]);
}
export function firstRows(b: Builder, x: Value, n: number): Value {
  const [count, rows, columns] = shapeOf(x) as [number, number, number];
  return n === rows ? x : b.slice(x, [0, 0, 0], [count, n, columns]);
}

/** Column k of each matrix: [count, rows]. */
export function columnAt(b: Builder, x: Value, k: Value): Value {
  const [count, rows] = shapeOf(x) as [number, number];
  const zero = b.fill('i32', [], 0);
  return b.reshape(b.emit1('dynamic_slice', [x, zero, zero, k], { sliceSizes: [count, rows, 1] }), [count, rows]);
}
export function rowAt(b: Builder, x: Value, k: Value): Value {
  const [count, , columns] = shapeOf(x) as [number, number, number];
  const zero = b.fill('i32', [], 0);
  return b.reshape(b.emit1('dynamic_slice', [x, zero, k, zero], { sliceSizes: [count, 1, columns] }), [count, columns]);
}
/** Element k of each vector: [count]. */
export function elementAt(b: Builder, x: Value, k: Value): Value {
  const [count] = shapeOf(x) as [number];
  const zero = b.fill('i32', [], 0);
  return b.reshape(b.emit1('dynamic_slice', [x, zero, k], { sliceSizes: [count, 1] }), [count]);
}
/** The number, from 1 on, of the first vector element for which a condition holds; 0 for none: [count]. */
export function firstWhere(b: Builder, condition: Value): Value {
  const [size, n] = shapeOf(condition) as [number, number];
  if (n === 0) return b.fill('i32', [size], 0);
  const places = b.add(indices(b, [size, n], 1), b.fill('i32', [size, n], 1));
  const none = b.fill('i32', [size, n], n + 1);
  const first = b.reduce('minimum', b.select(condition, places, none), b.fill('i32', [], n + 1), [1]);
  return b.select(b.compare('EQ', first, b.like(first, n + 1)), b.like(first, 0), first);
}
/** Indices along a dim of a shape, compared with the scalar k. */
export const indices = (b: Builder, shape: readonly number[], dim: number): Value =>
  b.iota(tensorType('i32', shape), dim);
export const isAt = (
  b: Builder,
  direction: 'EQ' | 'GT' | 'GE',
  shape: readonly number[],
  dim: number,
  k: Value,
): Value => b.compare(direction, indices(b, shape, dim), b.broadcastInDim(k, [], shape));

/** A loop over k = 0 … turns - 1, as long as `goesOn`. */
export function loop(
  b: Builder,
  turns: number,
  state: readonly Value[],
  body: (b: Builder, k: Value, state: readonly Value[]) => readonly Value[],
  goesOn?: (b: Builder, state: readonly Value[]) => Value,
): Value[] {
  const all = [b.fill('i32', [], 0), ...state];
  const types = all.map(value => value.type);
  const condition = b.region(types, (inner, [k, ...values]) => {
    const isLeft = inner.compare('LT', k!, inner.fill('i32', [], turns));
    return [goesOn === undefined ? isLeft : inner.binary('and', isLeft, goesOn(inner, values))];
  });
  const turn = b.region(types, (inner, [k, ...values]) => [
    inner.add(k!, inner.fill('i32', [], 1)),
    ...body(inner, k!, values),
  ]);
  return b.emit('while', all, {}, [condition, turn]).slice(1);
}

/** The input of a gradient formula: the builder, the cotangents (zeros if there is none), the results. */
export interface Backward {
  readonly c: Context;
  readonly b: Builder;
  readonly cotangents: readonly Value[];
  /** False where no gradient reaches this result. */
  readonly reaches: readonly boolean[];
  /** The results as callers have them, so that gradients can be differentiated again. */
  readonly results: readonly Value[];
}
/** The results with a custom gradient: that of the formula, for each input. */
export function withGradient(
  c: Context,
  name: string,
  inputs: readonly Value[],
  computed: readonly Value[],
  formula: (backward: Backward) => readonly (Value | undefined)[],
): Value[] {
  const { b, trace } = c;
  const outputs = computed.map(value => b.reshape(value, shapeOf(value)));
  const node = {
    name,
    location: b.location,
    inputs,
    outputs,
    gradient: ({ cotangents }: { readonly cotangents: readonly (Value | undefined)[] }) => {
      const { builder } = trace;
      return formula({
        c: { ...c, b: builder },
        b: builder,
        cotangents: outputs.map((output, i) => cotangents[i] ?? builder.like(output, 0)),
        reaches: outputs.map((_, i) => cotangents[i] !== undefined),
        results: outputs,
      });
    },
  };
  for (const output of outputs) trace.nodes.set(output, node);
  return outputs;
}
