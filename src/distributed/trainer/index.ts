export {
  type CallbackResult,
  type EarlyStoppingOptions,
  earlyStopping,
  type LogEntry,
  type TrainerCallback,
  type TrainerControl,
  type TrainerState,
} from './callbacks.ts';
export { Trainer, type TrainerSetup, type TrainResult } from './trainer.ts';
export {
  type SchedulerType,
  type Strategy,
  TrainingArguments,
  type TrainingArgumentsConstructor,
} from './training-options.ts';
