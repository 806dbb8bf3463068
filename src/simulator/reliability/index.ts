// Failures at scale: goodput, checkpoints, spares.

export {
  type Checkpointing,
  checkpointSeconds,
  jobMtbf,
  type LongRun,
  llama3Interruptions,
  llama3NodeMtbf,
  restartSeconds,
  runAssumptions,
  runDefaults,
} from './long-run.ts';
export * from './optimum.ts';
export { type TimeByCause, type TimeCause, timeCauses } from './play-run.ts';
export * from './simulate-reliability.ts';
