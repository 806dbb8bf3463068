// What compiling gives: C texts and what a runtime must know to build, load and call them.
import type { SourceLocation } from '../base/errors.ts';
import type { TensorType } from '../hlo/types.ts';
import type { DynamicParts } from './dynamic/report.ts';
import type { ProgramText, Unit } from './emit/units.ts';

export interface KernelInfo {
  /** Its place in the program, `k12`; a comment in the C says it where the kernel is declared and defined. */
  readonly name: string;
  readonly kind: 'fused' | 'multiply' | 'other' | 'collective';
  /** How many steps of the program call it: equal layers share their kernels. */
  readonly calls: number;
  /** What it goes through: `1024×3072×768` (m×n×k of a multiply), `1024×(768)` (rows, reduced dims), a result's shape. */
  readonly shape: string;
  readonly ops: readonly { readonly name: string; readonly location: SourceLocation | undefined }[];
  /** Of one call, transcendental functions counted as one each. */
  readonly flops: number;
  /** The type of a multiply's operands. */
  readonly products: string | undefined;
  /** Memory read and written by one call. */
  readonly bytes: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Of those written, the ones that lie where the call reads. */
  readonly bytesInPlace: number;
}

export interface CompiledProgram {
  /** C files, to be compiled with the flags of `compilerFlags` (in parallel if one likes) and linked to one object. */
  readonly units: readonly Unit[];
  /** The same as a step and functions that other programs may have too; there are none of those in a program of unknown sizes. */
  readonly text?: ProgramText;
  /** The function of the type trenio_step. */
  readonly entry: string;
  readonly arenaBytes: number;
  /** The most a worker asks of rt->scratch. */
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

/** The functions of custom operators by name: symbols that are there when the program is loaded. */
export type Operators = ReadonlyMap<string, string>;
