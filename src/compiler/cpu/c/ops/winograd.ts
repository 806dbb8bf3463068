// The C of a convolution with 3×3 weights in fewer multiplies (kernels/winograd-op-plan.ts).
import { shapeOf } from '../../../../hlo/program.ts';
import { elementCount } from '../../../../hlo/types.ts';
import { type KernelOperand, operandAt } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import { emitWinograd } from '../convolution/winograd-functions.ts';
import type { KernelText } from '../kernel-text.ts';

export function printWinograd({ plan, at }: OpKernelOf<'winograd'>, operands: readonly KernelOperand[]): KernelText {
  const countOf = (slot: number): number => elementCount(shapeOf(operandAt(operands, slot).value));
  const slots = { ...at, xCount: countOf(at.x), yCount: countOf(at.y), workspace: operands.length };
  return { ...emitWinograd(plan, slots), usesGemm: true };
}
