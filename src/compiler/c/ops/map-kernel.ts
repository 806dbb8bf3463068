// The kernel of map, where its region is more than elementwise ops (those it is said in, and fuses): the region for one
// element after another.
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, PlainKernel } from './plain-kernel.ts';

export function printMap({ op, cut }: OpKernelOf<'map'>): KernelText {
  const k = new PlainKernel();
  const inputs = op.operands.map(v => k.read(v));
  const result = k.write(op.results[0]);
  const outer = k.captures(op);
  const { out } = k;
  const region = op.regions[0];
  k.openTask();
  k.declareCaptures(op);
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
    outer,
  );
  out.line(`p${result.slot}[i] = ${stored(result.type, value!)};`);
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}`, operands: k.operands.list, workspaceBytes: 0 };
}
