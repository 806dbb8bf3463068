// All of torch.nn.functional.
export * from '../../src/nn/functional/functional.ts';
export {
  type FractionalPoolOptions,
  type FractionalRest,
  fractionalMaxPool2d,
  fractionalMaxPool2dWithIndices,
  fractionalMaxPool3d,
  fractionalMaxPool3dWithIndices,
} from './fractional-pooling.ts';
