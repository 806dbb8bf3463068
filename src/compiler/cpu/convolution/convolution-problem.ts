// A convolution as multiplies: which elements are multiplied, as sizes and strides. How they are computed is in
// convolution-plan.ts.
//
//   y[m, j] = Σ_k w[m, k] · x[k, j]        m: output features   j: (batch, position)   k: (input feature, tap)
//
// Along each dim, a column's position q and a tap t meet the element q·step + t·dilation + first of x, or padding where
// that is outside. The three roles of a convolution in training differ only in the sizes: in the forward pass, q are the pixels
// and t the few taps; for the gradient of the weights q are the few taps and t the pixels. The batch is another such dim.
//
// Where x is dilated (the gradient of a strided convolution), most taps fall between elements. Results whose positions
// agree modulo the dilation use the same taps, so there is one phase for each such class, and no product with a hole between
// elements.
import type { OpAttributes } from '../../../hlo/attributes.ts';
import { stridesOf } from '../../../hlo/types.ts';
import type { ConvolutionDim, ConvolutionPhase, ConvolutionProblem } from '../ir/convolution.ts';

export const dimCount = 4;
const trivial: ConvolutionDim = {
  q: 1,
  taps: 1,
  step: 1,
  dilation: 1,
  first: 0,
  size: 1,
  xStride: 0,
  wStride: 0,
  yStride: 0,
};

interface DimPhase {
  readonly dim: ConvolutionDim;
  readonly wBase: number;
  readonly yBase: number;
}

/** Undefined if there are more dims than the kernels support. */
export function convolutionProblem(
  a: OpAttributes['convolution'],
  x: readonly number[],
  w: readonly number[],
  y: readonly number[],
): ConvolutionProblem | undefined {
  const n = a.dimensionNumbers;
  const [xs, ws, ys] = [stridesOf(x), stridesOf(w), stridesOf(y)];
  const groups = Math.max(a.featureGroupCount, a.batchGroupCount);
  const outputs = w[n.kernelOutputFeatureDimension]! / groups;
  const inputs = w[n.kernelInputFeatureDimension]!;
  const batches = y[n.outputBatchDimension]!;
  const batch: ConvolutionDim = {
    ...trivial,
    q: batches,
    size: batches,
    xStride: xs[n.inputBatchDimension]!,
    yStride: ys[n.outputBatchDimension]!,
  };
  const spatial = n.outputSpatialDimensions.map((to, s) =>
    dimPhases({
      size: x[n.inputSpatialDimensions[s]!]!,
      kernel: w[n.kernelSpatialDimensions[s]!]!,
      output: y[to]!,
      stride: a.windowStrides[s]!,
      low: a.padding[s]![0],
      xDilation: a.lhsDilation[s]!,
      wDilation: a.rhsDilation[s]!,
      isReversed: a.windowReversal[s]!,
      xStride: xs[n.inputSpatialDimensions[s]!]!,
      wStride: ws[n.kernelSpatialDimensions[s]!]!,
      yStride: ys[to]!,
    }),
  );
  let combined: DimPhase[][] = [[{ dim: batch, wBase: 0, yBase: 0 }]];
  for (const phases of spatial) combined = combined.flatMap(before => phases.map(phase => [...before, phase]));
  const phases = combined.map((parts): ConvolutionPhase => {
    const dims = merged(parts.map(p => p.dim).toSorted((p, q) => q.xStride - p.xStride));
    return {
      dims: [...Array.from({ length: Math.max(0, dimCount - dims.length) }, () => trivial), ...dims],
      columns: dims.reduce((total, d) => total * d.q, 1),
      depth: dims.reduce((total, d) => total * d.taps, inputs),
      wBase: parts.reduce((total, p) => total + p.wBase, 0),
      yBase: parts.reduce((total, p) => total + p.yBase, 0),
    };
  });
  if (phases.some(p => p.dims.length > dimCount)) return undefined;
  const wOut = ws[n.kernelOutputFeatureDimension]!;
  const yOut = ys[n.outputFeatureDimension]!;
  const [xIn, wIn] = [xs[n.inputFeatureDimension]!, ws[n.kernelInputFeatureDimension]!];
  const xGroup = a.featureGroupCount > 1 ? inputs * xIn : batches * xs[n.inputBatchDimension]!;
  return {
    phases,
    groups,
    outputs,
    inputs,
    xIn,
    wIn,
    wOut,
    yOut,
    xGroup: groups === 1 ? 0 : xGroup,
    wGroup: outputs * wOut,
    yGroup: outputs * yOut,
  };
}

interface SpatialDim {
  readonly size: number;
  readonly kernel: number;
  readonly output: number;
  readonly stride: number;
  readonly low: number;
  readonly xDilation: number;
  readonly wDilation: number;
  readonly isReversed: boolean;
  readonly xStride: number;
  readonly wStride: number;
  readonly yStride: number;
}

/** Results `period` apart use the same taps, every `every`-th one: those that meet elements, not the holes between them. */
function dimPhases(d: SpatialDim): DimPhase[] {
  const common = gcd(d.stride, d.xDilation);
  const period = d.xDilation / common;
  const every = d.xDilation / gcd(d.wDilation, d.xDilation);
  const phases: DimPhase[] = [];
  for (let r = 0; r < Math.min(period, d.output); r++) {
    const place = (tap: number): number => r * d.stride + tap * d.wDilation - d.low;
    let firstTap = 0;
    while (firstTap < Math.min(d.kernel, d.xDilation) && place(firstTap) % d.xDilation !== 0) firstTap++;
    const isMet = firstTap < d.kernel && place(firstTap) % d.xDilation === 0;
    phases.push({
      dim: {
        q: Math.ceil((d.output - r) / period),
        taps: isMet ? Math.floor((d.kernel - 1 - firstTap) / every) + 1 : 0,
        step: d.stride / common,
        dilation: (every * d.wDilation) / d.xDilation,
        first: isMet ? place(firstTap) / d.xDilation : 0,
        size: d.size,
        xStride: d.xStride,
        wStride: (d.isReversed ? -every : every) * d.wStride,
        yStride: period * d.yStride,
      },
      wBase: isMet ? (d.isReversed ? d.kernel - 1 - firstTap : firstTap) * d.wStride : 0,
      yBase: r * d.yStride,
    });
  }
  return phases;
}

/** Merges dims that one loop can cover, such as the pixels of a 1×1 convolution, and omits dims of size 1. */
function merged(dims: readonly ConvolutionDim[]): ConvolutionDim[] {
  const result: ConvolutionDim[] = [];
  for (const d of dims) {
    if (d.q === 1 && d.taps === 1 && d.first === 0) continue;
    const outer = result.at(-1);
    const both = outer === undefined ? undefined : mergedPair(outer, d);
    if (both === undefined) result.push(d);
    else result[result.length - 1] = both;
  }
  return result;
}

function mergedPair(outer: ConvolutionDim, d: ConvolutionDim): ConvolutionDim | undefined {
  if (outer.first !== 0 || d.first !== 0 || outer.xStride !== d.size * d.xStride) return undefined;
  const size = outer.size * d.size;
  const isColumn = (x: ConvolutionDim): boolean => x.taps === 1 && x.step === 1;
  if (isColumn(outer) && isColumn(d) && d.q === d.size && outer.yStride === d.q * d.yStride)
    return { ...d, q: outer.q * d.q, size };
  const isSum = (x: ConvolutionDim): boolean => x.q === 1 && x.dilation === 1;
  if (isSum(outer) && isSum(d) && d.taps === d.size && outer.wStride === d.taps * d.wStride)
    return { ...d, taps: outer.taps * d.taps, size };
  return undefined;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
