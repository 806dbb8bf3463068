// The contents of torch.nn.utils: parametrized, normalized, pruned and fused layers, parameters as one vector, sequences of
// different lengths (`utils.rnn`). src/nn-namespace.ts adds gradient clipping.

export { functionalCall } from './functional-call.ts';
export { fuseConvBnEval, fuseConvBnWeights, fuseLinearBnEval, fuseLinearBnWeights } from './fusion.ts';
export * as rnn from './packed-sequence.ts';
export { parametersToVector, vectorToParameters } from './parameter-vector.ts';
export * as parametrizations from './parametrizations.ts';
export * as parametrize from './parametrize.ts';
export * as prune from './prune.ts';
export { skipInit } from './skip-init.ts';
export { removeSpectralNorm, type SpectralNormOptions, spectralNorm } from './spectral-norm.ts';
export { removeWeightNorm, weightNorm } from './weight-norm.ts';
