// Decides where each value of a region is stored, before any C is written, and where its last use is.
//
//   atoms    a few integers, or a single number: constants and locals of the step function, such as sizes
//   lazy     computed element by element in the kernel that uses it: fusion
//   memory   a separate block (or shared with the value that it is a view of)
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import type { Op, Region, Value } from '../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { dynamicDim, elementCount, isInteger } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import { allDims, FusedKernel, fusedUses, isReduce, operandUse, rootKernel, sameShapes, UsesOf } from './fusion.ts';
import { formOf, type NameWith, readOf } from './op-forms.ts';

export type StorageKind = 'atoms' | 'lazy' | 'memory';

export interface ValueStorage {
  of(value: Value): StorageKind;
  /** True for atoms that are also needed in memory. */
  inMemoryToo(value: Value): boolean;
  /** For each op of the region, the region's own values that are dead after it. */
  readonly dying: readonly (readonly Value[])[];
  /** Unused arguments. */
  readonly unused: readonly Value[];
  /** The values that must be in memory (or atoms) before this one can be computed. */
  rootsOf(value: Value): readonly Value[];
  /** The dims that the kernel which stores a value reduces over. */
  reducedIn(value: Value): readonly number[];
}

const mostAtoms = 16;

const isKnown = (value: Value): boolean => !shapeOf(value).includes(dynamicDim);
/** Whether the value has rank 0: such values pass through control flow as numbers. */
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

/** Rules for names of which only some ops can be fused. */
const isFusedWhere: PerOp<'constant' | 'reshape', boolean> = {
  // one value for all elements
  constant: op => {
    const { data, type } = op.attributes.value;
    if (elementCount(type.shape) === 0 || type.elementType.startsWith('complex')) return false;
    return (data as Float64Array).every(x => Object.is(x, data[0]));
  },
  // only dims of size 1 are added or removed, and at most one size is unknown, so elements keep their order
  reshape: op => {
    const rest = (v: Value): number[] => shapeOf(v).filter(d => d !== 1);
    const [from, to] = [rest(op.operands[0]), rest(op.results[0])];
    return (
      from.length === to.length && from.every((d, i) => d === to[i]) && from.filter(d => d === dynamicDim).length <= 1
    );
  },
};

/** Ops whose elements can be computed where they are used. */
export const isFusible = (op: Op): op is Op<Exclude<NameWith<'fused'>, 'reduce'>> =>
  op.results.length === 1 &&
  formOf(op).fused !== undefined &&
  !isReduce(op) &&
  (!isIn(isFusedWhere, op) || dispatch(isFusedWhere, op));
/** `outer`: the storage of outer values; undefined for the body of the function. */
export function storageOf(region: Region, outer: ((value: Value) => StorageKind) | undefined): ValueStorage {
  const isMain = outer === undefined;
  const kind = new Map<Value, StorageKind>();
  const mine = new Set<Value>(region.args);
  for (const op of region.ops) for (const v of op.results) mine.add(v);
  const of = (v: Value): StorageKind => kind.get(v) ?? (mine.has(v) ? 'memory' : (outer?.(v) ?? 'memory'));

  for (const op of region.ops) if (canBeAtoms(op)) kind.set(op.results[0]!, 'atoms');

  const kernels = new Map<Value, FusedKernel>();
  const shapes = sameShapes(region);
  const uses = new UsesOf();
  const toMemory = new Set<Value>();
  const read = (v: Value): void => {
    uses.of(v).isStored = true;
    toMemory.add(v);
  };
  for (const v of region.results) if (of(v) !== 'atoms' || !(isMain || isScalar(v))) read(v);
  for (let i = region.ops.length - 1; i >= 0; i--) {
    const op = region.ops[i]!;
    const captured = op.regions.length === 0 ? [] : capturesOf(op);
    for (const v of captured) if (!(isSmall(v) && of(v) === 'atoms' && elementCount(shapeOf(v)) === 1)) read(v);
    const result = op.results[0];
    if (result !== undefined && of(result) === 'atoms') {
      op.operands.forEach((v, k) => {
        if (readOf(op, k) !== 'sizes' && of(v) !== 'atoms') read(v);
      });
      continue;
    }
    const isComputed = isFusible(op) || isReduce(op);
    const own = isComputed ? fusedUses(op, result!, uses.of(result!), shapes) : undefined;
    if (own !== undefined) kind.set(result!, 'lazy');
    const root = own === undefined && isComputed ? rootKernel(op, result!) : undefined;
    if (root !== undefined) kernels.set(result!, root);
    const wholes = own ?? (root === undefined ? [] : [{ kernel: root, dims: allDims(result!), times: 1, key: '' }]);
    op.operands.forEach((v, k) => {
      if (!isTensor(v)) return;
      const asked = readOf(op, k);
      const isNumber = of(v) === 'atoms' && isKnown(v) && elementCount(shapeOf(v)) === 1;
      if (asked === 'atoms') {
        if (of(v) !== 'atoms') read(v);
      } else if (isNumber && (isComputed || asked === 'elements')) {
        // named at its first use
      } else if (of(v) === 'atoms') read(v);
      else if (isComputed) for (const use of wholes) uses.add(v, operandUse(op, k, use));
      else if (asked === 'elements')
        uses.add(v, { kernel: new FusedKernel(v, false), dims: allDims(v), times: 1, key: '' });
      else read(v);
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
  const reducedIn = (v: Value): readonly number[] => kernels.get(v)?.reduced ?? [];
  return { of, unused, inMemoryToo: v => kind.get(v) === 'atoms' && toMemory.has(v), dying, rootsOf, reducedIn };
}
