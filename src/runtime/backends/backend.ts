// The interface of a device, which all backends implement. A backend is a folder next to this file
// that registers itself (registry.ts); conformance.testing.ts defines the behavior that they share.
import type { Variables } from '../../base/environment.ts';
import type { Logger } from '../../base/logger.ts';
import type { Module } from '../../hlo/program.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { StagedProgram } from '../../transforms/pipeline/staged-program.ts';
import type { Engine } from '../execution/engine.ts';
import type { Content, DeviceBuffer, DeviceEvent, LoadedProgram } from '../execution/executable.ts';
import type { NativeLibrary } from '../execution/native-library.ts';
import type { RankInfo } from '../execution/rank-info.ts';
import type { MachineLimits } from '../profiling/limits.ts';
import type { Profiler, ProgramProfile } from '../profiling/profile.ts';
import type { ProgramRecord } from '../profiling/program-record.ts';
import type { DeviceSpans } from '../profiling/span-recorder.ts';
import type { CCompiler } from '../toolchain/c-compiler.ts';
import type { CompileCache } from '../toolchain/compile-cache.ts';

/**
 * When a program must be compiled: before it runs, or while it runs, in a way that gives the same results at once.
 */
export type CompileTime = 'now' | 'soon';

/** A device. It has one stream: operations run in submission order. */
export interface Backend {
  /** Its name in `device(…)`, without the ordinal for the first device. */
  readonly name: string;
  /** Each run copies its arguments and results: state should be small. */
  readonly copiesState?: boolean;
  /** `when`: 'now' by default. */
  compile(module: Module, when?: CompileTime): LoadedProgram;
  /**
   * A fresh buffer with this content: a copy of bytes, zero bytes, or random numbers, which may be sampled asynchronously;
   * equal descriptions of samples yield equal numbers on every device. `isLasting`: many steps will read it, such as a weight; it
   * may share memory with others that live as long.
   */
  upload(type: TensorType, content: Content, isLasting?: boolean): DeviceBuffer;
  /** An event after all work queued so far. */
  record(): DeviceEvent;
  /** Waits for all queued work. @throws the first failure that has not been reported yet */
  synchronize(): void;
  /** How long its programs have waited for collectives so far. */
  collectiveMs?(): number;
  /** The processor time of their collectives between hosts so far, without waiting. */
  collectiveCpuMs?(): number;
  /** The times of its programs so far, if profiling is enabled. */
  profile?(): readonly ProgramProfile[];
  /** Notes a program in stages as a whole. Returns another device for its parts, if this one runs nothing. */
  recordStages?(module: Module, stages: () => StagedProgram): RecordedStages | undefined;
  /** Records the activity of its threads until the recording is stopped. */
  recordSpans?(): { readonly limits: MachineLimits; stop(): DeviceSpans };
}

export interface RecordedStages {
  /** The device for its parts. */
  readonly device: Backend;
  /** Called before each run. */
  readonly onRun: () => void;
}

/** Shared resources of a process that a backend may use; each is created on first use. */
export interface BackendHost {
  /** The environment to read instead of that of the process. */
  readonly variables: Variables | undefined;
  readonly log: Logger;
  readonly ranks: RankInfo;
  /** @throws {NO_C_COMPILER} */
  readonly compiler: CCompiler;
  readonly cache: CompileCache;
  readonly native: NativeLibrary;
  readonly isNativeLoaded: boolean;
  readonly engine: Engine;
  /** Set when profiling is enabled. */
  readonly profiler: Profiler | undefined;
  /** Set when programs are recorded for predictions. */
  readonly programRecord?: ProgramRecord | undefined;
  /** Lets `trenio top` and others observe the programs of this process, which run on `threads`, without the engine. */
  readonly observe: (threads: number) => void;
}
