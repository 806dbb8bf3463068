// Plans a kernel over sizes that are known only when it runs, with the planners for known sizes: once for each case that they
// distinguish.
import type { Evaluate, SpaceLoop } from '../../ir/computation.ts';
import type { Extent, QuantityGraph } from '../../ir/extent.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { planCases } from '../../ir/size-cases.ts';
import type { SizedKernel } from '../ir/sized-kernel.ts';
import { planSpace, spaceMemory } from './space-plan.ts';

/** A space whose sizes may be quantities. */
export interface SizedSpace {
  readonly sizes: readonly Extent[];
  readonly reduced: readonly boolean[];
}

export function planSized(space: SizedSpace, quantities: QuantityGraph, evaluate: Evaluate): SizedKernel {
  const loops = space.sizes.map((size, id): SpaceLoop => ({ loop: { id, size }, reduced: space.reduced[id]! }));
  // its questions about sizes are known before any case is planned
  let { list: operands }: { readonly list: readonly KernelOperand[] } = evaluate(loops).operands;
  const cases = planCases(quantities, () => {
    const planned = planSpace(loops, evaluate, () => {});
    operands = planned.operands;
    return { kernel: planned.kernel, workspaceBytes: spaceMemory(planned.kernel).workspaceBytes };
  });
  return { operands, quantities, cases };
}
