// The dims of a convolution over one spatial dim, for samples and tests: [b, 0, f] x [0, i, o] -> [b, 0, f].
import type { ConvolutionDimensionNumbers } from './attributes.ts';

export const sequenceDimensionNumbers: ConvolutionDimensionNumbers = {
  inputBatchDimension: 0,
  inputFeatureDimension: 2,
  inputSpatialDimensions: [1],
  kernelInputFeatureDimension: 1,
  kernelOutputFeatureDimension: 2,
  kernelSpatialDimensions: [0],
  outputBatchDimension: 0,
  outputFeatureDimension: 2,
  outputSpatialDimensions: [1],
};
