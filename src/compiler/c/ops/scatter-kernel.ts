// The kernel of scatter: the results start as the inputs (in place if this is their last use), then
// updates are applied in order. Tasks split the innermost dim of the window, so no two of them write the same
// element, and each element gets its updates in program order on any number of threads.
import type { Op } from '../../../hlo/program.ts';
import { elementBytes } from '../../../hlo/types.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType, stored } from '../scalar/c-types.ts';
import { applyRegion, decode, type MemoryView, PlainKernel, sumText } from './plain-kernel.ts';

export function printScatter(kernel: OpKernelOf<'scatter'>, operands: readonly KernelOperand[]): KernelText {
  const { op, cut } = kernel;
  const n = (op.operands.length - 1) / 2;
  const {
    updateWindowDims,
    insertedWindowDims,
    inputBatchingDims,
    scatterIndicesBatchingDims,
    scatterDimsToOperandDims,
    indexVectorDim,
  } = op.attributes.dimensionNumbers;
  const k = new PlainKernel(kernel, operands);
  const { out, results } = k;
  const [inputs, indices, updates] = [k.inputs.slice(0, n), k.inputs[n]!, k.inputs.slice(n + 1)];
  const [input, update] = [inputs[0]!, updates[0]!];
  const windowDims = input.shape
    .map((_, d) => d)
    .filter(d => !insertedWindowDims.includes(d) && !inputBatchingDims.includes(d));
  const batchDims = update.shape.map((_, d) => d).filter(d => !updateWindowDims.includes(d));
  const innerWindow = windowDims.length - 1;
  const { units: innerSize, perTask: block, tasks } = cut;

  k.openTask();
  k.declareCaptures();
  if (innerWindow >= 0)
    out.line(`const int64_t lo = task * ${block}, hi = lo + ${block} < ${innerSize} ? lo + ${block} : ${innerSize};`);
  const batchSizes = batchDims.map(d => update.shape[d]!);
  out.open(`for (int64_t b = 0; b < ${batchSizes.reduce((x, s) => x * s, 1)}; b++)`);
  decode(out, 'b', batchSizes, 'b');
  // the index vector of this batch, and the start along each dim of the input
  const indexBatch = indices.shape.map((_, d) => d).filter(d => d !== indexVectorDim);
  const indexBase = sumText(indexBatch.map((d, i) => [`b${i}`, indices.strides[d]!] as const));
  input.shape.forEach((_, d) => {
    const component = scatterDimsToOperandDims.indexOf(d);
    const batching = inputBatchingDims.indexOf(d);
    if (component >= 0)
      out.line(
        `const int64_t s${d} = (int64_t)p${indices.slot}[${sumText([[`(${indexBase})`, 1]], component * (indices.strides[indexVectorDim] ?? 0))}];`,
      );
    else if (batching >= 0) {
      const from = scatterIndicesBatchingDims[batching]!;
      out.line(`const int64_t s${d} = b${from < indexVectorDim ? from : from - 1};`);
    }
  });
  const hasStart = (d: number): boolean => scatterDimsToOperandDims.includes(d) || inputBatchingDims.includes(d);
  const start = (d: number): string => (hasStart(d) ? `s${d}` : '0');
  for (const d of [...insertedWindowDims, ...inputBatchingDims])
    if (hasStart(d)) out.line(`if (s${d} < 0 || s${d} >= ${input.shape[d]}) continue;`);
  // ui64 indices beyond the range of int64 read as negative ones, which are out of range as well
  windowDims.slice(0, -1).forEach((d, i) => {
    out.open(`for (int64_t w${i} = 0; w${i} < ${update.shape[updateWindowDims[i]!]}; w${i}++)`);
    if (hasStart(d)) out.line(`if (s${d} + w${i} < 0 || s${d} + w${i} >= ${input.shape[d]}) continue;`);
  });
  const target = sumText([
    ...input.shape.map((_, d) => [start(d), input.strides[d]!] as const).filter(([s]) => s !== '0'),
    ...windowDims.map((d, i) => [`w${i}`, input.strides[d]!] as const),
  ]);
  const source = sumText([
    ...batchDims.map((d, i) => [`b${i}`, update.strides[d]!] as const),
    ...updateWindowDims.map((d, i) => [`w${i}`, update.strides[d]!] as const),
  ]);
  if (innerWindow >= 0) {
    const d = windowDims[innerWindow]!;
    const w = `w${innerWindow}`;
    if (hasStart(d)) {
      out.line(
        `const int64_t from = s${d} < -lo ? -s${d} : lo, to = hi > ${input.shape[d]} - s${d} ? ${input.shape[d]} - s${d} : hi;`,
      );
    } else out.line('const int64_t from = lo, to = hi;');
    out.line('#pragma omp simd');
    out.open(`for (int64_t ${w} = from; ${w} < to; ${w}++)`);
  }
  foldUpdate(k, op, results, updates, target, source);
  const opened = Math.max(0, windowDims.length);
  for (let i = 0; i < opened; i++) out.close();
  out.close();
  out.close();
  copyInputs(k, inputs, results);
  const text = `${out}\n${entryOf(tasks, tasks > 1)}`;
  return {
    code: text.replace('  t_call call = {rt, p};', '  @_copy(p);\n  t_call call = {rt, p};'),
  };
}

function foldUpdate(
  k: PlainKernel,
  op: Op<'scatter'>,
  results: readonly MemoryView[],
  updates: readonly MemoryView[],
  target: string,
  source: string,
): void {
  const { out } = k;
  out.line(`const int64_t at = ${target}, of = ${source};`);
  const region = op.regions[0];
  results.forEach((r, i) => {
    out.line(`const ${registerType(r.type)} x${i} = ${loaded(r.type, `p${r.slot}[at]`)};`);
    out.line(`const ${registerType(r.type)} y${i} = ${loaded(r.type, `p${updates[i]!.slot}[of]`)};`);
  });
  const values = applyRegion(
    out,
    region,
    [...results.map((_, i) => `x${i}`), ...results.map((_, i) => `y${i}`)],
    'f',
    k.nameOf,
  );
  results.forEach((r, i) => {
    out.line(`p${r.slot}[at] = ${stored(r.type, values[i]!)};`);
  });
}

function copyInputs(k: PlainKernel, inputs: readonly MemoryView[], results: readonly MemoryView[]): void {
  const { out } = k;
  out.open('static void @_copy(char *const *p)');
  results.forEach((r, i) => {
    out.line(
      `if (p[${r.slot}] != p[${inputs[i]!.slot}]) __builtin_memcpy(p[${r.slot}], p[${inputs[i]!.slot}], ${r.count * elementBytes(r.type)});`,
    );
  });
  out.close();
}
