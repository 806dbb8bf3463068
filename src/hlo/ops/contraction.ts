// The row of dot_general: result[batch, m, n] = Σ over k of lhs[batch, m, k] · rhs[batch, n, k].
// The arithmetic of the sums is in product-sum.ts.
import type { DotDimensionNumbers, OpAttributes } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import { formatType, numberKind, stridesOf, type TensorType, tensorType } from '../types.ts';
import { boundedType, mostSpecificType } from './bounds.ts';
import { countOf, streaming } from './costs.ts';
import { checkDotAlgorithm } from './dot-algorithms.ts';
import { affineIndices } from './indices.ts';
import { anyElement, checkElements } from './operand-checks.ts';
import { productSum } from './product-sum.ts';
import { checkProduct, checkResultElements, type ProductConstraints } from './quantized-checks.ts';
import { type Checker, checkerOf, dimsAgree, inRange, isUnique, list, otherDims, withShape } from './shape-checks.ts';

const require: Checker = checkerOf('dot_general');

const productConstraints: ProductConstraints = {
  quantized: 14,
  storage: 17,
  expressed: 18,
  granularity: 19,
  hybrid: 20,
};

/** Dims of the two sides by role: kept in both (batch), kept from one (free), summed (contracting). */
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
    `${what()}: both sides need the same number of batching dims`);
  require(a.lhsContractingDimensions.length === a.rhsContractingDimensions.length, 2, () =>
    `${what()}: both sides need the same number of contracting dims`);
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
  require(a.precision.length <= 2, 11, () => `expected two precisions, got ${a.precision.length}`);
  if (a.algorithm !== undefined) {
    require(a.precision.every(p => p === 'DEFAULT'), 21, () => 'both a precision and an algorithm are given');
    checkDotAlgorithm(require, a.algorithm);
  }
  if (lhs.quantization !== undefined || rhs.quantization !== undefined) return;
  // With a declared result type (such as JAX's f32 sums of bf16 products) the operand types may differ.
  require(lhs.elementType === rhs.elementType ||
    (a.elementType !== undefined && numberKind(lhs.elementType) === numberKind(rhs.elementType)), 13, () =>
    `${what()}: element types differ`);
}

export const dotRows: Rows<'dot_general'> = {
  dot_general: {
    name: 'dot_general',
    kind: 'contraction',
    pure: true,
    infer(operands, attributes) {
      const [lhs, rhs] = tensors('dot_general', operands, { perAxis: true });
      checkElements(require, 'i1', [lhs], anyElement);
      checkDot(lhs, rhs, attributes);
      const free = freeDimensions(attributes, lhs.shape.length, rhs.shape.length);
      const { lhsBatchingDimensions, rhsBatchingDimensions, elementType = lhs.elementType } = attributes;
      const pick = <T>(from: readonly T[], dims: readonly number[]): T[] => dims.map(d => from[d]!);
      const batch = mostSpecificType(require, 9, [
        boundedType(lhs, pick(lhs.shape, lhsBatchingDimensions), lhs.bounds && pick(lhs.bounds, lhsBatchingDimensions)),
        boundedType(lhs, pick(rhs.shape, rhsBatchingDimensions), rhs.bounds && pick(rhs.bounds, rhsBatchingDimensions)),
      ]);
      const shape = [...batch.shape, ...pick(lhs.shape, free.lhs), ...pick(rhs.shape, free.rhs)];
      if (lhs.bounds === undefined && rhs.bounds === undefined) return [{ ...withShape(lhs, shape), elementType }];
      const bounds = [
        ...batch.shape.map((_, i) => batch.bounds?.[i]),
        ...free.lhs.map(d => lhs.bounds?.[d]),
        ...free.rhs.map(d => rhs.bounds?.[d]),
      ];
      return [{ ...boundedType(lhs, shape, bounds), elementType }];
    },
    stated: 'elements',
    verify({ operands, attributes, results }) {
      const [lhs, rhs, result] = [...operands, ...results].map(v => v.type) as [TensorType, TensorType, TensorType];
      checkResultElements(require, attributes.elementType ?? lhs.elementType, result);
      checkProduct(require, productConstraints, lhs, rhs, result);
      const q = rhs.quantization;
      if (q === undefined) return;
      require(q.zeroPoints.every(zero => zero === 0), 15, () =>
        `zero points of the right side must be 0, got ${list(q.zeroPoints)}`);
      require(q.axis === undefined || !attributes.rhsContractingDimensions.includes(q.axis), 16, () =>
        `the right side is quantized along dim ${q.axis}, which is contracted`);
    },
    evaluate(op, [lhs, rhs]) {
      const a = op.attributes;
      const [l, r] = [lhs.type.shape, rhs.type.shape];
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
      const type = tensorType(a.elementType ?? lhs.type.elementType, [
        ...batchShape,
        ...pick(free.lhs, l),
        ...pick(free.rhs, r),
      ]);
      const sum = productSum(type, lhs, rhs);
      let at = 0;
      for (let b = 0; b < lhsBatch.length; b++) {
        for (const row of rows) {
          const left = lhsBatch[b]! + row;
          for (const column of columns) {
            const right = rhsBatch[b]! + column;
            for (let k = 0; k < lhsTerms.length; k++) sum.add(left + lhsTerms[k]!, right + rhsTerms[k]!);
            sum.store(at++);
          }
        }
      }
      return [sum.result()];
    },
    cost(op) {
      const lhs = op.operands[0].type as TensorType;
      const terms = countOf(
        tensorType(
          'f32',
          op.attributes.lhsContractingDimensions.map(d => lhs.shape[d]!),
        ),
      );
      return streaming(op, 2 * countOf(op.results[0].type) * terms);
    },
  },
};
