// A task of a convolution: its part of the result, its scratch memory, and its loops.

import { loadType } from '../gemm/formats.ts';
import { emitAcross, emitAlong } from './convolution-loops.ts';
import { type Emission, emitPart, resultAt } from './emission.ts';
import { type CopySpec, piece, sharePanels, shareRows } from './patch-copies.ts';

export function emitTask(e: Emission): void {
  const { plan, out, T } = e;
  const { problem: p, slices } = plan;
  const [X, W] = [loadType(e.types.x, e.types.sum), loadType(e.types.w, e.types.sum)];
  const isAcross = plan.orientation === 'across';
  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('const t_call *const call = arg;');
  out.line('char *const *const p = call->p;');
  emitPart(e, slices > 1 ? `task / ${slices}` : 'task');
  const first = slices > 1 ? `task % ${slices} * ${plan.sliceDepth}` : '0';
  out.line(`const int64_t first = ${first};`);
  out.line(
    slices > 1
      ? `const int64_t stop = first + ${plan.sliceDepth} < c->depth ? first + ${plan.sliceDepth} : c->depth;`
      : 'const int64_t stop = c->depth;',
  );
  out.line(`const ${X} *const x = (const ${X} *)p[${e.slots.x}] + group * ${p.xGroup};`);
  out.line(`const ${X} *const x_begin = (const ${X} *)p[${e.slots.x}], *const x_end = x_begin + ${e.slots.xCount};`);
  if (plan.weights !== 'once')
    out.line(`const ${W} *const w = (const ${W} *)p[${e.slots.w}] + group * ${p.wGroup} + c->w_base;`);
  else
    out.line(`const ${T} *const w = (const ${T} *)p[${e.slots.workspace}] + group * ${plan.packedCount} + c->packed;`);
  const copy: CopySpec = {
    type: e.types.sum,
    load: e.types.x,
    lanes: plan.lanes,
    f16: plan.f16,
    step: plan.copies.step,
    flat: plan.copies.isFlat,
  };
  if (isAcross) sharePanels(e.helpers, copy);
  else shareRows(e.helpers, copy, plan.featureInner);
  const { memory } = plan;
  out.line(`char *scratch = call->rt->scratch(call->rt, worker, ${memory.scratchBytes});`);
  const typeOf = { panels: T, strip: T, sums: T, runs: 't_conv_run', pieces: piece(copy), starts: 'int64_t' };
  for (const { name, bytes } of memory.scratch) {
    out.line(`${typeOf[name]} *const ${name} = (${typeOf[name]} *)scratch;`);
    out.line(`scratch += ${bytes};`);
  }
  if (slices > 1)
    out.line(`${T} *const sums = (${T} *)p[${e.slots.workspace}] + ${memory.packed} + task * ${memory.partial};`);
  if (plan.phases.some(x => x.phase.depth === 0))
    out.line(`if (c->depth == 0) __builtin_memset(sums, 0, ${memory.sums * e.bytes});`);
  if (isAcross) emitAcross(e, copy, memory.patchStride);
  else emitAlong(e, copy, memory.patchStride);
  if (slices === 1) out.line(`@_store(c, sums, m1 - m0, j0, j1, ${resultAt(e)});`);
  out.close();
}
