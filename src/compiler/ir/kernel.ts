// A kernel as data, and the memory it needs. Printed by c/, run directly by kernel-interpreter/.
import type { ElementType } from '../../hlo/types.ts';
import type { FusedKernel } from './fused-kernel.ts';
import type { GemmSpec } from './multiply.ts';
import type { GemmPlan } from './multiply-tiling.ts';
import type { OpKernel } from './op-kernel.ts';
import type { KernelOperand } from './operands.ts';
import type { RowPlan } from './row.ts';

/** What a kernel computes. */
export type Kernel = FusedKernel | MultiplyKernel | EpilogueKernel | OpKernel;

/** Where an operand of a multiply begins: entry `slot` of p[], and elements from there. */
export interface MultiplyOperand {
  readonly slot: number;
  readonly offset: number;
}
/** A multiply over memory: what it computes, and how that is tiled for the target. */
export interface Multiply {
  readonly spec: GemmSpec;
  readonly plan: GemmPlan;
  readonly lhs: MultiplyOperand;
  readonly rhs: MultiplyOperand;
}

/** A multiply whose result is operand `result`. */
export interface MultiplyKernel {
  readonly kind: 'multiply';
  readonly multiply: Multiply;
  readonly result: number;
}

/** Rows of a product go through `row` as they are summed; the product itself is not stored. */
export interface EpilogueKernel {
  readonly kind: 'epilogue';
  readonly multiply: Multiply;
  readonly row: RowPlan;
  /** Whole rows, or pieces of at most this many elements. */
  readonly pieces: 'rows' | number;
  /** Operands that are read in full, and how many elements before they are needed they are fetched. */
  readonly prefetch:
    | { readonly ahead: number; readonly reads: readonly { readonly slot: number; readonly type: ElementType }[] }
    | undefined;
}

/** The memory of a kernel. */
export interface KernelMemory {
  /** What the kernel reads and writes, in the order of p[]. */
  readonly operands: readonly KernelOperand[];
  /** Bytes of the workspace, which is one more entry of p[]; 0 for none. */
  readonly workspaceBytes: number;
  /** What a worker asks of the runtime for its tasks; 0 for none. */
  readonly scratchBytes: number;
}

/** A step's kernel, and the memory it takes. Equal steps share the kernel: only the values of their operands differ. */
export interface PlannedKernel extends KernelMemory {
  readonly kernel: Kernel;
}
