// The computation of a fused group: its loops, and the node graph of its outputs.
//
// All values of a group run over one space, the shape of its largest values; some dims may be reduced:
//   full   one element for each index of the space, in row-major order      x, exp(x - max), the result of a softmax
//   kept   one element for each index of the kept dims                      max, sum

import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { elementBytes, elementCount } from '../../hlo/types.ts';
import type { Computation, Evaluate, LoopValues, Part, SpaceLoop } from '../ir/computation.ts';
import { type Extent, numberOf, sameExtent, times } from '../ir/extent.ts';
import type { FusedGroup, Space, Storage } from '../ir/group.ts';
import {
  add,
  addConstant,
  coefficientOf,
  delinearize,
  type Index,
  type Loop,
  linearize,
  loopIndex,
  scale,
} from '../ir/index-expr.ts';
import { canonicalIndex, type Output, requiredNodes } from '../ir/nest.ts';
import { indicesOf, maskOf, NodeGraph, usesOf } from '../ir/node.ts';
import { Operands } from '../ir/operands.ts';
import { Evaluator } from './evaluator.ts';
import { isLoweredAs } from './lowering-kinds.ts';

/** `product`: the result of the multiply, if the group is an epilogue; `before`: operands of another part of the kernel. */
export function computationOf(group: FusedGroup, storage: Storage, product?: Value, before?: Operands): Computation {
  const evaluate = evaluatorOf(group, storage, product);
  const computation = computationIn(loopsOfGroup(group, storage), loops => evaluate(loops, before));
  markInPlace(computation);
  return computation;
}

/** The values computed in the smallest possible number of loops. */
export function computationIn(loops: readonly SpaceLoop[], evaluate: Evaluate): Computation {
  const values = evaluate(loops);
  const merged = mergeLoops(loops, values);
  const isMerged = merged.length < loops.length;
  return {
    ...(isMerged ? evaluate(merged) : values),
    loops: (isMerged ? merged : loops).filter(l => l.loop.size !== 1),
  };
}

/** Adjacent loops are merged if every index is linear in the merged loop: dense data is one long loop. */
function mergeLoops(loops: readonly SpaceLoop[], values: LoopValues): SpaceLoop[] {
  const indices: Index[] = [
    ...new Map([...values.nodes.flatMap(indicesOf), ...values.outputs.map(o => o.index)].map(i => [i.key, i])).values(),
  ];
  const out: SpaceLoop[] = [];
  for (const l of loops) {
    if (l.loop.size === 1) continue;
    const previous = out.at(-1);
    const fits =
      previous !== undefined &&
      previous.reduced === l.reduced &&
      indices.every(i => {
        const outer = coefficientOf(i, previous.loop);
        const inner = coefficientOf(i, l.loop);
        return outer !== undefined && inner !== undefined && sameExtent(outer, times(inner, l.loop.size));
      });
    if (fits) out[out.length - 1] = { loop: joined(previous.loop, l.loop), reduced: l.reduced };
    else out.push(l);
  }
  return out.map(({ loop, reduced }, id) => ({ loop: { id, size: loop.size }, reduced }));
}
/** A merged loop keeps the id of its last part, whose coefficients the next part is compared with. */
const joined = (outer: Loop, inner: Loop): Loop => ({ id: inner.id, size: times(outer.size, inner.size) });

/** `product`: the result of the multiply, if the group is an epilogue. */
export function evaluatorOf(group: FusedGroup, storage: Storage, product?: Value): Evaluate {
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
export function loopsOfGroup(group: FusedGroup, storage: Storage): SpaceLoop[] {
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
export function markInPlace({ operands, outputs, nodes }: LoopValues): void {
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

/** An index that is linear in a loop, rewritten for a loop over a part of it that begins at 0. */
function partOf(index: Index, loop: Loop, { from, to }: Part): Index {
  const stride = numberOf(coefficientOf(index, loop)!);
  const others = add(index, scale(loopIndex(loop), -stride));
  return addConstant(add(others, scale(loopIndex({ id: loop.id, size: to - from }), stride)), from * stride);
}
