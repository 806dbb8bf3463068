// The contents of torch.nn.utils: parametrized and normalized layers, parameters as one vector, sequences of different lengths
// (`utils.rnn`). src/nn-namespace.ts adds gradient clipping; pruned and fused layers are in contrib/nn.
import { absentNamespace } from '../../tensor/index.ts';

export * as rnn from '../functional/packed-sequence.ts';
export { functionalCall } from '../functional-call.ts';
export * from '../generated/absent-utils.ts';
export { skipInit } from '../module/skip-init.ts';
export { parametersToVector, vectorToParameters } from './parameter-vector.ts';
export * as parametrizations from './parametrizations.ts';
export * as parametrize from './parametrize.ts';
export { removeSpectralNorm, type SpectralNormOptions, spectralNorm } from './spectral-norm.ts';
export { removeWeightNorm, weightNorm } from './weight-norm.ts';
/** @deprecated In trenio/contrib. */
export const prune: never = absentNamespace('nn.utils.prune', "import { nn } from 'trenio/contrib'");
