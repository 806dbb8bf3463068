// All of torch.optim: the optimizers of `trenio`, and the rarer ones.
export * from '../../src/optim/index.ts';
export { ASGD, type ASGDSettings } from './asgd.ts';
export { Rprop, type RpropSettings } from './rprop.ts';
