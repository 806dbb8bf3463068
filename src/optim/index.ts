// Optimizers, schedules, gradient clipping. See README.md.
export { Adadelta, type AdadeltaSettings } from './adadelta.ts';
export { Adafactor, type AdafactorSettings } from './adafactor.ts';
export { Adagrad, type AdagradSettings } from './adagrad.ts';
export { Adam, type AdamSettings, AdamW } from './adam.ts';
export { Adamax, type AdamaxSettings } from './adamax.ts';
export { AdamW8bit, type AdamW8bitSettings } from './adamw-8bit.ts';
export { ASGD, type ASGDSettings } from './asgd.ts';
export { averageGradients } from './average-gradients.ts';
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
export { type ClipGradNormOptions, clipGradNorm_, clipGradValue_ } from './clip.ts';
export { clipGradsWithNorm_, getTotalNorm } from './clip-with-norm.ts';
export * from './generated/absent.ts';
export { GradScaler, type GradScalerOptions, type GradScalerState } from './grad-scaler.ts';
export { LAMB, type LAMBSettings } from './lamb.ts';
export { LBFGS, type LBFGSSettings } from './lbfgs.ts';
export { Lion, type LionSettings } from './lion.ts';
export type { Resumable, SchedulerState } from './lr-scheduler.ts';
export * as lrScheduler from './lr-schedulers.ts';
export * from './lr-schedulers.ts';
export { Muon, type MuonSettings } from './muon.ts';
export { NAdam, type NAdamSettings } from './nadam.ts';
export { Optimizer } from './optimizer.ts';
export type { OptimizerHook, OptimizerStateHook } from './optimizer-hooks.ts';
export type { OptimizerState } from './optimizer-state.ts';
export type {
  GivenGroup,
  ImplementationHints,
  ParameterGroup,
  Parameters,
  SettingsOf,
  StateFormat,
} from './parameter-group.ts';
export { RAdam, type RAdamSettings } from './radam.ts';
export { recordUpdate } from './record-update.ts';
export { RMSprop, type RMSpropSettings } from './rmsprop.ts';
export { Rprop, type RpropSettings } from './rprop.ts';
export { SGD, type SGDSettings } from './sgd.ts';
export { SWALR, type SWALROptions } from './swa-lr.ts';
export * as swaUtils from './swa-utils.ts';
export type { StepOptions } from './update.ts';
export {
  type CosineWarmupOptions,
  getCosineScheduleWithWarmup,
  getLinearScheduleWithWarmup,
  type WarmupOptions,
} from './warmup-schedules.ts';
