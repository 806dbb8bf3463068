// The exports of this folder to the other folders.
export {
  type CompileEvent,
  emit,
  isObserved,
  type MemoryEvent,
  type ObservedEvent,
  type ProgramEvent,
  type RunEvent,
  subscribe,
} from './events.ts';
export { type CpuTimes, cpuPercent, cpuTimeKinds, type HostReading, readHost, readProcess } from './host.ts';
export { observeProcess } from './observe-process.ts';
export { type Rates, ratesOf } from './rates.ts';
export type { ProcessDetails, ProcessIdentityCard } from './ring-file.ts';
export type { Sample } from './sample.ts';
export { JoinedSource, LocalSource, type ObservationSource, type ObservedProcess } from './source.ts';
export { TrainingProgress, type TrainingProgressOptions } from './training-progress.ts';
