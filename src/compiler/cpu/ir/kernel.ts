// A kernel of CPUs as data. Printed by c/ and by wasm/.
import type { ElementType } from '../../../hlo/types.ts';
import type { Planned } from '../../ir/machine.ts';
import type { GemmSpec } from '../../ir/multiply.ts';
import type { PlannedProgram } from '../../program/plan-program.ts';
import type { FusedKernel } from './fused-kernel.ts';
import type { GemmPlan } from './multiply-tiling.ts';
import type { OpKernel } from './op-kernel.ts';
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

/** A step's kernel, and its memory. */
export type PlannedKernel = Planned<Kernel>;
/** A program whose kernels are those of CPUs. */
export type CpuProgram = PlannedProgram<Kernel>;
