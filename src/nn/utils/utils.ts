// The contents of torch.nn.utils: parametrized, normalized, pruned and fused layers, parameters as one vector, sequences of
// different lengths (`utils.rnn`). src/nn-namespace.ts adds gradient clipping.

export * as rnn from '../functional/packed-sequence.ts';
export { functionalCall } from '../functional-call.ts';
export { skipInit } from '../module/skip-init.ts';
export { fuseConvBnEval, fuseConvBnWeights, fuseLinearBnEval, fuseLinearBnWeights } from './fusion.ts';
export { parametersToVector, vectorToParameters } from './parameter-vector.ts';
export * as parametrizations from './parametrizations.ts';
export * as parametrize from './parametrize.ts';
export * as prune from './prune.ts';
export { removeSpectralNorm, type SpectralNormOptions, spectralNorm } from './spectral-norm.ts';
export { removeWeightNorm, weightNorm } from './weight-norm.ts';
