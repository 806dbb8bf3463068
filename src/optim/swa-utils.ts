// Weight averaging, as in the namespace torch.optim.swa_utils.
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
export { SWALR, type SWALROptions } from './schedulers/swa-lr.ts';
