// Prints the loops around the micro-kernel for a TiledPlan:
//
//   a task's chunk of C
//     for each product of the batch
//       for each pass over k                      its columns of B are packed
//         for each block of rows                  packed, if A has to be
//           for each strip of the tile's rows
//             for each panel of the tile's columns: the kernel
//             after the last pass, if sums are in scratch: its rows go to C, or to the epilogue

import { elementBytes, sumTypeOf } from '../../gemm/problem.ts';
import { tileDepth } from '../../gemm/tile.ts';
import type { TiledMemory, TiledPlan } from '../../ir/multiply-tiling.ts';
import { storeFunction, storeName } from './formats.ts';
import { type GemmParts, PartsBuilder } from './gemm-functions.ts';
import { scalarType } from './gemm-types.ts';
import {
  argumentsOf,
  emitKernel,
  type KernelArguments,
  type KernelSpec,
  kernelCall,
  kernelName,
} from './micro-kernel.ts';
import { type Epilogue, emitEntry, emitProductLoop } from './multiply-entry.ts';
import { emitPack, packCall, packSource } from './pack.ts';
import { copyRowsName, emitCopyRows, emitTurn, turnName, zeroTailFunction, zeroTailName } from './pack-tiles.ts';
import { emitTileKernel, packedTileRows, type TileKernelSpec, tileKernelName } from './tile-kernel.ts';

/** The memory of a plan, with the details that the C printer needs. */
interface Layout extends TiledMemory {
  readonly plan: TiledPlan;
  readonly epilogue: Epilogue | undefined;
  /** C types of an operand's elements in memory and in panels, and of sums. */
  readonly T: string;
  readonly P: string;
  readonly S: string;
  /** Rows of the last strip, if it is shorter. */
  readonly restRows: number;
}

function layoutOf(plan: TiledPlan, epilogue: Epilogue | undefined): Layout {
  const { problem: p, tile, memory } = plan;
  return {
    ...memory,
    plan,
    epilogue,
    T: scalarType(p.elementType),
    P: scalarType(plan.kernelType),
    S: scalarType(sumTypeOf(p.elementType)),
    restRows: p.m % tile.rows,
  };
}

export function emitTiled(name: string, plan: TiledPlan, epilogue?: Epilogue): GemmParts {
  const out = new PartsBuilder();
  const layout = layoutOf(plan, epilogue);
  const { problem: p, tile, depth } = plan;
  const { P, S, bytesA, bytesB, bytesOfSums } = layout;
  out.line(`static void ${name}_task(void *argument, int64_t task, int worker) {`);
  emitProductLoop(out, p, { rows: true, epilogue }, () => {
    if (layout.scratchBytes > 0) {
      const scratch = `call->rt->scratch(call->rt, worker, ${layout.scratchBytes})`;
      if (layout.keepsB) {
        out.line('gemm_panel_cache *const cache = call->caches + worker;');
        out.line(`if (cache->scratch == 0) *cache = (gemm_panel_cache){${scratch}, -1};`);
      }
      out.line(`char *const scratch = ${layout.keepsB ? 'cache->scratch' : scratch};`);
    }
    if (bytesB > 0) out.line(`${P} *const packed_b = (${P} *)scratch;`);
    if (bytesA > 0) out.line(`${P} *const packed_a = (${P} *)(scratch + ${bytesB});`);
    if (bytesOfSums > 0) out.line(`${S} *const sums = (${S} *)(scratch + ${bytesB + bytesA});`);
    if (plan.registers === 'tiles') out.line('int tiles = 0;  // rows that the tiles are configured for');
  });
  if (depth < p.k) {
    out.line(`for (int64_t k0 = 0; k0 < ${p.k}; k0 += ${depth}) {`);
    out.line(`const int64_t depth = ${p.k} - k0 < ${depth} ? ${p.k} - k0 : ${depth};`);
  } else {
    out.line('{', `const int64_t depth = ${p.k};`);
  }
  const unit = layout.depthUnit;
  if (unit > 1 && bytesA + bytesB > 0) {
    out.line(`const int64_t packed_depth = (depth + ${unit - 1}) / ${unit} * ${unit};`);
  }
  if (layout.keepsB) out.line('if (cache->column != column0) {', 'cache->column = column0;');
  emitPackB(out, layout);
  if (layout.keepsB) out.line('}');
  if (plan.a === 'packed') emitRowBlocks(out, layout);
  else emitStrips(out, layout, 'row0', 'row1');
  out.line('}', '}', ...(plan.registers === 'tiles' ? ['GEMM_TILE_RELEASE();'] : []), '}', '');
  const columns = plan.wholeRows ? layout.chunkColumns : layout.width;
  const split = [p.m, p.n, p.k, tile.rows, columns, plan.maxRows, layout.chunkColumns, plan.near.a, plan.near.b].join(
    ', ',
  );
  const caches = layout.keepsB ? 'GEMM_PANEL_CACHES; ' : '';
  emitEntry(out, name, p, `${caches}gemm_split(&call, BATCH, ${split});`, epilogue);
  return out.build();
}

function packedDepth(plan: TiledPlan): string {
  return plan.memory.depthUnit > 1 ? 'packed_depth' : 'depth';
}

function emitPackB(out: PartsBuilder, layout: Layout): void {
  const { plan, width, edge } = layout;
  const { n, b } = plan.problem;
  const whole = n >= width;
  if (whole && (layout.packsPanels || layout.packsEdge)) {
    out.line(`const int64_t panels = (column1 - column0) / ${width};`);
  }
  const panelStride = `${width} * ${packedDepth(plan)}`;
  const pack = (columns: number, padded: number, column: string, panels: string, target: string): string => {
    const source = `b${atPass(plan, b.k)}${times(column, b.n)}`;
    return packedB(out, layout, padded, columns, { source, panels, panelStride, target });
  };
  if (layout.packsPanels) out.line(pack(width, width, 'column0', 'panels', 'packed_b'));
  if (edge !== undefined && layout.packsEdge) {
    out.line(`const int64_t edge = column0${whole ? ` + panels * ${width}` : ''};`);
    const target = plan.b === 'packed' ? `packed_b + (edge - column0) * ${packedDepth(plan)}` : 'packed_b';
    out.line(`if (edge < column1) ${pack(edge.columns, edge.vectors * plan.lanes, 'edge', '1', target)}`);
  }
}

/** Blocks of packed rows: the strips of one block fit in the L2 cache together with the panels of B. */
function emitRowBlocks(out: PartsBuilder, layout: Layout): void {
  const { plan, restRows } = layout;
  const { m, a } = plan.problem;
  const { rows } = plan.tile;
  const whole = m >= rows;
  const pack = (count: number, row: string, panels: string, target: string): string =>
    packedA(out, layout, count, {
      source: `a${times(row, a.m)}${atPass(plan, a.k)}`,
      panels,
      panelStride: 'strip_stride',
      target,
    });
  out.line(`const int64_t strip_stride = ${rows} * ${packedDepth(plan)} + ${layout.stripGap};`);
  out.line(`for (int64_t block = row0; block < row1; block += ${plan.packedRows}) {`);
  out.line(`const int64_t block_end = row1 - block < ${plan.packedRows} ? row1 : block + ${plan.packedRows};`);
  if (whole)
    out.line(`const int64_t strips = (block_end - block) / ${rows};`, pack(rows, 'block', 'strips', 'packed_a'));
  if (restRows > 0) {
    out.line(`const int64_t rest = block${whole ? ` + strips * ${rows}` : ''};`);
    const target = `packed_a + (rest - block) / ${rows} * strip_stride`;
    out.line(`if (rest < block_end) ${pack(restRows, 'rest', '1', target)}`);
  }
  emitStrips(out, layout, 'block', 'block_end');
  out.line('}');
}

/** Strips of rows, each against all panels of the chunk. */
function emitStrips(out: PartsBuilder, layout: Layout, from: string, to: string): void {
  const { plan, T, P, restRows } = layout;
  const { m, k, a, c, resultType } = plan.problem;
  const { rows } = plan.tile;
  const inPlace = `a${times('i', a.m)}${atPass(plan, a.k)}`;
  out.line(`for (int64_t i = ${from}; i < ${to}; i += ${rows}) {`);
  out.line(
    plan.a === 'packed'
      ? `const ${P} *const strip = packed_a + (i - block) / ${rows} * strip_stride;`
      : `const ${T} *const strip = ${inPlace};`,
  );
  if (plan.sums !== 'scratch') out.line(`${scalarType(resultType)} *const c_strip = c${times('i', c.m)};`);
  else {
    const waiting = plan.depth < plan.problem.k ? ` + (i - row0) * ${layout.sumsRow}` : '';
    out.line(`${layout.S} *const sums_strip = sums${waiting};`);
  }
  // Short rows end before the hardware prefetcher detects their stride, so the next strip is prefetched during this one.
  const rowBytes = k * elementBytes(plan.problem.elementType);
  if (plan.a === 'rows' && rowBytes <= 1024 && a.m > 0) {
    const line = 64 / elementBytes(plan.problem.elementType);
    out.line(`for (int64_t row = i + ${rows}; row < i + ${2 * rows} && row < ${to}; row++) {`);
    out.line(`for (int64_t at = 0; at < depth; at += ${line}) __builtin_prefetch(a + row * ${a.m} + at);`);
    out.line('}');
  }
  out.line('int64_t j = column0;');
  if (m < rows) emitPanels(out, layout, restRows);
  else if (restRows === 0) emitPanels(out, layout, rows);
  else {
    out.line(`if (i + ${rows} <= ${to}) {`);
    emitPanels(out, layout, rows);
    out.line('} else {');
    emitPanels(out, layout, restRows);
    out.line('}');
  }
  if (plan.sums === 'scratch') emitFinish(out, layout, to);
  out.line('}');
}

/** The code after the last pass over a strip whose sums are in scratch memory. */
function emitFinish(out: PartsBuilder, layout: Layout, to: string): void {
  const { plan, epilogue, sumsRow } = layout;
  const { m, k, c, resultType } = plan.problem;
  const { rows } = plan.tile;
  if (plan.depth < k) out.line(`if (k0 + depth == ${k}) {`);
  const count = m < rows ? String(m) : m % rows === 0 ? String(rows) : `(${to} - i < ${rows} ? ${to} - i : ${rows})`;
  if (epilogue === undefined) {
    out.share(storeName(resultType), () => storeFunction(resultType, plan.lanes));
    out.line(`for (int64_t row = 0; row < ${count}; row++) {`);
    const at = `c${times('(i + row)', c.m)}${times('column0', c.n)}`;
    out.line(`${storeName(resultType)}(sums_strip + row * ${sumsRow}, column1 - column0, ${at}, ${c.n});`, '}');
  } else {
    const offset = `offset${times('i', c.m)}${times('column0', c.n)}`;
    out.line(`${epilogue.name}(call->c, ${count}, column1 - column0, ${offset}, ${c.m}, sums_strip, ${sumsRow});`);
  }
  if (plan.depth < k) out.line('}');
}

/** The kernel calls of one strip of `rows` rows. */
function emitPanels(out: PartsBuilder, layout: Layout, rows: number): void {
  const { plan, width, edge } = layout;
  const { problem: p, tile, lanes } = plan;
  const scratch = plan.sums === 'scratch';
  const call = (panel: { columns: number; vectors: number; exact: boolean }, target: string): string => {
    const spec: KernelSpec = {
      elementType: plan.kernelType,
      lanes,
      tile: { rows, vectors: panel.vectors },
      a: plan.a,
      b: plan.b === 'stored' ? storedAccess(plan) : plan.b === 'inPlace' && panel.exact ? 'inPlace' : 'packed',
      ...(scratch || (p.c.n === 1 && panel.exact) ? { store: 'vectors', fetchC: !scratch } : { store: 'elements' }),
      ...(plan.sums === 'rounded' ? { roundC: true } : {}),
    };
    return kernelFor(out, plan, spec, {
      depth: plan.registers === 'tiles' ? 'packed_depth' : 'depth',
      a: 'strip',
      aStride: String(plan.a === 'rows' ? p.a.m : p.a.k),
      b: plan.b === 'stored' ? stored : spec.b === 'packed' ? target : `b${atPass(plan, p.b.k)} + j`,
      bStride: String(p.b.k),
      c: scratch ? 'sums_strip + (j - column0)' : `c_strip${times('j', p.c.n)}`,
      cRow: String(scratch ? layout.sumsRow : p.c.m),
      cColumn: String(p.c.n),
      columns: String(panel.columns),
      add: plan.depth < p.k ? 'k0 > 0' : '0',
    });
  };
  const target = plan.b === 'packed' ? `packed_b + (j - column0) * ${packedDepth(plan)}` : 'packed_b';
  const stored = `b + j * ${p.k}${atPass(plan, width)}`;
  const panel = { columns: width, vectors: tile.vectors, exact: true };
  if (plan.registers === 'tiles') out.line(`GEMM_TILES(${rows});`);
  if (p.n >= width) out.line(`for (; j + ${width} <= column1; j += ${width}) ${call(panel, target)}`);
  if (edge !== undefined) out.line(`if (j < column1) ${call(edge, target)}`);
}

/** Stored pairs are those of the kernel, unless it multiplies f32. */
const storedAccess = ({ problem, kernelType }: TiledPlan): KernelSpec['b'] =>
  problem.elementType === 'bf16' && kernelType === 'f32' ? 'pairs' : 'packed';

/** A call of the kernel of `spec`, or of its equivalent with tiles. */
function kernelFor(out: PartsBuilder, plan: TiledPlan, spec: KernelSpec, x: KernelArguments): string {
  if (plan.registers === 'vectors') {
    out.share(kernelName(spec), () => emitKernel(spec));
    return kernelCall(spec, x);
  }
  const { tile, store, roundC = false } = spec;
  const tiles: TileKernelSpec = { tile, a: spec.a === 'rows' ? 'rows' : 'packed', store, roundC };
  out.share(tileKernelName(tiles), () => emitTileKernel(tiles));
  return `${tileKernelName(tiles)}(${argumentsOf(spec, x)});`;
}

/** The source and target of packed panels, as C expressions. */
interface PackPlace {
  readonly source: string;
  readonly panels: string;
  readonly panelStride: string;
  readonly target: string;
}

/** Statements that pack strips of A. */
function packedA(out: PartsBuilder, layout: Layout, rows: number, to: PackPlace): string {
  const { plan } = layout;
  const { m: across, k: along } = plan.problem.a;
  if (plan.registers === 'vectors') return packed(out, layout, rows, rows, across, along, to);
  const shape = { width: packedTileRows(rows), columns: rows };
  if (along === 1 && across !== 1) {
    out.share(copyRowsName(shape), () => emitCopyRows(shape));
    return `${copyRowsName(shape)}(${to.source}, ${across}, depth, ${to.panels}, ${to.panelStride}, ${to.target});`;
  }
  const pairs = packed(out, layout, shape.width, rows, across, along, to);
  for (const [helper, code] of emitTurn(shape.width)) out.share(helper, () => code);
  const turn = `${turnName(shape.width)}(${to.target}, ${to.panels}, ${to.panelStride}, packed_depth);`;
  return `{ ${[pairs, ...zeroTail(out, plan, shape.width, to), turn].join(' ')} }`;
}

/** Statements that pack panels of B. */
function packedB(out: PartsBuilder, layout: Layout, width: number, columns: number, to: PackPlace): string {
  const { plan } = layout;
  const { n: across, k: along } = plan.problem.b;
  const statement = packed(out, layout, width, columns, across, along, to);
  const more = plan.registers === 'tiles' ? zeroTail(out, plan, width, to) : [];
  return more.length === 0 ? statement : `{ ${[statement, ...more].join(' ')} }`;
}

/** Zeros up to a multiple of the tile's depth, if k is not one. */
function zeroTail(out: PartsBuilder, plan: TiledPlan, width: number, to: PackPlace): string[] {
  if (plan.problem.k % tileDepth === 0) return [];
  out.share(zeroTailName, () => zeroTailFunction);
  return [`${zeroTailName}(${to.target}, ${to.panels}, ${to.panelStride}, ${width}, depth, packed_depth);`];
}

function packed(
  out: PartsBuilder,
  { plan }: Layout,
  width: number,
  columns: number,
  across: number,
  along: number,
  to: PackPlace,
): string {
  const spec = {
    elementType: plan.kernelType,
    load: plan.load,
    f16: plan.f16,
    width,
    columns,
    lanes: plan.lanes,
    source: packSource(across, along),
  };
  for (const [helper, code] of emitPack(spec)) out.share(helper, () => code);
  return packCall(spec, { ...to, across, along, depth: 'depth' });
}

/** The offset of the current pass over k. */
function atPass(plan: TiledPlan, stride: number): string {
  return plan.depth < plan.problem.k ? times('k0', stride) : '';
}

/** A term of an address: a stride of 1 needs no multiplication, a stride of 0 no term. */
function times(index: string, stride: number): string {
  return stride === 0 ? '' : stride === 1 ? ` + ${index}` : ` + ${index} * ${stride}`;
}
