// Gradient rules of the ops that move elements to or from positions known only at run time.
// Reading is the transpose of adding: gather ↔ scatter-add, dynamic_slice ↔ dynamic_update_slice.
import type { GatherDimensionNumbers, ScatterDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { scatterOperands } from '../../hlo/operand-groups.ts';
import { type OpOf, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import { combinerOf } from '../combiner.ts';
import { dimsExcept, zeroScalar, zerosLike } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';
import { clampIndices, inBounds, perComponent } from './index-bounds.ts';

const gatherRule: GradientRule<'gather'> = ({ builder: b, op, cotangents: [g] }) => {
  const [operand, indices] = op.operands;
  const { dimensionNumbers: dims, sliceSizes, indicesAreSorted } = op.attributes;
  const limits = dims.startIndexMap.map(d => shapeOf(operand)[d]! - sliceSizes[d]!);
  const inside = clampIndices(b, indices, dims.indexVectorDim, limits);
  const numbers: ScatterDimensionNumbers = {
    updateWindowDims: dims.offsetDims,
    insertedWindowDims: dims.collapsedSliceDims,
    inputBatchingDims: dims.operandBatchingDims,
    scatterIndicesBatchingDims: dims.startIndicesBatchingDims,
    scatterDimsToOperandDims: dims.startIndexMap,
    indexVectorDim: dims.indexVectorDim,
  };
  // Clamping preserves the order of indices only if they have one component.
  const attributes = {
    dimensionNumbers: numbers,
    indicesAreSorted: indicesAreSorted && limits.length === 1,
    uniqueIndices: false,
  };
  // Many rows may be added to one: low-precision floats are summed in f32 and rounded once.
  const { elementType, shape } = tensorTypeOf(operand);
  const sumType = elementType === 'bf16' || elementType === 'f16' ? 'f32' : elementType;
  const zeros = sumType === elementType ? zerosLike(b, operand) : b.fill(sumType, shape, 0);
  const region = b.combiner('add', sumType);
  const sums = b.emit1('scatter', [zeros, inside, b.convert(g, sumType)], attributes, [region]);
  return [b.convert(sums, elementType), undefined];
};

type Scatter = OpOf<'scatter'>;

/** The size of a scatter's window in each dim of the input. */
function windowSizes(op: Scatter, input: Value, updates: Value): number[] {
  const dims = op.attributes.dimensionNumbers;
  const window = dimsExcept(shapeOf(input).length, [...dims.insertedWindowDims, ...dims.inputBatchingDims]);
  const sizes = shapeOf(input).map(() => 1);
  window.forEach((d, i) => {
    sizes[d] = shapeOf(updates)[dims.updateWindowDims[i]!]!;
  });
  return sizes;
}

/**
 * Reads from `source` (shaped as the input) the elements that the scatter's updates were written to, shaped as the updates; zeros
 * for dropped updates. A window of one element in the scattered dims is masked. A larger window may be partly out of bounds, so
 * it is read from a source with a margin of zeros, and the gather clamps windows that start further out.
 */
function readBack(b: Builder, op: Scatter, source: Value, indices: Value, updates: Value): Value {
  const dims = op.attributes.dimensionNumbers;
  const shape = shapeOf(source);
  const sliceSizes = windowSizes(op, source, updates);
  const scattered = dims.scatterDimsToOperandDims;
  const numbers: GatherDimensionNumbers = {
    offsetDims: dims.updateWindowDims,
    collapsedSliceDims: dims.insertedWindowDims,
    operandBatchingDims: dims.inputBatchingDims,
    startIndicesBatchingDims: dims.scatterIndicesBatchingDims,
    startIndexMap: scattered,
    indexVectorDim: dims.indexVectorDim,
  };
  if (scattered.every(d => sliceSizes[d] === 1)) {
    const read = b.gather(source, indices, numbers, sliceSizes);
    const batchDims = dimsExcept(shapeOf(updates).length, dims.updateWindowDims);
    const written = inBounds(
      b,
      indices,
      dims.indexVectorDim,
      scattered.map(d => shape[d]! - 1),
    );
    return b.select(b.broadcastInDim(written, batchDims, shapeOf(updates)), read, zerosLike(b, read));
  }
  const margin = shape.map((_, d) => (scattered.includes(d) ? sliceSizes[d]! : 0));
  const wide = b.convert(indices, 'i64');
  const ofMargin = scattered.map(d => margin[d]!);
  const shifted = b.add(wide, perComponent(b, wide, dims.indexVectorDim, ofMargin));
  return b.gather(b.pad(source, zeroScalar(b, source), margin, margin), shifted, numbers, sliceSizes);
}

/**
 * True for the updates that an overwriting scatter leaves in its result: each writes its index, and the surviving indices are
 * read back.
 */
function lastWrites(b: Builder, op: Scatter, input: Value, indices: Value, updates: Value): Value {
  const count = elementCount(shapeOf(updates));
  const numbers = b.add(b.iota(tensorType('i64', [count]), 0), b.fill('i64', [count], 1));
  const ids = b.reshape(numbers, shapeOf(updates));
  const written = overwrite(b, op, b.fill('i64', shapeOf(input), 0), indices, ids);
  return b.compare('EQ', readBack(b, op, written, indices, ids), ids);
}
function overwrite(b: Builder, op: Scatter, input: Value, indices: Value, updates: Value): Value {
  const scalar = tensorType(tensorTypeOf(input).elementType);
  const region = b.region([scalar, scalar], (_, [, update]) => [update!]);
  return b.emit1('scatter', [input, indices, updates], op.attributes, [region]);
}
function multiplyInto(b: Builder, op: Scatter, input: Value, indices: Value, updates: Value): Value {
  const region = b.combiner('multiply', tensorTypeOf(input).elementType);
  return b.emit1('scatter', [input, indices, updates], op.attributes, [region]);
}

const scatterRule: GradientRule<'scatter'> = ({ builder: b, op, cotangents, needs, refuse }) => {
  const n = cotangents.length;
  const { indices, pairs } = scatterOperands(op.operands);
  const ofInputs: (Value | undefined)[] = [];
  const ofUpdates: (Value | undefined)[] = [];
  pairs.forEach(({ input, updates }, i) => {
    const g = cotangents[i];
    if (g === undefined || elementCount(shapeOf(input)) === 0) return;
    const wide = (value: Value): Value => b.convert(value, tensorTypeOf(g).elementType);
    const back = (source: Value): Value => readBack(b, op, source, indices, updates);
    const combiner = combinerOf(op.regions[0], i, n);
    switch (combiner) {
      case 'add':
        ofInputs[i] = g;
        if (needs(updates)) ofUpdates[i] = back(g);
        return;
      case 'second':
        if (needs(input))
          ofInputs[i] = overwrite(b, op, g, indices, b.fill(tensorTypeOf(g).elementType, shapeOf(updates), 0));
        if (!needs(updates)) return;
        ofUpdates[i] = op.attributes.uniqueIndices
          ? back(g)
          : b.select(
              lastWrites(b, op, input, indices, updates),
              back(g),
              b.fill(tensorTypeOf(g).elementType, shapeOf(updates), 0),
            );
        return;
      case 'multiply':
        if (needs(input)) ofInputs[i] = multiplyInto(b, op, g, indices, wide(updates));
        if (!needs(updates)) return;
        if (!op.attributes.uniqueIndices)
          refuse('the updates of a multiply scatter are differentiable only with unique_indices');
        ofUpdates[i] = back(b.multiply(g, wide(input)));
        return;
      default:
        refuse(
          `its region is ${combiner ?? 'not a plain sum, product or overwrite'}; supported are add, multiply and overwrite`,
        );
    }
  });
  return Array.from({ length: 2 * n + 1 }, (_, i) => (i < n ? ofInputs[i] : ofUpdates[i - n - 1]));
};

export const indexingRules = {
  dynamic_slice: ({ builder: b, op, cotangents: [g] }) => {
    const [x, ...starts] = op.operands;
    return [b.emit1('dynamic_update_slice', [zerosLike(b, x), g, ...starts], {})];
  },
  dynamic_update_slice: ({ builder: b, op, cotangents: [g], needs }) => {
    const [x, update, ...starts] = op.operands;
    return [
      needs(x) ? b.emit1('dynamic_update_slice', [g, zerosLike(b, update), ...starts], {}) : undefined,
      needs(update) ? b.emit1('dynamic_slice', [g, ...starts], { sliceSizes: shapeOf(update) }) : undefined,
    ];
  },
  gather: gatherRule,
  scatter: scatterRule,
} satisfies Partial<GradientTable>;
