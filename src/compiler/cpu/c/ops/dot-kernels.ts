// Kernels of dot_general: the generated matrix multiply if both operands have the same type f32, f64, bf16 or f16, plain
// loops for integers.
import { zip } from '../../../../base/zip.ts';
import { freeDimensions } from '../../../../hlo/ops/contraction.ts';
import { type KernelOperand, operandType } from '../../../ir/operands.ts';
import { workspaceBytesOf } from '../../gemm/gemm-plan.ts';
import type { Multiply, MultiplyKernel, MultiplyOperand } from '../../ir/kernel.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import { printGemm } from '../gemm/index.ts';
import type { KernelText } from '../kernel-text.ts';
import { sizeText } from '../kernels/size-text.ts';
import { loaded, memoryType, registerType, rounded, stored } from '../scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../scalar/scalar.ts';
import { Writer } from '../writer.ts';
import { PlainKernel } from './plain-kernel.ts';

export function printMultiply(kernel: MultiplyKernel, operands: readonly KernelOperand[]): KernelText {
  const { spec, plan } = kernel.multiply;
  const T = memoryType(operandType(operands, kernel.result));
  const entry = new Writer();
  entry.open('static void @(const trenio_rt *rt, char *const *p)');
  entry.line(
    `@_gemm(rt, ${pointersText(kernel.multiply, operands)}, (${T} *)p[${kernel.result}]${workspaceBytesOf(plan) === 0 ? '' : `, p[${operands.length}]`});`,
  );
  entry.close();
  const { code, helpers } = printGemm('@_gemm', spec, plan);
  return { code: `${code}\n${entry}`, helpers, usesGemm: true };
}

/** C expressions for the addresses of the operands of a multiply. */
export function pointersText({ lhs, rhs, scales }: Multiply, operands: readonly KernelOperand[]): string {
  const inputs = [lhs, rhs, ...(scales === undefined ? [] : [{ slot: scales, offset: 0 }])];
  return inputs.map(one => pointerText(one, operands)).join(', ');
}

function pointerText({ slot, offset }: MultiplyOperand, operands: readonly KernelOperand[]): string {
  const type = memoryType(operandType(operands, slot));
  return `(const ${type} *)p[${slot}]${offset === 0 ? '' : ` + ${offset}`}`;
}

/** Products of types without native multiplies; each operand is first converted to the result's type. */
export function printPlainDot(kernel: OpKernelOf<'dot'>, operands: readonly KernelOperand[]): KernelText {
  const { op, slots, sizes, cut } = kernel;
  const a = op.attributes;
  const k = new PlainKernel(kernel, operands, sizes);
  const [l, r, result] = [k.input(0), k.input(1), k.result(0)];
  const { type } = result;
  const free = freeDimensions(a, l.shape.length, r.shape.length);
  const { out } = k;
  /** A loop, and the steps in both operands. */
  interface Dim {
    readonly size: string;
    readonly a: string;
    readonly b: string;
  }
  const both = ([d, e]: readonly [number, number]): Dim => ({
    size: sizeText(l.size(d)),
    a: sizeText(l.stride(d)),
    b: sizeText(r.stride(e)),
  });
  const resultDims = [
    ...zip(a.lhsBatchingDimensions, a.rhsBatchingDimensions).map(both),
    ...free.lhs.map((d): Dim => ({ size: sizeText(l.size(d)), a: sizeText(l.stride(d)), b: '0' })),
    ...free.rhs.map((d): Dim => ({ size: sizeText(r.size(d)), a: '0', b: sizeText(r.stride(d)) })),
  ];
  const terms = zip(a.lhsContractingDimensions, a.rhsContractingDimensions).map(both);
  const accumulator = accumulatorType(type);
  const [left, right, to] = [l, r, result].map(v => memoryType(v.type));
  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('char *const *const p = ((const t_call *)arg)->p;');
  out.line(`const ${left} *const a = (const ${left} *)p[${slots.operands[0]}];`);
  out.line(`const ${right} *const b = (const ${right} *)p[${slots.operands[1]}];`);
  out.line(`${to} *const c = (${to} *)p[${slots.results[0]}];`);
  k.openUnits(cut, 'i');
  out.line('int64_t rest = i, at = 0, bt = 0;');
  for (const d of [...resultDims].reverse())
    out.line(`at += rest % ${d.size} * ${d.a}, bt += rest % ${d.size} * ${d.b}, rest /= ${d.size};`);
  out.line(`${accumulator} sum = 0;`);
  terms.forEach((t, i) => {
    out.open(`for (int64_t k${i} = 0; k${i} < ${t.size}; k${i}++)`);
  });
  const position = (base: string, side: 'a' | 'b'): string =>
    [base, ...terms.map((t, i) => `k${i} * ${t[side]}`)].join(' + ');
  out.line(`const ${registerType(l.type)} x = ${loaded(l.type, `a[${position('at', 'a')}]`)};`);
  out.line(`const ${registerType(r.type)} y = ${loaded(r.type, `b[${position('bt', 'b')}]`)};`);
  const term = (x: string): string => `(${accumulator})${x}`;
  out.line(`${addProduct('sum', term(converted('x', l.type, type)), term(converted('y', r.type, type)), type)};`);
  for (const _ of terms) out.close();
  out.line(
    `c[i] = ${stored(type, rounded(type, accumulator === registerType(type) ? 'sum' : `(${registerType(type)})sum`))};`,
  );
  out.close();
  out.close();
  return { code: k.text(cut) };
}
