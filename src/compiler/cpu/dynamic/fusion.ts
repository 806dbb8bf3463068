// Decides which values of a dynamic program are computed in the kernel that uses them. Works on types alone, before sizes have
// names:
//
//   used by one kernel only, at one position        computed there
//   free, and not needed in memory                   computed in each kernel that uses it
//   a reduce used by the rows that it reduces        computed there: the kernel goes row by row (softmax, normalization)
//
// Values connected by elementwise ops have equal shapes; otherwise the program fails.
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import type { Op, Region, Value } from '../../../hlo/program.ts';
import { shapeOf } from '../../../hlo/program.ts';
import { dynamicDim, elementCount } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import { isScalarOp } from '../../ir/scalar-op.ts';
import { isLoweredAs } from '../../lowering/lowering-kinds.ts';
import { formOf } from './op-forms.ts';

/** The maximum number of ops of a kernel. */
const maxOps = 200;
/** A reduce with fewer rows than this is cut into chunks instead, in a separate kernel. */
const minRows = 16;

/** A kernel under construction. */
export class FusedKernel {
  /** A value with an element for each index of its space. */
  readonly space: Value;
  readonly canReduce: boolean;
  reduced: readonly number[] | undefined;
  ops = 0;
  constructor(space: Value, canReduce: boolean, reduced?: readonly number[]) {
    this.space = space;
    this.canReduce = canReduce;
    this.reduced = reduced;
  }
}
/** A position at which a kernel uses a value. */
export interface Use {
  readonly kernel: FusedKernel;
  /**
   * For each dim of the value, the dim of the kernel's iteration space that indexes it, or -1 if its size is 1; else undefined.
   */
  readonly dims: readonly number[] | undefined;
  /** The minimum number of times an element is computed. */
  readonly times: number;
  /** Distinguishes positions without dims. */
  readonly key: string;
}
interface Uses {
  isStored: boolean;
  readonly list: Use[];
}
export class UsesOf {
  readonly #uses = new Map<Value, Uses>();

  of(value: Value): Uses {
    let found = this.#uses.get(value);
    if (found === undefined) {
      found = { isStored: false, list: [] };
      this.#uses.set(value, found);
    }
    return found;
  }
  add(value: Value, use: Use): void {
    const { list } = this.of(value);
    const isSame = (u: Use): boolean =>
      u.kernel === use.kernel && u.key === use.key && u.dims?.join() === use.dims?.join();
    if (!list.some(isSame)) list.push(use);
  }
}

export const isReduce = (op: Op): op is Op<'reduce'> => isLoweredAs(op, 'reduce');
export const allDims = (v: Value): number[] => shapeOf(v).map((_, d) => d);
/** Nothing is computed for an element, so it may be read any number of times. */
const isFree = (op: Op): boolean => formOf(op).fused !== 'element';

/** The kernel of a value that is stored. */
export const rootKernel = (op: Op, result: Value): FusedKernel =>
  isReduce(op) ? new FusedKernel(op.operands[0], false, op.attributes.dimensions) : new FusedKernel(result, true);

/** A value for those that have equal shapes because elementwise ops connect them. */
export function sameShapes(region: Region): (value: Value) => Value {
  const parents = new Map<Value, Value>();
  const find = (v: Value): Value => {
    const parent = parents.get(v);
    return parent === undefined ? v : find(parent);
  };
  for (const op of region.ops) {
    if (!isScalarOp(op)) continue;
    for (const v of op.operands) {
      if (shapeOf(v).length === 0) continue;
      const [a, b] = [find(v), find(op.results[0])];
      if (a !== b) parents.set(a, b);
    }
  }
  return find;
}

/** The uses of a value of a fusible op that is computed where it is used; undefined if it is stored. */
export function fusedUses(
  op: Op,
  result: Value,
  { isStored, list }: Uses,
  shapes: (value: Value) => Value,
): readonly Use[] | undefined {
  if (isStored || op.results.length !== 1) return undefined;
  if (isReduce(op)) {
    const [use] = list;
    if (use === undefined) return list;
    if (list.length > 1 || use.kernel.ops >= maxOps || !joins(op, use, shapes)) return undefined;
    use.kernel.reduced = op.attributes.dimensions;
    use.kernel.ops++;
    return list;
  }
  if (isFree(op)) return list;
  const [use] = list;
  if (list.length > 1) return undefined;
  if (use !== undefined && (timesOf(result, use, shapes) > 1 || use.kernel.ops >= maxOps)) return undefined;
  if (use !== undefined) use.kernel.ops++;
  return list;
}

/** How often an element at a position is computed, according to the types: once, or many times. */
function timesOf(value: Value, use: Use, shapes: (value: Value) => Value): number {
  const { kernel, dims, times } = use;
  if (dims === undefined) return times;
  const isUsed = (d: number): boolean => dims.includes(d) || shapeOf(kernel.space)[d] === 1;
  const all = allDims(kernel.space);
  if (all.every(isUsed)) return 1;
  const reduced = kernel.reduced ?? reducedFor(value, use, shapes);
  return reduced !== undefined && all.every(d => reduced.includes(d) || isUsed(d)) ? 1 : many;
}
const many = 1000;

/** The reduced dims, if a value is computed from a reduce for which the kernel may go row by row. */
function reducedFor(
  value: Value,
  use: Use,
  shapes: (value: Value) => Value,
  most = mostSteps,
): readonly number[] | undefined {
  const { op } = value;
  if (op === undefined || most === 0) return undefined;
  if (isReduce(op)) return joins(op, use, shapes) ? op.attributes.dimensions : undefined;
  if (!isScalarOp(op) && !isIn(mapped, op)) return undefined;
  for (const [i, v] of op.operands.entries()) {
    const found = reducedFor(v, operandUse(op, i, use), shapes, most - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
/** Ops from a reduce to the value of a row: a mean, a variance, its root. */
const mostSteps = 8;

/** A reduce over the last dims of the kernel's iteration space, used once per row. */
function joins(op: Op<'reduce'>, { kernel, dims }: Use, shapes: (value: Value) => Value): boolean {
  const [x] = op.operands;
  const { dimensions } = op.attributes;
  const shape = shapeOf(x);
  if (op.results.length > 1 || capturesOf(op).size > 0) return false;
  if (!kernel.canReduce || dims === undefined || shapes(x) !== shapes(kernel.space)) return false;
  if (dimensions.length === 0 || !dimensions.includes(shape.length - 1)) return false;
  if (kernel.reduced !== undefined && !sameDims(kernel.reduced, dimensions)) return false;
  const kept = allDims(x).filter(d => !dimensions.includes(d));
  const rows = kept.map(d => shape[d]!);
  if (!rows.includes(dynamicDim) && elementCount(rows) < minRows) return false;
  return kept.every((d, i) => dims[i] === d || (shape[d] === 1 && dims[i] === -1));
}
const sameDims = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every(d => b.includes(d));

/** How an operand of an op that is computed at a position is used. */
export function operandUse(op: Op, operand: number, use: Use): Use {
  if (isReduce(op)) return { ...use, dims: allDims(op.operands[operand]!), key: '' };
  if (isScalarOp(op)) {
    const isScalar = shapeOf(op.operands[operand]!).length === 0;
    return isScalar ? { ...use, dims: [], key: '' } : use;
  }
  if (use.dims !== undefined && isIn(mapped, op)) {
    const dims = dispatch(mapped, op, use.dims);
    return { ...use, dims };
  }
  const times = isIn(rereading, op) || (isIn(mapped, op) && expands(op)) ? many : 1;
  return { ...use, dims: undefined, times: use.times * times, key: `${use.key} ${op.results[0]!.id}.${operand}` };
}

const alongDims = (op: Op<'broadcast_in_dim' | 'dynamic_broadcast_in_dim'>, dims: readonly number[]): number[] => {
  const [from, to] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  return op.attributes.broadcastDimensions.map((d, i) => (from[i] === 1 && to[d] !== 1 ? -1 : dims[d]!));
};
const mapped: PerOp<
  'broadcast_in_dim' | 'dynamic_broadcast_in_dim' | 'transpose' | 'reshape',
  number[],
  [dims: readonly number[]]
> = {
  broadcast_in_dim: alongDims,
  dynamic_broadcast_in_dim: alongDims,
  transpose: (op, dims) => op.attributes.permutation.map((_, d) => dims[op.attributes.permutation.indexOf(d)]!),
  // only dims of size 1 are added or removed
  reshape: (op, dims) => {
    const outer = shapeOf(op.results[0]).flatMap((s, d) => (s === 1 ? [] : [dims[d]!]));
    let next = 0;
    return shapeOf(op.operands[0]).map(s => (s === 1 ? -1 : outer[next++]!));
  },
};
/** Ops that may read any element of an operand any number of times. */
const rereading: { readonly [N in 'gather' | 'dynamic_gather']: true } = { gather: true, dynamic_gather: true };
/** An element of the operand becomes many elements of the result. */
const expands = (op: Op): boolean =>
  shapeOf(op.results[0]!).filter(s => s !== 1).length > shapeOf(op.operands[0]!).filter(s => s !== 1).length;
