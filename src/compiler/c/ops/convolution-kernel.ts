// The kernel of convolution, in any dimension order, with strides, padding, dilations, reversal and groups: so also its
// two gradients. Direct: a block of results along the innermost output dim is accumulated over the kernel's positions and
// the input features; the innermost loop runs along output features, positions or batches, whichever lies innermost.
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { loaded, registerType, rounded, stored } from '../scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../scalar/scalar.ts';
import { decode, type MemoryView, PlainKernel, sumText } from './plain-kernel.ts';

export function printConvolution(kernel: OpKernelOf<'convolution'>, operands: readonly KernelOperand[]): KernelText {
  const { op, run, block, cut } = kernel;
  const a = op.attributes;
  const n = a.dimensionNumbers;
  const k = new PlainKernel(kernel, operands);
  const { out } = k;
  const [x, w, y] = [k.inputs[0]!, k.inputs[1]!, k.results[0]!];
  const spatial = n.outputSpatialDimensions.length;
  const rank = y.shape.length;
  const last = rank - 1;
  const width = y.shape[last]!;
  const outputs = y.shape[n.outputFeatureDimension]!;
  const inputs = w.shape[n.kernelInputFeatureDimension]!;
  const groups = Math.max(a.featureGroupCount, a.batchGroupCount);
  const perGroup = outputs / groups;
  const lastIsFeature = n.outputFeatureDimension === last;
  const perRun = Math.ceil(run / block);
  const blocks = perRun * (width / Math.max(1, run));
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
  const outIndex = (d: number): string => (d === last ? 'lo' : `o${d}`);
  const feature = outIndex(n.outputFeatureDimension);
  if (groups > 1) out.line(`const int64_t group = ${feature} / ${perGroup};`);
  out.line(`_Alignas(64) ${acc} sum[${block}];`);
  out.line('for (int64_t j = 0; j < hi - lo; j++) sum[j] = 0;');
  // Steps along the innermost loop, in elements of each operand.
  let xStep = 0;
  const wStep = lastIsFeature ? w.strides[n.kernelOutputFeatureDimension]! : 0;
  if (n.outputBatchDimension === last) xStep = x.strides[n.inputBatchDimension]!;
  const lastSpatial = n.outputSpatialDimensions.indexOf(last);
  for (let s = 0; s < spatial; s++) {
    const kd = n.kernelSpatialDimensions[s]!;
    out.open(`for (int64_t k${s} = 0; k${s} < ${w.shape[kd]}; k${s}++)`);
    if (s === lastSpatial) continue;
    const size = x.shape[n.inputSpatialDimensions[s]!]!;
    const dilation = a.lhsDilation[s]!;
    out.line(
      `const int64_t q${s} = ${outIndex(n.outputSpatialDimensions[s]!)} * ${a.windowStrides[s]} + k${s} * ${a.rhsDilation[s]} - ${a.padding[s]![0]};`,
    );
    out.line(
      `if (q${s} < 0 || q${s} >= ${size === 0 ? 0 : (size - 1) * dilation + 1}${dilation === 1 ? '' : ` || q${s} % ${dilation} != 0`}) continue;`,
    );
  }
  let from = 'lo';
  let to = 'hi';
  const isDilated = lastSpatial >= 0 && a.lhsDilation[lastSpatial] !== 1;
  if (lastSpatial >= 0) {
    const s = lastSpatial;
    const size = x.shape[n.inputSpatialDimensions[s]!]!;
    const extent = size === 0 ? 0 : (size - 1) * a.lhsDilation[s]! + 1;
    const stride = a.windowStrides[s]!;
    out.line(`const int64_t shift = k${s} * ${a.rhsDilation[s]} - ${a.padding[s]![0]};`);
    out.line(
      `int64_t from = shift >= 0 ? 0 : (-shift + ${stride - 1}) / ${stride}, to = shift >= ${extent} ? 0 : (${extent - 1} - shift) / ${stride} + 1;`,
    );
    out.line('if (from < lo) from = lo;');
    out.line('if (to > hi) to = hi;');
    from = 'from';
    to = 'to';
    if (!isDilated) xStep = stride * x.strides[n.inputSpatialDimensions[s]!]!;
  }
  out.open(`for (int64_t i = 0; i < ${inputs}; i++)`);
  const xParts: (readonly [string, number])[] = [];
  const batch = n.outputBatchDimension === last ? '' : outIndex(n.outputBatchDimension);
  if (batch !== '') xParts.push([batch, x.strides[n.inputBatchDimension]!]);
  if (a.batchGroupCount > 1)
    xParts.push(['group', y.shape[n.outputBatchDimension]! * x.strides[n.inputBatchDimension]!]);
  xParts.push(['i', x.strides[n.inputFeatureDimension]!]);
  if (a.featureGroupCount > 1) xParts.push(['group', inputs * x.strides[n.inputFeatureDimension]!]);
  const wParts: (readonly [string, number])[] = [['i', w.strides[n.kernelInputFeatureDimension]!]];
  if (!lastIsFeature) wParts.push([feature, w.strides[n.kernelOutputFeatureDimension]!]);
  let wConstant = 0;
  for (let s = 0; s < spatial; s++) {
    const kd = n.kernelSpatialDimensions[s]!;
    wParts.push([`k${s}`, a.windowReversal[s] ? -w.strides[kd]! : w.strides[kd]!]);
    if (a.windowReversal[s]) wConstant += (w.shape[kd]! - 1) * w.strides[kd]!;
    if (s === lastSpatial) {
      if (!isDilated) xParts.push(['shift', x.strides[n.inputSpatialDimensions[s]!]!]);
    } else
      xParts.push([
        a.lhsDilation[s] === 1 ? `q${s}` : `(q${s} / ${a.lhsDilation[s]})`,
        x.strides[n.inputSpatialDimensions[s]!]!,
      ]);
  }
  out.line(`const int64_t xa = ${sumText(xParts)}, wa = ${sumText(wParts, wConstant)};`);
  if (!isDilated) out.line('#pragma omp simd');
  out.open(`for (int64_t o = ${from}; o < ${to}; o++)`);
  let xAt = sumText([
    ['xa', 1],
    ['o', xStep],
  ]);
  if (isDilated) {
    const s = lastSpatial;
    out.line(`const int64_t q = o * ${a.windowStrides[s]} + shift;`);
    out.line(`if (q % ${a.lhsDilation[s]} != 0) continue;`);
    xAt = sumText([
      ['xa', 1],
      [`(q / ${a.lhsDilation[s]})`, x.strides[n.inputSpatialDimensions[s]!]!],
    ]);
  }
  const wAt = sumText([
    ['wa', 1],
    ['o', wStep],
  ]);
  const factor = (of: MemoryView, at: string): string =>
    `(${acc})${converted(loaded(of.type, `p${of.slot}[${at}]`), of.type, y.type)}`;
  out.line(`${addProduct('sum[o - lo]', factor(x, xAt), factor(w, wAt), y.type)};`);
  out.close();
  out.close();
  for (let s = 0; s < spatial; s++) out.close();
  const position = sumText([...y.shape.slice(0, -1).map((_, d) => [`o${d}`, y.strides[d]!] as const), ['o', 1]]);
  out.line(
    `for (int64_t o = lo; o < hi; o++) p${y.slot}[${position}] = ${stored(y.type, rounded(y.type, acc === T ? 'sum[o - lo]' : `(${T})sum[o - lo]`))};`,
  );
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}
