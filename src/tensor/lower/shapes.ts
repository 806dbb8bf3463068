// Resolves shapes given by the user (negative dims, -1 for "the rest") and broadcasts those of two operands, with errors that
// name both shapes and the user's line, which is the builder's current location.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { elementCount, sameShape } from '../../hlo/types.ts';

export type Shape = readonly number[];

export const formatShape = (shape: Shape): string => `[${shape.join(', ')}]`;

export function mismatch(
  b: Pick<Builder, 'location'>,
  op: string,
  left: Shape,
  right: Shape,
  detail: string,
): TrenioError {
  return new TrenioError(
    'SHAPE_MISMATCH',
    { op, left: formatShape(left), right: formatShape(right), detail },
    { location: b.location },
  );
}

/** A dim in [0, rank), from one in [-rank, rank). @throws {BAD_DIM} */
export function dimOf(b: Builder, op: string, shape: Shape, dim: number): number {
  const rank = Math.max(shape.length, 1);
  if (!Number.isInteger(dim) || dim < -rank || dim >= rank) throw badDim(b, op, shape, dim);
  return dim < 0 ? dim + rank : dim;
}
export const badDim = (b: Builder, op: string, shape: Shape, dim: number): TrenioError =>
  new TrenioError('BAD_DIM', { op, dim, shape: formatShape(shape), rank: shape.length }, { location: b.location });

/** Several dims, sorted; all of them if none are given, as in PyTorch's reductions. @throws {BAD_DIM} @throws {WRONG_ARGUMENT} */
export function dimsOf(b: Builder, op: string, shape: Shape, dims: number | readonly number[] | undefined): number[] {
  const given = typeof dims === 'number' ? [dims] : (dims ?? []);
  if (given.length === 0) return shape.map((_, i) => i);
  return distinctDims(b, op, shape, given)
    .filter(dim => dim < shape.length)
    .sort((x, y) => x - y);
}
/** Dims in [0, rank), none of them twice. @throws {BAD_DIM} @throws {WRONG_ARGUMENT} */
export function distinctDims(b: Builder, op: string, shape: Shape, dims: readonly number[]): number[] {
  const list = dims.map(dim => dimOf(b, op, shape, dim));
  if (new Set(list).size === list.length) return list;
  throw new TrenioError(
    'WRONG_ARGUMENT',
    {
      call: op,
      argument: 'dim',
      got: formatShape(dims),
      expected: 'dims of which none is named twice',
      fix: 'name each dim once',
    },
    { location: b.location },
  );
}

/** The shape of two operands together, as NumPy and PyTorch broadcast. @throws {SHAPE_MISMATCH} */
export function broadcastShapes(b: Pick<Builder, 'location'>, op: string, x: Shape, y: Shape): Shape {
  if (sameShape(x, y)) return x;
  const rank = Math.max(x.length, y.length);
  const out: number[] = new Array(rank);
  for (let i = 1; i <= rank; i++) {
    const [p, q] = [x[x.length - i] ?? 1, y[y.length - i] ?? 1];
    if (p !== q && p !== 1 && q !== 1) {
      throw mismatch(b, op, x, y, `dim ${-i} is ${p} and ${q}, and neither is 1`);
    }
    out[rank - i] = p === 1 ? q : p;
  }
  return out;
}

/** `x` with the elements repeated along dims of size 1 and along new leading dims. */
export function broadcastTo(b: Builder, x: Value, shape: Shape): Value {
  const from = shapeOf(x);
  if (sameShape(from, shape)) return x;
  return b.broadcastInDim(
    x,
    from.map((_, i) => i + shape.length - from.length),
    shape,
  );
}

/** The sizes of a reshape, with one -1 worked out. @throws {SHAPE_MISMATCH} */
export function resolveShape(b: Builder, op: string, from: Shape, to: Shape): number[] {
  const unknown = to.indexOf(-1);
  const rest = to.reduce((n, d, i) => (i === unknown ? n : n * d), 1);
  const out = [...to];
  const count = elementCount(from);
  if (unknown >= 0 && rest > 0 && count % rest === 0) out[unknown] = count / rest;
  if (out.some(d => !Number.isInteger(d) || d < 0) || elementCount(out) !== count) {
    throw mismatch(b, op, from, to, `${count} elements cannot take the shape ${formatShape(to)}`);
  }
  return out;
}
