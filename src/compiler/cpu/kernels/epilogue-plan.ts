// A fused group as the epilogue of a multiply: what computes with the multiply's result does so while the sums of a few
// rows are still in the cache, and the result itself never goes to memory. Not the multiply (gemm/), nor which groups
// become epilogues (schedule/fusion.ts).
//
//   multiply: a strip of rows ─ sums ─▶ epilogue, row by row: bias, GELU, dropout, residual, softmax … ─▶ memory
//
// A group without reductions takes any piece of a row; one with reductions takes whole rows, so the multiply's chunks
// must span them.

import { invariant } from '../../../base/errors.ts';
import type { Value } from '../../../hlo/program.ts';
import { elementCount } from '../../../hlo/types.ts';
import { numberOf } from '../../ir/extent.ts';
import type { FusedGroup, Space, Storage } from '../../ir/group.ts';
import type { DotPlan, GemmSpec } from '../../ir/multiply.ts';
import { canonicalIndex, type Nest, requiredNodes, sizeOf } from '../../ir/nest.ts';
import type { Node } from '../../ir/node.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { EpilogueDot } from '../../ir/schedule.ts';
import { computationOf } from '../../lowering/computation.ts';
import { canHaveEpilogue, planGemm, scratchBytesOf } from '../gemm/gemm-plan.ts';
import { randomBlock } from '../ir/fused-kernel.ts';
import type { EpilogueKernel, PlannedKernel } from '../ir/kernel.ts';
import type { GemmPlan } from '../ir/multiply-tiling.ts';
import type { CpuTarget } from '../target/target.ts';
import { planRow } from './row-plan.ts';
import { rowNest } from './space-plan.ts';

/** A row of scratch values is on the stack; longer rows get separate kernels. */
const longestRow = 4096;

/** Whether a group over this space may be the epilogue of a multiply whose result it reads in order. */
export function fitsEpilogue(spec: GemmSpec, space: Space, target: CpuTarget): boolean {
  // the few rows of a separate plan are not summed by tiles
  if (spec.elementType === 'f64' || planGemm(spec, target).kind !== 'tiled') return false;
  const first = space.reduced.indexOf(true);
  if (first < 0) return canHaveEpilogue(spec, target);
  const row = elementCount(space.shape.slice(first));
  const trailing = space.reduced.slice(first).every(r => r);
  return trailing && row === spec.n && row <= longestRow && canHaveEpilogue(spec, target, { wholeRows: true });
}

export function planEpilogue(group: FusedGroup, dot: EpilogueDot, storage: Storage, target: CpuTarget): PlannedKernel {
  const nest = rowNest(computationOf(group, storage, dot.value));
  const wholeRows = group.space.reduced.includes(true);
  const { operands, lhs, rhs, scales } = withMultiplied(dot.plan, nest.operands);
  const row = planRow(nest, requiredNodes(nest.outputs), !wholeRows);
  invariant(
    canHaveEpilogue(dot.plan.spec, target, { wholeRows }),
    'a multiply without contiguous rows has an epilogue',
  );
  const gemm = planGemm(dot.plan.spec, target, {}, { wholeRows });
  const kernel: EpilogueKernel = {
    kind: 'epilogue',
    multiply: {
      spec: dot.plan.spec,
      plan: gemm,
      lhs: { slot: lhs, offset: dot.plan.lhs.offset },
      rhs: { slot: rhs, offset: dot.plan.rhs.offset },
      ...(scales === undefined ? {} : { scales }),
    },
    row,
    pieces: wholeRows ? 'rows' : Math.min(numberOf(sizeOf(nest.inner)), randomBlock),
    prefetch: planPrefetch(nest, row.required, gemm),
  };
  return { kernel, operands, workspaceBytes: 0, scratchBytes: scratchBytesOf(gemm) };
}

/**
 * Prefetches the tensors that the call for the next strip reads in full, so that they arrive while the multiply sums that strip.
 * A weight update would otherwise wait for short pieces of several distant rows, which hardware prefetchers do not predict.
 */
function planPrefetch(nest: Nest, required: readonly Node[], gemm: GemmPlan): EpilogueKernel['prefetch'] {
  const ahead = gemm.kind === 'tiled' ? gemm.tile.rows * gemm.problem.c.m : 0;
  const { key } = canonicalIndex([...nest.kept, ...nest.inner]);
  const reads = new Map(
    required.flatMap(n => (n.kind === 'load' && n.index.key === key ? [[n.slot, n.type] as const] : [])),
  );
  if (reads.size < 2 || ahead === 0) return undefined;
  return { ahead, reads: [...reads].map(([slot, type]) => ({ slot, type })) };
}

/** The group's operands and the multiply's. Operands of the multiply must not be written while it runs. */
function withMultiplied(
  plan: DotPlan,
  own: readonly KernelOperand[],
): {
  readonly operands: readonly KernelOperand[];
  readonly lhs: number;
  readonly rhs: number;
  readonly scales: number | undefined;
} {
  const operands = [...own];
  const slotOf = (value: Value): number => {
    const slot = operands.findIndex(o => o.value === value);
    return slot >= 0 ? slot : operands.push({ value, access: 'read' }) - 1;
  };
  const [lhs, rhs] = [slotOf(plan.lhs.value), slotOf(plan.rhs.value)];
  const scales = plan.scales && slotOf(plan.scales);
  const multiplied = [lhs, rhs, scales];
  const free = (o: KernelOperand): KernelOperand =>
    o.inPlaceOf === undefined ? o : { ...o, inPlaceOf: o.inPlaceOf.filter(slot => !multiplied.includes(slot)) };
  return { operands: operands.map(free), lhs, rhs, scales };
}
