// The namespace `nn.utils` of the public API: gradient clipping next to what src/nn/utils.ts has.
export * from './nn/utils.ts';
export {
  type ClipGradNormOptions,
  clipGradNorm_,
  clipGradsWithNorm_,
  clipGradValue_,
  getTotalNorm,
} from './optim/index.ts';
