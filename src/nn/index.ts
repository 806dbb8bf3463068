// Layers. See README.md.
export { ModuleDict, ModuleList, Sequential, type Unary } from './containers.ts';
export type { Pair } from './convolution.ts';
export * as functional from './functional.ts';
export type { ForwardHook, ForwardPreHook, HookHandle } from './hooks.ts';
export * as init from './init.ts';
export {
  AdaptiveAvgPool2d,
  AvgPool2d,
  BatchNorm2d,
  Conv2d,
  Dropout,
  Embedding,
  Flatten,
  GELU,
  Identity,
  LayerNorm,
  Linear,
  MaxPool2d,
  ReLU,
  Sigmoid,
  Tanh,
} from './layers.ts';
export { BCEWithLogitsLoss, CrossEntropyLoss, MSELoss } from './loss-modules.ts';
export { type LoadReport, loadInto, Module, type StateDict } from './module.ts';
export { checkHeads, MultiHeadAttention, mergeHeads, splitHeads } from './multi-head-attention.ts';
export { Parameter, StateBuffer, StateBuffer as Buffer } from './parameter.ts';
export { ParameterDict, ParameterList } from './parameter-containers.ts';
