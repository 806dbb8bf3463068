// A convolution with 3×3 weights in fewer multiplies (Winograd, see convolution/winograd-plan.ts): for f32, if the precision of
// the op allows its rounding.

import { invariant } from '../../../base/errors.ts';
import { type Op, tensorTypeOf } from '../../../hlo/program.ts';
import { planWinograd } from '../convolution/winograd-plan.ts';
import { winogradProblem } from '../convolution/winograd-problem.ts';
import type { OpKernelOf, OpSlots } from '../ir/op-kernel.ts';
import type { WinogradPlan } from '../ir/winograd.ts';
import type { CpuTarget } from '../target/target.ts';

/** Undefined if it does not apply, or is not faster. */
export function planWinogradOf(op: Op<'convolution'>, target: CpuTarget): WinogradPlan | undefined {
  const [x, w, y] = [tensorTypeOf(op.operands[0]), tensorTypeOf(op.operands[1]), tensorTypeOf(op.results[0])];
  const applies =
    [x, w, y].every(t => t.elementType === 'f32') &&
    op.attributes.precision.every(precision => precision === 'DEFAULT');
  if (!applies) return undefined;
  const problem = winogradProblem(op.attributes, x.shape, w.shape, y.shape);
  return problem && planWinograd(problem, target);
}

/** Where the images, the weights and the results of the sums are: the gradient of the weights is a result. */
export function winogradSlots({ problem }: WinogradPlan, { operands, results }: OpSlots): OpKernelOf<'winograd'>['at'] {
  const [[x, other], [result]] = [operands, results];
  invariant(
    x !== undefined && other !== undefined && result !== undefined,
    'a convolution has two operands and a result',
  );
  return problem.role === 'images' ? { x, w: other, y: result } : { x, w: result, y: other };
}
