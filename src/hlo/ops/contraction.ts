// The row of dot_general: result[batch, m, n] = Σ over k of lhs[batch, m, k] · rhs[batch, n, k].
// Floats are multiplied and summed in f64 and rounded to the result type once; integers wrap at the result type.

import type { DotDimensionNumbers, OpAttributes } from '../attributes.ts';
import { type Literal, zeros } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { elementCount, formatType, isFloat, numberKind, stridesOf, type TensorType, tensorType } from '../types.ts';
import { convertLiteral } from './convert.ts';
import { countOf, streaming } from './costs.ts';
import { type BigData, decode, encode, isBig, type NumberData, requireComputable } from './element-data.ts';
import { affineIndices } from './indices.ts';
import { type Checker, checkerOf, dimsAgree, inRange, isUnique, list, otherDims } from './shape-checks.ts';

const require: Checker = checkerOf('dot_general');

/** Dims of the two sides by what becomes of them: kept in both (batch), kept from one (free), summed (contracting). */
export function freeDimensions(
  dims: DotDimensionNumbers,
  lhsRank: number,
  rhsRank: number,
): { lhs: number[]; rhs: number[] } {
  return {
    lhs: otherDims(lhsRank, dims.lhsBatchingDimensions, dims.lhsContractingDimensions),
    rhs: otherDims(rhsRank, dims.rhsBatchingDimensions, dims.rhsContractingDimensions),
  };
}

function checkDot(lhs: TensorType, rhs: TensorType, a: OpAttributes['dot_general']): void {
  const what = (): string =>
    `${formatType(lhs)} · ${formatType(rhs)}, batching ${list(a.lhsBatchingDimensions)} x ${list(a.rhsBatchingDimensions)}, contracting ${list(a.lhsContractingDimensions)} x ${list(a.rhsContractingDimensions)}`;
  const [lhsRank, rhsRank] = [lhs.shape.length, rhs.shape.length];
  require(a.lhsBatchingDimensions.length === a.rhsBatchingDimensions.length, 1, () =>
    `${what()}: both sides need as many batching dims`);
  require(a.lhsContractingDimensions.length === a.rhsContractingDimensions.length, 2, () =>
    `${what()}: both sides need as many contracting dims`);
  require(isUnique([...a.lhsBatchingDimensions, ...a.lhsContractingDimensions]), 3, () =>
    `${what()}: a dim of the left side occurs twice`);
  require(isUnique([...a.rhsBatchingDimensions, ...a.rhsContractingDimensions]), 4, () =>
    `${what()}: a dim of the right side occurs twice`);
  require(inRange(a.lhsBatchingDimensions, lhsRank), 5, () =>
    `${what()}: a batching dim of the left side is out of range`);
  require(inRange(a.lhsContractingDimensions, lhsRank), 6, () =>
    `${what()}: a contracting dim of the left side is out of range`);
  require(inRange(a.rhsBatchingDimensions, rhsRank), 7, () =>
    `${what()}: a batching dim of the right side is out of range`);
  require(inRange(a.rhsContractingDimensions, rhsRank), 8, () =>
    `${what()}: a contracting dim of the right side is out of range`);
  const agree = (l: readonly number[], r: readonly number[]): boolean =>
    l.every((d, i) => dimsAgree(lhs.shape[d]!, rhs.shape[r[i]!]!));
  require(agree(a.lhsBatchingDimensions, a.rhsBatchingDimensions), 9, () => `${what()}: sizes of batching dims differ`);
  require(agree(a.lhsContractingDimensions, a.rhsContractingDimensions), 10, () =>
    `${what()}: sizes of contracting dims differ`);
  require(a.precision.length === 2 || a.precision.length === 0, 11, () =>
    `two precisions are needed, got ${a.precision.length}`);
  // With a result type of its own (as JAX asks for f32 sums of bf16 products) the sides may differ, too.
  require(lhs.elementType === rhs.elementType ||
    (a.elementType !== undefined && numberKind(lhs.elementType) === numberKind(rhs.elementType)), 13, () =>
    `${what()}: element types differ`);
}

/** `acc + a · b` in the arithmetic of a result type; numbers, or bigints for 64-bit integers. */
type MultiplyAdd<T> = (acc: T, a: T, b: T) => T;
export function multiplyAddOf(type: TensorType['elementType']): MultiplyAdd<number> {
  if (isFloat(type)) return (acc, a, b) => acc + a * b;
  if (type === 'i1') return (acc, a, b) => acc | (a & b);
  return (acc, a, b) => (acc + Math.imul(a, b)) | 0;
}

/** The factors in the type they are multiplied in: wide floats as they are, all else converted to the result type. */
export function factorOf(x: Literal, resultType: TensorType['elementType']): NumberData | BigData {
  requireComputable('a contraction', x.type.elementType);
  requireComputable('a contraction', resultType);
  return decode(isFloat(x.type.elementType) && isFloat(resultType) ? x : convertLiteral(x, resultType));
}

export const dotRows: Rows<'dot_general'> = {
  dot_general: {
    name: 'dot_general',
    kind: 'contraction',
    pure: true,
    infer(operands, attributes) {
      const [lhs, rhs] = tensors('dot_general', operands, 2);
      checkDot(lhs!, rhs!, attributes);
      const free = freeDimensions(attributes, lhs!.shape.length, rhs!.shape.length);
      const shape = [
        ...attributes.lhsBatchingDimensions.map(d => lhs!.shape[d]!),
        ...free.lhs.map(d => lhs!.shape[d]!),
        ...free.rhs.map(d => rhs!.shape[d]!),
      ];
      return [tensorType(attributes.elementType ?? lhs!.elementType, shape)];
    },
    evaluate(op, [lhs, rhs]) {
      const a = op.attributes;
      const [l, r] = [lhs!.type.shape, rhs!.type.shape];
      const [ls, rs] = [stridesOf(l), stridesOf(r)];
      const free = freeDimensions(a, l.length, r.length);
      const pick = (dims: readonly number[], from: readonly number[]): number[] => dims.map(d => from[d]!);
      const batchShape = pick(a.lhsBatchingDimensions, l);
      const contracted = pick(a.lhsContractingDimensions, l);
      // Offsets of each batch, row, column and term on the two sides.
      const lhsBatch = affineIndices(batchShape, pick(a.lhsBatchingDimensions, ls));
      const rhsBatch = affineIndices(batchShape, pick(a.rhsBatchingDimensions, rs));
      const rows = affineIndices(pick(free.lhs, l), pick(free.lhs, ls));
      const columns = affineIndices(pick(free.rhs, r), pick(free.rhs, rs));
      const lhsTerms = affineIndices(contracted, pick(a.lhsContractingDimensions, ls));
      const rhsTerms = affineIndices(contracted, pick(a.rhsContractingDimensions, rs));
      const type = tensorType(a.elementType ?? lhs!.type.elementType, [
        ...batchShape,
        ...pick(free.lhs, l),
        ...pick(free.rhs, r),
      ]);
      const [x, y] = [factorOf(lhs!, type.elementType), factorOf(rhs!, type.elementType)];

      if (isBig(type.elementType)) {
        const out = zeros(type);
        const data = out.data as BigInt64Array;
        let at = 0;
        for (let b = 0; b < lhsBatch.length; b++)
          for (const row of rows)
            for (const column of columns) {
              let sum = 0n;
              for (let k = 0; k < lhsTerms.length; k++)
                sum +=
                  (x as BigData)[lhsBatch[b]! + row + lhsTerms[k]!]! *
                  (y as BigData)[rhsBatch[b]! + column + rhsTerms[k]!]!;
              data[at++] = sum;
            }
        return [out];
      }
      const multiplyAdd = multiplyAddOf(type.elementType);
      const values = new Float64Array(elementCount(type.shape));
      let at = 0;
      for (let b = 0; b < lhsBatch.length; b++) {
        for (const row of rows) {
          const left = lhsBatch[b]! + row;
          for (const column of columns) {
            const right = rhsBatch[b]! + column;
            let sum = 0;
            for (let k = 0; k < lhsTerms.length; k++) {
              sum = multiplyAdd(sum, (x as NumberData)[left + lhsTerms[k]!]!, (y as NumberData)[right + rhsTerms[k]!]!);
            }
            values[at++] = sum;
          }
        }
      }
      return [encode(type, values)];
    },
    cost(op) {
      const lhs = op.operands[0]!.type as TensorType;
      const terms = countOf(
        tensorType(
          'f32',
          op.attributes.lhsContractingDimensions.map(d => lhs.shape[d]!),
        ),
      );
      return streaming(op, 2 * countOf(op.results[0]!.type) * terms);
    },
  },
};
