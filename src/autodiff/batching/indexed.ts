// Batching rules of ops that read or write at indices. Examples are a batching dim if both the operand and the indices have them,
// an additional slice dim if only the operand has them, and an additional index dim if only the indices have them.
import type { GatherDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { scatterOperands } from '../../hlo/operand-groups.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { allInFull, type BatchTable, batched, copyOf, elementTypeOf, type Image, inFull, shifted } from './rule.ts';

/** The starts of a dynamic slice as one tensor of index vectors: [size, rank], within bounds. */
function startsOf(b: Builder, starts: readonly Image[], size: number, limits: readonly number[]): Value {
  const columns = starts.map((start, d) => {
    const all = inFull(b, start, size);
    const type = elementTypeOf(all);
    const clamped = b.minimum(b.maximum(all, b.like(all, 0)), b.fill(type, [size], limits[d]!));
    return b.reshape(clamped, [size, 1]);
  });
  return b.concatenate(columns, 1);
}
const rankOf = (value: Value): number => shapeOf(value).length;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

export const indexedRules = {
  gather: c => {
    const [x, indices] = c.operands;
    const { dimensionNumbers: d, sliceSizes } = c.op.attributes;
    const outer: GatherDimensionNumbers = x.isBatched
      ? {
          offsetDims: indices.isBatched ? shifted(d.offsetDims) : [0, ...shifted(d.offsetDims)],
          collapsedSliceDims: shifted(d.collapsedSliceDims),
          operandBatchingDims: indices.isBatched
            ? [0, ...shifted(d.operandBatchingDims)]
            : shifted(d.operandBatchingDims),
          startIndicesBatchingDims: indices.isBatched
            ? [0, ...shifted(d.startIndicesBatchingDims)]
            : d.startIndicesBatchingDims,
          startIndexMap: shifted(d.startIndexMap),
          indexVectorDim: d.indexVectorDim + (indices.isBatched ? 1 : 0),
        }
      : {
          ...d,
          offsetDims: shifted(d.offsetDims),
          startIndicesBatchingDims: shifted(d.startIndicesBatchingDims),
          indexVectorDim: d.indexVectorDim + 1,
        };
    const sizes = x.isBatched ? [indices.isBatched ? 1 : c.size, ...sliceSizes] : sliceSizes;
    return [batched(c.builder.gather(x.value, indices.value, outer, sizes))];
  },
  scatter: c => {
    const { dimensionNumbers: d, uniqueIndices } = c.op.attributes;
    const { indices, pairs } = scatterOperands(c.operands);
    const withIndices = indices.isBatched;
    const full = (image: Image): Value => inFull(c.builder, image, c.size);
    const operands = [...pairs.map(p => full(p.input)), indices.value, ...pairs.map(p => full(p.updates))];
    const attributes = {
      dimensionNumbers: {
        updateWindowDims: withIndices ? shifted(d.updateWindowDims) : [0, ...shifted(d.updateWindowDims)],
        insertedWindowDims: shifted(d.insertedWindowDims),
        inputBatchingDims: withIndices ? [0, ...shifted(d.inputBatchingDims)] : shifted(d.inputBatchingDims),
        scatterIndicesBatchingDims: withIndices
          ? [0, ...shifted(d.scatterIndicesBatchingDims)]
          : d.scatterIndicesBatchingDims,
        scatterDimsToOperandDims: shifted(d.scatterDimsToOperandDims),
        indexVectorDim: d.indexVectorDim + (withIndices ? 1 : 0),
      },
      indicesAreSorted: false,
      uniqueIndices,
    };
    return c.builder.emit('scatter', operands, attributes, [copyOf(c.builder, c.op.regions[0]!)]).map(batched);
  },
  sort: c =>
    c.builder
      .emit('sort', allInFull(c), { ...c.op.attributes, dimension: c.op.attributes.dimension + 1 }, [
        copyOf(c.builder, c.op.regions[0]!),
      ])
      .map(batched),
  dynamic_slice: c => {
    const [x, ...starts] = c.operands;
    const { sliceSizes } = c.op.attributes;
    const b = c.builder;
    if (!starts.some(start => start.isBatched)) {
      const first = starts[0] === undefined ? b.fill('i32', [], 0) : b.like(starts[0].value, 0);
      return [
        batched(
          b.emit1('dynamic_slice', [x.value, first, ...starts.map(s => s.value)], {
            sliceSizes: [c.size, ...sliceSizes],
          }),
        ),
      ];
    }
    const rank = sliceSizes.length;
    const shape = shapeOf(c.op.operands[0]);
    const indices = startsOf(
      b,
      starts,
      c.size,
      shape.map((size, d) => size - sliceSizes[d]!),
    );
    const shift = x.isBatched ? 1 : 0;
    const dims: GatherDimensionNumbers = {
      offsetDims: range(1, rank + 1),
      collapsedSliceDims: [],
      operandBatchingDims: x.isBatched ? [0] : [],
      startIndicesBatchingDims: x.isBatched ? [0] : [],
      startIndexMap: range(shift, rank + shift),
      indexVectorDim: 1,
    };
    return [batched(b.gather(x.value, indices, dims, x.isBatched ? [1, ...sliceSizes] : sliceSizes))];
  },
  dynamic_update_slice: c => {
    const [x, update, ...starts] = c.operands;
    const b = c.builder;
    const [into, from] = [inFull(b, x, c.size), inFull(b, update, c.size)];
    if (!starts.some(start => start.isBatched)) {
      const first = starts[0] === undefined ? b.fill('i32', [], 0) : b.like(starts[0].value, 0);
      return [batched(b.emit1('dynamic_update_slice', [into, from, first, ...starts.map(s => s.value)], {}))];
    }
    const shape = shapeOf(c.op.operands[0]);
    const sizes = shapeOf(c.op.operands[1]);
    const indices = startsOf(
      b,
      starts,
      c.size,
      shape.map((size, d) => size - sizes[d]!),
    );
    const rank = rankOf(c.op.operands[0]);
    const type = { kind: 'tensor', shape: [], elementType: tensorTypeOf(into).elementType } as const;
    const overwrite = b.region([type, type], (_inner, [, second]) => [second!]);
    return [
      batched(
        b.emit1(
          'scatter',
          [into, indices, from],
          {
            dimensionNumbers: {
              updateWindowDims: range(1, rank + 1),
              insertedWindowDims: [],
              inputBatchingDims: [0],
              scatterIndicesBatchingDims: [0],
              scatterDimsToOperandDims: range(1, rank + 1),
              indexVectorDim: 1,
            },
            indicesAreSorted: false,
            uniqueIndices: true,
          },
          [overwrite],
        ),
      ),
    ];
  },
} satisfies BatchTable;
