// The kernel of convolution, in any dimension order, with strides, padding, dilations, reversal and groups, and so also its
// two gradients. Direct: a block of results along the innermost output dim is accumulated over the kernel's positions and
// the input features; the innermost loop runs along output features, positions or batches, whichever is innermost.
import { elementAt } from '../../../../base/element-at.ts';
import type { OpAttributes } from '../../../../hlo/attributes.ts';
import { ceilDiv, type Extent, plus, times } from '../../../ir/extent.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { sizeText } from '../kernels/size-text.ts';
import { registerType, rounded, stored } from '../scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../scalar/scalar.ts';
import type { Writer } from '../writer.ts';
import { decode, type MemoryView, PlainKernel, sumText } from './plain-kernel.ts';
import { boundsText } from './window-kernels.ts';

/** A spatial dim. */
interface SpatialDim {
  readonly s: number;
  /** The dim of the results. */
  readonly to: number;
  /** In the operand, and in the kernel. */
  readonly size: Extent;
  readonly stride: Extent;
  readonly kernelSize: Extent;
  readonly kernelStride: Extent;
  readonly windowStride: number;
  readonly low: Extent;
  readonly lhsDilation: number;
  readonly rhsDilation: number;
  readonly isReversed: boolean;
}

/** The state that all parts of the loop nest use. */
interface Nest {
  readonly out: Writer;
  readonly a: Pick<OpAttributes['convolution'], 'dimensionNumbers' | 'featureGroupCount' | 'batchGroupCount'>;
  readonly x: MemoryView;
  readonly w: MemoryView;
  readonly y: MemoryView;
  readonly spatial: readonly SpatialDim[];
  /** The spatial dim that is innermost in the results; undefined if that is the features or the batch. */
  readonly inner: SpatialDim | undefined;
  /** C of a result's index along a dim. */
  outIndex(dim: number): string;
}

export function printConvolution(kernel: OpKernelOf<'convolution'>, operands: readonly KernelOperand[]): KernelText {
  const { op, sizes, padding, run, block, cut } = kernel;
  const a = op.attributes;
  const n = a.dimensionNumbers;
  const k = new PlainKernel(kernel, operands, sizes);
  const { out } = k;
  const [x, w, y] = [k.input(0), k.input(1), k.result(0)];
  const last = y.shape.length - 1;
  const spatial = n.outputSpatialDimensions.map((to, s): SpatialDim => {
    const [from, inKernel] = [elementAt(n.inputSpatialDimensions, s), elementAt(n.kernelSpatialDimensions, s)];
    return {
      s,
      to,
      size: x.size(from),
      stride: x.stride(from),
      kernelSize: w.size(inKernel),
      kernelStride: w.stride(inKernel),
      windowStride: elementAt(a.windowStrides, s),
      low: elementAt(padding, s)[0],
      lhsDilation: elementAt(a.lhsDilation, s),
      rhsDilation: elementAt(a.rhsDilation, s),
      isReversed: elementAt(a.windowReversal, s),
    };
  });
  const outIndex = (d: number): string => (d === last ? 'lo' : `o${d}`);
  const nest: Nest = { out, a, x, w, y, spatial, inner: spatial.find(({ to }) => to === last), outIndex };
  const groups = Math.max(a.featureGroupCount, a.batchGroupCount);
  const perRun = ceilDiv(run, block);
  // runs are those of one group's features, or all of the innermost dim
  const runs = n.outputFeatureDimension === last ? groups : 1;
  const [runText, runBlocks] = [sizeText(run), sizeText(perRun)];
  const blocks = sizeText(times(perRun, y.size(last) === 0 ? 0 : runs));
  const T = registerType(y.type);
  const acc = accumulatorType(y.type);
  k.openTask();
  k.openUnits(cut, 'unit');
  out.line(`const int64_t row = unit / ${blocks}, part = unit % ${blocks};`);
  out.line(
    `const int64_t lo = part / ${runBlocks} * ${runText} + part % ${runBlocks} * ${block}, limit = part / ${runBlocks} * ${runText} + ${runText}, hi = lo + ${block} < limit ? lo + ${block} : limit;`,
  );
  decode(out, 'o', y.shape.slice(0, -1), 'row');
  if (groups > 1) {
    const perGroup = ceilDiv(y.size(n.outputFeatureDimension), groups);
    out.line(`const int64_t group = ${outIndex(n.outputFeatureDimension)} / ${sizeText(perGroup)};`);
  }
  out.line(`_Alignas(64) ${acc} sum[${block}];`);
  out.line('for (int64_t j = 0; j < hi - lo; j++) sum[j] = 0;');
  openTaps(nest);
  out.open(`for (int64_t i = 0; i < ${sizeText(w.size(n.kernelInputFeatureDimension))}; i++)`);
  printProducts(nest, acc);
  out.close();
  for (const _ of spatial) out.close();
  const position = sumText([...y.shape.slice(0, -1).map((_, d) => [`o${d}`, y.stride(d)] as const), ['o', 1]]);
  out.line(
    `for (int64_t o = lo; o < hi; o++) p${y.slot}[${position}] = ${stored(y.type, rounded(y.type, acc === T ? 'sum[o - lo]' : `(${T})sum[o - lo]`))};`,
  );
  out.close();
  out.close();
  return { code: k.text(cut) };
}

/** Elements of x along a spatial dim, with the holes between them. */
const extentOf = ({ size, lhsDilation }: SpatialDim): Extent =>
  size === 0 ? 0 : plus(times(plus(size, -1), lhsDilation), 1);
/** C of the index along a dim of x. */
const positionText = ({ s, lhsDilation }: SpatialDim): string =>
  lhsDilation === 1 ? `q${s}` : `(q${s} / ${lhsDilation})`;

/**
 * Opens the loops over the kernel's positions. Positions that meet no element are skipped; `from` and `to` bound the innermost
 * dim.
 */
function openTaps({ out, spatial, inner, outIndex }: Nest): void {
  for (const dim of spatial) {
    const { s, to, windowStride, lhsDilation, rhsDilation, low } = dim;
    out.open(`for (int64_t k${s} = 0; k${s} < ${sizeText(dim.kernelSize)}; k${s}++)`);
    if (dim === inner) continue;
    out.line(`const int64_t q${s} = ${outIndex(to)} * ${windowStride} + k${s} * ${rhsDilation} - ${sizeText(low)};`);
    const between = lhsDilation === 1 ? '' : ` || q${s} % ${lhsDilation} != 0`;
    out.line(`if (q${s} < 0 || q${s} >= ${sizeText(extentOf(dim))}${between}) continue;`);
  }
  if (inner === undefined) return;
  out.line(`const int64_t shift = k${inner.s} * ${inner.rhsDilation} - ${sizeText(inner.low)};`);
  out.line(boundsText(extentOf(inner), inner.windowStride));
  out.line('if (from < lo) from = lo;');
  out.line('if (to > hi) to = hi;');
}

/** Elements of x are not contiguous along the innermost dim of the results. */
const isDilated = ({ inner }: Nest): boolean => inner !== undefined && inner.lhsDilation !== 1;

/** Adds the products of one kernel position and one input feature to the sums of the block. */
function printProducts(nest: Nest, acc: string): void {
  const { out, a, x, w, y, inner } = nest;
  const n = a.dimensionNumbers;
  const [from, to] = inner === undefined ? ['lo', 'hi'] : ['from', 'to'];
  const last = y.shape.length - 1;
  const wStep = n.outputFeatureDimension === last ? w.stride(n.kernelOutputFeatureDimension) : 0;
  out.line(`const int64_t xa = ${inputOffset(nest)}, wa = ${kernelOffset(nest)};`);
  if (!isDilated(nest)) out.line('#pragma omp simd');
  out.open(`for (int64_t o = ${from}; o < ${to}; o++)`);
  let along: readonly [string, Extent];
  if (inner === undefined) along = ['o', n.outputBatchDimension === last ? x.stride(n.inputBatchDimension) : 0];
  else if (isDilated(nest)) {
    out.line(`const int64_t q = o * ${inner.windowStride} + shift;`);
    out.line(`if (q % ${inner.lhsDilation} != 0) continue;`);
    along = [`(q / ${inner.lhsDilation})`, inner.stride];
  } else along = ['o', times(inner.windowStride, inner.stride)];
  const factor = (of: MemoryView, at: string): string => `(${acc})${converted(of.load(at), of.type, y.type)}`;
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
function inputOffset(nest: Nest): string {
  const { a, x, w, y, spatial, inner, outIndex } = nest;
  const n = a.dimensionNumbers;
  const [batchStride, featureStride] = [x.stride(n.inputBatchDimension), x.stride(n.inputFeatureDimension)];
  const parts: (readonly [string, Extent])[] = [];
  if (n.outputBatchDimension !== y.shape.length - 1) parts.push([outIndex(n.outputBatchDimension), batchStride]);
  if (a.batchGroupCount > 1) parts.push(['group', times(y.size(n.outputBatchDimension), batchStride)]);
  parts.push(['i', featureStride]);
  if (a.featureGroupCount > 1) parts.push(['group', times(w.size(n.kernelInputFeatureDimension), featureStride)]);
  for (const dim of spatial) {
    if (dim !== inner) parts.push([positionText(dim), dim.stride]);
    else if (!isDilated(nest)) parts.push(['shift', dim.stride]);
  }
  return sumText(parts);
}

/** The same in the kernel of the convolution. */
function kernelOffset({ a, w, y, spatial, outIndex }: Nest): string {
  const n = a.dimensionNumbers;
  const parts: (readonly [string, Extent])[] = [['i', w.stride(n.kernelInputFeatureDimension)]];
  if (n.outputFeatureDimension !== y.shape.length - 1)
    parts.push([outIndex(n.outputFeatureDimension), w.stride(n.kernelOutputFeatureDimension)]);
  let constant: Extent = 0;
  for (const { s, kernelSize, kernelStride, isReversed } of spatial) {
    parts.push([`k${s}`, isReversed ? times(kernelStride, -1) : kernelStride]);
    if (isReversed) constant = plus(constant, times(plus(kernelSize, -1), kernelStride));
  }
  return sumText(parts, constant);
}
