// Prints the C of a ConvolutionPlan: the weights packed once, if they are, then the tasks, then slices of k added up.
//
//   a task: columns j0..j1, output features m0..m1, one slice of k; its sums in scratch memory
//     for each pass over k
//       across: the patches of all columns are copied into panels, then strips of weights meet each panel
//       along:  a strip of patches at a time is copied, and meets each panel of weights
//     the sums go to the result, or beside those of the other slices
//
// An element is summed in the order of k within a slice, then slice by slice: the same bits for any number of workers.
import type { ElementType } from '../../hlo/types.ts';
import { memoryType, rounded, stored } from '../emit/c-types.ts';
import { type Load, loadText, loadType, shareLoad } from '../gemm/formats.ts';
import { emitKernel, type KernelSpec, kernelCall, kernelName } from '../gemm/kernel.ts';
import { emitPack, type PackSpec, packCall } from '../gemm/pack.ts';
import { scalarType } from '../gemm/prelude.ts';
import { Writer } from '../kernels/writer.ts';
import type { Target } from '../target.ts';
import { type ConvolutionPlan, type PhasePlan, piecesOf, runsOf } from './plan.ts';
import { type CopySpec, copyFunctions, extentCount, piece, shapeStruct, sharePanels, shareRows } from './runtime.ts';

export interface ConvolutionTypes {
  readonly sum: 'f32' | 'f64';
  readonly x: Load;
  readonly w: Load;
  readonly y: ElementType;
}

/** Where the operands are: their places among the kernel's pointers, and the elements of x. */
export interface ConvolutionPlaces {
  readonly x: number;
  readonly w: number;
  readonly y: number;
  readonly workspace: number;
  readonly xCount: number;
}

export interface ConvolutionCode {
  readonly code: string;
  readonly helpers: ReadonlyMap<string, string>;
  readonly workspaceBytes: number;
  readonly scratchBytes: number;
}

export function emitConvolution(
  plan: ConvolutionPlan,
  types: ConvolutionTypes,
  places: ConvolutionPlaces,
  target: Target,
): ConvolutionCode {
  return new Emitter(plan, types, places, target).emit();
}

class Emitter {
  readonly #plan: ConvolutionPlan;
  readonly #types: ConvolutionTypes;
  readonly #places: ConvolutionPlaces;
  readonly #target: Target;
  readonly #out = new Writer();
  readonly #helpers = new Map<string, string>();
  readonly #T: string;
  readonly #bytes: number;
  /** Columns of a panel of the operand that lies along vectors. */
  readonly #width: number;
  /** From a row of a task's sums to the next. */
  readonly #sumRow: number;
  readonly #sumCount: number;

  constructor(plan: ConvolutionPlan, types: ConvolutionTypes, places: ConvolutionPlaces, target: Target) {
    this.#plan = plan;
    this.#types = types;
    this.#places = places;
    this.#target = target;
    this.#T = scalarType(types.sum);
    this.#bytes = types.sum === 'f64' ? 8 : 4;
    this.#width = plan.tile.vectors * plan.lanes;
    const isAcross = plan.orientation === 'across';
    // A vector more, so that rows do not fall on one another in the caches.
    const columns = isAcross ? plan.chunk : Math.ceil(plan.block / plan.lanes) * plan.lanes;
    this.#sumRow = columns + plan.lanes;
    this.#sumCount = (isAcross ? plan.block : plan.chunk) * this.#sumRow;
  }

  emit(): ConvolutionCode {
    const { plan, out } = { plan: this.#plan, out: this.#out };
    const { problem: p, slices } = plan;
    this.#helpers.set('t_conv', shapeStruct);
    this.#shapes();
    if (plan.weights !== 'inPlace') this.#packing();
    this.#store();
    const scratch = this.#task();
    const packed = plan.weights === 'once' ? align(p.groups * plan.packedCount) : 0;
    if (slices > 1) this.#combine(packed);
    out.open('static void @(const trenio_rt *rt, char *const *p)');
    out.line('t_call call = {rt, p};');
    if (plan.weights === 'once') out.line(`rt->parallel(rt, @_pack_task, &call, ${p.groups * this.#panels()});`);
    out.line(`rt->parallel(rt, @_task, &call, ${plan.tasks * slices});`);
    if (slices > 1) out.line(`rt->parallel(rt, @_combine, &call, ${plan.tasks});`);
    out.close();
    const partials = slices > 1 ? plan.tasks * slices * align(this.#sumCount) : 0;
    return {
      code: out.toString(),
      helpers: this.#helpers,
      workspaceBytes: (packed + partials) * this.#bytes,
      scratchBytes: scratch,
    };
  }

  #shapes(): void {
    const list = (values: readonly number[]): string => `{${values.join(', ')}}`;
    const padded = (values: readonly number[], count: number, value: number): number[] => [
      ...Array<number>(Math.max(0, count - values.length)).fill(value),
      ...values,
    ];
    const { problem: p, phases } = this.#plan;
    this.#out.line(`static const t_conv @_shape[${phases.length}] = {`);
    for (const { phase, wExtents, yExtents, packedAt } of phases) {
      const of = (name: keyof (typeof phase.dims)[number]): string => list(phase.dims.map(d => d[name]));
      const sizes = (extents: PhasePlan['wExtents'], count: number): string =>
        `${list(
          padded(
            extents.map(e => e.size),
            count,
            1,
          ),
        )}, ${list(
          padded(
            extents.map(e => e.stride),
            count,
            0,
          ),
        )}`;
      this.#out.line(
        `  {${phase.columns}, ${phase.depth}, ${p.inputs}, ${p.xIn}, ${of('q')}, ${of('taps')}, ${of('step')}, ${of('dilation')}, ${of('first')}, ${of('size')}, ${of('xStride')},`,
      );
      this.#out.line(
        `   ${sizes(wExtents, extentCount)}, ${phase.wBase}, ${sizes(yExtents, phase.dims.length)}, ${p.yOut}, ${phase.yBase}, ${packedAt}},`,
      );
    }
    this.#out.line('};');
  }

  /** The weights' panels: strips of the tile's rows, or panels of its columns; the last may be narrower. */
  #panels(): number {
    return Math.ceil(this.#plan.problem.outputs / this.#panelFeatures());
  }
  #panelFeatures(): number {
    return this.#plan.orientation === 'across' ? this.#plan.tile.rows : this.#width;
  }
  #restFeatures(): { readonly count: number; readonly width: number } {
    const count = this.#plan.problem.outputs % this.#panelFeatures();
    const { lanes, orientation } = this.#plan;
    return { count, width: orientation === 'across' ? count : Math.ceil(count / lanes) * lanes };
  }

  #packing(): void {
    const { plan, out } = { plan: this.#plan, out: this.#out };
    const { problem: p, phases, lanes } = plan;
    const W = loadType(this.#types.w, this.#types.sum);
    const whole = this.#panelFeatures();
    const rest = this.#restFeatures();
    const inner = phases[0]!.wExtents.at(-1)!.stride;
    const isOne = phases.length === 1;
    const source = isOne && p.wOut === 1 ? 'across' : isOne && inner === 1 ? 'along' : 'strided';
    const kinds = [
      ...(p.outputs >= whole ? [{ name: '@_pack', columns: whole, width: whole }] : []),
      ...(rest.count > 0 ? [{ name: '@_pack_rest', columns: rest.count, width: rest.width }] : []),
    ];
    for (const { name, columns, width } of kinds) {
      out.line(`// A panel of weights, ${columns} output features, k0 to k1: target[k][feature].`);
      out.open(
        `static void ${name}(const t_conv *c, const ${W} *w, int64_t k0, int64_t k1, ${this.#T} *restrict target)`,
      );
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
        shareLoad(this.#helpers, this.#types.w, 1, this.#target.f16);
        out.open(`for (int64_t i = 0; i < depth; i++, target += ${width})`);
        out.line(
          `for (int64_t m = 0; m < ${columns}; m++) target[m] = ${loadText(this.#types.w, this.#types.sum, 1, `source + m * ${p.wOut} + i * along`)};`,
        );
        if (width > columns) out.line(`for (int64_t m = ${columns}; m < ${width}; m++) target[m] = 0;`);
        out.close();
      } else {
        const spec: PackSpec = {
          elementType: this.#types.sum,
          load: this.#types.w,
          f16: this.#target.f16,
          width,
          columns,
          source,
          lanes,
        };
        for (const [helper, text] of emitPack(spec)) this.#share(helper, text);
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
    const panels = this.#panels();
    out.open('static void @_pack_task(void *arg, int64_t task, int worker)');
    out.line('char *const *const p = ((const t_call *)arg)->p;');
    out.line(`const int64_t group = task / ${panels}, panel = task % ${panels};`);
    out.open(`for (int i = 0; i < ${phases.length}; i++)`);
    out.line('const t_conv *const c = &@_shape[i];');
    out.line(
      `const ${W} *const w = (const ${W} *)p[${this.#places.w}] + group * ${p.wGroup} + c->w_base + panel * ${whole * p.wOut};`,
    );
    out.line(
      `${this.#T} *const to = (${this.#T} *)p[${this.#places.workspace}] + group * ${plan.packedCount} + c->packed + panel * ${whole} * c->depth;`,
    );
    if (rest.count > 0)
      out.line(`${p.outputs >= whole ? `if (panel == ${panels - 1}) ` : ''}@_pack_rest(c, w, 0, c->depth, to);`);
    if (p.outputs >= whole)
      out.line(`${rest.count > 0 ? `if (panel < ${panels - 1}) ` : ''}@_pack(c, w, 0, c->depth, to);`);
    out.close();
    out.close();
  }

  /** Adds a function that multiplies of the same unit may have as well. */
  #share(name: string, text: string): void {
    this.#helpers.set(name, `#ifndef ${name}_defined\n#define ${name}_defined\n${text}\n#endif`);
  }

  /** Sums, in scratch memory or a workspace, to where the result lies. */
  #store(): void {
    const { plan, out, T } = { plan: this.#plan, out: this.#out, T: this.#T };
    const { y } = this.#types;
    const isAcross = plan.orientation === 'across';
    const at = isAcross ? `m * ${this.#sumRow} + j + i` : `(j + i) * ${this.#sumRow} + m`;
    const put = (where: string): string => `${where} = ${stored(y, rounded(y, `sums[${at}]`))};`;
    const { yOut } = plan.problem;
    out.line('// The sums of columns j0 to j1 of some output features, y at the first of these.');
    out.open(
      `static void @_store(const t_conv *c, const ${T} *restrict sums, int64_t features, int64_t j0, int64_t j1, ${memoryType(y)} *restrict y)`,
    );
    out.open('for (int64_t j = 0; j < j1 - j0;)');
    out.line('const int64_t inner = c->y_size[3], at = (j0 + j) % inner, step = c->y_stride[3];');
    out.line('int64_t rest = (j0 + j) / inner, count = inner - at;');
    out.line('if (count > j1 - j0 - j) count = j1 - j0 - j;');
    out.line(`${memoryType(y)} *to = y + c->y_base + at * step;`);
    out.line('for (int d = 2; d >= 0; d--) to += rest % c->y_size[d] * c->y_stride[d], rest /= c->y_size[d];');
    if (yOut === 1) {
      out.open('for (int64_t i = 0; i < count; i++)');
      out.line('#pragma omp simd');
      out.line(`for (int64_t m = 0; m < features; m++) ${put('to[i * step + m]')}`);
      out.close();
    } else {
      if (!isAcross) {
        // Sixteen features are a line of the sums: it is read once for all of them.
        out.open('for (int64_t m0 = 0; m0 < features; m0 += 16)');
        out.open('for (int64_t m = m0; m < features && m < m0 + 16; m++)');
      } else out.open('for (int64_t m = 0; m < features; m++)');
      out.open('if (step == 1)');
      if (isAcross) out.line('#pragma omp simd');
      out.line(`for (int64_t i = 0; i < count; i++) ${put(`to[m * ${yOut} + i]`)}`);
      out.close(' else {');
      out.line(`  for (int64_t i = 0; i < count; i++) ${put(`to[m * ${yOut} + i * step]`)}`);
      out.line('}');
      out.close();
      if (!isAcross) out.close();
    }
    out.line('j += count;');
    out.close();
    out.close();
  }

  /** From a task's number to its part: `c`, group, m0, m1, j0, j1. */
  #part(unit: string): void {
    const { plan, out } = { plan: this.#plan, out: this.#out };
    const { problem: p, phases, blocks } = plan;
    out.line(`int64_t local = ${unit};`);
    out.line('const t_conv *c = @_shape;');
    let last = phases[0]!;
    for (const next of phases.slice(1)) {
      const tasks = last.chunks * blocks * p.groups;
      out.line(`if (c == &@_shape[${phases.indexOf(last)}] && local >= ${tasks}) local -= ${tasks}, c++;`);
      last = next;
    }
    out.line(`const int64_t m0 = local % ${blocks} * ${plan.block}, group = local / ${blocks} % ${p.groups};`);
    out.line(`const int64_t m1 = m0 + ${plan.block} < ${p.outputs} ? m0 + ${plan.block} : ${p.outputs};`);
    out.line(`const int64_t j0 = local / ${blocks * p.groups} * ${plan.chunk};`);
    out.line(`const int64_t j1 = j0 + ${plan.chunk} < c->columns ? j0 + ${plan.chunk} : c->columns;`);
  }

  #resultAt(): string {
    const { problem: p } = this.#plan;
    const Y = memoryType(this.#types.y);
    return `(${Y} *)p[${this.#places.y}] + group * ${p.yGroup} + m0 * ${p.yOut}`;
  }

  #task(): number {
    const { plan, out, T } = { plan: this.#plan, out: this.#out, T: this.#T };
    const { problem: p, slices, depth } = plan;
    const [X, W] = [loadType(this.#types.x, this.#types.sum), loadType(this.#types.w, this.#types.sum)];
    const isAcross = plan.orientation === 'across';
    out.open('static void @_task(void *arg, int64_t task, int worker)');
    out.line('const t_call *const call = arg;');
    out.line('char *const *const p = call->p;');
    this.#part(slices > 1 ? `task / ${slices}` : 'task');
    const first = slices > 1 ? `task % ${slices} * ${plan.sliceDepth}` : '0';
    out.line(`const int64_t first = ${first};`);
    out.line(
      slices > 1
        ? `const int64_t stop = first + ${plan.sliceDepth} < c->depth ? first + ${plan.sliceDepth} : c->depth;`
        : 'const int64_t stop = c->depth;',
    );
    out.line(`const ${X} *const x = (const ${X} *)p[${this.#places.x}] + group * ${p.xGroup};`);
    out.line(
      `const ${X} *const x_begin = (const ${X} *)p[${this.#places.x}], *const x_end = x_begin + ${this.#places.xCount};`,
    );
    if (plan.weights !== 'once')
      out.line(`const ${W} *const w = (const ${W} *)p[${this.#places.w}] + group * ${p.wGroup} + c->w_base;`);
    else
      out.line(
        `const ${T} *const w = (const ${T} *)p[${this.#places.workspace}] + group * ${plan.packedCount} + c->packed;`,
      );
    const parts: { readonly name: string; readonly type: string; readonly bytes: number }[] = [];
    const scratchOf = (name: string, type: string, count: number, bytes = this.#bytes): void => {
      parts.push({ name, type, bytes: Math.ceil((count * bytes) / 64) * 64 });
    };
    const copy: CopySpec = {
      type: this.#types.sum,
      load: this.#types.x,
      lanes: plan.lanes,
      f16: this.#target.f16,
      step: this.#copyStep(),
      flat: this.#isFlat(),
    };
    const panelStride = this.#width * depth + plan.lanes;
    const rowStride = oddLines(depth + plan.lanes, plan.lanes);
    if (isAcross) {
      const taps = Math.max(...plan.phases.map(x => x.phase.depth)) / p.inputs;
      const runs = Math.max(...plan.phases.map(x => runsOf(x.phase, plan.chunk, this.#width)));
      const pieces = Math.max(...plan.phases.map(x => piecesOf(x.phase, plan.chunk, this.#width)));
      sharePanels(this.#helpers, copy);
      scratchOf('panels', T, (plan.chunk / this.#width) * panelStride + plan.lanes);
      scratchOf('runs', 't_conv_run', runs, 48);
      scratchOf('pieces', piece(copy), plan.featureInner ? pieces : pieces * taps, 32);
      if (!plan.featureInner) scratchOf('starts', 'int64_t', taps + 1, 8);
    } else {
      shareRows(this.#helpers, copy, plan.featureInner);
      scratchOf('strip', T, plan.tile.rows * rowStride + plan.lanes);
      if (plan.weights === 'inTask') scratchOf('panels', T, Math.ceil(plan.block / this.#width) * this.#width * depth);
    }
    if (slices === 1) scratchOf('sums', T, this.#sumCount);
    const scratchBytes = parts.reduce((n, x) => n + x.bytes, 0);
    out.line(`char *scratch = call->rt->scratch(call->rt, worker, ${scratchBytes});`);
    for (const { name, type, bytes } of parts) {
      out.line(`${type} *const ${name} = (${type} *)scratch;`);
      out.line(`scratch += ${bytes};`);
    }
    if (slices > 1) {
      const packed = plan.weights === 'once' ? align(p.groups * plan.packedCount) : 0;
      out.line(
        `${T} *const sums = (${T} *)p[${this.#places.workspace}] + ${packed} + task * ${align(this.#sumCount)};`,
      );
    }
    if (plan.phases.some(x => x.phase.depth === 0))
      out.line(`if (c->depth == 0) __builtin_memset(sums, 0, ${this.#sumCount * this.#bytes});`);
    if (isAcross) this.#across(copy, panelStride);
    else this.#along(copy, rowStride);
    if (slices === 1) out.line(`@_store(c, sums, m1 - m0, j0, j1, ${this.#resultAt()});`);
    out.close();
    return scratchBytes;
  }

  /** What lies between elements that are copied one after the other. */
  #copyStep(): CopySpec['step'] {
    const { phases, orientation, featureInner, problem: p } = this.#plan;
    const steps = phases.map(({ phase }) => {
      const d = phase.dims.at(-1)!;
      if (orientation === 'across') return d.step * d.xStride;
      return featureInner ? p.xIn : d.dilation * d.xStride;
    });
    const step = steps[0]!;
    return steps.every(s => s === step) && (step === 1 || step === 2) ? step : 'any';
  }

  /** Whether runs go on from row to row of x: rows are as long as the positions (or taps) are many, without steps. */
  #isFlat(): boolean {
    const { phases, orientation, featureInner } = this.#plan;
    if (orientation === 'across' || featureInner || this.#copyStep() !== 1) return false;
    return phases.every(({ phase }) => {
      const [rows, d] = [phase.dims.at(-2)!, phase.dims.at(-1)!];
      return rows.dilation * rows.xStride === d.taps * d.dilation * d.xStride;
    });
  }

  #across(copy: CopySpec, panelStride: number): void {
    const { plan, out, T } = { plan: this.#plan, out: this.#out, T: this.#T };
    const { problem: p, tile, depth } = plan;
    const names = copyFunctions(copy);
    const width = this.#width;
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
          elementType: this.#types.sum,
          lanes: plan.lanes,
          tile: { rows, vectors },
          a: plan.weights === 'inPlace' ? 'rows' : 'packed',
          // The last panel is as wide as the others, but has fewer vectors worth multiplying.
          b: vectors === tile.vectors ? 'packed' : 'inPlace',
          store: 'vectors',
        };
        this.#share(kernelName(spec), emitKernel(spec));
        return kernelCall(spec, {
          depth: 'depth',
          a: 'strip',
          aStride: String(p.wOut),
          b: `panels + (j - j0) / ${width} * ${panelStride}`,
          bStride: String(width),
          c: `sums + (m - m0) * ${this.#sumRow} + (j - j0)`,
          cRow: String(this.#sumRow),
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
      this.#panelLoop(width, rests, kernel, 'j', 'j0', 'j1');
    };
    // The strips of a block but the last are whole, since blocks are multiples of the tile.
    this.#strips(tile.rows, new Set([p.outputs % tile.rows].filter(r => r > 0)), strip, 'm', 'm0', 'm1', p.outputs);
    out.close();
  }

  #along(copy: CopySpec, rowStride: number): void {
    const { plan, out } = { plan: this.#plan, out: this.#out };
    const { problem: p, tile, depth, featureInner } = plan;
    const names = copyFunctions(copy);
    const width = this.#width;
    const rest = this.#restFeatures();
    out.open(`for (int64_t k0 = first; k0 < stop; k0 += ${depth})`);
    out.line(`const int64_t depth = stop - k0 < ${depth} ? stop - k0 : ${depth};`);
    if (plan.weights === 'inTask') {
      const pack = (name: string): string =>
        `${name}(c, w + m * ${p.wOut}, k0, k0 + depth, panels + (m - m0) * depth);`;
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
          elementType: this.#types.sum,
          lanes: plan.lanes,
          tile: { rows, vectors },
          a: 'rows',
          b: 'packed',
          store: 'vectors',
        };
        this.#share(kernelName(spec), emitKernel(spec));
        return kernelCall(spec, {
          depth: 'depth',
          a: 'strip',
          aStride: String(rowStride),
          b:
            plan.weights === 'inTask' ? 'panels + (m - m0) * depth' : `w + m * c->depth + k0 * ${vectors * plan.lanes}`,
          bStride: '0',
          c: `sums + (j - j0) * ${this.#sumRow} + (m - m0)`,
          cRow: String(this.#sumRow),
          cColumn: '1',
          columns: '0',
          add: 'k0 > first',
        });
      };
      this.#panelLoop(width, rests, kernel, 'm', 'm0', 'm1');
    };
    const restRows = new Set(plan.phases.map(x => x.phase.columns % tile.rows).filter(r => r > 0));
    const fewest = Math.max(...plan.phases.map(x => x.phase.columns));
    this.#strips(tile.rows, restRows, strip, 'j', 'j0', 'j1', fewest);
    out.close();
  }

  /** `for` over strips of `rows`, the last of which may have one of the `rests`. */
  #strips(
    rows: number,
    rests: ReadonlySet<number>,
    body: (rows: number) => void,
    i: string,
    from: string,
    to: string,
    total: number,
  ): void {
    const out = this.#out;
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
  #panelLoop(
    width: number,
    rests: ReadonlySet<number>,
    kernel: (vectors: number) => string,
    i: string,
    from: string,
    to: string,
  ): void {
    const out = this.#out;
    const { vectors } = this.#plan.tile;
    const { lanes } = this.#plan;
    out.line(`int64_t ${i} = ${from};`);
    out.line(`for (; ${to} - ${i} >= ${width}; ${i} += ${width}) ${kernel(vectors)}`);
    for (const rest of rests) {
      const test =
        rests.size === 1 ? `${i} < ${to}` : `${i} < ${to} && (${to} - ${i} + ${lanes - 1}) / ${lanes} == ${rest}`;
      out.line(`if (${test}) ${kernel(rest)}`);
    }
  }

  /** Adds the slices of k in their order, then stores them. */
  #combine(packed: number): void {
    const { plan, out, T } = { plan: this.#plan, out: this.#out, T: this.#T };
    const count = align(this.#sumCount);
    out.open('static void @_combine(void *arg, int64_t task, int worker)');
    out.line('char *const *const p = ((const t_call *)arg)->p;');
    this.#part('task');
    out.line(`${T} *const sums = (${T} *)p[${this.#places.workspace}] + ${packed} + task * ${plan.slices * count};`);
    const isAcross = plan.orientation === 'across';
    const [rows, columns] = isAcross ? ['m1 - m0', 'j1 - j0'] : ['j1 - j0', 'm1 - m0'];
    out.open(`for (int64_t row = 0; row < ${rows}; row++)`);
    out.open(`for (int64_t s = 1; s < ${plan.slices}; s++)`);
    out.line(`${T} *restrict const sum = sums + row * ${this.#sumRow};`);
    out.line(`const ${T} *restrict const slice = sum + s * ${count};`);
    out.line('#pragma omp simd');
    out.line(`for (int64_t i = 0; i < ${columns}; i++) sum[i] += slice[i];`);
    out.close();
    out.close();
    out.line(`@_store(c, sums, m1 - m0, j0, j1, ${this.#resultAt()});`);
    out.close();
  }
}

/** Elements rounded up to whole pages of cache lines. */
function align(count: number): number {
  return Math.ceil(count / 64) * 64;
}

/** A row's length in elements that is an odd number of vectors: rows then fall on different sets of the L1 cache. */
function oddLines(count: number, lanes: number): number {
  const lines = Math.ceil(count / lanes);
  return (lines % 2 === 1 ? lines : lines + 1) * lanes;
}
