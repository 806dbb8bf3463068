// Which convolutions Winograd's F(4×4, 3×3) computes: 3×3 weights without strides, dilations or groups, rows of pixels
// that are contiguous in memory; the forward pass and both gradients. Whether it is faster is decided in
// winograd-plan.ts.
import type { OpAttributes } from '../../../hlo/attributes.ts';
import { stridesOf } from '../../../hlo/types.ts';
import type { WinogradImages, WinogradProblem } from '../ir/winograd.ts';
import { tileTaps } from './winograd-transforms.ts';

/** Undefined if it does not apply. */
export function winogradProblem(
  a: OpAttributes['convolution'],
  x: readonly number[],
  w: readonly number[],
  y: readonly number[],
): WinogradProblem | undefined {
  const n = a.dimensionNumbers;
  const isPlain =
    n.inputSpatialDimensions.length === 2 &&
    a.featureGroupCount === 1 &&
    a.batchGroupCount === 1 &&
    [a.windowStrides, a.lhsDilation, a.rhsDilation].every(list => list.every(d => d === 1));
  if (!isPlain) return undefined;
  const low: [number, number] = [a.padding[0]![0], a.padding[1]![0]];
  const is3x3 = (shape: readonly number[], dims: readonly number[]): boolean => dims.every(d => shape[d] === tileTaps);
  if (is3x3(w, n.kernelSpatialDimensions)) {
    const xs = imagesOf(x, n.inputSpatialDimensions, n.inputBatchDimension, n.inputFeatureDimension);
    const ys = imagesOf(y, n.outputSpatialDimensions, n.outputBatchDimension, n.outputFeatureDimension);
    if (xs === undefined || ys === undefined) return undefined;
    return {
      role: 'images',
      images: x[n.inputBatchDimension]!,
      inputs: x[n.inputFeatureDimension]!,
      outputs: y[n.outputFeatureDimension]!,
      x: xs,
      y: ys,
      low,
      w: weightsOf(w, n.kernelSpatialDimensions, n.kernelInputFeatureDimension, n.kernelOutputFeatureDimension, a),
    };
  }
  // The gradient of the weights is a convolution of x with the gradient of y, which sums over the batch as it
  // does over features.
  if (!is3x3(y, n.outputSpatialDimensions) || a.windowReversal.some(Boolean)) return undefined;
  const xs = imagesOf(x, n.inputSpatialDimensions, n.inputFeatureDimension, n.inputBatchDimension);
  const ys = imagesOf(w, n.kernelSpatialDimensions, n.kernelInputFeatureDimension, n.kernelOutputFeatureDimension);
  if (xs === undefined || ys === undefined) return undefined;
  return {
    role: 'weights',
    images: x[n.inputFeatureDimension]!,
    inputs: x[n.inputBatchDimension]!,
    outputs: w[n.kernelOutputFeatureDimension]!,
    x: xs,
    y: ys,
    low,
    w: weightsOf(y, n.outputSpatialDimensions, n.outputBatchDimension, n.outputFeatureDimension, a),
  };
}

/** Undefined where rows and columns are not the innermost dims. */
function imagesOf(
  shape: readonly number[],
  [row, column]: readonly number[],
  image: number,
  feature: number,
): WinogradImages | undefined {
  const strides = stridesOf(shape);
  const [height, width] = [shape[row!]!, shape[column!]!];
  if (strides[column!] !== 1 || strides[row!] !== width) return undefined;
  return { height, width, imageStride: strides[image]!, featureStride: strides[feature]! };
}

function weightsOf(
  shape: readonly number[],
  [row, column]: readonly number[],
  input: number,
  output: number,
  { windowReversal: [rows, columns] }: OpAttributes['convolution'],
): WinogradProblem['w'] {
  const strides = stridesOf(shape);
  const step = { row: strides[row!]!, column: strides[column!]! };
  return {
    base: (tileTaps - 1) * ((rows ? step.row : 0) + (columns ? step.column : 0)),
    input: strides[input]!,
    output: strides[output]!,
    row: rows ? -step.row : step.row,
    column: columns ? -step.column : step.column,
  };
}
