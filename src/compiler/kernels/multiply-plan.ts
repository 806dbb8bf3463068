// The kernel of a multiply alone: where its operands are among those of the kernel.
import type { Value } from '../../hlo/program.ts';
import type { MultiplyKernel } from '../ir/kernel.ts';
import type { DotPlan } from '../ir/multiply.ts';
import type { KernelOperand } from '../ir/operands.ts';

export interface PlannedMultiply {
  readonly kernel: MultiplyKernel;
  readonly operands: readonly KernelOperand[];
}

export function planMultiply({ spec, lhs, rhs }: DotPlan, result: Value): PlannedMultiply {
  const same = lhs.value === rhs.value;
  const operands: KernelOperand[] = [
    { value: lhs.value, access: 'read' },
    ...(same ? [] : [{ value: rhs.value, access: 'read' as const }]),
    { value: result, access: 'write' },
  ];
  const multiply = {
    spec,
    lhs: { slot: 0, offset: lhs.offset },
    rhs: { slot: same ? 0 : 1, offset: rhs.offset },
  };
  return { kernel: { kind: 'multiply', multiply, result: operands.length - 1 }, operands };
}
