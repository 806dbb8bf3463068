// The functions of the namespace linalg that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { call } from '../surface/call.ts';
import { contractions } from '../surface/rows/contractions.ts';
import { generalEigenRows } from '../surface/rows/general-eigen.ts';
import { moreLinear } from '../surface/rows/linear-more.ts';
import { linearSystems } from '../surface/rows/linear-systems.ts';
import { spectra } from '../surface/rows/spectra.ts';
import type { Tensor } from '../tensor.ts';
import type {
  CholeskyExOptions,
  CholeskyOptions,
  CondOptions,
  EighOptions,
  EigvalshOptions,
  InvExOptions,
  LinalgCrossOptions,
  LinalgDiagonalOptions,
  LinalgNormOptions,
  LinalgQrOptions,
  LinalgSvdOptions,
  LinalgVanderOptions,
  LstsqOptions,
  LuFactorExOptions,
  LuSolveOptions,
  MatrixNormOptions,
  MatrixRankOptions,
  PinvOptions,
  SolveExOptions,
  SolveOptions,
  SolveTriangularOptions,
  TensorinvOptions,
  TensorsolveOptions,
  VecdotOptions,
  VectorNormOptions,
} from './options.ts';

/**
 * The product of matrices, in the order with the fewest multiplications; the first and the last may be vectors.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.linalg.multi_dot`.
 *
 * @param tensors - The matrices.
 * @returns [rows of the first, columns of the last]; a vector has no rows or columns; the promoted data type of
 * the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {NO_TENSORS}
 * @category Contractions
 * @example
 * linalg.multiDot([ones(2, 3), ones(3, 4), ones(4, 1)]) // [[12], [12]]
 */
export function multiDot(tensors: readonly Tensor[]): Tensor;
export function multiDot(...args: readonly unknown[]): unknown {
  return call(contractions.multiDot, undefined, args);
}

/**
 * The solution of A · X = B (or X · A = B) for a square matrix A.
 *
 * By LU decomposition with partial pivoting. B may be a vector, or a batch of vectors.
 *
 * Differs from PyTorch: Singular matrices give infinities or NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.linalg.solve`.
 *
 * @param A - The square matrix, or a batch of them.
 * @param B - The right-hand side.
 * @param options.left - Whether the unknown is on the right of the matrix. Default: true.
 * @returns the shape of B, leading dims broadcast with those of A; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * linalg.solve(tensor([[2, 0], [0, 4]]), tensor([2, 4])) // [1, 1]
 */
export function solve(A: Tensor, B: Tensor, options?: SolveOptions): Tensor;
export function solve(...args: readonly unknown[]): unknown {
  return call(linearSystems.solve, undefined, args);
}

/**
 * The inverse of a square matrix.
 *
 * Differs from PyTorch: Singular matrices give infinities or NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.linalg.inv`, `torch.inverse`, `Tensor.inverse`.
 *
 * @param input - The square matrix, or a batch of them.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * tensor([[2, 0], [0, 4]]).inverse() // [[0.5, 0], [0, 0.25]]
 */
export function inv(input: Tensor): Tensor;
export function inv(...args: readonly unknown[]): unknown {
  return call(linearSystems.inverse, undefined, args);
}

/**
 * The determinant of a square matrix.
 *
 * PyTorch: `torch.linalg.det`, `torch.det`, `Tensor.det`.
 *
 * @param input - The square matrix, or a batch of them.
 * @returns the leading dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * tensor([[2, 0], [0, 4]]).det() // 8
 */
export function det(input: Tensor): Tensor;
export function det(...args: readonly unknown[]): unknown {
  return call(linearSystems.det, undefined, args);
}

/**
 * The sign of the determinant and the logarithm of its absolute value.
 *
 * PyTorch: `torch.linalg.slogdet`, `torch.slogdet`, `Tensor.slogdet`.
 *
 * @param input - The square matrix, or a batch of them.
 * @returns `sign` and `logabsdet`, by name or in this order: the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const { sign, logabsdet } = tensor([[0, 2], [1, 0]]).slogdet(); // -1, 0.6931…
 */
export function slogdet(input: Tensor): readonly [sign: Tensor, logabsdet: Tensor] & {
  /** The first result. */
  readonly sign: Tensor;
  /** The second result. */
  readonly logabsdet: Tensor;
};
export function slogdet(...args: readonly unknown[]): unknown {
  return call(linearSystems.slogdet, undefined, args);
}

/**
 * A = P · L · U: a permutation, a lower triangle with ones on the diagonal, an upper triangle.
 *
 * PyTorch: `torch.linalg.lu`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @returns `P` and `L` and `U`, by name or in this order: [rows, rows], [rows, k] and [k, columns] with k =
 * min(rows, columns), after the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const { P, L, U } = linalg.lu(tensor([[1, 2], [2, 2]]));
 * L // [[1, 0], [0.5, 1]]
 * U // [[2, 2], [0, 1]]
 */
export function lu(A: Tensor): readonly [P: Tensor, L: Tensor, U: Tensor] & {
  /** The first result. */
  readonly P: Tensor;
  /** The second result. */
  readonly L: Tensor;
  /** The third result. */
  readonly U: Tensor;
};
export function lu(...args: readonly unknown[]): unknown {
  return call(linearSystems.linalgLu, undefined, args);
}

/**
 * The LU decomposition in one matrix, and the row interchanges (pivots) as int32, 1-based, for `linalg.luSolve`.
 *
 * PyTorch: `torch.linalg.lu_factor`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @returns `LU` and `pivots`, by name or in this order: the shape of the input, and the leading dims with
 * min(rows, columns)
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const { LU, pivots } = linalg.luFactor(tensor([[1, 2], [2, 2]])); // [[2, 2], [0.5, 1]], [2, 2]
 */
export function luFactor(A: Tensor): readonly [LU: Tensor, pivots: Tensor] & {
  /** The first result. */
  readonly LU: Tensor;
  /** The second result. */
  readonly pivots: Tensor;
};
export function luFactor(...args: readonly unknown[]): unknown {
  return call(linearSystems.luFactor, undefined, args);
}

/**
 * The solution of A · X = B from what `linalg.luFactor(A)` gives.
 *
 * PyTorch: `torch.linalg.lu_solve`.
 *
 * @param LU - The factors.
 * @param pivots - The pivots: row interchanges, 1-based.
 * @param B - The right-hand side.
 * @param options.left - Whether the unknown is on the right of the matrix. Default: true.
 * @param options.adjoint - Whether to use the transpose of A. Default: false.
 * @returns the shape of B, leading dims broadcast with those of the factors; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const { LU, pivots } = linalg.luFactor(tensor([[1, 2], [2, 2]]));
 * linalg.luSolve(LU, pivots, tensor([[3], [4]])) // [[1], [1]]
 */
export function luSolve(LU: Tensor, pivots: Tensor, B: Tensor, options?: LuSolveOptions): Tensor;
export function luSolve(...args: readonly unknown[]): unknown {
  return call(linearSystems.luSolve, undefined, args);
}

/**
 * The solution of A · X = B (or X · A = B) for a triangular matrix A.
 *
 * PyTorch: `torch.linalg.solve_triangular`.
 *
 * @param A - The square matrix, or a batch of them.
 * @param B - The right-hand side.
 * @param upper - Whether A is upper triangular; the other triangle is not read.
 * @param options.left - Whether the unknown is on the right of the matrix. Default: true.
 * @param options.unitriangular - Whether the diagonal is assumed to be 1. Default: false.
 * @returns the shape of B, leading dims broadcast with those of A; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * linalg.solveTriangular(tensor([[2, 0], [1, 1]]), tensor([[2], [3]]), { upper: false }) // [[1], [2]]
 */
export function solveTriangular(A: Tensor, B: Tensor, upper: boolean, options?: SolveTriangularOptions): Tensor;
/**
 * The solution of A · X = B (or X · A = B) for a triangular matrix A.
 *
 * PyTorch: `torch.linalg.solve_triangular`.
 *
 * @param A - The square matrix, or a batch of them.
 * @param B - The right-hand side.
 * @param named.upper - Whether A is upper triangular; the other triangle is not read.
 * @param named.left - Whether the unknown is on the right of the matrix. Default: true.
 * @param named.unitriangular - Whether the diagonal is assumed to be 1. Default: false.
 * @returns the shape of B, leading dims broadcast with those of A; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * linalg.solveTriangular(tensor([[2, 0], [1, 1]]), tensor([[2], [3]]), { upper: false }) // [[1], [2]]
 */
export function solveTriangular(
  A: Tensor,
  B: Tensor,
  named: { readonly upper: boolean } & SolveTriangularOptions,
): Tensor;
export function solveTriangular(...args: readonly unknown[]): unknown {
  return call(linearSystems.solveTriangular, undefined, args);
}

/**
 * The Cholesky factor L of a symmetric positive definite matrix A = L · Lᵀ.
 *
 * Only one triangle of the matrix is read: the lower one by default.
 *
 * Differs from PyTorch: Matrices that are not positive definite give NaN, because compiled programs cannot raise
 * errors.
 *
 * PyTorch: `torch.linalg.cholesky`, `torch.cholesky`, `Tensor.cholesky`.
 *
 * @param input - The square matrix, or a batch of them.
 * @param upper - Whether the upper triangle is used. Default: false.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * tensor([[4, 0], [0, 9]]).cholesky() // [[2, 0], [0, 3]]
 */
export function cholesky(input: Tensor, upper?: boolean | CholeskyOptions | undefined): Tensor;
export function cholesky(...args: readonly unknown[]): unknown {
  return call(linearSystems.cholesky, undefined, args);
}

/**
 * The QR decomposition A = Q · R: orthonormal columns and an upper triangular matrix.
 *
 * By Householder reflections. `complete` gives a square Q; its gradient exists for matrices that are not tall. `r`
 * gives R alone, without a gradient.
 *
 * PyTorch: `torch.linalg.qr`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param mode - The form of the result. Default: "reduced".
 * @returns `Q` and `R`, by name or in this order: [rows, k] and [k, columns] with k = min(rows, columns), after
 * the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const { Q, R } = linalg.qr(tensor([[3, 1], [4, 2]]));
 * Q.matmul(R) // [[3, 1], [4, 2]]
 */
export function qr(
  A: Tensor,
  mode?: 'reduced' | 'complete' | 'r' | LinalgQrOptions | undefined,
): readonly [Q: Tensor, R: Tensor] & {
  /** The first result. */
  readonly Q: Tensor;
  /** The second result. */
  readonly R: Tensor;
};
export function qr(...args: readonly unknown[]): unknown {
  return call(linearSystems.linalgQr, undefined, args);
}

/**
 * The first columns of a product of Householder reflections: Q of what `geqrf` gives.
 *
 * PyTorch: `torch.linalg.householder_product`, `torch.orgqr`, `Tensor.orgqr`.
 *
 * @param input - The vectors below the diagonal, as `geqrf` gives them.
 * @param tau - The factors of the reflections.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { a, tau } = geqrf(tensor([[3, 1], [4, 2]]));
 * const Q = linalg.householderProduct(a, tau);
 * Q.t().matmul(Q).allclose(eye(2), { atol: 1e-5 }) // true
 */
export function householderProduct(input: Tensor, tau: Tensor): Tensor;
export function householderProduct(...args: readonly unknown[]): unknown {
  return call(moreLinear.householderProduct, undefined, args);
}

/**
 * The inverse of a tensor as a map: of the matrix with its first `ind` dims as rows.
 *
 * PyTorch: `torch.linalg.tensorinv`.
 *
 * @param A - The tensor.
 * @param ind - How many dims are rows. Default: 2.
 * @returns the dims from `ind` on, then the first `ind`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const x = eye(4).reshape(2, 2, 4);
 * linalg.tensorinv(x, 2).shape // [4, 2, 2]
 */
export function tensorinv(A: Tensor, ind?: number | TensorinvOptions | undefined): Tensor;
export function tensorinv(...args: readonly unknown[]): unknown {
  return call(moreLinear.tensorinv, undefined, args);
}

/**
 * The X for which tensordot(A, X, X.ndim) = B.
 *
 * PyTorch: `torch.linalg.tensorsolve`.
 *
 * @param A - The tensor.
 * @param B - The right side.
 * @param dims - Dims of A that are moved to its end first.
 * @returns the dims of A behind those of B; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const A = eye(4).reshape(2, 2, 2, 2);
 * linalg.tensorsolve(A, tensor([[1, 2], [3, 4]])) // [[1, 2], [3, 4]]
 */
export function tensorsolve(A: Tensor, B: Tensor, dims?: readonly number[] | TensorsolveOptions | undefined): Tensor;
export function tensorsolve(...args: readonly unknown[]): unknown {
  return call(moreLinear.tensorsolve, undefined, args);
}

/**
 * Rising powers of vectors: 1, x, x² and so on, each number a row.
 *
 * PyTorch: `torch.linalg.vander`.
 *
 * @param x - The vector, or a batch of vectors.
 * @param options.columns - How many powers; as many as elements by default.
 * @returns the shape of the input, then N; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Reflections, systems of tensors, reports
 * @example
 * linalg.vander(tensor([2, 3])) // [[1, 2], [1, 3]]
 */
export function vander(x: Tensor, options?: LinalgVanderOptions): Tensor;
export function vander(...args: readonly unknown[]): unknown {
  return call(moreLinear.linalgVander, undefined, args);
}

/**
 * `linalg.cholesky` with a report for each matrix.
 *
 * `info` is 0 where all went well, else the number of the first pivot that is 0, or of the first minor that is not
 * positive.
 *
 * PyTorch: `torch.linalg.cholesky_ex`.
 *
 * @param input - The square matrix, or a batch of them.
 * @param options.upper - Whether the upper triangle is used. Default: false.
 * @param options.checkErrors - Ignored: programs cannot raise errors. Default: false.
 * @returns `L` and `info`, by name or in this order: the shape of the input, and the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { L, info } = linalg.choleskyEx(tensor([[4, 0], [0, 9]])); // [[2, 0], [0, 3]], 0
 */
export function choleskyEx(
  input: Tensor,
  options?: CholeskyExOptions,
): readonly [L: Tensor, info: Tensor] & {
  /** The first result. */
  readonly L: Tensor;
  /** The second result. */
  readonly info: Tensor;
};
export function choleskyEx(...args: readonly unknown[]): unknown {
  return call(moreLinear.choleskyEx, undefined, args);
}

/**
 * `linalg.inv` with a report for each matrix.
 *
 * `info` is 0 where all went well, else the number of the first pivot that is 0, or of the first minor that is not
 * positive.
 *
 * PyTorch: `torch.linalg.inv_ex`.
 *
 * @param A - The square matrix, or a batch of them.
 * @param options.checkErrors - Ignored: programs cannot raise errors. Default: false.
 * @returns `inverse` and `info`, by name or in this order: the shape of the input, and the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { inverse, info } = linalg.invEx(tensor([[2, 0], [0, 4]])); // [[0.5, 0], [0, 0.25]], 0
 */
export function invEx(
  A: Tensor,
  options?: InvExOptions,
): readonly [inverse: Tensor, info: Tensor] & {
  /** The first result. */
  readonly inverse: Tensor;
  /** The second result. */
  readonly info: Tensor;
};
export function invEx(...args: readonly unknown[]): unknown {
  return call(moreLinear.invEx, undefined, args);
}

/**
 * `linalg.solve` with a report for each matrix.
 *
 * `info` is 0 where all went well, else the number of the first pivot that is 0, or of the first minor that is not
 * positive.
 *
 * PyTorch: `torch.linalg.solve_ex`.
 *
 * @param A - The square matrix, or a batch of them.
 * @param B - The right side.
 * @param options.left - Whether the unknown stands on the right of the matrix. Default: true.
 * @param options.checkErrors - Ignored: programs cannot raise errors. Default: false.
 * @returns `result` and `info`, by name or in this order: the shape of B, and the leading dims of A
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { result, info } = linalg.solveEx(tensor([[2, 0], [0, 4]]), tensor([[2], [4]])); // [[1], [1]], 0
 */
export function solveEx(
  A: Tensor,
  B: Tensor,
  options?: SolveExOptions,
): readonly [result: Tensor, info: Tensor] & {
  /** The first result. */
  readonly result: Tensor;
  /** The second result. */
  readonly info: Tensor;
};
export function solveEx(...args: readonly unknown[]): unknown {
  return call(moreLinear.solveEx, undefined, args);
}

/**
 * `linalg.luFactor` with a report for each matrix.
 *
 * `info` is 0 where all went well, else the number of the first pivot that is 0, or of the first minor that is not
 * positive.
 *
 * PyTorch: `torch.linalg.lu_factor_ex`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param options.checkErrors - Ignored: programs cannot raise errors. Default: false.
 * @returns `LU` and `pivots` and `info`, by name or in this order: the shape of the input, the leading dims with
 * min(rows, columns), and the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { LU, pivots, info } = linalg.luFactorEx(tensor([[1, 2], [2, 2]])); // [[2, 2], [0.5, 1]], [2, 2], 0
 */
export function luFactorEx(
  A: Tensor,
  options?: LuFactorExOptions,
): readonly [LU: Tensor, pivots: Tensor, info: Tensor] & {
  /** The first result. */
  readonly LU: Tensor;
  /** The second result. */
  readonly pivots: Tensor;
  /** The third result. */
  readonly info: Tensor;
};
export function luFactorEx(...args: readonly unknown[]): unknown {
  return call(moreLinear.luFactorEx, undefined, args);
}

/**
 * The eigenvalues of symmetric matrices, the smallest first, and orthogonal eigenvectors as columns.
 *
 * By Householder reflections and QL iterations, in f64. The sign of an eigenvector is arbitrary. The gradient of
 * eigenvectors exists where no two eigenvalues are equal.
 *
 * PyTorch: `torch.linalg.eigh`.
 *
 * @param A - The symmetric matrix, or a batch of them.
 * @param UPLO - The triangle that is read: 'L' or 'U'. Default: "L".
 * @returns `eigenvalues` and `eigenvectors`, by name or in this order: [n] and [n, n], after the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * const { eigenvalues, eigenvectors } = linalg.eigh(tensor([[2, 1], [1, 2]]));
 * eigenvalues // [1, 3]
 */
export function eigh(
  A: Tensor,
  UPLO?: 'L' | 'U' | EighOptions | undefined,
): readonly [eigenvalues: Tensor, eigenvectors: Tensor] & {
  /** The first result. */
  readonly eigenvalues: Tensor;
  /** The second result. */
  readonly eigenvectors: Tensor;
};
export function eigh(...args: readonly unknown[]): unknown {
  return call(spectra.eigh, undefined, args);
}

/**
 * The eigenvalues of symmetric matrices, the smallest first.
 *
 * PyTorch: `torch.linalg.eigvalsh`.
 *
 * @param A - The symmetric matrix, or a batch of them.
 * @param UPLO - The triangle that is read: 'L' or 'U'. Default: "L".
 * @returns [n], after the leading dims; the real type of a complex input, or that of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.eigvalsh(tensor([[2, 1], [1, 2]])) // [1, 3]
 */
export function eigvalsh(A: Tensor, UPLO?: 'L' | 'U' | EigvalshOptions | undefined): Tensor;
export function eigvalsh(...args: readonly unknown[]): unknown {
  return call(spectra.eigvalsh, undefined, args);
}

/**
 * Singular values, the largest first, and matrices with orthonormal columns and rows: A = U · diag(S) · Vh.
 *
 * By Householder reflections and QR iterations, in f64. The sign of a pair of singular vectors is arbitrary. The
 * gradient of singular vectors exists where no two singular values are equal, and for square U and V of square
 * matrices only.
 *
 * PyTorch: `torch.linalg.svd`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param fullMatrices - Whether U and V are square. Default: true.
 * @returns `U` and `S` and `Vh`, by name or in this order: [rows, k], [k] and [k, columns] with k = min(rows,
 * columns); U and Vh are square with `fullMatrices`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * const { U, S, Vh } = linalg.svd(tensor([[3, 0], [0, 4], [0, 0]]), { fullMatrices: false });
 * S // [4, 3]
 * U.shape // [3, 2]
 */
export function svd(
  A: Tensor,
  fullMatrices?: boolean | LinalgSvdOptions | undefined,
): readonly [U: Tensor, S: Tensor, Vh: Tensor] & {
  /** The first result. */
  readonly U: Tensor;
  /** The second result. */
  readonly S: Tensor;
  /** The third result. */
  readonly Vh: Tensor;
};
export function svd(...args: readonly unknown[]): unknown {
  return call(spectra.linalgSvd, undefined, args);
}

/**
 * Singular values, the largest first.
 *
 * PyTorch: `torch.linalg.svdvals`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @returns [min(rows, columns)], after the leading dims; the real type of a complex input, or that of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.svdvals(tensor([[3, 0], [0, 4]])) // [4, 3]
 */
export function svdvals(A: Tensor): Tensor;
export function svdvals(...args: readonly unknown[]): unknown {
  return call(spectra.svdvals, undefined, args);
}

/**
 * The Moore-Penrose pseudo-inverse.
 *
 * PyTorch: `torch.linalg.pinv`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param options.atol - Singular values up to this threshold count as 0.
 * @param options.rtol - The same, relative to the largest one; max(rows, columns) · ε by default.
 * @param options.hermitian - Whether the matrix is symmetric; if so, only its lower triangle is read. Default:
 * false.
 * @returns the shape of the input, with rows and columns swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.pinv(tensor([[2, 0], [0, 4], [0, 0]])) // [[0.5, 0, 0], [0, 0.25, 0]]
 */
export function pinv(A: Tensor, options?: PinvOptions): Tensor;
export function pinv(...args: readonly unknown[]): unknown {
  return call(spectra.pinv, undefined, args);
}

/**
 * The rank of a matrix: the number of nonzero singular values.
 *
 * PyTorch: `torch.linalg.matrix_rank`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param options.atol - Singular values up to this threshold count as 0.
 * @param options.rtol - The same, relative to the largest one; max(rows, columns) · ε by default.
 * @param options.hermitian - Whether the matrix is symmetric; if so, only its lower triangle is read. Default:
 * false.
 * @returns the leading dims; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.matrixRank(tensor([[1, 2], [2, 4]])) // 1
 */
export function matrixRank(A: Tensor, options?: MatrixRankOptions): Tensor;
export function matrixRank(...args: readonly unknown[]): unknown {
  return call(spectra.matrixRank, undefined, args);
}

/**
 * The condition number: the norm of the matrix times the norm of its inverse.
 *
 * PyTorch: `torch.linalg.cond`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param p - The norm, as in `linalg.matrixNorm`; 2 by default.
 * @returns the leading dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.cond(tensor([[2, 0], [0, 4]])) // 2
 */
export function cond(A: Tensor, p?: number | 'fro' | 'nuc' | CondOptions | undefined): Tensor;
export function cond(...args: readonly unknown[]): unknown {
  return call(spectra.cond, undefined, args);
}

/**
 * The least-squares solution: the X that minimizes ‖A · X − B‖; if there are several, the one with the smallest
 * norm.
 *
 * By the pseudo-inverse. Residuals and singular values are empty, as with PyTorch's default driver on a CPU.
 *
 * Differs from PyTorch: The rank is that of the singular values; PyTorch’s default driver takes it from a QR
 * decomposition with pivots.
 *
 * PyTorch: `torch.linalg.lstsq`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param B - The right-hand side.
 * @param rcond - Singular values up to this threshold, relative to the largest, count as 0.
 * @returns `solution` and `residuals` and `rank` and `singularValues`, by name or in this order: [columns, k] for
 * B of [rows, k], after the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * const x = tensor([[1, 0], [1, 1], [1, 2]]), y = tensor([[1], [3], [5]]);
 * linalg.lstsq(x, y).solution // [[1], [2]]
 */
export function lstsq(
  A: Tensor,
  B: Tensor,
  rcond?: number | LstsqOptions | undefined,
): readonly [solution: Tensor, residuals: Tensor, rank: Tensor, singularValues: Tensor] & {
  /** The first result. */
  readonly solution: Tensor;
  /** The second result. */
  readonly residuals: Tensor;
  /** The third result. */
  readonly rank: Tensor;
  /** The fourth result. */
  readonly singularValues: Tensor;
};
export function lstsq(...args: readonly unknown[]): unknown {
  return call(spectra.lstsq, undefined, args);
}

/**
 * The p-norm of vectors: of all elements, or over dims.
 *
 * PyTorch: `torch.linalg.vector_norm`.
 *
 * @param x - The tensor.
 * @param ord - The order: any number, Infinity or -Infinity. Default: 2.
 * @param dim - The dims; all of them by default.
 * @param keepDim - Whether to keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.vectorNorm(tensor([3, 4])) // 5
 */
export function vectorNorm(
  x: Tensor,
  ord?: number | VectorNormOptions | undefined,
  dim?: number | readonly number[] | VectorNormOptions | undefined,
  keepDim?: boolean | VectorNormOptions | undefined,
  options?: VectorNormOptions,
): Tensor;
export function vectorNorm(...args: readonly unknown[]): unknown {
  return call(spectra.vectorNorm, undefined, args);
}

/**
 * A norm of matrices.
 *
 * 'fro' is the square root of the sum of squares, 'nuc' the sum of singular values, 2 and -2 the largest and
 * smallest singular value, 1 and -1 the largest and smallest sum of a column, Infinity and -Infinity those of a
 * row (of absolute values).
 *
 * PyTorch: `torch.linalg.matrix_norm`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param ord - The norm. Default: "fro".
 * @param dim - The dims of rows and columns. Default: [-2,-1].
 * @param keepDim - Whether to keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the two dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.matrixNorm(tensor([[3, 0], [0, 4]]), 'nuc') // 7
 */
export function matrixNorm(
  A: Tensor,
  ord?: number | 'fro' | 'nuc' | MatrixNormOptions | undefined,
  dim?: number | readonly number[] | MatrixNormOptions | undefined,
  keepDim?: boolean | MatrixNormOptions | undefined,
  options?: MatrixNormOptions,
): Tensor;
export function matrixNorm(...args: readonly unknown[]): unknown {
  return call(spectra.matrixNorm, undefined, args);
}

/**
 * A norm of vectors or matrices: of vectors over one dim, of matrices over two.
 *
 * Without an order, the Euclidean norm of all elements, or over the dims. The orders are those of
 * `linalg.vectorNorm` and `linalg.matrixNorm`.
 *
 * PyTorch: `torch.linalg.norm`.
 *
 * @param A - The tensor.
 * @param ord - The order.
 * @param dim - The dims; all of them by default.
 * @param keepDim - Whether to keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.norm(tensor([[3, 4], [6, 8]]), { dim: -1 }) // [5, 10]
 */
export function norm(
  A: Tensor,
  ord?: number | 'fro' | 'nuc' | LinalgNormOptions | undefined,
  dim?: number | readonly number[] | LinalgNormOptions | undefined,
  keepDim?: boolean | LinalgNormOptions | undefined,
  options?: LinalgNormOptions,
): Tensor;
export function norm(...args: readonly unknown[]): unknown {
  return call(spectra.linalgNorm, undefined, args);
}

/**
 * An integer power of a square matrix; negative powers use the inverse.
 *
 * PyTorch: `torch.linalg.matrix_power`, `torch.matrix_power`, `Tensor.matrix_power`.
 *
 * @param input - The square matrix, or a batch of them.
 * @param n - The power.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * tensor([[1, 1], [0, 1]]).matrixPower(3) // [[1, 3], [0, 1]]
 */
export function matrixPower(input: Tensor, n: number): Tensor;
/**
 * An integer power of a square matrix; negative powers use the inverse.
 *
 * PyTorch: `torch.linalg.matrix_power`, `torch.matrix_power`, `Tensor.matrix_power`.
 *
 * @param input - The square matrix, or a batch of them.
 * @param named.n - The power.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * tensor([[1, 1], [0, 1]]).matrixPower(3) // [[1, 3], [0, 1]]
 */
export function matrixPower(input: Tensor, named: { readonly n: number }): Tensor;
export function matrixPower(...args: readonly unknown[]): unknown {
  return call(spectra.matrixPower, undefined, args);
}

/**
 * The exponential of a square matrix.
 *
 * PyTorch: `torch.linalg.matrix_exp`, `torch.matrix_exp`, `Tensor.matrix_exp`.
 *
 * @param input - The square matrix, or a batch of them.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * tensor([[0, 1], [0, 0]]).matrixExp() // [[1, 1], [0, 1]]
 */
export function matrixExp(input: Tensor): Tensor;
export function matrixExp(...args: readonly unknown[]): unknown {
  return call(spectra.matrixExp, undefined, args);
}

/**
 * Sums of products along a dim.
 *
 * PyTorch: `torch.linalg.vecdot`.
 *
 * @param x - The left operand.
 * @param y - The right operand.
 * @param options.dim - The dim. Default: -1.
 * @returns the shape of both together without the dim; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.vecdot(tensor([1, 2]), tensor([3, 4])) // 11
 */
export function vecdot(x: Tensor, y: Tensor, options?: VecdotOptions): Tensor;
export function vecdot(...args: readonly unknown[]): unknown {
  return call(spectra.vecdot, undefined, args);
}

/**
 * The cross product of vectors of three elements.
 *
 * PyTorch: `torch.linalg.cross`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.dim - The dim of size 3. Default: -1.
 * @returns the broadcast shape of both; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.cross(tensor([1, 0, 0]), tensor([0, 1, 0])) // [0, 0, 1]
 */
export function cross(input: Tensor, other: Tensor, options?: LinalgCrossOptions): Tensor;
export function cross(...args: readonly unknown[]): unknown {
  return call(spectra.linalgCross, undefined, args);
}

/**
 * A diagonal of each matrix.
 *
 * PyTorch: `torch.linalg.diagonal`.
 *
 * @param A - The matrix, or a batch of matrices.
 * @param options.offset - Above (positive) or below the main diagonal. Default: 0.
 * @param options.dim1 - The dim of rows. Default: -2.
 * @param options.dim2 - The dim of columns. Default: -1.
 * @returns the shape of the input without the two dims, then the length of the diagonal; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.diagonal(zeros([2, 3, 3])).shape // [2, 3]
 */
export function diagonal(A: Tensor, options?: LinalgDiagonalOptions): Tensor;
export function diagonal(...args: readonly unknown[]): unknown {
  return call(spectra.linalgDiagonal, undefined, args);
}

/**
 * The matrix product; see `matmul`.
 *
 * PyTorch: `torch.linalg.matmul`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns broadcast leading dims, rows of the left, columns of the right; a vector has no rows or columns; the
 * promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Eigenvalues, singular values and norms
 * @example
 * linalg.matmul(tensor([[1, 2]]), tensor([[3], [4]])) // [[11]]
 */
export function matmul(input: Tensor, other: Tensor): Tensor;
export function matmul(...args: readonly unknown[]): unknown {
  return call(spectra.linalgMatmul, undefined, args);
}

/**
 * The eigenvalues of square matrices, and their eigenvectors as columns of length 1.
 *
 * Computed in f64 and in a fixed order: bit-identical for any number of threads. Eigenvalues are not sorted.
 * Gradients exist where no two eigenvalues are equal.
 *
 * Differs from PyTorch: Matrices with infinities or NaN give NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.linalg.eig`.
 *
 * @param A - The square matrix, or a batch of them.
 * @returns `eigenvalues` and `eigenvectors`, by name or in this order: the shape of the input without its last
 * dim, and the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues of general matrices
 * @example
 * const { eigenvalues, eigenvectors } = linalg.eig(tensor([[2, 0], [0, 3]]));
 * eigenvalues // [[2, 0], [3, 0]]
 */
export function eig(A: Tensor): readonly [eigenvalues: Tensor, eigenvectors: Tensor] & {
  /** The first result. */
  readonly eigenvalues: Tensor;
  /** The second result. */
  readonly eigenvectors: Tensor;
};
export function eig(...args: readonly unknown[]): unknown {
  return call(generalEigenRows.eig, undefined, args);
}

/**
 * The eigenvalues of square matrices.
 *
 * Computed in f64 and in a fixed order: bit-identical for any number of threads. Eigenvalues are not sorted.
 * Gradients exist where no two eigenvalues are equal.
 *
 * Differs from PyTorch: Matrices with infinities or NaN give NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.linalg.eigvals`.
 *
 * @param A - The square matrix, or a batch of them.
 * @returns the shape of the input without its last dim; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues of general matrices
 * @example
 * linalg.eigvals(tensor([[0, -1], [1, 0]])) // [i, -i]
 */
export function eigvals(A: Tensor): Tensor;
export function eigvals(...args: readonly unknown[]): unknown {
  return call(generalEigenRows.eigvals, undefined, args);
}
