// A kernel as data, and the memory it needs. Printed by cpu/c/, run directly by cpu/kernel-interpreter/.
import type { ElementType } from '../../hlo/types.ts';
import type { FusedKernel } from './fused-kernel.ts';
import type { GemmSpec } from './multiply.ts';
import type { GemmPlan } from './multiply-tiling.ts';
import type { OpKernel } from './op-kernel.ts';
import type { KernelOperand } from './operands.ts';
import type { RowPlan } from './row.ts';

/** The computation of a kernel. */
export type Kernel = FusedKernel | MultiplyKernel | EpilogueKernel | OpKernel;

/** The start of an operand of a multiply: entry `slot` of p[], plus a number of elements. */
export interface MultiplyOperand {
  readonly slot: number;
  readonly offset: number;
}
/** A multiply over memory: its definition, and its tiling for the target. */
export interface Multiply {
  readonly spec: GemmSpec;
  readonly plan: GemmPlan;
  readonly lhs: MultiplyOperand;
  readonly rhs: MultiplyOperand;
  /** The slot of the scales of a quantized right-hand side. */
  readonly scales?: number;
}

/** A multiply whose result is operand `result`. */
export interface MultiplyKernel {
  readonly kind: 'multiply';
  readonly multiply: Multiply;
  readonly result: number;
}

/** Rows of a product are passed to `row` as they are computed; the product itself is not stored. */
export interface EpilogueKernel {
  readonly kind: 'epilogue';
  readonly multiply: Multiply;
  readonly row: RowPlan;
  /** Whole rows, or pieces of at most this many elements. */
  readonly pieces: 'rows' | number;
  /** The operands that are read completely, and the prefetch distance in elements. */
  readonly prefetch:
    | { readonly ahead: number; readonly reads: readonly { readonly slot: number; readonly type: ElementType }[] }
    | undefined;
}

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
export interface PlannedKernel extends KernelMemory {
  readonly kernel: Kernel;
}
