// The result of compiling: C code, and the information that a runtime needs to build, load and call them.

import type { TensorType } from '../../../hlo/types.ts';
import type { KernelInfo } from '../counting/kernel-info.ts';
import type { DynamicParts } from '../target/size-report.ts';
import type { ProgramText, Unit } from './units.ts';

export interface CompiledProgram {
  /** C files, to be compiled with the flags of `compilerFlags` (in parallel if desired) and linked to one object. */
  readonly units: readonly Unit[];
  /**
   * The same, divided into the step and functions that other programs may share; a program of unknown sizes has no such
   * functions.
   */
  readonly text?: ProgramText;
  /** The function of the type trenio_step. */
  readonly entry: string;
  readonly arenaBytes: number;
  /** The maximum number of bytes of rt->scratch that a worker uses. */
  readonly scratchBytes: number;
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** For each output, the input whose memory it reuses. */
  readonly donated: readonly (number | undefined)[];
  readonly kernels: readonly KernelInfo[];
  /** For each call of a kernel in the step's text, in order, the kernel's index: profiles count calls. */
  readonly calls: readonly number[];
  /** Only for a program whose sizes are known at run time. */
  readonly dynamic?: DynamicParts;
}
