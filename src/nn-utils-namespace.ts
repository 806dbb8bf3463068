// The namespace `nn.utils` of the public API: gradient clipping next to what src/nn/utils/utils.ts has.
export * from './nn/utils/utils.ts';
export {
  type ClipGradNormOptions,
  clipGradNorm_,
  clipGradsWithNorm_,
  clipGradValue_,
  getTotalNorm,
} from './optim/index.ts';
