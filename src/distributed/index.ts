export * from './checkpoints/index.ts';
export { DeviceLoader, type DeviceLoaderOptions, type OnDevice } from './device-loader.ts';
export { initDeviceMesh } from './init-device-mesh.ts';
export { EXIT_REQUEUE } from './launch/exit-requeue.ts';
export { type LaunchOptions, type LaunchResult, launch, type RendezvousOptions } from './launch/launch.ts';
export type { StreamChoice } from './launch/rank-logs.ts';
export {
  type TracedProgram,
  type TracedRanks,
  type TracedScript,
  type TraceScriptOptions,
  traceScript,
  trainingStepOf,
} from './launch/trace-script.ts';
export * as distributed from './namespace.ts';
export { type OptimizerStepOptions, optimizerStep } from './optimizer-step.ts';
export { type ContextParallelOptions, contextParallel } from './parallel/context-parallel.ts';
export { type ExpertParallelOptions, expertParallel } from './parallel/expert-parallel.ts';
export { type FullyShardOptions, fullyShard, type Zero1Options, zero1 } from './parallel/fully-shard.ts';
export {
  ColumnParallelLinear,
  initializeParallelModel,
  initializeParallelOptimizer,
  type NeuronxConfig,
  type NeuronxSettings,
  neuronxDistributedConfig,
  ParallelEmbedding,
  type ParallelLinearSettings,
  type ParallelLossOptions,
  parallelCrossEntropy,
  RowParallelLinear,
} from './parallel/neuronx.ts';
export { type ParallelizeOptions, type ParallelPlan, parallelize } from './parallel/parallelize.ts';
export { type PipelineOptions, pipeline } from './parallel/pipeline.ts';
export {
  ColwiseParallel,
  type LayoutOptions,
  type ParallelStyle,
  type PrepareInputOptions,
  PrepareModuleInput,
  PrepareModuleOutput,
  type PrepareOutputOptions,
  RowwiseParallel,
  SequenceParallel,
  type SequenceParallelOptions,
} from './parallel/styles.ts';
export { type AllReduceOptions, allReduceSum, barrier, isMain, localRank, rank, worldSize } from './process-group.ts';
export type { Store } from './rendezvous/store.ts';
export { connectStore, type RankStore } from './rendezvous/store-client.ts';
export { splitContractions } from './split-contractions.ts';
export * from './trainer/index.ts';
export {
  type OptimizerClass,
  type ZeroRedundancyConstructor,
  ZeroRedundancyOptimizer,
  type ZeroRedundancySettings,
} from './zero-redundancy-optimizer.ts';
