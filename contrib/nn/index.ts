// All of torch.nn: the layers and functions of `trenio`, and the rarer ones.
export * from '../../src/nn-namespace.ts';
export {
  AdaptiveLogSoftmaxWithLoss,
  type AdaptiveSoftmaxResult,
  type AdaptiveSoftmaxSettings,
} from './adaptive-softmax.ts';
export {
  FractionalMaxPool2d,
  FractionalMaxPool3d,
  type FractionalPoolOptions,
  type FractionalRest,
} from './fractional-pooling.ts';
export * as functional from './functional.ts';
export * as utils from './utils.ts';
