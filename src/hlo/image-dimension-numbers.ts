// Dimension numbers of convolutions over images.
import type { ConvolutionDimensionNumbers } from './attributes.ts';

/** In PyTorch's layout: [N, C, H, W] x [O, I, H, W] -> [N, O, H, W]. */
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

/** With channels last: [N, H, W, C] x [H, W, I, O] -> [N, H, W, O]. */
export const channelsLastDimensionNumbers: ConvolutionDimensionNumbers = {
  inputBatchDimension: 0,
  inputFeatureDimension: 3,
  inputSpatialDimensions: [1, 2],
  kernelInputFeatureDimension: 2,
  kernelOutputFeatureDimension: 3,
  kernelSpatialDimensions: [0, 1],
  outputBatchDimension: 0,
  outputFeatureDimension: 3,
  outputSpatialDimensions: [1, 2],
};
