// Rows of the batch normalizations: over all elements that share an index of the feature dim.
//
//   training    mean = Σx / n    variance = Σ(x - mean)² / n    and then as in inference
//   inference   result = scale · (x - mean) / sqrt(variance + epsilon) + offset
//   grad        the gradient of training with respect to operand, scale and offset
//
// Each is decomposed into reductions and elementwise ops; two-byte floats are widened to f32 and rounded once at the end.

import type { PerOperand } from '../arity.ts';
import type { BatchNorm } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { shapeOf, type TensorValue, tensorTypeOf, type Value } from '../program.ts';
import { elementCount, formatType, type TensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { countOf, streaming } from './costs.ts';

import { baselineElement, checkElements, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, dimsAgree, mergeShapes, otherDims, shapesAgree } from './shape-checks.ts';
import { widened } from './widen.ts';

type Name = 'batch_norm_training' | 'batch_norm_inference' | 'batch_norm_grad';
/** The numbers of an op's constraints in the specification. */
interface Constraints {
  readonly featureIndex: number;
  readonly elementType: number;
  readonly operands: number;
  readonly features: number;
  readonly count: number;
}

/** Checks the operands; returns the type of a full result and of one with one element per feature. */
function checkBatchNorm(
  require: Checker,
  constraints: Constraints,
  wholes: readonly TensorType[],
  features: readonly TensorType[],
  { featureIndex }: BatchNorm,
): readonly [whole: TensorType, feature: TensorType] {
  const all = [...wholes, ...features];
  const first = wholes[0]!;
  checkElements(require, 'element_type', all, ['float', 'quantized']);
  require(featureIndex >= 0 && featureIndex < first.shape.length, constraints.featureIndex, () =>
    `feature_index ${featureIndex} is not a dim of ${formatType(first)}`);
  require(all.every(t => baselineElement(t) === baselineElement(first)), constraints.elementType, () =>
    `element types must be equal, got ${all.map(formatType).join(', ')}`);
  require(wholes.every(t => shapesAgree(t.shape, first.shape)), constraints.operands, () =>
    `shapes must be equal, got ${wholes.map(formatType).join(', ')}`);
  require(features.every(
    t => t.shape.length === 1 && features.every(u => shapesAgree(t.shape, u.shape)),
  ), constraints.features, () =>
    `expected tensors of one dim with one element per feature; got ${features.map(formatType).join(', ')}`);
  require(features.every(t => dimsAgree(t.shape[0]!, first.shape[featureIndex]!)), constraints.count, () =>
    `dim ${featureIndex} of ${formatType(first)} has as many features as ${features.map(formatType).join(', ')} must have elements`);
  const shape = mergeShapes(wholes.map(t => t.shape));
  return [
    { ...first, shape },
    boundedType(first, [shape[featureIndex]!], first.bounds && [first.bounds[featureIndex]]),
  ];
}

/** x / stddev and its intermediate values, each of the operand's shape. */
function normalized(b: BaseBuilder, x: Value, mean: Value, variance: Value, { epsilon, featureIndex }: BatchNorm) {
  const spread = (v: Value): TensorValue => b.broadcastInDim(v, [featureIndex], shapeOf(x));
  const centered = b.subtract(x, spread(mean));
  const shifted = b.add(variance, b.like(variance, epsilon));
  const stddev = spread(b.unary('sqrt', shifted));
  return { spread, centered, shifted: spread(shifted), stddev, values: b.divide(centered, stddev) };
}

function inference(
  b: BaseBuilder,
  [x, scale, offset, mean, variance]: readonly [Value, Value, Value, Value, Value],
  attributes: BatchNorm,
): TensorValue {
  const { spread, values } = normalized(b, x, mean, variance, attributes);
  return b.add(b.multiply(spread(scale), values), spread(offset));
}

/** Dims that are averaged over, and the number of elements in them. */
function averaged(x: Value, { featureIndex }: BatchNorm): readonly [dims: readonly number[], count: number] {
  const shape = shapeOf(x);
  const dims = otherDims(shape.length, [featureIndex]);
  return [dims, elementCount(dims.map(d => shape[d]!))];
}

function training(
  b: BaseBuilder,
  [x, scale, offset]: readonly [Value, Value, Value],
  attributes: BatchNorm,
): readonly Value[] {
  const [dims, count] = averaged(x, attributes);
  const average = (v: Value): TensorValue => {
    const sum = b.sum(v, dims);
    return b.divide(sum, b.like(sum, count));
  };
  const mean = average(x);
  const centered = b.subtract(x, b.broadcastInDim(mean, [attributes.featureIndex], shapeOf(x)));
  const variance = average(b.multiply(centered, centered));
  return [inference(b, [x, scale, offset, mean, variance], attributes), mean, variance];
}

function gradient(
  b: BaseBuilder,
  [x, scale, mean, variance, g]: readonly [Value, Value, Value, Value, Value],
  attributes: BatchNorm,
): readonly Value[] {
  const [dims, count] = averaged(x, attributes);
  const { spread, centered, shifted, stddev, values } = normalized(b, x, mean, variance, attributes);
  const gradOffset = b.sum(g, dims);
  const gradScale = b.sum(b.multiply(g, values), dims);
  // The terms subtracted from the cotangent because each element affects mean and variance.
  const byMean = spread(gradOffset);
  const byVariance = b.divide(b.multiply(spread(b.sum(b.multiply(g, centered), dims)), centered), shifted);
  const rest = b.subtract(b.subtract(b.multiply(g, b.like(g, count)), byMean), byVariance);
  const factor = b.divide(b.divide(spread(scale), stddev), b.like(x, count));
  return [b.multiply(factor, rest), gradScale, gradOffset];
}

function row<N extends Name>(
  name: N,
  constraints: Constraints,
  wholes: readonly number[],
  formula: (b: BaseBuilder, operands: PerOperand<N, Value>, attributes: BatchNorm) => readonly Value[],
): OpRow<N> {
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'opaque',
    pure: true,
    infer(operands, attributes: BatchNorm) {
      const types = tensors(name, operands);
      const [whole, feature] = checkBatchNorm(
        require,
        constraints,
        types.filter((_, i) => wholes.includes(i)),
        types.filter((_, i) => !wholes.includes(i)),
        attributes,
      );
      return name === 'batch_norm_inference' ? [whole] : [whole, feature, feature];
    },
    decompose(b, op, operands) {
      const [x] = operands;
      const type = tensorTypeOf(x);
      if (!isStatic(type) || type.quantization !== undefined) return undefined;
      const results = formula(
        b,
        operands.map(v => widened(b, v)) as readonly Value[] as PerOperand<N, Value>,
        op.attributes as BatchNorm,
      );
      return results.map(v => b.convert(v, type.elementType));
    },
    // Approximately this many operations per element of the operand, for each of the three ops.
    cost: op => streaming(op, 8 * countOf(op.operands[0].type), countOf(op.operands[1].type)),
  };
}

export const batchNormRows: Rows<Name> = {
  batch_norm_training: row(
    'batch_norm_training',
    { featureIndex: 1, elementType: 2, operands: 7, features: 3, count: 3 },
    [0],
    (b, operands, a) => training(b, operands, a),
  ),
  batch_norm_inference: row(
    'batch_norm_inference',
    { featureIndex: 1, elementType: 2, operands: 7, features: 3, count: 3 },
    [0],
    (b, operands, a) => [inference(b, operands, a)],
  ),
  batch_norm_grad: row(
    'batch_norm_grad',
    { featureIndex: 1, elementType: 2, operands: 3, features: 4, count: 5 },
    [0, 4],
    (b, operands, a) => gradient(b, operands, a),
  ),
};
