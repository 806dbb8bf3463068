// Kernels of dot_general: the generated matrix multiply if both operands have the same type f32, f64, bf16 or f16, plain
// loops for integers.

import { freeDimensions } from '../../../hlo/ops/contraction.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { elementCount, stridesOf } from '../../../hlo/types.ts';
import type { MultiplyKernel, MultiplyOperand } from '../../ir/kernel.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import { type KernelOperand, operandType } from '../../ir/operands.ts';
import { printGemm } from '../gemm/index.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, memoryType, registerType, rounded, stored } from '../scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../scalar/scalar.ts';
import { Writer } from '../writer.ts';

export function printMultiply(kernel: MultiplyKernel, operands: readonly KernelOperand[]): KernelText {
  const { spec, plan, lhs, rhs } = kernel.multiply;
  const T = memoryType(operandType(operands, kernel.result));
  const entry = new Writer();
  entry.open('static void @(const trenio_rt *rt, char *const *p)');
  entry.line(`@_gemm(rt, ${pointerText(lhs, operands)}, ${pointerText(rhs, operands)}, (${T} *)p[${kernel.result}]);`);
  entry.close();
  const { code, helpers } = printGemm('@_gemm', spec, plan);
  return { code: `${code}\n${entry}`, helpers, usesGemm: true };
}

/** C expression for the address of an operand of a multiply. */
export function pointerText({ slot, offset }: MultiplyOperand, operands: readonly KernelOperand[]): string {
  const type = memoryType(operandType(operands, slot));
  return `(const ${type} *)p[${slot}]${offset === 0 ? '' : ` + ${offset}`}`;
}

/** Products of types without native multiplies; each operand is first converted to the result's type. */
export function printPlainDot({ op, slots, cut }: OpKernelOf<'dot'>): KernelText {
  const a = op.attributes;
  const [lhs, rhs] = op.operands;
  const result = op.results[0];
  const type = tensorTypeOf(result).elementType;
  const [l, r] = [shapeOf(lhs), shapeOf(rhs)];
  const [ls, rs] = [stridesOf(l), stridesOf(r)];
  const free = freeDimensions(a, l.length, r.length);
  const out = new Writer();
  const resultDims = [
    ...a.lhsBatchingDimensions.map((d, i) => ({ size: l[d]!, a: ls[d]!, b: rs[a.rhsBatchingDimensions[i]!]! })),
    ...free.lhs.map(d => ({ size: l[d]!, a: ls[d]!, b: 0 })),
    ...free.rhs.map(d => ({ size: r[d]!, a: 0, b: rs[d]! })),
  ];
  const terms = a.lhsContractingDimensions.map((d, i) => ({
    size: l[d]!,
    a: ls[d]!,
    b: rs[a.rhsContractingDimensions[i]!]!,
  }));
  const count = elementCount(shapeOf(result));
  const [lt, rt] = [tensorTypeOf(lhs).elementType, tensorTypeOf(rhs).elementType];
  const accumulator = accumulatorType(type);
  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('char *const *const p = ((const t_call *)arg)->p;');
  out.line(`const ${memoryType(lt)} *const a = (const ${memoryType(lt)} *)p[${slots.operands[0]}];`);
  out.line(`const ${memoryType(rt)} *const b = (const ${memoryType(rt)} *)p[${slots.operands[1]}];`);
  out.line(`${memoryType(type)} *const c = (${memoryType(type)} *)p[${slots.results[0]}];`);
  out.line(`const int64_t end = (task + 1) * ${cut.perTask} < ${count} ? (task + 1) * ${cut.perTask} : ${count};`);
  out.open(`for (int64_t i = task * ${cut.perTask}; i < end; i++)`);
  out.line('int64_t rest = i, at = 0, bt = 0;');
  for (const d of [...resultDims].reverse())
    out.line(`at += rest % ${d.size} * ${d.a}, bt += rest % ${d.size} * ${d.b}, rest /= ${d.size};`);
  out.line(`${accumulator} sum = 0;`);
  terms.forEach((t, k) => {
    out.open(`for (int64_t k${k} = 0; k${k} < ${t.size}; k${k}++)`);
  });
  const position = (base: string, side: 'a' | 'b'): string =>
    [base, ...terms.map((t, k) => `k${k} * ${t[side]}`)].join(' + ');
  out.line(`const ${registerType(lt)} x = ${loaded(lt, `a[${position('at', 'a')}]`)};`);
  out.line(`const ${registerType(rt)} y = ${loaded(rt, `b[${position('bt', 'b')}]`)};`);
  const term = (x: string): string => `(${accumulator})${x}`;
  out.line(`${addProduct('sum', term(converted('x', lt, type)), term(converted('y', rt, type)), type)};`);
  for (const _ of terms) out.close();
  out.line(
    `c[i] = ${stored(type, rounded(type, accumulator === registerType(type) ? 'sum' : `(${registerType(type)})sum`))};`,
  );
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}
