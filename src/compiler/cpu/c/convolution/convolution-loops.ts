// The loops of a task over passes of k, strips and panels: with patches copied across vectors or along them.
import { emitKernel, type KernelSpec, kernelCall, kernelName } from '../gemm/micro-kernel.ts';
import { type Emission, restFeatures, share } from './emission.ts';
import { type CopySpec, copyFunctions, piece } from './patch-copies.ts';

export function emitAcross(e: Emission, copy: CopySpec, panelStride: number): void {
  const { plan, out, T } = e;
  const { problem: p, tile, depth } = plan;
  const names = copyFunctions(copy);
  const width = e.width;
  out.line(`const int64_t count = t_conv_runs(c, j0, j1, ${width}, ${panelStride}, runs);`);
  out.line('const int64_t taps = c->taps[0] * c->taps[1] * c->taps[2] * c->taps[3];');
  if (!plan.featureInner) {
    out.line('starts[0] = 0;');
    out.line(
      `for (int64_t t = 0; t < taps; t++) starts[t + 1] = starts[t] + ${names.pieces}(c, x, x_end, runs, count, t, pieces + starts[t]);`,
    );
  }
  out.open(`for (int64_t k0 = first; k0 < stop; k0 += ${depth})`);
  out.line(`const int64_t depth = stop - k0 < ${depth} ? stop - k0 : ${depth};`);
  const feature = plan.featureInner ? 'k0 % c->inputs' : 'k0 / taps';
  const tap = plan.featureInner ? 'k0 / c->inputs' : 'k0 % taps';
  out.line(`int64_t feature = ${feature}, tap = ${tap};`);
  if (plan.featureInner)
    out.line(`const ${piece(copy)} *end = pieces + ${names.pieces}(c, x, x_end, runs, count, tap, pieces);`);
  out.open('for (int64_t k = 0; k < depth; k++)');
  if (plan.featureInner) {
    out.line(`${names.panel}(c, pieces, end, feature, panels + k * ${width});`);
    out.open('if (++feature == c->inputs)');
    out.line('feature = 0, tap++;');
    out.line(`if (k + 1 < depth) end = pieces + ${names.pieces}(c, x, x_end, runs, count, tap, pieces);`);
    out.close();
  } else {
    out.line(`${names.panel}(c, pieces + starts[tap], pieces + starts[tap + 1], feature, panels + k * ${width});`);
    out.line('if (++tap == taps) tap = 0, feature++;');
  }
  out.close();
  const rests = new Set(plan.phases.map(x => Math.ceil((x.phase.columns % width) / plan.lanes)).filter(v => v > 0));
  const strip = (rows: number): void => {
    const kernel = (vectors: number): string => {
      const spec: KernelSpec = {
        elementType: e.types.sum,
        lanes: plan.lanes,
        tile: { rows, vectors },
        a: plan.weights === 'inPlace' ? 'rows' : 'packed',
        // The last panel is as wide as the others, but has fewer vectors worth multiplying.
        b: vectors === tile.vectors ? 'packed' : 'inPlace',
        store: 'vectors',
      };
      share(e, kernelName(spec), emitKernel(spec));
      return kernelCall(spec, {
        depth: 'depth',
        a: 'strip',
        aStride: String(p.wOut),
        b: `panels + (j - j0) / ${width} * ${panelStride}`,
        bStride: String(width),
        c: `sums + (m - m0) * ${e.plan.memory.sumRow} + (j - j0)`,
        cRow: String(e.plan.memory.sumRow),
        cColumn: '1',
        columns: '0',
        add: 'k0 > first',
      });
    };
    out.line(
      plan.weights === 'inPlace'
        ? `const ${T} *const strip = w + m * ${p.wOut} + k0;`
        : `const ${T} *const strip = w + m * c->depth + k0 * ${rows};`,
    );
    emitPanelLoop(e, width, rests, kernel, 'j', 'j0', 'j1');
  };
  // All strips of a block but the last are whole, since blocks are multiples of the tile.
  emitStrips(e, tile.rows, new Set([p.outputs % tile.rows].filter(r => r > 0)), strip, 'm', 'm0', 'm1', p.outputs);
  out.close();
}

export function emitAlong(e: Emission, copy: CopySpec, rowStride: number): void {
  const { plan, out } = e;
  const { problem: p, tile, depth, featureInner } = plan;
  const names = copyFunctions(copy);
  const width = e.width;
  const rest = restFeatures(e);
  out.open(`for (int64_t k0 = first; k0 < stop; k0 += ${depth})`);
  out.line(`const int64_t depth = stop - k0 < ${depth} ? stop - k0 : ${depth};`);
  if (plan.weights === 'inTask') {
    const pack = (name: string): string => `${name}(c, w + m * ${p.wOut}, k0, k0 + depth, panels + (m - m0) * depth);`;
    if (p.outputs >= width) {
      out.line(`int64_t m = m0;`);
      out.line(`for (; m + ${width} <= m1; m += ${width}) ${pack('@_pack')}`);
      if (rest.count > 0) out.line(`if (m < m1) ${pack('@_pack_rest')}`);
    } else out.line(`{ const int64_t m = m0; ${pack('@_pack_rest')} }`);
  }
  const rests = new Set(rest.count > 0 ? [rest.width / plan.lanes] : []);
  const strip = (rows: number): void => {
    const copyRows = featureInner ? names.rowsOfFeatures : names.rows;
    out.line(`${copyRows}(c, x, x_begin, x_end, j, j + ${rows}, k0, k0 + depth, strip, ${rowStride});`);
    const kernel = (vectors: number): string => {
      const spec: KernelSpec = {
        elementType: e.types.sum,
        lanes: plan.lanes,
        tile: { rows, vectors },
        a: 'rows',
        b: 'packed',
        store: 'vectors',
      };
      share(e, kernelName(spec), emitKernel(spec));
      return kernelCall(spec, {
        depth: 'depth',
        a: 'strip',
        aStride: String(rowStride),
        b: plan.weights === 'inTask' ? 'panels + (m - m0) * depth' : `w + m * c->depth + k0 * ${vectors * plan.lanes}`,
        bStride: '0',
        c: `sums + (j - j0) * ${e.plan.memory.sumRow} + (m - m0)`,
        cRow: String(e.plan.memory.sumRow),
        cColumn: '1',
        columns: '0',
        add: 'k0 > first',
      });
    };
    emitPanelLoop(e, width, rests, kernel, 'm', 'm0', 'm1');
  };
  const restRows = new Set(plan.phases.map(x => x.phase.columns % tile.rows).filter(r => r > 0));
  const fewest = Math.max(...plan.phases.map(x => x.phase.columns));
  emitStrips(e, tile.rows, restRows, strip, 'j', 'j0', 'j1', fewest);
  out.close();
}

/** `for` over strips of `rows`; the last one may have one of the `rests`. */
function emitStrips(
  e: Emission,
  rows: number,
  rests: ReadonlySet<number>,
  body: (rows: number) => void,
  i: string,
  from: string,
  to: string,
  total: number,
): void {
  const out = e.out;
  out.open(`for (int64_t ${i} = ${from}; ${i} < ${to}; ${i} += ${rows})`);
  const cases = [...(total >= rows ? [rows] : []), ...rests];
  cases.forEach((count, n) => {
    const isLast = n === cases.length - 1;
    const test = count === rows ? `${to} - ${i} >= ${rows}` : `${to} - ${i} == ${count}`;
    out.open(cases.length === 1 ? '' : isLast ? 'else' : `${n > 0 ? 'else ' : ''}if (${test})`);
    body(count);
    out.close();
  });
  out.close();
}

/** Calls the kernel for each panel; the last may have fewer vectors. */
function emitPanelLoop(
  e: Emission,
  width: number,
  rests: ReadonlySet<number>,
  kernel: (vectors: number) => string,
  i: string,
  from: string,
  to: string,
): void {
  const out = e.out;
  const { vectors } = e.plan.tile;
  const { lanes } = e.plan;
  out.line(`int64_t ${i} = ${from};`);
  out.line(`for (; ${to} - ${i} >= ${width}; ${i} += ${width}) ${kernel(vectors)}`);
  for (const rest of rests) {
    const test =
      rests.size === 1 ? `${i} < ${to}` : `${i} < ${to} && (${to} - ${i} + ${lanes - 1}) / ${lanes} == ${rest}`;
    out.line(`if (${test}) ${kernel(rest)}`);
  }
}
