// Running totals along a dim: each result combines the elements up to it. An associative function of one or more values is
// applied within blocks of 16 elements, in 4 passes that combine elements 1, 2, 4 and 8 apart (Hillis and Steele, 1986):
//
//   x0  x1      x2           x3
//   x0  x0∘x1   x1∘x2        x2∘x3
//   x0  x0∘x1   x0∘x1∘x2     x0∘x1∘x2∘x3
//
// then to the totals of the blocks in the same way, and each block is combined with the total before it. So the cost is
// linear, every pass is a wide elementwise kernel, and gradients use the same scheme.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isContinuous, isFloat, tensorType } from '../../hlo/types.ts';
import { isNan } from './elementary.ts';
import { noComplex, toFloat } from './elementwise.ts';
import * as move from './move.ts';
import { inFull } from './narrow.ts';
import { withIndices } from './positions.ts';
import { dimOf } from './shapes.ts';

const blockSize = 16;
type Combine = (b: Builder, earlier: readonly Value[], later: readonly Value[]) => readonly Value[];

export function running(b: Builder, xs: readonly Value[], along: number, combine: Combine): readonly Value[] {
  const shape = shapeOf(xs[0]!);
  const size = shape[along] ?? 1;
  if (size <= blockSize) return pass(b, xs, along, combine);
  const blocks = Math.ceil(size / blockSize);
  const split = [...shape.slice(0, along), blocks, blockSize, ...shape.slice(along + 1)];
  const cut = (x: Value, from: number, to: number, dim: number): Value => move.slice(b, x, dim, from, to, 1);
  // the padding of the last block comes after all elements, so it does not affect them
  const high = shape.map((_, d) => (d === along ? blocks * blockSize - size : 0));
  const none = shape.map(() => 0);
  const within = pass(
    b,
    xs.map(x => b.reshape(b.pad(x, b.fill(tensorTypeOf(x).elementType, [], 0), none, high), split)),
    along + 1,
    combine,
  );
  const totals = within.map(x => b.reshape(cut(x, blockSize - 1, blockSize, along + 1), shape.with(along, blocks)));
  const before = running(
    b,
    totals.map(x => cut(x, 0, blocks - 1, along)),
    along,
    combine,
  );
  const rest = split.with(along, blocks - 1);
  const dims = shape.map((_, d) => (d <= along ? d : d + 1));
  const later = combine(
    b,
    before.map(x => b.broadcastInDim(x, dims, rest)),
    within.map(x => cut(x, 1, blocks, along)),
  );
  return later.map((x, i) => {
    const all = b.concatenate([cut(within[i]!, 0, 1, along), x], along);
    return cut(b.reshape(all, shape.with(along, blocks * blockSize)), 0, size, along);
  });
}
/** Combines elements at increasing distances: n log n. */
function pass(b: Builder, xs: readonly Value[], along: number, combine: Combine): readonly Value[] {
  const size = shapeOf(xs[0]!)[along] ?? 1;
  let values = xs;
  for (let distance = 1; distance < size; distance *= 2) {
    const part = (from: number, to: number): readonly Value[] =>
      values.map(value => move.slice(b, value, along, from, to, 1));
    const [start, earlier, later] = [part(0, distance), part(0, size - distance), part(distance, size)];
    values = combine(b, earlier, later).map((value, i) => b.concatenate([start[i]!, value], along));
  }
  return values;
}

/** The type in which totals of a type accumulate, as in PyTorch: rounding errors of f32 do not add up. */
const totalTypes: Partial<Record<ElementType, ElementType>> = { f32: 'f64', 'complex<f32>': 'complex<f64>' };
/** Integers and booleans in i64, unless their type `isGiven`. */
export function cumulative(b: Builder, op: 'cumsum' | 'cumprod', x: Value, dim: number, isGiven: boolean): Value {
  const { elementType, shape } = tensorTypeOf(x);
  const along = dimOf(b, op, shape, dim);
  const wide = isContinuous(elementType) || isGiven ? x : b.convert(x, 'i64');
  if (shape.length === 0) return b.reshape(wide, []);
  const name = op === 'cumsum' ? 'add' : 'multiply';
  return inFull(b, wide, w => {
    const type = tensorTypeOf(w).elementType;
    const terms = b.convert(w, (elementType === type && totalTypes[type]) || type);
    return b.convert(running(b, [terms], along, (c, [p], [q]) => [c.binary(name, p!, q!)])[0]!, type);
  });
}

/** The largest or smallest element up to each, and its position: the last of equal ones. Once NaN occurs, the rest is NaN. */
export function runningExtreme(
  b: Builder,
  op: 'cummax' | 'cummin',
  x: Value,
  dim: number,
): readonly [values: Value, indices: Value] {
  const { elementType, shape } = tensorTypeOf(noComplex(b, op, x));
  const along = dimOf(b, op, shape, dim);
  if (shape.length === 0) return [b.reshape(x, []), b.fill('i64', [], 0)];
  const indices = b.iota(tensorType('i32', shape), along);
  const direction = op === 'cummax' ? 'GE' : 'LE';
  const [, found] = running(b, [x, indices], along, (c, [p, at], [q, then]) => {
    const isBetter = c.compare(direction, q!, p!);
    const takes = isFloat(elementType) ? c.binary('or', isBetter, isNan(c, q!)) : isBetter;
    return [c.select(takes, q!, p!), c.select(takes, then!, at!)];
  });
  return withIndices(b, x, along, found!);
}

/** log(Σ exp) of the elements up to each, without overflow. */
export function runningLogSumExp(b: Builder, x: Value, dim: number): Value {
  const along = dimOf(b, 'logcumsumexp', shapeOf(x), dim);
  if (shapeOf(x).length === 0) return b.reshape(toFloat(b, x), []);
  return inFull(b, toFloat(b, x), w => running(b, [w], along, (c, [p], [q]) => [logAddExp(c, p!, q!)])[0]!);
}
/** log(exp(p) + exp(q)); also of infinities, whose gradients are finite. */
function logAddExp(b: Builder, p: Value, q: Value): Value {
  const [low, high] = [b.minimum(p, q), b.maximum(p, q)];
  // infinities of the same sign have distance 0
  const isAlone = b.binary(
    'or',
    b.compare('EQ', low, b.like(low, -Infinity)),
    b.compare('EQ', high, b.like(high, Infinity)),
  );
  const distance = b.select(isAlone, b.like(low, 0), b.subtract(low, high));
  const both = b.add(high, b.unary('log_plus_one', b.unary('exponential', distance)));
  return b.select(isAlone, high, both);
}
