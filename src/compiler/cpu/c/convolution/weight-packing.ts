// Weights in panels, packed once before the tasks or by each task.

import { loadText, loadType, shareLoad } from '../gemm/formats.ts';
import { emitPack, packCall } from '../gemm/pack.ts';
import type { PackSpec } from '../gemm/pack-spec.ts';
import { comment } from '../outside-text.ts';
import { type Emission, panelFeatures, panelsOf, restFeatures, share } from './emission.ts';
import { extentCount } from './patch-copies.ts';

export function emitPacking(e: Emission): void {
  const { plan, out } = e;
  const { problem: p, phases, lanes } = plan;
  const W = loadType(e.types.w, e.types.sum);
  const whole = panelFeatures(e);
  const rest = restFeatures(e);
  const inner = phases[0]!.wExtents.at(-1)!.stride;
  const isOne = phases.length === 1;
  const source = isOne && p.wOut === 1 ? 'across' : isOne && inner === 1 ? 'along' : 'strided';
  const kinds = [
    ...(p.outputs >= whole ? [{ name: '@_pack', columns: whole, width: whole }] : []),
    ...(rest.count > 0 ? [{ name: '@_pack_rest', columns: rest.count, width: rest.width }] : []),
  ];
  for (const { name, columns, width } of kinds) {
    out.line(comment(`A panel of weights, ${columns} output features, k0 to k1: target[k][feature].`));
    out.open(`static void ${name}(const t_conv *c, const ${W} *w, int64_t k0, int64_t k1, ${e.T} *restrict target)`);
    out.open('for (int64_t k = k0; k < k1;)');
    out.line(
      `const int64_t inner = c->w_size[${extentCount - 1}], at = k % inner, along = c->w_stride[${extentCount - 1}];`,
    );
    out.line('int64_t rest = k / inner, depth = inner - at;');
    out.line('if (depth > k1 - k) depth = k1 - k;');
    out.line(`const ${W} *source = w + at * along;`);
    out.line(
      `for (int d = ${extentCount - 2}; d >= 0; d--) source += rest % c->w_size[d] * c->w_stride[d], rest /= c->w_size[d];`,
    );
    if (source === 'strided') {
      shareLoad(e.helpers, e.types.w, 1, e.plan.f16);
      out.open(`for (int64_t i = 0; i < depth; i++, target += ${width})`);
      out.line(
        `for (int64_t m = 0; m < ${columns}; m++) target[m] = ${loadText(e.types.w, e.types.sum, 1, `source + m * ${p.wOut} + i * along`)};`,
      );
      if (width > columns) out.line(`for (int64_t m = ${columns}; m < ${width}; m++) target[m] = 0;`);
      out.close();
    } else {
      const spec: PackSpec = {
        elementType: e.types.sum,
        load: e.types.w,
        f16: e.plan.f16,
        width,
        columns,
        source,
        lanes,
      };
      for (const [helper, text] of emitPack(spec)) share(e, helper, text);
      out.line(
        packCall(spec, {
          source: 'source',
          across: p.wOut,
          along: inner,
          depth: 'depth',
          panels: '1',
          panelStride: '0',
          target: 'target',
        }),
      );
      out.line(`target += depth * ${width};`);
    }
    out.line('k += depth;');
    out.close();
    out.close();
  }
  if (plan.weights !== 'once') return;
  const panels = panelsOf(e);
  out.open('static void @_pack_task(void *arg, int64_t task, int worker)');
  out.line('char *const *const p = ((const t_call *)arg)->p;');
  out.line(`const int64_t group = task / ${panels}, panel = task % ${panels};`);
  out.open(`for (int i = 0; i < ${phases.length}; i++)`);
  out.line('const t_conv *const c = &@_shape[i];');
  out.line(
    `const ${W} *const w = (const ${W} *)p[${e.slots.w}] + group * ${p.wGroup} + c->w_base + panel * ${whole * p.wOut};`,
  );
  out.line(
    `${e.T} *const to = (${e.T} *)p[${e.slots.workspace}] + group * ${plan.packedCount} + c->packed + panel * ${whole} * c->depth;`,
  );
  if (rest.count > 0)
    out.line(`${p.outputs >= whole ? `if (panel == ${panels - 1}) ` : ''}@_pack_rest(c, w, 0, c->depth, to);`);
  if (p.outputs >= whole)
    out.line(`${rest.count > 0 ? `if (panel < ${panels - 1}) ` : ''}@_pack(c, w, 0, c->depth, to);`);
  out.close();
  out.close();
}
