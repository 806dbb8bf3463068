// Gradient rules of the ops that move elements by a fixed map: each sends the cotangent back along the same map.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { dimsExcept, inversePermutation, transposed, zeroScalar, zerosLike } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

/** Sums over every dim that was added or expanded, then transposes the kept dims to the operand's order. */
const broadcastRule: GradientRule<'broadcast_in_dim'> = ({ builder: b, op, cotangents: [g] }) => {
  const { broadcastDimensions, shape } = op.attributes;
  const operandShape = shapeOf(op.operands[0]);
  const kept = broadcastDimensions.filter((to, from) => operandShape[from] === shape[to]);
  const summed = dimsExcept(shape.length, kept);
  const sum = summed.length === 0 ? g : b.sum(g, summed); //                    kept dims, in the result's order
  const ascending = [...kept].sort((a, c) => a - c);
  const ordered = transposed(
    b,
    sum,
    kept.map(d => ascending.indexOf(d)),
  ); //     kept dims, in the operand's order
  return [kept.length === operandShape.length ? ordered : b.reshape(ordered, operandShape)];
};

const sliceRule: GradientRule<'slice'> = ({ builder: b, op, cotangents: [g] }) => {
  const { startIndices, strides } = op.attributes;
  const [taken, whole] = [shapeOf(g), shapeOf(op.operands[0])];
  const high = whole.map((size, d) => {
    const covered = taken[d] === 0 ? 0 : (taken[d]! - 1) * strides[d]! + 1;
    return size - startIndices[d]! - covered;
  });
  return [
    b.pad(
      g,
      zeroScalar(b, g),
      startIndices,
      high,
      strides.map(stride => stride - 1),
    ),
  ];
};

const concatenateRule: GradientRule<'concatenate'> = ({ builder: b, op, cotangents: [g], needs }) => {
  const { dimension } = op.attributes;
  let start = 0;
  return op.operands.map(operand => {
    const shape = shapeOf(operand);
    const from = start;
    start += shape[dimension]!;
    if (!needs(operand)) return undefined;
    return b.slice(
      g,
      shape.map((_, d) => (d === dimension ? from : 0)),
      shape.map((size, d) => (d === dimension ? from + size : size)),
    );
  });
};

/** Extracts the operand's elements from a padded tensor. Cropped ones (negative padding) come back as zeros. */
function unpad(
  b: Builder,
  g: Value,
  shape: readonly number[],
  low: readonly number[],
  high: readonly number[],
  interior: readonly number[],
): Value {
  const restore = (edge: readonly number[]): number[] => edge.map(amount => Math.max(0, -amount));
  const cropped = low.some(amount => amount < 0) || high.some(amount => amount < 0);
  const whole = cropped ? b.pad(g, zeroScalar(b, g), restore(low), restore(high)) : g;
  const starts = low.map(amount => Math.max(0, amount));
  const limits = shape.map((size, d) => starts[d]! + (size === 0 ? 0 : (size - 1) * (interior[d]! + 1) + 1));
  return b.slice(
    whole,
    starts,
    limits,
    interior.map(holes => holes + 1),
  );
}

const padRule: GradientRule<'pad'> = ({ builder: b, op, cotangents: [g], needs }) => {
  const [x, filler] = op.operands;
  const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior } = op.attributes;
  const ofFiller = (): Value => {
    const isFiller = b.pad(b.fill('i1', shapeOf(x), false), b.fill('i1', [], true), low, high, interior);
    return b.sum(b.select(isFiller, g, zerosLike(b, g)));
  };
  return [needs(x) ? unpad(b, g, shapeOf(x), low, high, interior) : undefined, needs(filler) ? ofFiller() : undefined];
};

export const movementRules = {
  reshape: ({ builder, op, cotangents: [g] }) => [builder.reshape(g, shapeOf(op.operands[0]))],
  broadcast_in_dim: broadcastRule,
  transpose: ({ builder, op, cotangents: [g] }) => [
    builder.transpose(g, inversePermutation(op.attributes.permutation)),
  ],
  reverse: ({ builder, op, cotangents: [g] }) => [builder.emit1('reverse', [g], op.attributes)],
  slice: sliceRule,
  concatenate: concatenateRule,
  pad: padRule,
} satisfies Partial<GradientTable>;
