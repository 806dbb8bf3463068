// Layers. See README.md.

export type { Settings } from '../tensor/index.ts';
export * from './activation-layers.ts';
export {
  AdaptiveLogSoftmaxWithLoss,
  type AdaptiveSoftmaxResult,
  type AdaptiveSoftmaxSettings,
} from './adaptive-softmax.ts';
export { checkHeads, mergeHeads, splitHeads } from './attention-heads.ts';
export type { BackwardHook, BackwardPreHook } from './backward-hooks.ts';
export {
  ModuleDict,
  type ModuleDictConstructor,
  ModuleList,
  Sequential,
  type SequentialConstructor,
  type Unary,
} from './containers.ts';
export * from './convolution-layers.ts';
export * from './dropout-layers.ts';
export { EmbeddingBag, type EmbeddingBagSettings, type PretrainedBagSettings } from './embedding-bag-layer.ts';
export { Embedding, type EmbeddingSettings, type PretrainedSettings } from './embedding-layer.ts';
export type { TableOptions, TableSizes } from './embedding-options.ts';
export {
  FractionalMaxPool2d,
  FractionalMaxPool3d,
  type FractionalPoolOptions,
  type FractionalRest,
} from './fractional-pooling.ts';
export * as func from './func.ts';
export * as functional from './functional.ts';
export * from './generated/absent.ts';
export * from './generated/modules.ts';
export type { ForwardHook, ForwardPreHook, HookHandle } from './hooks.ts';
export * as init from './init.ts';
export { type BiasSettings, Bilinear, Identity, Linear } from './layers.ts';
export * from './lazy.ts';
export { LinearCrossEntropyLoss, type LinearCrossEntropySettings } from './linear-cross-entropy-loss.ts';
export { Module } from './module.ts';
export { type LoadOptions, type LoadReport, loadInto, type StateDict, type StateSource } from './module-state.ts';
export type { ListingOptions, StateListing, StateListingOptions } from './module-tree.ts';
export {
  type AttentionCallOptions,
  MultiheadAttention,
  type MultiheadAttentionSettings,
} from './multihead-attention.ts';
export * from './normalization-layers.ts';
export { PackedSequence } from './packed-sequence.ts';
export * from './padding-layers.ts';
export * as parallel from './parallel.ts';
export { Parameter, StateBuffer, StateBuffer as Buffer } from './parameter.ts';
export { ParameterDict, ParameterList } from './parameter-containers.ts';
export * from './pooling-layers.ts';
export * from './recurrent.ts';
export type { Pair, Size } from './sizes.ts';
export type {
  IncompatibleKeys,
  LoadStateDictPostHook,
  LoadStateDictPreHook,
  StateDictPostHook,
  StateDictPreHook,
} from './state-hooks.ts';
export { SyncBatchNorm } from './sync-batch-norm.ts';
export * from './transformer.ts';
export {
  isUninitialized,
  UninitializedBuffer,
  type UninitializedOptions,
  UninitializedParameter,
  uninitialized,
} from './uninitialized.ts';
export * as utils from './utils.ts';
export * from './vision-layers.ts';
export type { ZeroGradArguments } from './zero-gradients.ts';
