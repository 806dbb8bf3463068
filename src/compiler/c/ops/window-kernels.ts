// The kernels of windowed reductions. reduce_window accumulates a row of results at once: for each position in the window,
// the results for which it is on an element (not on padding) accumulate that element.

import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, decode, type MemoryView, PlainKernel, sumText } from './plain-kernel.ts';

export function printReduceWindow(kernel: OpKernelOf<'reduce-window'>, operands: readonly KernelOperand[]): KernelText {
  const { op, block, cut, countsPadding: counts } = kernel;
  const { windowDimensions, windowStrides, padding, baseDilations, windowDilations } = op.attributes;
  const n = op.operands.length / 2;
  const k = new PlainKernel(kernel, operands);
  const { out, results } = k;
  const [inputs, inits] = [k.inputs.slice(0, n), k.inputs.slice(n)];
  const { shape, strides } = inputs[0]!;
  const to = results[0]!;
  const rank = shape.length;
  const last = rank - 1;
  const width = rank === 0 ? 1 : to.shape[last]!;
  const blocks = Math.ceil(width / block);
  const { units } = cut;
  k.openTask();
  k.declareCaptures();
  inits.forEach((x, i) => {
    out.line(`const ${registerType(x.type)} init${i} = ${loaded(x.type, `p${x.slot}[0]`)};`);
  });
  out.line(`const int64_t end = (task + 1) * ${cut.perTask} < ${units} ? (task + 1) * ${cut.perTask} : ${units};`);
  out.open(`for (int64_t unit = task * ${cut.perTask}; unit < end; unit++)`);
  out.line(
    `const int64_t row = unit / ${blocks}, lo = unit % ${blocks} * ${block}, hi = lo + ${block} < ${width} ? lo + ${block} : ${width};`,
  );
  decode(out, 'o', to.shape.slice(0, -1), 'row');
  results.forEach((r, i) => {
    out.line(`_Alignas(64) ${registerType(r.type)} acc${i}[${block}];`);
  });
  out.line(`for (int64_t j = 0; j < hi - lo; j++) { ${results.map((_, i) => `acc${i}[j] = init${i};`).join(' ')} }`);
  const extentOf = (d: number): number => (shape[d] === 0 ? 0 : (shape[d]! - 1) * baseDilations[d]! + 1);
  const outside = (d: number, q: string): string =>
    `${q} < 0 || ${q} >= ${extentOf(d)}${baseDilations[d] === 1 ? '' : ` || ${q} % ${baseDilations[d]} != 0`}`;
  for (let d = 0; d < rank; d++) {
    out.open(`for (int64_t k${d} = 0; k${d} < ${windowDimensions[d]}; k${d}++)`);
    if (d === last) continue;
    out.line(`const int64_t q${d} = o${d} * ${windowStrides[d]} + k${d} * ${windowDilations[d]} - ${padding[d]![0]};`);
    if (!counts) out.line(`if (${outside(d, `q${d}`)}) continue;`);
  }
  if (rank > 0 && counts) {
    out.open('for (int64_t o = lo; o < hi; o++)');
    out.line(
      `const int64_t q = o * ${windowStrides[last]} + k${last} * ${windowDilations[last]} - ${padding[last]![0]};`,
    );
    out.line(`const _Bool inside = !(${shape.map((_, d) => outside(d, d === last ? 'q' : `q${d}`)).join(' || ')});`);
  } else if (rank > 0) {
    const extent = extentOf(last);
    const stride = windowStrides[last]!;
    // results o for which 0 ≤ o·stride + shift < extent
    out.line(`const int64_t shift = k${last} * ${windowDilations[last]} - ${padding[last]![0]};`);
    out.line(
      `int64_t from = shift >= 0 ? 0 : (-shift + ${stride - 1}) / ${stride}, to = shift >= ${extent} ? 0 : (${extent - 1} - shift) / ${stride} + 1;`,
    );
    out.line('if (from < lo) from = lo;');
    out.line('if (to > hi) to = hi;');
    const simple = baseDilations[last] === 1;
    if (simple) out.line('#pragma omp simd');
    out.open('for (int64_t o = from; o < to; o++)');
    out.line(`const int64_t q = o * ${stride} + shift;`);
    if (!simple) out.line(`if (q % ${baseDilations[last]} != 0) continue;`);
  }
  const at = sumText([
    ...shape
      .slice(0, -1)
      .map((_, d) => [baseDilations[d] === 1 ? `q${d}` : `(q${d} / ${baseDilations[d]})`, strides[d]!] as const),
    ...(rank > 0 ? [[baseDilations[last] === 1 ? 'q' : `(q / ${baseDilations[last]})`, strides[last]!] as const] : []),
  ]);
  out.line(`const int64_t at = ${at};`);
  const j = rank > 0 ? 'o - lo' : '0';
  inputs.forEach((x, i) => {
    out.line(`const ${registerType(results[i]!.type)} x${i} = acc${i}[${j}];`);
    const element = loaded(x.type, `p${x.slot}[at]`);
    out.line(
      `const ${registerType(x.type)} y${i} = ${counts && rank > 0 ? `inside ? ${element} : init${i}` : element};`,
    );
  });
  const values = applyRegion(
    out,
    op.regions[0],
    [...inputs.map((_, i) => `x${i}`), ...inputs.map((_, i) => `y${i}`)],
    'f',
    k.nameOf,
  );
  values.forEach((v, i) => {
    out.line(`acc${i}[${j}] = ${v};`);
  });
  if (rank > 0) out.close();
  for (let d = 0; d < rank; d++) out.close();
  out.line(
    `for (int64_t j = lo; j < hi; j++) { ${results.map((r, i) => `p${r.slot}[row * ${width} + j] = ${stored(r.type, `acc${i}[j - lo]`)};`).join(' ')} }`,
  );
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}

export function printSelectAndScatter(
  kernel: OpKernelOf<'select-and-scatter'>,
  operands: readonly KernelOperand[],
): KernelText {
  const { op, leading, block, cut } = kernel;
  const { windowDimensions, windowStrides, padding } = op.attributes;
  const k = new PlainKernel(kernel, operands);
  const [x, source, init] = k.inputs as readonly [MemoryView, MemoryView, MemoryView];
  const to = k.results[0]!;
  const { out } = k;
  const rank = x.shape.length;
  const { units } = cut;
  const perUnit = x.count / Math.max(1, units);
  const sources = source.shape.slice(leading).reduce((a, b) => a * b, 1);
  // A row of windows at a time selects its elements, so that vectors run along the row; then each window adds.
  const last = rank - 1;
  const isRow = last >= leading;
  const width = isRow ? source.shape[last]! : 1;
  k.openTask();
  k.declareCaptures();
  const T = registerType(x.type);
  const place = perUnit < 2 ** 31 ? 'int32_t' : 'int64_t';
  out.line(`const ${registerType(init.type)} start = ${loaded(init.type, `p${init.slot}[0]`)};`);
  out.line(`const int64_t end = (task + 1) * ${cut.perTask} < ${units} ? (task + 1) * ${cut.perTask} : ${units};`);
  out.line(`_Alignas(64) ${T} kept[${block}];`);
  out.line(`_Alignas(64) ${place} selected[${block}];`);
  out.open(`for (int64_t unit = task * ${cut.perTask}; unit < end; unit++)`);
  out.line(`const int64_t base = unit * ${perUnit};`);
  out.line(`for (int64_t i = 0; i < ${perUnit}; i++) p${to.slot}[base + i] = ${stored(to.type, 'start')};`);
  out.open(`for (int64_t s = 0; s < ${sources / Math.max(1, width)}; s++)`);
  decode(out, 'o', source.shape.slice(leading, isRow ? -1 : undefined), 's');
  out.open(`for (int64_t lo = 0; lo < ${width}; lo += ${block})`);
  out.line(`const int64_t count = ${width} - lo < ${block} ? ${width} - lo : ${block};`);
  out.line('for (int64_t i = 0; i < count; i++) selected[i] = -1, kept[i] = 0;');
  for (let d = leading; d < rank; d++) {
    out.open(`for (int64_t k${d} = 0; k${d} < ${windowDimensions[d]}; k${d}++)`);
    if (d === last) continue;
    out.line(`const int64_t q${d} = o${d - leading} * ${windowStrides[d]} + k${d} - ${padding[d]![0]};`);
    out.line(`if (q${d} < 0 || q${d} >= ${x.shape[d]}) continue;`);
  }
  const outer = x.shape.map((_, d) => [`q${d}`, d < leading || d === last ? 0 : x.strides[d]!] as const);
  out.line(`const int64_t row = ${sumText(outer)};`);
  if (isRow) {
    const stride = windowStrides[last]!;
    out.line(`const int64_t shift = lo * ${stride} + k${last} - ${padding[last]![0]};`);
    out.line(
      `int64_t from = shift >= 0 ? 0 : (-shift + ${stride - 1}) / ${stride}, to = shift >= ${x.shape[last]} ? 0 : (${x.shape[last]! - 1} - shift) / ${stride} + 1;`,
    );
    out.line('if (to > count) to = count;');
    out.line('#pragma omp simd');
    out.open('for (int64_t i = from; i < to; i++)');
    out.line(`const int64_t at = row + i * ${stride} + shift;`);
  } else {
    out.open('for (int64_t i = 0; i < 1; i++)');
    out.line('const int64_t at = row;');
  }
  out.line(`const ${T} candidate = ${loaded(x.type, `p${x.slot}[base + at]`)};`);
  out.line(`const ${T} best = kept[i];`);
  const [keep] = applyRegion(out, op.regions[0], ['best', 'candidate'], 'g', k.nameOf);
  out.line(`const int replaces = selected[i] < 0 ? 1 : ${keep} ? 0 : 1;`);
  out.line('kept[i] = replaces ? candidate : best;');
  out.line(`selected[i] = replaces ? (${place})at : selected[i];`);
  out.close();
  for (let d = leading; d < rank; d++) out.close();
  out.open('for (int64_t i = 0; i < count; i++)');
  out.line('if (selected[i] < 0) continue;');
  out.line(`const ${registerType(to.type)} old = ${loaded(to.type, `p${to.slot}[base + selected[i]]`)};`);
  out.line(
    `const ${registerType(source.type)} fresh = ${loaded(source.type, `p${source.slot}[unit * ${sources} + s * ${width} + lo + i]`)};`,
  );
  const [sum] = applyRegion(out, op.regions[1], ['old', 'fresh'], 'f', k.nameOf);
  out.line(`p${to.slot}[base + selected[i]] = ${stored(to.type, sum!)};`);
  out.close();
  out.close();
  out.close();
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}
