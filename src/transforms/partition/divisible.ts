// Along which of some axes a factor of an op can be divided: without moving elements between parts, except in shifts.
import type { DimFactors, ShardingRule } from '../../hlo/factors/rule.ts';
import { type Op, shapeOf } from '../../hlo/program.ts';
import { axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type Axes, sizeOfAxes } from './axes.ts';
import { skipsPadding } from './padding.ts';
import { shiftsAlong } from './shifts.ts';

/** Ops whose terms a single op combines, if their reduction factors are divided. */
const reducing: ReadonlySet<string> = new Set(['reduce', 'dot', 'dot_general', 'convolution', 'gather', 'scatter']);

/** The leading axes that the factor can be divided along, if elements move between parts at most along dims of a shift. */
export function divisible(axes: Axes, factor: number, op: Op, rule: ShardingRule, mesh: Mesh): Axes {
  const { size, kind } = rule.factors[factor]!;
  // Windows may make up less than their dim.
  const isAlone = [...op.operands, ...op.results].every((value, tensor) =>
    [...rule.operands, ...rule.results][tensor]!.every(
      (factors, d) => !factors.includes(factor) || (factors.length === 1 && shapeOf(value)[d] === size),
    ),
  );
  const shifted = rule.results[0]!.findIndex(factors => factors.includes(factor));
  if (shifted >= 0 && shiftsAlong(op, shifted)) return axes;
  if (kind === 'replication' || kind === 'permutation') return [];
  if (kind === 'reduction' && !(reducing.has(op.name) && rule.combiner !== undefined && isAlone)) return [];
  if (countsInWhole(op, rule, factor)) return [];
  // A result without the factor would have another value on each device.
  const isIn = (tensor: DimFactors): boolean => tensor.some(factors => factors.includes(factor));
  if (kind === 'passThrough' && rule.operands.some(isIn) && !rule.results.every(isIn)) return [];
  // Padding is not looked up, nor combined.
  if (isAlone && (kind === 'passThrough' || op.name === 'gather' || skipsPadding(op, rule))) return axes;
  let end = 0;
  for (let parts = 1; end < axes.length; end++) {
    parts *= axisRefSize(mesh, axes[end]!);
    if (size % parts !== 0) break;
  }
  return axes.slice(0, end);
}

/** Whether an operand has positions in the dim of the factor that count from the start of the whole dim, and stay so. */
function countsInWhole(op: Op, rule: ShardingRule, factor: number): boolean {
  const dim = rule.operands[0]?.findIndex(factors => factors.includes(factor)) ?? -1;
  switch (op.name) {
    case 'dynamic_update_slice':
      return !rule.operands[1]!.flat().includes(factor);
    case 'scatter': {
      const { scatterDimsToOperandDims, insertedWindowDims } = op.attributes.dimensionNumbers;
      return scatterDimsToOperandDims.includes(dim) && !insertedWindowDims.includes(dim);
    }
    case 'gather':
      return rule.factors[factor]!.kind === 'reduction' && !op.attributes.dimensionNumbers.startIndexMap.includes(dim);
    default:
      return false;
  }
}

/** A dim is divided in blocks: a factor only if those before it are divided completely. */
export function withoutStrides(chosen: readonly Axes[], rule: ShardingRule, mesh: Mesh): readonly Axes[] {
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
