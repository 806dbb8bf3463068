// Layers. See README.md.
export * from './activation-layers.ts';
export { ModuleDict, ModuleList, Sequential, type Unary } from './containers.ts';
export * from './convolution-layers.ts';
export * from './dropout-layers.ts';
export * as functional from './functional.ts';
export type { ForwardHook, ForwardPreHook, HookHandle } from './hooks.ts';
export * as init from './init.ts';
export { Bilinear, Embedding, type EmbeddingSettings, Identity, Linear } from './layers.ts';
export * from './loss-modules.ts';
export { type LoadReport, loadInto, Module, type StateDict } from './module.ts';
export { checkHeads, MultiHeadAttention, mergeHeads, splitHeads } from './multi-head-attention.ts';
export * from './normalization-layers.ts';
export * from './padding-layers.ts';
export { Parameter, StateBuffer, StateBuffer as Buffer } from './parameter.ts';
export { ParameterDict, ParameterList } from './parameter-containers.ts';
export * from './pooling-layers.ts';
export type { Pair, Size } from './sizes.ts';
export * from './vision-layers.ts';
