// The C of a convolution with 3×3 weights in fewer multiplies (kernels/winograd-op-plan.ts).
import { shapeOf } from '../../../hlo/program.ts';
import { elementCount } from '../../../hlo/types.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { emitWinograd } from '../convolution/winograd-functions.ts';
import type { KernelText } from '../kernel-text.ts';

export function printWinograd(
  { op, plan, slots }: OpKernelOf<'winograd'>,
  operands: readonly KernelOperand[],
): KernelText {
  const [lhs, rhs] = slots.operands as readonly [number, number];
  const result = slots.results[0]!;
  const xCount = elementCount(shapeOf(op.operands[0]));
  const at =
    plan.problem.role === 'images'
      ? { x: lhs, w: rhs, y: result, yCount: elementCount(shapeOf(op.results[0])) }
      : { x: lhs, w: result, y: rhs, yCount: elementCount(shapeOf(op.operands[1])) };
  return { ...emitWinograd(plan, { ...at, xCount, workspace: operands.length }), usesGemm: true };
}
