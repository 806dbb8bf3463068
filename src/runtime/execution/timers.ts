// Timers of running kernels: the interface that executables report to. Profilers and their output are in profiling/. Whole
// executions are events (src/observe).
import type { CompiledProgram } from '../../compiler/index.ts';
import type { Address } from './native-library.ts';

/** The items that a profile counts for a program: its kernels, and for each call in the step, the index of its item. */
export type ProgramParts = Pick<CompiledProgram, 'kernels' | 'calls'>;

/** The memory in which native code accumulates the times of a program. */
export interface Tables {
  /** The table for the first run, which touches memory for the first time. */
  readonly first: Address;
  /** The table for all later runs. */
  readonly later: Address;
}

export interface KernelTimer {
  /** Tables for a program's times, which live as long as the timer. */
  add(program: string, parts: ProgramParts): Tables;
}
