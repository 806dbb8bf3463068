// A task of a convolution: its part of the result, its scratch memory, and the loops over it.

import { piecesOf, runsOf } from '../../convolution/convolution-plan.ts';
import { loadType } from '../gemm/formats.ts';
import { emitAcross, emitAlong } from './convolution-loops.ts';
import { align, type Emission, emitPart, resultAt } from './emission.ts';
import { type CopySpec, piece, sharePanels, shareRows } from './patch-copies.ts';

/** Returns what a worker asks of rt->scratch. */
export function emitTask(e: Emission): number {
  const { plan, out, T } = e;
  const { problem: p, slices, depth } = plan;
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
  const parts: { readonly name: string; readonly type: string; readonly bytes: number }[] = [];
  const scratchOf = (name: string, type: string, count: number, bytes = e.bytes): void => {
    parts.push({ name, type, bytes: Math.ceil((count * bytes) / 64) * 64 });
  };
  const copy: CopySpec = {
    type: e.types.sum,
    load: e.types.x,
    lanes: plan.lanes,
    f16: e.target.f16,
    step: copyStep(e),
    flat: isFlat(e),
  };
  const panelStride = e.width * depth + plan.lanes;
  const rowStride = oddLines(depth + plan.lanes, plan.lanes);
  if (isAcross) {
    const taps = Math.max(...plan.phases.map(x => x.phase.depth)) / p.inputs;
    const runs = Math.max(...plan.phases.map(x => runsOf(x.phase, plan.chunk, e.width)));
    const pieces = Math.max(...plan.phases.map(x => piecesOf(x.phase, plan.chunk, e.width)));
    sharePanels(e.helpers, copy);
    scratchOf('panels', T, (plan.chunk / e.width) * panelStride + plan.lanes);
    scratchOf('runs', 't_conv_run', runs, 48);
    scratchOf('pieces', piece(copy), plan.featureInner ? pieces : pieces * taps, 32);
    if (!plan.featureInner) scratchOf('starts', 'int64_t', taps + 1, 8);
  } else {
    shareRows(e.helpers, copy, plan.featureInner);
    scratchOf('strip', T, plan.tile.rows * rowStride + plan.lanes);
    if (plan.weights === 'inTask') scratchOf('panels', T, Math.ceil(plan.block / e.width) * e.width * depth);
  }
  if (slices === 1) scratchOf('sums', T, e.sumCount);
  const scratchBytes = parts.reduce((n, x) => n + x.bytes, 0);
  out.line(`char *scratch = call->rt->scratch(call->rt, worker, ${scratchBytes});`);
  for (const { name, type, bytes } of parts) {
    out.line(`${type} *const ${name} = (${type} *)scratch;`);
    out.line(`scratch += ${bytes};`);
  }
  if (slices > 1) {
    const packed = plan.weights === 'once' ? align(p.groups * plan.packedCount) : 0;
    out.line(`${T} *const sums = (${T} *)p[${e.slots.workspace}] + ${packed} + task * ${align(e.sumCount)};`);
  }
  if (plan.phases.some(x => x.phase.depth === 0))
    out.line(`if (c->depth == 0) __builtin_memset(sums, 0, ${e.sumCount * e.bytes});`);
  if (isAcross) emitAcross(e, copy, panelStride);
  else emitAlong(e, copy, rowStride);
  if (slices === 1) out.line(`@_store(c, sums, m1 - m0, j0, j1, ${resultAt(e)});`);
  out.close();
  return scratchBytes;
}

/** What lies between elements that are copied one after the other. */
function copyStep(e: Emission): CopySpec['step'] {
  const { phases, orientation, featureInner, problem: p } = e.plan;
  const steps = phases.map(({ phase }) => {
    const d = phase.dims.at(-1)!;
    if (orientation === 'across') return d.step * d.xStride;
    return featureInner ? p.xIn : d.dilation * d.xStride;
  });
  const step = steps[0]!;
  return steps.every(s => s === step) && (step === 1 || step === 2) ? step : 'any';
}

/** Whether runs go on from row to row of x: rows are as long as the positions (or taps) are many, without steps. */
function isFlat(e: Emission): boolean {
  const { phases, orientation, featureInner } = e.plan;
  if (orientation === 'across' || featureInner || copyStep(e) !== 1) return false;
  return phases.every(({ phase }) => {
    const [rows, d] = [phase.dims.at(-2)!, phase.dims.at(-1)!];
    return rows.dilation * rows.xStride === d.taps * d.dilation * d.xStride;
  });
}

/** A row's length in elements that is an odd number of vectors: rows then fall on different sets of the L1 cache. */
function oddLines(count: number, lanes: number): number {
  const lines = Math.ceil(count / lanes);
  return (lines % 2 === 1 ? lines : lines + 1) * lanes;
}
