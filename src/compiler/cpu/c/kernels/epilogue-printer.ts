import { elementBytes } from '../../../../hlo/types.ts';
import { sizeOf } from '../../../ir/nest.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { EpilogueKernel } from '../../ir/kernel.ts';
import { printGemm } from '../gemm/index.ts';
import type { KernelText } from '../kernel-text.ts';
import { pointersText } from '../ops/dot-kernels.ts';
import { registerType } from '../scalar/c-types.ts';
import { Writer } from '../writer.ts';
import { declareOperands, decodeLoops } from './loops.ts';
import { declare } from './node-text.ts';
import { RowPrinter } from './row-printer.ts';
import { isMany } from './size-text.ts';

export function printEpilogue(kernel: EpilogueKernel, operands: readonly KernelOperand[]): KernelText {
  const { spec, plan } = kernel.multiply;
  const entry = new Writer();
  entry.open('static void @(const trenio_rt *rt, char *const *p)');
  entry.line('t_call call = {rt, p};');
  entry.line(`@_gemm(rt, ${pointersText(kernel.multiply, operands)}, &call);`);
  entry.close();
  const { code, helpers } = printGemm('@_gemm', spec, plan, { name: '@_epilogue' });
  const text = [printSegment(kernel, operands), code, entry].join('\n');
  return { code: text, helpers, usesGemm: true };
}

function printSegment({ row, pieces, prefetch }: EpilogueKernel, operands: readonly KernelOperand[]): string {
  const { nest } = row;
  const printer = new RowPrinter(nest, pieces !== 'rows');
  printer.row(row);
  const width = sizeOf(nest.inner);
  const out = new Writer();
  const head = 'static void @_epilogue(void *context, int64_t rows, int64_t count';
  out.open(`${head}, int64_t offset, int64_t next, const float *restrict sums, int64_t sums_next)`);
  out.line('const t_call *const call = context;');
  out.line('char *const *const p = call->p;');
  declareOperands(out, operands);
  for (const s of row.scratch.nodes) out.line(`_Alignas(64) ${registerType(s.type)} s${s.id}[${width}];`);
  for (const n of row.hoisted) declare(out, n, printer.overrides, printer.random);
  out.open('for (; rows > 0; rows--, offset += next, sums += sums_next)');
  if (prefetch !== undefined) printPrefetch(out, prefetch);
  if (pieces === 'rows') {
    out.open(`for (int64_t row = offset / ${width}; row < (offset + count) / ${width}; row++)`);
  } else {
    // a piece of a row of the multiply may be several rows here, or part of one
    out.open('for (int64_t at = offset; at < offset + count;)');
    out.line(`const int64_t row = at / ${width}, lo = at % ${width}, rest = offset + count - at;`);
    out.line(`int64_t hi = rest < ${pieces} ? lo + rest : lo + ${pieces};`);
    out.line(`if (hi > ${width}) hi = ${width};`);
    out.line('at += hi - lo;');
  }
  if (isMany(sizeOf(nest.kept))) decodeLoops(out, nest.kept, 'row');
  for (const line of printer.out.lines) out.line(line);
  out.close();
  out.close();
  out.close();
  return out.toString();
}

function printPrefetch(out: Writer, { ahead, reads }: NonNullable<EpilogueKernel['prefetch']>): void {
  for (const { slot, type } of reads) {
    const line = 64 / elementBytes(type);
    out.line(
      `for (int64_t i = offset + ${ahead}; i < offset + count + ${ahead}; i += ${line}) __builtin_prefetch(p${slot} + i, 0, 2);`,
    );
  }
}
