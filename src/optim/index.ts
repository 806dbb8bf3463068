// Optimizers, schedules, gradient clipping. See README.md.
export { Adam, type AdamSettings, AdamW } from './adam.ts';
export { clipGradNorm } from './clip.ts';
export { GradScaler, type GradScalerOptions, type GradScalerState } from './grad-scaler.ts';
export {
  Optimizer,
  type OptimizerState,
  type ParameterGroup,
  recordUpdate,
  type StateFormat,
  type StepOptions,
} from './optimizer.ts';
export { CosineSchedule, LambdaLR, LinearSchedule } from './schedules.ts';
export { SGD, type SGDSettings } from './sgd.ts';
