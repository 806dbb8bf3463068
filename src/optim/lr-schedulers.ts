// All schedulers under one name, as torch.optim.lr_scheduler: optim.lrScheduler.StepLR …
export { CosineAnnealingLR, CosineAnnealingWarmRestarts } from './cosine-schedulers.ts';
export { CyclicLR, OneCycleLR } from './cyclic-schedulers.ts';
export { LRScheduler, type Scheduled, type SchedulerOptions, type SchedulerState } from './lr-scheduler.ts';
export { ReduceLROnPlateau } from './reduce-lr-on-plateau.ts';
export { ChainedScheduler, SequentialLR } from './scheduler-lists.ts';
export {
  ConstantLR,
  ExponentialLR,
  LambdaLR,
  LinearLR,
  MultiplicativeLR,
  MultiStepLR,
  PolynomialLR,
  StepLR,
} from './step-schedulers.ts';
