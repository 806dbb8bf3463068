// The kernel of map, if its region is more than element-wise ops (into which it would be decomposed, and fused): evaluates the
// region element by element.

import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, PlainKernel } from './plain-kernel.ts';

export function printMap(kernel: OpKernelOf<'map'>, operands: readonly KernelOperand[]): KernelText {
  const { op, cut } = kernel;
  const k = new PlainKernel(kernel, operands);
  const { out, inputs } = k;
  const result = k.result(0);
  k.openTask();
  k.declareCaptures();
  k.openUnits(cut, 'i');
  inputs.forEach((x, i) => {
    out.line(`const ${registerType(x.type)} x${i} = ${x.load('i')};`);
  });
  const args = inputs.map((_, i) => `x${i}`);
  for (const value of applyRegion(out, op.regions[0], args, 'f', k.nameOf))
    out.line(`p${result.slot}[i] = ${stored(result.type, value)};`);
  out.close();
  out.close();
  return { code: k.text(cut) };
}
