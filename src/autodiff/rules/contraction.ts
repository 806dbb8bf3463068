// Gradient rule of dot_general. The gradient of each operand is one dot_general of the cotangent with the other operand.
// There are two possible operand orders, which differ in the order of the result's dims; the rule uses the order
// that matches the operand's own layout if there is one, and appends a transpose otherwise.
//
//   y[…,N] = x[…,K]·w[K,N]    dx = dot(dy, w over N)    dw = dot(x, dy over …)    no transposes
//   y[…,N] = x[…,K]·w[N,K]    dx = dot(dy, w over N)    dw = dot(dy, x over …)    no transposes
//
// A product of bf16 or f16 that accumulates in f32 has an f32 cotangent. It is rounded to the operands' type first, so
// that the gradients are products of the same kind, accumulated in f32, and rounded again at the end.
import type { DotDimensionNumbers, OpAttributes } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { dimsExcept } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

/**
 * A dot_general from the point of view of one operand: its own dims, those of the other operand, and the positions of its free
 * dims in the result.
 */
interface Side {
  readonly self: Value;
  readonly other: Value;
  readonly selfBatch: readonly number[];
  readonly otherBatch: readonly number[];
  readonly selfContracting: readonly number[];
  readonly otherContracting: readonly number[];
  /** The result dims of the other operand's free dims, which the gradient contracts over. */
  readonly otherFreeInResult: readonly number[];
}

function gradientOf(b: Builder, g: Value, side: Side, attributes: OpAttributes['dot_general']): Value {
  const { self, other, selfBatch, otherBatch, selfContracting, otherContracting, otherFreeInResult } = side;
  const selfRank = shapeOf(self).length;
  const otherFree = dimsExcept(shapeOf(other).length, [...otherBatch, ...otherContracting]);
  const selfFree = dimsExcept(selfRank, [...selfBatch, ...selfContracting]);
  // For each order of the operands: the dims of `self` in the order of the result's dims.
  const contractedInOrder = [...otherContracting]
    .sort((p, q) => p - q)
    .map(d => selfContracting[otherContracting.indexOf(d)]!);
  const cotangentFirst = [...selfBatch, ...selfFree, ...contractedInOrder];
  const otherFirst = [...selfBatch, ...contractedInOrder, ...selfFree];
  const isIdentity = (dims: readonly number[]): boolean => dims.every((d, i) => d === i);
  const swap = !isIdentity(cotangentFirst) && isIdentity(otherFirst);

  const batchInResult = selfBatch.map((_, i) => i);
  const numbers: DotDimensionNumbers = swap
    ? {
        lhsBatchingDimensions: otherBatch,
        rhsBatchingDimensions: batchInResult,
        lhsContractingDimensions: otherFree,
        rhsContractingDimensions: otherFreeInResult,
      }
    : {
        lhsBatchingDimensions: batchInResult,
        rhsBatchingDimensions: otherBatch,
        lhsContractingDimensions: otherFreeInResult,
        rhsContractingDimensions: otherFree,
      };
  const { elementType } = tensorTypeOf(self);
  const cotangent = b.convert(g, tensorTypeOf(other).elementType);
  const accumulator = attributes.elementType === undefined ? {} : { elementType: attributes.elementType };
  const attributesOf = { ...numbers, precision: attributes.precision, ...accumulator };
  const dot = b.emit1('dot_general', swap ? [other, cotangent] : [cotangent, other], attributesOf);
  const dims = swap ? otherFirst : cotangentFirst;
  const inOrder = isIdentity(dims)
    ? dot
    : b.transpose(
        dot,
        Array.from({ length: selfRank }, (_, d) => dims.indexOf(d)),
      );
  return b.convert(inOrder, elementType);
}

const dotRule: GradientRule<'dot_general'> = ({ builder: b, op, cotangents: [g], needs }) => {
  const [lhs, rhs] = op.operands;
  const { attributes } = op;
  const batch = attributes.lhsBatchingDimensions.length;
  const lhsFree = shapeOf(lhs).length - batch - attributes.lhsContractingDimensions.length;
  const rhsFree = shapeOf(rhs).length - batch - attributes.rhsContractingDimensions.length;
  const ofLhs: Side = {
    self: lhs,
    other: rhs,
    selfBatch: attributes.lhsBatchingDimensions,
    otherBatch: attributes.rhsBatchingDimensions,
    selfContracting: attributes.lhsContractingDimensions,
    otherContracting: attributes.rhsContractingDimensions,
    otherFreeInResult: Array.from({ length: rhsFree }, (_, i) => batch + lhsFree + i),
  };
  const ofRhs: Side = {
    self: rhs,
    other: lhs,
    selfBatch: attributes.rhsBatchingDimensions,
    otherBatch: attributes.lhsBatchingDimensions,
    selfContracting: attributes.rhsContractingDimensions,
    otherContracting: attributes.lhsContractingDimensions,
    otherFreeInResult: Array.from({ length: lhsFree }, (_, i) => batch + i),
  };
  return [
    needs(lhs) ? gradientOf(b, g, ofLhs, attributes) : undefined,
    needs(rhs) ? gradientOf(b, g, ofRhs, attributes) : undefined,
  ];
};

export const contractionRules = { dot_general: dotRule } satisfies Partial<GradientTable>;
