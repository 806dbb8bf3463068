// Tests in addition to the samples of rows: convergence, rank-deficient matrices, orthogonality, second derivatives.
import { describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../../../runtime/backends/interpreter/interpreter-backend.ts';
import { defaultRuntime } from '../../../runtime/index.ts';
import { autograd, complex, Device, eye, linalg, type Tensor, tensor } from '../../index.ts';

/** Numbers without a pattern, the same in every run. */
function noise(count: number, seed = 1): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return state / 1073741824 - 1;
  });
}
const largest = (x: Tensor): number => x.abs().max().item() as number;
const modes = [
  { name: 'interpreted', backend: () => new InterpreterBackend(), size: 7 },
  { name: 'compiled', backend: () => defaultRuntime().backend('cpu'), size: 33 },
];

describe.each(modes)('$name', ({ backend, size: n }) => {
  const device = new Device(backend(), { seed: 1, log: () => {} });
  const matrix = (rows: number, columns: number, seed = 1): Tensor =>
    tensor(noise(rows * columns, seed), { device, dtype: 'f64', shape: [rows, columns] });
  const identity = (size: number): Tensor => eye(size, size, { device, dtype: 'f64' });

  test('eigenvectors of a symmetric matrix', () => {
    const x = matrix(n, n);
    const a = x.add(x.t());
    const { eigenvalues, eigenvectors } = linalg.eigh(a);
    expect(largest(eigenvectors.t().matmul(eigenvectors).sub(identity(n)))).toBeLessThan(1e-12);
    expect(largest(a.matmul(eigenvectors).sub(eigenvectors.mul(eigenvalues)))).toBeLessThan(1e-12);
    const values = eigenvalues.toArray() as number[];
    expect(values).toEqual([...values].sort((p, q) => p - q));
  });
  test('eigenvalues that are equal, very large and very small', () => {
    for (const factor of [1, 1e200, 1e-200]) {
      const a = identity(5).mul(3 * factor);
      expect((linalg.eigvalsh(a).div(factor).toArray() as number[]).map(x => Math.round(x * 1e12) / 1e12)).toEqual([
        3, 3, 3, 3, 3,
      ]);
      expect(largest(linalg.svdvals(a).div(factor).sub(3))).toBeLessThan(1e-12);
    }
  });
  test('singular vectors, also of a rank-deficient matrix', () => {
    const [x, y] = [matrix(n + 2, 3), matrix(3, n, 7)];
    for (const a of [matrix(n + 2, n), matrix(n, n + 2), x.matmul(y)]) {
      const { U, S, Vh } = linalg.svd(a);
      const [rows, columns] = a.shape as [number, number];
      expect([U.shape, Vh.shape]).toEqual([
        [rows, rows],
        [columns, columns],
      ]);
      expect(largest(U.t().matmul(U).sub(identity(rows)))).toBeLessThan(1e-12);
      expect(largest(Vh.matmul(Vh.t()).sub(identity(columns)))).toBeLessThan(1e-12);
      const k = S.shape[0]!;
      const product = U.narrow(1, 0, k)
        .mul(S)
        .matmul(Vh.narrow(0, 0, k));
      expect(largest(product.sub(a))).toBeLessThan(1e-12);
    }
    expect(linalg.matrixRank(x.matmul(y)).item()).toBe(3);
    const p = linalg.pinv(x.matmul(y));
    expect(largest(x.matmul(y).matmul(p).matmul(x).matmul(y).sub(x.matmul(y)))).toBeLessThan(1e-11);
  });
  test('solutions that need row exchanges', () => {
    const [a, y] = [matrix(n, n, 3), matrix(n, 4, 5)];
    expect(largest(a.matmul(linalg.solve(a, y)).sub(y))).toBeLessThan(1e-10);
    expect(largest(a.inverse().matmul(a).sub(identity(n)))).toBeLessThan(1e-10);
    const { P, L, U } = linalg.lu(a);
    expect(largest(P.matmul(L).matmul(U).sub(a))).toBeLessThan(1e-13);
    const { LU, pivots } = linalg.luFactor(a);
    expect(largest(linalg.luSolve(LU, pivots, y).sub(linalg.solve(a, y)))).toBeLessThan(1e-12);
    const { Q, R } = linalg.qr(matrix(n + 3, n), { mode: 'complete' });
    expect(
      largest(
        Q.t()
          .matmul(Q)
          .sub(identity(n + 3)),
      ),
    ).toBeLessThan(1e-13);
    expect(largest(Q.matmul(R).sub(matrix(n + 3, n)))).toBeLessThan(1e-13);
  });
  test('exponentials of matrices of any norm', () => {
    const turn = tensor([0, -200, 200, 0], { device, dtype: 'f64', shape: [2, 2] });
    const [row] = turn.matrixExp().toArray() as number[][];
    expect(row![0]).toBeCloseTo(Math.cos(200), 10);
    expect(row![1]).toBeCloseTo(-Math.sin(200), 10);
  });
  test('the condition number by other norms', () => {
    const a = matrix(3, 3).requiresGrad_();
    const product = linalg.matrixNorm(a, 'fro').mul(linalg.matrixNorm(a.inverse(), 'fro'));
    expect(linalg.cond(a, 'fro').item() as number).toBeCloseTo(product.item() as number, 8);
    linalg.cond(a, 1).backward();
    expect(a.grad!.toArray()).toHaveLength(3);
  });
  test('second derivatives pass through a decomposition', () => {
    // d/dx of 1/x is -1/x², and of that 2/x³
    const x = tensor([2], { device, dtype: 'f64', shape: [1, 1] }).requiresGrad_();
    const [first] = autograd.grad(x.inverse().sum(), [x], { createGraph: true }) as [Tensor];
    const [second] = autograd.grad(first.sum(), [x]) as [Tensor];
    expect([first.item(), second.item()]).toEqual([-0.25, 0.25]);
    const a = matrix(3, 3, 9).requiresGrad_();
    const [slope] = autograd.grad(a.det(), [a], { createGraph: true }) as [Tensor];
    const [curve] = autograd.grad(slope.square().sum(), [a]) as [Tensor];
    // by differences
    const step = 1e-6;
    const lengthAt = (delta: number): number => {
      const moved = tensor(
        noise(9, 9).map((v, i) => (i === 4 ? v + delta : v)),
        {
          device,
          dtype: 'f64',
          shape: [3, 3],
        },
      ).requiresGrad_();
      const [g] = autograd.grad(moved.det(), [moved]) as [Tensor];
      return g.square().sum().item() as number;
    };
    expect((curve.toArray() as number[][])[1]![1]).toBeCloseTo((lengthAt(step) - lengthAt(-step)) / (2 * step), 6);
  });
});
test('the complex Cholesky factor, lower or upper, reproduces the matrix', () => {
  const device = new Device(new InterpreterBackend(), { seed: 1, log: () => {} });
  const m = tensor(
    [
      [1, 2],
      [0.5, -1],
    ],
    { device, dtype: 'f64' },
  );
  const n = tensor(
    [
      [0, 1],
      [-2, 0.25],
    ],
    { device, dtype: 'f64' },
  );
  const z = complex(m, n);
  const a = z.matmul(z.adjoint()).add(eye(2, 2, { device, dtype: 'f64' }));
  for (const upper of [false, true]) {
    const factor = a.cholesky({ upper });
    const back = upper ? factor.adjoint().matmul(factor) : factor.matmul(factor.adjoint());
    expect(back.sub(a).abs().max().item()).toBeLessThan(1e-12);
    expect(factor.imag().diagonal().abs().max().item()).toBe(0);
  }
});
