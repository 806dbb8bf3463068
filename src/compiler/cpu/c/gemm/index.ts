// Matrix multiplies as C: the part of this folder that the rest of the compiler uses.
import { assertNever } from '../../../../base/errors.ts';
import type { GemmSpec } from '../../../ir/multiply.ts';
import type { GemmPlan } from '../../ir/multiply-tiling.ts';
import { comment } from '../outside-text.ts';
import { emitEmpty } from './empty-multiply.ts';
import type { GemmParts } from './gemm-functions.ts';
import { emitInterleavedDot } from './interleaved-dot.ts';
import type { Epilogue } from './multiply-entry.ts';
import { emitQuantizedDot } from './quantized-dot.ts';
import { emitDot } from './row-dot.ts';
import { emitTiled } from './tiled-multiply.ts';

export type { GemmBatch, GemmSpec } from '../../../ir/multiply.ts';
export type { GemmParts } from './gemm-functions.ts';
export { gemmPrelude } from './gemm-prelude.ts';
export type { Epilogue } from './multiply-entry.ts';

/**
 * The C of a multiply, with its shared functions separate: a unit of many multiplies needs each of them once, before its
 * users. The code defines `static void NAME(const trenio_rt *rt, const T *a, const T *b, T *c)`, with scales after a quantized b,
 * and the workspace last if there is one; with an epilogue, which takes the sums in place of C, `…, void *context)`.
 * `plan`: the plan of `spec`, with the epilogue.
 */
export function printGemm(name: string, spec: GemmSpec, plan: GemmPlan, epilogue?: Epilogue): GemmParts {
  const parts = ((): GemmParts => {
    switch (plan.kind) {
      case 'tiled':
        return emitTiled(name, plan, epilogue);
      case 'dot':
        return emitDot(name, plan);
      case 'quantized':
        return emitQuantizedDot(name, plan);
      case 'interleaved':
        return emitInterleavedDot(name, plan);
      case 'empty':
        return emitEmpty(name, plan);
      default:
        return assertNever(plan);
    }
  })();
  return { ...parts, code: `${describe(spec)}\n${parts.code}` };
}

function describe(s: GemmSpec): string {
  const batch = s.batch.length === 0 ? '' : ` for each of ${s.batch.map(d => d.size).join('x')}`;
  const types = [s.elementType, s.compute, s.resultType].filter(x => x !== undefined).join(' ') + quantizedText(s);
  return comment(
    `C[${s.m},${s.n}] = A[${s.m},${s.k}] B[${s.k},${s.n}]${batch}, ${types}; strides A ${s.a.m},${s.a.k} B ${s.b.k},${s.b.n} C ${s.c.m},${s.c.n}`,
  );
}

function quantizedText({ quantized: q }: GemmSpec): string {
  return q === undefined
    ? ''
    : `, B in ${q.bits} bits with a scale for each ${q.block}${q.layout === 'rows' ? '' : ', rows interleaved'}`;
}
