// Prints an EmptyPlan: nothing for an empty C, zeros for sums without products.

import type { EmptyPlan } from '../../ir/multiply-tiling.ts';
import { type GemmParts, PartsBuilder } from './gemm-functions.ts';
import { scalarType } from './gemm-types.ts';

export function emitEmpty(name: string, plan: EmptyPlan): GemmParts {
  const out = new PartsBuilder();
  const { problem: p } = plan;
  const T = scalarType(p.elementType);
  out.line(`static void ${name}(const trenio_rt *rt, const ${T} *a, const ${T} *b, ${scalarType(p.resultType)} *c) {`);
  out.line('(void)rt, (void)a, (void)b, (void)c;');
  const loops = [
    ...p.batch.map(d => ({ size: d.size, stride: d.c })),
    { size: p.m, stride: p.c.m },
    { size: p.n, stride: p.c.n },
  ];
  if (loops.every(loop => loop.size > 0)) {
    loops.forEach((loop, i) => {
      out.line(`for (int64_t i${i} = 0; i${i} < ${loop.size}; i${i}++) {`);
    });
    out.line(`c[${loops.map((loop, i) => `i${i} * ${loop.stride}`).join(' + ')}] = 0;`);
    for (const _ of loops) out.line('}');
  }
  out.line('}');
  return out.build();
}
