// Writing at positions along a dim: overwriting, adding, and other reductions. Positions out of range are skipped, because
// programs cannot raise errors. If an element has several updates, the last one wins when overwriting.

import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isFloat, isInteger, tensorType } from '../../hlo/types.ts';
import { elementIn } from '../element-in.ts';
import type { Context } from '../surface/row.ts';
import { divide, type Scalar } from './elementwise.ts';
import { withGradient } from './linalg/batches.ts';
import * as move from './move.ts';
import { dtypeOf, inWide } from './narrow.ts';
import { lowestOf } from './reduce.ts';
import { cumulative } from './running.ts';
import { broadcastTo, dimOf, formatShape, mismatch } from './shapes.ts';

type Combiner = 'add' | 'multiply' | 'maximum' | 'minimum' | 'overwrite';
export const reductions = ['sum', 'prod', 'mean', 'amax', 'amin'] as const;
export type Reduction = (typeof reductions)[number];

const typeOf = (x: Value): ElementType => tensorTypeOf(x).elementType;

/** Where updates go: out[index[i][j]][j] for dim 0, of x with at least one dim. */
interface Target {
  readonly op: string;
  readonly along: number;
  readonly index: Value;
}
function emitScatter(b: Builder, combiner: Combiner, x: Value, { along, index }: Target, updates: Value): Value {
  const type = typeOf(x);
  const shape = shapeOf(x);
  const sizes = shapeOf(index);
  const others = shape.flatMap((_, i) => (i === along ? [] : [i]));
  if (sizes.includes(0) || shape.includes(0)) return b.reshape(x, shape);
  const limits = shape.map((d, i) => (i === along ? d : sizes[i]!));
  const isWhole = limits.every((d, i) => d === shape[i]);
  const region =
    combiner === 'overwrite'
      ? b.region([tensorType(type), tensorType(type)], (_, [, update]) => [update!])
      : b.combiner(combiner, type);
  const part = isWhole
    ? x
    : b.slice(
        x,
        shape.map(() => 0),
        limits,
      );
  const written = b.emit1(
    'scatter',
    [part, index, updates],
    {
      dimensionNumbers: {
        updateWindowDims: [],
        insertedWindowDims: [along],
        inputBatchingDims: others,
        scatterIndicesBatchingDims: others,
        scatterDimsToOperandDims: [along],
        indexVectorDim: shape.length,
      },
      indicesAreSorted: false,
      uniqueIndices: false,
    },
    [region],
  );
  if (isWhole) return written;
  const starts = shape.map(() => b.fill('i32', [], 0));
  return b.emit1('dynamic_update_slice', [x, written, ...starts], {});
}

/** Checks sizes and adds a dim to scalars; `body` gets the updates in the shape of the index. */
function scattering(
  b: Builder,
  op: string,
  input: Value,
  dim: number,
  index: Value,
  source: Value | Scalar,
  body: (x: Value, target: Target, updates: Value) => Value,
): Value {
  const along = dimOf(b, op, shapeOf(input), dim);
  const isEmpty = shapeOf(index).includes(0);
  if (!isInteger(typeOf(index)) && !isEmpty)
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: dtypeOf(index), expected: 'integers as indices' },
      { location: b.location },
    );
  const [x, at] = [atLeastOne(b, input), atLeastOne(b, isEmpty ? b.convert(index, 'i64') : index)];
  const [shape, sizes] = [shapeOf(x), shapeOf(at)];
  if (!isEmpty && (sizes.length !== shape.length || sizes.some((d, i) => i !== along && d > shape[i]!)))
    throw mismatch(b, op, shape, sizes, `the index must have as many dims, none but dim ${along} larger`);
  if (typeof source !== 'object')
    return b.reshape(
      body(x, { op, along, index: at }, b.fill(typeOf(x), sizes, elementIn(op, 'value', typeOf(x), source))),
      shapeOf(input),
    );
  const from = atLeastOne(b, source);
  if (!isEmpty && (shapeOf(from).length !== sizes.length || sizes.some((d, i) => d > shapeOf(from)[i]!)))
    throw mismatch(b, op, sizes, shapeOf(from), 'the source must have as many dims as the index, none smaller');
  if (typeOf(from) !== typeOf(x))
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: dtypeOf(from), expected: `${dtypeOf(x)}, as the tensor that is written to` },
      { location: b.location },
    );
  const isWhole = sizes.every((d, i) => d === shapeOf(from)[i]);
  const updates =
    isWhole || isEmpty
      ? from
      : b.slice(
          from,
          sizes.map(() => 0),
          sizes,
        );
  return b.reshape(body(x, { op, along, index: at }, updates), shapeOf(input));
}
const atLeastOne = (b: Builder, x: Value): Value => move.atLeast(b, x, 1);

export function scatter(
  b: Builder,
  op: string,
  x: Value,
  dim: number,
  index: Value,
  source: Value | Scalar,
  combiner: Combiner,
): Value {
  return scattering(b, op, x, dim, index, source, (into, target, updates) =>
    inWide(b, into, w => emitScatter(b, combiner, w, target, b.convert(updates, typeOf(w)))),
  );
}

export interface ReduceOptions {
  readonly reduce: Reduction;
  readonly includeSelf: boolean;
}
export function scatterReduce(
  c: Context,
  op: string,
  x: Value,
  dim: number,
  index: Value,
  source: Value,
  options: ReduceOptions,
): Value {
  const { b } = c;
  return scattering(b, op, x, dim, index, source, (into, target, updates) =>
    shapeOf(target.index).includes(0)
      ? into
      : inWide(b, into, w => reduced(c, w, target, b.convert(updates, typeOf(w)), options)),
  );
}
function reduced(c: Context, x: Value, target: Target, updates: Value, options: ReduceOptions): Value {
  const { b } = c;
  const { reduce, includeSelf } = options;
  const type = typeOf(x);
  /** x without the elements that the reduction leaves out. */
  const start = (neutral: number | bigint | boolean): Value =>
    includeSelf ? x : emitScatter(b, 'overwrite', x, target, b.fill(type, shapeOf(target.index), neutral));
  switch (reduce) {
    case 'sum':
      return emitScatter(b, 'add', start(0), target, updates);
    case 'mean': {
      const total = emitScatter(b, 'add', start(0), target, updates);
      const ones = b.fill(type, shapeOf(target.index), 1);
      const count = emitScatter(b, 'add', b.like(x, includeSelf ? 1 : 0), target, ones);
      return divide(b, target.op, total, b.maximum(count, b.like(count, 1)), isFloat(type) ? undefined : 'floor');
    }
    case 'prod': {
      const first = start(1);
      const product = emitScatter(b, 'multiply', first, target, updates);
      return withSlopes(c, product, [first, updates], target, back => productSlopes(back, first, target, updates));
    }
    default: {
      const name = reduce === 'amax' ? 'maximum' : 'minimum';
      const first = start(lowestOf(type, name));
      const extreme = emitScatter(b, name, first, target, updates);
      return withSlopes(c, extreme, [first, updates], target, (back, best) =>
        extremeSlopes(back, best, first, target, updates),
      );
    }
  }
}

type Slopes = readonly [ofInput: Value, ofUpdates: Value];
/** `result`, which has no gradient rule, with the given slope for each of its operands. */
function withSlopes(
  c: Context,
  result: Value,
  [x, updates]: readonly [Value, Value],
  target: Target,
  slopes: (b: Builder, result: Value) => Slopes,
): Value {
  return withGradient(c, 'ScatterReduce', [x, updates], [result], ({ b, cotangents: [g], results: [y] }) => {
    const [ofInput, ofUpdates] = slopes(b, y!);
    return [b.multiply(g!, ofInput), b.multiply(readAt(b, g!, target), ofUpdates)];
  })[0]!;
}
const readAt = (b: Builder, x: Value, { along, index }: Target): Value => move.gather(b, x, along, index);
/** The product of the other factors: from the product of those that are not 0, and how many are. */
function productSlopes(b: Builder, x: Value, target: Target, updates: Value): Slopes {
  const isZero = (v: Value): Value => b.compare('EQ', v, b.like(v, 0));
  const withoutZeros = (v: Value): Value => b.select(isZero(v), b.like(v, 1), v);
  const zeros = (v: Value): Value => b.convert(isZero(v), typeOf(v));
  const product = emitScatter(b, 'multiply', withoutZeros(x), target, withoutZeros(updates));
  const count = emitScatter(b, 'add', zeros(x), target, zeros(updates));
  const slope = (v: Value, all: Value, zeroCount: Value): Value => {
    const others = b.divide(all, withoutZeros(v));
    const alone = b.compare('EQ', zeroCount, zeros(v));
    return b.select(alone, others, b.like(v, 0));
  };
  return [slope(x, product, count), slope(updates, readAt(b, product, target), readAt(b, count, target))];
}
/** Equal shares for the elements that are the extreme. */
function extremeSlopes(b: Builder, extreme: Value, x: Value, target: Target, updates: Value): Slopes {
  const hits = (v: Value, best: Value): Value => b.convert(b.compare('EQ', v, best), typeOf(v));
  const [ofInput, ofUpdates] = [hits(x, extreme), hits(updates, readAt(b, extreme, target))];
  const count = emitScatter(b, 'add', ofInput, target, ofUpdates);
  const shares = b.maximum(count, b.like(count, 1));
  return [b.divide(ofInput, shares), b.divide(ofUpdates, readAt(b, shares, target))];
}

/** The index of slices [k], or one without dims, as long as the source. */
function sliceIndex(b: Builder, op: string, index: Value): Value {
  const flat = atLeastOne(b, index);
  return move.onlyRank(b, op, flat, 1);
}
/** Slices of x along a dim at `index` [k], combined with those of the source: [.., k, ..]. */
export function intoSlices(
  b: Builder,
  op: string,
  input: Value,
  dim: number,
  index: Value,
  source: Value | Scalar,
  combiner: 'add' | 'overwrite',
): Value {
  const along = dimOf(b, op, shapeOf(input), dim);
  const positions = sliceIndex(b, op, index);
  const x = atLeastOne(b, input);
  const sizes = shapeOf(x).with(along, shapeOf(positions)[0]!);
  const updates =
    typeof source === 'object'
      ? atLeastOne(b, source)
      : b.fill(typeOf(x), sizes, elementIn(op, 'value', typeOf(x), source));
  return scatter(b, op, input, dim, spread(b, positions, along, sizes), exact(b, op, updates, sizes), combiner);
}
export function reduceIntoSlices(
  c: Context,
  op: string,
  input: Value,
  dim: number,
  index: Value,
  source: Value,
  options: ReduceOptions,
): Value {
  const { b } = c;
  const along = dimOf(b, op, shapeOf(input), dim);
  const positions = sliceIndex(b, op, index);
  const sizes = shapeOf(atLeastOne(b, input)).with(along, shapeOf(positions)[0]!);
  const updates = exact(b, op, atLeastOne(b, source), sizes);
  return scatterReduce(c, op, input, dim, spread(b, positions, along, sizes), updates, options);
}
const spread = (b: Builder, index: Value, along: number, sizes: readonly number[]): Value =>
  b.broadcastInDim(index, [along], sizes);
function exact(b: Builder, op: string, source: Value, sizes: readonly number[]): Value {
  if (formatShape(shapeOf(source)) === formatShape(sizes)) return source;
  throw mismatch(b, op, shapeOf(source), sizes, 'the source has a slice for each index');
}

/** The elements where the mask holds replaced by those of the source, in order. */
export function maskedScatter(b: Builder, x: Value, mask: Value, source: Value): Value {
  if (typeOf(mask) !== 'i1' || typeOf(source) !== typeOf(x))
    throw new TrenioError(
      'BAD_DTYPE',
      {
        op: 'maskedScatter',
        got: `${dtypeOf(mask)} and ${dtypeOf(source)}`,
        expected: `a mask of bool and ${dtypeOf(x)}`,
      },
      { location: b.location },
    );
  const shape = shapeOf(x);
  const all = broadcastTo(b, mask, shape);
  const count = shape.reduce((n, d) => n * d, 1);
  const available = shapeOf(source).reduce((n, d) => n * d, 1);
  if (count === 0 || available === 0) return b.reshape(x, shape);
  const order = cumulative(b, 'cumsum', b.convert(b.reshape(all, [count]), 'i32'), 0, true);
  const place = b.maximum(b.subtract(order, b.like(order, 1)), b.like(order, 0));
  const taken = move.indexSelect(b, 'maskedScatter', b.reshape(source, [available]), 0, place);
  return b.select(all, b.reshape(taken, shape), x);
}
