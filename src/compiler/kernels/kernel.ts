// What every kernel is to the rest of the compiler: C that defines two functions of a fixed form, and the memory it takes.
//
//   static void NAME(const trenio_rt *rt, char *const *p)     p[i]: the memory of operand i
//
// NAME is written `@` until it is known whether an equal kernel exists already; then two layers share one function.
import type { Op } from '../../hlo/program.ts';
import type { GemmSpec } from '../gemm/spec.ts';
import type { FusedKernel } from './fused-kernel.ts';
import type { KernelOperand } from './operands.ts';
import type { RowPlan } from './row-plan.ts';

/** Where an operand of a multiply begins: entry `slot` of p[], and elements from there. */
export interface MultiplyOperand {
  readonly slot: number;
  readonly offset: number;
}
/** A multiply over memory: what it computes, not how (gemm/ decides that for C). */
export interface Multiply {
  readonly spec: GemmSpec;
  readonly lhs: MultiplyOperand;
  readonly rhs: MultiplyOperand;
}

/** What a kernel computes, as data. */
export type Kernel =
  | FusedKernel
  | { readonly kind: 'multiply'; readonly multiply: Multiply; readonly result: number }
  /** Rows of the product go through `row` as they are summed; the product itself is not stored. */
  | { readonly kind: 'epilogue'; readonly multiply: Multiply; readonly row: RowPlan }
  /** One op of the program. How it is computed exists as C only. */
  | { readonly kind: 'op'; readonly op: Op };

/** The C of a kernel, and the memory it takes. */
export interface KernelText {
  /** C with `@` for the kernel's name. */
  readonly code: string;
  /** The memory the kernel reads and writes, in the order of p[]. */
  readonly operands: readonly KernelOperand[];
  /** Bytes of the workspace, which is one more entry of p[]; 0 for none. */
  readonly workspaceBytes: number;
  /** Further C that the unit must hold once: shared functions by name. */
  readonly helpers?: ReadonlyMap<string, string>;
  /** What a worker asks of rt->scratch. */
  readonly scratchBytes?: number;
  /** Instead of `code`: statements of the step function, given the operands' addresses. They may `return` an error. */
  readonly inline?: (pointers: readonly string[]) => readonly string[];
  /** Needs the prelude of the matrix multiplies. */
  readonly usesGemm?: boolean;
}

export interface KernelCode extends KernelText {
  readonly kernel: Kernel;
}
