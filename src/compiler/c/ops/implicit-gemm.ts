// The kernel of a convolution as a multiply whose one operand, the patches, is never stored whole (implicit GEMM; how:
// compiler/convolution). For floats of 2 bytes or more; undefined where the direct loops of convolution.ts serve better.
import type { Op } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { planConvolution } from '../../convolution/convolution-plan.ts';
import { convolutionProblem } from '../../convolution/convolution-problem.ts';
import type { Load } from '../../gemm/gemm-plan.ts';
import type { Target } from '../../target/target.ts';
import { emitConvolution } from '../convolution/convolution-functions.ts';
import type { KernelText } from '../kernel-text.ts';
import { PlainKernel } from './plain-kernel.ts';

/** How elements become f32; f64 stays what it is. */
const loads: { readonly [T in ElementType]?: Load } = { f32: 'copy', f64: 'copy', bf16: 'bf16', f16: 'f16' };

export function buildImplicitGemm(op: Op<'convolution'>, target: Target): KernelText | undefined {
  const k = new PlainKernel();
  const [x, w] = [k.read(op.operands[0]), k.read(op.operands[1])];
  const y = k.write(op.results[0]);
  const [xLoad, wLoad] = [loads[x.type], loads[w.type]];
  if (xLoad === undefined || wLoad === undefined || loads[y.type] === undefined) return undefined;
  const isDouble = y.type === 'f64';
  // An operand of another type than the result is first converted to the result's: exact where that is f32 or the same.
  if ([x, w].some(v => (v.type === 'f64') !== isDouble || (v.type !== y.type && y.type !== 'f32'))) return undefined;
  const problem = convolutionProblem(op.attributes, x.shape, w.shape, y.shape);
  const plan = problem && planConvolution(problem, isDouble ? 8 : 4, wLoad !== 'copy', target);
  if (plan === undefined) return undefined;
  const types = { sum: isDouble ? 'f64' : 'f32', x: xLoad, w: wLoad, y: y.type } as const;
  const operands = k.operands.list;
  const places = { x: x.slot, w: w.slot, y: y.slot, workspace: operands.length, xCount: x.count };
  return { ...emitConvolution(plan, types, places, target), operands, usesGemm: true };
}
