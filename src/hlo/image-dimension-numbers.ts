// The dims of a convolution over images in PyTorch's layout: [N, C, H, W] x [O, I, H, W] -> [N, O, H, W].
import type { ConvolutionDimensionNumbers } from './attributes.ts';

export const imageDimensionNumbers: ConvolutionDimensionNumbers = {
  inputBatchDimension: 0,
  inputFeatureDimension: 1,
  inputSpatialDimensions: [2, 3],
  kernelOutputFeatureDimension: 0,
  kernelInputFeatureDimension: 1,
  kernelSpatialDimensions: [2, 3],
  outputBatchDimension: 0,
  outputFeatureDimension: 1,
  outputSpatialDimensions: [2, 3],
};
