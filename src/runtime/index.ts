// What other folders use of the runtime.
export type { Backend, CompileReport, DeviceBuffer, Executable } from './backend.ts';
export { type CCompiler, compilerVersion, findCompiler } from './c-compiler.ts';
export { cacheDirectory } from './cache-directory.ts';
export type { Reduction } from './collectives.ts';
export { type Cache, type Machine, machineInfo } from './cores.ts';
export { defaultBackend, defaultRuntime } from './device.ts';
export { createLaunchMemory } from './launch-memory.ts';
export { type RankInfo, rankInfo } from './ranks.ts';
export { runModule } from './run-module.ts';
export { type RunningProcess, runningProcesses } from './running-processes.ts';
export { type BackendName, backendNames, Runtime } from './runtime.ts';
export type { SharedSegment } from './shared-memory.ts';
