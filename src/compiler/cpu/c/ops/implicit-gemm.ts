// The C of a convolution as a multiply without storing the whole patch matrix (kernels/implicit-gemm-plan.ts).
import { elementAt } from '../../../../base/element-at.ts';
import { shapeOf } from '../../../../hlo/program.ts';
import { elementCount } from '../../../../hlo/types.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import { emitConvolution } from '../convolution/convolution-functions.ts';
import type { KernelText } from '../kernel-text.ts';

export function printImplicitGemm(
  { op, plan, types, slots }: OpKernelOf<'implicit-gemm'>,
  operands: readonly KernelOperand[],
): KernelText {
  const [x, w] = [elementAt(slots.operands, 0), elementAt(slots.operands, 1)];
  const at = {
    x,
    w,
    y: elementAt(slots.results, 0),
    workspace: operands.length,
    xCount: elementCount(shapeOf(op.operands[0])),
  };
  return { ...emitConvolution(plan, types, at), usesGemm: true };
}
