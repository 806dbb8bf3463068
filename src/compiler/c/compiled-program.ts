// The result of compiling: C texts, and the information that a runtime needs to build, load and call them.

import type { TensorType } from '../../hlo/types.ts';
import type { KernelInfo } from '../counting/kernel-info.ts';
import type { DynamicParts } from '../target/size-report.ts';
import type { ProgramText, Unit } from './units.ts';

export interface CompiledProgram {
  /** C files, to be compiled with the flags of `compilerFlags` (in parallel if one likes) and linked to one object. */
  readonly units: readonly Unit[];
  /** The same as a step and functions that other programs may have too; there are none of those in a program of unknown sizes. */
  readonly text?: ProgramText;
  /** The function of the type trenio_step. */
  readonly entry: string;
  readonly arenaBytes: number;
  /** The largest amount of rt->scratch that a worker uses. */
  readonly scratchBytes: number;
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** For each output, the input whose memory it must be given. */
  readonly donated: readonly (number | undefined)[];
  readonly kernels: readonly KernelInfo[];
  /** For each call of a kernel in the step's text, in order, the kernel's number: a profile counts by call. */
  readonly calls: readonly number[];
  /** Of a program whose sizes are known only when it runs. */
  readonly dynamic?: DynamicParts;
}
