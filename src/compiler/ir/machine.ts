// A machine that programs are compiled for: its answers to the stages that are the same for all machines. program/plan-program.ts
// takes it; the plan has kernels of that machine, and only a printer or a runner of that machine reads them.
import type { Module } from '../../hlo/program.ts';
import type { Space, Storage } from './group.ts';
import type { GemmSpec } from './multiply.ts';
import type { KernelOperand } from './operands.ts';
import type { Operators } from './operators.ts';
import type { KernelStep } from './schedule.ts';

/** The memory of a kernel. */
export interface KernelMemory {
  /** The inputs and outputs of the kernel, in the order of p[]. */
  readonly operands: readonly KernelOperand[];
  /** Size of the workspace, which is an additional entry of p[]; 0 for none. */
  readonly workspaceBytes: number;
  /** The scratch that a worker needs for its tasks; 0 for none. */
  readonly scratchBytes: number;
}

/** A step's kernel, and its memory. Equal steps share the kernel: only the values of their operands differ. */
export interface Planned<Kernel> extends KernelMemory {
  readonly kernel: Kernel;
}

/** The program that a kernel is part of. */
export interface KernelContext {
  readonly module: Module;
  readonly operators: Operators;
  readonly storage: Storage;
}

/** `Kernel`: its kernels as data. */
export interface Machine<Kernel = unknown> {
  /**
   * All-reduces of many tensors are split into buckets of about this many bytes, in the order in which the tensors are
   * computed: each is sent while the next one is computed.
   */
  readonly bucketBytes: number;
  /**
   * Large collectives are started early and awaited late, for transports that leave the machine to the program. Otherwise they
   * run immediately.
   */
  readonly overlapsCollectives: boolean;
  /** Whether a group over this space may be the epilogue of a multiply whose result it reads in order. */
  fitsEpilogue(spec: GemmSpec, space: Space): boolean;
  /** Whether a kernel that goes through these rows may also compute `sums` sums of their columns. */
  fitsColumnSums(rows: number, columns: number, sums: number): boolean;
  /** @throws {UNSUPPORTED} for a step that the machine has no kernel for */
  planKernel(step: KernelStep, context: KernelContext): Planned<Kernel>;
}
