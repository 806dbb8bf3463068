// The kernel of convolution, in any dimension order, with strides, padding, dilations, reversal and groups, and so also its
// two gradients. Direct: a block of results along the innermost output dim is accumulated over the kernel's positions and
// the input features; the innermost loop runs along output features, positions or batches, whichever is innermost.
import type { OpAttributes } from '../../../hlo/attributes.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType, rounded, stored } from '../scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../scalar/scalar.ts';
import type { Writer } from '../writer.ts';
import { decode, type MemoryView, PlainKernel, sumText } from './plain-kernel.ts';

/** The state that all parts of the loop nest use. */
interface Nest {
  readonly out: Writer;
  readonly a: OpAttributes['convolution'];
  readonly x: MemoryView;
  readonly w: MemoryView;
  readonly y: MemoryView;
  /** The spatial dim that is innermost in the results; -1 if that is the features or the batch. */
  readonly lastSpatial: number;
  /** Elements of x are not contiguous along that dim. */
  readonly isDilated: boolean;
  /** C of a result's index along a dim. */
  outIndex(dim: number): string;
}

export function printConvolution(kernel: OpKernelOf<'convolution'>, operands: readonly KernelOperand[]): KernelText {
  const { op, run, block, cut } = kernel;
  const a = op.attributes;
  const n = a.dimensionNumbers;
  const k = new PlainKernel(kernel, operands);
  const { out } = k;
  const [x, w, y] = [k.inputs[0]!, k.inputs[1]!, k.results[0]!];
  const last = y.shape.length - 1;
  const lastSpatial = n.outputSpatialDimensions.indexOf(last);
  const isDilated = lastSpatial >= 0 && a.lhsDilation[lastSpatial] !== 1;
  const outIndex = (d: number): string => (d === last ? 'lo' : `o${d}`);
  const nest: Nest = { out, a, x, w, y, lastSpatial, isDilated, outIndex };
  const groups = Math.max(a.featureGroupCount, a.batchGroupCount);
  const perRun = Math.ceil(run / block);
  const blocks = perRun * (y.shape[last]! / Math.max(1, run));
  const { units } = cut;
  const T = registerType(y.type);
  const acc = accumulatorType(y.type);
  k.openTask();
  out.line(`const int64_t end = (task + 1) * ${cut.perTask} < ${units} ? (task + 1) * ${cut.perTask} : ${units};`);
  out.open(`for (int64_t unit = task * ${cut.perTask}; unit < end; unit++)`);
  out.line(`const int64_t row = unit / ${blocks}, part = unit % ${blocks};`);
  out.line(
    `const int64_t lo = part / ${perRun} * ${run} + part % ${perRun} * ${block}, limit = part / ${perRun} * ${run} + ${run}, hi = lo + ${block} < limit ? lo + ${block} : limit;`,
  );
  decode(out, 'o', y.shape.slice(0, -1), 'row');
  if (groups > 1) {
    const perGroup = y.shape[n.outputFeatureDimension]! / groups;
    out.line(`const int64_t group = ${outIndex(n.outputFeatureDimension)} / ${perGroup};`);
  }
  out.line(`_Alignas(64) ${acc} sum[${block}];`);
  out.line('for (int64_t j = 0; j < hi - lo; j++) sum[j] = 0;');
  openTaps(nest);
  out.open(`for (int64_t i = 0; i < ${w.shape[n.kernelInputFeatureDimension]!}; i++)`);
  printProducts(nest, acc);
  out.close();
  for (const _ of n.outputSpatialDimensions) out.close();
  const position = sumText([...y.shape.slice(0, -1).map((_, d) => [`o${d}`, y.strides[d]!] as const), ['o', 1]]);
  out.line(
    `for (int64_t o = lo; o < hi; o++) p${y.slot}[${position}] = ${stored(y.type, rounded(y.type, acc === T ? 'sum[o - lo]' : `(${T})sum[o - lo]`))};`,
  );
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}

/** Elements of x along a spatial dim, with the holes between them. */
function extentOf({ a, x }: Nest, s: number): number {
  const size = x.shape[a.dimensionNumbers.inputSpatialDimensions[s]!]!;
  return size === 0 ? 0 : (size - 1) * a.lhsDilation[s]! + 1;
}

/**
 * Opens the loops over the kernel's positions. Positions that meet no element are skipped; `from` and `to` bound the innermost
 * dim.
 */
function openTaps(nest: Nest): void {
  const { out, a, w, lastSpatial, outIndex } = nest;
  const n = a.dimensionNumbers;
  n.outputSpatialDimensions.forEach((to, s) => {
    out.open(`for (int64_t k${s} = 0; k${s} < ${w.shape[n.kernelSpatialDimensions[s]!]}; k${s}++)`);
    if (s === lastSpatial) return;
    const dilation = a.lhsDilation[s]!;
    out.line(
      `const int64_t q${s} = ${outIndex(to)} * ${a.windowStrides[s]} + k${s} * ${a.rhsDilation[s]} - ${a.padding[s]![0]};`,
    );
    const between = dilation === 1 ? '' : ` || q${s} % ${dilation} != 0`;
    out.line(`if (q${s} < 0 || q${s} >= ${extentOf(nest, s)}${between}) continue;`);
  });
  if (lastSpatial < 0) return;
  const extent = extentOf(nest, lastSpatial);
  const stride = a.windowStrides[lastSpatial]!;
  out.line(`const int64_t shift = k${lastSpatial} * ${a.rhsDilation[lastSpatial]} - ${a.padding[lastSpatial]![0]};`);
  out.line(
    `int64_t from = shift >= 0 ? 0 : (-shift + ${stride - 1}) / ${stride}, to = shift >= ${extent} ? 0 : (${extent - 1} - shift) / ${stride} + 1;`,
  );
  out.line('if (from < lo) from = lo;');
  out.line('if (to > hi) to = hi;');
}

/** Adds the products of one kernel position and one input feature to the sums of the block. */
function printProducts(nest: Nest, acc: string): void {
  const { out, a, x, w, y, lastSpatial, isDilated } = nest;
  const n = a.dimensionNumbers;
  const [from, to] = lastSpatial >= 0 ? ['from', 'to'] : ['lo', 'hi'];
  const last = y.shape.length - 1;
  const wStep = n.outputFeatureDimension === last ? w.strides[n.kernelOutputFeatureDimension]! : 0;
  const lastStride = lastSpatial < 0 ? 0 : x.strides[n.inputSpatialDimensions[lastSpatial]!]!;
  out.line(`const int64_t xa = ${inputOffset(nest)}, wa = ${kernelOffset(nest)};`);
  if (!isDilated) out.line('#pragma omp simd');
  out.open(`for (int64_t o = ${from}; o < ${to}; o++)`);
  let along: readonly [string, number];
  if (isDilated) {
    out.line(`const int64_t q = o * ${a.windowStrides[lastSpatial]} + shift;`);
    out.line(`if (q % ${a.lhsDilation[lastSpatial]} != 0) continue;`);
    along = [`(q / ${a.lhsDilation[lastSpatial]})`, lastStride];
  } else if (lastSpatial >= 0) along = ['o', a.windowStrides[lastSpatial]! * lastStride];
  else along = ['o', n.outputBatchDimension === last ? x.strides[n.inputBatchDimension]! : 0];
  const factor = (of: MemoryView, at: string): string =>
    `(${acc})${converted(loaded(of.type, `p${of.slot}[${at}]`), of.type, y.type)}`;
  const [xAt, wAt] = [
    sumText([['xa', 1], along]),
    sumText([
      ['wa', 1],
      ['o', wStep],
    ]),
  ];
  out.line(`${addProduct('sum[o - lo]', factor(x, xAt), factor(w, wAt), y.type)};`);
  out.close();
}

/** C of the position in x at which the elements of the innermost loop begin. */
function inputOffset({ a, x, w, y, lastSpatial, isDilated, outIndex }: Nest): string {
  const n = a.dimensionNumbers;
  const [batchStride, featureStride] = [x.strides[n.inputBatchDimension]!, x.strides[n.inputFeatureDimension]!];
  const parts: (readonly [string, number])[] = [];
  if (n.outputBatchDimension !== y.shape.length - 1) parts.push([outIndex(n.outputBatchDimension), batchStride]);
  if (a.batchGroupCount > 1) parts.push(['group', y.shape[n.outputBatchDimension]! * batchStride]);
  parts.push(['i', featureStride]);
  if (a.featureGroupCount > 1) parts.push(['group', w.shape[n.kernelInputFeatureDimension]! * featureStride]);
  n.inputSpatialDimensions.forEach((d, s) => {
    const stride = x.strides[d]!;
    if (s !== lastSpatial) parts.push([a.lhsDilation[s] === 1 ? `q${s}` : `(q${s} / ${a.lhsDilation[s]})`, stride]);
    else if (!isDilated) parts.push(['shift', stride]);
  });
  return sumText(parts);
}

/** The same in the kernel of the convolution. */
function kernelOffset({ a, w, y, outIndex }: Nest): string {
  const n = a.dimensionNumbers;
  const parts: (readonly [string, number])[] = [['i', w.strides[n.kernelInputFeatureDimension]!]];
  if (n.outputFeatureDimension !== y.shape.length - 1)
    parts.push([outIndex(n.outputFeatureDimension), w.strides[n.kernelOutputFeatureDimension]!]);
  let constant = 0;
  n.kernelSpatialDimensions.forEach((d, s) => {
    parts.push([`k${s}`, a.windowReversal[s] ? -w.strides[d]! : w.strides[d]!]);
    if (a.windowReversal[s]) constant += (w.shape[d]! - 1) * w.strides[d]!;
  });
  return sumText(parts, constant);
}
