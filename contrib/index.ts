// The entry `trenio/contrib`: breadth that few programs use (docs/decisions/0019-contrib.md).
//
//   import { distributions, nn, optim, special } from 'trenio/contrib'
export * as distributions from './distributions/index.ts';
export * as nn from './nn/index.ts';
export * as optim from './optim/index.ts';
export * as special from './special/index.ts';
