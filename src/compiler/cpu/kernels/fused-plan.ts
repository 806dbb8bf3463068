// Plans the kernel of a fused group: its loops, and the node graph of its outputs. Which form suits these is decided in
// space-plan.ts.
//
// All values of a group run over one space, the shape of its largest values; some dims may be reduced:
//   full   one element for each index of the space, in row-major order      x, exp(x - max), the result of a softmax
//   kept   one element for each index of the kept dims                      max, sum
//
// A group of rows may also have sums of columns: they process the same rows a few at a time, in the same chunks as in a
// separate kernel.

import { invariant } from '../../../base/errors.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { elementBytes, elementCount } from '../../../hlo/types.ts';
import { type Extent, numberOf } from '../../ir/extent.ts';
import type { FusedGroup, Space, Storage } from '../../ir/group.ts';
import { delinearize, type Index, linearize } from '../../ir/index-expr.ts';
import type { PlannedKernel } from '../../ir/kernel.ts';
import { canonicalIndex, type Nest, type Output, reductionsIn, requiredNodes, sizeOf } from '../../ir/nest.ts';
import { maskOf, NodeGraph, usesOf } from '../../ir/node.ts';
import { Operands } from '../../ir/operands.ts';
import { Evaluator } from '../../lowering/evaluator.ts';
import { isLoweredAs } from '../../lowering/lowering-kinds.ts';
import { planColumns } from './columns-plan.ts';
import { partOf } from './part-loops.ts';
import { stepsOfWholePieces } from './pieces-plan.ts';
import { planRowRange, planRows } from './rows-plan.ts';
import {
  type Built,
  builtIn,
  type Evaluate,
  type PlannedSpace,
  planSpace,
  rowNest,
  type SpaceLoop,
  spaceMemory,
} from './space-plan.ts';

export function planFused(group: FusedGroup, storage: Storage): PlannedKernel {
  const { kernel, operands } =
    group.columns === undefined
      ? planSpace(splitLoops(group, storage), evaluatorOf(group, storage), markInPlace)
      : planRowsAndColumns(group, group.columns, storage);
  const { workspaceBytes, scratchBytes } = spaceMemory(kernel);
  return { kernel, operands, workspaceBytes: numberOf(workspaceBytes), scratchBytes: numberOf(scratchBytes) };
}

/**
 * Bytes of rows that are computed before they are added up. They stay in the L2 cache; fewer rows, which would fit in L1, are
 * slower.
 */
const rowBytes = 128 * 1024;

function planRowsAndColumns(group: FusedGroup, columns: FusedGroup, storage: Storage): PlannedSpace {
  const first = loopsAndNodes(group, storage);
  const second = loopsAndNodes(columns, storage, undefined, first.built.operands);
  const operands = second.built.operands.list;
  // Values that are summed later must not have been overwritten.
  const added = new Set(second.built.nodes.flatMap(n => (n.kind === 'load' ? [n.slot] : [])));
  for (const o of first.built.outputs) {
    const allowed = first.built.operands.list[o.slot]!.inPlaceOf ?? [];
    operands[o.slot]!.inPlaceOf = allowed.filter(slot => !added.has(slot));
  }
  for (const o of second.built.outputs) operands[o.slot]!.inPlaceOf = [];
  const nest = rowNest(first.real, first.built);
  const reduced = second.real.filter(l => l.reduced).map(l => l.loop);
  const [row] = reduced;
  const column = second.real.at(-1)!.loop;
  invariant(row !== undefined && reduced.length + 1 === second.real.length, 'sums of columns over whole rows');
  const columnNest = { outer: [], reduced, column, outputs: second.built.outputs, operands };
  const rows = numberOf(sizeOf(nest.kept));
  const width = numberOf(column.size);
  const isCut = reductionsIn(second.built.nodes).every(r => r.accumulator !== undefined);
  // The rows are not a single loop in both, or must be added in one pass: process them sequentially.
  if (reduced.length > 1 || row.size !== rows || !isCut)
    return { kernel: { kind: 'sequence', first: planRows(nest), second: planColumns(columnNest) }, operands };
  const bytes = [...new Set(operands.map(o => o.value))]
    .filter(v => elementCount(shapeOf(v)) === rows * width)
    .reduce((n, v) => n + width * elementBytes(tensorTypeOf(v).elementType), 0);
  const atOnce = stepsOfWholePieces(Math.floor(rowBytes / Math.max(1, bytes)));
  const before = { row: planRowRange(nest), rows: atOnce };
  return { kernel: planColumns(columnNest, before), operands };
}

/**
 * The group as rows, whose inner loops are the reduced ones or the last. Not for reductions of columns. `product`: the result of
 * the multiply, if the group is an epilogue.
 */
export function nestOf(group: FusedGroup, storage: Storage, product: Value): Nest {
  const { built, real } = loopsAndNodes(group, storage, product);
  return rowNest(real, built);
}

function loopsAndNodes(
  group: FusedGroup,
  storage: Storage,
  product?: Value,
  before?: Operands,
): { readonly built: Built; readonly real: readonly SpaceLoop[] } {
  const evaluate = evaluatorOf(group, storage, product);
  const found = builtIn(splitLoops(group, storage), loops => evaluate(loops, before));
  markInPlace(found.built);
  return found;
}

/** `product`: the result of the multiply, if the group is an epilogue. */
function evaluatorOf(group: FusedGroup, storage: Storage, product?: Value): Evaluate {
  return (loops, before, part) => {
    const graph = new NodeGraph();
    const operands = new Operands(before);
    const own = new Set(group.outputs);
    const all = loops.map(l => l.loop);
    const kept = loops.filter(l => !l.reduced).map(l => l.loop);
    const reduced = loops.filter(l => l.reduced).map(l => l.loop);
    const evaluator = new Evaluator({
      graph,
      computes: value => value !== product && (own.has(value) || !storage.isStored(value)),
      leaf: (value, index, guards) => {
        const { shape, elementType } = tensorTypeOf(value);
        if (value === product) return graph.product(elementType, graph.index(linearize(shape, index)));
        return graph.load(elementType, operands.slot(value, 'read'), linearize(shape, index), guards);
      },
      reduceAt: (op, index) => ({ index: reducedIndex(op, index, canonicalIndex(reduced)), over: maskOf(reduced) }),
    });
    const outputs = group.outputs.map((value): Output => {
      const { shape, elementType } = tensorTypeOf(value);
      const whole = canonicalIndex(isFull(value, group.space) ? all : kept);
      const index = delinearize(shape, part === undefined ? whole : partOf(whole, all.at(-1)!, part));
      const node = evaluator.at(value, index);
      return { node, slot: operands.slot(value, 'write'), index: linearize(shape, index), type: elementType };
    });
    return { operands, outputs, nodes: requiredNodes(outputs) };
  };
}

/** True for values with an element for every index of the space. */
function isFull(value: Value, space: Space): boolean {
  if (value.op !== undefined && isLoweredAs(value.op, 'reduce') && space.reduced.includes(true)) return false;
  return elementCount(shapeOf(value)) === elementCount(space.shape);
}

/** The index of an operand of a reduce: the result's in the kept dims, the position in the reduced loops in the others. */
export const reducedIndex = (op: Op<'reduce'>, index: readonly Index[], position: Index): Index[] =>
  indexBeforeReduce(shapeOf(op.operands[0]), op.attributes.dimensions, index, position);

/** The same for an operand of this shape. */
export function indexBeforeReduce(
  shape: readonly Extent[],
  dimensions: readonly number[],
  index: readonly Index[],
  position: Index,
): Index[] {
  const dims = shape.map((_, d) => d).filter(d => dimensions.includes(d));
  const within = delinearize(
    dims.map(d => shape[d]!),
    position,
  );
  let nextKept = 0;
  return shape.map((_, d) => {
    const k = dims.indexOf(d);
    return k >= 0 ? within[k]! : index[nextKept++]!;
  });
}

/**
 * The loops of a group: the dims of its space, cut finer where a value of the same number of elements has a boundary
 * within a dim, so that a reshape between them is a choice of loops and not a division.
 */
function splitLoops(group: FusedGroup, storage: Storage): SpaceLoop[] {
  const { shape, reduced } = group.space;
  // a space without elements has no boundaries: only reductions over it are written
  if (elementCount(shape) === 0) return shape.map((size, id) => ({ loop: { id, size }, reduced: reduced[id]! }));
  const boundaries = new Set<number>();
  const cut = (s: readonly number[]): void => {
    for (let d = s.length - 1, below = 1; d >= 0; d--) {
      below *= s[d]!;
      boundaries.add(below);
    }
  };
  cut(shape);
  const basic = new Set(boundaries);
  for (const s of fullShapes(group, storage)) cut(s);
  const sorted = [...boundaries].sort((a, b) => a - b);
  const chain = sorted.every((b, i) => i === 0 || b % sorted[i - 1]! === 0) ? sorted : [...basic].sort((a, b) => a - b);
  const out: SpaceLoop[] = [];
  let below = 1;
  let position = 0;
  for (let d = shape.length - 1; d >= 0; d--) {
    const top = dimTop(shape, d);
    const sizes: number[] = [];
    for (; position < chain.length && chain[position]! <= top; position++) {
      if (chain[position]! === below) continue;
      sizes.push(chain[position]! / below);
      below = chain[position]!;
    }
    for (const size of sizes) out.unshift({ loop: { id: 0, size }, reduced: reduced[d]! });
  }
  return out.map((l, id) => ({ loop: { id, size: l.loop.size }, reduced: l.reduced }));
}
const dimTop = (shape: readonly number[], d: number): number => elementCount(shape.slice(d));

/** The shapes of all values of full size that the group computes. */
function fullShapes(group: FusedGroup, storage: Storage): Iterable<readonly number[]> {
  const count = elementCount(group.space.shape);
  const shapes = new Map<string, readonly number[]>();
  const seen = new Set<Value>(group.outputs);
  const queue = [...group.outputs];
  for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
    if (v.type.kind !== 'tensor') continue;
    if (elementCount(v.type.shape) === count) shapes.set(v.type.shape.join(), v.type.shape);
    for (const x of v.op?.operands ?? []) {
      if (seen.has(x) || storage.isStored(x)) continue;
      seen.add(x);
      queue.push(x);
    }
  }
  return shapes.values();
}

/** Records, for each written operand, which of the read operands may share its memory. */
function markInPlace({ operands, outputs, nodes }: Built): void {
  const stages = new Set(nodes.filter(n => n.kind === 'reduced').map(n => n.stage));
  const lastStage = Math.max(0, ...stages);
  const loads = new Map<number, string[]>();
  for (const n of nodes) {
    if (n.kind !== 'load') continue;
    const keys = loads.get(n.slot);
    if (keys) keys.push(n.index.key);
    else loads.set(n.slot, [n.index.key]);
  }
  for (const o of outputs) {
    const to = operands.list[o.slot]!;
    const allowed: number[] = [];
    for (const [slot, keys] of loads) {
      const from = operands.list[slot]!;
      const sameSize = sameMemory(from.value, to.value);
      const outputStage = Math.max(o.node.stage, usesOf(o.index).stage);
      if (sameSize && from.access === 'read' && outputStage === lastStage && keys.every(k => k === o.index.key))
        allowed.push(slot);
    }
    to.inPlaceOf = allowed;
  }
}
function sameMemory(a: Value, b: Value): boolean {
  const [x, y] = [tensorTypeOf(a), tensorTypeOf(b)];
  return elementBytes(x.elementType) === elementBytes(y.elementType) && elementCount(x.shape) === elementCount(y.shape);
}
