// All of torch.nn.utils.parametrizations.
export * from '../../src/nn/utils/parametrizations.ts';
export { type OrthogonalMap, type OrthogonalOptions, orthogonal } from './orthogonal.ts';
