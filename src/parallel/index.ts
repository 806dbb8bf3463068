export { DeviceLoader, type DeviceLoaderOptions, type OnDevice } from './device-loader.ts';
export * as distributed from './distributed.ts';
export { initDeviceMesh } from './init-device-mesh.ts';
export { type LaunchOptions, launch } from './launch.ts';
export type { LaunchResult } from './launcher.ts';
export { type OptimizerStepOptions, optimizerStep } from './optimizer-step.ts';
export { type AllReduceOptions, allReduceSum, barrier, isMain, localRank, rank, worldSize } from './process-group.ts';
export {
  type TracedProgram,
  type TracedScript,
  type TraceScriptOptions,
  traceScript,
  trainingStepOf,
} from './trace-script.ts';
