// The kernel of sort: for each slice along the dim, the order as a permutation of positions, by merging (stable), then
// the elements of every operand moved in that order.
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType } from '../scalar/c-types.ts';
import { applyRegion, decode, PlainKernel, sumText } from './plain-kernel.ts';

export function printSort(kernel: OpKernelOf<'sort'>, operands: readonly KernelOperand[]): KernelText {
  const { op, dim, cut, scratchBytes } = kernel;
  const k = new PlainKernel(kernel, operands);
  const { out, inputs, results } = k;
  const { shape, strides } = inputs[0]!;
  const length = shape[dim]!;
  const step = strides[dim]!;
  const others = shape.map((_, d) => d).filter(d => d !== dim);
  const slices = cut.units;
  k.openTask();
  k.declareCaptures();
  out.line(`int32_t *const first = call->rt->scratch(call->rt, worker, ${scratchBytes});`);
  out.line(`const int64_t end = (task + 1) * ${cut.perTask} < ${slices} ? (task + 1) * ${cut.perTask} : ${slices};`);
  out.open(`for (int64_t slice = task * ${cut.perTask}; slice < end; slice++)`);
  decode(
    out,
    'd',
    others.map(d => shape[d]!),
    'slice',
  );
  out.line(`const int64_t base = ${sumText(others.map((d, i) => [`d${i}`, strides[d]!] as const))};`);
  out.line(`int32_t *from = first, *to = first + ${length};`);
  out.line(`for (int32_t i = 0; i < ${length}; i++) from[i] = i;`);
  out.open(`for (int64_t width = 1; width < ${length}; width *= 2)`);
  out.open(`for (int64_t lo = 0; lo < ${length}; lo += 2 * width)`);
  out.line(
    `const int64_t middle = lo + width < ${length} ? lo + width : ${length}, hi = lo + 2 * width < ${length} ? lo + 2 * width : ${length};`,
  );
  out.line('int64_t a = lo, b = middle;');
  out.open('for (int64_t i = lo; i < hi; i++)');
  out.line('int second = a >= middle;');
  out.open('if (a < middle && b < hi)');
  // the second half's element goes first only if it must: equal elements keep their order
  inputs.forEach((x, i) => {
    for (const [name, at] of [
      ['x', 'b'],
      ['y', 'a'],
    ])
      out.line(
        `const ${registerType(x.type)} ${name}${i} = ${loaded(x.type, `p${x.slot}[base + from[${at}] * (int64_t)${step}]`)};`,
      );
  });
  const [before] = applyRegion(
    out,
    op.regions[0],
    inputs.flatMap((_, i) => [`x${i}`, `y${i}`]),
    'f',
    k.nameOf,
  );
  out.line(`second = ${before};`);
  out.close();
  out.line('to[i] = second ? from[b++] : from[a++];');
  out.close();
  out.close();
  out.line('int32_t *const swap = from;');
  out.line('from = to;');
  out.line('to = swap;');
  out.close();
  out.open(`for (int64_t i = 0; i < ${length}; i++)`);
  results.forEach((r, i) => {
    out.line(`p${r.slot}[base + i * ${step}] = p${inputs[i]!.slot}[base + from[i] * (int64_t)${step}];`);
  });
  out.close();
  out.close();
  out.close();
  return {
    code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}`,
  };
}
