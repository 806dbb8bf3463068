// All of torch.nn.utils.
export * from '../../src/nn-utils-namespace.ts';
export { fuseConvBnEval, fuseConvBnWeights, fuseLinearBnEval, fuseLinearBnWeights } from './fusion.ts';
export * as parametrizations from './parametrizations.ts';
export * as prune from './prune.ts';
