// Products of matrices and vectors, and sums of products.
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { isInteger } from '../../../hlo/types.ts';
import type { Scalar } from '../../lower/elementwise.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as matrix from '../../lower/matmul.ts';
import * as move from '../../lower/move.ts';
import { typeOf } from '../../lower/narrow.ts';
import * as norms from '../../lower/norms.ts';
import { broadcastTo } from '../../lower/shapes.ts';
import { byName, dim, operand, optional, scalar, tensor } from '../params.ts';
import { group, row, spellings, type UnnamedRow } from '../row.ts';

const facts = {
  forms: ['method', 'function'],
  dtype: 'promoted',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH'],
} as const;
const differs = 'Operands of different data types are promoted; PyTorch raises an error.';
const input = tensor('the left operand');

/** A product of operands with fixed numbers of dims. */
const product = (
  name: string,
  ranks: readonly [number, number],
  second: 'mat2' | 'vec' | 'vec2' | 'tensor',
  summary: string,
  shape: string,
  example: string,
): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(name),
    summary,
    shape,
    example,
    differs,
    params: { input, [second]: tensor('the right operand') },
    lower: ({ b }, args) => {
      const [x, y] = [args.input!, args[second]!] as [Value, Value];
      return matrix.matmul(b, move.onlyRank(b, name, x, ranks[0]), move.onlyRank(b, name, y, ranks[1]));
    },
  });

/** `beta · input + alpha · product`. */
const withProduct = (
  name: string,
  parts: readonly [string, string],
  ranks: readonly [number, number],
  summary: string,
  shape: string,
  example: string,
): UnnamedRow =>
  row({
    ...facts,
    forms: ['method', 'function', 'inPlace'],
    torch: spellings(name),
    summary,
    shape,
    example,
    differs,
    params: {
      input: tensor('the tensor to add'),
      [parts[0]]: tensor('the left operand'),
      [parts[1]]: tensor('the right operand'),
      beta: byName(optional(scalar('the factor for `input`'), 1)),
      alpha: byName(optional(scalar('the factor for the product'), 1)),
    },
    lower: ({ b }, args) => {
      const [x, y] = [args[parts[0]], args[parts[1]]] as [Value, Value];
      const computed = matrix.matmul(b, move.onlyRank(b, name, x, ranks[0]), move.onlyRank(b, name, y, ranks[1]));
      return added(b, name, args.input as Value, computed, args.beta as Scalar, args.alpha as Scalar);
    },
  });
function added(b: Builder, op: string, x: Value, product: Value, beta: Scalar, alpha: Scalar): Value {
  const right = elementwise.scaled(b, product, alpha);
  if (beta === 0) return right as Value;
  const wide = broadcastTo(b, x, shapeOf(product));
  return elementwise.binary(b, 'add', op, elementwise.scaled(b, wide, beta), right);
}
/** `input + value · (x op y)`. */
const pointwise = (name: 'addcmul' | 'addcdiv', word: string, example: string): UnnamedRow =>
  row({
    ...facts,
    forms: ['method', 'function', 'inPlace'],
    torch: spellings(name),
    summary: `A ${word} of two tensors, element-wise, added to a third: input + value · tensor1 ${name === 'addcmul' ? '·' : '/'} tensor2.`,
    shape: 'the broadcast shape of all three',
    example,
    params: {
      input: tensor('the tensor to add to'),
      tensor1: tensor('the left operand'),
      tensor2: tensor('the right operand'),
      value: byName(optional(scalar('the factor for the result'), 1)),
    },
    lower: ({ b }, { input, tensor1, tensor2, value }) => {
      const both =
        name === 'addcmul'
          ? elementwise.binary(b, 'multiply', name, tensor1, tensor2)
          : elementwise.divide(b, name, tensor1, tensor2, undefined);
      // the factor of integers is an integer, too
      const isWhole = isInteger(typeOf(both)) && isInteger(typeOf(input));
      const factor = isWhole && typeof value === 'number' ? Math.trunc(value) : value;
      return elementwise.binary(b, 'add', name, input, elementwise.scaled(b, both, factor));
    },
  });

export const products = group({
  matmul: row({
    ...facts,
    summary:
      'The matrix product over the last dim of the left operand and the last but one of the right; leading dims broadcast.',
    shape: 'broadcast leading dims, rows of the left, columns of the right; a vector has no rows or columns',
    example: 'zeros([8, 2, 3]).matmul(zeros([3, 4])).shape // [8, 2, 4]',
    differs,
    params: { input, other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => matrix.matmul(b, input, other),
  }),
  mm: product(
    'mm',
    [2, 2],
    'mat2',
    'The product of two matrices.',
    '[rows, columns]',
    'tensor([[1, 2], [3, 4]]).mm(tensor([[1], [1]])) // [[3], [7]]',
  ),
  bmm: product(
    'bmm',
    [3, 3],
    'mat2',
    'The products of two batches of matrices.',
    '[batch, rows, columns]',
    `const queries = randn(8, 5, 16), keys = randn(8, 7, 16);
queries.bmm(keys.transpose(1, 2)).shape // [8, 5, 7]`,
  ),
  mv: product(
    'mv',
    [2, 1],
    'vec',
    'The product of a matrix and a vector.',
    '[rows]',
    'tensor([[1, 2], [3, 4]]).mv(tensor([1, -1])) // [-1, -1]',
  ),
  dot: product(
    'dot',
    [1, 1],
    'tensor',
    'The inner product of two vectors.',
    '[]',
    'tensor([1, 2, 3]).dot(tensor([4, 5, 6])) // 32',
  ),
  outer: row({
    ...facts,
    torch: spellings('outer', 'ger'),
    aliases: ['ger'],
    summary: 'The outer product of two vectors.',
    shape: '[length of the left, length of the right]',
    example: 'tensor([1, 2]).outer(tensor([3, 4, 5])) // [[3, 4, 5], [6, 8, 10]]',
    params: { input, vec2: tensor('the right operand') },
    lower: ({ b }, { input, vec2 }) => {
      const [x, y] = [move.onlyRank(b, 'outer', input, 1), move.onlyRank(b, 'outer', vec2, 1)];
      return elementwise.binary(b, 'multiply', 'outer', move.unsqueeze(b, x, 1), y);
    },
  }),
  addmm: withProduct(
    'addmm',
    ['mat1', 'mat2'],
    [2, 2],
    'A matrix product, added to a matrix: beta · input + alpha · mat1 · mat2.',
    '[rows, columns]',
    `const bias = tensor([1, 2]), x = tensor([[1, 0]]), weight = tensor([[3, 4], [5, 6]]);
bias.addmm(x, weight.t()) // [[4, 7]]`,
  ),
  baddbmm: withProduct(
    'baddbmm',
    ['batch1', 'batch2'],
    [3, 3],
    'A batched matrix product, added to a tensor: beta · input + alpha · batch1 · batch2.',
    '[batch, rows, columns]',
    `const mask = zeros(1, 2, 2), x = ones(1, 2, 3);
mask.baddbmm(x, x.transpose(1, 2), { alpha: 0.5 }) // [[[1.5, 1.5], [1.5, 1.5]]]`,
  ),
  addmv: withProduct(
    'addmv',
    ['mat', 'vec'],
    [2, 1],
    'A matrix-vector product, added to a vector: beta · input + alpha · mat · vec.',
    '[rows]',
    'tensor([1, 1]).addmv(tensor([[1, 2], [3, 4]]), tensor([1, 0])) // [2, 4]',
  ),
  addcmul: pointwise(
    'addcmul',
    'product',
    'tensor([1, 2]).addcmul(tensor([3, 4]), tensor([5, 6]), { value: 0.1 }) // [2.5, 4.4]',
  ),
  addcdiv: pointwise(
    'addcdiv',
    'quotient',
    'tensor([1, 2]).addcdiv(tensor([3, 4]), tensor([2, 8]), { value: 2 }) // [4, 3]',
  ),
  lerp: row({
    ...facts,
    forms: ['method', 'function', 'inPlace'],
    summary: 'Linear interpolation between two tensors: input + weight · (end − input).',
    shape: 'the broadcast shape of all',
    example: 'tensor([0, 10]).lerp(tensor([10, 20]), 0.1) // [1, 11]',
    params: {
      input: tensor('the one end'),
      end: tensor('the value at weight 1'),
      weight: operand('the weight: 0 gives `input`, 1 gives `end`'),
    },
    lower: ({ b }, { input, end, weight }) => {
      const way = elementwise.binary(b, 'subtract', 'lerp', end, input);
      return elementwise.binary(b, 'add', 'lerp', input, elementwise.binary(b, 'multiply', 'lerp', way, weight));
    },
  }),
  cross: row({
    ...facts,
    summary: 'The cross product of vectors of three elements.',
    shape: 'the broadcast shape of the operands',
    dtype: 'promoted',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'tensor([1, 0, 0]).cross(tensor([0, 1, 0])) // [0, 0, 1]',
    params: {
      input,
      other: tensor('the right operand'),
      dim: { ...optional(dim('the dim of size 3')), fallbackText: 'the first one' },
    },
    lower: ({ b }, { input, other, dim }) => norms.cross(b, input, other, dim),
  }),
});
