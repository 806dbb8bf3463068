// The C of a convolution as a multiply whose one operand, the patches, is never stored whole (kernels/implicit-gemm-plan.ts).
import { invariant } from '../../../base/errors.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import { planImplicitGemm } from '../../kernels/implicit-gemm-plan.ts';
import type { Target } from '../../target/target.ts';
import { emitConvolution } from '../convolution/convolution-functions.ts';
import type { KernelText } from '../kernel-text.ts';
import { PlainKernel } from './plain-kernel.ts';

export function printImplicitGemm({ op }: OpKernelOf<'implicit-gemm'>, target: Target): KernelText {
  const found = planImplicitGemm(op, target);
  invariant(found !== undefined, 'a convolution that has direct loops');
  const k = new PlainKernel();
  const [x, w] = [k.read(op.operands[0]), k.read(op.operands[1])];
  const y = k.write(op.results[0]);
  const operands = k.operands.list;
  const slots = { x: x.slot, w: w.slot, y: y.slot, workspace: operands.length, xCount: x.count };
  return { ...emitConvolution(found.plan, found.types, slots, target), operands, usesGemm: true };
}
