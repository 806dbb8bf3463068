// Layers. See README.md.

export type { Settings } from '../tensor/index.ts';
export * as func from './func.ts';
export { checkHeads, mergeHeads, splitHeads } from './functional/attention-heads.ts';
export type { ContextAttentionKind } from './functional/context-attention.ts';
export type { TableOptions, TableSizes } from './functional/embedding-options.ts';
export * as functional from './functional/functional.ts';
export { PackedSequence } from './functional/packed-sequence.ts';
export * from './generated/absent.ts';
export * from './generated/modules.ts';
export * as init from './init.ts';
export * from './layers/activation-layers.ts';
export {
  ModuleDict,
  type ModuleDictConstructor,
  ModuleList,
  Sequential,
  type SequentialConstructor,
  type Unary,
} from './layers/containers.ts';
export * from './layers/convolution-layers.ts';
export * from './layers/dropout-layers.ts';
export { EmbeddingBag, type EmbeddingBagSettings, type PretrainedBagSettings } from './layers/embedding-bag-layer.ts';
export { Embedding, type EmbeddingSettings, type PretrainedSettings } from './layers/embedding-layer.ts';
export { type BiasSettings, Bilinear, Identity, Linear } from './layers/layers.ts';
export * from './layers/lazy.ts';
export { LinearCrossEntropyLoss, type LinearCrossEntropySettings } from './layers/linear-cross-entropy-loss.ts';
export {
  type AttentionCallOptions,
  MultiheadAttention,
  type MultiheadAttentionSettings,
} from './layers/multihead-attention.ts';
export * from './layers/normalization-layers.ts';
export * from './layers/padding-layers.ts';
export * from './layers/pooling-layers.ts';
export * from './layers/recurrent.ts';
export type { Pair, Size } from './layers/sizes.ts';
export { SyncBatchNorm } from './layers/sync-batch-norm.ts';
export * from './layers/transformer.ts';
export * from './layers/vision-layers.ts';
export type { BackwardHook, BackwardPreHook } from './module/backward-hooks.ts';
export type { ForwardHook, ForwardPreHook, HookHandle } from './module/hooks.ts';
export { Module } from './module/module.ts';
export {
  type LoadOptions,
  type LoadReport,
  loadInto,
  type StateDict,
  type StateSource,
} from './module/module-state.ts';
export type { ListingOptions, StateListing, StateListingOptions } from './module/module-tree.ts';
export { Parameter, StateBuffer, StateBuffer as Buffer } from './module/parameter.ts';
export { ParameterDict, ParameterList } from './module/parameter-containers.ts';
export type {
  IncompatibleKeys,
  LoadStateDictPostHook,
  LoadStateDictPreHook,
  StateDictPostHook,
  StateDictPreHook,
} from './module/state-hooks.ts';
export {
  isUninitialized,
  UninitializedBuffer,
  type UninitializedOptions,
  UninitializedParameter,
  uninitialized,
} from './module/uninitialized.ts';
export type { ZeroGradArguments } from './module/zero-gradients.ts';
export * as parallel from './utils/parallel.ts';
export * as utils from './utils/utils.ts';
