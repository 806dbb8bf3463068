// Determinants of matrices that are singular, and of complex ones, as PyTorch 2.13 with MKL gives them, signs of zeros included.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InterpreterBackend } from '../../../runtime/backends/interpreter/interpreter-backend.ts';
import {
  complex,
  Device,
  imag,
  linalg,
  logdet,
  real,
  setDefaultDevice,
  type Tensor,
  tensor,
  viewAsReal,
} from '../../index.ts';

beforeAll(() => setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} })));
afterAll(() => setDefaultDevice(undefined));

const counted = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
  [9, 10, 11, 12],
  [13, 14, 15, 16],
];
test.each<[string, readonly (readonly number[])[], number]>([
  ['1 to 9', counted.slice(0, 3).map((row, i) => row.slice(0, 3).map(x => x - i)), 0],
  ['-1 to -9', counted.slice(0, 3).map((row, i) => row.slice(0, 3).map(x => i - x)), 0],
  ['1 to 16', counted, 0],
  [
    'rows that are multiples',
    [
      [1, 2, 3],
      [2, 4, 6],
      [1, 1, 1],
    ],
    -0,
  ],
  [
    'a row of zeros',
    [
      [1, 2, 3],
      [0, 0, 0],
      [4, 5, 6],
    ],
    -0,
  ],
  [
    'a column of zeros',
    [
      [0, 2, 3],
      [0, 1, 5],
      [0, 5, 6],
    ],
    0,
  ],
  [
    'rank 1',
    [
      [1, -1, 2],
      [-1, 1, -2],
      [2, -2, 4],
    ],
    -0,
  ],
  [
    '2 by 2',
    [
      [1, 2],
      [2, 4],
    ],
    -0,
  ],
])('of %s', (_, data, sign) => {
  for (const dtype of ['float32', 'float64'] as const) {
    const a = tensor(data, { dtype });
    const slog = linalg.slogdet(a);
    expect([linalg.det(a), slog.sign, slog.logabsdet, logdet(a)].map(x => x.item())).toEqual([
      sign,
      sign,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  }
});

const parts = (x: Tensor): unknown => viewAsReal(x).toArray();
test('the zero of a pivot keeps its sign', () => {
  expect(linalg.det(tensor([[-0]])).item()).toBe(-0);
  const { LU } = linalg.luFactor(
    tensor([
      [1, 2, 3],
      [2, 4, 6],
      [1, 1, 1],
    ]),
  );
  expect(LU.toArray()).toEqual([
    [2, 4, 6],
    [0.5, -1, -2],
    [0.5, -0, 0],
  ]);
});
test('of complex matrices', () => {
  const magic = tensor(
    [
      [8, 1, 6],
      [3, 5, 7],
      [4, 9, 2],
    ],
    { dtype: 'float64' },
  );
  const a = complex(magic, magic);
  const { sign, logabsdet } = linalg.slogdet(a);
  expect(real(sign).item()).toBeCloseTo(Math.SQRT1_2, 12);
  expect(imag(sign).item()).toBeCloseTo(-Math.SQRT1_2, 12);
  expect(logabsdet.item()).toBeCloseTo(6.925824802, 8);
  expect(imag(logdet(a)).item()).toBeCloseTo(-Math.PI / 4, 12);
  const ones = complex(
    tensor([
      [1, 1],
      [1, 1],
    ]),
    tensor([
      [1, 1],
      [1, 1],
    ]),
  );
  expect(parts(linalg.slogdet(ones).sign)).toEqual([0, 0]);
  expect(parts(logdet(ones))).toEqual([Number.NEGATIVE_INFINITY, Number.NaN]);
  expect(linalg.invEx(a).info.item()).toBe(0);
});
