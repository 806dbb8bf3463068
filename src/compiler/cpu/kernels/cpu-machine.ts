// CPUs as a machine that programs are compiled for.
import type { KernelContext, Machine } from '../../ir/machine.ts';
import type { KernelStep } from '../../ir/schedule.ts';
import type { Kernel, PlannedKernel } from '../ir/kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { planCollectivePart } from './collective-plan.ts';
import { isWholeRows } from './columns-plan.ts';
import { fitsEpilogue, planEpilogue } from './epilogue-plan.ts';
import { planFused } from './fused-plan.ts';
import { planMultiply } from './multiply-plan.ts';
import { planOp } from './op-plan.ts';

export const cpuMachine = (target: CpuTarget): Machine<Kernel> => ({
  bucketBytes: target.bucketBytes,
  overlapsCollectives: target.overlapsCollectives,
  fitsEpilogue: (spec, space) => fitsEpilogue(spec, space, target),
  fitsColumnSums: isWholeRows,
  planKernel: (step, context) => planStep(step, context, target),
});

function planStep(step: KernelStep, { module, operators, storage }: KernelContext, target: CpuTarget): PlannedKernel {
  if (step.kind === 'fused')
    return step.dot ? planEpilogue(step.group, step.dot, storage, target) : planFused(step.group, storage);
  if (step.dot) return planMultiply(step.dot, step.writes[0]!, target);
  const planned = planOp(step.op, { module, operators, target });
  return step.part === undefined ? planned : planCollectivePart(planned, step.part);
}
