// The time of steps that serve a language model, and how far it is to be trusted.
export { type ServingInterval, servingInterval } from './interval.ts';
export { type ServedRow, servedRows } from './published.ts';
export {
  cacheTokens,
  type Replica,
  type StepLoad,
  stepTimer,
  tensorSizes,
  type WeightFormat,
  weightBytesPerDevice,
  weightFormats,
} from './step.ts';
