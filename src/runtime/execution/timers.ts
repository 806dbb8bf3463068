// Timers of running kernels: the interface that executables report to. Profilers and their output are in profiling/. Whole
// executions are events (src/observe).
import type { CompiledProgram } from '../../compiler/index.ts';
import type { Address } from './native-library.ts';

/** The items that a profile counts for a program: its kernels, and which of them each call in the step's text is of. */
export type ProgramParts = Pick<CompiledProgram, 'kernels' | 'calls'>;

/** Where native code adds up the times of a program. */
export interface Tables {
  /** For the first run, which touches memory for the first time. */
  readonly first: Address;
  /** For all others. */
  readonly later: Address;
}

export interface KernelTimer {
  /** Tables for a program's times, which live as long as the timer. */
  add(program: string, parts: ProgramParts): Tables;
}
