// Rules that rewrite ops into forms that have kernels: ops without kernels are decomposed, operands of multiplies whose
// contracted dims do not have a uniform stride are transposed first, and long concatenations become joins or trees.
import { freeDimensions } from '../../hlo/ops/contraction.ts';
import { isComplex } from '../../hlo/ops/element-data.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { elementCount, isFloat, sameShape } from '../../hlo/types.ts';
import { decomposeRule, wideDotRule } from '../../transforms/prepare.ts';
import { type Rewriter, type Rule, ruleFor } from '../../transforms/rewriter.ts';
import { isJoin, isLoweredAs, isManyParts } from '../lowering/lowering-kinds.ts';
import { multiplyTypes, planDot } from '../lowering/strided-dot.ts';

/** Decomposes ops without a kernel, and custom calls that are other ops. */
export const decompositionRule: Rule = decomposeRule(
  op => isLoweredAs(op, 'decomposed') || isLoweredAs(op, 'inlined') || isLoweredAs(op, 'operator'),
);

/**
 * A kernel that reads a concatenation that is not a join determines the operand of each index by comparing with one operand
 * after the other.
 */
const mostParts = 64;
/**
 * Concatenations of many values along an inner dim become joins along an outer one, where the parts are equal and large enough.
 * Otherwise those of very many values become a tree of concatenations, so that kernels need few comparisons and no deep
 * nesting.
 */
export const concatenateRule: Rule = ruleFor({ concatenate: (op, r) => (isJoin(op) ? undefined : inParts(op, r)) });
function inParts(op: Op<'concatenate'>, r: Rewriter): readonly Value[] | undefined {
  const joined = asJoin(op, r);
  if (joined !== undefined || op.operands.length <= mostParts) return joined;
  const size = Math.max(mostParts, Math.ceil(op.operands.length / mostParts));
  const parts: Value[] = [];
  for (let at = 0; at < op.operands.length; at += size)
    parts.push(r.emit1('concatenate', op.operands.slice(at, at + size), op.attributes));
  return [r.emit1('concatenate', parts, op.attributes)];
}

/** [outer, inner] parts: joined as [n, outer, inner], which is transposed to [outer, n, inner]. */
function asJoin(op: Op<'concatenate'>, r: Rewriter): readonly Value[] | undefined {
  const { dimension } = op.attributes;
  const parts = op.operands.length;
  const shape = shapeOf(op.operands[0]);
  const [outer, inner] = [elementCount(shape.slice(0, dimension)), elementCount(shape.slice(dimension))];
  if (outer === 1 || !isManyParts(parts, outer * inner) || op.operands.some(v => !sameShape(shapeOf(v), shape)))
    return undefined;
  const reshaped = op.operands.map(v => r.emit1('reshape', [v], { shape: [1, outer, inner] }));
  const joined = r.emit1('concatenate', reshaped, { dimension: 0 });
  const turned = r.emit1('transpose', [joined], { permutation: [1, 0, 2] });
  return r.emit('reshape', [turned], { shape: shapeOf(op.results[0]) });
}

export const dotRule: Rule = (op, r) => {
  if (!isLoweredAs(op, 'multiply')) return undefined;
  const wide = multiplyTypes(op) === undefined ? wideDotRule(op, r) : undefined;
  if (wide !== undefined) return wide;
  const types = [...op.operands, op.results[0]].map(v => tensorTypeOf(v).elementType);
  if (!types.every(t => isFloat(t) && !isComplex(t))) return undefined;
  return planDot(op, op.results[0]) === undefined ? [regular(op, r)] : undefined;
};

/** The same product with operands in the order [batch, rows, terms] and [batch, terms, columns]. */
function regular(op: Op<'dot_general'>, r: Rewriter): Value {
  const a = op.attributes;
  const [lhs, rhs] = op.operands;
  const free = freeDimensions(a, shapeOf(lhs).length, shapeOf(rhs).length);
  const left = r.emit1('transpose', [lhs], {
    permutation: [...a.lhsBatchingDimensions, ...free.lhs, ...a.lhsContractingDimensions],
  });
  const right = r.emit1('transpose', [rhs], {
    permutation: [...a.rhsBatchingDimensions, ...a.rhsContractingDimensions, ...free.rhs],
  });
  const batches = a.lhsBatchingDimensions.map((_, i) => i);
  const terms = a.lhsContractingDimensions.map((_, i) => i);
  const rank = batches.length + free.lhs.length;
  return r.emit1('dot_general', [left, right], {
    ...a,
    lhsBatchingDimensions: batches,
    rhsBatchingDimensions: batches,
    lhsContractingDimensions: terms.map(t => rank + t),
    rhsContractingDimensions: terms.map(t => batches.length + t),
  });
}
