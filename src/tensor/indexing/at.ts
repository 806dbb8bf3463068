// `x[…]` of PyTorch, read and written: numbers, slices and new dims give views; index tensors and masks give copies.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { sameShape } from '../../hlo/types.ts';
import { isScalar, notATensor } from '../check-arguments.ts';
import { elementIn } from '../element-in.ts';
import type { Scalar } from '../lower/elementwise.ts';
import * as elementwise from '../lower/elementwise.ts';
import * as move from '../lower/move.ts';
import { broadcastTo } from '../lower/shapes.ts';
import { record } from '../record.ts';
import { changeInPlace, checkInPlace } from '../surface/call.ts';
import { Traced } from '../traced.ts';
import { gatherAt, type Picked, scatterAt } from './gather-at.ts';
import { badIndex, type IndexEntry, type MakeTensor, readIndex } from './index-spec.ts';
import { nonzeroIndices } from './nonzero.ts';

/** How the index tensors of masks are created: like those of arrays. */
export type MakeIndices = (data: BigInt64Array) => Traced;
export interface Making {
  readonly fromArray: MakeTensor;
  readonly fromIndices: MakeIndices;
}

type Simple = Extract<IndexEntry, { kind: 'number' | 'slice' | 'new' | 'tensor' }>;

/** Masks, converted to index tensors of the positions where they are true. */
function withoutMasks(op: string, x: Traced, entries: readonly IndexEntry[], make: MakeIndices): Simple[] {
  let dim = 0;
  return entries.flatMap((entry): Simple[] => {
    if (entry.kind === 'rest') return [];
    if (entry.kind !== 'mask') {
      if (entry.kind !== 'new') dim++;
      return [entry];
    }
    const { mask } = entry;
    const covered = x.shape.slice(dim, dim + mask.ndim);
    if (!sameShape(covered, mask.shape))
      throw badIndex(
        op,
        x.shape,
        `a mask of shape [${mask.shape.join(', ')}] does not fit dims of sizes [${covered.join(', ')}]`,
      );
    dim += mask.ndim;
    return nonzeroIndices(mask.literal()).map(indices => ({ kind: 'tensor', index: make(indices) }));
  });
}

/** Applies numbers, slices and new dims, in order. */
function applySimple(b: Builder, x: Value, entries: readonly Simple[]): Value {
  let value = x;
  let dim = 0;
  for (const entry of entries) {
    switch (entry.kind) {
      case 'number':
        value = move.select(b, value, dim, entry.at);
        break;
      case 'slice': {
        const { start = 0, stop = Number.MAX_SAFE_INTEGER, step } = entry.slice;
        const isWhole = start === 0 && stop >= shapeOf(value)[dim]! && step === 1;
        if (!isWhole) value = move.slice(b, value, dim, start, stop, step);
        dim++;
        break;
      }
      case 'new':
        value = move.unsqueeze(b, value, dim++);
        break;
      case 'tensor':
        dim++;
        break;
    }
  }
  return value;
}
/** The dims of the result of `applySimple` that the index tensors apply to. */
const pickedDims = (entries: readonly Simple[]): number[] => {
  let dim = 0;
  return entries.flatMap(entry => {
    if (entry.kind === 'number') return [];
    const at = dim++;
    return entry.kind === 'tensor' ? [at] : [];
  });
};
const indicesOf = (entries: readonly Simple[]): Traced[] =>
  entries.flatMap(entry => (entry.kind === 'tensor' ? [entry.index] : []));
const pairs = (dims: readonly number[], indices: readonly Value[]): Picked[] =>
  dims.map((dim, i) => ({ dim, index: indices[i]! }));

const simplePart = <T extends Traced>(op: string, x: T, entries: readonly Simple[]): T =>
  record(op, [x], (b, [v]) => applySimple(b, v!, entries), { view: 'view' });

/** @throws {BAD_INDEX} @throws {OUT_OF_RANGE} */
export function readAt<T extends Traced>(x: T, index: readonly unknown[], making: Making): T {
  const entries = withoutMasks('at', x, readIndex('at', x.shape, index, making.fromArray), making.fromIndices);
  const part = simplePart('at', x, entries);
  const indices = indicesOf(entries);
  if (indices.length === 0) return part;
  const dims = pickedDims(entries);
  return record<Traced>('at', [part, ...indices], (b, [v, ...ids], trace) =>
    gatherAt({ b, trace }, 'at', v!, pairs(dims, ids)),
  ) as T;
}

/** @throws {BAD_INDEX} @throws {OUT_OF_RANGE} @throws {SHAPE_MISMATCH} @throws {LEAF_CHANGED} */
export function writeAt<T extends Traced>(
  op: string,
  x: T,
  index: readonly unknown[],
  value: Traced | Scalar,
  making: Making,
  accumulate = false,
): T {
  if (!(value instanceof Traced) && !isScalar(value))
    throw notATensor({ call: op, argument: 'the value' }, value, 'a tensor or a number');
  checkInPlace(op, x);
  const read = readIndex(op, x.shape, index, making.fromArray);
  const masked = accumulate ? undefined : writeMasked(op, x, read, value);
  if (masked !== undefined) return masked;
  const entries = withoutMasks(op, x, read, making.fromIndices);
  const part = simplePart<Traced>(op, x, entries);
  const indices = indicesOf(entries);
  const dims = pickedDims(entries);
  const given = value instanceof Traced ? [value] : [];
  const changed = record<Traced>(op, [part, ...given, ...indices], (b, [v, ...rest], trace) => {
    const update = value instanceof Traced ? rest[0]! : newElement(b, op, part, value);
    const ids = rest.slice(given.length);
    if (ids.length > 0) return scatterAt({ b, trace }, op, v!, pairs(dims, ids), update, accumulate);
    const wide = broadcastTo(b, elementwise.convert(b, update, part.type.elementType), part.shape);
    return accumulate ? b.add(v!, wide) : b.reshape(wide, part.shape);
  });
  changeInPlace(op, part, changed);
  return x;
}

/** A number in the type of the tensor that it is written to. */
const newElement = (b: Builder, op: string, { type: { elementType } }: Traced, value: Scalar): Value =>
  elementwise.number(b, elementType, [], elementIn(op, 'the value', elementType, value));

/** A mask over the first dims, and a value that does not depend on how many elements are true, so they need not be counted. */
function writeMasked<T extends Traced>(
  op: string,
  x: T,
  entries: readonly IndexEntry[],
  value: Traced | Scalar,
): T | undefined {
  const [first, ...others] = entries;
  if (first?.kind !== 'mask') return undefined;
  const isPlain = others.every(
    e => e.kind === 'slice' && (e.slice.start ?? 0) === 0 && e.slice.stop === undefined && e.slice.step === 1,
  );
  const { mask } = first;
  if (!isPlain || !sameShape(mask.shape, x.shape.slice(0, mask.ndim))) return undefined;
  if (value instanceof Traced && value.ndim > x.ndim - mask.ndim) return undefined;
  const given = value instanceof Traced ? [value] : [];
  const changed = record<Traced>(op, [x, mask, ...given], (b, [v, m, update]) => {
    const condition = b.broadcastInDim(
      m!,
      mask.shape.map((_, i) => i),
      x.shape,
    );
    const wide = update === undefined ? newElement(b, op, x, value as Scalar) : update;
    return b.select(condition, broadcastTo(b, elementwise.convert(b, wide, x.type.elementType), x.shape), v!);
  });
  return changeInPlace(op, x, changed);
}
