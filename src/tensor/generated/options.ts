// The named arguments of methods and functions. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import type { Device } from '../device.ts';
import type { DType } from '../dtype.ts';
import type { Scalar } from '../lower/elementwise.ts';

/** Named arguments of `zeros` (torch.zeros). */
export interface ZerosOptions {
  /** The data type. Default: 'float32'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `ones` (torch.ones). */
export interface OnesOptions {
  /** The data type. Default: 'float32'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `empty` (torch.empty). */
export interface EmptyOptions {
  /** The data type. Default: 'float32'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `full` (torch.full). */
export interface FullOptions {
  /** The data type. Default: 'float32' for a number, 'int64' for a bigint, 'bool' for a boolean. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `zerosLike` (torch.zeros_like). */
export interface ZerosLikeOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `onesLike` (torch.ones_like). */
export interface OnesLikeOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `emptyLike` (torch.empty_like). */
export interface EmptyLikeOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `fullLike` (torch.full_like). */
export interface FullLikeOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `newZeros` (Tensor.new_zeros). */
export interface NewZerosOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `newOnes` (Tensor.new_ones). */
export interface NewOnesOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `newEmpty` (Tensor.new_empty). */
export interface NewEmptyOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `newFull` (Tensor.new_full). */
export interface NewFullOptions {
  /** The data type. Default: that of the tensor. */
  readonly dtype?: DType | undefined;
  /** The device. Default: that of the tensor. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `linspace` (torch.linspace). */
export interface LinspaceOptions {
  /** The data type. Default: 'float32'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `logspace` (torch.logspace). */
export interface LogspaceOptions {
  /** The base. Default: 10. */
  readonly base?: number | undefined;
  /** The data type. Default: 'float32'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `eye` (torch.eye). */
export interface EyeOptions {
  /** The number of columns. Default: `n`. */
  readonly m?: number | undefined;
  /** The data type. Default: 'float32'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
  /** Whether `backward()` accumulates its gradient. Default: false. */
  readonly requiresGrad?: boolean | undefined;
}

/** Named arguments of `trilIndices` (torch.tril_indices). */
export interface TrilIndicesOptions {
  /** The diagonal: 0 is the main diagonal, 1 the one above it. Default: 0. */
  readonly offset?: number | undefined;
  /** The data type. Default: 'int64'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
}

/** Named arguments of `triuIndices` (torch.triu_indices). */
export interface TriuIndicesOptions {
  /** The diagonal: 0 is the main diagonal, 1 the one above it. Default: 0. */
  readonly offset?: number | undefined;
  /** The data type. Default: 'int64'. */
  readonly dtype?: DType | undefined;
  /** The device. Default: the default device. */
  readonly device?: Device | undefined;
}

/** Named arguments of `rsub` (torch.rsub). */
export interface RsubOptions {
  /** The factor. Default: 1. */
  readonly alpha?: number | undefined;
}

/** Named arguments of `add` (torch.add). */
export interface AddOptions {
  /** The factor for `other`. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `sub` (torch.sub). */
export interface SubOptions {
  /** The factor for `other`. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `div` (torch.div). */
export interface DivOptions {
  /** How the quotient is rounded. */
  readonly roundingMode?: 'trunc' | 'floor' | undefined;
}

/** Named arguments of `clamp` (torch.clamp). */
export interface ClampOptions<T> {
  /** The lower bound. */
  readonly min?: T | Scalar | null | undefined;
  /** The upper bound. */
  readonly max?: T | Scalar | null | undefined;
}

/** Named arguments of `round` (torch.round). */
export interface RoundOptions {
  /** How many decimals are kept; below 0, that many digits before the point become 0. Default: 0. */
  readonly decimals?: number | undefined;
}

/** Named arguments of `nanToNum` (torch.nan_to_num). */
export interface NanToNumOptions {
  /** The replacement for NaN. Default: 0. */
  readonly nan?: number | undefined;
  /** The replacement for infinity; the largest number of the data type by default. */
  readonly posinf?: number | undefined;
  /** The replacement for minus infinity; the lowest number of the data type by default. */
  readonly neginf?: number | undefined;
}

/** Named arguments of `isclose` (torch.isclose). */
export interface IscloseOptions {
  /** The relative tolerance. Default: 0.00001. */
  readonly rtol?: number | undefined;
  /** The absolute tolerance. Default: 1e-8. */
  readonly atol?: number | undefined;
  /** Whether NaN equals NaN. Default: false. */
  readonly equalNan?: boolean | undefined;
}

/** Named arguments of `dist` (torch.dist). */
export interface DistOptions {
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
}

/** Named arguments of `addr` (torch.addr). */
export interface AddrOptions {
  /** The factor for the input. Default: 1. */
  readonly beta?: Scalar | undefined;
  /** The factor for the product. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `addbmm` (torch.addbmm). */
export interface AddbmmOptions {
  /** The factor for the input. Default: 1. */
  readonly beta?: Scalar | undefined;
  /** The factor for the sum. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `cumulativeTrapezoid` (torch.cumulative_trapezoid). */
export interface CumulativeTrapezoidOptions {
  /** The step. Default: 1. */
  readonly dx?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `gradient` (torch.gradient). */
export interface GradientOptions {
  /** The distance between adjacent points. Default: 1. */
  readonly spacing?: number | undefined;
  /** The dim or dims; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** The order of the differences at the ends: 1 or 2. Default: 1. */
  readonly edgeOrder?: number | undefined;
}

/** Named arguments of `specialRound` (torch.special.round). */
export interface SpecialRoundOptions {
  /** How many decimals are kept; below 0, that many digits before the point become 0. Default: 0. */
  readonly decimals?: number | undefined;
}

/** Named arguments of `sum` (torch.sum). */
export interface SumOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `mean` (torch.mean). */
export interface MeanOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `var` (torch.var). */
export interface VarOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Subtracted from the number of elements. Default: 1. */
  readonly correction?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `var` (torch.var). */
export interface VarOptions2 {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `std` (torch.std). */
export interface StdOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Subtracted from the number of elements. Default: 1. */
  readonly correction?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `std` (torch.std). */
export interface StdOptions2 {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `max` (torch.max). */
export interface MaxOptions {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `min` (torch.min). */
export interface MinOptions {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `amax` (torch.amax). */
export interface AmaxOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `amin` (torch.amin). */
export interface AminOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `argmax` (torch.argmax). */
export interface ArgmaxOptions {
  /** The dim to reduce; the flattened tensor by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `argmin` (torch.argmin). */
export interface ArgminOptions {
  /** The dim to reduce; the flattened tensor by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `all` (torch.all). */
export interface AllOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `any` (torch.any). */
export interface AnyOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `prod` (torch.prod). */
export interface ProdOptions {
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `prod` (torch.prod). */
export interface ProdOptions2 {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `nansum` (torch.nansum). */
export interface NansumOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `nanmean` (torch.nanmean). */
export interface NanmeanOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `logsumexp` (torch.logsumexp). */
export interface LogsumexpOptions {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `norm` (torch.norm). */
export interface NormOptions {
  /** The order: a number, Infinity, or 'fro' for 2. Default: "fro". */
  readonly p?: number | 'fro' | undefined;
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `countNonzero` (torch.count_nonzero). */
export interface CountNonzeroOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
}

/** Named arguments of `aminmax` (torch.aminmax). */
export interface AminmaxOptions {
  /** The dim to reduce; all of them by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `varMean` (torch.var_mean). */
export interface VarMeanOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Subtracted from the number of elements. Default: 1. */
  readonly correction?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `stdMean` (torch.std_mean). */
export interface StdMeanOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Subtracted from the number of elements. Default: 1. */
  readonly correction?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `diff` (torch.diff). */
export interface DiffOptions {
  /** The number of times. Default: 1. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `cross` (torch.cross). */
export interface CrossOptions {
  /** The dim of size 3. Default: the first one. */
  readonly dim?: number | undefined;
}

/** Named arguments of `cdist` (torch.cdist). */
export interface CdistOptions {
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
}

/** Named arguments of `addmm` (torch.addmm). */
export interface AddmmOptions {
  /** The factor for `input`. Default: 1. */
  readonly beta?: Scalar | undefined;
  /** The factor for the product. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `baddbmm` (torch.baddbmm). */
export interface BaddbmmOptions {
  /** The factor for `input`. Default: 1. */
  readonly beta?: Scalar | undefined;
  /** The factor for the product. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `addmv` (torch.addmv). */
export interface AddmvOptions {
  /** The factor for `input`. Default: 1. */
  readonly beta?: Scalar | undefined;
  /** The factor for the product. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** Named arguments of `addcmul` (torch.addcmul). */
export interface AddcmulOptions {
  /** The factor for the result. Default: 1. */
  readonly value?: Scalar | undefined;
}

/** Named arguments of `addcdiv` (torch.addcdiv). */
export interface AddcdivOptions {
  /** The factor for the result. Default: 1. */
  readonly value?: Scalar | undefined;
}

/** Named arguments of `tensordot` (torch.tensordot). */
export interface TensordotOptions {
  /** The number of last dims of `a` and first dims of `b`, or a list of dims of each. Default: 2. */
  readonly dims?: number | readonly [readonly number[], readonly number[]] | undefined;
}

/** Named arguments of `solve` (torch.linalg.solve). */
export interface SolveOptions {
  /** Whether the unknown is on the right of the matrix. Default: true. */
  readonly left?: boolean | undefined;
}

/** Named arguments of `luSolve` (torch.linalg.lu_solve). */
export interface LuSolveOptions {
  /** Whether the unknown is on the right of the matrix. Default: true. */
  readonly left?: boolean | undefined;
  /** Whether to use the transpose of A. Default: false. */
  readonly adjoint?: boolean | undefined;
}

/** Named arguments of `solveTriangular` (torch.linalg.solve_triangular). */
export interface SolveTriangularOptions {
  /** Whether the unknown is on the right of the matrix. Default: true. */
  readonly left?: boolean | undefined;
  /** Whether the diagonal is assumed to be 1. Default: false. */
  readonly unitriangular?: boolean | undefined;
}

/** Named arguments of `cholesky` (torch.linalg.cholesky). */
export interface CholeskyOptions {
  /** Whether the upper triangle is used. Default: false. */
  readonly upper?: boolean | undefined;
}

/** Named arguments of `choleskySolve` (torch.cholesky_solve). */
export interface CholeskySolveOptions {
  /** Whether the upper triangle is used. Default: false. */
  readonly upper?: boolean | undefined;
}

/** Named arguments of `choleskyInverse` (torch.cholesky_inverse). */
export interface CholeskyInverseOptions {
  /** Whether the upper triangle is used. Default: false. */
  readonly upper?: boolean | undefined;
}

/** Named arguments of `linalgQr` (torch.linalg.qr). */
export interface LinalgQrOptions {
  /** The form of the result. Default: "reduced". */
  readonly mode?: 'reduced' | 'complete' | 'r' | undefined;
}

/** Named arguments of `qr` (torch.qr). */
export interface QrOptions {
  /** False for a square Q. Default: true. */
  readonly some?: boolean | undefined;
}

/** Named arguments of `ormqr` (torch.ormqr). */
export interface OrmqrOptions {
  /** Whether Q stands on the left. Default: true. */
  readonly left?: boolean | undefined;
  /** Whether the transpose of Q is meant. Default: false. */
  readonly transpose?: boolean | undefined;
}

/** Named arguments of `tensorinv` (torch.linalg.tensorinv). */
export interface TensorinvOptions {
  /** How many dims are rows. Default: 2. */
  readonly ind?: number | undefined;
}

/** Named arguments of `tensorsolve` (torch.linalg.tensorsolve). */
export interface TensorsolveOptions {
  /** Dims of A that are moved to its end first. */
  readonly dims?: readonly number[] | undefined;
}

/** Named arguments of `linalgVander` (torch.linalg.vander). */
export interface LinalgVanderOptions {
  /** How many powers; as many as elements by default. */
  readonly columns?: number | undefined;
}

/** Named arguments of `choleskyEx` (torch.linalg.cholesky_ex). */
export interface CholeskyExOptions {
  /** Whether the upper triangle is used. Default: false. */
  readonly upper?: boolean | undefined;
  /** Ignored: programs cannot raise errors. Default: false. */
  readonly checkErrors?: boolean | undefined;
}

/** Named arguments of `invEx` (torch.linalg.inv_ex). */
export interface InvExOptions {
  /** Ignored: programs cannot raise errors. Default: false. */
  readonly checkErrors?: boolean | undefined;
}

/** Named arguments of `solveEx` (torch.linalg.solve_ex). */
export interface SolveExOptions {
  /** Whether the unknown stands on the right of the matrix. Default: true. */
  readonly left?: boolean | undefined;
  /** Ignored: programs cannot raise errors. Default: false. */
  readonly checkErrors?: boolean | undefined;
}

/** Named arguments of `luFactorEx` (torch.linalg.lu_factor_ex). */
export interface LuFactorExOptions {
  /** Ignored: programs cannot raise errors. Default: false. */
  readonly checkErrors?: boolean | undefined;
}

/** Named arguments of `eigh` (torch.linalg.eigh). */
export interface EighOptions {
  /** The triangle that is read: 'L' or 'U'. Default: "L". */
  readonly UPLO?: 'L' | 'U' | undefined;
}

/** Named arguments of `eigvalsh` (torch.linalg.eigvalsh). */
export interface EigvalshOptions {
  /** The triangle that is read: 'L' or 'U'. Default: "L". */
  readonly UPLO?: 'L' | 'U' | undefined;
}

/** Named arguments of `linalgSvd` (torch.linalg.svd). */
export interface LinalgSvdOptions {
  /** Whether U and V are square. Default: true. */
  readonly fullMatrices?: boolean | undefined;
}

/** Named arguments of `svd` (torch.svd). */
export interface SvdOptions {
  /** False for square U and V. Default: true. */
  readonly some?: boolean | undefined;
}

/** Named arguments of `pinv` (torch.linalg.pinv). */
export interface PinvOptions {
  /** Singular values up to this threshold count as 0. */
  readonly atol?: number | undefined;
  /** The same, relative to the largest one; max(rows, columns) · ε by default. */
  readonly rtol?: number | undefined;
  /** Whether the matrix is symmetric; if so, only its lower triangle is read. Default: false. */
  readonly hermitian?: boolean | undefined;
}

/** Named arguments of `pinverse` (torch.pinverse). */
export interface PinverseOptions {
  /** Singular values up to this threshold, relative to the largest, count as 0. Default: 1e-15. */
  readonly rcond?: number | undefined;
}

/** Named arguments of `matrixRank` (torch.linalg.matrix_rank). */
export interface MatrixRankOptions {
  /** Singular values up to this threshold count as 0. */
  readonly atol?: number | undefined;
  /** The same, relative to the largest one; max(rows, columns) · ε by default. */
  readonly rtol?: number | undefined;
  /** Whether the matrix is symmetric; if so, only its lower triangle is read. Default: false. */
  readonly hermitian?: boolean | undefined;
}

/** Named arguments of `cond` (torch.linalg.cond). */
export interface CondOptions {
  /** The norm, as in `linalg.matrixNorm`; 2 by default. */
  readonly p?: number | 'fro' | 'nuc' | undefined;
}

/** Named arguments of `lstsq` (torch.linalg.lstsq). */
export interface LstsqOptions {
  /** Singular values up to this threshold, relative to the largest, count as 0. */
  readonly rcond?: number | undefined;
}

/** Named arguments of `vectorNorm` (torch.linalg.vector_norm). */
export interface VectorNormOptions {
  /** The order: any number, Infinity or -Infinity. Default: 2. */
  readonly ord?: number | undefined;
  /** The dims; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Whether to keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `matrixNorm` (torch.linalg.matrix_norm). */
export interface MatrixNormOptions {
  /** The norm. Default: "fro". */
  readonly ord?: number | 'fro' | 'nuc' | undefined;
  /** The dims of rows and columns. Default: [-2,-1]. */
  readonly dim?: number | readonly number[] | undefined;
  /** Whether to keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `linalgNorm` (torch.linalg.norm). */
export interface LinalgNormOptions {
  /** The order. */
  readonly ord?: number | 'fro' | 'nuc' | undefined;
  /** The dims; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Whether to keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `vecdot` (torch.linalg.vecdot). */
export interface VecdotOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `linalgCross` (torch.linalg.cross). */
export interface LinalgCrossOptions {
  /** The dim of size 3. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `linalgDiagonal` (torch.linalg.diagonal). */
export interface LinalgDiagonalOptions {
  /** Above (positive) or below the main diagonal. Default: 0. */
  readonly offset?: number | undefined;
  /** The dim of rows. Default: -2. */
  readonly dim1?: number | undefined;
  /** The dim of columns. Default: -1. */
  readonly dim2?: number | undefined;
}

/** Named arguments of `fft` (torch.fft.fft). */
export interface FftOptions {
  /** The length: the input is truncated or zero-padded to it. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `ifft` (torch.fft.ifft). */
export interface IfftOptions {
  /** The length: the input is truncated or zero-padded to it. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `rfft` (torch.fft.rfft). */
export interface RfftOptions {
  /** The length: the input is truncated or zero-padded to it. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `irfft` (torch.fft.irfft). */
export interface IrfftOptions {
  /** The length: the input is truncated or zero-padded to it. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `hfft` (torch.fft.hfft). */
export interface HfftOptions {
  /** The length: the input is truncated or zero-padded to it. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `ihfft` (torch.fft.ihfft). */
export interface IhfftOptions {
  /** The length: the input is truncated or zero-padded to it. */
  readonly n?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `fft2` (torch.fft.fft2). */
export interface Fft2Options {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims. Default: [-2,-1]. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `ifft2` (torch.fft.ifft2). */
export interface Ifft2Options {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims. Default: [-2,-1]. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `rfft2` (torch.fft.rfft2). */
export interface Rfft2Options {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims. Default: [-2,-1]. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `irfft2` (torch.fft.irfft2). */
export interface Irfft2Options {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims. Default: [-2,-1]. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `hfft2` (torch.fft.hfft2). */
export interface Hfft2Options {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims. Default: [-2,-1]. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `ihfft2` (torch.fft.ihfft2). */
export interface Ihfft2Options {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims. Default: [-2,-1]. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `fftn` (torch.fft.fftn). */
export interface FftnOptions {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims; all by default. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `ifftn` (torch.fft.ifftn). */
export interface IfftnOptions {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims; all by default. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `rfftn` (torch.fft.rfftn). */
export interface RfftnOptions {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims; all by default. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `irfftn` (torch.fft.irfftn). */
export interface IrfftnOptions {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims; all by default. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `hfftn` (torch.fft.hfftn). */
export interface HfftnOptions {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims; all by default. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `ihfftn` (torch.fft.ihfftn). */
export interface IhfftnOptions {
  /** The lengths, one per dim. */
  readonly s?: readonly number[] | undefined;
  /** The dims; all by default. */
  readonly dim?: readonly number[] | undefined;
  /** Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root. Default: "backward". */
  readonly norm?: 'backward' | 'ortho' | 'forward' | undefined;
}

/** Named arguments of `fftshift` (torch.fft.fftshift). */
export interface FftshiftOptions {
  /** The dims; all by default. */
  readonly dim?: number | readonly number[] | undefined;
}

/** Named arguments of `ifftshift` (torch.fft.ifftshift). */
export interface IfftshiftOptions {
  /** The dims; all by default. */
  readonly dim?: number | readonly number[] | undefined;
}

/** Named arguments of `stft` (torch.stft). */
export interface StftOptions<T> {
  /** From one frame to the next; a quarter of `nFft` by default. */
  readonly hopLength?: number | undefined;
  /** The length of the window; `nFft` by default. */
  readonly winLength?: number | undefined;
  /** The window; ones by default. */
  readonly window?: T | null | undefined;
  /** Whether frame t is centered at t · hopLength. Default: true. */
  readonly center?: boolean | undefined;
  /** How the ends are padded when frames are centered. Default: "reflect". */
  readonly padMode?: 'reflect' | 'constant' | undefined;
  /** Whether transforms are divided by the square root of `nFft`. Default: false. */
  readonly normalized?: boolean | undefined;
  /** Whether only half of the frequencies are returned; the default for real signals. */
  readonly onesided?: boolean | undefined;
  /** False for pairs of real and imaginary parts. Default: true. */
  readonly returnComplex?: boolean | undefined;
}

/** Named arguments of `istft` (torch.istft). */
export interface IstftOptions<T> {
  /** From one frame to the next; a quarter of `nFft` by default. */
  readonly hopLength?: number | undefined;
  /** The length of the window; `nFft` by default. */
  readonly winLength?: number | undefined;
  /** The window; ones by default. */
  readonly window?: T | null | undefined;
  /** Whether frame t is centered at t · hopLength. Default: true. */
  readonly center?: boolean | undefined;
  /** Whether transforms are divided by the square root of `nFft`. Default: false. */
  readonly normalized?: boolean | undefined;
  /** Whether only half of the frequencies are returned; the default for real signals. */
  readonly onesided?: boolean | undefined;
  /** The length of the signal. */
  readonly length?: number | undefined;
  /** Whether the signal is complex. Default: false. */
  readonly returnComplex?: boolean | undefined;
}

/** Named arguments of `gelu` (torch.nn.functional.gelu). */
export interface GeluOptions {
  /** `tanh` for the approximation of Hendrycks and Gimpel (2016). Default: "none". */
  readonly approximate?: 'none' | 'tanh' | undefined;
}

/** Named arguments of `softmax` (torch.softmax). */
export interface SoftmaxOptions {
  /** The data type to convert the input to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `logSoftmax` (torch.log_softmax). */
export interface LogSoftmaxOptions {
  /** The data type to convert the input to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `elu` (torch.nn.functional.elu). */
export interface EluOptions {
  /** The limit for small x, negated. Default: 1. */
  readonly alpha?: number | undefined;
}

/** Named arguments of `celu` (torch.nn.functional.celu). */
export interface CeluOptions {
  /** The limit for small x, negated. Default: 1. */
  readonly alpha?: number | undefined;
}

/** Named arguments of `leakyRelu` (torch.nn.functional.leaky_relu). */
export interface LeakyReluOptions {
  /** The slope for negative x. Default: 0.01. */
  readonly negativeSlope?: number | undefined;
}

/** Named arguments of `rrelu` (torch.nn.functional.rrelu). */
export interface RreluOptions {
  /** The smallest slope. Default: 0.125. */
  readonly lower?: number | undefined;
  /** The largest slope. Default: 0.3333333333333333. */
  readonly upper?: number | undefined;
  /** Samples the slopes at random. Default: false. */
  readonly training?: boolean | undefined;
}

/** Named arguments of `hardtanh` (torch.nn.functional.hardtanh). */
export interface HardtanhOptions {
  /** The smallest result. Default: -1. */
  readonly minVal?: number | undefined;
  /** The largest result. Default: 1. */
  readonly maxVal?: number | undefined;
}

/** Named arguments of `hardshrink` (torch.nn.functional.hardshrink). */
export interface HardshrinkOptions {
  /** Half the width of the gap. Default: 0.5. */
  readonly lambda?: number | undefined;
}

/** Named arguments of `softshrink` (torch.nn.functional.softshrink). */
export interface SoftshrinkOptions {
  /** How far, at least 0. Default: 0.5. */
  readonly lambda?: number | undefined;
}

/** Named arguments of `softplus` (torch.nn.functional.softplus). */
export interface SoftplusOptions {
  /** The sharpness of the bend. Default: 1. */
  readonly beta?: number | undefined;
  /** Above this value of beta · x, the result is x. Default: 20. */
  readonly threshold?: number | undefined;
}

/** Named arguments of `glu` (torch.nn.functional.glu). */
export interface GluOptions {
  /** The dim to split in half. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `softmin` (torch.nn.functional.softmin). */
export interface SoftminOptions {
  /** The data type to convert the input to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `gumbelSoftmax` (torch.nn.functional.gumbel_softmax). */
export interface GumbelSoftmaxOptions {
  /** The temperature; lower values give results closer to one-hot. Default: 1. */
  readonly tau?: number | undefined;
  /** Exactly one-hot values, with the gradient of the soft ones. Default: false. */
  readonly hard?: boolean | undefined;
  /** Accepted for compatibility; has no effect, as in PyTorch. Default: 1e-10. */
  readonly eps?: number | undefined;
  /** The dim along which the results sum to 1. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `conv1d` (torch.nn.functional.conv1d). */
export interface Conv1dOptions<T> {
  /** [O]. */
  readonly bias?: T | null | undefined;
  /** The stride of the window: one number for all spatial dims, or one for each. Default: 1. */
  readonly stride?: number | readonly number[] | undefined;
  /** Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default: 0. */
  readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined;
  /** The spacing of the elements of the kernel: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** The number of groups of channels that are convolved separately. Default: 1. */
  readonly groups?: number | undefined;
}

/** Named arguments of `conv2d` (torch.nn.functional.conv2d). */
export interface Conv2dOptions<T> {
  /** [O]. */
  readonly bias?: T | null | undefined;
  /** The stride of the window: one number for all spatial dims, or one for each. Default: 1. */
  readonly stride?: number | readonly number[] | undefined;
  /** Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default: 0. */
  readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined;
  /** The spacing of the elements of the kernel: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** The number of groups of channels that are convolved separately. Default: 1. */
  readonly groups?: number | undefined;
}

/** Named arguments of `conv3d` (torch.nn.functional.conv3d). */
export interface Conv3dOptions<T> {
  /** [O]. */
  readonly bias?: T | null | undefined;
  /** The stride of the window: one number for all spatial dims, or one for each. Default: 1. */
  readonly stride?: number | readonly number[] | undefined;
  /** Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default: 0. */
  readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined;
  /** The spacing of the elements of the kernel: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** The number of groups of channels that are convolved separately. Default: 1. */
  readonly groups?: number | undefined;
}

/** Named arguments of `convTranspose1d` (torch.nn.functional.conv_transpose1d). */
export interface ConvTranspose1dOptions<T> {
  /** [O]. */
  readonly bias?: T | null | undefined;
  /** The spacing of the windows in the output: one number for all spatial dims, or one for each. Default: 1. */
  readonly stride?: number | readonly number[] | undefined;
  /** How much to remove from each side of the output: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** How much to add to one side of the output: one number for all spatial dims, or one for each. Default: 0. */
  readonly outputPadding?: number | readonly number[] | undefined;
  /** The number of groups of channels that are convolved separately. Default: 1. */
  readonly groups?: number | undefined;
  /** The spacing of the elements of the kernel: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
}

/** Named arguments of `convTranspose2d` (torch.nn.functional.conv_transpose2d). */
export interface ConvTranspose2dOptions<T> {
  /** [O]. */
  readonly bias?: T | null | undefined;
  /** The spacing of the windows in the output: one number for all spatial dims, or one for each. Default: 1. */
  readonly stride?: number | readonly number[] | undefined;
  /** How much to remove from each side of the output: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** How much to add to one side of the output: one number for all spatial dims, or one for each. Default: 0. */
  readonly outputPadding?: number | readonly number[] | undefined;
  /** The number of groups of channels that are convolved separately. Default: 1. */
  readonly groups?: number | undefined;
  /** The spacing of the elements of the kernel: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
}

/** Named arguments of `convTranspose3d` (torch.nn.functional.conv_transpose3d). */
export interface ConvTranspose3dOptions<T> {
  /** [O]. */
  readonly bias?: T | null | undefined;
  /** The spacing of the windows in the output: one number for all spatial dims, or one for each. Default: 1. */
  readonly stride?: number | readonly number[] | undefined;
  /** How much to remove from each side of the output: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** How much to add to one side of the output: one number for all spatial dims, or one for each. Default: 0. */
  readonly outputPadding?: number | readonly number[] | undefined;
  /** The number of groups of channels that are convolved separately. Default: 1. */
  readonly groups?: number | undefined;
  /** The spacing of the elements of the kernel: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
}

/** Named arguments of `linear` (torch.nn.functional.linear). */
export interface LinearOptions<T> {
  /** [out]. */
  readonly bias?: T | null | undefined;
}

/** Named arguments of `layerNorm` (torch.nn.functional.layer_norm). */
export interface LayerNormOptions<T> {
  /** The scale, of that shape. */
  readonly weight?: T | null | undefined;
  /** The shift, of that shape. */
  readonly bias?: T | null | undefined;
  /** Added to the variance. Default: 0.00001. */
  readonly eps?: number | undefined;
}

/** Named arguments of `rmsNorm` (torch.nn.functional.rms_norm). */
export interface RmsNormOptions<T> {
  /** The scale, of that shape. */
  readonly weight?: T | null | undefined;
  /** Added to the mean of squares. Default: the epsilon of the data type. */
  readonly eps?: number | undefined;
}

/** Named arguments of `groupNorm` (torch.nn.functional.group_norm). */
export interface GroupNormOptions<T> {
  /** The scale of each channel, [C]. */
  readonly weight?: T | null | undefined;
  /** The shift of each channel, [C]. */
  readonly bias?: T | null | undefined;
  /** Added to the variance. Default: 0.00001. */
  readonly eps?: number | undefined;
}

/** Named arguments of `batchNorm` (torch.nn.functional.batch_norm). */
export interface BatchNormOptions<T> {
  /** The running mean of each channel, [C]. */
  readonly runningMean?: T | null | undefined;
  /** The running variance of each channel, [C]. */
  readonly runningVar?: T | null | undefined;
  /** The scale of each channel, [C]. */
  readonly weight?: T | null | undefined;
  /** The shift of each channel, [C]. */
  readonly bias?: T | null | undefined;
  /** Whether to normalize by the batch and update the running statistics. Default: false. */
  readonly training?: boolean | undefined;
  /** The weight of the batch in the update of the running statistics. Default: 0.1. */
  readonly momentum?: T | Scalar | null | undefined;
  /** Added to the variance. Default: 0.00001. */
  readonly eps?: number | undefined;
}

/** Named arguments of `instanceNorm` (torch.nn.functional.instance_norm). */
export interface InstanceNormOptions<T> {
  /** The running mean of each channel, [C]. */
  readonly runningMean?: T | null | undefined;
  /** The running variance of each channel, [C]. */
  readonly runningVar?: T | null | undefined;
  /** The scale of each channel, [C]. */
  readonly weight?: T | null | undefined;
  /** The shift of each channel, [C]. */
  readonly bias?: T | null | undefined;
  /** Whether to normalize by each instance, or by the running statistics. Default: true. */
  readonly useInputStats?: boolean | undefined;
  /** The weight of the batch in the update of the running statistics. Default: 0.1. */
  readonly momentum?: number | undefined;
  /** Added to the variance. Default: 0.00001. */
  readonly eps?: number | undefined;
}

/** Named arguments of `normalize` (torch.nn.functional.normalize). */
export interface NormalizeOptions {
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
  /** The dim of the vectors. Default: 1. */
  readonly dim?: number | undefined;
  /** The smallest norm. Default: 1e-12. */
  readonly eps?: number | undefined;
}

/** Named arguments of `maxPool1d` (torch.nn.functional.max_pool1d). */
export interface MaxPool1dOptions {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** The spacing of the elements of a window: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
  /** Whether the indices of the largest elements are returned too. */
  readonly returnIndices?: false | undefined;
}

/** Named arguments of `maxPool1d` (torch.nn.functional.max_pool1d). */
export interface MaxPool1dOptions2 {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** The spacing of the elements of a window: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
}

/** Named arguments of `maxPool2d` (torch.nn.functional.max_pool2d). */
export interface MaxPool2dOptions {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** The spacing of the elements of a window: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
  /** Whether the indices of the largest elements are returned too. */
  readonly returnIndices?: false | undefined;
}

/** Named arguments of `maxPool2d` (torch.nn.functional.max_pool2d). */
export interface MaxPool2dOptions2 {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** The spacing of the elements of a window: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
}

/** Named arguments of `maxPool3d` (torch.nn.functional.max_pool3d). */
export interface MaxPool3dOptions {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** The spacing of the elements of a window: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
  /** Whether the indices of the largest elements are returned too. */
  readonly returnIndices?: false | undefined;
}

/** Named arguments of `maxPool3d` (torch.nn.functional.max_pool3d). */
export interface MaxPool3dOptions2 {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** The spacing of the elements of a window: one number for all spatial dims, or one for each. Default: 1. */
  readonly dilation?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
}

/** Named arguments of `avgPool1d` (torch.nn.functional.avg_pool1d). */
export interface AvgPool1dOptions {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
  /** Whether the zeros of the padding count in the mean. Default: true. */
  readonly countIncludePad?: boolean | undefined;
}

/** Named arguments of `avgPool2d` (torch.nn.functional.avg_pool2d). */
export interface AvgPool2dOptions {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
  /** Whether the zeros of the padding count in the mean. Default: true. */
  readonly countIncludePad?: boolean | undefined;
  /** The divisor of the sums, instead of the size of the window. */
  readonly divisorOverride?: number | undefined;
}

/** Named arguments of `avgPool3d` (torch.nn.functional.avg_pool3d). */
export interface AvgPool3dOptions {
  /** The stride of the windows: one number for all spatial dims, or one for each. Default: the size of the windows. */
  readonly stride?: number | readonly number[] | undefined;
  /** The padding of each side: one number for all spatial dims, or one for each. Default: 0. */
  readonly padding?: number | readonly number[] | undefined;
  /** Whether the last window may extend beyond the edge. Default: false. */
  readonly ceilMode?: boolean | undefined;
  /** Whether the zeros of the padding count in the mean. Default: true. */
  readonly countIncludePad?: boolean | undefined;
  /** The divisor of the sums, instead of the size of the window. */
  readonly divisorOverride?: number | undefined;
}

/** Named arguments of `adaptiveMaxPool1d` (torch.nn.functional.adaptive_max_pool1d). */
export interface AdaptiveMaxPool1dOptions {
  /** Whether the indices of the largest elements are returned too. */
  readonly returnIndices?: false | undefined;
}

/** Named arguments of `adaptiveMaxPool2d` (torch.nn.functional.adaptive_max_pool2d). */
export interface AdaptiveMaxPool2dOptions {
  /** Whether the indices of the largest elements are returned too. */
  readonly returnIndices?: false | undefined;
}

/** Named arguments of `adaptiveMaxPool3d` (torch.nn.functional.adaptive_max_pool3d). */
export interface AdaptiveMaxPool3dOptions {
  /** Whether the indices of the largest elements are returned too. */
  readonly returnIndices?: false | undefined;
}

/** Named arguments of `mseLoss` (torch.nn.functional.mse_loss). */
export interface MseLossOptions<T> {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** A weight for each element, with the same shape. */
  readonly weight?: T | null | undefined;
}

/** Named arguments of `l1Loss` (torch.nn.functional.l1_loss). */
export interface L1LossOptions<T> {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** A weight for each element, with the same shape. */
  readonly weight?: T | null | undefined;
}

/** Named arguments of `smoothL1Loss` (torch.nn.functional.smooth_l1_loss). */
export interface SmoothL1LossOptions {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The difference at which the loss changes from quadratic to linear; 0 gives `l1Loss`. Default: 1. */
  readonly beta?: number | undefined;
}

/** Named arguments of `huberLoss` (torch.nn.functional.huber_loss). */
export interface HuberLossOptions<T> {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The difference at which the loss changes from quadratic to linear. Default: 1. */
  readonly delta?: number | undefined;
  /** A weight for each element, with the same shape. */
  readonly weight?: T | null | undefined;
}

/** Named arguments of `binaryCrossEntropy` (torch.nn.functional.binary_cross_entropy). */
export interface BinaryCrossEntropyOptions<T> {
  /** A weight for each element; broadcasts. */
  readonly weight?: T | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `binaryCrossEntropyWithLogits` (torch.nn.functional.binary_cross_entropy_with_logits). */
export interface BinaryCrossEntropyWithLogitsOptions<T> {
  /** A weight for each element; broadcasts. */
  readonly weight?: T | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The weight of positive targets; broadcasts over the last dims. */
  readonly posWeight?: T | null | undefined;
}

/** Named arguments of `softMarginLoss` (torch.nn.functional.soft_margin_loss). */
export interface SoftMarginLossOptions {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `hingeEmbeddingLoss` (torch.nn.functional.hinge_embedding_loss). */
export interface HingeEmbeddingLossOptions {
  /** The margin for targets -1. Default: 1. */
  readonly margin?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `klDiv` (torch.nn.functional.kl_div). */
export interface KlDivOptions {
  /** How the losses are reduced of the elements; `batchmean` divides their sum by the first dim. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined;
  /** Whether the target is given as a logarithm. Default: false. */
  readonly logTarget?: boolean | undefined;
}

/** Named arguments of `poissonNllLoss` (torch.nn.functional.poisson_nll_loss). */
export interface PoissonNllLossOptions {
  /** Whether the input is the logarithm of the rate. Default: true. */
  readonly logInput?: boolean | undefined;
  /** Whether to add Stirling’s approximation of the constant term. Default: false. */
  readonly full?: boolean | undefined;
  /** Added to the rate before its logarithm is taken. Default: 1e-8. */
  readonly eps?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `gaussianNllLoss` (torch.nn.functional.gaussian_nll_loss). */
export interface GaussianNllLossOptions {
  /** Whether to add the constant term. Default: false. */
  readonly full?: boolean | undefined;
  /** The smallest variance. Default: 0.000001. */
  readonly eps?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `crossEntropy` (torch.nn.functional.cross_entropy). */
export interface CrossEntropyOptions<T> {
  /** A weight for each class, [C]. */
  readonly weight?: T | null | undefined;
  /** Targets of this class are ignored. Default: -100. */
  readonly ignoreIndex?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** The share of the target probability that is spread over all classes. Default: 0. */
  readonly labelSmoothing?: number | undefined;
}

/** Named arguments of `nllLoss` (torch.nn.functional.nll_loss). */
export interface NllLossOptions<T> {
  /** A weight for each class, [C]. */
  readonly weight?: T | null | undefined;
  /** Targets of this class are ignored. Default: -100. */
  readonly ignoreIndex?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `cosineSimilarity` (torch.nn.functional.cosine_similarity). */
export interface CosineSimilarityOptions {
  /** The dim of the vectors. Default: 1. */
  readonly dim?: number | undefined;
  /** The smallest norm. Default: 1e-8. */
  readonly eps?: number | undefined;
}

/** Named arguments of `pairwiseDistance` (torch.nn.functional.pairwise_distance). */
export interface PairwiseDistanceOptions {
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
  /** Added to the differences. Default: 0.000001. */
  readonly eps?: number | undefined;
  /** Keeps the last dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `marginRankingLoss` (torch.nn.functional.margin_ranking_loss). */
export interface MarginRankingLossOptions {
  /** The margin between the scores. Default: 0. */
  readonly margin?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `cosineEmbeddingLoss` (torch.nn.functional.cosine_embedding_loss). */
export interface CosineEmbeddingLossOptions {
  /** For targets -1, cosines below this give no loss. Default: 0. */
  readonly margin?: number | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `tripletMarginLoss` (torch.nn.functional.triplet_margin_loss). */
export interface TripletMarginLossOptions {
  /** The margin: how much farther the negative should be. Default: 1. */
  readonly margin?: number | undefined;
  /** The order of the norm. Default: 2. */
  readonly p?: number | undefined;
  /** Added to the differences. Default: 0.000001. */
  readonly eps?: number | undefined;
  /** Uses the distance between positive and negative where it is smaller (Balntas et al., 2016). Default: false. */
  readonly swap?: boolean | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `tripletMarginWithDistanceLoss` (torch.nn.functional.triplet_margin_with_distance_loss). */
export interface TripletMarginWithDistanceLossOptions<T> {
  /** The distance between two tensors [N, D], as [N]. Default: `pairwiseDistance`. */
  readonly distanceFunction?: (x: T, y: T) => T | undefined;
  /** The margin: how much farther the negative should be. Default: 1. */
  readonly margin?: number | undefined;
  /** Uses the distance between positive and negative where it is smaller (Balntas et al., 2016). Default: false. */
  readonly swap?: boolean | undefined;
  /** How the losses are reduced. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `multiMarginLoss` (torch.nn.functional.multi_margin_loss). */
export interface MultiMarginLossOptions<T> {
  /** 1 or 2. Default: 1. */
  readonly p?: number | undefined;
  /** The margin by which the target should score higher. Default: 1. */
  readonly margin?: number | undefined;
  /** A weight for each class, [C]. */
  readonly weight?: T | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `multilabelMarginLoss` (torch.nn.functional.multilabel_margin_loss). */
export interface MultilabelMarginLossOptions {
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `multilabelSoftMarginLoss` (torch.nn.functional.multilabel_soft_margin_loss). */
export interface MultilabelSoftMarginLossOptions<T> {
  /** A weight for each class; broadcasts. */
  readonly weight?: T | null | undefined;
  /** How the losses are reduced of the elements. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}

/** Named arguments of `ctcLoss` (torch.nn.functional.ctc_loss). */
export interface CtcLossOptions {
  /** The class of the blank label. Default: 0. */
  readonly blank?: number | undefined;
  /** How the losses are reduced; the mean first divides each by its number of labels. Default: "mean". */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
  /** Infinite losses, which occur for targets that are too long, count as zero. Default: false. */
  readonly zeroInfinity?: boolean | undefined;
}

/** Named arguments of `flatten` (torch.flatten). */
export interface FlattenOptions {
  /** The first dim. Default: 0. */
  readonly startDim?: number | undefined;
  /** The last dim. Default: -1. */
  readonly endDim?: number | undefined;
}

/** Named arguments of `squeeze` (torch.squeeze). */
export interface SqueezeOptions {
  /** The dim or dims; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
}

/** Named arguments of `repeatInterleave` (torch.repeat_interleave). */
export interface RepeatInterleaveOptions {
  /** The dim; the flattened tensor by default. */
  readonly dim?: number | undefined;
}

/** Named arguments of `roll` (torch.roll). */
export interface RollOptions {
  /** The dims; the flattened tensor by default. */
  readonly dims?: number | readonly number[] | undefined;
}

/** Named arguments of `diagonal` (torch.diagonal). */
export interface DiagonalOptions {
  /** Above (positive) or below the main diagonal. Default: 0. */
  readonly offset?: number | undefined;
  /** The dim of rows. Default: 0. */
  readonly dim1?: number | undefined;
  /** The dim of columns. Default: 1. */
  readonly dim2?: number | undefined;
}

/** Named arguments of `diagEmbed` (torch.diag_embed). */
export interface DiagEmbedOptions {
  /** Above (positive) or below the main diagonal. Default: 0. */
  readonly offset?: number | undefined;
  /** The dim of rows. Default: -2. */
  readonly dim1?: number | undefined;
  /** The dim of columns. Default: -1. */
  readonly dim2?: number | undefined;
}

/** Named arguments of `diag` (torch.diag). */
export interface DiagOptions {
  /** Above (positive) or below the main diagonal. Default: 0. */
  readonly diagonal?: number | undefined;
}

/** Named arguments of `tril` (torch.tril). */
export interface TrilOptions {
  /** The last diagonal to keep. Default: 0. */
  readonly diagonal?: number | undefined;
}

/** Named arguments of `triu` (torch.triu). */
export interface TriuOptions {
  /** The first diagonal that is kept. Default: 0. */
  readonly diagonal?: number | undefined;
}

/** Named arguments of `takeAlongDim` (torch.take_along_dim). */
export interface TakeAlongDimOptions {
  /** The dim; the flattened tensor by default. */
  readonly dim?: number | undefined;
}

/** Named arguments of `split` (torch.split). */
export interface SplitOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `chunk` (torch.chunk). */
export interface ChunkOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `unbind` (torch.unbind). */
export interface UnbindOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `cat` (torch.cat). */
export interface CatOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `stack` (torch.stack). */
export interface StackOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `meshgrid` (torch.meshgrid). */
export interface MeshgridOptions {
  /** The order of the first two dims. Default: "ij". */
  readonly indexing?: 'ij' | 'xy' | undefined;
}

/** Named arguments of `tensorSplit` (torch.tensor_split). */
export interface TensorSplitOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `tensorSplit` (torch.tensor_split). */
export interface TensorSplitOptions2 {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `splitWithSizes` (torch.split_with_sizes). */
export interface SplitWithSizesOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
}

/** Named arguments of `rot90` (torch.rot90). */
export interface Rot90Options {
  /** The number of quarter turns. Default: 1. */
  readonly k?: number | undefined;
  /** The two dims. Default: [0,1]. */
  readonly dims?: readonly number[] | undefined;
}

/** Named arguments of `diagflat` (torch.diagflat). */
export interface DiagflatOptions {
  /** The diagonal: above the main one if positive, below if negative. Default: 0. */
  readonly offset?: number | undefined;
}

/** Named arguments of `sliceScatter` (torch.slice_scatter). */
export interface SliceScatterOptions {
  /** The dim. Default: 0. */
  readonly dim?: number | undefined;
  /** The first entry. Default: 0. */
  readonly start?: number | undefined;
  /** The end; that of the dim by default. */
  readonly end?: number | undefined;
  /** The step. Default: 1. */
  readonly step?: number | undefined;
}

/** Named arguments of `diagonalScatter` (torch.diagonal_scatter). */
export interface DiagonalScatterOptions {
  /** The diagonal. Default: 0. */
  readonly offset?: number | undefined;
  /** The one dim. Default: 0. */
  readonly dim1?: number | undefined;
  /** The other dim. Default: 1. */
  readonly dim2?: number | undefined;
}

/** Named arguments of `sort` (torch.sort). */
export interface SortOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Whether the largest comes first. Default: false. */
  readonly descending?: boolean | undefined;
  /** Accepted for compatibility; sorting is always stable. Default: false. */
  readonly stable?: boolean | undefined;
}

/** Named arguments of `argsort` (torch.argsort). */
export interface ArgsortOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Whether the largest comes first. Default: false. */
  readonly descending?: boolean | undefined;
  /** Accepted for compatibility; sorting is always stable. Default: false. */
  readonly stable?: boolean | undefined;
}

/** Named arguments of `topk` (torch.topk). */
export interface TopkOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Whether to return the largest; false for the smallest. Default: true. */
  readonly largest?: boolean | undefined;
  /** Accepted for compatibility; the result is always sorted. Default: true. */
  readonly sorted?: boolean | undefined;
}

/** Named arguments of `kthvalue` (torch.kthvalue). */
export interface KthvalueOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `median` (torch.median). */
export interface MedianOptions {
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `nanmedian` (torch.nanmedian). */
export interface NanmedianOptions {
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `mode` (torch.mode). */
export interface ModeOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** Named arguments of `quantile` (torch.quantile). */
export interface QuantileOptions {
  /** The dim; all elements by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** How to interpolate between two elements. Default: "linear". */
  readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined;
}

/** Named arguments of `quantile` (torch.quantile). */
export interface QuantileOptions2 {
  /** The dim; all elements by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** How to interpolate between two elements. Default: "linear". */
  readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined;
}

/** Named arguments of `nanquantile` (torch.nanquantile). */
export interface NanquantileOptions {
  /** The dim; all elements by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** How to interpolate between two elements. Default: "linear". */
  readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined;
}

/** Named arguments of `nanquantile` (torch.nanquantile). */
export interface NanquantileOptions2 {
  /** The dim; all elements by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dim, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** How to interpolate between two elements. Default: "linear". */
  readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined;
}

/** Named arguments of `searchsorted` (torch.searchsorted). */
export interface SearchsortedOptions<T> {
  /** Positions in int32 instead of int64. Default: false. */
  readonly outInt32?: boolean | undefined;
  /** After equal elements instead of before them. Default: false. */
  readonly right?: boolean | undefined;
  /** The same as `right`: before (left) or after (right) equal elements. */
  readonly side?: 'left' | 'right' | undefined;
  /** The positions that sort the sequences, where these are not sorted. */
  readonly sorter?: T | null | undefined;
}

/** Named arguments of `bucketize` (torch.bucketize). */
export interface BucketizeOptions {
  /** Positions in int32 instead of int64. Default: false. */
  readonly outInt32?: boolean | undefined;
  /** After equal elements instead of before them. Default: false. */
  readonly right?: boolean | undefined;
}

/** Named arguments of `cumsum` (torch.cumsum). */
export interface CumsumOptions {
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `cumprod` (torch.cumprod). */
export interface CumprodOptions {
  /** The data type to convert the elements to first. */
  readonly dtype?: DType | undefined;
}

/** Named arguments of `scatter` (torch.scatter). */
export interface ScatterOptions {
  /** How to combine the elements at a position. */
  readonly reduce?: 'add' | 'multiply' | undefined;
}

/** Named arguments of `scatter` (torch.scatter). */
export interface ScatterOptions2 {
  /** How to combine the elements at a position. */
  readonly reduce?: 'add' | 'multiply' | undefined;
}

/** Named arguments of `scatterReduce` (torch.scatter_reduce). */
export interface ScatterReduceOptions {
  /** Whether to include the elements that are overwritten. Default: true. */
  readonly includeSelf?: boolean | undefined;
}

/** Named arguments of `indexAdd` (torch.index_add). */
export interface IndexAddOptions {
  /** The factor for the slices. Default: 1. */
  readonly alpha?: number | undefined;
}

/** Named arguments of `indexReduce` (torch.index_reduce). */
export interface IndexReduceOptions {
  /** Whether to include the elements that are overwritten. Default: true. */
  readonly includeSelf?: boolean | undefined;
}

/** Named arguments of `bernoulli` (torch.bernoulli). */
export interface BernoulliOptions {
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `bernoulli` (torch.bernoulli). */
export interface BernoulliOptions2 {
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `multinomial` (torch.multinomial). */
export interface MultinomialOptions {
  /** Sample with replacement: an index may occur more than once. Default: false. */
  readonly replacement?: boolean | undefined;
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `poisson` (torch.poisson). */
export interface PoissonOptions {
  /** Where random numbers come from. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `binomial` (torch.binomial). */
export interface BinomialOptions {
  /** Where random numbers come from. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `normal` (Tensor.normal_). */
export interface NormalOptions {
  /** The mean. Default: 0. */
  readonly mean?: number | undefined;
  /** The standard deviation. Default: 1. */
  readonly std?: number | undefined;
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `uniform` (Tensor.uniform_). */
export interface UniformOptions {
  /** The lower bound. Default: 0. */
  readonly from?: number | undefined;
  /** The upper bound. Default: 1. */
  readonly to?: number | undefined;
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `exponential` (Tensor.exponential_). */
export interface ExponentialOptions {
  /** The rate. Default: 1. */
  readonly lambd?: number | undefined;
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `geometric` (Tensor.geometric_). */
export interface GeometricOptions {
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `cauchy` (Tensor.cauchy_). */
export interface CauchyOptions {
  /** The median. Default: 0. */
  readonly median?: number | undefined;
  /** Half the width at half the maximum. Default: 1. */
  readonly sigma?: number | undefined;
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `logNormal` (Tensor.log_normal_). */
export interface LogNormalOptions {
  /** The mean of the logarithms. Default: 1. */
  readonly mean?: number | undefined;
  /** Their standard deviation. Default: 2. */
  readonly std?: number | undefined;
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `random` (Tensor.random_). */
export interface RandomOptions {
  /** Where random numbers come from; the seed of the device by default. */
  readonly generator?: import('../generator.ts').Generator | undefined;
}

/** Named arguments of `isin` (torch.isin). */
export interface IsinOptions {
  /** Accepted for compatibility; has no effect. Default: false. */
  readonly assumeUnique?: boolean | undefined;
  /** Invert the result. Default: false. */
  readonly invert?: boolean | undefined;
}

/** Named arguments of `histc` (torch.histc). */
export interface HistcOptions {
  /** The number of bins. Default: 100. */
  readonly bins?: number | undefined;
  /** The lower end. Default: 0. */
  readonly min?: number | undefined;
  /** The upper end. Default: 0. */
  readonly max?: number | undefined;
}

/** Named arguments of `cov` (torch.cov). */
export interface CovOptions {
  /** Subtracted from the number of observations. Default: 1. */
  readonly correction?: number | undefined;
}

/** Named arguments of `trapezoid` (torch.trapezoid). */
export interface TrapezoidOptions {
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `trapezoid` (torch.trapezoid). */
export interface TrapezoidOptions2 {
  /** The step. Default: 1. */
  readonly dx?: number | undefined;
  /** The dim. Default: -1. */
  readonly dim?: number | undefined;
}

/** Named arguments of `vander` (torch.vander). */
export interface VanderOptions {
  /** The number of columns; by default that of rows. */
  readonly columns?: number | undefined;
  /** Ascending powers. Default: false. */
  readonly increasing?: boolean | undefined;
}

/** Named arguments of `combinations` (torch.combinations). */
export interface CombinationsOptions {
  /** The number of entries. Default: 2. */
  readonly r?: number | undefined;
  /** Whether an element may be chosen more than once. Default: false. */
  readonly withReplacement?: boolean | undefined;
}

/** Named arguments of `bincount` (torch.bincount). */
export interface BincountOptions<T> {
  /** The weight of each; 1 by default. */
  readonly weights?: T | null | undefined;
  /** The minimum length of the result. Default: 0. */
  readonly minlength?: number | undefined;
}
