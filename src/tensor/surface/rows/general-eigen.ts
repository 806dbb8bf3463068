// Eigenvalues of general matrices: the tensor is read, and the results are uploaded.
import { TrenioError } from '../../../base/errors.ts';
import { bytesOf, literal, numberAt } from '../../../hlo/literal.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { wrongArgument } from '../../check-arguments.ts';
import { userLocation } from '../../location.ts';
import { type ComplexMatrix, type Eigen, eigenOf } from '../../lower/linalg/general-eigen.ts';
import type { Traced } from '../../traced.ts';
import { tensor } from '../params.ts';
import { group, type Maker, runRow, type SampleArgument } from '../row.ts';

const facts = {
  forms: ['linalg'],
  dtype: 'complex',
  gradient: 'none',
  throws: ['WRONG_ARGUMENT', 'BAD_DTYPE'],
  details:
    'The matrices are read, and decomposed on the host in f64: the same bits on every machine. Eigenvalues have no order.',
  differs: 'No gradient flows: use eigh for symmetric matrices.',
} as const;
const square = tensor('the square matrix, or a batch of them');
const of = (dtype: string, data: SampleArgument): SampleArgument => ({ dtype, data });
const triangle = (dtype: string): SampleArgument =>
  of(dtype, [
    [1, 2, 0.5],
    [0, 3, 1],
    [0, 0, -2],
  ]);

export const generalEigenRows = group({
  eig: runRow({
    ...facts,
    torch: ['torch.linalg.eig'],
    result: ['eigenvalues', 'eigenvectors'],
    summary: 'The eigenvalues of square matrices, and their eigenvectors as columns of length 1.',
    shape: 'the shape of the input without its last dim, and the shape of the input',
    example: 'const { eigenvalues, eigenvectors } = linalg.eig(x)',
    params: { A: square },
    run: (maker, { A }) => {
      const { n, batch, found } = decompositions('linalg.eig', A);
      const values = found.flatMap(({ values }) => values.flat());
      const vectors = found.flatMap(({ vectors: { re, im } }) => Array.from(re, (x, i) => [x, im[i]!]).flat());
      return [
        uploaded(maker, A, 'linalg.eig', [...batch, n], values),
        uploaded(maker, A, 'linalg.eig', [...batch, n, n], vectors),
      ];
    },
    samples: [
      {
        A: of('f64', [
          [1, 2],
          [0, 3],
        ]),
      },
      {
        A: of('f32', [
          [1, 2],
          [0, 3],
        ]),
      },
      {
        A: of('f64', [
          [0, -1],
          [1, 0],
        ]),
      },
      { A: 'f32[2,3]' },
      { A: 'f32[3]' },
      { A: of('f32', [[Number.NaN]]) },
    ],
  }),
  eigvals: runRow({
    ...facts,
    torch: ['torch.linalg.eigvals'],
    summary: 'The eigenvalues of square matrices.',
    shape: 'the shape of the input without its last dim',
    example: 'linalg.eigvals(tensor([[0, -1], [1, 0]])) // [i, -i]',
    params: { A: square },
    run: (maker, { A }) => {
      const { n, batch, found } = decompositions('linalg.eigvals', A);
      return uploaded(
        maker,
        A,
        'linalg.eigvals',
        [...batch, n],
        found.flatMap(({ values }) => values.flat()),
      );
    },
    samples: [
      { A: triangle('f64') },
      {
        A: of('f64', [
          [
            [0, -1],
            [1, 0],
          ],
          [
            [2, 0],
            [0, 3],
          ],
        ]),
      },
      { A: 'f32[2,3]' },
    ],
  }),
});

function decompositions(
  call: string,
  a: Traced,
): { readonly n: number; readonly batch: readonly number[]; readonly found: readonly Eigen[] } {
  const { shape } = a;
  const { elementType } = a.type;
  const n = shape.at(-1)!;
  if (shape.length < 2 || shape.at(-2) !== n)
    throw wrongArgument({ call, argument: 'A' }, a, 'a square matrix, or a batch of them');
  if (!['f32', 'f64', 'complex<f32>', 'complex<f64>'].includes(elementType))
    throw new TrenioError(
      'BAD_DTYPE',
      { op: call, got: elementType, expected: 'f32, f64 or complex numbers' },
      { location: userLocation() },
    );
  const batch = shape.slice(0, -2);
  const count = batch.reduce((total, d) => total * d, 1);
  const numbers = a.literal();
  const isComplex = elementType.startsWith('complex');
  const found = Array.from({ length: count }, (_, k) => {
    const entry = (i: number, part: 0 | 1): number =>
      isComplex ? numberAt(numbers, 2 * (k * n * n + i) + part) : part === 0 ? numberAt(numbers, k * n * n + i) : 0;
    const matrix: ComplexMatrix = {
      n,
      re: Float64Array.from({ length: n * n }, (_, i) => entry(i, 0)),
      im: Float64Array.from({ length: n * n }, (_, i) => entry(i, 1)),
    };
    const eigen = eigenOf(matrix);
    if (eigen === undefined) throw wrongArgument({ call, argument: 'A' }, a, 'a matrix of finite numbers');
    return eigen;
  });
  return { n, batch, found };
}
function uploaded(maker: Maker, a: Traced, op: string, shape: readonly number[], data: readonly number[]): Traced {
  const isWide = a.type.elementType === 'f64' || a.type.elementType === 'complex<f64>';
  const made = literal((isWide ? 'complex<f64>' : 'complex<f32>') satisfies ElementType, shape, data);
  const buffer = a.device.backend.upload(made.type, bytesOf(made));
  return maker.make({ device: a.device, type: made.type, op, buffer, location: userLocation() });
}
