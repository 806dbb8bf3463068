// The kernels of windowed reductions. reduce_window accumulates a row of results at once: for each position in the window,
// the results for which it is on an element (not on padding) accumulate that element.

import { elementAt } from '../../../../base/element-at.ts';
import { invariant } from '../../../../base/errors.ts';
import { zip } from '../../../../base/zip.ts';
import { reductionOperands } from '../../../../hlo/operand-groups.ts';
import { ceilDiv, countOf, type Extent, plus, times } from '../../../ir/extent.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { sizeText } from '../kernels/size-text.ts';
import { registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, decode, PlainKernel, sumText } from './plain-kernel.ts';

/** A dim of a windowed reduction. */
interface WindowDim {
  readonly d: number;
  /** In the operand. */
  readonly size: Extent;
  readonly stride: Extent;
  readonly window: number;
  readonly windowStride: number;
  readonly low: number;
  readonly baseDilation: number;
  readonly windowDilation: number;
}

/** Elements along a dim, with the holes between them. */
const extentOf = ({ size, baseDilation }: WindowDim): Extent =>
  size === 0 ? 0 : plus(times(plus(size, -1), baseDilation), 1);
/** `q / 2`, where every second position has an element. */
const positionText = (q: string, { baseDilation }: WindowDim): string =>
  baseDilation === 1 ? q : `(${q} / ${baseDilation})`;

export function printReduceWindow(kernel: OpKernelOf<'reduce-window'>, operands: readonly KernelOperand[]): KernelText {
  const { op, sizes, block, cut, countsPadding: counts } = kernel;
  const { windowDimensions, windowStrides, padding, baseDilations, windowDilations } = op.attributes;
  const k = new PlainKernel(kernel, operands, sizes);
  const { out, results } = k;
  const groups = reductionOperands(k.inputs);
  const x = k.input(0);
  const to = k.result(0);
  const dims = x.shape.map(
    (size, d): WindowDim => ({
      d,
      size,
      stride: x.stride(d),
      window: elementAt(windowDimensions, d),
      windowStride: elementAt(windowStrides, d),
      low: elementAt(padding, d)[0],
      baseDilation: elementAt(baseDilations, d),
      windowDilation: elementAt(windowDilations, d),
    }),
  );
  const last = dims.at(-1);
  const width = last === undefined ? 1 : to.size(last.d);
  const blocks = sizeText(ceilDiv(width, block));
  k.openTask();
  k.declareCaptures();
  groups.forEach(({ init }, i) => {
    out.line(`const ${registerType(init.type)} init${i} = ${init.load('0')};`);
  });
  k.openUnits(cut, 'unit');
  out.line(
    `const int64_t row = unit / ${blocks}, lo = unit % ${blocks} * ${block}, hi = lo + ${block} < ${sizeText(width)} ? lo + ${block} : ${sizeText(width)};`,
  );
  decode(out, 'o', to.shape.slice(0, -1), 'row');
  results.forEach((r, i) => {
    out.line(`_Alignas(64) ${registerType(r.type)} acc${i}[${block}];`);
  });
  out.line(`for (int64_t j = 0; j < hi - lo; j++) { ${results.map((_, i) => `acc${i}[j] = init${i};`).join(' ')} }`);
  const outside = (dim: WindowDim, q: string): string =>
    `${q} < 0 || ${q} >= ${sizeText(extentOf(dim))}${dim.baseDilation === 1 ? '' : ` || ${q} % ${dim.baseDilation} != 0`}`;
  for (const dim of dims) {
    const { d } = dim;
    out.open(`for (int64_t k${d} = 0; k${d} < ${dim.window}; k${d}++)`);
    if (dim === last) continue;
    out.line(`const int64_t q${d} = o${d} * ${dim.windowStride} + k${d} * ${dim.windowDilation} - ${dim.low};`);
    if (!counts) out.line(`if (${outside(dim, `q${d}`)}) continue;`);
  }
  if (last !== undefined && counts) {
    out.open('for (int64_t o = lo; o < hi; o++)');
    out.line(`const int64_t q = o * ${last.windowStride} + k${last.d} * ${last.windowDilation} - ${last.low};`);
    out.line(
      `const _Bool inside = !(${dims.map(dim => outside(dim, dim === last ? 'q' : `q${dim.d}`)).join(' || ')});`,
    );
  } else if (last !== undefined) {
    const stride = last.windowStride;
    // results o for which 0 ≤ o·stride + shift < extent
    out.line(`const int64_t shift = k${last.d} * ${last.windowDilation} - ${last.low};`);
    out.line(boundsText(extentOf(last), stride));
    out.line('if (from < lo) from = lo;');
    out.line('if (to > hi) to = hi;');
    const simple = last.baseDilation === 1;
    if (simple) out.line('#pragma omp simd');
    out.open('for (int64_t o = from; o < to; o++)');
    out.line(`const int64_t q = o * ${stride} + shift;`);
    if (!simple) out.line(`if (q % ${last.baseDilation} != 0) continue;`);
  }
  const at = sumText(dims.map(dim => [positionText(dim === last ? 'q' : `q${dim.d}`, dim), dim.stride]));
  out.line(`const int64_t at = ${at};`);
  const j = last === undefined ? '0' : 'o - lo';
  zip(groups, results).forEach(([{ input }, result], i) => {
    out.line(`const ${registerType(result.type)} x${i} = acc${i}[${j}];`);
    const element = input.load('at');
    out.line(
      `const ${registerType(input.type)} y${i} = ${counts && last !== undefined ? `inside ? ${element} : init${i}` : element};`,
    );
  });
  const args = [...groups.map((_, i) => `x${i}`), ...groups.map((_, i) => `y${i}`)];
  applyRegion(out, op.regions[0], args, 'f', k.nameOf).forEach((v, i) => {
    out.line(`acc${i}[${j}] = ${v};`);
  });
  if (last !== undefined) out.close();
  for (const _ of dims) out.close();
  const stores = results.map(
    (r, i) => `p${r.slot}[row * ${sizeText(width)} + j] = ${stored(r.type, `acc${i}[j - lo]`)};`,
  );
  out.line(`for (int64_t j = lo; j < hi; j++) { ${stores.join(' ')} }`);
  out.close();
  out.close();
  return { code: k.text(cut) };
}

/** The positions from … to - 1 whose elements, at `stride` and `shift`, lie within an extent. */
export function boundsText(extent: Extent, stride: number): string {
  const text = sizeText(extent);
  const before = sizeText(plus(extent, -1));
  return `int64_t from = shift >= 0 ? 0 : (-shift + ${stride - 1}) / ${stride}, to = shift >= ${text} ? 0 : (${before} - shift) / ${stride} + 1;`;
}

export function printSelectAndScatter(
  kernel: OpKernelOf<'select-and-scatter'>,
  operands: readonly KernelOperand[],
): KernelText {
  const { op, sizes, leading, block, cut } = kernel;
  const { windowDimensions, windowStrides, padding } = op.attributes;
  const [select, scatter] = op.regions;
  const k = new PlainKernel(kernel, operands, sizes);
  const [x, source, init] = [k.input(0), k.input(1), k.input(2)];
  const to = k.result(0);
  const { out } = k;
  const perUnit = countOf(x.shape.slice(leading));
  const sources = countOf(source.shape.slice(leading));
  // A row of windows at a time selects its elements, so that vectors run along the row; then each window adds.
  const last = x.shape.length - 1;
  const isRow = last >= leading;
  const rowSizes = source.shape.slice(leading, isRow ? -1 : undefined);
  const width = isRow ? source.size(last) : 1;
  const windowed = x.shape.map((_, d) => d).slice(leading);
  k.openTask();
  k.declareCaptures();
  const T = registerType(x.type);
  const place = typeof perUnit === 'number' && perUnit < 2 ** 31 ? 'int32_t' : 'int64_t';
  out.line(`const ${registerType(init.type)} start = ${init.load('0')};`);
  const [units, perTask] = [sizeText(cut.units), sizeText(cut.perTask)];
  out.line(`const int64_t end = (task + 1) * ${perTask} < ${units} ? (task + 1) * ${perTask} : ${units};`);
  out.line(`_Alignas(64) ${T} kept[${block}];`);
  out.line(`_Alignas(64) ${place} selected[${block}];`);
  out.open(`for (int64_t unit = task * ${perTask}; unit < end; unit++)`);
  out.line(`const int64_t base = unit * ${sizeText(perUnit)};`);
  out.line(`for (int64_t i = 0; i < ${sizeText(perUnit)}; i++) p${to.slot}[base + i] = ${stored(to.type, 'start')};`);
  out.open(`for (int64_t s = 0; s < ${sizeText(countOf(rowSizes))}; s++)`);
  decode(out, 'o', rowSizes, 's');
  out.open(`for (int64_t lo = 0; lo < ${sizeText(width)}; lo += ${block})`);
  out.line(`const int64_t count = ${sizeText(width)} - lo < ${block} ? ${sizeText(width)} - lo : ${block};`);
  out.line('for (int64_t i = 0; i < count; i++) selected[i] = -1, kept[i] = 0;');
  for (const d of windowed) {
    out.open(`for (int64_t k${d} = 0; k${d} < ${elementAt(windowDimensions, d)}; k${d}++)`);
    if (d === last) continue;
    const [low] = elementAt(padding, d);
    out.line(`const int64_t q${d} = o${d - leading} * ${elementAt(windowStrides, d)} + k${d} - ${low};`);
    out.line(`if (q${d} < 0 || q${d} >= ${sizeText(x.size(d))}) continue;`);
  }
  const outer = windowed.filter(d => d !== last).map(d => [`q${d}`, x.stride(d)] as const);
  out.line(`const int64_t row = ${sumText(outer)};`);
  if (isRow) {
    const stride = elementAt(windowStrides, last);
    out.line(`const int64_t shift = lo * ${stride} + k${last} - ${elementAt(padding, last)[0]};`);
    out.line(boundsText(x.size(last), stride));
    out.line('if (to > count) to = count;');
    out.line('#pragma omp simd');
    out.open('for (int64_t i = from; i < to; i++)');
    out.line(`const int64_t at = row + i * ${stride} + shift;`);
  } else {
    out.open('for (int64_t i = 0; i < 1; i++)');
    out.line('const int64_t at = row;');
  }
  out.line(`const ${T} candidate = ${x.load('base + at')};`);
  out.line(`const ${T} best = kept[i];`);
  const [keep] = applyRegion(out, select, ['best', 'candidate'], 'g', k.nameOf);
  out.line(`const int replaces = selected[i] < 0 ? 1 : ${keep} ? 0 : 1;`);
  out.line('kept[i] = replaces ? candidate : best;');
  out.line(`selected[i] = replaces ? (${place})at : selected[i];`);
  out.close();
  for (const _ of windowed) out.close();
  out.open('for (int64_t i = 0; i < count; i++)');
  out.line('if (selected[i] < 0) continue;');
  out.line(`const ${registerType(to.type)} old = ${to.load('base + selected[i]')};`);
  const position = `unit * ${sizeText(sources)} + s * ${sizeText(width)} + lo + i`;
  out.line(`const ${registerType(source.type)} fresh = ${source.load(position)};`);
  const [sum] = applyRegion(out, scatter, ['old', 'fresh'], 'f', k.nameOf);
  invariant(sum !== undefined, 'a region without a result');
  out.line(`p${to.slot}[base + selected[i]] = ${stored(to.type, sum)};`);
  out.close();
  out.close();
  out.close();
  out.close();
  out.close();
  return { code: k.text(cut) };
}
