// Averages of weights, as the namespace that torch.optim.swa_utils is.
export {
  AveragedModel,
  type AveragedModelOptions,
  type AvgFn,
  getEmaAvgFn,
  getEmaMultiAvgFn,
  getSwaAvgFn,
  getSwaMultiAvgFn,
  type MultiAvgFn,
  updateBn,
} from './averaged-model.ts';
export { SWALR, type SWALROptions } from './swa-lr.ts';
