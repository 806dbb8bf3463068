// All schedulers in one namespace, as in torch.optim.lr_scheduler: optim.lrScheduler.StepLR …
export {
  CosineAnnealingLR,
  type CosineAnnealingLROptions,
  CosineAnnealingWarmRestarts,
  type CosineAnnealingWarmRestartsOptions,
} from './cosine-schedulers.ts';
export { CyclicLR, type CyclicLROptions, OneCycleLR, type OneCycleLROptions } from './cyclic-schedulers.ts';
export { LRScheduler, type Scheduled, type SchedulerOptions, type SchedulerState } from './lr-scheduler.ts';
export { ReduceLROnPlateau, type ReduceLROnPlateauOptions } from './reduce-lr-on-plateau.ts';
export { ChainedScheduler, SequentialLR, type SequentialLROptions } from './scheduler-lists.ts';
export {
  ConstantLR,
  type ConstantLROptions,
  ExponentialLR,
  type ExponentialLROptions,
  LambdaLR,
  LinearLR,
  type LinearLROptions,
  type LrLambda,
  MultiplicativeLR,
  MultiStepLR,
  type MultiStepLROptions,
  PolynomialLR,
  type PolynomialLROptions,
  StepLR,
  type StepLROptions,
} from './step-schedulers.ts';
