// Gradient rule of sort. Sorting is a permutation: the op is appended again with the positions as an additional operand,
// which yields the permutation; sorting (permutation, cotangents) by the permutation moves the cotangents back.
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

const sortRule: GradientRule<'sort'> = ({ builder: b, op, cotangents, inline }) => {
  const { dimension } = op.attributes;
  const comparator = op.regions[0];
  const positions = b.iota(tensorType('i32', shapeOf(op.operands[0])), dimension);
  const position = tensorType('i32');
  const sameOrder = b.region([...comparator.args.map(arg => arg.type), position, position], (inner, args) => {
    const map = new Map(comparator.args.map((arg, i): [Value, Value] => [arg, args[i]!]));
    inline(inner, comparator.ops, map);
    return comparator.results.map(result => map.get(result) ?? result);
  });
  const permutation = b.emit('sort', [...op.operands, positions], op.attributes, [sameOrder]).at(-1)!;

  const present = cotangents.filter(g => g !== undefined);
  const pairTypes = [permutation, ...present].flatMap(v => {
    const scalar = tensorType(tensorTypeOf(v).elementType);
    return [scalar, scalar];
  });
  const byPosition = b.region(pairTypes, (inner, [p, q]) => [inner.compare('LT', p!, q!)]);
  const back = b.emit('sort', [permutation, ...present], { dimension, isStable: false }, [byPosition]);
  let next = 1;
  return cotangents.map(g => (g === undefined ? undefined : back[next++]));
};

export const sortRules = { sort: sortRule } satisfies Partial<GradientTable>;
