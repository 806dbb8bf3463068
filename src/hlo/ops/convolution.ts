// The row of convolution, in any dimension order, with strides, padding, dilation of both sides, reversal and groups:
//   result[b, out, o] = Σ over k, i of lhs[b, out · stride + k · rhs_dilation - low, i] · rhs[k, i, o]
// where positions of the lhs count its dilated elements. product-sum.ts defines the arithmetic in which products are summed.
import type { ConvolutionAttributes, OpAttributes } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import { elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { countOf, streaming } from './costs.ts';
import { combinedIndices } from './indices.ts';
import { anyElement, checkElements } from './operand-checks.ts';
import { productSum } from './product-sum.ts';
import { checkProduct, checkResultElements } from './quantized-checks.ts';
import { type Checker, checkerOf, dimsAgree, inRange, isUnique, list, windowCount, withShape } from './shape-checks.ts';

type Attributes = OpAttributes['convolution'];
const require: Checker = checkerOf('convolution');

function checkConvolution(lhs: TensorType, rhs: TensorType, a: Attributes): void {
  const n = lhs.shape.length;
  const d = a.dimensionNumbers;
  const what = (): string => `${formatType(lhs)} * ${formatType(rhs)}`;
  require(rhs.shape.length === n && n >= 2, 1, () => `${what()}: both must have the same rank, at least 2`);
  const lists = [
    ['window_strides', a.windowStrides, 2, 3],
    ['lhs_dilation', a.lhsDilation, 5, 6],
    ['rhs_dilation', a.rhsDilation, 7, 8],
  ] as const;
  for (const [name, values, count, positive] of lists) {
    require(values.length === n - 2, count, () => `${name} needs ${n - 2} entries, got ${list(values)}`);
    require(values.every(v => v > 0), positive, () => `${name} must be positive, got ${list(values)}`);
  }
  require(a.padding.length === n - 2 && a.padding.every(p => p.length === 2), 4, () => `padding needs ${n - 2} pairs`);
  require(a.windowReversal.length === n - 2, 9, () => `window_reversal needs ${n - 2} entries`);
  const spatial = [
    [d.inputSpatialDimensions, 12],
    [d.kernelSpatialDimensions, 17],
    [d.outputSpatialDimensions, 19],
  ] as const;
  for (const [dims, constraint] of spatial)
    require(dims.length === n - 2, constraint, () => `expected ${n - 2} spatial dims, got ${list(dims)}`);
  const orders = [
    [[d.inputBatchDimension, d.inputFeatureDimension, ...d.inputSpatialDimensions], 13],
    [[d.kernelInputFeatureDimension, d.kernelOutputFeatureDimension, ...d.kernelSpatialDimensions], 18],
    [[d.outputBatchDimension, d.outputFeatureDimension, ...d.outputSpatialDimensions], 20],
  ] as const;
  for (const [dims, constraint] of orders)
    require(isUnique(dims) && inRange(dims, n), constraint, () => `${list(dims)} is not an order of ${n} dims`);
  require(a.featureGroupCount > 0, 21, () => `feature_group_count must be positive, got ${a.featureGroupCount}`);
  require(a.batchGroupCount > 0, 22, () => `batch_group_count must be positive, got ${a.batchGroupCount}`);
  require(a.featureGroupCount === 1 || a.batchGroupCount === 1, 23, () =>
    'either features or batches are grouped, not both');
  const [batch, feature] = [lhs.shape[d.inputBatchDimension]!, lhs.shape[d.inputFeatureDimension]!];
  const [inputs, outputs] = [rhs.shape[d.kernelInputFeatureDimension]!, rhs.shape[d.kernelOutputFeatureDimension]!];
  require(batch < 0 || batch % a.batchGroupCount === 0, 10, () =>
    `${what()}: batch ${batch} is not divisible by ${a.batchGroupCount}`);
  require(feature < 0 || feature % a.featureGroupCount === 0, 11, () =>
    `${what()}: ${feature} features are not divisible by ${a.featureGroupCount}`);
  require(feature < 0 || dimsAgree(inputs, feature / a.featureGroupCount), 14, () =>
    `${what()}: the kernel takes ${inputs} input features, a group has ${feature / a.featureGroupCount}`);
  require(outputs < 0 || outputs % a.batchGroupCount === 0, 15, () =>
    `${what()}: ${outputs} output features are not divisible by ${a.batchGroupCount}`);
  require(outputs < 0 || outputs % a.featureGroupCount === 0, 16, () =>
    `${what()}: ${outputs} output features are not divisible by ${a.featureGroupCount}`);
  require(a.precision.length <= 2, 24, () => `expected two precisions, got ${a.precision.length}`);
  require(lhs.quantization !== undefined ||
    rhs.quantization !== undefined ||
    lhs.elementType === rhs.elementType, 27, () => `${what()}: element types differ`);
}

/** The elements of a declared result: those of the operands, or quantized consistently with them along the feature dims. */
export function checkConvolutionElements(
  require: Checker,
  { dimensionNumbers: d }: ConvolutionAttributes,
  lhs: TensorType,
  rhs: TensorType,
  result: TensorType,
): void {
  checkProduct(require, { quantized: 28, storage: 31, expressed: 32, granularity: 33, hybrid: 34 }, lhs, rhs, result);
  const [r, q] = [rhs.quantization?.axis, result.quantization?.axis];
  require(r === undefined || r === d.kernelOutputFeatureDimension, 29, () =>
    `${formatType(rhs)} must be quantized along its output features, dim ${d.kernelOutputFeatureDimension}`);
  require(q === undefined || q === d.outputFeatureDimension, 30, () =>
    `${formatType(result)} must be quantized along its features, dim ${d.outputFeatureDimension}`);
}

function resultShape(l: readonly number[], r: readonly number[], a: Attributes): number[] {
  const d = a.dimensionNumbers;
  const shape = l.map(() => 0);
  const batch = l[d.inputBatchDimension]!;
  shape[d.outputBatchDimension] = batch < 0 ? batch : batch / a.batchGroupCount;
  shape[d.outputFeatureDimension] = r[d.kernelOutputFeatureDimension]!;
  d.outputSpatialDimensions.forEach((to, s) => {
    const [low, high] = a.padding[s]!;
    const size = l[d.inputSpatialDimensions[s]!]!;
    shape[to] = windowCount(
      size,
      r[d.kernelSpatialDimensions[s]!]!,
      a.windowStrides[s]!,
      low,
      high,
      a.lhsDilation[s]!,
      a.rhsDilation[s]!,
    );
  });
  return shape;
}

export const convolutionRows: Rows<'convolution'> = {
  convolution: {
    name: 'convolution',
    kind: 'contraction',
    pure: true,
    infer(operands, attributes) {
      const [lhs, rhs] = tensors('convolution', operands, { perAxis: true });
      checkElements(require, 'i1', [lhs], anyElement);
      checkConvolution(lhs, rhs, attributes);
      const { elementType = lhs.elementType } = attributes;
      return [{ ...withShape(lhs, resultShape(lhs.shape, rhs.shape, attributes)), elementType }];
    },
    stated: 'elements',
    verify({ operands, attributes, results }) {
      const [lhs, rhs, result] = [...operands, ...results].map(v => v.type) as [TensorType, TensorType, TensorType];
      checkResultElements(require, attributes.elementType ?? lhs.elementType, result);
      checkConvolutionElements(require, attributes, lhs, rhs, result);
    },
    evaluate(op, [lhs, rhs]) {
      const a = op.attributes;
      const d = a.dimensionNumbers;
      const [l, r] = [lhs.type.shape, rhs.type.shape];
      const type = tensorType(a.elementType ?? lhs.type.elementType, resultShape(l, r, a));
      const [ls, rs, os] = [stridesOf(l), stridesOf(r), stridesOf(type.shape)];
      const sum = productSum(type, lhs, rhs);

      const batches = type.shape[d.outputBatchDimension]!;
      const outputs = r[d.kernelOutputFeatureDimension]!;
      const inputs = r[d.kernelInputFeatureDimension]!;
      const outSizes = d.outputSpatialDimensions.map(o => type.shape[o]!);
      const kernelSizes = d.kernelSpatialDimensions.map(k => r[k]!);
      const outSteps = stridesOf(outSizes);
      const outTotal = elementCount(outSizes);
      const kernelOffsets = combinedIndices(
        kernelSizes.map((size, s) =>
          Array.from(
            { length: size },
            (_, k) => (a.windowReversal[s] ? size - 1 - k : k) * rs[d.kernelSpatialDimensions[s]!]!,
          ),
        ),
      );

      for (let p = 0; p < outTotal; p++) {
        // The elements of the lhs under this window, -1 on padding and between dilated elements.
        const position = outSizes.map((size, s) => Math.floor(p / outSteps[s]!) % size);
        const lhsOffsets = combinedIndices(
          kernelSizes.map((size, s) =>
            Array.from({ length: size }, (_, k) => {
              const at =
                (position[s]! * a.windowStrides[s]! + k * a.rhsDilation[s]! - a.padding[s]![0]) / a.lhsDilation[s]!;
              const dim = d.inputSpatialDimensions[s]!;
              return Number.isInteger(at) && at >= 0 && at < l[dim]! ? at * ls[dim]! : -1;
            }),
          ),
        );
        const outBase = position.reduce((sum, at, s) => sum + at * os[d.outputSpatialDimensions[s]!]!, 0);
        for (let o = 0; o < outputs; o++) {
          const featureGroup = Math.floor(o / (outputs / a.featureGroupCount));
          const batchGroup = Math.floor(o / (outputs / a.batchGroupCount));
          for (let b = 0; b < batches; b++) {
            const lhsBase =
              (batchGroup * batches + b) * ls[d.inputBatchDimension]! +
              featureGroup * inputs * ls[d.inputFeatureDimension]!;
            const rhsBase = o * rs[d.kernelOutputFeatureDimension]!;
            for (let k = 0; k < lhsOffsets.length; k++) {
              if (lhsOffsets[k]! < 0) continue;
              let left = lhsBase + lhsOffsets[k]!;
              let right = rhsBase + kernelOffsets[k]!;
              for (let i = 0; i < inputs; i++) {
                sum.add(left, right);
                left += ls[d.inputFeatureDimension]!;
                right += rs[d.kernelInputFeatureDimension]!;
              }
            }
            sum.store(outBase + b * os[d.outputBatchDimension]! + o * os[d.outputFeatureDimension]!);
          }
        }
      }
      return [sum.result()];
    },
    // Counts every term of the kernel for every output, also those that lie on padding.
    cost(op) {
      const rhs = op.operands[1].type as TensorType;
      const d = op.attributes.dimensionNumbers;
      const terms = countOf(rhs) / Math.max(Math.abs(rhs.shape[d.kernelOutputFeatureDimension]!), 1);
      return streaming(op, 2 * countOf(op.results[0].type) * terms);
    },
  },
};
