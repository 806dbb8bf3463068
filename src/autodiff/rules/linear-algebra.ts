// Gradient rules of cholesky and triangular_solve, for real matrices. Of a matrix, only the triangle that the op reads
// gets a cotangent. Sources: Murray, "Differentiation of the Cholesky decomposition" (2016); Giles, "Collected matrix
// derivative results" (2008).
import type { Transpose } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { isComplex } from '../../hlo/ops/element-data.ts';
import { product, swapped, triangle, trianglePart } from '../../hlo/ops/matrices.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { scale } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

/** op(a)⁻¹ · b, or b · op(a)⁻¹ from the right, for a lower triangular a. */
function solveLower(b: Builder, a: Value, right: Value, transposeA: Transpose, leftSide: boolean): Value {
  return b.emit1('triangular_solve', [a, right], { leftSide, lower: true, unitDiagonal: false, transposeA });
}

/** The lower triangle with half of the diagonal. */
function lowerHalf(b: Builder, x: Value): Value {
  return b.select(triangle(b, x, 'EQ'), scale(b, x, 0.5), trianglePart(b, x, 'GT'));
}

/**
 *   a = L · Lᵀ      P = lowerHalf(Lᵀ · L̄)      S = L⁻ᵀ · P · L⁻¹
 *   ā = S + Sᵀ below the diagonal, S on it
 */
const choleskyRule: GradientRule<'cholesky'> = ({ builder: b, op, cotangents: [g], refuse }) => {
  const { lower } = op.attributes;
  const [result] = op.results as [Value];
  if (isComplex(tensorTypeOf(result).elementType))
    refuse('complex numbers are not supported by this gradient rule yet');
  // An upper factor is the transpose of a lower one, of the transposed matrix.
  const turned = (x: Value): Value => (lower ? x : swapped(b, x));
  const factor = turned(result);
  const inner = lowerHalf(b, product(b, swapped(b, factor), turned(g)));
  const half = solveLower(b, factor, inner, 'TRANSPOSE', true);
  const s = solveLower(b, factor, half, 'NO_TRANSPOSE', false);
  const both = b.add(s, swapped(b, s));
  return [turned(b.select(triangle(b, s, 'EQ'), s, trianglePart(b, both, 'GT')))];
};

/**
 *   op(a) · x = b      b̄ = op(a)⁻ᵀ · x̄      cotangent of op(a) = -b̄ · xᵀ
 *   x · op(a) = b      b̄ = x̄ · op(a)⁻ᵀ      cotangent of op(a) = -xᵀ · b̄
 */
const triangularSolveRule: GradientRule<'triangular_solve'> = ({ builder: b, op, cotangents: [g], needs, refuse }) => {
  const { leftSide, lower, transposeA, unitDiagonal } = op.attributes;
  const [a, right] = op.operands;
  const [x] = op.results as [Value];
  if (isComplex(tensorTypeOf(x).elementType)) refuse('complex numbers are not supported by this gradient rule yet');
  const transposed = transposeA !== 'NO_TRANSPOSE';
  const ofRight = b.emit1('triangular_solve', [a, g], {
    ...op.attributes,
    transposeA: transposed ? 'NO_TRANSPOSE' : 'TRANSPOSE',
  });
  if (!needs(a)) return [undefined, ofRight];
  const outer = leftSide ? product(b, ofRight, swapped(b, x)) : product(b, swapped(b, x), ofRight);
  const ofMatrix = b.negate(transposed ? swapped(b, outer) : outer);
  const [inside, onIt] = lower ? (['GT', 'GE'] as const) : (['LT', 'LE'] as const);
  return [trianglePart(b, ofMatrix, unitDiagonal ? inside : onIt), needs(right) ? ofRight : undefined];
};

export const linearAlgebraRules = {
  cholesky: choleskyRule,
  triangular_solve: triangularSolveRule,
} satisfies Partial<GradientTable>;
