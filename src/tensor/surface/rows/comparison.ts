// Comparisons and logic, with boolean results.
import type { ComparisonDirection } from '../../../hlo/attributes.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { operand, tensor } from '../params.ts';
import { group, row, type UnnamedRow } from '../row.ts';

const facts = {
  forms: ['method', 'function', 'inPlace'],
  shape: 'the broadcast shape of the operands',
  dtype: 'boolean',
  gradient: 'none',
  throws: ['SHAPE_MISMATCH'],
} as const;

const comparison = (
  direction: ComparisonDirection,
  name: string,
  alias: string,
  phrase: string,
  example: string,
): UnnamedRow => {
  const torch = [name, ...(alias === '' ? [] : [alias])].flatMap(n => [`torch.${n}`, `Tensor.${n}`]);
  return row({
    ...facts,
    torch,
    aliases: alias === '' ? [] : [alias.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())],
    summary: `Whether the left element is ${phrase} the right one.`,
    example,
    params: { input: operand('the left operand'), other: operand('the right operand') },
    lower: ({ b }, { input, other }) => elementwise.compare(b, direction, name, input, other),
  });
};
const logical = (name: 'and' | 'or' | 'xor', phrase: string, example: string): UnnamedRow =>
  row({
    ...facts,
    torch: [`torch.logical_${name}`, `Tensor.logical_${name}`],
    summary: `Whether ${phrase} elements are true; nonzero numbers are true.`,
    example,
    params: { input: tensor('the left operand'), other: tensor('the right operand') },
    lower: ({ b }, { input, other }) =>
      elementwise.binary(b, name, `logical_${name}`, elementwise.truth(b, input), elementwise.truth(b, other)),
  });

export const comparisons = group({
  eq: comparison('EQ', 'eq', '', 'equal to', 'tensor([1, 2]).eq(2) // [false, true]'),
  ne: comparison('NE', 'ne', 'not_equal', 'not equal to', 'tensor([1, 2]).ne(2) // [true, false]'),
  lt: comparison('LT', 'lt', 'less', 'less than', 'tensor([1, 2]).lt(2) // [true, false]'),
  le: comparison('LE', 'le', 'less_equal', 'less than or equal to', 'tensor([1, 2]).le(1) // [true, false]'),
  gt: comparison('GT', 'gt', 'greater', 'greater than', 'tensor([1, 2]).gt(1) // [false, true]'),
  ge: comparison('GE', 'ge', 'greater_equal', 'greater than or equal to', 'tensor([1, 2]).ge(2) // [false, true]'),
  logicalAnd: logical(
    'and',
    'both',
    `const x = tensor([-1, 0.5, 2]);
x.gt(0).logicalAnd(x.lt(1)) // [false, true, false]`,
  ),
  logicalOr: logical(
    'or',
    'one or both',
    `const x = tensor([-1, 0.5, 2]);
x.lt(0).logicalOr(x.gt(1)) // [true, false, true]`,
  ),
  logicalXor: logical(
    'xor',
    'exactly one of the',
    'tensor([1, 0, 2]).logicalXor(tensor([1, 1, 0])) // [false, true, true]',
  ),
  logicalNot: row({
    ...facts,
    shape: 'the shape of the input',
    summary: 'Whether elements are false or 0.',
    example: 'tensor([true, false]).logicalNot() // [false, true]',
    params: { input: tensor('the tensor') },
    lower: ({ b }, { input }) => b.unary('not', elementwise.truth(b, input)),
  }),
});
