// A convolution as a multiply in which one operand, the patches, is never stored completely (implicit GEMM, see convolution/).
// For floats of 2 bytes or more.
import { type Op, tensorTypeOf } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { planConvolution } from '../convolution/convolution-plan.ts';
import { convolutionProblem } from '../convolution/convolution-problem.ts';
import type { ConvolutionPlan, ConvolutionTypes } from '../ir/convolution.ts';
import type { Load } from '../ir/multiply-tiling.ts';
import type { CpuTarget } from '../target/target.ts';

/** Elements are converted to f32; f64 is not converted. */
const loads: { readonly [T in ElementType]?: Load } = { f32: 'copy', f64: 'copy', bf16: 'bf16', f16: 'f16' };

export interface ImplicitGemm {
  readonly plan: ConvolutionPlan;
  readonly types: ConvolutionTypes;
}

/** Undefined if direct loops are faster. */
export function planImplicitGemm(op: Op<'convolution'>, target: CpuTarget): ImplicitGemm | undefined {
  const [x, w, y] = [tensorTypeOf(op.operands[0]), tensorTypeOf(op.operands[1]), tensorTypeOf(op.results[0])];
  const [xLoad, wLoad] = [loads[x.elementType], loads[w.elementType]];
  if (xLoad === undefined || wLoad === undefined || loads[y.elementType] === undefined) return undefined;
  const isDouble = y.elementType === 'f64';
  // An operand with another type than the result is first converted to that type, which is exact for f32.
  const fits = [x, w].every(
    ({ elementType }) =>
      (elementType === 'f64') === isDouble && (elementType === y.elementType || y.elementType === 'f32'),
  );
  if (!fits) return undefined;
  const problem = convolutionProblem(op.attributes, x.shape, w.shape, y.shape);
  const plan = problem && planConvolution(problem, isDouble ? 8 : 4, wLoad !== 'copy', target);
  return plan && { plan, types: { sum: isDouble ? 'f64' : 'f32', x: xLoad, w: wLoad, y: y.elementType } };
}
