// Along which axes an op is divided, when its operands and results disagree: factor by factor, the axes that most elements have
// already. What cannot be divided without moving elements between parts is whole.
import type { DimFactors, ShardingRule } from '../../hlo/factors/rule.ts';
import { type Op, shapeOf } from '../../hlo/program.ts';
import { type AxisRef, axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { elementCount, type Type } from '../../hlo/types.ts';
import { type Axes, appendAxis, prefixWithoutAll, sameAxis, sizeOfAxes } from './axes.ts';
import type { Layout } from './layout.ts';
import { projectionOf } from './projection.ts';

export interface OpLayouts {
  readonly operands: readonly Layout[];
  readonly results: readonly Layout[];
  /** The axes along which the results are terms, to be combined. */
  readonly reduced: Axes;
}

/** Ops whose terms a single op combines, if their reduction factors are divided. */
const reducing: ReadonlySet<string> = new Set(['reduce', 'dot', 'dot_general', 'convolution']);

export function layoutsOfOp(
  op: Op,
  rule: ShardingRule,
  operands: readonly Layout[],
  results: readonly Layout[],
  mesh: Mesh,
): OpLayouts {
  const axes = withoutStrides(chooseAxes(op, rule, operands, results, mesh), rule, mesh);
  const layouts = (tensors: ShardingRule['operands']): readonly Layout[] =>
    tensors.map(dims =>
      dims.map(factors =>
        joined(
          factors.map(factor => axes[factor]!),
          mesh,
        ),
      ),
    );
  const reduced = rule.factors.flatMap(({ kind }, factor) => (kind === 'reduction' ? axes[factor]! : []));
  return { operands: layouts(rule.operands), results: layouts(rule.results), reduced };
}

function joined(lists: readonly Axes[], mesh: Mesh): Axes {
  const axes: AxisRef[] = [];
  for (const axis of lists.flat()) appendAxis(axes, axis, mesh);
  return axes;
}

function chooseAxes(
  op: Op,
  rule: ShardingRule,
  operands: readonly Layout[],
  results: readonly Layout[],
  mesh: Mesh,
): Axes[] {
  const projection = projectionOf(rule, operands.map(asSharding), results.map(asSharding), mesh);
  const sizes = [...op.operands, ...op.results].map(({ type }) => elementsOf(type));
  const candidates = rule.factors.map((): { readonly axes: Axes; weight: number }[] => []);
  [...projection.operands, ...projection.results].forEach(({ factors }, tensor) => {
    for (const [factor, { axes: all }] of factors) {
      const axes = divisible(all, factor, op, rule, mesh);
      if (axes.length === 0) continue;
      const list = candidates[factor]!;
      const known = list.find(
        c => c.axes.length === axes.length && c.axes.every((axis, i) => sameAxis(axis, axes[i]!)),
      );
      if (known === undefined) list.push({ axes, weight: sizes[tensor]! });
      else known.weight += sizes[tensor]!;
    }
  });
  const best = candidates.map(list =>
    list.reduce((a, b) => (b.weight > a.weight ? b : a), { axes: [], weight: -1 } as { axes: Axes; weight: number }),
  );
  const chosen: Axes[] = rule.factors.map(() => []);
  const order = [...best.keys()].sort((a, b) => best[b]!.weight - best[a]!.weight || a - b);
  for (const factor of order) {
    const used = chosen.flat();
    const axes: AxisRef[] = [];
    for (const axis of best[factor]!.axes) {
      const free = prefixWithoutAll(axis, used);
      if (free === undefined || !sameAxis(free, axis)) break;
      axes.push(axis);
    }
    chosen[factor] = divisible(axes, factor, op, rule, mesh);
  }
  return chosen;
}

/** The leading axes that the factor can be divided along. */
function divisible(axes: Axes, factor: number, op: Op, rule: ShardingRule, mesh: Mesh): Axes {
  const { size, kind } = rule.factors[factor]!;
  // Windows may make up less than their dim.
  const isAlone = [...op.operands, ...op.results].every((value, tensor) =>
    [...rule.operands, ...rule.results][tensor]!.every(
      (factors, d) => !factors.includes(factor) || (factors.length === 1 && shapeOf(value)[d] === size),
    ),
  );
  if (kind === 'replication' || kind === 'permutation') return [];
  if (kind === 'reduction' && !(reducing.has(op.name) && rule.combiner !== undefined && isAlone)) return [];
  if (countsInWhole(op, rule, factor)) return [];
  // A result without the factor would have another value on each device.
  const isIn = (tensor: DimFactors): boolean => tensor.some(factors => factors.includes(factor));
  if (kind === 'passThrough' && rule.operands.some(isIn) && !rule.results.every(isIn)) return [];
  if (kind === 'passThrough' && isAlone) return axes;
  let end = 0;
  for (let parts = 1; end < axes.length; end++) {
    parts *= axisRefSize(mesh, axes[end]!);
    if (size % parts !== 0) break;
  }
  return axes.slice(0, end);
}

/** Whether an operand has positions in the dim of the factor, which count from the start of the whole dim. */
function countsInWhole(op: Op, rule: ShardingRule, factor: number): boolean {
  if (op.name === 'dynamic_update_slice') return !rule.operands[1]!.flat().includes(factor);
  if (op.name !== 'scatter') return false;
  const dim = rule.operands[0]!.findIndex(factors => factors.includes(factor));
  return op.attributes.dimensionNumbers.scatterDimsToOperandDims.includes(dim);
}

/** A dim is divided in blocks: a factor only if those before it are divided completely. */
function withoutStrides(chosen: readonly Axes[], rule: ShardingRule, mesh: Mesh): readonly Axes[] {
  const axes = [...chosen];
  for (let changed = true; changed; ) {
    changed = false;
    for (const factors of [...rule.operands, ...rule.results].flat()) {
      const partial = factors.findIndex(factor => sizeOfAxes(axes[factor]!, mesh) < rule.factors[factor]!.size);
      if (partial < 0) continue;
      for (const factor of factors.slice(partial + 1))
        if (axes[factor]!.length > 0) {
          axes[factor] = [];
          changed = true;
        }
    }
  }
  return axes;
}

const elementsOf = (type: Type): number => (type.kind === 'tensor' ? elementCount(type.shape) : 0);
const asSharding = (layout: Layout): Sharding => ({
  mesh: '',
  dims: layout.map(axes => ({ axes, isOpen: false })),
  replicated: [],
  unreduced: [],
  reduction: 'sum',
});
