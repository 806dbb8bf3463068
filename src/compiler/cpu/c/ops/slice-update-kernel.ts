// The kernel that writes a slice over a large tensor: the tensor is copied first unless the result shares its memory, as in
// a loop that fills a stack; then the contiguous runs of the slice are written.
import { elementAt } from '../../../../base/element-at.ts';
import { shapeOf, tensorTypeOf } from '../../../../hlo/program.ts';
import { byteSize, elementBytes, stridesOf } from '../../../../hlo/types.ts';
import { literalOf } from '../../../lowering/constants.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { cLiteral, memoryType } from '../scalar/c-types.ts';
import { scalarText } from '../scalar/scalar.ts';
import { Writer } from '../writer.ts';

export function printSliceUpdate({ op, slots, runs, runElements }: OpKernelOf<'slice-update'>): KernelText {
  const out = new Writer();
  const [x, update, ...starts] = op.operands;
  const type = tensorTypeOf(x);
  const bytes = elementBytes(type.elementType);
  const [whole, part] = [shapeOf(x), shapeOf(update)];
  const strides = stridesOf(whole);
  const [from, to] = [`p[${slots.operands[1]}]`, `p[${slots.results[0]}]`];
  const old = `p[${slots.operands[0]}]`;
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line(`if (${to} != ${old}) __builtin_memcpy(${to}, ${old}, ${byteSize(type)});`);
  starts.forEach((start, d) => {
    const { elementType } = tensorTypeOf(start);
    const slot = elementAt(slots.operands, d + 2);
    const value = slot < 0 ? `(${cLiteral(literalOf(start), 0)})` : `*(const ${memoryType(elementType)} *)p[${slot}]`;
    const limit = elementAt(whole, d) - elementAt(part, d);
    out.line(
      `const int64_t s${d} = ${limit === 0 ? '0' : scalarText({ name: 'clamp_index', limit }, [`(${value})`], [elementType], 'i64')};`,
    );
  });
  out.line(`const char *from = ${from};`);
  runs.forEach((size, d) => {
    out.open(`for (int64_t i${d} = 0; i${d} < ${size}; i${d}++)`);
  });
  const place = whole.map(
    (_, d) => `${d < runs.length ? `(s${d} + i${d})` : `s${d}`} * ${elementAt(strides, d) * bytes}`,
  );
  out.line(`__builtin_memcpy(${to} + ${place.join(' + ') || '0'}, from, ${runElements * bytes});`);
  out.line(`from += ${runElements * bytes};`);
  for (const _ of runs) out.close();
  out.close();
  return { code: out.toString() };
}
