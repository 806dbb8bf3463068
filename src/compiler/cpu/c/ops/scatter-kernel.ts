// The kernel of scatter: the results start as the inputs (in place if this is their last use), then
// updates are applied in order. Tasks split the innermost dim of the window, so no two of them write the same
// element, and each element gets its updates in program order on any number of threads.
import { elementAt } from '../../../../base/element-at.ts';
import { zip } from '../../../../base/zip.ts';
import { scatterOperands } from '../../../../hlo/operand-groups.ts';
import type { Op } from '../../../../hlo/program.ts';
import { elementBytes } from '../../../../hlo/types.ts';
import { countOf, times } from '../../../ir/extent.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { sizeText } from '../kernels/size-text.ts';
import { loaded, registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, decode, type MemoryView, PlainKernel, sumText } from './plain-kernel.ts';

export function printScatter(kernel: OpKernelOf<'scatter'>, operands: readonly KernelOperand[]): KernelText {
  const { op, sizes, cut } = kernel;
  const {
    updateWindowDims,
    insertedWindowDims,
    inputBatchingDims,
    scatterIndicesBatchingDims,
    scatterDimsToOperandDims,
    indexVectorDim,
  } = op.attributes.dimensionNumbers;
  const k = new PlainKernel(kernel, operands, sizes);
  const { out } = k;
  const { indices, pairs } = scatterOperands(k.inputs);
  const { input, updates: update } = elementAt(pairs, 0);
  const windowDims = input.dimsWithout(insertedWindowDims, inputBatchingDims);
  const batchDims = update.dimsWithout(updateWindowDims);
  const innerWindow = windowDims.length - 1;
  const [innerSize, block] = [sizeText(cut.units), sizeText(cut.perTask)];

  k.openTask();
  k.declareCaptures();
  if (innerWindow >= 0)
    out.line(`const int64_t lo = task * ${block}, hi = lo + ${block} < ${innerSize} ? lo + ${block} : ${innerSize};`);
  const batchSizes = batchDims.map(d => update.size(d));
  out.open(`for (int64_t b = 0; b < ${sizeText(countOf(batchSizes))}; b++)`);
  decode(out, 'b', batchSizes, 'b');
  // the index vector of this batch, and the start along each dim of the input
  const indexBatch = indices.dimsWithout([indexVectorDim]);
  const indexBase = sumText(indexBatch.map((d, i) => [`b${i}`, indices.stride(d)]));
  const vectorStride = indexVectorDim < indices.shape.length ? indices.stride(indexVectorDim) : 0;
  input.shape.forEach((_, d) => {
    const component = scatterDimsToOperandDims.indexOf(d);
    const batching = inputBatchingDims.indexOf(d);
    if (component >= 0)
      out.line(
        `const int64_t s${d} = (int64_t)p${indices.slot}[${sumText([[`(${indexBase})`, 1]], times(component, vectorStride))}];`,
      );
    else if (batching >= 0) {
      const from = elementAt(scatterIndicesBatchingDims, batching);
      out.line(`const int64_t s${d} = b${from < indexVectorDim ? from : from - 1};`);
    }
  });
  const hasStart = (d: number): boolean => scatterDimsToOperandDims.includes(d) || inputBatchingDims.includes(d);
  const start = (d: number): string => (hasStart(d) ? `s${d}` : '0');
  const limit = (d: number): string => sizeText(input.size(d));
  for (const d of [...insertedWindowDims, ...inputBatchingDims])
    if (hasStart(d)) out.line(`if (s${d} < 0 || s${d} >= ${limit(d)}) continue;`);
  // ui64 indices beyond the range of int64 read as negative ones, which are out of range as well
  zip(windowDims, updateWindowDims).forEach(([d, from], i) => {
    if (i === innerWindow) return;
    out.open(`for (int64_t w${i} = 0; w${i} < ${sizeText(update.size(from))}; w${i}++)`);
    if (hasStart(d)) out.line(`if (s${d} + w${i} < 0 || s${d} + w${i} >= ${limit(d)}) continue;`);
  });
  const target = sumText([
    ...input.shape.map((_, d) => [start(d), input.stride(d)] as const).filter(([s]) => s !== '0'),
    ...windowDims.map((d, i) => [`w${i}`, input.stride(d)] as const),
  ]);
  const source = sumText([
    ...batchDims.map((d, i) => [`b${i}`, update.stride(d)] as const),
    ...updateWindowDims.map((d, i) => [`w${i}`, update.stride(d)] as const),
  ]);
  if (innerWindow >= 0) {
    const d = elementAt(windowDims, innerWindow);
    const w = `w${innerWindow}`;
    if (hasStart(d)) {
      out.line(
        `const int64_t from = s${d} < -lo ? -s${d} : lo, to = hi > ${limit(d)} - s${d} ? ${limit(d)} - s${d} : hi;`,
      );
    } else out.line('const int64_t from = lo, to = hi;');
    out.line('#pragma omp simd');
    out.open(`for (int64_t ${w} = from; ${w} < to; ${w}++)`);
  }
  const pairsAndResults = zip(pairs, k.results).map(([{ updates }, result]) => ({ updates, result }));
  foldUpdate(k, op, pairsAndResults, target, source);
  const opened = Math.max(0, windowDims.length);
  for (let i = 0; i < opened; i++) out.close();
  out.close();
  out.close();
  copyInputs(
    k,
    zip(pairs, k.results).map(([{ input: from }, to]) => ({ from, to })),
  );
  return { code: k.text(cut).replace('  t_call call = {rt, p};', '  @_copy(p);\n  t_call call = {rt, p};') };
}

/** An update and the result that it is folded into. */
interface Folded {
  readonly updates: MemoryView;
  readonly result: MemoryView;
}

function foldUpdate(
  k: PlainKernel,
  op: Op<'scatter'>,
  folded: readonly Folded[],
  target: string,
  source: string,
): void {
  const { out } = k;
  out.line(`const int64_t at = ${target}, of = ${source};`);
  const [region] = op.regions;
  folded.forEach(({ updates, result }, i) => {
    const c = registerType(result.type);
    out.line(`const ${c} x${i} = ${result.load('at')};`);
    out.line(`const ${c} y${i} = ${loaded(result.type, `p${updates.slot}[of]`)};`);
  });
  const args = [...folded.map((_, i) => `x${i}`), ...folded.map((_, i) => `y${i}`)];
  for (const [value, { result }] of zip(applyRegion(out, region, args, 'f', k.nameOf), folded))
    out.line(`p${result.slot}[at] = ${stored(result.type, value)};`);
}

function copyInputs(k: PlainKernel, copies: readonly { readonly from: MemoryView; readonly to: MemoryView }[]): void {
  const { out } = k;
  out.open('static void @_copy(char *const *p)');
  for (const { from, to } of copies) {
    const bytes = sizeText(times(to.count, elementBytes(to.type)));
    out.line(`if (p[${to.slot}] != p[${from.slot}]) __builtin_memcpy(p[${to.slot}], p[${from.slot}], ${bytes});`);
  }
  out.close();
}
