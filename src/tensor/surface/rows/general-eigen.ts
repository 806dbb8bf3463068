// Eigenvalues of general matrices, which are complex even for real matrices.
import { eig } from '../../lower/linalg/general.ts';
import { tensor } from '../params.ts';
import { group, row } from '../row.ts';

const facts = {
  forms: ['linalg'],
  dtype: 'complex',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'],
  details:
    'Computed in f64 and in a fixed order: bit-identical for any number of threads. Eigenvalues are not sorted. Gradients exist where no two eigenvalues are equal.',
  differs: 'Matrices with infinities or NaN give NaN, because compiled programs cannot raise errors.',
} as const;
const square = tensor('the square matrix, or a batch of them');

export const generalEigenRows = group({
  eig: row({
    ...facts,
    torch: ['torch.linalg.eig'],
    result: ['eigenvalues', 'eigenvectors'],
    summary: 'The eigenvalues of square matrices, and their eigenvectors as columns of length 1.',
    shape: 'the shape of the input without its last dim, and the shape of the input',
    example: `const { eigenvalues, eigenvectors } = linalg.eig(tensor([[2, 0], [0, 3]]));
eigenvalues // [[2, 0], [3, 0]]`,
    // PyTorch rejects gradients of functions that depend on the phase of an eigenvector, as plain sums do
    uncompared: ['A'],
    freeSigns: [[1, -1]],
    params: { A: square },
    lower: (c, { A }) => eig(c, 'linalg.eig', A),
  }),
  eigvals: row({
    ...facts,
    torch: ['torch.linalg.eigvals'],
    summary: 'The eigenvalues of square matrices.',
    shape: 'the shape of the input without its last dim',
    example: 'linalg.eigvals(tensor([[0, -1], [1, 0]])) // [i, -i]',
    params: { A: square },
    lower: (c, { A }) => eig(c, 'linalg.eigvals', A)[0],
  }),
});
