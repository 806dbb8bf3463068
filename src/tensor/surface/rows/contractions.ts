// Contractions of any number of tensors.
import * as einsum from '../../lower/einsum.ts';
import { dimPairs, listOfTensors, optional, tensor, tensors, text } from '../params.ts';
import { group, row } from '../row.ts';

const facts = { dtype: 'promoted', gradient: 'smooth', throws: ['SHAPE_MISMATCH'] } as const;
const differs = 'Operands of different data types are promoted; PyTorch raises an error.';
const input = tensor('the left operand');

export const contractions = group({
  einsum: row({
    ...facts,
    forms: ['function'],
    summary: "A sum of products over named dims: 'ij,jk->ik' is the product of two matrices.",
    details:
      'Any number of operands; `...` stands for any leading dims, which broadcast; a subscript that is repeated in an operand takes its ' +
      'diagonal; without an arrow, the result has the subscripts that occur once, in alphabetical order. Two operands at a ' +
      'time are contracted, the cheapest pair first.',
    shape: 'the sizes of the subscripts of the result',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: `const queries = randn(2, 4, 5, 8), keys = randn(2, 4, 7, 8);
einsum('bhid,bhjd->bhij', queries, keys).shape // [2, 4, 5, 7]`,
    differs,
    params: { equation: text('the subscripts'), operands: listOfTensors('the operands') },
    lower: ({ b }, { equation, operands }) => einsum.einsum(b, equation, operands),
  }),
  tensordot: row({
    ...facts,
    forms: ['function'],
    summary: 'A sum of products over dims of one tensor paired with dims of another.',
    shape: 'the other dims of the left operand, then those of the right',
    example: 'tensordot(zeros([2, 3, 4]), zeros([3, 4, 5]), 2).shape // [2, 5]',
    differs,
    params: {
      a: input,
      b: tensor('the right operand'),
      dims: optional(dimPairs('the number of last dims of `a` and first dims of `b`, or a list of dims of each'), 2),
    },
    lower: ({ b }, args) => einsum.tensordot(b, args.a, args.b, args.dims),
  }),
  inner: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The sum of products over the last dims of both tensors.',
    shape: 'the leading dims of the left operand, then those of the right',
    example: 'tensor([1, 2]).inner(tensor([3, 4])) // 11',
    differs,
    params: { input, other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => einsum.inner(b, input, other),
  }),
  kron: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The Kronecker product: each element of the left operand times the whole right operand, in blocks.',
    shape: 'for each dim, the product of the sizes',
    example: 'kron(eye(2), tensor([[1, 2]])) // [[1, 2, 0, 0], [0, 0, 1, 2]]',
    params: { input, other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => einsum.kron(b, input, other),
  }),
  chainMatmul: row({
    ...facts,
    forms: ['function'],
    summary: 'The product of matrices, in the order with the fewest multiplications.',
    shape: '[rows of the first, columns of the last]',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: 'chainMatmul(ones(2, 3), ones(3, 4), ones(4, 1)) // [[12], [12]]',
    differs,
    params: { matrices: listOfTensors('the matrices') },
    lower: ({ b }, { matrices }) => einsum.multiDot(b, 'chainMatmul', matrices),
  }),
  multiDot: row({
    ...facts,
    forms: ['linalg'],
    torch: ['torch.linalg.multi_dot'],
    summary:
      'The product of matrices, in the order with the fewest multiplications; the first and the last may be vectors.',
    shape: '[rows of the first, columns of the last]; a vector has no rows or columns',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: 'linalg.multiDot([ones(2, 3), ones(3, 4), ones(4, 1)]) // [[12], [12]]',
    differs,
    params: { tensors: tensors('the matrices') },
    lower: ({ b }, { tensors }) => einsum.multiDot(b, 'linalg.multiDot', tensors),
  }),
});
