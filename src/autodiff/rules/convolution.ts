// Gradient rules of convolution, for any strides, padding, dilations, window reversal, feature and batch groups. Both
// gradients are convolutions again (the derivation is JAX's, jax/_src/lax/convolution.py):
//
//   lhs   the cotangent, with strides turned into dilation, convolved with the kernel reversed and its in and out features
//   swapped
//   rhs   the lhs convolved with the cotangent as the kernel: batch and feature change roles
//
//   in JAX's letters   forward NCHW ∗ OIHW → NCHW      of lhs: out ∗ IOHW → lhs      of rhs: lhs CNHW ∗ out CNHW → IOHW
import type { ConvolutionDimensionNumbers, OpAttributes } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { dilated } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

type Attributes = OpAttributes['convolution'];
type Padding = readonly (readonly [number, number])[];
const pick = (shape: readonly number[], dims: readonly number[]): number[] => dims.map(d => shape[d]!);

/**
 * Takes `groups` out of dim `from` and makes them the outer part of dim `to`: [… from = g·n …, … to = m …] → [… n …, … g·m …].
 */
function moveGroups(b: Builder, x: Value, groups: number, from: number, to: number): Value {
  if (groups === 1) return x;
  const shape = shapeOf(x);
  const split = [...shape.slice(0, from), groups, shape[from]! / groups, ...shape.slice(from + 1)];
  const apart = b.reshape(x, split); //                                      dim `from` is the groups, `from`+1 the rest
  const order = split.map((_, d) => d).filter(d => d !== from);
  order.splice(to, 0, from); //                                              the groups, just outside dim `to`
  const moved = b.transpose(apart, order);
  const joined = shape.map((size, d) => (d === from ? size / groups : d === to ? size * groups : size));
  return b.reshape(moved, joined);
}

/** Sizes along the spatial dims, including the holes of dilation. */
interface Extents {
  readonly input: number[];
  readonly kernel: number[];
  readonly output: number[];
}
function extentsOf(a: Attributes, lhs: Value, rhs: Value, g: Value): Extents {
  const n = a.dimensionNumbers;
  return {
    input: pick(shapeOf(lhs), n.inputSpatialDimensions).map((size, i) => dilated(size, a.lhsDilation[i]!)),
    kernel: pick(shapeOf(rhs), n.kernelSpatialDimensions).map((size, i) => dilated(size, a.rhsDilation[i]!)),
    output: pick(shapeOf(g), n.outputSpatialDimensions).map((size, i) => dilated(size, a.windowStrides[i]!)),
  };
}

function ofLhs(b: Builder, g: Value, lhs: Value, rhs: Value, a: Attributes): Value {
  const n = a.dimensionNumbers;
  const groups = Math.max(a.featureGroupCount, a.batchGroupCount);
  const kernel = moveGroups(b, rhs, groups, n.kernelOutputFeatureDimension, n.kernelInputFeatureDimension);
  const extents = extentsOf(a, lhs, rhs, g);
  const padding: Padding = extents.input.map((input, i): [number, number] => {
    const low = extents.kernel[i]! - a.padding[i]![0] - 1;
    return [low, input + extents.kernel[i]! - 1 - extents.output[i]! - low];
  });
  const dimensionNumbers: ConvolutionDimensionNumbers = {
    inputBatchDimension: n.outputBatchDimension,
    inputFeatureDimension: n.outputFeatureDimension,
    inputSpatialDimensions: n.outputSpatialDimensions,
    kernelInputFeatureDimension: n.kernelOutputFeatureDimension,
    kernelOutputFeatureDimension: n.kernelInputFeatureDimension,
    kernelSpatialDimensions: n.kernelSpatialDimensions,
    outputBatchDimension: n.inputBatchDimension,
    outputFeatureDimension: n.inputFeatureDimension,
    outputSpatialDimensions: n.inputSpatialDimensions,
  };
  const result = b.emit1('convolution', [g, kernel], {
    windowStrides: a.lhsDilation,
    padding,
    lhsDilation: a.windowStrides,
    rhsDilation: a.rhsDilation,
    windowReversal: a.windowReversal.map(reversed => !reversed),
    dimensionNumbers,
    featureGroupCount: groups,
    batchGroupCount: 1,
    precision: a.precision,
  });
  return moveGroups(b, result, a.batchGroupCount, n.inputFeatureDimension, n.inputBatchDimension);
}

function ofRhs(b: Builder, g: Value, lhs: Value, rhs: Value, a: Attributes): Value {
  const n = a.dimensionNumbers;
  const extents = extentsOf(a, lhs, rhs, g);
  const padding: Padding = extents.input.map((input, i): [number, number] => {
    const low = a.padding[i]![0];
    return [low, extents.output[i]! - input + extents.kernel[i]! - low - 1];
  });
  const dimensionNumbers: ConvolutionDimensionNumbers = {
    inputBatchDimension: n.inputFeatureDimension,
    inputFeatureDimension: n.inputBatchDimension,
    inputSpatialDimensions: n.inputSpatialDimensions,
    kernelInputFeatureDimension: n.outputBatchDimension,
    kernelOutputFeatureDimension: n.outputFeatureDimension,
    kernelSpatialDimensions: n.outputSpatialDimensions,
    outputBatchDimension: n.kernelInputFeatureDimension,
    outputFeatureDimension: n.kernelOutputFeatureDimension,
    outputSpatialDimensions: n.kernelSpatialDimensions,
  };
  const result = b.emit1('convolution', [lhs, g], {
    windowStrides: a.rhsDilation,
    padding,
    lhsDilation: a.lhsDilation,
    rhsDilation: a.windowStrides,
    windowReversal: a.windowReversal.map(() => false),
    dimensionNumbers,
    featureGroupCount: a.batchGroupCount,
    batchGroupCount: a.featureGroupCount,
    precision: a.precision,
  });
  const reversed = n.kernelSpatialDimensions.filter((_, i) => a.windowReversal[i]);
  return reversed.length === 0 ? result : b.emit1('reverse', [result], { dimensions: reversed });
}

const convolutionRule: GradientRule<'convolution'> = ({ builder: b, op, cotangents: [g], needs }) => {
  const [lhs, rhs] = op.operands;
  return [
    needs(lhs) ? ofLhs(b, g, lhs, rhs, op.attributes) : undefined,
    needs(rhs) ? ofRhs(b, g, lhs, rhs, op.attributes) : undefined,
  ];
};

export const convolutionRules = { convolution: convolutionRule } satisfies Partial<GradientTable>;
