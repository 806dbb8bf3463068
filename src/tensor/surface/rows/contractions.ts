// Contractions of any number of tensors.
import * as einsum from '../../lower/einsum.ts';
import { dimPairs, listOfTensors, optional, tensor, tensors, text } from '../params.ts';
import { group, row } from '../row.ts';

const spellings = (...names: readonly string[]): string[] => names.flatMap(name => [`torch.${name}`, `Tensor.${name}`]);
const facts = { dtype: 'promoted', gradient: 'smooth', throws: ['SHAPE_MISMATCH'] } as const;
const differs = 'Operands of different data types are promoted; PyTorch raises an error.';
const input = tensor('the left operand');

export const contractions = group({
  einsum: row({
    ...facts,
    forms: ['function'],
    torch: ['torch.einsum'],
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
    samples: [
      { equation: 'ij,jk->ik', operands: ['f32[2,3]', 'f32[3,2]'] },
      { equation: 'ij, jk', operands: ['f64[2,3]', 'f64[3,2]'] },
      { equation: 'bhid,bhjd->bhij', operands: ['f32[2,2,3,2]', 'f32[2,2,2,2]'] },
      { equation: 'ii->i', operands: ['f32[3,3]'] },
      { equation: 'ii', operands: ['f32[3,3]'] },
      { equation: 'iji->j', operands: ['f64[2,3,2]'] },
      { equation: 'ba', operands: ['f32[2,3]'] },
      { equation: 'i,j->ij', operands: ['f32[2]', 'f32[3]'] },
      { equation: 'i,i->', operands: ['f32[3]', 'f32[3]'] },
      { equation: '...ij,...jk->...ik', operands: ['f32[2,1,2,3]', 'f32[3,3,2]'] },
      { equation: 'i...->...', operands: ['f32[2,3]'] },
      { equation: 'b...i,b...i->b...', operands: ['f32[2,2,3]', 'f32[2,2,3]'] },
      { equation: '...i,ij', operands: ['f32[2,2,3]', 'f32[3,2]'] },
      { equation: 'ij,jk,kl->il', operands: ['f64[2,3]', 'f64[3,4]', 'f64[4,2]'] },
      { equation: 'a,b,c,ab->c', operands: ['f32[2]', 'f32[3]', 'f32[2]', 'f32[2,3]'] },
      { equation: 'bn,anm,bm->ba', operands: ['f32[2,3]', 'f32[2,3,2]', 'f32[2,2]'] },
      { equation: 'ij,ij->ij', operands: ['f32[1,3]', 'f32[2,3]'] },
      { equation: 'ij,ij->', operands: ['f32[1,3]', 'f32[2,3]'] },
      { equation: 'ij,jk->ik', operands: ['bf16[2,3]', 'bf16[3,2]'] },
      { equation: 'ij,jk->ik', operands: ['i64[2,3]', 'i64[3,2]'] },
      { equation: 'bij,bjk->ik', operands: ['c128[2,2,3]', 'c128[2,3,2]'] },
      { equation: ',i->i', operands: ['f32[]', 'f32[3]'] },
      { equation: 'ij->', operands: ['f32[0,2]'] },
      { equation: 'ij,jk->ik', operands: ['f32[2,3]', 'f32[2,3]'] },
      { equation: 'ij->ik', operands: ['f32[2,3]'] },
      { equation: 'ij->ii', operands: ['f32[2,3]'] },
      { equation: 'i->i', operands: ['f32[2,3]'] },
      { equation: 'ij,jk', operands: ['f32[2,3]'] },
      { equation: 'i->i->i', operands: ['f32[2]'] },
      { equation: 'i1->i', operands: ['f32[2,3]'] },
    ],
  }),
  tensordot: row({
    ...facts,
    forms: ['function'],
    torch: ['torch.tensordot'],
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
    samples: [
      { a: 'f32[2,3,2]', b: 'f32[3,2,2]' },
      { a: 'f64[2,3]', b: 'f64[3,2]', dims: 1 },
      { a: 'f32[2]', b: 'f32[3]', dims: 0 },
      {
        a: 'f32[2,3,4]',
        b: 'f32[4,2,2]',
        dims: [
          [0, -1],
          [1, 0],
        ],
      },
      { a: 'bf16[2,3]', b: 'bf16[3,2]', dims: 1 },
      { a: 'f32[2,3]', b: 'f32[2,3]', dims: 1 },
      { a: 'f32[2,3]', b: 'f32[2,3]', dims: [[0], [0, 1]] },
    ],
  }),
  inner: row({
    ...facts,
    forms: ['method', 'function'],
    torch: spellings('inner'),
    summary: 'The sum of products over the last dims of both tensors.',
    shape: 'the leading dims of the left operand, then those of the right',
    example: 'tensor([1, 2]).inner(tensor([3, 4])) // 11',
    differs,
    params: { input, other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => einsum.inner(b, input, other),
    samples: [
      { input: 'f32[3]', other: 'f32[3]' },
      { input: 'f64[2,3]', other: 'f64[2,2,3]' },
      { input: 'f32[2]', other: 'f32[]' },
      { input: 'f32[2]', other: 'f32[3]' },
    ],
  }),
  kron: row({
    ...facts,
    forms: ['method', 'function'],
    torch: spellings('kron'),
    summary: 'The Kronecker product: each element of the left operand times the whole right operand, in blocks.',
    shape: 'for each dim, the product of the sizes',
    example: 'kron(eye(2), tensor([[1, 2]])) // [[1, 2, 0, 0], [0, 0, 1, 2]]',
    params: { input, other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => einsum.kron(b, input, other),
    samples: [
      { input: 'f32[2,2]', other: 'f32[2,3]' },
      { input: 'f64[2]', other: 'f64[2,2]' },
      { input: 'i32[2]', other: 'f32[2]' },
    ],
  }),
  chainMatmul: row({
    ...facts,
    forms: ['function'],
    torch: ['torch.chain_matmul'],
    summary: 'The product of matrices, in the order with the fewest multiplications.',
    shape: '[rows of the first, columns of the last]',
    throws: ['SHAPE_MISMATCH', 'NO_TENSORS'],
    example: 'chainMatmul(ones(2, 3), ones(3, 4), ones(4, 1)) // [[12], [12]]',
    differs,
    params: { matrices: listOfTensors('the matrices') },
    lower: ({ b }, { matrices }) => einsum.multiDot(b, 'chainMatmul', matrices),
    samples: [
      { matrices: ['f32[2,3]', 'f32[3,4]', 'f32[4,2]'] },
      { matrices: ['f64[2,3]', 'f64[3,1]', 'f64[1,3]', 'f64[3,2]'] },
    ],
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
    samples: [
      { tensors: ['f32[2,3]', 'f32[3,4]', 'f32[4,2]'] },
      { tensors: ['f64[3]', 'f64[3,4]', 'f64[4]'] },
      { tensors: ['f32[2,3]', 'f32[2,4]'] },
    ],
  }),
});
