// The kernel of map, if its region is more than element-wise ops (into which it would be decomposed, and fused): evaluates the
// region element by element.
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, PlainKernel } from './plain-kernel.ts';

export function printMap(kernel: OpKernelOf<'map'>, operands: readonly KernelOperand[]): KernelText {
  const { op, cut } = kernel;
  const k = new PlainKernel(kernel, operands);
  const { out, inputs } = k;
  const result = k.results[0]!;
  const region = op.regions[0];
  k.openTask();
  k.declareCaptures();
  out.line(
    `const int64_t end = (task + 1) * ${cut.perTask} < ${result.count} ? (task + 1) * ${cut.perTask} : ${result.count};`,
  );
  out.open(`for (int64_t i = task * ${cut.perTask}; i < end; i++)`);
  inputs.forEach((x, i) => {
    out.line(`const ${registerType(x.type)} x${i} = ${loaded(x.type, `p${x.slot}[i]`)};`);
  });
  const [value] = applyRegion(
    out,
    region,
    inputs.map((_, i) => `x${i}`),
    'f',
    k.nameOf,
  );
  out.line(`p${result.slot}[i] = ${stored(result.type, value!)};`);
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}
