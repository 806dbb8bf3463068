// The attributes of an op on parts of its operands: those that state sizes.
import type { OpAttributes, OpName } from '../attributes.ts';
import type { Op, OpOf } from '../program.ts';
import type { TensorType } from '../types.ts';

type Localize = {
  readonly [N in OpName]?: (
    op: OpOf<N>,
    operands: readonly TensorType[],
    results: readonly TensorType[],
  ) => OpAttributes[N];
};
const localize: Localize = {
  reshape: (_op, _x, [result]) => ({ shape: result!.shape }),
  broadcast_in_dim: (op, _x, [result]) => ({ ...op.attributes, shape: result!.shape }),
  broadcast: (op, _x, [result]) => ({ broadcastSizes: result!.shape.slice(0, op.attributes.broadcastSizes.length) }),
  bitcast_convert: (_op, _x, [result]) => ({ type: result! }),
  uniform_quantize: (_op, _x, [result]) => ({ type: result! }),
  slice: (op, [x]) => ({
    ...op.attributes,
    limitIndices: op.attributes.limitIndices.map((limit, d) => Math.min(limit, x!.shape[d]!)),
  }),
  dynamic_slice: (_op, _x, [result]) => ({ sliceSizes: result!.shape }),
  gather: (op, [x]) => ({
    ...op.attributes,
    sliceSizes: op.attributes.sliceSizes.map((size, d) => Math.min(size, x!.shape[d]!)),
  }),
  convolution: (op, [x, kernel], [result]) => {
    const d = op.attributes.dimensionNumbers;
    const features = x!.shape[d.inputFeatureDimension]! / kernel!.shape[d.kernelInputFeatureDimension]!;
    const batches = x!.shape[d.inputBatchDimension]! / result!.shape[d.outputBatchDimension]!;
    return { ...op.attributes, featureGroupCount: features, batchGroupCount: batches };
  },
  custom_call: (op, _x, results) => ({ ...op.attributes, resultTypes: results }),
};

/** The attributes of the op for operands and results of these types. */
export function localAttributes<N extends OpName>(
  op: OpOf<N>,
  operands: readonly TensorType[],
  results: readonly TensorType[],
): OpAttributes[N] {
  const rule = localize[op.name] as ((op: Op, ...types: (readonly TensorType[])[]) => OpAttributes[N]) | undefined;
  return rule === undefined ? op.attributes : rule(op as Op, operands, results);
}
