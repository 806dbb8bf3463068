// The row of scatter: folds slices of updates into the inputs at each index vector. Elements that would fall outside are
// skipped, never clamped. Updates are applied in row-major order.
import type { OpAttributes } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import { scatterOperands } from '../operand-groups.ts';
import { dynamicDim, elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { bytesOfType, countOf, regionOps } from './costs.ts';
import { indexVectors, vectorLength } from './index-vectors.ts';
import { affineIndices } from './indices.ts';
import { checkElements, integers } from './operand-checks.ts';
import {
  type Accumulator,
  accumulatorOf,
  accumulatorTypes,
  finished,
  foldOf,
  isOverwriting,
  type Scalar,
  sourceOf,
} from './reducers.ts';
import {
  type Checker,
  checkerOf,
  checkReducer,
  dimsAgree,
  inRange,
  isSorted,
  isUnique,
  list,
  otherDims,
  sameElements,
  shapesAgree,
} from './shape-checks.ts';

const require: Checker = checkerOf('scatter');

function checkScatter(
  inputs: readonly TensorType[],
  indices: TensorType,
  updates: readonly TensorType[],
  { dimensionNumbers }: OpAttributes['scatter'],
): void {
  const {
    updateWindowDims,
    insertedWindowDims,
    inputBatchingDims,
    scatterIndicesBatchingDims,
    scatterDimsToOperandDims,
    indexVectorDim,
  } = dimensionNumbers;
  const [input, update] = [inputs[0]!, updates[0]!];
  const rank = input.shape.length;
  const indexRank = indices.shape.length;
  require(inputs.every(t => shapesAgree(t.shape, input.shape)), 1, () =>
    `inputs must have one shape, got ${inputs.map(formatType).join(', ')}`);
  require(rank === updateWindowDims.length + insertedWindowDims.length + inputBatchingDims.length, 2, () =>
    `${formatType(input)}: each dim must be a window (${list(updateWindowDims)}), inserted (${list(insertedWindowDims)}) or batching one (${list(inputBatchingDims)})`);
  require(updates.every(t => shapesAgree(t.shape, update.shape)), 3, () =>
    `updates must have one shape, got ${updates.map(formatType).join(', ')}`);
  require(updates.every((t, i) => sameElements(t, inputs[i]!)), 6, () =>
    `updates must have the inputs' element types, got ${updates.map(formatType).join(', ')}`);
  require(isUnique(updateWindowDims) && isSorted(updateWindowDims), 7, () =>
    `update_window_dims ${list(updateWindowDims)} must be unique and sorted`);
  require(inRange(updateWindowDims, update.shape.length), 8, () =>
    `update_window_dims ${list(updateWindowDims)} are out of range`);
  require(isUnique([...insertedWindowDims, ...inputBatchingDims]), 9, () => 'a dim is inserted or batching twice');
  require(isSorted(insertedWindowDims), 10, () => `inserted_window_dims ${list(insertedWindowDims)} must be sorted`);
  require(inRange(insertedWindowDims, rank), 11, () =>
    `inserted_window_dims ${list(insertedWindowDims)} are out of range`);
  require(isSorted(inputBatchingDims), 12, () => `input_batching_dims ${list(inputBatchingDims)} must be sorted`);
  require(inRange(inputBatchingDims, rank), 13, () =>
    `input_batching_dims ${list(inputBatchingDims)} are out of range`);
  require(isUnique(scatterIndicesBatchingDims), 14, () => 'scatter_indices_batching_dims must be unique');
  require(inRange(scatterIndicesBatchingDims, indexRank), 15, () =>
    `scatter_indices_batching_dims ${list(scatterIndicesBatchingDims)} are out of range`);
  require(!scatterIndicesBatchingDims.includes(indexVectorDim), 16, () => 'index_vector_dim cannot be a batching dim');
  require(inputBatchingDims.length === scatterIndicesBatchingDims.length, 17, () =>
    'the inputs and the indices must have the same number of batching dims');
  require(inputBatchingDims.every((d, i) =>
    dimsAgree(input.shape[d]!, indices.shape[scatterIndicesBatchingDims[i]!]!),
  ), 18, () => 'sizes of batching dims differ');
  require(indexVectorDim >= 0 && indexVectorDim <= indexRank, 22, () =>
    `index_vector_dim ${indexVectorDim} is not in 0 … ${indexRank}`);
  require(dimsAgree(scatterDimsToOperandDims.length, vectorLength(indices.shape, indexVectorDim)), 19, () =>
    `scatter_dims_to_operand_dims ${list(scatterDimsToOperandDims)} does not match index vectors of ${vectorLength(indices.shape, indexVectorDim)}`);
  require(isUnique([...scatterDimsToOperandDims, ...inputBatchingDims]), 20, () =>
    `scatter_dims_to_operand_dims ${list(scatterDimsToOperandDims)} names a dim twice`);
  require(inRange(scatterDimsToOperandDims, rank), 21, () =>
    `scatter_dims_to_operand_dims ${list(scatterDimsToOperandDims)} is out of range`);

  const batch = indices.shape.filter((_, d) => d !== indexVectorDim);
  const scatterDims = otherDims(update.shape.length, updateWindowDims);
  require(shapesAgree(
    scatterDims.map(d => update.shape[d]!),
    batch,
  ), 4, () => `updates ${formatType(update)} do not have the batch dims ${list(batch)} of the indices`);
  const windowDims = otherDims(rank, insertedWindowDims, inputBatchingDims);
  require(windowDims.every((d, i) => {
    const [have, limit] = [update.shape[updateWindowDims[i]!]!, input.shape[d]!];
    return limit === dynamicDim || have <= limit;
  }), 4, () => `windows of updates ${formatType(update)} do not fit into ${formatType(input)}`);
}

export const scatterRows: Rows<'scatter'> = {
  scatter: {
    name: 'scatter',
    kind: 'scatter',
    pure: true,
    infer(operands, attributes, [region]) {
      const types = tensors('scatter', operands);
      const n = (types.length - 1) / 2;
      require(Number.isInteger(n) && n > 0, 5, () =>
        `takes inputs, indices and as many updates as inputs, got ${types.length} operands`);
      const [inputs, indices, updates] = [types.slice(0, n), types[n]!, types.slice(n + 1)];
      checkElements(require, 'i2', [indices], integers);
      checkScatter(inputs, indices, updates, attributes);
      const accumulators = checkReducer(require, 23, region, inputs);
      return inputs.map((t, i) => boundedType(accumulators[i]!, t.shape, t.bounds));
    },
    evaluate(op, operands, context) {
      const { indices, pairs } = scatterOperands(operands);
      const {
        updateWindowDims,
        insertedWindowDims,
        inputBatchingDims,
        scatterIndicesBatchingDims,
        scatterDimsToOperandDims,
        indexVectorDim,
      } = op.attributes.dimensionNumbers;
      const region = op.regions[0];
      const types = accumulatorTypes(region);
      const fold = foldOf(region, context);
      const { shape } = operands[0].type;
      const strides = stridesOf(shape);
      // Elements that are only replaced stay as they are stored: a pool of keys and values is large.
      const isKept = isOverwriting(region) && pairs.every(({ input }, i) => input.type.elementType === types[i]);
      const accumulators = pairs.map(({ input }, i) =>
        isKept ? (input.data.slice() as Accumulator) : accumulatorOf(types[i]!, elementCount(shape), input),
      );
      const sources = pairs.map(({ updates }, i) =>
        isKept ? (updates.data as ArrayLike<Scalar>) : sourceOf(updates, types[i]!),
      );

      const updateShape = pairs[0]!.updates.type.shape;
      const updateStrides = stridesOf(updateShape);
      const { batchShape, component } = indexVectors(indices, indexVectorDim);
      const batchSources = affineIndices(
        batchShape,
        otherDims(updateShape.length, updateWindowDims).map(d => updateStrides[d]!),
      );
      const batchStrides = stridesOf(batchShape);
      const windowDims = otherDims(shape.length, insertedWindowDims, inputBatchingDims);
      const windowShape = updateWindowDims.map(d => updateShape[d]!);
      const windowSources = affineIndices(
        windowShape,
        updateWindowDims.map(d => updateStrides[d]!),
      );
      const windowTargets = affineIndices(
        windowShape,
        windowDims.map(d => strides[d]!),
      );
      const windowStrides = stridesOf(windowShape);

      const start = shape.map(() => 0);
      for (let b = 0; b < batchSources.length; b++) {
        start.fill(0);
        inputBatchingDims.forEach((d, i) => {
          const from = scatterIndicesBatchingDims[i]!;
          const at = from < indexVectorDim ? from : from - 1;
          start[d] = Math.floor(b / batchStrides[at]!) % batchShape[at]!;
        });
        scatterDimsToOperandDims.forEach((d, c) => {
          start[d] = component(b, c);
        });
        if (otherDims(shape.length, windowDims).some(d => start[d]! < 0 || start[d]! >= shape[d]!)) continue;
        const base = start.reduce((sum, at, d) => sum + at * strides[d]!, 0);
        const whole = windowDims.every((d, i) => start[d]! >= 0 && start[d]! + windowShape[i]! <= shape[d]!);
        for (let w = 0; w < windowSources.length; w++) {
          const inside =
            whole ||
            windowDims.every((d, i) => {
              const at = start[d]! + (Math.floor(w / windowStrides[i]!) % windowShape[i]!);
              return at >= 0 && at < shape[d]!;
            });
          if (inside) fold(accumulators, base + windowTargets[w]!, sources, batchSources[b]! + windowSources[w]!);
        }
      }
      return accumulators.map((data, i) => {
        const type = tensorType(types[i]!, shape);
        return isKept ? { type, data } : finished(type, data);
      });
    },
    // In place: the touched elements are read, combined and written, the updates and indices read.
    cost(op) {
      const { indices, pairs } = scatterOperands(op.operands);
      const updateBytes = pairs.reduce((sum, { updates }) => sum + bytesOfType(updates.type), 0);
      const count = countOf(pairs[0]!.updates.type);
      return {
        flops: count * regionOps(op.regions[0]),
        transcendentals: 0,
        bytesRead: 2 * updateBytes + bytesOfType(indices.type),
        bytesWritten: updateBytes,
      };
    },
  },
};
