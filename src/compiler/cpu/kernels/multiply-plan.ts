// The kernel of a multiply alone: where its operands are among those of the kernel, and how it is tiled.
import type { Value } from '../../../hlo/program.ts';
import type { DotPlan } from '../../ir/multiply.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { planGemm, scratchBytesOf, workspaceBytesOf } from '../gemm/gemm-plan.ts';
import type { MultiplyKernel, PlannedKernel } from '../ir/kernel.ts';
import type { CpuTarget } from '../target/target.ts';

export function planMultiply({ spec, lhs, rhs, scales }: DotPlan, result: Value, target: CpuTarget): PlannedKernel {
  const same = lhs.value === rhs.value;
  const operands: KernelOperand[] = [
    { value: lhs.value, access: 'read' },
    ...(same ? [] : [{ value: rhs.value, access: 'read' as const }]),
    ...(scales === undefined ? [] : [{ value: scales, access: 'read' as const }]),
    { value: result, access: 'write' },
  ];
  const plan = planGemm(spec, target);
  const multiply = {
    spec,
    plan,
    lhs: { slot: 0, offset: lhs.offset },
    rhs: { slot: same ? 0 : 1, offset: rhs.offset },
    ...(scales === undefined ? {} : { scales: 2 }),
  };
  const kernel: MultiplyKernel = { kind: 'multiply', multiply, result: operands.length - 1 };
  return { kernel, operands, workspaceBytes: workspaceBytesOf(plan), scratchBytes: scratchBytesOf(plan) };
}
