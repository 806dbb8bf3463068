// Failures at scale: goodput, checkpoints, spares.
export * from './optimum.ts';
export { type TimeByCause, type TimeCause, timeCauses } from './play-run.ts';
export * from './simulate-reliability.ts';
export {
  type Checkpointing,
  checkpointSeconds,
  jobMtbf,
  llama3Interruptions,
  llama3NodeMtbf,
  restartSeconds,
  runAssumptions,
  runDefaults,
  type TrainingRun,
} from './training-run.ts';
