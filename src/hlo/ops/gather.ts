// The row of gather: a slice of the operand at each index vector, with start indices clamped so that every slice is within
// bounds.

import type { OpAttributes } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import { type Bounds, dynamicDim, elementCount, formatType, stridesOf, type TensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { moving } from './costs.ts';
import { indexVectors, vectorLength } from './index-vectors.ts';
import { affineIndices, take } from './indices.ts';
import { checkElements, integers } from './operand-checks.ts';
import {
  type Checker,
  checkerOf,
  dimsAgree,
  inRange,
  isSorted,
  isUnique,
  keepsElements,
  list,
  otherDims,
  withShape,
} from './shape-checks.ts';

const require: Checker = checkerOf('gather');

function resultShape(
  indexShape: readonly number[],
  { dimensionNumbers, sliceSizes }: OpAttributes['gather'],
): number[] {
  const { offsetDims, collapsedSliceDims, operandBatchingDims, indexVectorDim } = dimensionNumbers;
  const batch = indexShape.filter((_, d) => d !== indexVectorDim);
  const offset = otherDims(sliceSizes.length, collapsedSliceDims, operandBatchingDims).map(d => sliceSizes[d]!);
  const offsets = new Set(offsetDims);
  return Array.from({ length: batch.length + offset.length }, (_, d) =>
    offsets.has(d) ? offset.shift()! : batch.shift()!,
  );
}

/** Slices have static sizes; dims that come from the indices have the bounds of the indices. */
function resultBounds({ bounds }: TensorType, attributes: OpAttributes['gather']): Bounds | undefined {
  if (bounds === undefined) return undefined;
  const { offsetDims, indexVectorDim } = attributes.dimensionNumbers;
  const batch = bounds.filter((_, d) => d !== indexVectorDim);
  return Array.from({ length: batch.length + offsetDims.length }, (_, d) =>
    offsetDims.includes(d) ? undefined : batch.shift(),
  );
}

function checkGather(operand: TensorType, indices: TensorType, attributes: OpAttributes['gather']): void {
  const { sliceSizes, dimensionNumbers } = attributes;
  const {
    offsetDims,
    collapsedSliceDims,
    operandBatchingDims,
    startIndicesBatchingDims,
    startIndexMap,
    indexVectorDim,
  } = dimensionNumbers;
  const rank = operand.shape.length;
  const indexRank = indices.shape.length;
  const batchRank = indexRank - (indexVectorDim < indexRank ? 1 : 0);
  require(rank === offsetDims.length + collapsedSliceDims.length + operandBatchingDims.length, 1, () =>
    `${formatType(operand)}: each dim must be an offset (${list(offsetDims)}), collapsed (${list(collapsedSliceDims)}) or batching one (${list(operandBatchingDims)})`);
  require(indexVectorDim >= 0 && indexVectorDim <= indexRank, 2, () =>
    `index_vector_dim ${indexVectorDim} is not in 0 … ${indexRank}`);
  require(dimsAgree(startIndexMap.length, vectorLength(indices.shape, indexVectorDim)), 3, () =>
    `start_index_map ${list(startIndexMap)} does not match index vectors of ${vectorLength(indices.shape, indexVectorDim)}`);
  require(isUnique(offsetDims) && isSorted(offsetDims), 4, () =>
    `offset_dims ${list(offsetDims)} must be unique and sorted`);
  require(inRange(offsetDims, batchRank + offsetDims.length), 5, () =>
    `offset_dims ${list(offsetDims)} are out of range`);
  require(isUnique([...collapsedSliceDims, ...operandBatchingDims]), 6, () => 'a dim is collapsed or batching twice');
  require(isSorted(collapsedSliceDims), 7, () => `collapsed_slice_dims ${list(collapsedSliceDims)} must be sorted`);
  require(inRange(collapsedSliceDims, rank), 8, () =>
    `collapsed_slice_dims ${list(collapsedSliceDims)} are out of range`);
  require(sliceSizes.length === rank, 20, () => `${rank} slice sizes expected, got ${list(sliceSizes)}`);
  require(collapsedSliceDims.every(d => sliceSizes[d]! <= 1), 9, () =>
    `collapsed dims need slice sizes of at most 1, got ${list(sliceSizes)}`);
  require(isSorted(operandBatchingDims), 10, () => `operand_batching_dims ${list(operandBatchingDims)} must be sorted`);
  require(inRange(operandBatchingDims, rank), 11, () =>
    `operand_batching_dims ${list(operandBatchingDims)} are out of range`);
  require(operandBatchingDims.every(d => sliceSizes[d]! <= 1), 12, () =>
    `batching dims need slice sizes of at most 1, got ${list(sliceSizes)}`);
  require(isUnique(startIndicesBatchingDims), 13, () => 'start_indices_batching_dims must be unique');
  require(inRange(startIndicesBatchingDims, indexRank), 14, () =>
    `start_indices_batching_dims ${list(startIndicesBatchingDims)} are out of range`);
  require(!startIndicesBatchingDims.includes(indexVectorDim), 15, () => 'index_vector_dim cannot be a batching dim');
  require(operandBatchingDims.length === startIndicesBatchingDims.length, 16, () =>
    'the operand and the indices must have the same number of batching dims');
  require(operandBatchingDims.every((d, i) =>
    dimsAgree(operand.shape[d]!, indices.shape[startIndicesBatchingDims[i]!]!),
  ), 17, () => 'sizes of batching dims differ');
  require(isUnique([...startIndexMap, ...operandBatchingDims]), 18, () =>
    `start_index_map ${list(startIndexMap)} names a dim twice`);
  require(inRange(startIndexMap, rank), 19, () => `start_index_map ${list(startIndexMap)} is out of range`);
  require(sliceSizes.every((s, d) => s >= 0 && (operand.shape[d] === dynamicDim || s <= operand.shape[d]!)), 21, () =>
    `slices of ${list(sliceSizes)} do not fit into ${formatType(operand)}`);
}

export const gatherRows: Rows<'gather'> = {
  gather: {
    name: 'gather',
    kind: 'movement',
    pure: true,
    infer(operands, attributes) {
      const [operand, indices] = tensors('gather', operands);
      checkElements(require, 'i2', [indices], integers);
      checkGather(operand, indices, attributes);
      return [boundedType(operand, resultShape(indices.shape, attributes), resultBounds(indices, attributes))];
    },
    verify: keepsElements(require, 23),
    evaluate(op, [operand, indices]) {
      const { dimensionNumbers, sliceSizes } = op.attributes;
      const {
        offsetDims,
        collapsedSliceDims,
        operandBatchingDims,
        startIndicesBatchingDims,
        startIndexMap,
        indexVectorDim,
      } = dimensionNumbers;
      const { shape } = operand.type;
      const strides = stridesOf(shape);
      const type = withShape(operand.type, resultShape(indices.type.shape, op.attributes));
      const resultStrides = stridesOf(type.shape);
      const { batchShape, component } = indexVectors(indices, indexVectorDim);

      // The start of each batch, in the result and in the operand; then the same offsets within every slice.
      const batchDims = otherDims(type.shape.length, offsetDims);
      const batchTargets = affineIndices(
        batchShape,
        batchDims.map(d => resultStrides[d]!),
      );
      // A batching dim of the indices also advances the operand's batching dim.
      const batchSteps = batchShape.map(() => 0);
      operandBatchingDims.forEach((d, i) => {
        const from = startIndicesBatchingDims[i]!;
        batchSteps[from < indexVectorDim ? from : from - 1] = strides[d]!;
      });
      const batchSources = affineIndices(batchShape, batchSteps);
      const windowDims = otherDims(shape.length, collapsedSliceDims, operandBatchingDims);
      const windowShape = windowDims.map(d => sliceSizes[d]!);
      const windowSources = affineIndices(
        windowShape,
        windowDims.map(d => strides[d]!),
      );
      const windowTargets = affineIndices(
        windowShape,
        offsetDims.map(d => resultStrides[d]!),
      );

      const sources = new Int32Array(elementCount(type.shape));
      for (let b = 0; b < batchTargets.length; b++) {
        let start = batchSources[b]!;
        for (let c = 0; c < startIndexMap.length; c++) {
          const d = startIndexMap[c]!;
          start += Math.min(Math.max(component(b, c), 0), shape[d]! - sliceSizes[d]!) * strides[d]!;
        }
        for (let w = 0; w < windowSources.length; w++)
          sources[batchTargets[b]! + windowTargets[w]!] = start + windowSources[w]!;
      }
      return [take(type, operand, sources)];
    },
    cost: op => moving(op, op.operands.slice(1)),
  },
};
