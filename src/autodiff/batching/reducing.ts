// Batching rules of reductions, windows, products and convolutions.
import type { OpName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { type BatchContext, type BatchTable, batched, copyOf, type Image, inFull, moveDim, shifted } from './rule.ts';

/** Inputs for all examples and initial values, of a variadic op; undefined if the initial values differ between examples. */
function inputsAndInits(c: BatchContext<OpName>, count: number): Value[] | undefined {
  if (c.operands.slice(count).some(init => init.isBatched)) return undefined;
  return c.operands.map((image, i) => (i < count ? inFull(c.builder, image, c.size) : image.value));
}

/** Joins the examples, dim 0, to dim `dim` (counted without them): [.., size · n, ..]. */
function merged(b: Builder, x: Value, dim: number): Value {
  const moved = moveDim(b, x, 0, dim);
  const shape = shapeOf(moved);
  return b.reshape(moved, [...shape.slice(0, dim), shape[dim]! * shape[dim + 1]!, ...shape.slice(dim + 2)]);
}
/** The reverse: takes the examples out of dim `dim`. */
function parted(b: Builder, y: Value, dim: number, size: number): Value {
  const shape = shapeOf(y);
  const split = b.reshape(y, [...shape.slice(0, dim), size, shape[dim]! / size, ...shape.slice(dim + 1)]);
  return moveDim(b, split, dim, 0);
}

export const reducingRules = {
  reduce: c => {
    const operands = inputsAndInits(c, c.operands.length / 2);
    return (
      operands &&
      c.builder
        .emit('reduce', operands, { dimensions: shifted(c.op.attributes.dimensions) }, [
          copyOf(c.builder, c.op.regions[0]!),
        ])
        .map(batched)
    );
  },
  reduce_window: c => {
    const operands = inputsAndInits(c, c.operands.length / 2);
    const a = c.op.attributes;
    return (
      operands &&
      c.builder
        .emit(
          'reduce_window',
          operands,
          {
            windowDimensions: [1, ...a.windowDimensions],
            windowStrides: [1, ...a.windowStrides],
            baseDilations: [1, ...a.baseDilations],
            windowDilations: [1, ...a.windowDilations],
            padding: [[0, 0], ...a.padding],
          },
          [copyOf(c.builder, c.op.regions[0]!)],
        )
        .map(batched)
    );
  },
  select_and_scatter: c => {
    const operands = inputsAndInits(c, 2);
    const a = c.op.attributes;
    return (
      operands &&
      c.builder
        .emit(
          'select_and_scatter',
          operands,
          {
            windowDimensions: [1, ...a.windowDimensions],
            windowStrides: [1, ...a.windowStrides],
            padding: [[0, 0], ...a.padding],
          },
          c.op.regions.map(region => copyOf(c.builder, region)),
        )
        .map(batched)
    );
  },
  dot_general: c => {
    const [lhs, rhs] = c.operands;
    const a = c.op.attributes;
    const batching = a.lhsBatchingDimensions.length;
    const side = (image: Image, dims: readonly number[]): readonly number[] => (image.isBatched ? shifted(dims) : dims);
    const both = lhs.isBatched && rhs.isBatched;
    const product = c.builder.emit1('dot_general', [lhs.value, rhs.value], {
      ...a,
      lhsBatchingDimensions: [...(both ? [0] : []), ...side(lhs, a.lhsBatchingDimensions)],
      rhsBatchingDimensions: [...(both ? [0] : []), ...side(rhs, a.rhsBatchingDimensions)],
      lhsContractingDimensions: side(lhs, a.lhsContractingDimensions),
      rhsContractingDimensions: side(rhs, a.rhsContractingDimensions),
    });
    if (both) return [batched(product)];
    const lhsFree = shapeOf(c.op.operands[0]).length - batching - a.lhsContractingDimensions.length;
    return [batched(moveDim(c.builder, product, lhs.isBatched ? batching : batching + lhsFree, 0))];
  },
  convolution: c => {
    const [lhs, rhs] = c.operands;
    const { builder: b, size } = c;
    const a = c.op.attributes;
    const d = a.dimensionNumbers;
    const isGrouped = a.featureGroupCount > 1 || a.batchGroupCount > 1;
    // Examples of images become more images, those of kernels more output features; if both are batched, feature groups (or batch
    // groups).
    if (!rhs.isBatched && a.batchGroupCount === 1) {
      const y = b.emit1('convolution', [merged(b, lhs.value, d.inputBatchDimension), rhs.value], a);
      return [batched(parted(b, y, d.outputBatchDimension, size))];
    }
    if (!lhs.isBatched && !isGrouped) {
      const y = b.emit1('convolution', [lhs.value, merged(b, rhs.value, d.kernelOutputFeatureDimension)], a);
      return [batched(parted(b, y, d.outputFeatureDimension, size))];
    }
    const byImage = a.batchGroupCount > 1;
    const x = merged(b, inFull(b, lhs, size), byImage ? d.inputBatchDimension : d.inputFeatureDimension);
    const kernel = merged(b, inFull(b, rhs, size), d.kernelOutputFeatureDimension);
    const groups = byImage
      ? { batchGroupCount: a.batchGroupCount * size }
      : { featureGroupCount: a.featureGroupCount * size };
    const y = b.emit1('convolution', [x, kernel], { ...a, ...groups });
    return [batched(parted(b, y, d.outputFeatureDimension, size))];
  },
} satisfies BatchTable;
