// The kernel of sort: for each slice along the dim, the order as a permutation of positions, by merging (stable), then
// the elements of every operand moved in that order.
import { zip } from '../../../../base/zip.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { sizeText } from '../kernels/size-text.ts';
import { registerType } from '../scalar/c-types.ts';
import { applyRegion, decode, PlainKernel, sumText } from './plain-kernel.ts';

export function printSort(kernel: OpKernelOf<'sort'>, operands: readonly KernelOperand[]): KernelText {
  const { op, sizes, dim, cut, scratchBytes } = kernel;
  const k = new PlainKernel(kernel, operands, sizes);
  const { out, inputs } = k;
  const x = k.input(0);
  const length = sizeText(x.size(dim));
  const step = sizeText(x.stride(dim));
  const others = x.dimsWithout([dim]);
  k.openTask();
  k.declareCaptures();
  out.line(`int32_t *const first = call->rt->scratch(call->rt, worker, ${sizeText(scratchBytes)});`);
  k.openUnits(cut, 'slice');
  decode(
    out,
    'd',
    others.map(d => x.size(d)),
    'slice',
  );
  out.line(`const int64_t base = ${sumText(others.map((d, i) => [`d${i}`, x.stride(d)]))};`);
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
  inputs.forEach((input, i) => {
    for (const [name, at] of [
      ['x', 'b'],
      ['y', 'a'],
    ])
      out.line(
        `const ${registerType(input.type)} ${name}${i} = ${input.load(`base + from[${at}] * (int64_t)${step}`)};`,
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
  for (const [result, input] of zip(k.results, inputs))
    out.line(`p${result.slot}[base + i * ${step}] = p${input.slot}[base + from[i] * (int64_t)${step}];`);
  out.close();
  out.close();
  out.close();
  return { code: k.text(cut) };
}
