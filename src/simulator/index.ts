// Time and memory of a training step on hardware, without running it.

export type { CpuTarget } from '../compiler/index.ts';
export { checkLayout, type LayoutProblem, layoutProblem } from './check-layout.ts';
export type { CollectiveKind } from './collectives/index.ts';
export {
  type GpuConstants,
  type GpuSoftware,
  type GpuSoftwareConstants,
  gpuSoftwares,
  type NeuronConstants,
} from './engines/constants.ts';
export { type EngineConstants, engineConstants, withSoftware } from './engines/engine.ts';
export { devicesOf, globalBatchOf, type Layout, type Recomputation } from './layout.ts';
export { type MemoryQuestion, memoryOf } from './memory.ts';
export { modelFlopsPerSample } from './models/flops.ts';
export { type ParameterCounts, parametersOf } from './models/parameters.ts';
export { modelNames, modelOf } from './models/presets.ts';
export * from './plan/index.ts';
export { predict } from './predict.ts';
export {
  type Bound,
  bounds,
  type DataLoading,
  type MemoryEstimate,
  type Prediction,
} from './prediction.ts';
export { type AssumedProgram, type ProgramOptions, recordedProgram } from './program/index.ts';
export type { MachineQuestion, SimulatedSoftware, StepQuestion } from './question.ts';
export * from './reliability/index.ts';
export {
  type MemoryKind,
  memoryKinds,
  type OptimizerName,
  optimizers,
  type Phase,
  phases,
  type TrainingRun,
} from './run.ts';
export { type AssumedSampleBytes, assumedSampleBytes } from './sample-bytes.ts';
export type { StorageOptions } from './storage.ts';
export { chromeTrace, type Lane, type LaneKind, type Task, type Timeline } from './timeline/index.ts';
export { type PublishedTraining, publishedTraining } from './validation/published-training.ts';
export { isTie, type NearestRun, type Uncertainty, uncertaintyOf } from './validation/uncertainty.ts';
export type { Multiply, RowMove, Sweep, Work, WorkList } from './work.ts';
export {
  type AttentionKernel,
  attentionKernels,
  type Model,
  type Precision,
  type ProgramCollective,
  type ProgramDivision,
  type ProgramStages,
  precisions,
  type RecordedProgram,
  type StagePart,
  type StageRank,
  type StageSend,
  type TransformerConfig,
  type Workload,
} from './workload.ts';
