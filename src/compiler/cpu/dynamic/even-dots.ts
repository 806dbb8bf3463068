// Products whose operands have three groups of dims (batch, free, summed), each with one even stride, as required by the function
// for all sizes. Other operands are transposed first.
import { freeDimensions } from '../../../hlo/ops/contraction.ts';
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { type Rewriter, type Rule, ruleFor } from '../../../transforms/rewriter.ts';

/** Whether a product has a function of C; other types are summed directly. */
export function hasFunction(op: Op<'dot_general'>): boolean {
  const { elementType } = tensorTypeOf(op.results[0]);
  const isSame = op.operands.every(v => tensorTypeOf(v).elementType === elementType);
  return isSame && (elementType === 'f32' || elementType === 'f64');
}
/** The dims of each group follow one another. */
export const isEven = (groups: readonly (readonly number[])[]): boolean =>
  groups.every(dims => dims.every((d, i) => i === 0 || d - 1 === dims[i - 1]));

export const evenDotRule: Rule = ruleFor({
  dot_general(op, r) {
    if (!hasFunction(op)) return undefined;
    const a = op.attributes;
    const [lhs, rhs] = op.operands;
    const free = freeDimensions(a, shapeOf(lhs).length, shapeOf(rhs).length);
    const left = inOrder(lhs, [a.lhsBatchingDimensions, free.lhs, a.lhsContractingDimensions], r);
    const right = inOrder(rhs, [a.rhsBatchingDimensions, a.rhsContractingDimensions, free.rhs], r);
    if (left.value === lhs && right.value === rhs) return undefined;
    const [lhsBatchingDimensions, , lhsContractingDimensions] = left.groups;
    const [rhsBatchingDimensions, rhsContractingDimensions] = right.groups;
    return r.emit('dot_general', [left.value, right.value], {
      ...a,
      lhsBatchingDimensions,
      lhsContractingDimensions,
      rhsBatchingDimensions,
      rhsContractingDimensions,
    });
  },
});

type Groups = readonly [readonly number[], readonly number[], readonly number[]];

/** The operand with its groups one after another, if a group is not one even stride. */
function inOrder(value: Value, groups: Groups, r: Rewriter): { readonly value: Value; readonly groups: Groups } {
  if (isEven(groups)) return { value, groups };
  const [first, second, third] = groups;
  const range = (from: number, { length }: readonly number[]): number[] => Array.from({ length }, (_, i) => from + i);
  return {
    value: r.emit1('transpose', [value], { permutation: groups.flat() }),
    groups: [range(0, first), range(first.length, second), range(first.length + second.length, third)],
  };
}
