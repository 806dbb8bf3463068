// Decides where each value of a region is stored, before any C is written, and where its last use is.
//
//   atoms    a few integers, or a single number: constants and locals of the step function, such as sizes
//   lazy     computed element by element in the kernel that uses it: fusion
//   memory   a separate block (or one shared with the value of which it is a view)
import { dispatch, isIn, type PerOp } from '../../hlo/per-op.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { dynamicDim, elementCount, isInteger } from '../../hlo/types.ts';
import { capturesOf, constantLiteral } from '../../hlo/walk.ts';
import { formOf, type NameWith, readOf } from './op-forms.ts';

export type StorageKind = 'atoms' | 'lazy' | 'memory';

export interface ValueStorage {
  of(value: Value): StorageKind;
  /** True for atoms that are needed in memory too. */
  inMemoryToo(value: Value): boolean;
  /** For each op of the region, the region's own values that are dead after it. */
  readonly dying: readonly (readonly Value[])[];
  /** Unused arguments. */
  readonly unused: readonly Value[];
  /** The values that must be in memory (or atoms) before this one can be computed. */
  rootsOf(value: Value): readonly Value[];
}

const mostAtoms = 16;
/** The maximum number of ops in a fused chain. */
const deepest = 64;

const isKnown = (value: Value): boolean => !shapeOf(value).includes(dynamicDim);
/** Of rank 0: passed through control flow as a number. */
export const isScalar = (value: Value): boolean => isTensor(value) && shapeOf(value).length === 0;
const isTensor = (value: Value): boolean => value.type.kind === 'tensor';

/** A tensor with a static shape and few elements, which the step function can read one by one. */
function isSmall(value: Value): boolean {
  if (!isTensor(value) || !isKnown(value)) return false;
  const { shape, elementType } = tensorTypeOf(value);
  const count = elementCount(shape);
  return count === 1 || (count <= mostAtoms && (isInteger(elementType) || elementType === 'i1'));
}

const canBeAtoms = (op: Op): boolean =>
  op.results.length === 1 &&
  formOf(op).atoms === true &&
  isSmall(op.results[0]) &&
  op.operands.every((v, i) => readOf(op, i) === 'sizes' || isSmall(v));

/** Where only some ops of a name can be fused. */
const isFusedWhere: PerOp<'constant' | 'reshape', boolean> = {
  // one value for all elements
  constant: op => {
    const { data, type } = op.attributes.value;
    if (elementCount(type.shape) === 0 || type.elementType.startsWith('complex')) return false;
    return (data as Float64Array).every(x => Object.is(x, data[0]));
  },
  // dims of size 1 come or go, and at most one size is unknown: element after element stays where it is
  reshape: op => {
    const rest = (v: Value): number[] => shapeOf(v).filter(d => d !== 1);
    const [from, to] = [rest(op.operands[0]), rest(op.results[0])];
    return (
      from.length === to.length && from.every((d, i) => d === to[i]) && from.filter(d => d === dynamicDim).length <= 1
    );
  },
};

/** Ops whose elements can be computed where they are used. */
export const isFusible = (op: Op): op is Op<NameWith<'fused'>> =>
  op.results.length === 1 && formOf(op).fused !== undefined && (!isIn(isFusedWhere, op) || dispatch(isFusedWhere, op));
/** Nothing is computed for an element: it may be had as often as one likes. */
const isFree = (op: Op): boolean => formOf(op).fused !== 'element';
/** No chain of ops continues here. */
const isSplat = (op: Op): boolean => constantLiteral(op.results[0]!) !== undefined;

const isExpanding = (op: Op<'broadcast_in_dim' | 'dynamic_broadcast_in_dim'>): boolean => {
  const { broadcastDimensions } = op.attributes;
  const [from, to] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  return to.some((size, d) => size !== 1 && from[broadcastDimensions.indexOf(d)] !== size);
};
const expansions: PerOp<'broadcast_in_dim' | 'dynamic_broadcast_in_dim', boolean> = {
  broadcast_in_dim: isExpanding,
  dynamic_broadcast_in_dim: isExpanding,
};
/** An element of the operand becomes many elements of the result. */
const expands = (op: Op): boolean => isIn(expansions, op) && dispatch(expansions, op);

/** `outer`: the storage of outer values; undefined for the body of the function. */
export function storageOf(region: Region, outer: ((value: Value) => StorageKind) | undefined): ValueStorage {
  const isMain = outer === undefined;
  const kind = new Map<Value, StorageKind>();
  const mine = new Set<Value>(region.args);
  for (const op of region.ops) for (const v of op.results) mine.add(v);
  const of = (v: Value): StorageKind => kind.get(v) ?? (mine.has(v) ? 'memory' : (outer?.(v) ?? 'memory'));

  for (const op of region.ops) if (canBeAtoms(op)) kind.set(op.results[0]!, 'atoms');

  // Backwards: how often an element of a value would be computed if it were not stored.
  const never = 0;
  const uses = new Map<Value, number>();
  const depth = new Map<Value, number>();
  const toMemory = new Set<Value>();
  const add = (v: Value, times: number, deep = 0): void => {
    uses.set(v, (uses.get(v) ?? never) + times);
    depth.set(v, Math.max(depth.get(v) ?? 0, deep));
    if (times === Infinity) toMemory.add(v);
  };
  for (const v of region.results) if (of(v) !== 'atoms' || !(isMain || isScalar(v))) add(v, Infinity);
  for (let i = region.ops.length - 1; i >= 0; i--) {
    const op = region.ops[i]!;
    const captured = op.regions.length === 0 ? [] : capturesOf(op);
    for (const v of captured)
      if (!(isSmall(v) && of(v) === 'atoms' && elementCount(shapeOf(v)) === 1)) add(v, Infinity);
    const result = op.results[0];
    if (result !== undefined && of(result) === 'atoms') {
      op.operands.forEach((v, k) => {
        if (readOf(op, k) !== 'sizes' && of(v) !== 'atoms') add(v, Infinity);
      });
      continue;
    }
    const fusible = isFusible(op);
    const times = result === undefined ? 0 : (uses.get(result) ?? never);
    const deep = result === undefined ? 0 : (depth.get(result) ?? 0);
    const lazy = fusible && (isFree(op) ? times < Infinity : times <= 1) && (deep < deepest || isSplat(op));
    if (lazy) kind.set(result!, 'lazy');
    const perElement = (lazy ? times : 1) * (expands(op) ? 1000 : 1);
    op.operands.forEach((v, k) => {
      if (!isTensor(v)) return;
      const count = isKnown(v) ? elementCount(shapeOf(v)) : dynamicDim;
      const read = readOf(op, k);
      if (read === 'atoms') {
        if (of(v) !== 'atoms') add(v, Infinity);
      } else if (of(v) === 'atoms' && count === 1 && (fusible || read === 'elements')) {
        // named where it is used
      } else if (of(v) === 'atoms') add(v, Infinity);
      else if (fusible) add(v, perElement, lazy ? deep + 1 : 1);
      else if (read === 'elements') add(v, 1, 1);
      else add(v, Infinity);
    });
  }

  const roots = new Map<Value, readonly Value[]>();
  const rootsOf = (v: Value): readonly Value[] => {
    const known = roots.get(v);
    if (known !== undefined) return known;
    const found = kind.get(v) === 'lazy' ? [...new Set(v.op!.operands.flatMap(rootsOf))] : [v];
    roots.set(v, found);
    return found;
  };
  const dying: Value[][] = region.ops.map(() => []);
  const left = new Set(mine);
  for (const v of region.results) for (const root of rootsOf(v)) left.delete(root);
  for (let i = region.ops.length - 1; i >= 0; i--) {
    const op = region.ops[i]!;
    const lazy = op.results[0] !== undefined && kind.get(op.results[0]) === 'lazy';
    const used = lazy ? [] : [...op.operands, ...(op.regions.length === 0 ? [] : capturesOf(op))].flatMap(rootsOf);
    for (const v of [...used, ...op.results]) if (left.delete(v)) dying[i]!.push(v);
  }
  const unused = region.args.filter(v => left.has(v));
  return { of, unused, inMemoryToo: v => kind.get(v) === 'atoms' && toMemory.has(v), dying, rootsOf };
}
