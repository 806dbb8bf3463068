// A fused kernel over sizes that are known only when it runs: the kernel of each case, and the sizes that the caller passes.
// p[] has an entry more than the operands for the workspace, and then one for the sizes.
import type { Extent, QuantityGraph } from '../../ir/extent.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { Cases } from '../../ir/size-cases.ts';
import type { FusedKernel } from './fused-kernel.ts';

export interface SizedKernel {
  readonly operands: readonly KernelOperand[];
  readonly quantities: QuantityGraph;
  readonly cases: Cases<SizedCase>;
}
export interface SizedCase {
  readonly kernel: FusedKernel;
  readonly workspaceBytes: Extent;
}
