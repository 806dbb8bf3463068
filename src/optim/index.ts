// Optimizers, schedules, gradient clipping. See README.md.

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
export * from './generated/absent.ts';
export { averageGradients } from './gradients/average-gradients.ts';
export { type ClipGradNormOptions, clipGradNorm_, clipGradValue_ } from './gradients/clip.ts';
export { clipGradsWithNorm_, getTotalNorm } from './gradients/clip-with-norm.ts';
export { GradScaler, type GradScalerOptions, type GradScalerState } from './gradients/grad-scaler.ts';
export { Adadelta, type AdadeltaSettings } from './optimizers/adadelta.ts';
export { Adafactor, type AdafactorSettings } from './optimizers/adafactor.ts';
export { Adagrad, type AdagradSettings } from './optimizers/adagrad.ts';
export { Adam, type AdamSettings, AdamW } from './optimizers/adam.ts';
export { Adamax, type AdamaxSettings } from './optimizers/adamax.ts';
export { AdamW8bit, type AdamW8bitSettings } from './optimizers/adamw-8bit.ts';
export { LAMB, type LAMBSettings } from './optimizers/lamb.ts';
export { LBFGS, type LBFGSSettings } from './optimizers/lbfgs.ts';
export { Lion, type LionSettings } from './optimizers/lion.ts';
export { Muon, type MuonSettings } from './optimizers/muon.ts';
export { NAdam, type NAdamSettings } from './optimizers/nadam.ts';
export { RAdam, type RAdamSettings } from './optimizers/radam.ts';
export { RMSprop, type RMSpropSettings } from './optimizers/rmsprop.ts';
export { SGD, type SGDSettings } from './optimizers/sgd.ts';
export type { Resumable, SchedulerState } from './schedulers/lr-scheduler.ts';
export * as lrScheduler from './schedulers/lr-schedulers.ts';
export * from './schedulers/lr-schedulers.ts';
export { SWALR, type SWALROptions } from './schedulers/swa-lr.ts';
export {
  type CosineWarmupOptions,
  getCosineScheduleWithWarmup,
  getLinearScheduleWithWarmup,
  type WarmupOptions,
} from './schedulers/warmup-schedules.ts';
export * as swaUtils from './swa-utils.ts';
export { Optimizer } from './update/optimizer.ts';
export type { OptimizerHook, OptimizerStateHook } from './update/optimizer-hooks.ts';
export type { OptimizerState } from './update/optimizer-state.ts';
export type {
  GivenGroup,
  ImplementationHints,
  ParameterGroup,
  Parameters,
  SettingsOf,
  StateFormat,
} from './update/parameter-group.ts';
export { recordUpdate } from './update/record-update.ts';
export type { StepOptions } from './update/update.ts';
