// The free functions that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call } from '../surface/call.ts';
import { activations } from '../surface/rows/activations.ts';
import { moreActivations } from '../surface/rows/activations-more.ts';
import { arithmetic } from '../surface/rows/arithmetic.ts';
import { binaryRows } from '../surface/rows/binary.ts';
import { binRows } from '../surface/rows/bins.ts';
import { castRows } from '../surface/rows/casts.ts';
import { classLossRows } from '../surface/rows/class-losses.ts';
import { comparisons } from '../surface/rows/comparison.ts';
import { complexRows } from '../surface/rows/complex.ts';
import { contractions } from '../surface/rows/contractions.ts';
import { convolutions } from '../surface/rows/convolutions.ts';
import { countingRows } from '../surface/rows/counting.ts';
import { creation } from '../surface/rows/creation.ts';
import { elementaryRows } from '../surface/rows/elementary.ts';
import { moreLinear } from '../surface/rows/linear-more.ts';
import { linearSystems } from '../surface/rows/linear-systems.ts';
import { normalizationRows } from '../surface/rows/normalization.ts';
import { numberRows } from '../surface/rows/numbers.ts';
import { parts } from '../surface/rows/parts.ts';
import { piecesRows } from '../surface/rows/pieces.ts';
import { products } from '../surface/rows/products.ts';
import { randomRows } from '../surface/rows/random.ts';
import { reductionRows } from '../surface/rows/reductions.ts';
import { moreReductions } from '../surface/rows/reductions-more.ts';
import { runningRows } from '../surface/rows/running.ts';
import { scatterRows } from '../surface/rows/scatter.ts';
import { shapes } from '../surface/rows/shape.ts';
import { shortTime } from '../surface/rows/short-time.ts';
import { shuffleRows } from '../surface/rows/shuffles.ts';
import { sortingRows } from '../surface/rows/sorting.ts';
import { specialRows } from '../surface/rows/special.ts';
import { spectra } from '../surface/rows/spectra.ts';
import { unary } from '../surface/rows/unary.ts';
import { Tensor } from '../tensor.ts';
import type {
  AddbmmOptions,
  AddcdivOptions,
  AddcmulOptions,
  AddmmOptions,
  AddmvOptions,
  AddOptions,
  AddrOptions,
  AllOptions,
  AmaxOptions,
  AminmaxOptions,
  AminOptions,
  AnyOptions,
  ArgmaxOptions,
  ArgminOptions,
  ArgsortOptions,
  BaddbmmOptions,
  BernoulliOptions,
  BernoulliOptions2,
  BincountOptions,
  BinomialOptions,
  BucketizeOptions,
  CatOptions,
  CdistOptions,
  CholeskyInverseOptions,
  CholeskyOptions,
  CholeskySolveOptions,
  ChunkOptions,
  ClampOptions,
  CombinationsOptions,
  Conv1dOptions,
  Conv2dOptions,
  Conv3dOptions,
  ConvTranspose1dOptions,
  ConvTranspose2dOptions,
  ConvTranspose3dOptions,
  CosineSimilarityOptions,
  CountNonzeroOptions,
  CovOptions,
  CrossOptions,
  CumprodOptions,
  CumsumOptions,
  CumulativeTrapezoidOptions,
  DiagEmbedOptions,
  DiagflatOptions,
  DiagOptions,
  DiagonalOptions,
  DiagonalScatterOptions,
  DiffOptions,
  DistOptions,
  DivOptions,
  EmptyLikeOptions,
  EmptyOptions,
  EyeOptions,
  FlattenOptions,
  FullLikeOptions,
  FullOptions,
  GradientOptions,
  GroupNormOptions,
  HardshrinkOptions,
  HistcOptions,
  IndexAddOptions,
  IndexReduceOptions,
  IscloseOptions,
  IsinOptions,
  IstftOptions,
  KthvalueOptions,
  LayerNormOptions,
  LinspaceOptions,
  LogSoftmaxOptions,
  LogspaceOptions,
  LogsumexpOptions,
  MaxOptions,
  MeanOptions,
  MedianOptions,
  MeshgridOptions,
  MinOptions,
  ModeOptions,
  MultinomialOptions,
  NanmeanOptions,
  NanmedianOptions,
  NanquantileOptions,
  NanquantileOptions2,
  NansumOptions,
  NanToNumOptions,
  NormOptions,
  OnesLikeOptions,
  OnesOptions,
  OrmqrOptions,
  PairwiseDistanceOptions,
  PinverseOptions,
  PoissonOptions,
  ProdOptions,
  ProdOptions2,
  QrOptions,
  QuantileOptions,
  QuantileOptions2,
  RepeatInterleaveOptions,
  RmsNormOptions,
  RollOptions,
  Rot90Options,
  RoundOptions,
  RsubOptions,
  ScatterOptions,
  ScatterOptions2,
  ScatterReduceOptions,
  SearchsortedOptions,
  SliceScatterOptions,
  SoftmaxOptions,
  SortOptions,
  SplitOptions,
  SplitWithSizesOptions,
  SqueezeOptions,
  StackOptions,
  StdMeanOptions,
  StdOptions,
  StdOptions2,
  StftOptions,
  SubOptions,
  SumOptions,
  SvdOptions,
  TakeAlongDimOptions,
  TensordotOptions,
  TensorSplitOptions,
  TensorSplitOptions2,
  TopkOptions,
  TrapezoidOptions,
  TrapezoidOptions2,
  TrilIndicesOptions,
  TrilOptions,
  TriuIndicesOptions,
  TriuOptions,
  UnbindOptions,
  VanderOptions,
  VarMeanOptions,
  VarOptions,
  VarOptions2,
  ZerosLikeOptions,
  ZerosOptions,
} from './options.ts';

/**
 * Zeros.
 *
 * PyTorch: `torch.zeros`.
 *
 * @param size - The sizes.
 * @returns the sizes; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_GRADIENT_HERE}
 * @category New tensors
 * @example
 * zeros(2, 3) // [[0, 0, 0], [0, 0, 0]]
 */
export function zeros(
  ...size:
    | readonly number[]
    | readonly [readonly number[]]
    | readonly [readonly number[], ZerosOptions?]
    | readonly [...number[], ZerosOptions]
): Tensor;
export function zeros(...args: readonly unknown[]): unknown {
  return call(creation.zeros, undefined, args, Tensor.prototype);
}

/**
 * Ones.
 *
 * PyTorch: `torch.ones`.
 *
 * @param size - The sizes.
 * @returns the sizes; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_GRADIENT_HERE}
 * @category New tensors
 * @example
 * ones(2, 3) // [[1, 1, 1], [1, 1, 1]]
 */
export function ones(
  ...size:
    | readonly number[]
    | readonly [readonly number[]]
    | readonly [readonly number[], OnesOptions?]
    | readonly [...number[], OnesOptions]
): Tensor;
export function ones(...args: readonly unknown[]): unknown {
  return call(creation.ones, undefined, args, Tensor.prototype);
}

/**
 * Zeros: memory is never uninitialized.
 *
 * PyTorch: `torch.empty`.
 *
 * @param size - The sizes.
 * @returns the sizes; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_GRADIENT_HERE}
 * @category New tensors
 * @example
 * empty(2, 3) // [[0, 0, 0], [0, 0, 0]]
 */
export function empty(
  ...size:
    | readonly number[]
    | readonly [readonly number[]]
    | readonly [readonly number[], EmptyOptions?]
    | readonly [...number[], EmptyOptions]
): Tensor;
export function empty(...args: readonly unknown[]): unknown {
  return call(creation.empty, undefined, args, Tensor.prototype);
}

/**
 * A tensor filled with one value.
 *
 * Differs from PyTorch: JavaScript has one number type: without `dtype`, a number gives float32, where PyTorch
 * gives int64 for an int; a bigint gives int64.
 *
 * PyTorch: `torch.full`.
 *
 * @param size - The sizes.
 * @param fillValue - The value.
 * @param options.dtype - The data type. Default: 'float32' for a number, 'int64' for a bigint, 'bool' for a
 * boolean.
 * @param options.device - The device. Default: the default device.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the sizes; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_GRADIENT_HERE}
 * @category New tensors
 * @example
 * full([2], 0.5) // [0.5, 0.5]
 */
export function full(size: readonly number[], fillValue: Scalar, options?: FullOptions): Tensor;
/**
 * A tensor filled with one value.
 *
 * Differs from PyTorch: JavaScript has one number type: without `dtype`, a number gives float32, where PyTorch
 * gives int64 for an int; a bigint gives int64.
 *
 * PyTorch: `torch.full`.
 *
 * @param named.size - The sizes.
 * @param named.fillValue - The value.
 * @param named.dtype - The data type. Default: 'float32' for a number, 'int64' for a bigint, 'bool' for a boolean.
 * @param named.device - The device. Default: the default device.
 * @param named.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the sizes; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_GRADIENT_HERE}
 * @category New tensors
 * @example
 * full([2], 0.5) // [0.5, 0.5]
 */
export function full(named: { readonly size: readonly number[]; readonly fillValue: Scalar } & FullOptions): Tensor;
export function full(...args: readonly unknown[]): unknown {
  return call(creation.full, undefined, args, Tensor.prototype);
}

/**
 * Zeros with the shape of another tensor.
 *
 * PyTorch: `torch.zeros_like`.
 *
 * @param input - The tensor.
 * @param options.dtype - The data type. Default: that of the tensor.
 * @param options.device - The device. Default: that of the tensor.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the shape of the tensor; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * zerosLike(tensor([[1, 2]])).shape // [1, 2]
 */
export function zerosLike(input: Tensor, options?: ZerosLikeOptions): Tensor;
export function zerosLike(...args: readonly unknown[]): unknown {
  return call(creation.zerosLike, undefined, args, Tensor.prototype);
}

/**
 * Ones with the shape of another tensor.
 *
 * PyTorch: `torch.ones_like`.
 *
 * @param input - The tensor.
 * @param options.dtype - The data type. Default: that of the tensor.
 * @param options.device - The device. Default: that of the tensor.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the shape of the tensor; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * onesLike(tensor([[1, 2]])).shape // [1, 2]
 */
export function onesLike(input: Tensor, options?: OnesLikeOptions): Tensor;
export function onesLike(...args: readonly unknown[]): unknown {
  return call(creation.onesLike, undefined, args, Tensor.prototype);
}

/**
 * Zeros with the shape of another tensor: memory is never uninitialized.
 *
 * PyTorch: `torch.empty_like`.
 *
 * @param input - The tensor.
 * @param options.dtype - The data type. Default: that of the tensor.
 * @param options.device - The device. Default: that of the tensor.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the shape of the tensor; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * emptyLike(tensor([[1, 2]])).shape // [1, 2]
 */
export function emptyLike(input: Tensor, options?: EmptyLikeOptions): Tensor;
export function emptyLike(...args: readonly unknown[]): unknown {
  return call(creation.emptyLike, undefined, args, Tensor.prototype);
}

/**
 * A tensor filled with one value, with the shape of another tensor.
 *
 * PyTorch: `torch.full_like`.
 *
 * @param input - The tensor.
 * @param fillValue - The value.
 * @param options.dtype - The data type. Default: that of the tensor.
 * @param options.device - The device. Default: that of the tensor.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the shape of the tensor; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * fullLike(tensor([1, 2]), 7) // [7, 7]
 */
export function fullLike(input: Tensor, fillValue: Scalar, options?: FullLikeOptions): Tensor;
/**
 * A tensor filled with one value, with the shape of another tensor.
 *
 * PyTorch: `torch.full_like`.
 *
 * @param input - The tensor.
 * @param named.fillValue - The value.
 * @param named.dtype - The data type. Default: that of the tensor.
 * @param named.device - The device. Default: that of the tensor.
 * @param named.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns the shape of the tensor; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * fullLike(tensor([1, 2]), 7) // [7, 7]
 */
export function fullLike(input: Tensor, named: { readonly fillValue: Scalar } & FullLikeOptions): Tensor;
export function fullLike(...args: readonly unknown[]): unknown {
  return call(creation.fullLike, undefined, args, Tensor.prototype);
}

/**
 * Evenly spaced numbers from `start` to `end`, both included.
 *
 * PyTorch: `torch.linspace`.
 *
 * @param start - The first number.
 * @param end - The last number.
 * @param steps - The number of values.
 * @param options.dtype - The data type. Default: 'float32'.
 * @param options.device - The device. Default: the default device.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns [steps]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * linspace(0, 1, 3) // [0, 0.5, 1]
 */
export function linspace(start: number, end: number, steps: number, options?: LinspaceOptions): Tensor;
/**
 * Evenly spaced numbers from `start` to `end`, both included.
 *
 * PyTorch: `torch.linspace`.
 *
 * @param named.start - The first number.
 * @param named.end - The last number.
 * @param named.steps - The number of values.
 * @param named.dtype - The data type. Default: 'float32'.
 * @param named.device - The device. Default: the default device.
 * @param named.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns [steps]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * linspace(0, 1, 3) // [0, 0.5, 1]
 */
export function linspace(
  named: { readonly start: number; readonly end: number; readonly steps: number } & LinspaceOptions,
): Tensor;
export function linspace(...args: readonly unknown[]): unknown {
  return call(creation.linspace, undefined, args, Tensor.prototype);
}

/**
 * Powers of `base` with evenly spaced exponents from `start` to `end`, both included.
 *
 * PyTorch: `torch.logspace`.
 *
 * @param start - The first exponent.
 * @param end - The last exponent.
 * @param steps - The number of values.
 * @param base - The base. Default: 10.
 * @param options.dtype - The data type. Default: 'float32'.
 * @param options.device - The device. Default: the default device.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns [steps]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * logspace(0, 2, 3) // [1, 10, 100]
 */
export function logspace(
  start: number,
  end: number,
  steps: number,
  base?: number | LogspaceOptions | undefined,
  options?: LogspaceOptions,
): Tensor;
/**
 * Powers of `base` with evenly spaced exponents from `start` to `end`, both included.
 *
 * PyTorch: `torch.logspace`.
 *
 * @param named.start - The first exponent.
 * @param named.end - The last exponent.
 * @param named.steps - The number of values.
 * @param named.base - The base. Default: 10.
 * @param named.dtype - The data type. Default: 'float32'.
 * @param named.device - The device. Default: the default device.
 * @param named.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns [steps]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * logspace(0, 2, 3) // [1, 10, 100]
 */
export function logspace(
  named: { readonly start: number; readonly end: number; readonly steps: number } & LogspaceOptions,
): Tensor;
export function logspace(...args: readonly unknown[]): unknown {
  return call(creation.logspace, undefined, args, Tensor.prototype);
}

/**
 * A matrix with ones on the main diagonal and zeros elsewhere.
 *
 * PyTorch: `torch.eye`.
 *
 * @param n - The number of rows.
 * @param m - The number of columns. Default: `n`.
 * @param options.dtype - The data type. Default: 'float32'.
 * @param options.device - The device. Default: the default device.
 * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns [n, m]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * eye(2) // [[1, 0], [0, 1]]
 */
export function eye(n: number, m?: number | EyeOptions | undefined, options?: EyeOptions): Tensor;
/**
 * A matrix with ones on the main diagonal and zeros elsewhere.
 *
 * PyTorch: `torch.eye`.
 *
 * @param named.n - The number of rows.
 * @param named.m - The number of columns. Default: `n`.
 * @param named.dtype - The data type. Default: 'float32'.
 * @param named.device - The device. Default: the default device.
 * @param named.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
 * @returns [n, m]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * eye(2) // [[1, 0], [0, 1]]
 */
export function eye(named: { readonly n: number } & EyeOptions): Tensor;
export function eye(...args: readonly unknown[]): unknown {
  return call(creation.eye, undefined, args, Tensor.prototype);
}

/**
 * The row and column indices of the lower triangle of a matrix, row by row.
 *
 * PyTorch: `torch.tril_indices`.
 *
 * @param row - The number of rows.
 * @param col - The number of columns.
 * @param offset - The diagonal: 0 is the main diagonal, 1 the one above it. Default: 0.
 * @param options.dtype - The data type. Default: 'int64'.
 * @param options.device - The device. Default: the default device.
 * @returns [2, count]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * trilIndices(2, 2).toArray() // [[0, 1, 1], [0, 0, 1]]
 */
export function trilIndices(
  row: number,
  col: number,
  offset?: number | TrilIndicesOptions | undefined,
  options?: TrilIndicesOptions,
): Tensor;
/**
 * The row and column indices of the lower triangle of a matrix, row by row.
 *
 * PyTorch: `torch.tril_indices`.
 *
 * @param named.row - The number of rows.
 * @param named.col - The number of columns.
 * @param named.offset - The diagonal: 0 is the main diagonal, 1 the one above it. Default: 0.
 * @param named.dtype - The data type. Default: 'int64'.
 * @param named.device - The device. Default: the default device.
 * @returns [2, count]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * trilIndices(2, 2).toArray() // [[0, 1, 1], [0, 0, 1]]
 */
export function trilIndices(named: { readonly row: number; readonly col: number } & TrilIndicesOptions): Tensor;
export function trilIndices(...args: readonly unknown[]): unknown {
  return call(creation.trilIndices, undefined, args, Tensor.prototype);
}

/**
 * The row and column indices of the upper triangle of a matrix, row by row.
 *
 * PyTorch: `torch.triu_indices`.
 *
 * @param row - The number of rows.
 * @param col - The number of columns.
 * @param offset - The diagonal: 0 is the main diagonal, 1 the one above it. Default: 0.
 * @param options.dtype - The data type. Default: 'int64'.
 * @param options.device - The device. Default: the default device.
 * @returns [2, count]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * triuIndices(2, 2).toArray() // [[0, 0, 1], [0, 1, 1]]
 */
export function triuIndices(
  row: number,
  col: number,
  offset?: number | TriuIndicesOptions | undefined,
  options?: TriuIndicesOptions,
): Tensor;
/**
 * The row and column indices of the upper triangle of a matrix, row by row.
 *
 * PyTorch: `torch.triu_indices`.
 *
 * @param named.row - The number of rows.
 * @param named.col - The number of columns.
 * @param named.offset - The diagonal: 0 is the main diagonal, 1 the one above it. Default: 0.
 * @param named.dtype - The data type. Default: 'int64'.
 * @param named.device - The device. Default: the default device.
 * @returns [2, count]; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category New tensors
 * @example
 * triuIndices(2, 2).toArray() // [[0, 0, 1], [0, 1, 1]]
 */
export function triuIndices(named: { readonly row: number; readonly col: number } & TriuIndicesOptions): Tensor;
export function triuIndices(...args: readonly unknown[]): unknown {
  return call(creation.triuIndices, undefined, args, Tensor.prototype);
}

/**
 * A copy that gradients flow through.
 *
 * PyTorch: `torch.clone`, `Tensor.clone`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Data types and copies
 * @example
 * tensor([1, 2]).clone() // [1, 2]
 */
export function clone(input: Tensor): Tensor;
export function clone(...args: readonly unknown[]): unknown {
  return call(castRows.clone, undefined, args);
}

/**
 * One value in the shape and data type of the input.
 *
 * PyTorch: `torch.fill`.
 *
 * @param input - The tensor.
 * @param value - The value: a number, or a tensor without dims.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Data types and copies
 * @example
 * fill(tensor([1, 2]), 3) // [3, 3]
 */
export function fill(input: Tensor, value: Tensor | Scalar): Tensor;
export function fill(...args: readonly unknown[]): unknown {
  return call(castRows.fill, undefined, args);
}

/**
 * The elements at indices into the flattened tensor; negative ones count from the end.
 *
 * Differs from PyTorch: Where an index is out of range, the error comes when the step is read.
 *
 * PyTorch: `torch.take`, `Tensor.take`.
 *
 * @param input - The tensor.
 * @param index - The indices.
 * @returns the shape of the index; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Data types and copies
 * @example
 * tensor([[4, 3], [2, 1]]).take(tensor([0, 3])) // [4, 1]
 */
export function take(input: Tensor, index: Tensor): Tensor;
export function take(...args: readonly unknown[]): unknown {
  return call(castRows.take, undefined, args);
}

/**
 * other − alpha · input.
 *
 * PyTorch: `torch.rsub`.
 *
 * @param input - The tensor.
 * @param other - The minuend.
 * @param options.alpha - The factor. Default: 1.
 * @returns the shape of both together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Data types and copies
 * @example
 * rsub(tensor([1, 2]), 3) // [2, 1]
 */
export function rsub(input: Tensor, other: Tensor | Scalar, options?: RsubOptions): Tensor;
export function rsub(...args: readonly unknown[]): unknown {
  return call(castRows.rsub, undefined, args);
}

/**
 * x = mantissa · 2 to the exponent, with a mantissa of at least 0.5 and below 1 in size.
 *
 * PyTorch: `torch.frexp`, `Tensor.frexp`.
 *
 * @param input - The tensor.
 * @returns `mantissa` and `exponent`, by name or in this order: the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Data types and copies
 * @example
 * const { mantissa, exponent } = frexp(tensor([8])); // [0.5], [4]
 */
export function frexp(input: Tensor): readonly [mantissa: Tensor, exponent: Tensor] & {
  /** The first result. */
  readonly mantissa: Tensor;
  /** The second result. */
  readonly exponent: Tensor;
};
export function frexp(...args: readonly unknown[]): unknown {
  return call(castRows.frexp, undefined, args);
}

/**
 * The sum of two tensors, or of a tensor and a number: input + alpha · other.
 *
 * PyTorch: `torch.add`, `Tensor.add`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.alpha - The factor for `other`. Default: 1.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2]).add(tensor([10, 20])) // [11, 22]
 */
export function add(input: Tensor | Scalar, other: Tensor | Scalar, options?: AddOptions): Tensor;
export function add(...args: readonly unknown[]): unknown {
  return call(arithmetic.add, undefined, args);
}

/**
 * The difference of two tensors, or of a tensor and a number: input − alpha · other.
 *
 * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.alpha - The factor for `other`. Default: 1.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([5, 7]).sub(2) // [3, 5]
 */
export function sub(input: Tensor | Scalar, other: Tensor | Scalar, options?: SubOptions): Tensor;
export function sub(...args: readonly unknown[]): unknown {
  return call(arithmetic.sub, undefined, args);
}

/**
 * The difference of two tensors, or of a tensor and a number: input − alpha · other.
 *
 * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.alpha - The factor for `other`. Default: 1.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([5, 7]).sub(2) // [3, 5]
 */
export function subtract(input: Tensor | Scalar, other: Tensor | Scalar, options?: SubOptions): Tensor;
export function subtract(...args: readonly unknown[]): unknown {
  return call(arithmetic.sub, undefined, args);
}

/**
 * The product of two tensors, element-wise, or of a tensor and a number.
 *
 * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
 */
export function mul(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function mul(...args: readonly unknown[]): unknown {
  return call(arithmetic.mul, undefined, args);
}

/**
 * The product of two tensors, element-wise, or of a tensor and a number.
 *
 * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
 */
export function multiply(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function multiply(...args: readonly unknown[]): unknown {
  return call(arithmetic.mul, undefined, args);
}

/**
 * The quotient of two tensors, or of a tensor and a number.
 *
 * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
 *
 * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.roundingMode - How the quotient is rounded.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans unless the quotient is rounded
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
 */
export function div(input: Tensor | Scalar, other: Tensor | Scalar, options?: DivOptions): Tensor;
export function div(...args: readonly unknown[]): unknown {
  return call(arithmetic.div, undefined, args);
}

/**
 * The quotient of two tensors, or of a tensor and a number.
 *
 * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
 *
 * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.roundingMode - How the quotient is rounded.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans unless the quotient is rounded
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
 */
export function divide(input: Tensor | Scalar, other: Tensor | Scalar, options?: DivOptions): Tensor;
export function divide(...args: readonly unknown[]): unknown {
  return call(arithmetic.div, undefined, args);
}

/**
 * The quotient of two tensors, or of a tensor and a number.
 *
 * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
 *
 * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param options.roundingMode - How the quotient is rounded.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans unless the quotient is rounded
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
 */
export function trueDivide(input: Tensor | Scalar, other: Tensor | Scalar, options?: DivOptions): Tensor;
export function trueDivide(...args: readonly unknown[]): unknown {
  return call(arithmetic.div, undefined, args);
}

/**
 * The quotient rounded towards minus infinity; integers stay integers.
 *
 * PyTorch: `torch.floor_divide`, `Tensor.floor_divide`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([-7, 7]).floorDivide(2) // [-4, 3]
 */
export function floorDivide(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function floorDivide(...args: readonly unknown[]): unknown {
  return call(arithmetic.floorDivide, undefined, args);
}

/**
 * The remainder of the division, with the sign of the divisor.
 *
 * PyTorch: `torch.remainder`, `Tensor.remainder`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([-7, 7]).remainder(3) // [2, 1]
 */
export function remainder(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function remainder(...args: readonly unknown[]): unknown {
  return call(arithmetic.remainder, undefined, args);
}

/**
 * Each element raised to a power.
 *
 * PyTorch: `torch.pow`, `Tensor.pow`.
 *
 * @param input - The left operand.
 * @param exponent - The power.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).pow(2) // [1, 4, 9]
 */
export function pow(input: Tensor | Scalar, exponent: Tensor | Scalar): Tensor;
export function pow(...args: readonly unknown[]): unknown {
  return call(arithmetic.pow, undefined, args);
}

/**
 * The larger of two elements; NaN if either is NaN.
 *
 * Differs from PyTorch: Numbers are accepted as operands; PyTorch requires tensors. Where an operand is NaN, no
 * gradient flows; in PyTorch it flows to both.
 *
 * PyTorch: `torch.maximum`, `Tensor.maximum`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 5]).maximum(tensor([3, 2])) // [3, 5]
 */
export function maximum(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function maximum(...args: readonly unknown[]): unknown {
  return call(arithmetic.maximum, undefined, args);
}

/**
 * The smaller of two elements; NaN if either is NaN.
 *
 * Differs from PyTorch: Numbers are accepted as operands; PyTorch requires tensors. Where an operand is NaN, no
 * gradient flows; in PyTorch it flows to both.
 *
 * PyTorch: `torch.minimum`, `Tensor.minimum`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 5]).minimum(tensor([3, 2])) // [1, 2]
 */
export function minimum(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function minimum(...args: readonly unknown[]): unknown {
  return call(arithmetic.minimum, undefined, args);
}

/**
 * Each element clamped to [`min`, `max`]; either bound may be omitted.
 *
 * Differs from PyTorch: Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for
 * uint8, and refuses others.
 *
 * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
 *
 * @param input - The tensor.
 * @param min - The lower bound.
 * @param max - The upper bound.
 * @returns the broadcast shape of the input and of bounds that are tensors; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
 */
export function clamp(
  input: Tensor,
  min?: Tensor | Scalar | null | ClampOptions<Tensor> | undefined,
  max?: Tensor | Scalar | null | ClampOptions<Tensor> | undefined,
): Tensor;
export function clamp(...args: readonly unknown[]): unknown {
  return call(arithmetic.clamp, undefined, args);
}

/**
 * Each element clamped to [`min`, `max`]; either bound may be omitted.
 *
 * Differs from PyTorch: Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for
 * uint8, and refuses others.
 *
 * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
 *
 * @param input - The tensor.
 * @param min - The lower bound.
 * @param max - The upper bound.
 * @returns the broadcast shape of the input and of bounds that are tensors; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
 */
export function clip(
  input: Tensor,
  min?: Tensor | Scalar | null | ClampOptions<Tensor> | undefined,
  max?: Tensor | Scalar | null | ClampOptions<Tensor> | undefined,
): Tensor;
export function clip(...args: readonly unknown[]): unknown {
  return call(arithmetic.clamp, undefined, args);
}

/**
 * The elements of `input` where the condition holds, those of `other` elsewhere.
 *
 * PyTorch: `torch.where`, `Tensor.where`.
 *
 * @param condition - Where to take `input`.
 * @param input - The elements where the condition holds.
 * @param other - The elements elsewhere.
 * @returns the broadcast shape of all three; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * const x = tensor([-1, 2]);
 * where(x.gt(0), x, 0) // [0, 2]
 */
export function where(condition: Tensor, input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function where(...args: readonly unknown[]): unknown {
  return call(arithmetic.where, undefined, args);
}

/**
 * The input with `value` where the mask is true.
 *
 * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
 *
 * @param input - The tensor.
 * @param mask - Where to write the value, of type bool.
 * @param value - The value.
 * @returns the broadcast shape of the input and the mask; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).maskedFill(tensor([true, false, true]), -Infinity) // [-Infinity, 2, -Infinity]
 */
export function maskedFill(input: Tensor, mask: Tensor, value: Scalar): Tensor;
/**
 * The input with `value` where the mask is true.
 *
 * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
 *
 * @param input - The tensor.
 * @param mask - Where to write the value, of type bool.
 * @param named.value - The value.
 * @returns the broadcast shape of the input and the mask; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Arithmetic
 * @example
 * tensor([1, 2, 3]).maskedFill(tensor([true, false, true]), -Infinity) // [-Infinity, 2, -Infinity]
 */
export function maskedFill(input: Tensor, mask: Tensor, named: { readonly value: Scalar }): Tensor;
export function maskedFill(...args: readonly unknown[]): unknown {
  return call(arithmetic.maskedFill, undefined, args);
}

/**
 * Whether the left element is equal to the right one.
 *
 * PyTorch: `torch.eq`, `Tensor.eq`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).eq(2) // [false, true]
 */
export function eq(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function eq(...args: readonly unknown[]): unknown {
  return call(comparisons.eq, undefined, args);
}

/**
 * Whether the left element is not equal to the right one.
 *
 * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).ne(2) // [true, false]
 */
export function ne(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function ne(...args: readonly unknown[]): unknown {
  return call(comparisons.ne, undefined, args);
}

/**
 * Whether the left element is not equal to the right one.
 *
 * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).ne(2) // [true, false]
 */
export function notEqual(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function notEqual(...args: readonly unknown[]): unknown {
  return call(comparisons.ne, undefined, args);
}

/**
 * Whether the left element is less than the right one.
 *
 * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).lt(2) // [true, false]
 */
export function lt(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function lt(...args: readonly unknown[]): unknown {
  return call(comparisons.lt, undefined, args);
}

/**
 * Whether the left element is less than the right one.
 *
 * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).lt(2) // [true, false]
 */
export function less(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function less(...args: readonly unknown[]): unknown {
  return call(comparisons.lt, undefined, args);
}

/**
 * Whether the left element is less than or equal to the right one.
 *
 * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).le(1) // [true, false]
 */
export function le(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function le(...args: readonly unknown[]): unknown {
  return call(comparisons.le, undefined, args);
}

/**
 * Whether the left element is less than or equal to the right one.
 *
 * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).le(1) // [true, false]
 */
export function lessEqual(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function lessEqual(...args: readonly unknown[]): unknown {
  return call(comparisons.le, undefined, args);
}

/**
 * Whether the left element is greater than the right one.
 *
 * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).gt(1) // [false, true]
 */
export function gt(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function gt(...args: readonly unknown[]): unknown {
  return call(comparisons.gt, undefined, args);
}

/**
 * Whether the left element is greater than the right one.
 *
 * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).gt(1) // [false, true]
 */
export function greater(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function greater(...args: readonly unknown[]): unknown {
  return call(comparisons.gt, undefined, args);
}

/**
 * Whether the left element is greater than or equal to the right one.
 *
 * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).ge(2) // [false, true]
 */
export function ge(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function ge(...args: readonly unknown[]): unknown {
  return call(comparisons.ge, undefined, args);
}

/**
 * Whether the left element is greater than or equal to the right one.
 *
 * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 2]).ge(2) // [false, true]
 */
export function greaterEqual(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function greaterEqual(...args: readonly unknown[]): unknown {
  return call(comparisons.ge, undefined, args);
}

/**
 * Whether both elements are true; nonzero numbers are true.
 *
 * PyTorch: `torch.logical_and`, `Tensor.logical_and`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * const x = tensor([-1, 0.5, 2]);
 * x.gt(0).logicalAnd(x.lt(1)) // [false, true, false]
 */
export function logicalAnd(input: Tensor, other: Tensor): Tensor;
export function logicalAnd(...args: readonly unknown[]): unknown {
  return call(comparisons.logicalAnd, undefined, args);
}

/**
 * Whether one or both elements are true; nonzero numbers are true.
 *
 * PyTorch: `torch.logical_or`, `Tensor.logical_or`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * const x = tensor([-1, 0.5, 2]);
 * x.lt(0).logicalOr(x.gt(1)) // [true, false, true]
 */
export function logicalOr(input: Tensor, other: Tensor): Tensor;
export function logicalOr(...args: readonly unknown[]): unknown {
  return call(comparisons.logicalOr, undefined, args);
}

/**
 * Whether exactly one of the elements are true; nonzero numbers are true.
 *
 * PyTorch: `torch.logical_xor`, `Tensor.logical_xor`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([1, 0, 2]).logicalXor(tensor([1, 1, 0])) // [false, true, true]
 */
export function logicalXor(input: Tensor, other: Tensor): Tensor;
export function logicalXor(...args: readonly unknown[]): unknown {
  return call(comparisons.logicalXor, undefined, args);
}

/**
 * Whether elements are false or 0.
 *
 * PyTorch: `torch.logical_not`, `Tensor.logical_not`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Comparisons and logic
 * @example
 * tensor([true, false]).logicalNot() // [false, true]
 */
export function logicalNot(input: Tensor): Tensor;
export function logicalNot(...args: readonly unknown[]): unknown {
  return call(comparisons.logicalNot, undefined, args);
}

/**
 * The negative of each element.
 *
 * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1, -2]).neg() // [-1, 2]
 */
export function neg(input: Tensor): Tensor;
export function neg(...args: readonly unknown[]): unknown {
  return call(unary.neg, undefined, args);
}

/**
 * The negative of each element.
 *
 * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1, -2]).neg() // [-1, 2]
 */
export function negative(input: Tensor): Tensor;
export function negative(...args: readonly unknown[]): unknown {
  return call(unary.neg, undefined, args);
}

/**
 * The absolute value of each element.
 *
 * Differs from PyTorch: The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.
 *
 * PyTorch: `torch.abs`, `Tensor.abs`, `torch.absolute`, `Tensor.absolute`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1, -2]).abs() // [1, 2]
 */
export function abs(input: Tensor): Tensor;
export function abs(...args: readonly unknown[]): unknown {
  return call(unary.abs, undefined, args);
}

/**
 * The absolute value of each element.
 *
 * Differs from PyTorch: The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.
 *
 * PyTorch: `torch.abs`, `Tensor.abs`, `torch.absolute`, `Tensor.absolute`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1, -2]).abs() // [1, 2]
 */
export function absolute(input: Tensor): Tensor;
export function absolute(...args: readonly unknown[]): unknown {
  return call(unary.abs, undefined, args);
}

/**
 * The sign of each element: 1, 0 or −1.
 *
 * NaN and both zeros give 0; the sign of a complex number is z / |z|.
 *
 * PyTorch: `torch.sign`, `Tensor.sign`, `torch.sgn`, `Tensor.sgn`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([3, 0, -2]).sign() // [1, 0, -1]
 */
export function sign(input: Tensor): Tensor;
export function sign(...args: readonly unknown[]): unknown {
  return call(unary.sign, undefined, args);
}

/**
 * The sign of each element: 1, 0 or −1.
 *
 * NaN and both zeros give 0; the sign of a complex number is z / |z|.
 *
 * PyTorch: `torch.sign`, `Tensor.sign`, `torch.sgn`, `Tensor.sgn`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([3, 0, -2]).sign() // [1, 0, -1]
 */
export function sgn(input: Tensor): Tensor;
export function sgn(...args: readonly unknown[]): unknown {
  return call(unary.sign, undefined, args);
}

/**
 * The exponential of each element.
 *
 * PyTorch: `torch.exp`, `Tensor.exp`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0, 1]).exp() // [1, 2.718…]
 */
export function exp(input: Tensor): Tensor;
export function exp(...args: readonly unknown[]): unknown {
  return call(unary.exp, undefined, args);
}

/**
 * exp(x) − 1, accurate for small x.
 *
 * PyTorch: `torch.expm1`, `Tensor.expm1`, `torch.special.expm1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1e-6]).expm1() // [1e-6]
 */
export function expm1(input: Tensor): Tensor;
export function expm1(...args: readonly unknown[]): unknown {
  return call(unary.expm1, undefined, args);
}

/**
 * The natural logarithm of each element.
 *
 * PyTorch: `torch.log`, `Tensor.log`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1, Math.E]).log() // [0, 1]
 */
export function log(input: Tensor): Tensor;
export function log(...args: readonly unknown[]): unknown {
  return call(unary.log, undefined, args);
}

/**
 * log(1 + x), accurate for small x.
 *
 * PyTorch: `torch.log1p`, `Tensor.log1p`, `torch.special.log1p`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1e-6]).log1p() // [1e-6]
 */
export function log1p(input: Tensor): Tensor;
export function log1p(...args: readonly unknown[]): unknown {
  return call(unary.log1p, undefined, args);
}

/**
 * The square root of each element.
 *
 * PyTorch: `torch.sqrt`, `Tensor.sqrt`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([4, 9]).sqrt() // [2, 3]
 */
export function sqrt(input: Tensor): Tensor;
export function sqrt(...args: readonly unknown[]): unknown {
  return call(unary.sqrt, undefined, args);
}

/**
 * The reciprocal of the square root of each element.
 *
 * PyTorch: `torch.rsqrt`, `Tensor.rsqrt`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([4]).rsqrt() // [0.5]
 */
export function rsqrt(input: Tensor): Tensor;
export function rsqrt(...args: readonly unknown[]): unknown {
  return call(unary.rsqrt, undefined, args);
}

/**
 * The sine of each element, which is an angle in radians.
 *
 * PyTorch: `torch.sin`, `Tensor.sin`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0, Math.PI / 2]).sin() // [0, 1]
 */
export function sin(input: Tensor): Tensor;
export function sin(...args: readonly unknown[]): unknown {
  return call(unary.sin, undefined, args);
}

/**
 * The cosine of each element, which is an angle in radians.
 *
 * PyTorch: `torch.cos`, `Tensor.cos`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0]).cos() // [1]
 */
export function cos(input: Tensor): Tensor;
export function cos(...args: readonly unknown[]): unknown {
  return call(unary.cos, undefined, args);
}

/**
 * The hyperbolic tangent of each element.
 *
 * PyTorch: `torch.tanh`, `Tensor.tanh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0, 20]).tanh() // [0, 1]
 */
export function tanh(input: Tensor): Tensor;
export function tanh(...args: readonly unknown[]): unknown {
  return call(unary.tanh, undefined, args);
}

/**
 * 1 / (1 + exp(−x)).
 *
 * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`, `torch.special.expit`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0]).sigmoid() // [0.5]
 */
export function sigmoid(input: Tensor): Tensor;
export function sigmoid(...args: readonly unknown[]): unknown {
  return call(unary.sigmoid, undefined, args);
}

/**
 * The error function of each element.
 *
 * PyTorch: `torch.erf`, `Tensor.erf`, `torch.special.erf`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([0, 9]).erf() // [0, 1]
 */
export function erf(input: Tensor): Tensor;
export function erf(...args: readonly unknown[]): unknown {
  return call(unary.erf, undefined, args);
}

/**
 * Each element rounded towards minus infinity.
 *
 * PyTorch: `torch.floor`, `Tensor.floor`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1.7]).floor() // [1]
 */
export function floor(input: Tensor): Tensor;
export function floor(...args: readonly unknown[]): unknown {
  return call(unary.floor, undefined, args);
}

/**
 * Each element rounded towards plus infinity.
 *
 * PyTorch: `torch.ceil`, `Tensor.ceil`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([1.2]).ceil() // [2]
 */
export function ceil(input: Tensor): Tensor;
export function ceil(...args: readonly unknown[]): unknown {
  return call(unary.ceil, undefined, args);
}

/**
 * Each element rounded to the nearest integer, halves to even, or to a number of decimals.
 *
 * PyTorch: `torch.round`, `Tensor.round`.
 *
 * @param input - The tensor.
 * @param options.decimals - How many decimals are kept; below 0, that many digits before the point become 0.
 * Default: 0.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Functions of each element
 * @example
 * tensor([0.5, 1.5]).round() // [0, 2]
 */
export function round(input: Tensor, options?: RoundOptions): Tensor;
export function round(...args: readonly unknown[]): unknown {
  return call(unary.round, undefined, args);
}

/**
 * The square of each element.
 *
 * PyTorch: `torch.square`, `Tensor.square`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([3, -4]).square() // [9, 16]
 */
export function square(input: Tensor): Tensor;
export function square(...args: readonly unknown[]): unknown {
  return call(unary.square, undefined, args);
}

/**
 * The reciprocal of each element.
 *
 * PyTorch: `torch.reciprocal`, `Tensor.reciprocal`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Functions of each element
 * @example
 * tensor([4]).reciprocal() // [0.25]
 */
export function reciprocal(input: Tensor): Tensor;
export function reciprocal(...args: readonly unknown[]): unknown {
  return call(unary.reciprocal, undefined, args);
}

/**
 * The tangent of each element, which is an angle in radians.
 *
 * PyTorch: `torch.tan`, `Tensor.tan`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).tan() // [0]
 */
export function tan(input: Tensor): Tensor;
export function tan(...args: readonly unknown[]): unknown {
  return call(elementaryRows.tan, undefined, args);
}

/**
 * The inverse sine, in radians.
 *
 * PyTorch: `torch.asin`, `Tensor.asin`, `torch.arcsin`, `Tensor.arcsin`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).asin() // [π/2]
 */
export function asin(input: Tensor): Tensor;
export function asin(...args: readonly unknown[]): unknown {
  return call(elementaryRows.asin, undefined, args);
}

/**
 * The inverse sine, in radians.
 *
 * PyTorch: `torch.asin`, `Tensor.asin`, `torch.arcsin`, `Tensor.arcsin`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).asin() // [π/2]
 */
export function arcsin(input: Tensor): Tensor;
export function arcsin(...args: readonly unknown[]): unknown {
  return call(elementaryRows.asin, undefined, args);
}

/**
 * The inverse cosine, in radians.
 *
 * PyTorch: `torch.acos`, `Tensor.acos`, `torch.arccos`, `Tensor.arccos`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).acos() // [0]
 */
export function acos(input: Tensor): Tensor;
export function acos(...args: readonly unknown[]): unknown {
  return call(elementaryRows.acos, undefined, args);
}

/**
 * The inverse cosine, in radians.
 *
 * PyTorch: `torch.acos`, `Tensor.acos`, `torch.arccos`, `Tensor.arccos`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).acos() // [0]
 */
export function arccos(input: Tensor): Tensor;
export function arccos(...args: readonly unknown[]): unknown {
  return call(elementaryRows.acos, undefined, args);
}

/**
 * The inverse tangent, in radians.
 *
 * PyTorch: `torch.atan`, `Tensor.atan`, `torch.arctan`, `Tensor.arctan`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).atan() // [π/4]
 */
export function atan(input: Tensor): Tensor;
export function atan(...args: readonly unknown[]): unknown {
  return call(elementaryRows.atan, undefined, args);
}

/**
 * The inverse tangent, in radians.
 *
 * PyTorch: `torch.atan`, `Tensor.atan`, `torch.arctan`, `Tensor.arctan`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).atan() // [π/4]
 */
export function arctan(input: Tensor): Tensor;
export function arctan(...args: readonly unknown[]): unknown {
  return call(elementaryRows.atan, undefined, args);
}

/**
 * The hyperbolic sine.
 *
 * PyTorch: `torch.sinh`, `Tensor.sinh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).sinh() // [0]
 */
export function sinh(input: Tensor): Tensor;
export function sinh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.sinh, undefined, args);
}

/**
 * The hyperbolic cosine.
 *
 * PyTorch: `torch.cosh`, `Tensor.cosh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).cosh() // [1]
 */
export function cosh(input: Tensor): Tensor;
export function cosh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.cosh, undefined, args);
}

/**
 * The inverse hyperbolic sine.
 *
 * PyTorch: `torch.asinh`, `Tensor.asinh`, `torch.arcsinh`, `Tensor.arcsinh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).asinh() // [0]
 */
export function asinh(input: Tensor): Tensor;
export function asinh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.asinh, undefined, args);
}

/**
 * The inverse hyperbolic sine.
 *
 * PyTorch: `torch.asinh`, `Tensor.asinh`, `torch.arcsinh`, `Tensor.arcsinh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).asinh() // [0]
 */
export function arcsinh(input: Tensor): Tensor;
export function arcsinh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.asinh, undefined, args);
}

/**
 * The inverse hyperbolic cosine.
 *
 * PyTorch: `torch.acosh`, `Tensor.acosh`, `torch.arccosh`, `Tensor.arccosh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).acosh() // [0]
 */
export function acosh(input: Tensor): Tensor;
export function acosh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.acosh, undefined, args);
}

/**
 * The inverse hyperbolic cosine.
 *
 * PyTorch: `torch.acosh`, `Tensor.acosh`, `torch.arccosh`, `Tensor.arccosh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).acosh() // [0]
 */
export function arccosh(input: Tensor): Tensor;
export function arccosh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.acosh, undefined, args);
}

/**
 * The inverse hyperbolic tangent.
 *
 * PyTorch: `torch.atanh`, `Tensor.atanh`, `torch.arctanh`, `Tensor.arctanh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).atanh() // [0]
 */
export function atanh(input: Tensor): Tensor;
export function atanh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.atanh, undefined, args);
}

/**
 * The inverse hyperbolic tangent.
 *
 * PyTorch: `torch.atanh`, `Tensor.atanh`, `torch.arctanh`, `Tensor.arctanh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).atanh() // [0]
 */
export function arctanh(input: Tensor): Tensor;
export function arctanh(...args: readonly unknown[]): unknown {
  return call(elementaryRows.atanh, undefined, args);
}

/**
 * 2 raised to the power of each element.
 *
 * PyTorch: `torch.exp2`, `Tensor.exp2`, `torch.special.exp2`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([3]).exp2() // [8]
 */
export function exp2(input: Tensor): Tensor;
export function exp2(...args: readonly unknown[]): unknown {
  return call(elementaryRows.exp2, undefined, args);
}

/**
 * The logarithm to base 2.
 *
 * PyTorch: `torch.log2`, `Tensor.log2`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([8]).log2() // [3]
 */
export function log2(input: Tensor): Tensor;
export function log2(...args: readonly unknown[]): unknown {
  return call(elementaryRows.log2, undefined, args);
}

/**
 * The logarithm to base 10.
 *
 * PyTorch: `torch.log10`, `Tensor.log10`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([100]).log10() // [2]
 */
export function log10(input: Tensor): Tensor;
export function log10(...args: readonly unknown[]): unknown {
  return call(elementaryRows.log10, undefined, args);
}

/**
 * 1 minus the error function.
 *
 * PyTorch: `torch.erfc`, `Tensor.erfc`, `torch.special.erfc`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).erfc() // [1]
 */
export function erfc(input: Tensor): Tensor;
export function erfc(...args: readonly unknown[]): unknown {
  return call(elementaryRows.erfc, undefined, args);
}

/**
 * The inverse of the error function.
 *
 * PyTorch: `torch.erfinv`, `Tensor.erfinv`, `torch.special.erfinv`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).erfinv() // [0]
 */
export function erfinv(input: Tensor): Tensor;
export function erfinv(...args: readonly unknown[]): unknown {
  return call(elementaryRows.erfinv, undefined, args);
}

/**
 * The logarithm of the absolute value of the gamma function.
 *
 * PyTorch: `torch.lgamma`, `Tensor.lgamma`, `torch.special.gammaln`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([3]).lgamma() // [0.693…]
 */
export function lgamma(input: Tensor): Tensor;
export function lgamma(...args: readonly unknown[]): unknown {
  return call(elementaryRows.lgamma, undefined, args);
}

/**
 * The derivative of `lgamma`.
 *
 * Differs from PyTorch: The gradient at the poles is infinite; PyTorch gives large numbers there.
 *
 * PyTorch: `torch.digamma`, `Tensor.digamma`, `torch.special.psi`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1]).digamma() // [-0.577…]
 */
export function digamma(input: Tensor): Tensor;
export function digamma(...args: readonly unknown[]): unknown {
  return call(elementaryRows.digamma, undefined, args);
}

/**
 * sin(πx) / (πx), 1 at 0.
 *
 * PyTorch: `torch.sinc`, `Tensor.sinc`, `torch.special.sinc`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0]).sinc() // [1]
 */
export function sinc(input: Tensor): Tensor;
export function sinc(...args: readonly unknown[]): unknown {
  return call(elementaryRows.sinc, undefined, args);
}

/**
 * log(x / (1 − x)).
 *
 * PyTorch: `torch.logit`, `Tensor.logit`, `torch.special.logit`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([0.5]).logit() // [0]
 */
export function logit(input: Tensor): Tensor;
export function logit(...args: readonly unknown[]): unknown {
  return call(elementaryRows.logit, undefined, args);
}

/**
 * From degrees to radians.
 *
 * PyTorch: `torch.deg2rad`, `Tensor.deg2rad`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([180]).deg2rad() // [π]
 */
export function deg2rad(input: Tensor): Tensor;
export function deg2rad(...args: readonly unknown[]): unknown {
  return call(elementaryRows.deg2rad, undefined, args);
}

/**
 * From radians to degrees.
 *
 * PyTorch: `torch.rad2deg`, `Tensor.rad2deg`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([Math.PI]).rad2deg() // [180]
 */
export function rad2deg(input: Tensor): Tensor;
export function rad2deg(...args: readonly unknown[]): unknown {
  return call(elementaryRows.rad2deg, undefined, args);
}

/**
 * Each element rounded towards zero.
 *
 * PyTorch: `torch.trunc`, `Tensor.trunc`, `torch.fix`, `Tensor.fix`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([-1.7, 1.7]).trunc() // [-1, 1]
 */
export function trunc(input: Tensor): Tensor;
export function trunc(...args: readonly unknown[]): unknown {
  return call(elementaryRows.trunc, undefined, args);
}

/**
 * Each element rounded towards zero.
 *
 * PyTorch: `torch.trunc`, `Tensor.trunc`, `torch.fix`, `Tensor.fix`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([-1.7, 1.7]).trunc() // [-1, 1]
 */
export function fix(input: Tensor): Tensor;
export function fix(...args: readonly unknown[]): unknown {
  return call(elementaryRows.trunc, undefined, args);
}

/**
 * The fractional part, with the sign of the element.
 *
 * PyTorch: `torch.frac`, `Tensor.frac`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([-1.75]).frac() // [-0.75]
 */
export function frac(input: Tensor): Tensor;
export function frac(...args: readonly unknown[]): unknown {
  return call(elementaryRows.frac, undefined, args);
}

/**
 * NaN and infinities replaced by numbers.
 *
 * PyTorch: `torch.nan_to_num`, `Tensor.nan_to_num`.
 *
 * @param input - The tensor.
 * @param nan - The replacement for NaN. Default: 0.
 * @param posinf - The replacement for infinity; the largest number of the data type by default.
 * @param neginf - The replacement for minus infinity; the lowest number of the data type by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([NaN, Infinity]).nanToNum(0, 1e6) // [0, 1000000]
 */
export function nanToNum(
  input: Tensor,
  nan?: number | NanToNumOptions | undefined,
  posinf?: number | NanToNumOptions | undefined,
  neginf?: number | NanToNumOptions | undefined,
): Tensor;
export function nanToNum(...args: readonly unknown[]): unknown {
  return call(elementaryRows.nanToNum, undefined, args);
}

/**
 * Whether elements are NaN.
 *
 * PyTorch: `torch.isnan`, `Tensor.isnan`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1, NaN]).isnan() // [false, true]
 */
export function isnan(input: Tensor): Tensor;
export function isnan(...args: readonly unknown[]): unknown {
  return call(elementaryRows.isnan, undefined, args);
}

/**
 * Whether elements are infinite.
 *
 * PyTorch: `torch.isinf`, `Tensor.isinf`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1, -Infinity]).isinf() // [false, true]
 */
export function isinf(input: Tensor): Tensor;
export function isinf(...args: readonly unknown[]): unknown {
  return call(elementaryRows.isinf, undefined, args);
}

/**
 * Whether elements are infinity.
 *
 * PyTorch: `torch.isposinf`, `Tensor.isposinf`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1, Infinity, -Infinity, NaN]).isposinf() // [false, true, false, false]
 */
export function isposinf(input: Tensor): Tensor;
export function isposinf(...args: readonly unknown[]): unknown {
  return call(elementaryRows.isposinf, undefined, args);
}

/**
 * Whether elements are minus infinity.
 *
 * PyTorch: `torch.isneginf`, `Tensor.isneginf`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1, Infinity, -Infinity, NaN]).isneginf() // [false, false, true, false]
 */
export function isneginf(input: Tensor): Tensor;
export function isneginf(...args: readonly unknown[]): unknown {
  return call(elementaryRows.isneginf, undefined, args);
}

/**
 * Whether elements are finite: neither infinite nor NaN.
 *
 * PyTorch: `torch.isfinite`, `Tensor.isfinite`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Elementary functions
 * @example
 * tensor([1, NaN]).isfinite() // [true, false]
 */
export function isfinite(input: Tensor): Tensor;
export function isfinite(...args: readonly unknown[]): unknown {
  return call(elementaryRows.isfinite, undefined, args);
}

/**
 * The angle of the point (other, input), from −π to π.
 *
 * PyTorch: `torch.atan2`, `Tensor.atan2`, `torch.arctan2`, `Tensor.arctan2`.
 *
 * @param input - The left operand.
 * @param other - The coordinates along the first axis.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([1]).atan2(tensor([1])) // [π/4]
 */
export function atan2(input: Tensor | Scalar, other: Tensor): Tensor;
export function atan2(...args: readonly unknown[]): unknown {
  return call(binaryRows.atan2, undefined, args);
}

/**
 * The angle of the point (other, input), from −π to π.
 *
 * PyTorch: `torch.atan2`, `Tensor.atan2`, `torch.arctan2`, `Tensor.arctan2`.
 *
 * @param input - The left operand.
 * @param other - The coordinates along the first axis.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([1]).atan2(tensor([1])) // [π/4]
 */
export function arctan2(input: Tensor | Scalar, other: Tensor): Tensor;
export function arctan2(...args: readonly unknown[]): unknown {
  return call(binaryRows.atan2, undefined, args);
}

/**
 * The length of the hypotenuse: √(input² + other²).
 *
 * PyTorch: `torch.hypot`, `Tensor.hypot`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([3]).hypot(tensor([4])) // [5]
 */
export function hypot(input: Tensor | Scalar, other: Tensor): Tensor;
export function hypot(...args: readonly unknown[]): unknown {
  return call(binaryRows.hypot, undefined, args);
}

/**
 * The remainder of the division, with the sign of the dividend.
 *
 * PyTorch: `torch.fmod`, `Tensor.fmod`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([-7, 7]).fmod(3) // [-1, 1]
 */
export function fmod(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function fmod(...args: readonly unknown[]): unknown {
  return call(binaryRows.fmod, undefined, args);
}

/**
 * log(exp(input) + exp(other)), without overflow.
 *
 * PyTorch: `torch.logaddexp`, `Tensor.logaddexp`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([1000]).logaddexp(tensor([1000])) // [1000.69…]
 */
export function logaddexp(input: Tensor | Scalar, other: Tensor): Tensor;
export function logaddexp(...args: readonly unknown[]): unknown {
  return call(binaryRows.logaddexp, undefined, args);
}

/**
 * input · log(other), 0 where the input is 0.
 *
 * PyTorch: `torch.xlogy`, `Tensor.xlogy`, `torch.special.xlogy`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([0, 2]).xlogy(tensor([0, 1])) // [0, 0]
 */
export function xlogy(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function xlogy(...args: readonly unknown[]): unknown {
  return call(binaryRows.xlogy, undefined, args);
}

/**
 * The larger of two elements; NaN only if both are.
 *
 * PyTorch: `torch.fmax`, `Tensor.fmax`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([NaN]).fmax(tensor([1])) // [1]
 */
export function fmax(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function fmax(...args: readonly unknown[]): unknown {
  return call(binaryRows.fmax, undefined, args);
}

/**
 * The smaller of two elements; NaN only if both are.
 *
 * PyTorch: `torch.fmin`, `Tensor.fmin`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([NaN]).fmin(tensor([1])) // [1]
 */
export function fmin(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function fmin(...args: readonly unknown[]): unknown {
  return call(binaryRows.fmin, undefined, args);
}

/**
 * Each element, at least `min`.
 *
 * PyTorch: `torch.clamp_min`, `Tensor.clamp_min`.
 *
 * @param input - The tensor.
 * @param min - The lower bound.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([-1, 2]).clampMin(0) // [0, 2]
 */
export function clampMin(input: Tensor, min: Tensor | Scalar): Tensor;
export function clampMin(...args: readonly unknown[]): unknown {
  return call(binaryRows.clampMin, undefined, args);
}

/**
 * Each element, at most `max`.
 *
 * PyTorch: `torch.clamp_max`, `Tensor.clamp_max`.
 *
 * @param input - The tensor.
 * @param max - The upper bound.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([-1, 2]).clampMax(0) // [-1, 0]
 */
export function clampMax(input: Tensor, max: Tensor | Scalar): Tensor;
export function clampMax(...args: readonly unknown[]): unknown {
  return call(binaryRows.clampMax, undefined, args);
}

/**
 * Bitwise and of two integers, or of booleans (&).
 *
 * PyTorch: `torch.bitwise_and`, `Tensor.bitwise_and`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseAnd(1) // [1, 0, 1]
 */
export function bitwiseAnd(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function bitwiseAnd(...args: readonly unknown[]): unknown {
  return call(binaryRows.bitwiseAnd, undefined, args);
}

/**
 * Bitwise or of two integers, or of booleans (|).
 *
 * PyTorch: `torch.bitwise_or`, `Tensor.bitwise_or`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseOr(1) // [1, 3, 3]
 */
export function bitwiseOr(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function bitwiseOr(...args: readonly unknown[]): unknown {
  return call(binaryRows.bitwiseOr, undefined, args);
}

/**
 * Bitwise xor of two integers, or of booleans (^).
 *
 * PyTorch: `torch.bitwise_xor`, `Tensor.bitwise_xor`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseXor(1) // [0, 3, 2]
 */
export function bitwiseXor(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function bitwiseXor(...args: readonly unknown[]): unknown {
  return call(binaryRows.bitwiseXor, undefined, args);
}

/**
 * The bits of integers shifted to the left (<<).
 *
 * PyTorch: `torch.bitwise_left_shift`, `Tensor.bitwise_left_shift`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([4], { dtype: 'int32' }).bitwiseLeftShift(1) // [8]
 */
export function bitwiseLeftShift(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function bitwiseLeftShift(...args: readonly unknown[]): unknown {
  return call(binaryRows.bitwiseLeftShift, undefined, args);
}

/**
 * The bits of integers shifted to the right (>>).
 *
 * PyTorch: `torch.bitwise_right_shift`, `Tensor.bitwise_right_shift`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([4], { dtype: 'int32' }).bitwiseRightShift(1) // [2]
 */
export function bitwiseRightShift(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function bitwiseRightShift(...args: readonly unknown[]): unknown {
  return call(binaryRows.bitwiseRightShift, undefined, args);
}

/**
 * The bits of integers, or booleans, inverted (~).
 *
 * PyTorch: `torch.bitwise_not`, `Tensor.bitwise_not`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Functions of two operands, bits
 * @example
 * tensor([0], { dtype: 'int32' }).bitwiseNot() // [-1]
 */
export function bitwiseNot(input: Tensor): Tensor;
export function bitwiseNot(...args: readonly unknown[]): unknown {
  return call(binaryRows.bitwiseNot, undefined, args);
}

/**
 * Whether two elements are nearly equal: |input − other| ≤ atol + rtol · |other|.
 *
 * PyTorch: `torch.isclose`, `Tensor.isclose`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param rtol - The relative tolerance. Default: 0.00001.
 * @param atol - The absolute tolerance. Default: 1e-8.
 * @param equalNan - Whether NaN equals NaN. Default: false.
 * @returns the broadcast shape of the operands; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Functions of two operands, bits
 * @example
 * tensor([1]).isclose(tensor([1.0000001])) // [true]
 */
export function isclose(
  input: Tensor,
  other: Tensor,
  rtol?: number | IscloseOptions | undefined,
  atol?: number | IscloseOptions | undefined,
  equalNan?: boolean | IscloseOptions | undefined,
): Tensor;
export function isclose(...args: readonly unknown[]): unknown {
  return call(binaryRows.isclose, undefined, args);
}

/**
 * The tensor itself: +x.
 *
 * PyTorch: `torch.positive`, `Tensor.positive`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Less common functions of numbers
 * @example
 * tensor([-1]).positive() // [-1]
 */
export function positive(input: Tensor): Tensor;
export function positive(...args: readonly unknown[]): unknown {
  return call(numberRows.positive, undefined, args);
}

/**
 * The magnitude of the input with the sign of the other operand.
 *
 * PyTorch: `torch.copysign`, `Tensor.copysign`.
 *
 * @param input - The tensor.
 * @param other - The operand with the sign.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * tensor([1, -2]).copysign(tensor([-1, 1])) // [-1, 2]
 */
export function copysign(input: Tensor, other: Tensor | Scalar): Tensor;
export function copysign(...args: readonly unknown[]): unknown {
  return call(numberRows.copysign, undefined, args);
}

/**
 * Whether the sign bit is set, including that of zeros.
 *
 * PyTorch: `torch.signbit`, `Tensor.signbit`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Less common functions of numbers
 * @example
 * tensor([-0, 1]).signbit() // [true, false]
 */
export function signbit(input: Tensor): Tensor;
export function signbit(...args: readonly unknown[]): unknown {
  return call(numberRows.signbit, undefined, args);
}

/**
 * Whether the imaginary part is 0; true for all real numbers.
 *
 * PyTorch: `torch.isreal`, `Tensor.isreal`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Less common functions of numbers
 * @example
 * tensor([1]).isreal() // [true]
 */
export function isreal(input: Tensor): Tensor;
export function isreal(...args: readonly unknown[]): unknown {
  return call(numberRows.isreal, undefined, args);
}

/**
 * The Heaviside step function: 0 where the input is negative, 1 where it is positive, `values` where it is 0.
 *
 * PyTorch: `torch.heaviside`, `Tensor.heaviside`.
 *
 * @param input - The tensor.
 * @param values - The values at 0.
 * @returns the broadcast shape of the operands; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Less common functions of numbers
 * @example
 * tensor([-1, 0, 1]).heaviside(tensor([0.5])) // [0, 0.5, 1]
 */
export function heaviside(input: Tensor, values: Tensor): Tensor;
export function heaviside(...args: readonly unknown[]): unknown {
  return call(numberRows.heaviside, undefined, args);
}

/**
 * The greatest common divisor of integers.
 *
 * PyTorch: `torch.gcd`, `Tensor.gcd`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Less common functions of numbers
 * @example
 * tensor([12], { dtype: 'int32' }).gcd(tensor([18], { dtype: 'int32' })) // [6]
 */
export function gcd(input: Tensor, other: Tensor): Tensor;
export function gcd(...args: readonly unknown[]): unknown {
  return call(numberRows.gcd, undefined, args);
}

/**
 * The least common multiple of integers.
 *
 * PyTorch: `torch.lcm`, `Tensor.lcm`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Less common functions of numbers
 * @example
 * tensor([4], { dtype: 'int32' }).lcm(tensor([6], { dtype: 'int32' })) // [12]
 */
export function lcm(input: Tensor, other: Tensor): Tensor;
export function lcm(...args: readonly unknown[]): unknown {
  return call(numberRows.lcm, undefined, args);
}

/**
 * The next representable number in the direction of the other operand.
 *
 * PyTorch: `torch.nextafter`, `Tensor.nextafter`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * tensor([1]).nextafter(tensor([2])) // [1.00000012]
 */
export function nextafter(input: Tensor, other: Tensor): Tensor;
export function nextafter(...args: readonly unknown[]): unknown {
  return call(numberRows.nextafter, undefined, args);
}

/**
 * input · 2^other.
 *
 * Differs from PyTorch: The gradient is that of the formula also for integers as exponents, where PyTorch’s is 0
 * for negative ones.
 *
 * PyTorch: `torch.ldexp`, `Tensor.ldexp`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * tensor([1]).ldexp(tensor([3], { dtype: 'int32' })) // [8]
 */
export function ldexp(input: Tensor, other: Tensor): Tensor;
export function ldexp(...args: readonly unknown[]): unknown {
  return call(numberRows.ldexp, undefined, args);
}

/**
 * log₂(2^input + 2^other), without overflow.
 *
 * PyTorch: `torch.logaddexp2`, `Tensor.logaddexp2`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * tensor([1000]).logaddexp2(tensor([1000])) // [1001]
 */
export function logaddexp2(input: Tensor, other: Tensor): Tensor;
export function logaddexp2(...args: readonly unknown[]): unknown {
  return call(numberRows.logaddexp2, undefined, args);
}

/**
 * The input raised to a power, in float64.
 *
 * PyTorch: `torch.float_power`, `Tensor.float_power`.
 *
 * @param input - The tensor.
 * @param exponent - The exponent.
 * @returns the broadcast shape of the operands; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * const cube = tensor([2]).floatPower(3); // [8]
 * cube.dtype // 'float64'
 */
export function floatPower(input: Tensor, exponent: Tensor | Scalar): Tensor;
export function floatPower(...args: readonly unknown[]): unknown {
  return call(numberRows.floatPower, undefined, args);
}

/**
 * The p-norm of the difference.
 *
 * PyTorch: `torch.dist`, `Tensor.dist`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @param p - The order of the norm. Default: 2.
 * @returns no dims; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * tensor([3, 0]).dist(tensor([0, 4])) // 5
 */
export function dist(input: Tensor, other: Tensor, p?: number | DistOptions | undefined): Tensor;
export function dist(...args: readonly unknown[]): unknown {
  return call(numberRows.dist, undefined, args);
}

/**
 * The dot product of two vectors, with the first one conjugated.
 *
 * PyTorch: `torch.vdot`, `Tensor.vdot`.
 *
 * @param input - The tensor.
 * @param other - The other tensor.
 * @returns no dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * tensor([1, 2]).vdot(tensor([3, 4])) // 11
 */
export function vdot(input: Tensor, other: Tensor): Tensor;
export function vdot(...args: readonly unknown[]): unknown {
  return call(numberRows.vdot, undefined, args);
}

/**
 * The outer product of two vectors, added to a matrix: beta · input + alpha · vec1 · vec2ᵀ.
 *
 * PyTorch: `torch.addr`, `Tensor.addr`.
 *
 * @param input - The tensor.
 * @param vec1 - The column.
 * @param vec2 - The row.
 * @param options.beta - The factor for the input. Default: 1.
 * @param options.alpha - The factor for the product. Default: 1.
 * @returns [rows, columns]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * zeros([2, 2]).addr(tensor([1, 2]), tensor([3, 4])) // [[3, 4], [6, 8]]
 */
export function addr(input: Tensor, vec1: Tensor, vec2: Tensor, options?: AddrOptions): Tensor;
export function addr(...args: readonly unknown[]): unknown {
  return call(numberRows.addr, undefined, args);
}

/**
 * beta · input + alpha · the sum of the products of two batches of matrices.
 *
 * PyTorch: `torch.addbmm`, `Tensor.addbmm`.
 *
 * @param input - The tensor.
 * @param batch1 - The left matrices.
 * @param batch2 - The right matrices.
 * @param options.beta - The factor for the input. Default: 1.
 * @param options.alpha - The factor for the sum. Default: 1.
 * @returns [rows, columns]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * const x = ones([3, 2, 4]);
 * zeros([2, 2]).addbmm(x, x.transpose(1, 2)) // [[12, 12], [12, 12]]
 */
export function addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, options?: AddbmmOptions): Tensor;
export function addbmm(...args: readonly unknown[]): unknown {
  return call(numberRows.addbmm, undefined, args);
}

/**
 * The cumulative integral along a dim by the trapezoidal rule, with a constant spacing dx.
 *
 * Differs from PyTorch: Only with a constant spacing: there is no x.
 *
 * PyTorch: `torch.cumulative_trapezoid`.
 *
 * @param y - The values.
 * @param options.dx - The step. Default: 1.
 * @param options.dim - The dim. Default: -1.
 * @returns the shape of y with one entry less at the dim; the data type of the input; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Less common functions of numbers
 * @example
 * cumulativeTrapezoid(tensor([1, 2, 3])) // [1.5, 4]
 */
export function cumulativeTrapezoid(y: Tensor, options?: CumulativeTrapezoidOptions): Tensor;
export function cumulativeTrapezoid(...args: readonly unknown[]): unknown {
  return call(numberRows.cumulativeTrapezoid, undefined, args);
}

/**
 * The gradient along each dim by central differences, one-sided at the ends.
 *
 * Differs from PyTorch: The spacing along each dim is constant: one number.
 *
 * PyTorch: `torch.gradient`.
 *
 * @param input - The tensor.
 * @param options.spacing - The distance between adjacent points. Default: 1.
 * @param options.dim - The dim or dims; all of them by default.
 * @param options.edgeOrder - The order of the differences at the ends: 1 or 2. Default: 1.
 * @returns A list: the shape of the input, once for each dim; the data type of the input; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Less common functions of numbers
 * @example
 * const [dx] = gradient(tensor([1, 4, 9])); // [3, 4, 5]
 */
export function gradient(input: Tensor, options?: GradientOptions): Tensor[];
export function gradient(...args: readonly unknown[]): unknown {
  return call(numberRows.gradient, undefined, args);
}

/**
 * The modified Bessel function of the first kind of order 0.
 *
 * PyTorch: `torch.i0`, `Tensor.i0`, `torch.special.i0`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.i0(tensor([0])) // [1]
 */
export function i0(input: Tensor): Tensor;
export function i0(...args: readonly unknown[]): unknown {
  return call(specialRows.i0, undefined, args);
}

/**
 * The logarithm of the gamma function of p variables.
 *
 * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
 *
 * @param input - The tensor.
 * @param p - The number of variables.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.multigammaln(tensor([3]), 2) // [1.55…]
 */
export function multigammaln(input: Tensor, p: number): Tensor;
/**
 * The logarithm of the gamma function of p variables.
 *
 * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
 *
 * @param input - The tensor.
 * @param named.p - The number of variables.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.multigammaln(tensor([3]), 2) // [1.55…]
 */
export function multigammaln(input: Tensor, named: { readonly p: number }): Tensor;
export function multigammaln(...args: readonly unknown[]): unknown {
  return call(specialRows.multigammaln, undefined, args);
}

/**
 * The logarithm of the gamma function of p variables.
 *
 * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
 *
 * @param input - The tensor.
 * @param p - The number of variables.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.multigammaln(tensor([3]), 2) // [1.55…]
 */
export function mvlgamma(input: Tensor, p: number): Tensor;
/**
 * The logarithm of the gamma function of p variables.
 *
 * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
 *
 * @param input - The tensor.
 * @param named.p - The number of variables.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.multigammaln(tensor([3]), 2) // [1.55…]
 */
export function mvlgamma(input: Tensor, named: { readonly p: number }): Tensor;
export function mvlgamma(...args: readonly unknown[]): unknown {
  return call(specialRows.multigammaln, undefined, args);
}

/**
 * The n-th derivative of `digamma`.
 *
 * Differs from PyTorch: Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it
 * does for gradients of `digamma`.
 *
 * PyTorch: `torch.polygamma`, `torch.special.polygamma`.
 *
 * @param n - The order of the derivative.
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.polygamma(1, tensor([1])) // [1.644…]
 */
export function polygamma(n: number, input: Tensor): Tensor;
/**
 * The n-th derivative of `digamma`.
 *
 * Differs from PyTorch: Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it
 * does for gradients of `digamma`.
 *
 * PyTorch: `torch.polygamma`, `torch.special.polygamma`.
 *
 * @param named.n - The order of the derivative.
 * @param named.input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Special functions
 * @example
 * special.polygamma(1, tensor([1])) // [1.644…]
 */
export function polygamma(named: { readonly n: number; readonly input: Tensor }): Tensor;
export function polygamma(...args: readonly unknown[]): unknown {
  return call(specialRows.polygamma, undefined, args);
}

/**
 * The regularized lower incomplete gamma function.
 *
 * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
 *
 * PyTorch: `torch.igamma`, `Tensor.igamma`, `torch.special.gammainc`.
 *
 * @param input - The shape parameter.
 * @param other - The bound of the integral.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Special functions
 * @example
 * special.gammainc(tensor([1]), tensor([1])) // [0.632…]
 */
export function igamma(input: Tensor, other: Tensor): Tensor;
export function igamma(...args: readonly unknown[]): unknown {
  return call(specialRows.igamma, undefined, args);
}

/**
 * The regularized upper incomplete gamma function.
 *
 * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
 *
 * PyTorch: `torch.igammac`, `Tensor.igammac`, `torch.special.gammaincc`.
 *
 * @param input - The shape parameter.
 * @param other - The bound of the integral.
 * @returns the broadcast shape of the operands; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Special functions
 * @example
 * special.gammaincc(tensor([1]), tensor([1])) // [0.367…]
 */
export function igammac(input: Tensor, other: Tensor): Tensor;
export function igammac(...args: readonly unknown[]): unknown {
  return call(specialRows.igammac, undefined, args);
}

/**
 * The sum of the elements over dims.
 *
 * PyTorch: `torch.sum`, `Tensor.sum`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([[1, 2], [3, 4]]).sum(1) // [3, 7]
 */
export function sum(
  input: Tensor,
  dim?: number | readonly number[] | SumOptions | undefined,
  keepDim?: boolean | SumOptions | undefined,
  options?: SumOptions,
): Tensor;
export function sum(...args: readonly unknown[]): unknown {
  return call(reductionRows.sum, undefined, args);
}

/**
 * The mean of the elements over dims.
 *
 * Differs from PyTorch: The mean of integers and booleans is float32; PyTorch raises an error unless `dtype` is
 * given.
 *
 * PyTorch: `torch.mean`, `Tensor.mean`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([[1, 2], [3, 4]]).mean(0) // [2, 3]
 */
export function mean(
  input: Tensor,
  dim?: number | readonly number[] | MeanOptions | undefined,
  keepDim?: boolean | MeanOptions | undefined,
  options?: MeanOptions,
): Tensor;
export function mean(...args: readonly unknown[]): unknown {
  return call(reductionRows.mean, undefined, args);
}

/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param options.correction - Subtracted from the number of elements. Default: 1.
 * @param options.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).var() // 1
 */
function var_(input: Tensor, dim?: number | readonly number[] | VarOptions | undefined, options?: VarOptions): Tensor;
/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce.
 * @param unbiased - Subtract 1 from the number of elements.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).var() // 1
 */
function var_(
  input: Tensor,
  dim: number | readonly number[],
  unbiased: boolean,
  keepDim?: boolean | VarOptions2 | undefined,
): Tensor;
/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim or dims to reduce.
 * @param named.unbiased - Subtract 1 from the number of elements.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).var() // 1
 */
function var_(
  input: Tensor,
  named: { readonly dim: number | readonly number[]; readonly unbiased: boolean } & VarOptions2,
): Tensor;
/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
 * @param unbiased - Subtract 1 from the number of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).var() // 1
 */
function var_(input: Tensor, unbiased: boolean): Tensor;
/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
 * @param named.unbiased - Subtract 1 from the number of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).var() // 1
 */
function var_(input: Tensor, named: { readonly unbiased: boolean }): Tensor;
function var_(...args: readonly unknown[]): unknown {
  return call(reductionRows.var, undefined, args);
}

export { var_ as var };

/**
 * The standard deviation over dims.
 *
 * PyTorch: `torch.std`, `Tensor.std`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param options.correction - Subtracted from the number of elements. Default: 1.
 * @param options.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).std() // 1
 */
export function std(
  input: Tensor,
  dim?: number | readonly number[] | StdOptions | undefined,
  options?: StdOptions,
): Tensor;
/**
 * The standard deviation over dims.
 *
 * PyTorch: `torch.std`, `Tensor.std`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce.
 * @param unbiased - Subtract 1 from the number of elements.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).std() // 1
 */
export function std(
  input: Tensor,
  dim: number | readonly number[],
  unbiased: boolean,
  keepDim?: boolean | StdOptions2 | undefined,
): Tensor;
/**
 * The standard deviation over dims.
 *
 * PyTorch: `torch.std`, `Tensor.std`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim or dims to reduce.
 * @param named.unbiased - Subtract 1 from the number of elements.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).std() // 1
 */
export function std(
  input: Tensor,
  named: { readonly dim: number | readonly number[]; readonly unbiased: boolean } & StdOptions2,
): Tensor;
/**
 * The standard deviation over dims.
 *
 * PyTorch: `torch.std`, `Tensor.std`.
 *
 * @param input - The tensor.
 * @param unbiased - Subtract 1 from the number of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).std() // 1
 */
export function std(input: Tensor, unbiased: boolean): Tensor;
/**
 * The standard deviation over dims.
 *
 * PyTorch: `torch.std`, `Tensor.std`.
 *
 * @param input - The tensor.
 * @param named.unbiased - Subtract 1 from the number of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([1, 2, 3]).std() // 1
 */
export function std(input: Tensor, named: { readonly unbiased: boolean }): Tensor;
export function std(...args: readonly unknown[]): unknown {
  return call(reductionRows.std, undefined, args);
}

/**
 * The largest element; along a dim, with its index; or the largest of two elements.
 *
 * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
 * NaN counts as the largest.
 *
 * PyTorch: `torch.max`, `Tensor.max`.
 *
 * @param input - The tensor.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).max(1); // [5, 4], [1, 0]
 * tensor([1, 5, 2]).max() // 5
 */
export function max(input: Tensor): Tensor;
/**
 * The largest element; along a dim, with its index; or the largest of two elements.
 *
 * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
 * NaN counts as the largest.
 *
 * PyTorch: `torch.max`, `Tensor.max`.
 *
 * @param input - The tensor.
 * @param dim - The dim to reduce.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the reduced dims,
 * which have size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).max(1); // [5, 4], [1, 0]
 * tensor([1, 5, 2]).max() // 5
 */
export function max(
  input: Tensor,
  dim: number,
  keepDim?: boolean | MaxOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element; along a dim, with its index; or the largest of two elements.
 *
 * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
 * NaN counts as the largest.
 *
 * PyTorch: `torch.max`, `Tensor.max`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim to reduce.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the reduced dims,
 * which have size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).max(1); // [5, 4], [1, 0]
 * tensor([1, 5, 2]).max() // 5
 */
export function max(
  input: Tensor,
  named: { readonly dim: number } & MaxOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element; along a dim, with its index; or the largest of two elements.
 *
 * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
 * NaN counts as the largest.
 *
 * PyTorch: `torch.max`, `Tensor.max`.
 *
 * @param input - The tensor.
 * @param other - The right operand.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).max(1); // [5, 4], [1, 0]
 * tensor([1, 5, 2]).max() // 5
 */
export function max(input: Tensor, other: Tensor | Scalar): Tensor;
export function max(...args: readonly unknown[]): unknown {
  return call(reductionRows.max, undefined, args);
}

/**
 * The smallest element; along a dim, with its index; or the smallest of two elements.
 *
 * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
 * it. NaN counts as the smallest.
 *
 * PyTorch: `torch.min`, `Tensor.min`.
 *
 * @param input - The tensor.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).min(1); // [1, 0], [0, 1]
 * tensor([1, 5, 2]).min() // 1
 */
export function min(input: Tensor): Tensor;
/**
 * The smallest element; along a dim, with its index; or the smallest of two elements.
 *
 * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
 * it. NaN counts as the smallest.
 *
 * PyTorch: `torch.min`, `Tensor.min`.
 *
 * @param input - The tensor.
 * @param dim - The dim to reduce.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the reduced dims,
 * which have size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).min(1); // [1, 0], [0, 1]
 * tensor([1, 5, 2]).min() // 1
 */
export function min(
  input: Tensor,
  dim: number,
  keepDim?: boolean | MinOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The smallest element; along a dim, with its index; or the smallest of two elements.
 *
 * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
 * it. NaN counts as the smallest.
 *
 * PyTorch: `torch.min`, `Tensor.min`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim to reduce.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the reduced dims,
 * which have size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).min(1); // [1, 0], [0, 1]
 * tensor([1, 5, 2]).min() // 1
 */
export function min(
  input: Tensor,
  named: { readonly dim: number } & MinOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The smallest element; along a dim, with its index; or the smallest of two elements.
 *
 * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
 * it. NaN counts as the smallest.
 *
 * PyTorch: `torch.min`, `Tensor.min`.
 *
 * @param input - The tensor.
 * @param other - The right operand.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @throws {SHAPE_MISMATCH}
 * @category Reductions
 * @example
 * const { values, indices } = tensor([[1, 5, 2], [4, 0, 3]]).min(1); // [1, 0], [0, 1]
 * tensor([1, 5, 2]).min() // 1
 */
export function min(input: Tensor, other: Tensor | Scalar): Tensor;
export function min(...args: readonly unknown[]): unknown {
  return call(reductionRows.min, undefined, args);
}

/**
 * The largest element over dims, without its index.
 *
 * Elements that tie share the gradient.
 *
 * Differs from PyTorch: Where the result is NaN, the gradient is 0, not NaN.
 *
 * PyTorch: `torch.amax`, `Tensor.amax`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Reductions
 * @example
 * tensor([[1, 5], [7, 2]]).amax(1) // [5, 7]
 */
export function amax(
  input: Tensor,
  dim?: number | readonly number[] | AmaxOptions | undefined,
  keepDim?: boolean | AmaxOptions | undefined,
): Tensor;
export function amax(...args: readonly unknown[]): unknown {
  return call(reductionRows.amax, undefined, args);
}

/**
 * The smallest element over dims, without its index.
 *
 * Elements that tie share the gradient.
 *
 * Differs from PyTorch: Where the result is NaN, the gradient is 0, not NaN.
 *
 * PyTorch: `torch.amin`, `Tensor.amin`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Reductions
 * @example
 * tensor([[1, 5], [7, 2]]).amin(1) // [1, 2]
 */
export function amin(
  input: Tensor,
  dim?: number | readonly number[] | AminOptions | undefined,
  keepDim?: boolean | AminOptions | undefined,
): Tensor;
export function amin(...args: readonly unknown[]): unknown {
  return call(reductionRows.amin, undefined, args);
}

/**
 * The index of the first largest element.
 *
 * Differs from PyTorch: Booleans are accepted; PyTorch raises an error.
 *
 * PyTorch: `torch.argmax`, `Tensor.argmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim to reduce; the flattened tensor by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Reductions
 * @example
 * tensor([[1, 5], [7, 2]]).argmax(1) // [1, 0]
 */
export function argmax(
  input: Tensor,
  dim?: number | ArgmaxOptions | undefined,
  keepDim?: boolean | ArgmaxOptions | undefined,
): Tensor;
export function argmax(...args: readonly unknown[]): unknown {
  return call(reductionRows.argmax, undefined, args);
}

/**
 * The index of the first smallest element.
 *
 * Differs from PyTorch: Booleans are accepted; PyTorch raises an error.
 *
 * PyTorch: `torch.argmin`, `Tensor.argmin`.
 *
 * @param input - The tensor.
 * @param dim - The dim to reduce; the flattened tensor by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Reductions
 * @example
 * tensor([[1, 5], [7, 2]]).argmin(1) // [0, 1]
 */
export function argmin(
  input: Tensor,
  dim?: number | ArgminOptions | undefined,
  keepDim?: boolean | ArgminOptions | undefined,
): Tensor;
export function argmin(...args: readonly unknown[]): unknown {
  return call(reductionRows.argmin, undefined, args);
}

/**
 * Whether all elements are true; nonzero numbers are true.
 *
 * Differs from PyTorch: The result is boolean for uint8, too; PyTorch keeps uint8 for backward compatibility.
 *
 * PyTorch: `torch.all`, `Tensor.all`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([true, false]).all() // false
 */
export function all(
  input: Tensor,
  dim?: number | readonly number[] | AllOptions | undefined,
  keepDim?: boolean | AllOptions | undefined,
): Tensor;
export function all(...args: readonly unknown[]): unknown {
  return call(reductionRows.all, undefined, args);
}

/**
 * Whether any element is true; nonzero numbers are true.
 *
 * Differs from PyTorch: The result is boolean for uint8, too; PyTorch keeps uint8 for backward compatibility.
 *
 * PyTorch: `torch.any`, `Tensor.any`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Reductions
 * @example
 * tensor([true, false]).any() // true
 */
export function any(
  input: Tensor,
  dim?: number | readonly number[] | AnyOptions | undefined,
  keepDim?: boolean | AnyOptions | undefined,
): Tensor;
export function any(...args: readonly unknown[]): unknown {
  return call(reductionRows.any, undefined, args);
}

/**
 * The product of all elements, or along a dim.
 *
 * PyTorch: `torch.prod`, `Tensor.prod`.
 *
 * @param input - The tensor.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([2, 3, 4]).prod() // 24
 */
export function prod(input: Tensor, options?: ProdOptions): Tensor;
/**
 * The product of all elements, or along a dim.
 *
 * PyTorch: `torch.prod`, `Tensor.prod`.
 *
 * @param input - The tensor.
 * @param dim - The dim to reduce.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([2, 3, 4]).prod() // 24
 */
export function prod(
  input: Tensor,
  dim: number,
  keepDim?: boolean | ProdOptions2 | undefined,
  options?: ProdOptions2,
): Tensor;
/**
 * The product of all elements, or along a dim.
 *
 * PyTorch: `torch.prod`, `Tensor.prod`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim to reduce.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param named.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([2, 3, 4]).prod() // 24
 */
export function prod(input: Tensor, named: { readonly dim: number } & ProdOptions2): Tensor;
export function prod(...args: readonly unknown[]): unknown {
  return call(moreReductions.prod, undefined, args);
}

/**
 * The sum over dims, with NaN as 0.
 *
 * PyTorch: `torch.nansum`, `Tensor.nansum`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1, NaN]).nansum() // 1
 */
export function nansum(
  input: Tensor,
  dim?: number | readonly number[] | NansumOptions | undefined,
  keepDim?: boolean | NansumOptions | undefined,
  options?: NansumOptions,
): Tensor;
export function nansum(...args: readonly unknown[]): unknown {
  return call(moreReductions.nansum, undefined, args);
}

/**
 * The mean over dims of the elements that are not NaN.
 *
 * PyTorch: `torch.nanmean`, `Tensor.nanmean`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1, 3, NaN]).nanmean() // 2
 */
export function nanmean(
  input: Tensor,
  dim?: number | readonly number[] | NanmeanOptions | undefined,
  keepDim?: boolean | NanmeanOptions | undefined,
  options?: NanmeanOptions,
): Tensor;
export function nanmean(...args: readonly unknown[]): unknown {
  return call(moreReductions.nanmean, undefined, args);
}

/**
 * The logarithm of the sum of exponentials over dims, without overflow.
 *
 * PyTorch: `torch.logsumexp`, `Tensor.logsumexp`, `torch.special.logsumexp`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1000, 1000]).logsumexp(0) // 1000.69…
 */
export function logsumexp(
  input: Tensor,
  dim: number | readonly number[],
  keepDim?: boolean | LogsumexpOptions | undefined,
): Tensor;
/**
 * The logarithm of the sum of exponentials over dims, without overflow.
 *
 * PyTorch: `torch.logsumexp`, `Tensor.logsumexp`, `torch.special.logsumexp`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim or dims to reduce.
 * @param named.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1000, 1000]).logsumexp(0) // 1000.69…
 */
export function logsumexp(
  input: Tensor,
  named: { readonly dim: number | readonly number[] } & LogsumexpOptions,
): Tensor;
export function logsumexp(...args: readonly unknown[]): unknown {
  return call(moreReductions.logsumexp, undefined, args);
}

/**
 * The p-norm over dims: the Euclidean norm of all elements by default.
 *
 * PyTorch: `torch.norm`, `Tensor.norm`.
 *
 * @param input - The tensor.
 * @param p - The order: a number, Infinity, or 'fro' for 2. Default: "fro".
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([3, 4]).norm() // 5
 */
export function norm(
  input: Tensor,
  p?: number | 'fro' | NormOptions | undefined,
  dim?: number | readonly number[] | NormOptions | undefined,
  keepDim?: boolean | NormOptions | undefined,
  options?: NormOptions,
): Tensor;
export function norm(...args: readonly unknown[]): unknown {
  return call(moreReductions.norm, undefined, args);
}

/**
 * The number of nonzero elements.
 *
 * PyTorch: `torch.count_nonzero`, `Tensor.count_nonzero`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([0, 2, 3]).countNonzero() // 2
 */
export function countNonzero(input: Tensor, dim?: number | readonly number[] | CountNonzeroOptions | undefined): Tensor;
export function countNonzero(...args: readonly unknown[]): unknown {
  return call(moreReductions.countNonzero, undefined, args);
}

/**
 * The sum of the diagonal of a matrix.
 *
 * Differs from PyTorch: There is no method: `x.trace` is the trace that recorded x.
 *
 * PyTorch: `torch.trace`, `Tensor.trace`.
 *
 * @param input - The tensor.
 * @returns []; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category More reductions
 * @example
 * trace(eye(3)) // 3
 */
export function trace(input: Tensor): Tensor;
export function trace(...args: readonly unknown[]): unknown {
  return call(moreReductions.trace, undefined, args);
}

/**
 * The smallest and the largest element.
 *
 * PyTorch: `torch.aminmax`, `Tensor.aminmax`.
 *
 * @param input - The tensor.
 * @param options.dim - The dim to reduce; all of them by default.
 * @param options.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `min` and `max`, by name or in this order: the shape of the input without the reduced dims, which have
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category More reductions
 * @example
 * const { min, max } = tensor([1, 5, 2]).aminmax(); // 1, 5
 */
export function aminmax(
  input: Tensor,
  options?: AminmaxOptions,
): readonly [min: Tensor, max: Tensor] & {
  /** The first result. */
  readonly min: Tensor;
  /** The second result. */
  readonly max: Tensor;
};
export function aminmax(...args: readonly unknown[]): unknown {
  return call(moreReductions.aminmax, undefined, args);
}

/**
 * The variance and the mean over dims.
 *
 * PyTorch: `torch.var_mean`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param options.correction - Subtracted from the number of elements. Default: 1.
 * @param options.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `variance` and `mean`, by name or in this order: the shape of the input without the reduced dims, which
 * have size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * const [variance, mean] = varMean(tensor([[1, 3], [2, 6]]), -1); // [2, 8], [2, 4]
 */
export function varMean(
  input: Tensor,
  dim?: number | readonly number[] | VarMeanOptions | undefined,
  options?: VarMeanOptions,
): readonly [variance: Tensor, mean: Tensor] & {
  /** The first result. */
  readonly variance: Tensor;
  /** The second result. */
  readonly mean: Tensor;
};
export function varMean(...args: readonly unknown[]): unknown {
  return call(moreReductions.varMean, undefined, args);
}

/**
 * The standard deviation and the mean over dims.
 *
 * PyTorch: `torch.std_mean`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param options.correction - Subtracted from the number of elements. Default: 1.
 * @param options.keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns `deviation` and `mean`, by name or in this order: the shape of the input without the reduced dims,
 * which have size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * const [deviation, mean] = stdMean(tensor([[1, 3], [2, 6]]), { dim: -1, correction: 0 }); // [1, 2], [2, 4]
 */
export function stdMean(
  input: Tensor,
  dim?: number | readonly number[] | StdMeanOptions | undefined,
  options?: StdMeanOptions,
): readonly [deviation: Tensor, mean: Tensor] & {
  /** The first result. */
  readonly deviation: Tensor;
  /** The second result. */
  readonly mean: Tensor;
};
export function stdMean(...args: readonly unknown[]): unknown {
  return call(moreReductions.stdMean, undefined, args);
}

/**
 * The differences of adjacent elements along a dim.
 *
 * PyTorch: `torch.diff`, `Tensor.diff`.
 *
 * @param input - The tensor.
 * @param n - The number of times. Default: 1.
 * @param dim - The dim. Default: -1.
 * @returns the shape of the input, with `n` fewer at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More reductions
 * @example
 * tensor([1, 4, 9]).diff() // [3, 5]
 */
export function diff(
  input: Tensor,
  n?: number | DiffOptions | undefined,
  dim?: number | DiffOptions | undefined,
): Tensor;
export function diff(...args: readonly unknown[]): unknown {
  return call(moreReductions.diff, undefined, args);
}

/**
 * The cross product of vectors of three elements.
 *
 * PyTorch: `torch.cross`, `Tensor.cross`.
 *
 * @param input - The tensor.
 * @param other - The right operand.
 * @param dim - The dim of size 3. Default: the first one.
 * @returns the broadcast shape of the operands; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category More reductions
 * @example
 * tensor([1, 0, 0]).cross(tensor([0, 1, 0])) // [0, 0, 1]
 */
export function cross(input: Tensor, other: Tensor, dim?: number | CrossOptions | undefined): Tensor;
export function cross(...args: readonly unknown[]): unknown {
  return call(moreReductions.cross, undefined, args);
}

/**
 * The distances between all pairs of rows of two batches of vectors.
 *
 * PyTorch: `torch.cdist`.
 *
 * @param x1 - The left vectors.
 * @param x2 - The right vectors.
 * @param p - The order of the norm. Default: 2.
 * @returns [batch …, rows of the left, rows of the right]; the data type of the input; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category More reductions
 * @example
 * cdist(zeros([4, 2]), ones([3, 2])).shape // [4, 3]
 */
export function cdist(x1: Tensor, x2: Tensor, p?: number | CdistOptions | undefined): Tensor;
export function cdist(...args: readonly unknown[]): unknown {
  return call(moreReductions.cdist, undefined, args);
}

/**
 * The matrix product over the last dim of the left operand and the last but one of the right; leading dims
 * broadcast.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.matmul`, `Tensor.matmul`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns broadcast leading dims, rows of the left, columns of the right; a vector has no rows or columns; the
 * promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * zeros([8, 2, 3]).matmul(zeros([3, 4])).shape // [8, 2, 4]
 */
export function matmul(input: Tensor, other: Tensor): Tensor;
export function matmul(...args: readonly unknown[]): unknown {
  return call(products.matmul, undefined, args);
}

/**
 * The product of two matrices.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.mm`, `Tensor.mm`.
 *
 * @param input - The left operand.
 * @param mat2 - The right operand.
 * @returns [rows, columns]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([[1, 2], [3, 4]]).mm(tensor([[1], [1]])) // [[3], [7]]
 */
export function mm(input: Tensor, mat2: Tensor): Tensor;
export function mm(...args: readonly unknown[]): unknown {
  return call(products.mm, undefined, args);
}

/**
 * The products of two batches of matrices.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.bmm`, `Tensor.bmm`.
 *
 * @param input - The left operand.
 * @param mat2 - The right operand.
 * @returns [batch, rows, columns]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * const queries = randn(8, 5, 16), keys = randn(8, 7, 16);
 * queries.bmm(keys.transpose(1, 2)).shape // [8, 5, 7]
 */
export function bmm(input: Tensor, mat2: Tensor): Tensor;
export function bmm(...args: readonly unknown[]): unknown {
  return call(products.bmm, undefined, args);
}

/**
 * The product of a matrix and a vector.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.mv`, `Tensor.mv`.
 *
 * @param input - The left operand.
 * @param vec - The right operand.
 * @returns [rows]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([[1, 2], [3, 4]]).mv(tensor([1, -1])) // [-1, -1]
 */
export function mv(input: Tensor, vec: Tensor): Tensor;
export function mv(...args: readonly unknown[]): unknown {
  return call(products.mv, undefined, args);
}

/**
 * The inner product of two vectors.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.dot`, `Tensor.dot`.
 *
 * @param input - The left operand.
 * @param tensor - The right operand.
 * @returns []; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([1, 2, 3]).dot(tensor([4, 5, 6])) // 32
 */
export function dot(input: Tensor, tensor: Tensor): Tensor;
export function dot(...args: readonly unknown[]): unknown {
  return call(products.dot, undefined, args);
}

/**
 * The outer product of two vectors.
 *
 * PyTorch: `torch.outer`, `Tensor.outer`, `torch.ger`, `Tensor.ger`.
 *
 * @param input - The left operand.
 * @param vec2 - The right operand.
 * @returns [length of the left, length of the right]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([1, 2]).outer(tensor([3, 4, 5])) // [[3, 4, 5], [6, 8, 10]]
 */
export function outer(input: Tensor, vec2: Tensor): Tensor;
export function outer(...args: readonly unknown[]): unknown {
  return call(products.outer, undefined, args);
}

/**
 * The outer product of two vectors.
 *
 * PyTorch: `torch.outer`, `Tensor.outer`, `torch.ger`, `Tensor.ger`.
 *
 * @param input - The left operand.
 * @param vec2 - The right operand.
 * @returns [length of the left, length of the right]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([1, 2]).outer(tensor([3, 4, 5])) // [[3, 4, 5], [6, 8, 10]]
 */
export function ger(input: Tensor, vec2: Tensor): Tensor;
export function ger(...args: readonly unknown[]): unknown {
  return call(products.outer, undefined, args);
}

/**
 * A matrix product, added to a matrix: beta · input + alpha · mat1 · mat2.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.addmm`, `Tensor.addmm`.
 *
 * @param input - The tensor to add.
 * @param mat1 - The left operand.
 * @param mat2 - The right operand.
 * @param options.beta - The factor for `input`. Default: 1.
 * @param options.alpha - The factor for the product. Default: 1.
 * @returns [rows, columns]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * const bias = tensor([1, 2]), x = tensor([[1, 0]]), weight = tensor([[3, 4], [5, 6]]);
 * bias.addmm(x, weight.t()) // [[4, 7]]
 */
export function addmm(input: Tensor, mat1: Tensor, mat2: Tensor, options?: AddmmOptions): Tensor;
export function addmm(...args: readonly unknown[]): unknown {
  return call(products.addmm, undefined, args);
}

/**
 * A batched matrix product, added to a tensor: beta · input + alpha · batch1 · batch2.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.baddbmm`, `Tensor.baddbmm`.
 *
 * @param input - The tensor to add.
 * @param batch1 - The left operand.
 * @param batch2 - The right operand.
 * @param options.beta - The factor for `input`. Default: 1.
 * @param options.alpha - The factor for the product. Default: 1.
 * @returns [batch, rows, columns]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * const mask = zeros(1, 2, 2), x = ones(1, 2, 3);
 * mask.baddbmm(x, x.transpose(1, 2), { alpha: 0.5 }) // [[[1.5, 1.5], [1.5, 1.5]]]
 */
export function baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, options?: BaddbmmOptions): Tensor;
export function baddbmm(...args: readonly unknown[]): unknown {
  return call(products.baddbmm, undefined, args);
}

/**
 * A matrix-vector product, added to a vector: beta · input + alpha · mat · vec.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.addmv`, `Tensor.addmv`.
 *
 * @param input - The tensor to add.
 * @param mat - The left operand.
 * @param vec - The right operand.
 * @param options.beta - The factor for `input`. Default: 1.
 * @param options.alpha - The factor for the product. Default: 1.
 * @returns [rows]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([1, 1]).addmv(tensor([[1, 2], [3, 4]]), tensor([1, 0])) // [2, 4]
 */
export function addmv(input: Tensor, mat: Tensor, vec: Tensor, options?: AddmvOptions): Tensor;
export function addmv(...args: readonly unknown[]): unknown {
  return call(products.addmv, undefined, args);
}

/**
 * A product of two tensors, element-wise, added to a third: input + value · tensor1 · tensor2.
 *
 * PyTorch: `torch.addcmul`, `Tensor.addcmul`.
 *
 * @param input - The tensor to add to.
 * @param tensor1 - The left operand.
 * @param tensor2 - The right operand.
 * @param options.value - The factor for the result. Default: 1.
 * @returns the broadcast shape of all three; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([1, 2]).addcmul(tensor([3, 4]), tensor([5, 6]), { value: 0.1 }) // [2.5, 4.4]
 */
export function addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, options?: AddcmulOptions): Tensor;
export function addcmul(...args: readonly unknown[]): unknown {
  return call(products.addcmul, undefined, args);
}

/**
 * A quotient of two tensors, element-wise, added to a third: input + value · tensor1 / tensor2.
 *
 * PyTorch: `torch.addcdiv`, `Tensor.addcdiv`.
 *
 * @param input - The tensor to add to.
 * @param tensor1 - The left operand.
 * @param tensor2 - The right operand.
 * @param options.value - The factor for the result. Default: 1.
 * @returns the broadcast shape of all three; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([1, 2]).addcdiv(tensor([3, 4]), tensor([2, 8]), { value: 2 }) // [4, 3]
 */
export function addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, options?: AddcdivOptions): Tensor;
export function addcdiv(...args: readonly unknown[]): unknown {
  return call(products.addcdiv, undefined, args);
}

/**
 * Linear interpolation between two tensors: input + weight · (end − input).
 *
 * PyTorch: `torch.lerp`, `Tensor.lerp`.
 *
 * @param input - The one end.
 * @param end - The value at weight 1.
 * @param weight - The weight: 0 gives `input`, 1 gives `end`.
 * @returns the broadcast shape of all; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Products of matrices
 * @example
 * tensor([0, 10]).lerp(tensor([10, 20]), 0.1) // [1, 11]
 */
export function lerp(input: Tensor, end: Tensor, weight: Tensor | Scalar): Tensor;
export function lerp(...args: readonly unknown[]): unknown {
  return call(products.lerp, undefined, args);
}

/**
 * A sum of products over named dims: 'ij,jk->ik' is the product of two matrices.
 *
 * Any number of operands; `...` stands for any leading dims, which broadcast; a subscript that is repeated in an
 * operand takes its diagonal; without an arrow, the result has the subscripts that occur once, in alphabetical
 * order. Two operands at a time are contracted, the cheapest pair first.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.einsum`.
 *
 * @param equation - The subscripts.
 * @param operands - The operands.
 * @returns the sizes of the subscripts of the result; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {NO_TENSORS}
 * @category Contractions
 * @example
 * const queries = randn(2, 4, 5, 8), keys = randn(2, 4, 7, 8);
 * einsum('bhid,bhjd->bhij', queries, keys).shape // [2, 4, 5, 7]
 */
export function einsum(equation: string, ...operands: readonly Tensor[] | readonly [readonly Tensor[]]): Tensor;
export function einsum(...args: readonly unknown[]): unknown {
  return call(contractions.einsum, undefined, args);
}

/**
 * A sum of products over dims of one tensor paired with dims of another.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.tensordot`.
 *
 * @param a - The left operand.
 * @param b - The right operand.
 * @param dims - The number of last dims of `a` and first dims of `b`, or a list of dims of each. Default: 2.
 * @returns the other dims of the left operand, then those of the right; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Contractions
 * @example
 * tensordot(zeros([2, 3, 4]), zeros([3, 4, 5]), 2).shape // [2, 5]
 */
export function tensordot(
  a: Tensor,
  b: Tensor,
  dims?: number | readonly [readonly number[], readonly number[]] | TensordotOptions | undefined,
): Tensor;
export function tensordot(...args: readonly unknown[]): unknown {
  return call(contractions.tensordot, undefined, args);
}

/**
 * The sum of products over the last dims of both tensors.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.inner`, `Tensor.inner`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the leading dims of the left operand, then those of the right; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Contractions
 * @example
 * tensor([1, 2]).inner(tensor([3, 4])) // 11
 */
export function inner(input: Tensor, other: Tensor): Tensor;
export function inner(...args: readonly unknown[]): unknown {
  return call(contractions.inner, undefined, args);
}

/**
 * The Kronecker product: each element of the left operand times the whole right operand, in blocks.
 *
 * PyTorch: `torch.kron`, `Tensor.kron`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns for each dim, the product of the sizes; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Contractions
 * @example
 * kron(eye(2), tensor([[1, 2]])) // [[1, 2, 0, 0], [0, 0, 1, 2]]
 */
export function kron(input: Tensor, other: Tensor): Tensor;
export function kron(...args: readonly unknown[]): unknown {
  return call(contractions.kron, undefined, args);
}

/**
 * The product of matrices, in the order with the fewest multiplications.
 *
 * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.chain_matmul`.
 *
 * @param matrices - The matrices.
 * @returns [rows of the first, columns of the last]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {NO_TENSORS}
 * @category Contractions
 * @example
 * chainMatmul(ones(2, 3), ones(3, 4), ones(4, 1)) // [[12], [12]]
 */
export function chainMatmul(...matrices: readonly Tensor[] | readonly [readonly Tensor[]]): Tensor;
export function chainMatmul(...args: readonly unknown[]): unknown {
  return call(contractions.chainMatmul, undefined, args);
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
export function inverse(input: Tensor): Tensor;
export function inverse(...args: readonly unknown[]): unknown {
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
 * The logarithm of the determinant; NaN where that is negative.
 *
 * PyTorch: `torch.logdet`, `Tensor.logdet`.
 *
 * @param input - The square matrix, or a batch of them.
 * @returns the leading dims; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * tensor([[2, 0], [0, 3]]).logdet() // 1.7917…
 */
export function logdet(input: Tensor): Tensor;
export function logdet(...args: readonly unknown[]): unknown {
  return call(linearSystems.logdet, undefined, args);
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
 * The solution of A · X = B from the Cholesky factor of A.
 *
 * PyTorch: `torch.cholesky_solve`, `Tensor.cholesky_solve`.
 *
 * @param B - The right-hand side.
 * @param L - The Cholesky factor.
 * @param upper - Whether the upper triangle is used. Default: false.
 * @returns the shape of B, leading dims broadcast with those of the factor; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const A = tensor([[4, 2], [2, 3]]);
 * tensor([[2], [1]]).choleskySolve(A.cholesky()) // [[0.5], [0]]
 */
export function choleskySolve(B: Tensor, L: Tensor, upper?: boolean | CholeskySolveOptions | undefined): Tensor;
export function choleskySolve(...args: readonly unknown[]): unknown {
  return call(linearSystems.choleskySolve, undefined, args);
}

/**
 * The inverse of a matrix from the Cholesky factor.
 *
 * PyTorch: `torch.cholesky_inverse`, `Tensor.cholesky_inverse`.
 *
 * @param input - The Cholesky factor.
 * @param upper - Whether the upper triangle is used. Default: false.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * tensor([[4, 0], [0, 2]]).cholesky().choleskyInverse() // [[0.25, 0], [0, 0.5]]
 */
export function choleskyInverse(input: Tensor, upper?: boolean | CholeskyInverseOptions | undefined): Tensor;
export function choleskyInverse(...args: readonly unknown[]): unknown {
  return call(linearSystems.choleskyInverse, undefined, args);
}

/**
 * The QR decomposition A = Q · R: orthonormal columns and an upper triangular matrix; see `linalg.qr`.
 *
 * PyTorch: `torch.qr`, `Tensor.qr`.
 *
 * @param input - The matrix, or a batch of matrices.
 * @param some - False for a square Q. Default: true.
 * @returns `Q` and `R`, by name or in this order: [rows, k] and [k, columns] with k = min(rows, columns), after
 * the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Linear systems
 * @example
 * const { Q, R } = tensor([[3, 1], [4, 2]]).qr();
 * Q.matmul(R) // [[3, 1], [4, 2]]
 */
export function qr(
  input: Tensor,
  some?: boolean | QrOptions | undefined,
): readonly [Q: Tensor, R: Tensor] & {
  /** The first result. */
  readonly Q: Tensor;
  /** The second result. */
  readonly R: Tensor;
};
export function qr(...args: readonly unknown[]): unknown {
  return call(linearSystems.qr, undefined, args);
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
export function orgqr(input: Tensor, tau: Tensor): Tensor;
export function orgqr(...args: readonly unknown[]): unknown {
  return call(moreLinear.householderProduct, undefined, args);
}

/**
 * The QR decomposition as LAPACK keeps it: R with the vectors of reflections below it, and their factors.
 *
 * Differs from PyTorch: No gradient flows: use `linalg.qr`.
 *
 * PyTorch: `torch.geqrf`, `Tensor.geqrf`.
 *
 * @param input - The matrix, or a batch of matrices.
 * @returns `a` and `tau`, by name or in this order: the shape of the input; min(rows, columns), after the leading
 * dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { a, tau } = geqrf(tensor([[3, 1], [4, 2]]));
 * a.triu().abs() // [[5, 2.2], [0, 0.4]]
 */
export function geqrf(input: Tensor): readonly [a: Tensor, tau: Tensor] & {
  /** The first result. */
  readonly a: Tensor;
  /** The second result. */
  readonly tau: Tensor;
};
export function geqrf(...args: readonly unknown[]): unknown {
  return call(moreLinear.geqrf, undefined, args);
}

/**
 * Q · other (or other · Q), with the square Q of what `geqrf` gives, or with its transpose.
 *
 * PyTorch: `torch.ormqr`, `Tensor.ormqr`.
 *
 * @param input - The vectors below the diagonal, as `geqrf` gives them.
 * @param tau - The factors of the reflections.
 * @param other - The other operand.
 * @param left - Whether Q stands on the left. Default: true.
 * @param transpose - Whether the transpose of Q is meant. Default: false.
 * @returns the shape of `other`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { a, tau } = geqrf(tensor([[3, 1], [4, 2]]));
 * const Q = linalg.householderProduct(a, tau), y = tensor([[1], [2]]);
 * ormqr(a, tau, y).allclose(Q.matmul(y), { atol: 1e-5 }) // true
 */
export function ormqr(
  input: Tensor,
  tau: Tensor,
  other: Tensor,
  left?: boolean | OrmqrOptions | undefined,
  transpose?: boolean | OrmqrOptions | undefined,
): Tensor;
export function ormqr(...args: readonly unknown[]): unknown {
  return call(moreLinear.ormqr, undefined, args);
}

/**
 * P, L and U as matrices, from what `linalg.luFactor` gives: A = P · L · U.
 *
 * PyTorch: `torch.lu_unpack`.
 *
 * @param LU - The factors.
 * @param pivots - The exchanges of rows.
 * @returns `P` and `L` and `U`, by name or in this order: [rows, rows], [rows, k] and [k, columns] with k =
 * min(rows, columns), after the leading dims
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Reflections, systems of tensors, reports
 * @example
 * const { LU, pivots } = linalg.luFactor(tensor([[1, 2], [2, 2]]));
 * const { P, L, U } = luUnpack(LU, pivots);
 * P.matmul(L).matmul(U) // [[1, 2], [2, 2]]
 */
export function luUnpack(
  LU: Tensor,
  pivots: Tensor,
): readonly [P: Tensor, L: Tensor, U: Tensor] & {
  /** The first result. */
  readonly P: Tensor;
  /** The second result. */
  readonly L: Tensor;
  /** The third result. */
  readonly U: Tensor;
};
export function luUnpack(...args: readonly unknown[]): unknown {
  return call(moreLinear.luUnpack, undefined, args);
}

/**
 * Singular values, with V as columns; see `linalg.svd`.
 *
 * PyTorch: `torch.svd`, `Tensor.svd`.
 *
 * @param input - The matrix, or a batch of matrices.
 * @param some - False for square U and V. Default: true.
 * @returns `U` and `S` and `V`, by name or in this order: [rows, k], [k] and [columns, k] with k = min(rows,
 * columns); U and V are square without `some`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * const { U, S, V } = tensor([[3, 0], [0, 4]]).svd();
 * S // [4, 3]
 * U.matmul(S.diag()).matmul(V.t()) // [[3, 0], [0, 4]]
 */
export function svd(
  input: Tensor,
  some?: boolean | SvdOptions | undefined,
): readonly [U: Tensor, S: Tensor, V: Tensor] & {
  /** The first result. */
  readonly U: Tensor;
  /** The second result. */
  readonly S: Tensor;
  /** The third result. */
  readonly V: Tensor;
};
export function svd(...args: readonly unknown[]): unknown {
  return call(spectra.svd, undefined, args);
}

/**
 * The Moore-Penrose pseudo-inverse; see `linalg.pinv`.
 *
 * PyTorch: `torch.pinverse`, `Tensor.pinverse`.
 *
 * @param input - The matrix, or a batch of matrices.
 * @param rcond - Singular values up to this threshold, relative to the largest, count as 0. Default: 1e-15.
 * @returns the shape of the input, with rows and columns swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Eigenvalues, singular values and norms
 * @example
 * tensor([[2, 0], [0, 4], [0, 0]]).pinverse() // [[0.5, 0, 0], [0, 0.25, 0]]
 */
export function pinverse(input: Tensor, rcond?: number | PinverseOptions | undefined): Tensor;
export function pinverse(...args: readonly unknown[]): unknown {
  return call(spectra.pinverse, undefined, args);
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
 * Complex numbers from real and imaginary parts.
 *
 * PyTorch: `torch.complex`.
 *
 * @param real - The real parts.
 * @param imag - The imaginary parts.
 * @returns the broadcast shape of both; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Complex numbers
 * @example
 * complex(tensor([1, 2]), tensor([3, 4])) // [1+3i, 2+4i]
 */
export function complex(real: Tensor, imag: Tensor): Tensor;
export function complex(...args: readonly unknown[]): unknown {
  return call(complexRows.complex, undefined, args);
}

/**
 * Complex numbers from absolute values and angles.
 *
 * Differs from PyTorch: For a negative size, the gradient of the size is that of the formula; that of PyTorch has
 * the other sign.
 *
 * PyTorch: `torch.polar`.
 *
 * @param abs - The absolute values.
 * @param angle - The angles.
 * @returns the broadcast shape of both; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Complex numbers
 * @example
 * polar(tensor([1, 2]), tensor([0, Math.PI])).real() // [1, -2]
 */
export function polar(abs: Tensor, angle: Tensor): Tensor;
export function polar(...args: readonly unknown[]): unknown {
  return call(complexRows.polar, undefined, args);
}

/**
 * The real parts.
 *
 * Differs from PyTorch: A method, not an attribute; the result is a copy.
 *
 * PyTorch: `torch.real`, `Tensor.real`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the real type of a complex input, or that of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * complex(tensor([1, 2]), tensor([3, 4])).real() // [1, 2]
 */
export function real(input: Tensor): Tensor;
export function real(...args: readonly unknown[]): unknown {
  return call(complexRows.real, undefined, args);
}

/**
 * The imaginary parts.
 *
 * Differs from PyTorch: A method, not an attribute; the result is a copy.
 *
 * PyTorch: `torch.imag`, `Tensor.imag`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the real type of a complex input, or that of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * complex(tensor([1, 2]), tensor([3, 4])).imag() // [3, 4]
 */
export function imag(input: Tensor): Tensor;
export function imag(...args: readonly unknown[]): unknown {
  return call(complexRows.imag, undefined, args);
}

/**
 * The complex conjugates.
 *
 * PyTorch: `torch.conj`, `Tensor.conj`, `torch.conj_physical`, `Tensor.conj_physical`, `torch.resolve_conj`,
 * `Tensor.resolve_conj`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * const z = complex(tensor([1, 2]), tensor([3, 4]));
 * z.conj() // [1-3i, 2-4i]
 * z.mul(z.conj()).real() // [10, 20]
 */
export function conj(input: Tensor): Tensor;
export function conj(...args: readonly unknown[]): unknown {
  return call(complexRows.conj, undefined, args);
}

/**
 * The complex conjugates.
 *
 * PyTorch: `torch.conj`, `Tensor.conj`, `torch.conj_physical`, `Tensor.conj_physical`, `torch.resolve_conj`,
 * `Tensor.resolve_conj`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * const z = complex(tensor([1, 2]), tensor([3, 4]));
 * z.conj() // [1-3i, 2-4i]
 * z.mul(z.conj()).real() // [10, 20]
 */
export function conjPhysical(input: Tensor): Tensor;
export function conjPhysical(...args: readonly unknown[]): unknown {
  return call(complexRows.conj, undefined, args);
}

/**
 * The complex conjugates.
 *
 * PyTorch: `torch.conj`, `Tensor.conj`, `torch.conj_physical`, `Tensor.conj_physical`, `torch.resolve_conj`,
 * `Tensor.resolve_conj`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * const z = complex(tensor([1, 2]), tensor([3, 4]));
 * z.conj() // [1-3i, 2-4i]
 * z.mul(z.conj()).real() // [10, 20]
 */
export function resolveConj(input: Tensor): Tensor;
export function resolveConj(...args: readonly unknown[]): unknown {
  return call(complexRows.conj, undefined, args);
}

/**
 * The angles to the positive real axis, in (−π, π].
 *
 * PyTorch: `torch.angle`, `Tensor.angle`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the real type of a complex input, or that of the input; float32 for integers
 * and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * complex(tensor([0]), tensor([1])).angle() // [π / 2]
 */
export function angle(input: Tensor): Tensor;
export function angle(...args: readonly unknown[]): unknown {
  return call(complexRows.angle, undefined, args);
}

/**
 * Complex numbers as pairs of real and imaginary parts.
 *
 * PyTorch: `torch.view_as_real`.
 *
 * @param input - The tensor.
 * @returns the shape of the input with a last dim of size 2; the real type of a complex input, or that of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Complex numbers
 * @example
 * viewAsReal(complex(tensor([1, 2]), tensor([3, 4]))) // [[1, 3], [2, 4]]
 */
export function viewAsReal(input: Tensor): Tensor;
export function viewAsReal(...args: readonly unknown[]): unknown {
  return call(complexRows.viewAsReal, undefined, args);
}

/**
 * Complex numbers from pairs of real and imaginary parts.
 *
 * PyTorch: `torch.view_as_complex`.
 *
 * @param input - The pairs, in the last dim.
 * @returns the shape of the input without the last dim; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Complex numbers
 * @example
 * viewAsComplex(tensor([[1, 3], [2, 4]])) // [1+3i, 2+4i]
 */
export function viewAsComplex(input: Tensor): Tensor;
export function viewAsComplex(...args: readonly unknown[]): unknown {
  return call(complexRows.viewAsComplex, undefined, args);
}

/**
 * The short-time Fourier transform: the transform of overlapping frames, each multiplied by a window.
 *
 * Differs from PyTorch: `returnComplex` is true by default; PyTorch requires it to be given.
 *
 * PyTorch: `torch.stft`, `Tensor.stft`.
 *
 * @param input - The signal, or a batch of signals.
 * @param nFft - The length of a frame.
 * @param hopLength - From one frame to the next; a quarter of `nFft` by default.
 * @param winLength - The length of the window; `nFft` by default.
 * @param window - The window; ones by default.
 * @param center - Whether frame t is centered at t · hopLength. Default: true.
 * @param padMode - How the ends are padded when frames are centered. Default: "reflect".
 * @param normalized - Whether transforms are divided by the square root of `nFft`. Default: false.
 * @param onesided - Whether only half of the frequencies are returned; the default for real signals.
 * @param returnComplex - False for pairs of real and imaginary parts. Default: true.
 * @returns [frequencies, frames], after the batch dim if there is one; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Short-time Fourier transforms
 * @example
 * const signal = randn(1600);
 * signal.stft(400, { hopLength: 160, window: hannWindow(400), returnComplex: true }).shape // [201, 11]
 */
export function stft(
  input: Tensor,
  nFft: number,
  hopLength?: number | StftOptions<Tensor> | undefined,
  winLength?: number | StftOptions<Tensor> | undefined,
  window?: Tensor | null | StftOptions<Tensor> | undefined,
  center?: boolean | StftOptions<Tensor> | undefined,
  padMode?: 'reflect' | 'constant' | StftOptions<Tensor> | undefined,
  normalized?: boolean | StftOptions<Tensor> | undefined,
  onesided?: boolean | StftOptions<Tensor> | undefined,
  returnComplex?: boolean | StftOptions<Tensor> | undefined,
): Tensor;
/**
 * The short-time Fourier transform: the transform of overlapping frames, each multiplied by a window.
 *
 * Differs from PyTorch: `returnComplex` is true by default; PyTorch requires it to be given.
 *
 * PyTorch: `torch.stft`, `Tensor.stft`.
 *
 * @param input - The signal, or a batch of signals.
 * @param named.nFft - The length of a frame.
 * @param named.hopLength - From one frame to the next; a quarter of `nFft` by default.
 * @param named.winLength - The length of the window; `nFft` by default.
 * @param named.window - The window; ones by default.
 * @param named.center - Whether frame t is centered at t · hopLength. Default: true.
 * @param named.padMode - How the ends are padded when frames are centered. Default: "reflect".
 * @param named.normalized - Whether transforms are divided by the square root of `nFft`. Default: false.
 * @param named.onesided - Whether only half of the frequencies are returned; the default for real signals.
 * @param named.returnComplex - False for pairs of real and imaginary parts. Default: true.
 * @returns [frequencies, frames], after the batch dim if there is one; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Short-time Fourier transforms
 * @example
 * const signal = randn(1600);
 * signal.stft(400, { hopLength: 160, window: hannWindow(400), returnComplex: true }).shape // [201, 11]
 */
export function stft(input: Tensor, named: { readonly nFft: number } & StftOptions<Tensor>): Tensor;
export function stft(...args: readonly unknown[]): unknown {
  return call(shortTime.stft, undefined, args);
}

/**
 * The inverse short-time Fourier transform.
 *
 * Differs from PyTorch: Gaps between windows give NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.istft`, `Tensor.istft`.
 *
 * @param input - The transform.
 * @param nFft - The length of a frame.
 * @param hopLength - From one frame to the next; a quarter of `nFft` by default.
 * @param winLength - The length of the window; `nFft` by default.
 * @param window - The window; ones by default.
 * @param center - Whether frame t is centered at t · hopLength. Default: true.
 * @param normalized - Whether transforms are divided by the square root of `nFft`. Default: false.
 * @param onesided - Whether only half of the frequencies are returned; the default for real signals.
 * @param length - The length of the signal.
 * @param returnComplex - Whether the signal is complex. Default: false.
 * @returns [length], after the batch dim if there is one; the real type of a complex input, or that of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Short-time Fourier transforms
 * @example
 * const signal = tensor([0, 1, 2, 3, 4, 5, 6, 7]), window = hannWindow(4);
 * signal.stft(4, { window, returnComplex: true }).istft(4, { window }) // [0, 1, 2, 3, 4, 5, 6, 7]
 */
export function istft(
  input: Tensor,
  nFft: number,
  hopLength?: number | IstftOptions<Tensor> | undefined,
  winLength?: number | IstftOptions<Tensor> | undefined,
  window?: Tensor | null | IstftOptions<Tensor> | undefined,
  center?: boolean | IstftOptions<Tensor> | undefined,
  normalized?: boolean | IstftOptions<Tensor> | undefined,
  onesided?: boolean | IstftOptions<Tensor> | undefined,
  length?: number | IstftOptions<Tensor> | undefined,
  returnComplex?: boolean | IstftOptions<Tensor> | undefined,
): Tensor;
/**
 * The inverse short-time Fourier transform.
 *
 * Differs from PyTorch: Gaps between windows give NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.istft`, `Tensor.istft`.
 *
 * @param input - The transform.
 * @param named.nFft - The length of a frame.
 * @param named.hopLength - From one frame to the next; a quarter of `nFft` by default.
 * @param named.winLength - The length of the window; `nFft` by default.
 * @param named.window - The window; ones by default.
 * @param named.center - Whether frame t is centered at t · hopLength. Default: true.
 * @param named.normalized - Whether transforms are divided by the square root of `nFft`. Default: false.
 * @param named.onesided - Whether only half of the frequencies are returned; the default for real signals.
 * @param named.length - The length of the signal.
 * @param named.returnComplex - Whether the signal is complex. Default: false.
 * @returns [length], after the batch dim if there is one; the real type of a complex input, or that of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DTYPE}
 * @category Short-time Fourier transforms
 * @example
 * const signal = tensor([0, 1, 2, 3, 4, 5, 6, 7]), window = hannWindow(4);
 * signal.stft(4, { window, returnComplex: true }).istft(4, { window }) // [0, 1, 2, 3, 4, 5, 6, 7]
 */
export function istft(input: Tensor, named: { readonly nFft: number } & IstftOptions<Tensor>): Tensor;
export function istft(...args: readonly unknown[]): unknown {
  return call(shortTime.istft, undefined, args);
}

/**
 * max(x, 0): negative elements become 0.
 *
 * PyTorch: `torch.relu`, `Tensor.relu`, `torch.nn.functional.relu`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Activations
 * @example
 * tensor([-1, 2]).relu() // [0, 2]
 */
export function relu(input: Tensor): Tensor;
export function relu(...args: readonly unknown[]): unknown {
  return call(activations.relu, undefined, args);
}

/**
 * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
 *
 * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results sum to 1.
 * @param options.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([[0, 0], [0, Math.log(3)]]).softmax(-1) // [[0.5, 0.5], [0.25, 0.75]]
 */
export function softmax(input: Tensor, dim: number, options?: SoftmaxOptions): Tensor;
/**
 * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
 *
 * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results sum to 1.
 * @param named.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([[0, 0], [0, Math.log(3)]]).softmax(-1) // [[0.5, 0.5], [0.25, 0.75]]
 */
export function softmax(input: Tensor, named: { readonly dim: number } & SoftmaxOptions): Tensor;
export function softmax(...args: readonly unknown[]): unknown {
  return call(activations.softmax, undefined, args);
}

/**
 * The logarithm of softmax, accurate where softmax underflows.
 *
 * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results sum to 1.
 * @param options.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([0, Math.log(3)]).logSoftmax(-1) // [-1.3862…, -0.2876…]
 */
export function logSoftmax(input: Tensor, dim: number, options?: LogSoftmaxOptions): Tensor;
/**
 * The logarithm of softmax, accurate where softmax underflows.
 *
 * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results sum to 1.
 * @param named.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([0, Math.log(3)]).logSoftmax(-1) // [-1.3862…, -0.2876…]
 */
export function logSoftmax(input: Tensor, named: { readonly dim: number } & LogSoftmaxOptions): Tensor;
export function logSoftmax(...args: readonly unknown[]): unknown {
  return call(activations.logSoftmax, undefined, args);
}

/**
 * x outside [-lambda, lambda], 0 inside.
 *
 * PyTorch: `torch.nn.functional.hardshrink`, `torch.hardshrink`, `Tensor.hardshrink`.
 *
 * @param input - The tensor.
 * @param lambda - Half the width of the gap. Default: 0.5.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.hardshrink(tensor([0.25, 2])) // [0, 2]
 */
export function hardshrink(input: Tensor, lambda?: number | HardshrinkOptions | undefined): Tensor;
export function hardshrink(...args: readonly unknown[]): unknown {
  return call(moreActivations.hardshrink, undefined, args);
}

/**
 * Convolution over sequences.
 *
 * PyTorch: `torch.nn.functional.conv1d`, `torch.conv1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param weight - [O, C / groups, k].
 * @param bias - [O].
 * @param stride - The stride of the window: one number for all spatial dims, or one for each. Default: 1.
 * @param padding - Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default:
 * 0.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @returns [N, O, L]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * nn.functional.conv1d(tensor([[[1, 2, 3, 4]]]), tensor([[[1, -1]]])) // [[[-1, -1, -1]]]
 */
export function conv1d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | Conv1dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | Conv1dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | 'same' | 'valid' | Conv1dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | Conv1dOptions<Tensor> | undefined,
  groups?: number | Conv1dOptions<Tensor> | undefined,
): Tensor;
export function conv1d(...args: readonly unknown[]): unknown {
  return call(convolutions.conv1d, undefined, args);
}

/**
 * Convolution over images.
 *
 * PyTorch: `torch.nn.functional.conv2d`, `torch.conv2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param weight - [O, C / groups, kh, kw].
 * @param bias - [O].
 * @param stride - The stride of the window: one number for all spatial dims, or one for each. Default: 1.
 * @param padding - Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default:
 * 0.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @returns [N, O, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 3, 32, 32), weight = randn(8, 3, 3, 3);
 * nn.functional.conv2d(x, weight, { stride: 2, padding: 1 }).shape // [1, 8, 16, 16]
 */
export function conv2d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | Conv2dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | Conv2dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | 'same' | 'valid' | Conv2dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | Conv2dOptions<Tensor> | undefined,
  groups?: number | Conv2dOptions<Tensor> | undefined,
): Tensor;
export function conv2d(...args: readonly unknown[]): unknown {
  return call(convolutions.conv2d, undefined, args);
}

/**
 * Convolution over volumes.
 *
 * PyTorch: `torch.nn.functional.conv3d`, `torch.conv3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param weight - [O, C / groups, kd, kh, kw].
 * @param bias - [O].
 * @param stride - The stride of the window: one number for all spatial dims, or one for each. Default: 1.
 * @param padding - Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default:
 * 0.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @returns [N, O, D, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 2, 4, 8, 8), weight = randn(4, 2, 3, 3, 3);
 * nn.functional.conv3d(x, weight, { padding: 1 }).shape // [1, 4, 4, 8, 8]
 */
export function conv3d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | Conv3dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | Conv3dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | 'same' | 'valid' | Conv3dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | Conv3dOptions<Tensor> | undefined,
  groups?: number | Conv3dOptions<Tensor> | undefined,
): Tensor;
export function conv3d(...args: readonly unknown[]): unknown {
  return call(convolutions.conv3d, undefined, args);
}

/**
 * The transpose of `conv1d`: its gradient with respect to its input.
 *
 * PyTorch: `torch.nn.functional.conv_transpose1d`, `torch.conv_transpose1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param weight - [C, O / groups, k].
 * @param bias - [O].
 * @param stride - The spacing of the windows in the output: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param padding - How much to remove from each side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param outputPadding - How much to add to one side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @returns [N, O, L]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * nn.functional.convTranspose1d(tensor([[[1, 2]]]), tensor([[[1, 1]]]), { stride: 2 }) // [[[1, 1, 2, 2]]]
 */
export function convTranspose1d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | ConvTranspose1dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
  outputPadding?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
  groups?: number | ConvTranspose1dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
): Tensor;
export function convTranspose1d(...args: readonly unknown[]): unknown {
  return call(convolutions.convTranspose1d, undefined, args);
}

/**
 * The transpose of `conv2d`: its gradient with respect to its input.
 *
 * PyTorch: `torch.nn.functional.conv_transpose2d`, `torch.conv_transpose2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param weight - [C, O / groups, kh, kw].
 * @param bias - [O].
 * @param stride - The spacing of the windows in the output: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param padding - How much to remove from each side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param outputPadding - How much to add to one side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @returns [N, O, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 8, 4, 4), weight = randn(8, 3, 2, 2);
 * nn.functional.convTranspose2d(x, weight, { stride: 2 }).shape // [1, 3, 8, 8]
 */
export function convTranspose2d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | ConvTranspose2dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
  outputPadding?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
  groups?: number | ConvTranspose2dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
): Tensor;
export function convTranspose2d(...args: readonly unknown[]): unknown {
  return call(convolutions.convTranspose2d, undefined, args);
}

/**
 * The transpose of `conv3d`: its gradient with respect to its input.
 *
 * PyTorch: `torch.nn.functional.conv_transpose3d`, `torch.conv_transpose3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param weight - [C, O / groups, kd, kh, kw].
 * @param bias - [O].
 * @param stride - The spacing of the windows in the output: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param padding - How much to remove from each side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param outputPadding - How much to add to one side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @returns [N, O, D, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 4, 2, 2, 2), weight = randn(4, 2, 2, 2, 2);
 * nn.functional.convTranspose3d(x, weight, { stride: 2 }).shape // [1, 2, 4, 4, 4]
 */
export function convTranspose3d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | ConvTranspose3dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
  outputPadding?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
  groups?: number | ConvTranspose3dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
): Tensor;
export function convTranspose3d(...args: readonly unknown[]): unknown {
  return call(convolutions.convTranspose3d, undefined, args);
}

/**
 * Normalizes over the last dims, then scales by weight and shifts by bias.
 *
 * PyTorch: `torch.nn.functional.layer_norm`, `torch.layer_norm`.
 *
 * @param input - The tensor.
 * @param normalizedShape - The last dims of the input, to normalize over.
 * @param weight - The scale, of that shape.
 * @param bias - The shift, of that shape.
 * @param eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.layerNorm(tensor([[1, 3], [2, 6]]), [2]) // [[-1, 1], [-1, 1]]
 */
export function layerNorm(
  input: Tensor,
  normalizedShape: readonly number[],
  weight?: Tensor | null | LayerNormOptions<Tensor> | undefined,
  bias?: Tensor | null | LayerNormOptions<Tensor> | undefined,
  eps?: number | LayerNormOptions<Tensor> | undefined,
): Tensor;
/**
 * Normalizes over the last dims, then scales by weight and shifts by bias.
 *
 * PyTorch: `torch.nn.functional.layer_norm`, `torch.layer_norm`.
 *
 * @param input - The tensor.
 * @param named.normalizedShape - The last dims of the input, to normalize over.
 * @param named.weight - The scale, of that shape.
 * @param named.bias - The shift, of that shape.
 * @param named.eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.layerNorm(tensor([[1, 3], [2, 6]]), [2]) // [[-1, 1], [-1, 1]]
 */
export function layerNorm(
  input: Tensor,
  named: { readonly normalizedShape: readonly number[] } & LayerNormOptions<Tensor>,
): Tensor;
export function layerNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.layerNorm, undefined, args);
}

/**
 * x divided by its root mean square over the last dims, times weight.
 *
 * Zhang and Sennrich, 2019.
 *
 * PyTorch: `torch.nn.functional.rms_norm`, `torch.rms_norm`.
 *
 * @param input - The tensor.
 * @param normalizedShape - The last dims of the input, to normalize over.
 * @param weight - The scale, of that shape.
 * @param eps - Added to the mean of squares. Default: the epsilon of the data type.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.rmsNorm(tensor([[3, 4]]), [2]) // [[0.8485…, 1.1313…]]
 */
export function rmsNorm(
  input: Tensor,
  normalizedShape: readonly number[],
  weight?: Tensor | null | RmsNormOptions<Tensor> | undefined,
  eps?: number | RmsNormOptions<Tensor> | undefined,
): Tensor;
/**
 * x divided by its root mean square over the last dims, times weight.
 *
 * Zhang and Sennrich, 2019.
 *
 * PyTorch: `torch.nn.functional.rms_norm`, `torch.rms_norm`.
 *
 * @param input - The tensor.
 * @param named.normalizedShape - The last dims of the input, to normalize over.
 * @param named.weight - The scale, of that shape.
 * @param named.eps - Added to the mean of squares. Default: the epsilon of the data type.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.rmsNorm(tensor([[3, 4]]), [2]) // [[0.8485…, 1.1313…]]
 */
export function rmsNorm(
  input: Tensor,
  named: { readonly normalizedShape: readonly number[] } & RmsNormOptions<Tensor>,
): Tensor;
export function rmsNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.rmsNorm, undefined, args);
}

/**
 * Normalizes over each group of channels of [N, C, …], then scales and shifts each channel.
 *
 * Wu and He, 2018.
 *
 * PyTorch: `torch.nn.functional.group_norm`, `torch.group_norm`.
 *
 * @param input - The tensor.
 * @param numGroups - The number of groups; must divide C.
 * @param weight - The scale of each channel, [C].
 * @param bias - The shift of each channel, [C].
 * @param eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.groupNorm(tensor([[[1], [3], [2], [6]]]), 2) // [[[-1], [1], [-1], [1]]]
 */
export function groupNorm(
  input: Tensor,
  numGroups: number,
  weight?: Tensor | null | GroupNormOptions<Tensor> | undefined,
  bias?: Tensor | null | GroupNormOptions<Tensor> | undefined,
  eps?: number | GroupNormOptions<Tensor> | undefined,
): Tensor;
/**
 * Normalizes over each group of channels of [N, C, …], then scales and shifts each channel.
 *
 * Wu and He, 2018.
 *
 * PyTorch: `torch.nn.functional.group_norm`, `torch.group_norm`.
 *
 * @param input - The tensor.
 * @param named.numGroups - The number of groups; must divide C.
 * @param named.weight - The scale of each channel, [C].
 * @param named.bias - The shift of each channel, [C].
 * @param named.eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.groupNorm(tensor([[[1], [3], [2], [6]]]), 2) // [[[-1], [1], [-1], [1]]]
 */
export function groupNorm(input: Tensor, named: { readonly numGroups: number } & GroupNormOptions<Tensor>): Tensor;
export function groupNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.groupNorm, undefined, args);
}

/**
 * Channels become pixels: each square of r² channels one of r × r pixels.
 *
 * PyTorch: `torch.nn.functional.pixel_shuffle`, `torch.pixel_shuffle`.
 *
 * @param input - The images.
 * @param upscaleFactor - R: how much larger height and width become.
 * @returns [.., C · r², H, W] → [.., C, H · r, W · r]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2) // [[[[1, 2], [3, 4]]]]
 */
export function pixelShuffle(input: Tensor, upscaleFactor: number): Tensor;
/**
 * Channels become pixels: each square of r² channels one of r × r pixels.
 *
 * PyTorch: `torch.nn.functional.pixel_shuffle`, `torch.pixel_shuffle`.
 *
 * @param input - The images.
 * @param named.upscaleFactor - R: how much larger height and width become.
 * @returns [.., C · r², H, W] → [.., C, H · r, W · r]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2) // [[[[1, 2], [3, 4]]]]
 */
export function pixelShuffle(input: Tensor, named: { readonly upscaleFactor: number }): Tensor;
export function pixelShuffle(...args: readonly unknown[]): unknown {
  return call(shuffleRows.pixelShuffle, undefined, args);
}

/**
 * The inverse of `pixelShuffle`: each square of r × r pixels becomes r² channels.
 *
 * PyTorch: `torch.nn.functional.pixel_unshuffle`, `torch.pixel_unshuffle`.
 *
 * @param input - The images.
 * @param downscaleFactor - R: how much smaller height and width become.
 * @returns [.., C, H · r, W · r] → [.., C · r², H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelUnshuffle(tensor([[[[1, 2], [3, 4]]]]), 2).flatten() // [1, 2, 3, 4]
 */
export function pixelUnshuffle(input: Tensor, downscaleFactor: number): Tensor;
/**
 * The inverse of `pixelShuffle`: each square of r × r pixels becomes r² channels.
 *
 * PyTorch: `torch.nn.functional.pixel_unshuffle`, `torch.pixel_unshuffle`.
 *
 * @param input - The images.
 * @param named.downscaleFactor - R: how much smaller height and width become.
 * @returns [.., C, H · r, W · r] → [.., C · r², H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelUnshuffle(tensor([[[[1, 2], [3, 4]]]]), 2).flatten() // [1, 2, 3, 4]
 */
export function pixelUnshuffle(input: Tensor, named: { readonly downscaleFactor: number }): Tensor;
export function pixelUnshuffle(...args: readonly unknown[]): unknown {
  return call(shuffleRows.pixelUnshuffle, undefined, args);
}

/**
 * The channels [groups, C / groups] as [C / groups, groups].
 *
 * PyTorch: `torch.nn.functional.channel_shuffle`, `torch.channel_shuffle`.
 *
 * @param input - The images.
 * @param groups - How many groups of channels there are.
 * @returns the shape of the input, [N, C, ..]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.channelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).flatten() // [1, 3, 2, 4]
 */
export function channelShuffle(input: Tensor, groups: number): Tensor;
/**
 * The channels [groups, C / groups] as [C / groups, groups].
 *
 * PyTorch: `torch.nn.functional.channel_shuffle`, `torch.channel_shuffle`.
 *
 * @param input - The images.
 * @param named.groups - How many groups of channels there are.
 * @returns the shape of the input, [N, C, ..]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.channelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).flatten() // [1, 3, 2, 4]
 */
export function channelShuffle(input: Tensor, named: { readonly groups: number }): Tensor;
export function channelShuffle(...args: readonly unknown[]): unknown {
  return call(shuffleRows.channelShuffle, undefined, args);
}

/**
 * The cosine similarity of vectors along a dim: x · y / (max(‖x‖, eps) · max(‖y‖, eps)).
 *
 * PyTorch: `torch.nn.functional.cosine_similarity`, `torch.cosine_similarity`.
 *
 * @param x1 - Vectors.
 * @param x2 - Vectors.
 * @param dim - The dim of the vectors. Default: 1.
 * @param eps - The smallest norm. Default: 1e-8.
 * @returns the broadcast shape of the inputs, without the dim; the promoted data type of the operands; float32 for
 * integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.cosineSimilarity(tensor([[1, 0]]), tensor([[1, 1]])) // [0.7071…]
 */
export function cosineSimilarity(
  x1: Tensor,
  x2: Tensor,
  dim?: number | CosineSimilarityOptions | undefined,
  eps?: number | CosineSimilarityOptions | undefined,
): Tensor;
export function cosineSimilarity(...args: readonly unknown[]): unknown {
  return call(classLossRows.cosineSimilarity, undefined, args);
}

/**
 * ‖x - y + eps‖ₚ over the last dim.
 *
 * PyTorch: `torch.nn.functional.pairwise_distance`, `torch.pairwise_distance`.
 *
 * @param x1 - Vectors.
 * @param x2 - Vectors.
 * @param p - The order of the norm. Default: 2.
 * @param eps - Added to the differences. Default: 0.000001.
 * @param keepDim - Keeps the last dim, with size 1. Default: false.
 * @returns the broadcast shape of the inputs, without the last dim; the promoted data type of the operands;
 * float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.pairwiseDistance(tensor([[3, 4]]), tensor([[0, 0]])) // [5]
 */
export function pairwiseDistance(
  x1: Tensor,
  x2: Tensor,
  p?: number | PairwiseDistanceOptions | undefined,
  eps?: number | PairwiseDistanceOptions | undefined,
  keepDim?: boolean | PairwiseDistanceOptions | undefined,
): Tensor;
export function pairwiseDistance(...args: readonly unknown[]): unknown {
  return call(classLossRows.pairwiseDistance, undefined, args);
}

/**
 * The same elements in another shape.
 *
 * PyTorch: `torch.reshape`, `Tensor.reshape`.
 *
 * @param input - The tensor.
 * @param shape - The sizes; one may be -1 and is inferred.
 * @returns the given shape; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * arange(6).reshape(2, 3) // [[0, 1, 2], [3, 4, 5]]
 * arange(6).reshape([-1, 2]).shape // [3, 2]
 */
export function reshape(input: Tensor, ...shape: readonly number[] | readonly [readonly number[]]): Tensor;
export function reshape(...args: readonly unknown[]): unknown {
  return call(shapes.reshape, undefined, args);
}

/**
 * Merges adjacent dims into one.
 *
 * PyTorch: `torch.flatten`, `Tensor.flatten`.
 *
 * @param input - The tensor.
 * @param startDim - The first dim. Default: 0.
 * @param endDim - The last dim. Default: -1.
 * @returns the shape of the input with the dims from `startDim` to `endDim` as one; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([8, 3, 4]).flatten(1).shape // [8, 12]
 */
export function flatten(
  input: Tensor,
  startDim?: number | FlattenOptions | undefined,
  endDim?: number | FlattenOptions | undefined,
): Tensor;
export function flatten(...args: readonly unknown[]): unknown {
  return call(shapes.flatten, undefined, args);
}

/**
 * All elements in one dim.
 *
 * PyTorch: `torch.ravel`, `Tensor.ravel`.
 *
 * @param input - The tensor.
 * @returns [number of elements]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Shapes
 * @example
 * zeros([2, 3]).ravel().shape // [6]
 */
export function ravel(input: Tensor): Tensor;
export function ravel(...args: readonly unknown[]): unknown {
  return call(shapes.ravel, undefined, args);
}

/**
 * Splits one dim into several.
 *
 * PyTorch: `torch.unflatten`, `Tensor.unflatten`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param sizes - Its new sizes; one may be -1.
 * @returns the shape of the input with the dim replaced by the sizes; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([8, 12]).unflatten(1, [3, -1]).shape // [8, 3, 4]
 */
export function unflatten(input: Tensor, dim: number, sizes: readonly number[]): Tensor;
/**
 * Splits one dim into several.
 *
 * PyTorch: `torch.unflatten`, `Tensor.unflatten`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.sizes - Its new sizes; one may be -1.
 * @returns the shape of the input with the dim replaced by the sizes; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([8, 12]).unflatten(1, [3, -1]).shape // [8, 3, 4]
 */
export function unflatten(input: Tensor, named: { readonly dim: number; readonly sizes: readonly number[] }): Tensor;
export function unflatten(...args: readonly unknown[]): unknown {
  return call(shapes.unflatten, undefined, args);
}

/**
 * Swaps two dims.
 *
 * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
 * `Tensor.swapdims`.
 *
 * @param input - The tensor.
 * @param dim0 - The one dim.
 * @param dim1 - The other dim.
 * @returns the shape of the input with the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).transpose(1, 2).shape // [2, 4, 3]
 */
export function transpose(input: Tensor, dim0: number, dim1: number): Tensor;
/**
 * Swaps two dims.
 *
 * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
 * `Tensor.swapdims`.
 *
 * @param input - The tensor.
 * @param named.dim0 - The one dim.
 * @param named.dim1 - The other dim.
 * @returns the shape of the input with the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).transpose(1, 2).shape // [2, 4, 3]
 */
export function transpose(input: Tensor, named: { readonly dim0: number; readonly dim1: number }): Tensor;
export function transpose(...args: readonly unknown[]): unknown {
  return call(shapes.transpose, undefined, args);
}

/**
 * Swaps two dims.
 *
 * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
 * `Tensor.swapdims`.
 *
 * @param input - The tensor.
 * @param dim0 - The one dim.
 * @param dim1 - The other dim.
 * @returns the shape of the input with the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).transpose(1, 2).shape // [2, 4, 3]
 */
export function swapaxes(input: Tensor, dim0: number, dim1: number): Tensor;
/**
 * Swaps two dims.
 *
 * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
 * `Tensor.swapdims`.
 *
 * @param input - The tensor.
 * @param named.dim0 - The one dim.
 * @param named.dim1 - The other dim.
 * @returns the shape of the input with the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).transpose(1, 2).shape // [2, 4, 3]
 */
export function swapaxes(input: Tensor, named: { readonly dim0: number; readonly dim1: number }): Tensor;
export function swapaxes(...args: readonly unknown[]): unknown {
  return call(shapes.transpose, undefined, args);
}

/**
 * Swaps two dims.
 *
 * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
 * `Tensor.swapdims`.
 *
 * @param input - The tensor.
 * @param dim0 - The one dim.
 * @param dim1 - The other dim.
 * @returns the shape of the input with the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).transpose(1, 2).shape // [2, 4, 3]
 */
export function swapdims(input: Tensor, dim0: number, dim1: number): Tensor;
/**
 * Swaps two dims.
 *
 * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
 * `Tensor.swapdims`.
 *
 * @param input - The tensor.
 * @param named.dim0 - The one dim.
 * @param named.dim1 - The other dim.
 * @returns the shape of the input with the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).transpose(1, 2).shape // [2, 4, 3]
 */
export function swapdims(input: Tensor, named: { readonly dim0: number; readonly dim1: number }): Tensor;
export function swapdims(...args: readonly unknown[]): unknown {
  return call(shapes.transpose, undefined, args);
}

/**
 * The transpose of a matrix.
 *
 * PyTorch: `torch.t`, `Tensor.t`.
 *
 * @param input - The tensor.
 * @returns the two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([2, 3]).t().shape // [3, 2]
 */
export function t(input: Tensor): Tensor;
export function t(...args: readonly unknown[]): unknown {
  return call(shapes.t, undefined, args);
}

/**
 * Permutes the dims.
 *
 * PyTorch: `torch.permute`, `Tensor.permute`.
 *
 * @param input - The tensor.
 * @param dims - The dims in their new order.
 * @returns the sizes of the input in that order; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).permute(2, 0, 1).shape // [4, 2, 3]
 */
export function permute(input: Tensor, ...dims: readonly number[] | readonly [readonly number[]]): Tensor;
export function permute(...args: readonly unknown[]): unknown {
  return call(shapes.permute, undefined, args);
}

/**
 * Moves dims to new positions; the other dims keep their order.
 *
 * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
 *
 * @param input - The tensor.
 * @param source - The dims to move.
 * @param destination - The new positions.
 * @returns the sizes of the input in the new order; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).movedim(0, -1).shape // [3, 4, 2]
 */
export function movedim(
  input: Tensor,
  source: number | readonly number[],
  destination: number | readonly number[],
): Tensor;
/**
 * Moves dims to new positions; the other dims keep their order.
 *
 * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
 *
 * @param input - The tensor.
 * @param named.source - The dims to move.
 * @param named.destination - The new positions.
 * @returns the sizes of the input in the new order; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).movedim(0, -1).shape // [3, 4, 2]
 */
export function movedim(
  input: Tensor,
  named: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] },
): Tensor;
export function movedim(...args: readonly unknown[]): unknown {
  return call(shapes.movedim, undefined, args);
}

/**
 * Moves dims to new positions; the other dims keep their order.
 *
 * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
 *
 * @param input - The tensor.
 * @param source - The dims to move.
 * @param destination - The new positions.
 * @returns the sizes of the input in the new order; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).movedim(0, -1).shape // [3, 4, 2]
 */
export function moveaxis(
  input: Tensor,
  source: number | readonly number[],
  destination: number | readonly number[],
): Tensor;
/**
 * Moves dims to new positions; the other dims keep their order.
 *
 * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
 *
 * @param input - The tensor.
 * @param named.source - The dims to move.
 * @param named.destination - The new positions.
 * @returns the sizes of the input in the new order; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * zeros([2, 3, 4]).movedim(0, -1).shape // [3, 4, 2]
 */
export function moveaxis(
  input: Tensor,
  named: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] },
): Tensor;
export function moveaxis(...args: readonly unknown[]): unknown {
  return call(shapes.movedim, undefined, args);
}

/**
 * Inserts a dim of size 1.
 *
 * PyTorch: `torch.unsqueeze`, `Tensor.unsqueeze`.
 *
 * @param input - The tensor.
 * @param dim - The position of the new dim.
 * @returns the shape of the input with a 1 at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3]).unsqueeze(1).shape // [2, 1, 3]
 */
export function unsqueeze(input: Tensor, dim: number): Tensor;
/**
 * Inserts a dim of size 1.
 *
 * PyTorch: `torch.unsqueeze`, `Tensor.unsqueeze`.
 *
 * @param input - The tensor.
 * @param named.dim - The position of the new dim.
 * @returns the shape of the input with a 1 at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 3]).unsqueeze(1).shape // [2, 1, 3]
 */
export function unsqueeze(input: Tensor, named: { readonly dim: number }): Tensor;
export function unsqueeze(...args: readonly unknown[]): unknown {
  return call(shapes.unsqueeze, undefined, args);
}

/**
 * Removes dims of size 1.
 *
 * PyTorch: `torch.squeeze`, `Tensor.squeeze`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims; all of them by default.
 * @returns the shape of the input without its dims of size 1, or without those of the given dims; the data type of
 * the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * zeros([2, 1, 3]).squeeze(1).shape // [2, 3]
 */
export function squeeze(input: Tensor, dim?: number | readonly number[] | SqueezeOptions | undefined): Tensor;
export function squeeze(...args: readonly unknown[]): unknown {
  return call(shapes.squeeze, undefined, args);
}

/**
 * Expands dims of size 1, and adds leading dims, without copying.
 *
 * PyTorch: `Tensor.expand`, `torch.broadcast_to`, `Tensor.broadcast_to`.
 *
 * @param input - The tensor.
 * @param size - The sizes; -1 keeps a size.
 * @returns the given shape; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([[1], [2]]).expand(2, 3) // [[1, 1, 1], [2, 2, 2]]
 */
export function expand(input: Tensor, ...size: readonly number[] | readonly [readonly number[]]): Tensor;
export function expand(...args: readonly unknown[]): unknown {
  return call(shapes.expand, undefined, args);
}

/**
 * Expands dims of size 1, and adds leading dims, without copying.
 *
 * PyTorch: `Tensor.expand`, `torch.broadcast_to`, `Tensor.broadcast_to`.
 *
 * @param input - The tensor.
 * @param size - The sizes; -1 keeps a size.
 * @returns the given shape; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([[1], [2]]).expand(2, 3) // [[1, 1, 1], [2, 2, 2]]
 */
export function broadcastTo(input: Tensor, ...size: readonly number[] | readonly [readonly number[]]): Tensor;
export function broadcastTo(...args: readonly unknown[]): unknown {
  return call(shapes.expand, undefined, args);
}

/**
 * Broadcasts tensors to their common shape.
 *
 * PyTorch: `torch.broadcast_tensors`.
 *
 * @param tensors - The tensors.
 * @returns A list: the broadcast shape of all; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * const [a, b] = broadcastTensors(tensor([1, 2]), tensor([[3], [4]])); // [[1, 2], [1, 2]], [[3, 3], [4, 4]]
 */
export function broadcastTensors(...tensors: readonly Tensor[]): Tensor[];
export function broadcastTensors(...args: readonly unknown[]): unknown {
  return call(shapes.broadcastTensors, undefined, args);
}

/**
 * Repeats the tensor along each dim; repeats that are not given are 1.
 *
 * PyTorch: `torch.tile`, `Tensor.tile`.
 *
 * @param input - The tensor.
 * @param dims - The number of repeats of the last dims.
 * @returns each size times its number of repeats; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([[1], [2]]).tile(2) // [[1, 1], [2, 2]]
 */
export function tile(input: Tensor, ...dims: readonly number[] | readonly [readonly number[]]): Tensor;
export function tile(...args: readonly unknown[]): unknown {
  return call(shapes.tile, undefined, args);
}

/**
 * Repeats each element, with its copies next to each other.
 *
 * Differs from PyTorch: The repeats are a number: with a tensor of them, the shape of the result would depend on
 * data.
 *
 * PyTorch: `torch.repeat_interleave`, `Tensor.repeat_interleave`.
 *
 * @param input - The tensor.
 * @param repeats - The number of repetitions.
 * @param dim - The dim; the flattened tensor by default.
 * @returns the size of the dim times the repeats; one dim without `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * tensor([1, 2]).repeatInterleave(2) // [1, 1, 2, 2]
 */
export function repeatInterleave(
  input: Tensor,
  repeats: number,
  dim?: number | RepeatInterleaveOptions | undefined,
): Tensor;
/**
 * Repeats each element, with its copies next to each other.
 *
 * Differs from PyTorch: The repeats are a number: with a tensor of them, the shape of the result would depend on
 * data.
 *
 * PyTorch: `torch.repeat_interleave`, `Tensor.repeat_interleave`.
 *
 * @param input - The tensor.
 * @param named.repeats - The number of repetitions.
 * @param named.dim - The dim; the flattened tensor by default.
 * @returns the size of the dim times the repeats; one dim without `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * tensor([1, 2]).repeatInterleave(2) // [1, 1, 2, 2]
 */
export function repeatInterleave(input: Tensor, named: { readonly repeats: number } & RepeatInterleaveOptions): Tensor;
export function repeatInterleave(...args: readonly unknown[]): unknown {
  return call(shapes.repeatInterleave, undefined, args);
}

/**
 * The elements in reverse order along dims.
 *
 * PyTorch: `torch.flip`, `Tensor.flip`.
 *
 * @param input - The tensor.
 * @param dims - The dims.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([1, 2, 3]).flip(0) // [3, 2, 1]
 */
export function flip(input: Tensor, ...dims: readonly number[] | readonly [readonly number[]]): Tensor;
export function flip(...args: readonly unknown[]): unknown {
  return call(shapes.flip, undefined, args);
}

/**
 * The columns in reverse order.
 *
 * PyTorch: `torch.fliplr`, `Tensor.fliplr`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * tensor([[1, 2]]).fliplr() // [[2, 1]]
 */
export function fliplr(input: Tensor): Tensor;
export function fliplr(...args: readonly unknown[]): unknown {
  return call(shapes.fliplr, undefined, args);
}

/**
 * The rows in reverse order.
 *
 * PyTorch: `torch.flipud`, `Tensor.flipud`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Shapes
 * @example
 * tensor([1, 2]).flipud() // [2, 1]
 */
export function flipud(input: Tensor): Tensor;
export function flipud(...args: readonly unknown[]): unknown {
  return call(shapes.flipud, undefined, args);
}

/**
 * Shifts elements along dims; elements shifted past the end reappear at the start.
 *
 * PyTorch: `torch.roll`, `Tensor.roll`.
 *
 * @param input - The tensor.
 * @param shifts - How far to shift along each dim.
 * @param dims - The dims; the flattened tensor by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([1, 2, 3]).roll(1) // [3, 1, 2]
 */
export function roll(
  input: Tensor,
  shifts: number | readonly number[],
  dims?: number | readonly number[] | RollOptions | undefined,
): Tensor;
/**
 * Shifts elements along dims; elements shifted past the end reappear at the start.
 *
 * PyTorch: `torch.roll`, `Tensor.roll`.
 *
 * @param input - The tensor.
 * @param named.shifts - How far to shift along each dim.
 * @param named.dims - The dims; the flattened tensor by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([1, 2, 3]).roll(1) // [3, 1, 2]
 */
export function roll(input: Tensor, named: { readonly shifts: number | readonly number[] } & RollOptions): Tensor;
export function roll(...args: readonly unknown[]): unknown {
  return call(shapes.roll, undefined, args);
}

/**
 * A diagonal over two dims, as the last dim.
 *
 * PyTorch: `torch.diagonal`, `Tensor.diagonal`.
 *
 * @param input - The tensor.
 * @param offset - Above (positive) or below the main diagonal. Default: 0.
 * @param dim1 - The dim of rows. Default: 0.
 * @param dim2 - The dim of columns. Default: 1.
 * @returns the shape of the input without the two dims, then the length of the diagonal; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([[1, 2], [3, 4]]).diagonal() // [1, 4]
 */
export function diagonal(
  input: Tensor,
  offset?: number | DiagonalOptions | undefined,
  dim1?: number | DiagonalOptions | undefined,
  dim2?: number | DiagonalOptions | undefined,
): Tensor;
export function diagonal(...args: readonly unknown[]): unknown {
  return call(shapes.diagonal, undefined, args);
}

/**
 * The last dim as a diagonal of two new dims, zeros elsewhere.
 *
 * PyTorch: `torch.diag_embed`, `Tensor.diag_embed`.
 *
 * @param input - The tensor.
 * @param offset - Above (positive) or below the main diagonal. Default: 0.
 * @param dim1 - The dim of rows. Default: -2.
 * @param dim2 - The dim of columns. Default: -1.
 * @returns the shape of the input with its last dim replaced by two; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([1, 2]).diagEmbed() // [[1, 0], [0, 2]]
 */
export function diagEmbed(
  input: Tensor,
  offset?: number | DiagEmbedOptions | undefined,
  dim1?: number | DiagEmbedOptions | undefined,
  dim2?: number | DiagEmbedOptions | undefined,
): Tensor;
export function diagEmbed(...args: readonly unknown[]): unknown {
  return call(shapes.diagEmbed, undefined, args);
}

/**
 * The diagonal of a matrix, or the matrix with a vector as its diagonal.
 *
 * PyTorch: `torch.diag`, `Tensor.diag`.
 *
 * @param input - The tensor.
 * @param diagonal - Above (positive) or below the main diagonal. Default: 0.
 * @returns [length] for a matrix, [n, n] for a vector; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * tensor([1, 2]).diag() // [[1, 0], [0, 2]]
 */
export function diag(input: Tensor, diagonal?: number | DiagOptions | undefined): Tensor;
export function diag(...args: readonly unknown[]): unknown {
  return call(shapes.diag, undefined, args);
}

/**
 * The lower triangle of the last two dims, zeros above it.
 *
 * PyTorch: `torch.tril`, `Tensor.tril`.
 *
 * @param input - The tensor.
 * @param diagonal - The last diagonal to keep. Default: 0.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * ones([2, 2]).tril() // [[1, 0], [1, 1]]
 */
export function tril(input: Tensor, diagonal?: number | TrilOptions | undefined): Tensor;
export function tril(...args: readonly unknown[]): unknown {
  return call(shapes.tril, undefined, args);
}

/**
 * The upper triangle of the last two dims, zeros below it.
 *
 * PyTorch: `torch.triu`, `Tensor.triu`.
 *
 * @param input - The tensor.
 * @param diagonal - The first diagonal that is kept. Default: 0.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Shapes
 * @example
 * ones([2, 2]).triu() // [[1, 1], [0, 1]]
 */
export function triu(input: Tensor, diagonal?: number | TriuOptions | undefined): Tensor;
export function triu(...args: readonly unknown[]): unknown {
  return call(shapes.triu, undefined, args);
}

/**
 * `length` entries of a dim, starting at `start`.
 *
 * PyTorch: `torch.narrow`, `Tensor.narrow`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param start - The first entry; negative counts from the end.
 * @param length - The number of entries.
 * @returns the shape of the input with `length` at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Splitting and combining tensors
 * @example
 * arange(5).narrow(0, 1, 3) // [1, 2, 3]
 */
export function narrow(input: Tensor, dim: number, start: number, length: number): Tensor;
/**
 * `length` entries of a dim, starting at `start`.
 *
 * PyTorch: `torch.narrow`, `Tensor.narrow`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.start - The first entry; negative counts from the end.
 * @param named.length - The number of entries.
 * @returns the shape of the input with `length` at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Splitting and combining tensors
 * @example
 * arange(5).narrow(0, 1, 3) // [1, 2, 3]
 */
export function narrow(
  input: Tensor,
  named: { readonly dim: number; readonly start: number; readonly length: number },
): Tensor;
export function narrow(...args: readonly unknown[]): unknown {
  return call(parts.narrow, undefined, args);
}

/**
 * Selects one entry of a dim, and removes that dim.
 *
 * PyTorch: `torch.select`, `Tensor.select`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The entry; negative counts from the end.
 * @returns the shape of the input without `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Splitting and combining tensors
 * @example
 * tensor([[1, 2], [3, 4]]).select(0, 1) // [3, 4]
 */
export function select(input: Tensor, dim: number, index: number): Tensor;
/**
 * Selects one entry of a dim, and removes that dim.
 *
 * PyTorch: `torch.select`, `Tensor.select`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The entry; negative counts from the end.
 * @returns the shape of the input without `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Splitting and combining tensors
 * @example
 * tensor([[1, 2], [3, 4]]).select(0, 1) // [3, 4]
 */
export function select(input: Tensor, named: { readonly dim: number; readonly index: number }): Tensor;
export function select(...args: readonly unknown[]): unknown {
  return call(parts.select, undefined, args);
}

/**
 * Selects the entries of a dim at the given indices.
 *
 * Indices may be floats with integer values. An index that is out of range raises an error when a value of the
 * step is read.
 *
 * Differs from PyTorch: The index may have any number of dims. An index that is out of range raises an error when
 * a value of the step is read.
 *
 * PyTorch: `torch.index_select`, `Tensor.index_select`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The indices.
 * @returns the shape of the input with the shape of the index at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Splitting and combining tensors
 * @example
 * tensor([10, 20, 30]).indexSelect(0, tensor([2, 0], { dtype: "int64" })) // [30, 10]
 */
export function indexSelect(input: Tensor, dim: number, index: Tensor): Tensor;
/**
 * Selects the entries of a dim at the given indices.
 *
 * Indices may be floats with integer values. An index that is out of range raises an error when a value of the
 * step is read.
 *
 * Differs from PyTorch: The index may have any number of dims. An index that is out of range raises an error when
 * a value of the step is read.
 *
 * PyTorch: `torch.index_select`, `Tensor.index_select`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The indices.
 * @returns the shape of the input with the shape of the index at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Splitting and combining tensors
 * @example
 * tensor([10, 20, 30]).indexSelect(0, tensor([2, 0], { dtype: "int64" })) // [30, 10]
 */
export function indexSelect(input: Tensor, named: { readonly dim: number; readonly index: Tensor }): Tensor;
export function indexSelect(...args: readonly unknown[]): unknown {
  return call(parts.indexSelect, undefined, args);
}

/**
 * Selects elements at indices along a dim: out[i][j] = input[index[i][j]][j] for dim 0.
 *
 * Indices may be floats with integer values. An index that is out of range raises an error when a value of the
 * step is read.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read.
 *
 * PyTorch: `torch.gather`, `Tensor.gather`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The indices.
 * @returns the shape of the index; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const logProbabilities = tensor([[-1, -2], [-3, -4]]), labels = tensor([0, 1], { dtype: 'int64' });
 * logProbabilities.gather(1, labels.unsqueeze(1)) // [[-1], [-4]]
 */
export function gather(input: Tensor, dim: number, index: Tensor): Tensor;
/**
 * Selects elements at indices along a dim: out[i][j] = input[index[i][j]][j] for dim 0.
 *
 * Indices may be floats with integer values. An index that is out of range raises an error when a value of the
 * step is read.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read.
 *
 * PyTorch: `torch.gather`, `Tensor.gather`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The indices.
 * @returns the shape of the index; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const logProbabilities = tensor([[-1, -2], [-3, -4]]), labels = tensor([0, 1], { dtype: 'int64' });
 * logProbabilities.gather(1, labels.unsqueeze(1)) // [[-1], [-4]]
 */
export function gather(input: Tensor, named: { readonly dim: number; readonly index: Tensor }): Tensor;
export function gather(...args: readonly unknown[]): unknown {
  return call(parts.gather, undefined, args);
}

/**
 * Selects elements along a dim at indices such as those of `argsort` and `argmax`; without a dim, in the flattened
 * tensor.
 *
 * The other dims are broadcast. An index that is out of range raises an error when a value of the step is read.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Indices
 * may have any integer type, or be floats with integer values.
 *
 * PyTorch: `torch.take_along_dim`, `Tensor.take_along_dim`.
 *
 * @param input - The tensor.
 * @param indices - The indices.
 * @param dim - The dim; the flattened tensor by default.
 * @returns the shape of the index, with the other dims broadcast; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const x = tensor([[3, 1, 2]]);
 * x.takeAlongDim(x.argsort(1), 1) // [[1, 2, 3]]
 */
export function takeAlongDim(input: Tensor, indices: Tensor, dim?: number | TakeAlongDimOptions | undefined): Tensor;
export function takeAlongDim(...args: readonly unknown[]): unknown {
  return call(parts.takeAlongDim, undefined, args);
}

/**
 * Splits a dim into parts of one size (the last may be smaller), or of the given sizes.
 *
 * PyTorch: `torch.split`, `Tensor.split`.
 *
 * @param tensor - The tensor.
 * @param splitSize - The size of all parts, or a size for each.
 * @param dim - The dim. Default: 0.
 * @returns A list: the shape of the input with the size of the part at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const [a, b] = arange(6).split(4); // [0, 1, 2, 3], [4, 5]
 */
export function split(
  tensor: Tensor,
  splitSize: number | readonly number[],
  dim?: number | SplitOptions | undefined,
): Tensor[];
/**
 * Splits a dim into parts of one size (the last may be smaller), or of the given sizes.
 *
 * PyTorch: `torch.split`, `Tensor.split`.
 *
 * @param tensor - The tensor.
 * @param named.splitSize - The size of all parts, or a size for each.
 * @param named.dim - The dim. Default: 0.
 * @returns A list: the shape of the input with the size of the part at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const [a, b] = arange(6).split(4); // [0, 1, 2, 3], [4, 5]
 */
export function split(
  tensor: Tensor,
  named: { readonly splitSize: number | readonly number[] } & SplitOptions,
): Tensor[];
export function split(...args: readonly unknown[]): unknown {
  return call(parts.split, undefined, args);
}

/**
 * Splits a dim into at most `chunks` parts of one size (the last may be smaller).
 *
 * PyTorch: `torch.chunk`, `Tensor.chunk`.
 *
 * @param input - The tensor.
 * @param chunks - The number of parts.
 * @param dim - The dim. Default: 0.
 * @returns A list: the shape of the input with the size of the part at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const [scale, shift] = tensor([1, 2, 3, 4]).chunk(2); // [1, 2], [3, 4]
 */
export function chunk(input: Tensor, chunks: number, dim?: number | ChunkOptions | undefined): Tensor[];
/**
 * Splits a dim into at most `chunks` parts of one size (the last may be smaller).
 *
 * PyTorch: `torch.chunk`, `Tensor.chunk`.
 *
 * @param input - The tensor.
 * @param named.chunks - The number of parts.
 * @param named.dim - The dim. Default: 0.
 * @returns A list: the shape of the input with the size of the part at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const [scale, shift] = tensor([1, 2, 3, 4]).chunk(2); // [1, 2], [3, 4]
 */
export function chunk(input: Tensor, named: { readonly chunks: number } & ChunkOptions): Tensor[];
export function chunk(...args: readonly unknown[]): unknown {
  return call(parts.chunk, undefined, args);
}

/**
 * All entries of a dim, each without that dim.
 *
 * PyTorch: `torch.unbind`, `Tensor.unbind`.
 *
 * @param input - The tensor.
 * @param dim - The dim. Default: 0.
 * @returns A list: the shape of the input without `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const [x, y] = tensor([[1, 2], [3, 4]]).unbind(-1); // [1, 3], [2, 4]
 */
export function unbind(input: Tensor, dim?: number | UnbindOptions | undefined): Tensor[];
export function unbind(...args: readonly unknown[]): unknown {
  return call(parts.unbind, undefined, args);
}

/**
 * Concatenates tensors along a dim.
 *
 * PyTorch: `torch.cat`, `torch.concat`, `torch.concatenate`.
 *
 * @param tensors - The tensors.
 * @param dim - The dim. Default: 0.
 * @returns the shape of the tensors with the sum of their sizes at `dim`; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * cat([zeros([2, 3]), ones([1, 3])]).shape // [3, 3]
 */
export function cat(tensors: readonly Tensor[], dim?: number | CatOptions | undefined): Tensor;
export function cat(...args: readonly unknown[]): unknown {
  return call(parts.cat, undefined, args);
}

/**
 * Concatenates tensors along a dim.
 *
 * PyTorch: `torch.cat`, `torch.concat`, `torch.concatenate`.
 *
 * @param tensors - The tensors.
 * @param dim - The dim. Default: 0.
 * @returns the shape of the tensors with the sum of their sizes at `dim`; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * cat([zeros([2, 3]), ones([1, 3])]).shape // [3, 3]
 */
export function concat(tensors: readonly Tensor[], dim?: number | CatOptions | undefined): Tensor;
export function concat(...args: readonly unknown[]): unknown {
  return call(parts.cat, undefined, args);
}

/**
 * Concatenates tensors along a dim.
 *
 * PyTorch: `torch.cat`, `torch.concat`, `torch.concatenate`.
 *
 * @param tensors - The tensors.
 * @param dim - The dim. Default: 0.
 * @returns the shape of the tensors with the sum of their sizes at `dim`; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * cat([zeros([2, 3]), ones([1, 3])]).shape // [3, 3]
 */
export function concatenate(tensors: readonly Tensor[], dim?: number | CatOptions | undefined): Tensor;
export function concatenate(...args: readonly unknown[]): unknown {
  return call(parts.cat, undefined, args);
}

/**
 * Stacks tensors of one shape along a new dim.
 *
 * PyTorch: `torch.stack`.
 *
 * @param tensors - The tensors.
 * @param dim - The dim. Default: 0.
 * @returns the shape of the tensors with their number at `dim`; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * stack([zeros([3]), ones([3])]).shape // [2, 3]
 */
export function stack(tensors: readonly Tensor[], dim?: number | StackOptions | undefined): Tensor;
export function stack(...args: readonly unknown[]): unknown {
  return call(parts.stack, undefined, args);
}

/**
 * Concatenates tensors along dim 1, vectors along dim 0.
 *
 * PyTorch: `torch.hstack`.
 *
 * @param tensors - The tensors.
 * @returns the shape of the tensors with the sum of their sizes along that dim; the promoted data type of the
 * operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * hstack([ones([2]), zeros([1])]) // [1, 1, 0]
 */
export function hstack(tensors: readonly Tensor[]): Tensor;
export function hstack(...args: readonly unknown[]): unknown {
  return call(parts.hstack, undefined, args);
}

/**
 * Stacks tensors vertically: vectors become rows.
 *
 * PyTorch: `torch.vstack`.
 *
 * @param tensors - The tensors.
 * @returns the shape of the tensors with the sum of their sizes along dim 0; the promoted data type of the
 * operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * vstack([ones([2]), zeros([2])]) // [[1, 1], [0, 0]]
 */
export function vstack(tensors: readonly Tensor[]): Tensor;
export function vstack(...args: readonly unknown[]): unknown {
  return call(parts.vstack, undefined, args);
}

/**
 * The coordinates of a grid: one tensor per vector.
 *
 * PyTorch: `torch.meshgrid`.
 *
 * @param tensors - The vectors.
 * @param indexing - The order of the first two dims. Default: "ij".
 * @returns A list: one size per vector, the first two swapped for `xy`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {NO_TENSORS}
 * @throws {SHAPE_MISMATCH}
 * @category Splitting and combining tensors
 * @example
 * const [y, x] = meshgrid([arange(2), arange(3)], { indexing: 'ij' }); // [[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]
 */
export function meshgrid(tensors: readonly Tensor[], indexing?: 'ij' | 'xy' | MeshgridOptions | undefined): Tensor[];
export function meshgrid(...args: readonly unknown[]): unknown {
  return call(parts.meshgrid, undefined, args);
}

/**
 * The conjugate transposes of matrices.
 *
 * PyTorch: `torch.adjoint`, `Tensor.adjoint`.
 *
 * @param input - The tensor.
 * @returns the shape of the input with the last two sizes swapped; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * tensor([[1, 2]]).adjoint() // [[1], [2]]
 */
export function adjoint(input: Tensor): Tensor;
export function adjoint(...args: readonly unknown[]): unknown {
  return call(piecesRows.adjoint, undefined, args);
}

/**
 * The tensor with at least 1 dim.
 *
 * Differs from PyTorch: Takes one tensor; for several, call it for each.
 *
 * PyTorch: `torch.atleast_1d`.
 *
 * @param input - The tensor.
 * @returns the shape of the input, with dims of size 1 where some are missing; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Windows, pieces and replaced parts
 * @example
 * atleast1d(tensor(1)) // [1]
 */
export function atleast1d(input: Tensor): Tensor;
export function atleast1d(...args: readonly unknown[]): unknown {
  return call(piecesRows.atleast1d, undefined, args);
}

/**
 * The tensor with at least 2 dims.
 *
 * Differs from PyTorch: Takes one tensor; for several, call it for each.
 *
 * PyTorch: `torch.atleast_2d`.
 *
 * @param input - The tensor.
 * @returns the shape of the input, with dims of size 1 where some are missing; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Windows, pieces and replaced parts
 * @example
 * atleast2d(tensor(1)) // [[1]]
 */
export function atleast2d(input: Tensor): Tensor;
export function atleast2d(...args: readonly unknown[]): unknown {
  return call(piecesRows.atleast2d, undefined, args);
}

/**
 * The tensor with at least 3 dims.
 *
 * Differs from PyTorch: Takes one tensor; for several, call it for each.
 *
 * PyTorch: `torch.atleast_3d`.
 *
 * @param input - The tensor.
 * @returns the shape of the input, with dims of size 1 where some are missing; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Windows, pieces and replaced parts
 * @example
 * atleast3d(tensor(1)) // [[[1]]]
 */
export function atleast3d(input: Tensor): Tensor;
export function atleast3d(...args: readonly unknown[]): unknown {
  return call(piecesRows.atleast3d, undefined, args);
}

/**
 * A block-diagonal matrix.
 *
 * PyTorch: `torch.block_diag`.
 *
 * @param tensors - The tensors.
 * @returns the sums of the sizes; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * blockDiag(tensor([[1]]), tensor([[2, 3]])) // [[1, 0, 0], [0, 2, 3]]
 */
export function blockDiag(...tensors: readonly Tensor[] | readonly [readonly Tensor[]]): Tensor;
export function blockDiag(...args: readonly unknown[]): unknown {
  return call(piecesRows.blockDiag, undefined, args);
}

/**
 * Concatenates tensors along dim 1; vectors become columns.
 *
 * PyTorch: `torch.column_stack`.
 *
 * @param tensors - The tensors.
 * @returns the sum of the sizes at dim 1; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {NO_TENSORS}
 * @category Windows, pieces and replaced parts
 * @example
 * columnStack(tensor([1, 2]), tensor([3, 4])) // [[1, 3], [2, 4]]
 */
export function columnStack(...tensors: readonly Tensor[] | readonly [readonly Tensor[]]): Tensor;
export function columnStack(...args: readonly unknown[]): unknown {
  return call(piecesRows.columnStack, undefined, args);
}

/**
 * Concatenates tensors along dim 2.
 *
 * PyTorch: `torch.dstack`.
 *
 * @param tensors - The tensors.
 * @returns the sum of the sizes at dim 2; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {NO_TENSORS}
 * @category Windows, pieces and replaced parts
 * @example
 * dstack(tensor([1, 2]), tensor([3, 4])) // [[[1, 3], [2, 4]]]
 */
export function dstack(...tensors: readonly Tensor[] | readonly [readonly Tensor[]]): Tensor;
export function dstack(...args: readonly unknown[]): unknown {
  return call(piecesRows.dstack, undefined, args);
}

/**
 * Splits a dim into parts whose sizes differ by at most 1, or at indices.
 *
 * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
 *
 * @param input - The tensor.
 * @param sections - The number of parts.
 * @param dim - The dim. Default: 0.
 * @returns A list: the shape of the input with smaller sizes at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * arange(5).tensorSplit(2) // [[0, 1, 2], [3, 4]]
 */
export function tensorSplit(input: Tensor, sections: number, dim?: number | TensorSplitOptions | undefined): Tensor[];
/**
 * Splits a dim into parts whose sizes differ by at most 1, or at indices.
 *
 * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
 *
 * @param input - The tensor.
 * @param named.sections - The number of parts.
 * @param named.dim - The dim. Default: 0.
 * @returns A list: the shape of the input with smaller sizes at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * arange(5).tensorSplit(2) // [[0, 1, 2], [3, 4]]
 */
export function tensorSplit(input: Tensor, named: { readonly sections: number } & TensorSplitOptions): Tensor[];
/**
 * Splits a dim into parts whose sizes differ by at most 1, or at indices.
 *
 * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
 *
 * @param input - The tensor.
 * @param indices - The start of each part but the first.
 * @param dim - The dim. Default: 0.
 * @returns A list: the shape of the input with smaller sizes at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * arange(5).tensorSplit(2) // [[0, 1, 2], [3, 4]]
 */
export function tensorSplit(
  input: Tensor,
  indices: readonly number[],
  dim?: number | TensorSplitOptions2 | undefined,
): Tensor[];
/**
 * Splits a dim into parts whose sizes differ by at most 1, or at indices.
 *
 * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
 *
 * @param input - The tensor.
 * @param named.indices - The start of each part but the first.
 * @param named.dim - The dim. Default: 0.
 * @returns A list: the shape of the input with smaller sizes at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * arange(5).tensorSplit(2) // [[0, 1, 2], [3, 4]]
 */
export function tensorSplit(
  input: Tensor,
  named: { readonly indices: readonly number[] } & TensorSplitOptions2,
): Tensor[];
export function tensorSplit(...args: readonly unknown[]): unknown {
  return call(piecesRows.tensorSplit, undefined, args);
}

/**
 * Splits the second (for a vector, the only) dim into equal parts, or at indices.
 *
 * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
 *
 * @param input - The tensor.
 * @param sections - The number of parts.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
 */
export function hsplit(input: Tensor, sections: number): Tensor[];
/**
 * Splits the second (for a vector, the only) dim into equal parts, or at indices.
 *
 * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
 *
 * @param input - The tensor.
 * @param named.sections - The number of parts.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
 */
export function hsplit(input: Tensor, named: { readonly sections: number }): Tensor[];
/**
 * Splits the second (for a vector, the only) dim into equal parts, or at indices.
 *
 * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
 *
 * @param input - The tensor.
 * @param indices - The start of each part but the first.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
 */
export function hsplit(input: Tensor, indices: readonly number[]): Tensor[];
/**
 * Splits the second (for a vector, the only) dim into equal parts, or at indices.
 *
 * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
 *
 * @param input - The tensor.
 * @param named.indices - The start of each part but the first.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
 */
export function hsplit(input: Tensor, named: { readonly indices: readonly number[] }): Tensor[];
export function hsplit(...args: readonly unknown[]): unknown {
  return call(piecesRows.hsplit, undefined, args);
}

/**
 * Splits the first dim into equal parts, or at indices.
 *
 * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
 *
 * @param input - The tensor.
 * @param sections - The number of parts.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
 */
export function vsplit(input: Tensor, sections: number): Tensor[];
/**
 * Splits the first dim into equal parts, or at indices.
 *
 * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
 *
 * @param input - The tensor.
 * @param named.sections - The number of parts.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
 */
export function vsplit(input: Tensor, named: { readonly sections: number }): Tensor[];
/**
 * Splits the first dim into equal parts, or at indices.
 *
 * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
 *
 * @param input - The tensor.
 * @param indices - The start of each part but the first.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
 */
export function vsplit(input: Tensor, indices: readonly number[]): Tensor[];
/**
 * Splits the first dim into equal parts, or at indices.
 *
 * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
 *
 * @param input - The tensor.
 * @param named.indices - The start of each part but the first.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
 */
export function vsplit(input: Tensor, named: { readonly indices: readonly number[] }): Tensor[];
export function vsplit(...args: readonly unknown[]): unknown {
  return call(piecesRows.vsplit, undefined, args);
}

/**
 * Splits the third dim into equal parts, or at indices.
 *
 * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
 *
 * @param input - The tensor.
 * @param sections - The number of parts.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = zeros(2, 3, 4).dsplit(2);
 * a!.shape // [2, 3, 2]
 */
export function dsplit(input: Tensor, sections: number): Tensor[];
/**
 * Splits the third dim into equal parts, or at indices.
 *
 * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
 *
 * @param input - The tensor.
 * @param named.sections - The number of parts.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = zeros(2, 3, 4).dsplit(2);
 * a!.shape // [2, 3, 2]
 */
export function dsplit(input: Tensor, named: { readonly sections: number }): Tensor[];
/**
 * Splits the third dim into equal parts, or at indices.
 *
 * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
 *
 * @param input - The tensor.
 * @param indices - The start of each part but the first.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = zeros(2, 3, 4).dsplit(2);
 * a!.shape // [2, 3, 2]
 */
export function dsplit(input: Tensor, indices: readonly number[]): Tensor[];
/**
 * Splits the third dim into equal parts, or at indices.
 *
 * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
 *
 * @param input - The tensor.
 * @param named.indices - The start of each part but the first.
 * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * const [a, b] = zeros(2, 3, 4).dsplit(2);
 * a!.shape // [2, 3, 2]
 */
export function dsplit(input: Tensor, named: { readonly indices: readonly number[] }): Tensor[];
export function dsplit(...args: readonly unknown[]): unknown {
  return call(piecesRows.dsplit, undefined, args);
}

/**
 * Splits a dim into parts of the given sizes.
 *
 * PyTorch: `torch.split_with_sizes`, `Tensor.split_with_sizes`.
 *
 * @param input - The tensor.
 * @param splitSizes - The sizes.
 * @param dim - The dim. Default: 0.
 * @returns A list: the shape of the input with the sizes at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * arange(5).splitWithSizes([2, 3]) // [[0, 1], [2, 3, 4]]
 */
export function splitWithSizes(
  input: Tensor,
  splitSizes: readonly number[],
  dim?: number | SplitWithSizesOptions | undefined,
): Tensor[];
/**
 * Splits a dim into parts of the given sizes.
 *
 * PyTorch: `torch.split_with_sizes`, `Tensor.split_with_sizes`.
 *
 * @param input - The tensor.
 * @param named.splitSizes - The sizes.
 * @param named.dim - The dim. Default: 0.
 * @returns A list: the shape of the input with the sizes at `dim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * arange(5).splitWithSizes([2, 3]) // [[0, 1], [2, 3, 4]]
 */
export function splitWithSizes(
  input: Tensor,
  named: { readonly splitSizes: readonly number[] } & SplitWithSizesOptions,
): Tensor[];
export function splitWithSizes(...args: readonly unknown[]): unknown {
  return call(piecesRows.splitWithSizes, undefined, args);
}

/**
 * Quarter turns of two dims, from the first towards the second.
 *
 * PyTorch: `torch.rot90`, `Tensor.rot90`.
 *
 * @param input - The tensor.
 * @param k - The number of quarter turns. Default: 1.
 * @param dims - The two dims. Default: [0,1].
 * @returns the shape of the input, with the two sizes swapped for an odd number of turns; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * tensor([[1, 2], [3, 4]]).rot90() // [[2, 4], [1, 3]]
 */
export function rot90(
  input: Tensor,
  k?: number | Rot90Options | undefined,
  dims?: readonly number[] | Rot90Options | undefined,
): Tensor;
export function rot90(...args: readonly unknown[]): unknown {
  return call(piecesRows.rot90, undefined, args);
}

/**
 * A matrix with the elements on a diagonal, and zeros elsewhere.
 *
 * PyTorch: `torch.diagflat`, `Tensor.diagflat`.
 *
 * @param input - The tensor.
 * @param offset - The diagonal: above the main one if positive, below if negative. Default: 0.
 * @returns [n, n], where n is the number of elements plus the absolute value of the offset; the data type of the
 * input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Windows, pieces and replaced parts
 * @example
 * tensor([[1, 2]]).diagflat() // [[1, 0], [0, 2]]
 */
export function diagflat(input: Tensor, offset?: number | DiagflatOptions | undefined): Tensor;
export function diagflat(...args: readonly unknown[]): unknown {
  return call(piecesRows.diagflat, undefined, args);
}

/**
 * A copy with one entry of a dim replaced.
 *
 * PyTorch: `torch.select_scatter`, `Tensor.select_scatter`.
 *
 * @param input - The tensor.
 * @param src - The new entry.
 * @param dim - The dim.
 * @param index - Which entry.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * zeros([2, 2]).selectScatter(ones([2]), 0, 1) // [[0, 0], [1, 1]]
 */
export function selectScatter(input: Tensor, src: Tensor, dim: number, index: number): Tensor;
/**
 * A copy with one entry of a dim replaced.
 *
 * PyTorch: `torch.select_scatter`, `Tensor.select_scatter`.
 *
 * @param input - The tensor.
 * @param src - The new entry.
 * @param named.dim - The dim.
 * @param named.index - Which entry.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * zeros([2, 2]).selectScatter(ones([2]), 0, 1) // [[0, 0], [1, 1]]
 */
export function selectScatter(
  input: Tensor,
  src: Tensor,
  named: { readonly dim: number; readonly index: number },
): Tensor;
export function selectScatter(...args: readonly unknown[]): unknown {
  return call(piecesRows.selectScatter, undefined, args);
}

/**
 * A copy with the entries start, start + step, … of a dim replaced.
 *
 * PyTorch: `torch.slice_scatter`, `Tensor.slice_scatter`.
 *
 * @param input - The tensor.
 * @param src - The new entries.
 * @param dim - The dim. Default: 0.
 * @param start - The first entry. Default: 0.
 * @param end - The end; that of the dim by default.
 * @param step - The step. Default: 1.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * zeros([4]).sliceScatter(ones([2]), 0, 1, 3) // [0, 1, 1, 0]
 */
export function sliceScatter(
  input: Tensor,
  src: Tensor,
  dim?: number | SliceScatterOptions | undefined,
  start?: number | SliceScatterOptions | undefined,
  end?: number | SliceScatterOptions | undefined,
  step?: number | SliceScatterOptions | undefined,
): Tensor;
export function sliceScatter(...args: readonly unknown[]): unknown {
  return call(piecesRows.sliceScatter, undefined, args);
}

/**
 * A copy with a diagonal replaced.
 *
 * PyTorch: `torch.diagonal_scatter`, `Tensor.diagonal_scatter`.
 *
 * @param input - The tensor.
 * @param src - The new diagonal.
 * @param offset - The diagonal. Default: 0.
 * @param dim1 - The one dim. Default: 0.
 * @param dim2 - The other dim. Default: 1.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Windows, pieces and replaced parts
 * @example
 * zeros([2, 2]).diagonalScatter(ones([2])) // [[1, 0], [0, 1]]
 */
export function diagonalScatter(
  input: Tensor,
  src: Tensor,
  offset?: number | DiagonalScatterOptions | undefined,
  dim1?: number | DiagonalScatterOptions | undefined,
  dim2?: number | DiagonalScatterOptions | undefined,
): Tensor;
export function diagonalScatter(...args: readonly unknown[]): unknown {
  return call(piecesRows.diagonalScatter, undefined, args);
}

/**
 * Converts indices into a flattened tensor to coordinates of the given shape.
 *
 * PyTorch: `torch.unravel_index`.
 *
 * @param indices - Indices into the flattened tensor.
 * @param shape - The shape of the unflattened tensor.
 * @returns A list: the shape of the indices, once for each dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category Windows, pieces and replaced parts
 * @example
 * unravelIndex(tensor([4], { dtype: 'int64' }), [2, 3]) // [[1], [1]]
 */
export function unravelIndex(indices: Tensor, shape: readonly number[]): Tensor[];
/**
 * Converts indices into a flattened tensor to coordinates of the given shape.
 *
 * PyTorch: `torch.unravel_index`.
 *
 * @param indices - Indices into the flattened tensor.
 * @param named.shape - The shape of the unflattened tensor.
 * @returns A list: the shape of the indices, once for each dim; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category Windows, pieces and replaced parts
 * @example
 * unravelIndex(tensor([4], { dtype: 'int64' }), [2, 3]) // [[1], [1]]
 */
export function unravelIndex(indices: Tensor, named: { readonly shape: readonly number[] }): Tensor[];
export function unravelIndex(...args: readonly unknown[]): unknown {
  return call(piecesRows.unravelIndex, undefined, args);
}

/**
 * The elements sorted along a dim in ascending order, and their original indices.
 *
 * NaN sorts as greater than any number, and the sort is stable.
 *
 * PyTorch: `torch.sort`, `Tensor.sort`.
 *
 * @param input - The tensor.
 * @param dim - The dim. Default: -1.
 * @param descending - Whether the largest comes first. Default: false.
 * @param options.stable - Accepted for compatibility; sorting is always stable. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Order
 * @example
 * const { values, indices } = tensor([3, 1, 2]).sort(); // [1, 2, 3], [1, 2, 0]
 */
export function sort(
  input: Tensor,
  dim?: number | SortOptions | undefined,
  descending?: boolean | SortOptions | undefined,
  options?: SortOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function sort(...args: readonly unknown[]): unknown {
  return call(sortingRows.sort, undefined, args);
}

/**
 * The indices that sort a tensor along a dim.
 *
 * PyTorch: `torch.argsort`, `Tensor.argsort`.
 *
 * @param input - The tensor.
 * @param dim - The dim. Default: -1.
 * @param descending - Whether the largest comes first. Default: false.
 * @param options.stable - Accepted for compatibility; sorting is always stable. Default: false.
 * @returns the shape of the input; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Order
 * @example
 * tensor([3, 1, 2]).argsort() // [1, 2, 0]
 */
export function argsort(
  input: Tensor,
  dim?: number | ArgsortOptions | undefined,
  descending?: boolean | ArgsortOptions | undefined,
  options?: ArgsortOptions,
): Tensor;
export function argsort(...args: readonly unknown[]): unknown {
  return call(sortingRows.argsort, undefined, args);
}

/**
 * The elements sorted along the first dim in ascending order.
 *
 * PyTorch: `torch.msort`, `Tensor.msort`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Order
 * @example
 * tensor([3, 1, 2]).msort() // [1, 2, 3]
 */
export function msort(input: Tensor): Tensor;
export function msort(...args: readonly unknown[]): unknown {
  return call(sortingRows.msort, undefined, args);
}

/**
 * The `k` largest elements along a dim, in descending order, and their indices.
 *
 * With `largest: false`, the smallest in ascending order. Of equal elements, the first is taken.
 *
 * PyTorch: `torch.topk`, `Tensor.topk`.
 *
 * @param input - The tensor.
 * @param k - The number of entries.
 * @param dim - The dim. Default: -1.
 * @param largest - Whether to return the largest; false for the smallest. Default: true.
 * @param sorted - Accepted for compatibility; the result is always sorted. Default: true.
 * @returns `values` and `indices`, by name or in this order: the shape of the input with `k` at the dim
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * const { values, indices } = tensor([1, 5, 3, 4]).topk(2); // [5, 4], [1, 3]
 */
export function topk(
  input: Tensor,
  k: number,
  dim?: number | TopkOptions | undefined,
  largest?: boolean | TopkOptions | undefined,
  sorted?: boolean | TopkOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The `k` largest elements along a dim, in descending order, and their indices.
 *
 * With `largest: false`, the smallest in ascending order. Of equal elements, the first is taken.
 *
 * PyTorch: `torch.topk`, `Tensor.topk`.
 *
 * @param input - The tensor.
 * @param named.k - The number of entries.
 * @param named.dim - The dim. Default: -1.
 * @param named.largest - Whether to return the largest; false for the smallest. Default: true.
 * @param named.sorted - Accepted for compatibility; the result is always sorted. Default: true.
 * @returns `values` and `indices`, by name or in this order: the shape of the input with `k` at the dim
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * const { values, indices } = tensor([1, 5, 3, 4]).topk(2); // [5, 4], [1, 3]
 */
export function topk(
  input: Tensor,
  named: { readonly k: number } & TopkOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function topk(...args: readonly unknown[]): unknown {
  return call(sortingRows.topk, undefined, args);
}

/**
 * The `k`-th smallest element along a dim, counted from 1, and where it is.
 *
 * PyTorch: `torch.kthvalue`, `Tensor.kthvalue`.
 *
 * @param input - The tensor.
 * @param k - Which, from 1.
 * @param dim - The dim. Default: -1.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([3, 1, 2]).kthvalue(2).values // 2
 */
export function kthvalue(
  input: Tensor,
  k: number,
  dim?: number | KthvalueOptions | undefined,
  keepDim?: boolean | KthvalueOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The `k`-th smallest element along a dim, counted from 1, and where it is.
 *
 * PyTorch: `torch.kthvalue`, `Tensor.kthvalue`.
 *
 * @param input - The tensor.
 * @param named.k - Which, from 1.
 * @param named.dim - The dim. Default: -1.
 * @param named.keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([3, 1, 2]).kthvalue(2).values // 2
 */
export function kthvalue(
  input: Tensor,
  named: { readonly k: number } & KthvalueOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function kthvalue(...args: readonly unknown[]): unknown {
  return call(sortingRows.kthvalue, undefined, args);
}

/**
 * The median of all elements, or along a dim with its index: the lower of the two middle elements.
 *
 * NaN if any element is NaN. The gradient goes to one element.
 *
 * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
 * it among them.
 *
 * PyTorch: `torch.median`, `Tensor.median`.
 *
 * @param input - The tensor.
 * @returns the shape of the input without the dim, which has size 1 with `keepDim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([3, 1, 2]).median() // 2
 */
export function median(input: Tensor): Tensor;
/**
 * The median of all elements, or along a dim with its index: the lower of the two middle elements.
 *
 * NaN if any element is NaN. The gradient goes to one element.
 *
 * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
 * it among them.
 *
 * PyTorch: `torch.median`, `Tensor.median`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([3, 1, 2]).median() // 2
 */
export function median(
  input: Tensor,
  dim: number,
  keepDim?: boolean | MedianOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The median of all elements, or along a dim with its index: the lower of the two middle elements.
 *
 * NaN if any element is NaN. The gradient goes to one element.
 *
 * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
 * it among them.
 *
 * PyTorch: `torch.median`, `Tensor.median`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([3, 1, 2]).median() // 2
 */
export function median(
  input: Tensor,
  named: { readonly dim: number } & MedianOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function median(...args: readonly unknown[]): unknown {
  return call(sortingRows.median, undefined, args);
}

/**
 * The median of the elements that are not NaN, of all elements or along a dim.
 *
 * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
 * it among them.
 *
 * PyTorch: `torch.nanmedian`, `Tensor.nanmedian`.
 *
 * @param input - The tensor.
 * @returns the shape of the input without the dim, which has size 1 with `keepDim`; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([3, NaN, 1]).nanmedian() // 1
 */
export function nanmedian(input: Tensor): Tensor;
/**
 * The median of the elements that are not NaN, of all elements or along a dim.
 *
 * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
 * it among them.
 *
 * PyTorch: `torch.nanmedian`, `Tensor.nanmedian`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([3, NaN, 1]).nanmedian() // 1
 */
export function nanmedian(
  input: Tensor,
  dim: number,
  keepDim?: boolean | NanmedianOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The median of the elements that are not NaN, of all elements or along a dim.
 *
 * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
 * it among them.
 *
 * PyTorch: `torch.nanmedian`, `Tensor.nanmedian`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([3, NaN, 1]).nanmedian() // 1
 */
export function nanmedian(
  input: Tensor,
  named: { readonly dim: number } & NanmedianOptions,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function nanmedian(...args: readonly unknown[]): unknown {
  return call(sortingRows.nanmedian, undefined, args);
}

/**
 * The most common element along a dim (the smallest if several tie), and its last index.
 *
 * PyTorch: `torch.mode`, `Tensor.mode`.
 *
 * @param input - The tensor.
 * @param dim - The dim. Default: -1.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @returns `values` and `indices`, by name or in this order: the shape of the input without the dim, which has
 * size 1 with `keepDim`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {EMPTY_REDUCTION}
 * @category Order
 * @example
 * tensor([1, 2, 2]).mode().values // 2
 */
export function mode(
  input: Tensor,
  dim?: number | ModeOptions | undefined,
  keepDim?: boolean | ModeOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function mode(...args: readonly unknown[]): unknown {
  return call(sortingRows.mode, undefined, args);
}

/**
 * The quantiles of all elements, or along a dim: NaN if any element is NaN.
 *
 * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
 *
 * PyTorch: `torch.quantile`, `Tensor.quantile`.
 *
 * @param input - The tensor.
 * @param q - The quantile, from 0 to 1.
 * @param dim - The dim; all elements by default.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @param options.interpolation - How to interpolate between two elements. Default: "linear".
 * @returns [quantiles …, the shape of the input without the dim]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {EMPTY_REDUCTION}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([0, 1, 2]).quantile(0.75) // 1.5
 */
export function quantile(
  input: Tensor,
  q: number,
  dim?: number | QuantileOptions | undefined,
  keepDim?: boolean | QuantileOptions | undefined,
  options?: QuantileOptions,
): Tensor;
/**
 * The quantiles of all elements, or along a dim: NaN if any element is NaN.
 *
 * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
 *
 * PyTorch: `torch.quantile`, `Tensor.quantile`.
 *
 * @param input - The tensor.
 * @param named.q - The quantile, from 0 to 1.
 * @param named.dim - The dim; all elements by default.
 * @param named.keepDim - Keep the reduced dim, with size 1. Default: false.
 * @param named.interpolation - How to interpolate between two elements. Default: "linear".
 * @returns [quantiles …, the shape of the input without the dim]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {EMPTY_REDUCTION}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([0, 1, 2]).quantile(0.75) // 1.5
 */
export function quantile(input: Tensor, named: { readonly q: number } & QuantileOptions): Tensor;
/**
 * The quantiles of all elements, or along a dim: NaN if any element is NaN.
 *
 * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
 *
 * PyTorch: `torch.quantile`, `Tensor.quantile`.
 *
 * @param input - The tensor.
 * @param q - The quantiles, from 0 to 1.
 * @param dim - The dim; all elements by default.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @param options.interpolation - How to interpolate between two elements. Default: "linear".
 * @returns [quantiles …, the shape of the input without the dim]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {EMPTY_REDUCTION}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([0, 1, 2]).quantile(0.75) // 1.5
 */
export function quantile(
  input: Tensor,
  q: Tensor,
  dim?: number | QuantileOptions2 | undefined,
  keepDim?: boolean | QuantileOptions2 | undefined,
  options?: QuantileOptions2,
): Tensor;
export function quantile(...args: readonly unknown[]): unknown {
  return call(sortingRows.quantile, undefined, args);
}

/**
 * The quantiles of the elements that are not NaN, of all elements or along a dim.
 *
 * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
 *
 * PyTorch: `torch.nanquantile`, `Tensor.nanquantile`.
 *
 * @param input - The tensor.
 * @param q - The quantile, from 0 to 1.
 * @param dim - The dim; all elements by default.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @param options.interpolation - How to interpolate between two elements. Default: "linear".
 * @returns [quantiles …, the shape of the input without the dim]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {EMPTY_REDUCTION}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([0, NaN, 2]).nanquantile(0.75) // 1.5
 */
export function nanquantile(
  input: Tensor,
  q: number,
  dim?: number | NanquantileOptions | undefined,
  keepDim?: boolean | NanquantileOptions | undefined,
  options?: NanquantileOptions,
): Tensor;
/**
 * The quantiles of the elements that are not NaN, of all elements or along a dim.
 *
 * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
 *
 * PyTorch: `torch.nanquantile`, `Tensor.nanquantile`.
 *
 * @param input - The tensor.
 * @param named.q - The quantile, from 0 to 1.
 * @param named.dim - The dim; all elements by default.
 * @param named.keepDim - Keep the reduced dim, with size 1. Default: false.
 * @param named.interpolation - How to interpolate between two elements. Default: "linear".
 * @returns [quantiles …, the shape of the input without the dim]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {EMPTY_REDUCTION}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([0, NaN, 2]).nanquantile(0.75) // 1.5
 */
export function nanquantile(input: Tensor, named: { readonly q: number } & NanquantileOptions): Tensor;
/**
 * The quantiles of the elements that are not NaN, of all elements or along a dim.
 *
 * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
 *
 * PyTorch: `torch.nanquantile`, `Tensor.nanquantile`.
 *
 * @param input - The tensor.
 * @param q - The quantiles, from 0 to 1.
 * @param dim - The dim; all elements by default.
 * @param keepDim - Keep the reduced dim, with size 1. Default: false.
 * @param options.interpolation - How to interpolate between two elements. Default: "linear".
 * @returns [quantiles …, the shape of the input without the dim]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {EMPTY_REDUCTION}
 * @throws {OUT_OF_RANGE}
 * @category Order
 * @example
 * tensor([0, NaN, 2]).nanquantile(0.75) // 1.5
 */
export function nanquantile(
  input: Tensor,
  q: Tensor,
  dim?: number | NanquantileOptions2 | undefined,
  keepDim?: boolean | NanquantileOptions2 | undefined,
  options?: NanquantileOptions2,
): Tensor;
export function nanquantile(...args: readonly unknown[]): unknown {
  return call(sortingRows.nanquantile, undefined, args);
}

/**
 * The positions at which values must be inserted into sorted sequences to keep them sorted.
 *
 * Searches the last dim by bisection. The position is before equal elements, or after them with `right`.
 *
 * Differs from PyTorch: Values of another data type than the sequence are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.searchsorted`.
 *
 * @param sortedSequence - The sequences, with one dim or with the leading dims of the values.
 * @param values - The values.
 * @param options.outInt32 - Positions in int32 instead of int64. Default: false.
 * @param options.right - After equal elements instead of before them. Default: false.
 * @param options.side - The same as `right`: before (left) or after (right) equal elements.
 * @param options.sorter - The positions that sort the sequences, where these are not sorted.
 * @returns the shape of the values; int64; int32 with `outInt32`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Order
 * @example
 * searchsorted(tensor([1, 3, 5]), tensor([3, 4])) // [1, 2]
 */
export function searchsorted(
  sortedSequence: Tensor,
  values: Tensor | Scalar,
  options?: SearchsortedOptions<Tensor>,
): Tensor;
export function searchsorted(...args: readonly unknown[]): unknown {
  return call(sortingRows.searchsorted, undefined, args);
}

/**
 * The index of the bucket of each value: the number of sorted boundaries below it.
 *
 * A value on a boundary belongs to the bucket before it; with `right`, to the one after it.
 *
 * Differs from PyTorch: Values of another data type than the sequence are promoted; PyTorch raises an error.
 *
 * PyTorch: `torch.bucketize`.
 *
 * @param input - The values.
 * @param boundaries - The boundaries, one dim.
 * @param options.outInt32 - Positions in int32 instead of int64. Default: false.
 * @param options.right - After equal elements instead of before them. Default: false.
 * @returns the shape of the values; int64; int32 with `outInt32`
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Order
 * @example
 * bucketize(tensor([0, 2, 7]), tensor([1, 3, 5])) // [0, 1, 3]
 */
export function bucketize(input: Tensor | Scalar, boundaries: Tensor, options?: BucketizeOptions): Tensor;
export function bucketize(...args: readonly unknown[]): unknown {
  return call(sortingRows.bucketize, undefined, args);
}

/**
 * Scales down slices along a dim to a p-norm of at most `maxnorm`.
 *
 * PyTorch: `torch.renorm`, `Tensor.renorm`.
 *
 * @param input - The tensor.
 * @param p - The order of the norm.
 * @param dim - The dim.
 * @param maxnorm - The largest norm.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Order
 * @example
 * tensor([[3, 4], [0, 1]]).renorm(2, 0, 1) // [[0.6, 0.8], [0, 1]]
 */
export function renorm(input: Tensor, p: number, dim: number, maxnorm: number): Tensor;
/**
 * Scales down slices along a dim to a p-norm of at most `maxnorm`.
 *
 * PyTorch: `torch.renorm`, `Tensor.renorm`.
 *
 * @param input - The tensor.
 * @param named.p - The order of the norm.
 * @param named.dim - The dim.
 * @param named.maxnorm - The largest norm.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Order
 * @example
 * tensor([[3, 4], [0, 1]]).renorm(2, 0, 1) // [[0.6, 0.8], [0, 1]]
 */
export function renorm(
  input: Tensor,
  named: { readonly p: number; readonly dim: number; readonly maxnorm: number },
): Tensor;
export function renorm(...args: readonly unknown[]): unknown {
  return call(sortingRows.renorm, undefined, args);
}

/**
 * The cumulative sum along a dim.
 *
 * The cost is linear.
 *
 * PyTorch: `torch.cumsum`, `Tensor.cumsum`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([1, 2, 3]).cumsum(0) // [1, 3, 6]
 */
export function cumsum(input: Tensor, dim: number, options?: CumsumOptions): Tensor;
/**
 * The cumulative sum along a dim.
 *
 * The cost is linear.
 *
 * PyTorch: `torch.cumsum`, `Tensor.cumsum`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.dtype - The data type to convert the elements to first.
 * @returns the shape of the input; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([1, 2, 3]).cumsum(0) // [1, 3, 6]
 */
export function cumsum(input: Tensor, named: { readonly dim: number } & CumsumOptions): Tensor;
export function cumsum(...args: readonly unknown[]): unknown {
  return call(runningRows.cumsum, undefined, args);
}

/**
 * The cumulative product along a dim.
 *
 * The cost is linear.
 *
 * PyTorch: `torch.cumprod`, `Tensor.cumprod`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param options.dtype - The data type to convert the elements to first.
 * @returns the shape of the input; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([2, 3, 4]).cumprod(0) // [2, 6, 24]
 */
export function cumprod(input: Tensor, dim: number, options?: CumprodOptions): Tensor;
/**
 * The cumulative product along a dim.
 *
 * The cost is linear.
 *
 * PyTorch: `torch.cumprod`, `Tensor.cumprod`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.dtype - The data type to convert the elements to first.
 * @returns the shape of the input; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([2, 3, 4]).cumprod(0) // [2, 6, 24]
 */
export function cumprod(input: Tensor, named: { readonly dim: number } & CumprodOptions): Tensor;
export function cumprod(...args: readonly unknown[]): unknown {
  return call(runningRows.cumprod, undefined, args);
}

/**
 * The cumulative largest along a dim, and its index: the last one of equal elements.
 *
 * Once an element is NaN, so are all later results. The cost is linear.
 *
 * PyTorch: `torch.cummax`, `Tensor.cummax`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @returns `values` and `indices`, by name or in this order: the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([1, 3, 2]).cummax(0).values // [1, 3, 3]
 */
export function cummax(
  input: Tensor,
  dim: number,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The cumulative largest along a dim, and its index: the last one of equal elements.
 *
 * Once an element is NaN, so are all later results. The cost is linear.
 *
 * PyTorch: `torch.cummax`, `Tensor.cummax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @returns `values` and `indices`, by name or in this order: the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([1, 3, 2]).cummax(0).values // [1, 3, 3]
 */
export function cummax(
  input: Tensor,
  named: { readonly dim: number },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function cummax(...args: readonly unknown[]): unknown {
  return call(runningRows.cummax, undefined, args);
}

/**
 * The cumulative smallest along a dim, and its index: the last one of equal elements.
 *
 * Once an element is NaN, so are all later results. The cost is linear.
 *
 * PyTorch: `torch.cummin`, `Tensor.cummin`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @returns `values` and `indices`, by name or in this order: the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([3, 1, 2]).cummin(0).values // [3, 1, 1]
 */
export function cummin(
  input: Tensor,
  dim: number,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The cumulative smallest along a dim, and its index: the last one of equal elements.
 *
 * Once an element is NaN, so are all later results. The cost is linear.
 *
 * PyTorch: `torch.cummin`, `Tensor.cummin`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @returns `values` and `indices`, by name or in this order: the shape of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([3, 1, 2]).cummin(0).values // [3, 1, 1]
 */
export function cummin(
  input: Tensor,
  named: { readonly dim: number },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function cummin(...args: readonly unknown[]): unknown {
  return call(runningRows.cummin, undefined, args);
}

/**
 * The logarithm of the cumulative sum of exponentials along a dim, without overflow.
 *
 * The cost is linear.
 *
 * Differs from PyTorch: The gradient of elements that are minus infinity is finite; in PyTorch it is NaN.
 *
 * PyTorch: `torch.logcumsumexp`, `Tensor.logcumsumexp`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([0, 0]).logcumsumexp(0) // [0, 0.693…]
 */
export function logcumsumexp(input: Tensor, dim: number): Tensor;
/**
 * The logarithm of the cumulative sum of exponentials along a dim, without overflow.
 *
 * The cost is linear.
 *
 * Differs from PyTorch: The gradient of elements that are minus infinity is finite; in PyTorch it is NaN.
 *
 * PyTorch: `torch.logcumsumexp`, `Tensor.logcumsumexp`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Running totals
 * @example
 * tensor([0, 0]).logcumsumexp(0) // [0, 0.693…]
 */
export function logcumsumexp(input: Tensor, named: { readonly dim: number }): Tensor;
export function logcumsumexp(...args: readonly unknown[]): unknown {
  return call(runningRows.logcumsumexp, undefined, args);
}

/**
 * Writes elements to positions along a dim: out[index[i][j]][j] = src[i][j] for dim 0.
 *
 * If several elements are written to one position, the last one wins. `src` may be a number.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter`, `Tensor.scatter`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The position of each element along the dim.
 * @param src - The elements.
 * @param options.reduce - How to combine the elements at a position.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([2, 3]).scatter(1, tensor([[2], [0]], { dtype: "int64" }), 1) // [[0, 0, 1], [1, 0, 0]]
 */
export function scatter(input: Tensor, dim: number, index: Tensor, src: Tensor, options?: ScatterOptions): Tensor;
/**
 * Writes elements to positions along a dim: out[index[i][j]][j] = src[i][j] for dim 0.
 *
 * If several elements are written to one position, the last one wins. `src` may be a number.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter`, `Tensor.scatter`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The position of each element along the dim.
 * @param named.src - The elements.
 * @param named.reduce - How to combine the elements at a position.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([2, 3]).scatter(1, tensor([[2], [0]], { dtype: "int64" }), 1) // [[0, 0, 1], [1, 0, 0]]
 */
export function scatter(
  input: Tensor,
  named: { readonly dim: number; readonly index: Tensor; readonly src: Tensor } & ScatterOptions,
): Tensor;
/**
 * Writes elements to positions along a dim: out[index[i][j]][j] = src[i][j] for dim 0.
 *
 * If several elements are written to one position, the last one wins. `src` may be a number.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter`, `Tensor.scatter`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The position of each element along the dim.
 * @param value - The number.
 * @param options.reduce - How to combine the elements at a position.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([2, 3]).scatter(1, tensor([[2], [0]], { dtype: "int64" }), 1) // [[0, 0, 1], [1, 0, 0]]
 */
export function scatter(input: Tensor, dim: number, index: Tensor, value: Scalar, options?: ScatterOptions2): Tensor;
/**
 * Writes elements to positions along a dim: out[index[i][j]][j] = src[i][j] for dim 0.
 *
 * If several elements are written to one position, the last one wins. `src` may be a number.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter`, `Tensor.scatter`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The position of each element along the dim.
 * @param named.value - The number.
 * @param named.reduce - How to combine the elements at a position.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([2, 3]).scatter(1, tensor([[2], [0]], { dtype: "int64" }), 1) // [[0, 0, 1], [1, 0, 0]]
 */
export function scatter(
  input: Tensor,
  named: { readonly dim: number; readonly index: Tensor; readonly value: Scalar } & ScatterOptions2,
): Tensor;
export function scatter(...args: readonly unknown[]): unknown {
  return call(scatterRows.scatter, undefined, args);
}

/**
 * Adds elements at positions along a dim: out[index[i][j]][j] += src[i][j] for dim 0.
 *
 * Elements at one position are added in order: the result is bit-identical for any number of threads.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter_add`, `Tensor.scatter_add`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The position of each element along the dim.
 * @param src - The elements.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).scatterAdd(0, tensor([1, 1], { dtype: "int64" }), tensor([2, 3])) // [0, 5, 0]
 */
export function scatterAdd(input: Tensor, dim: number, index: Tensor, src: Tensor): Tensor;
/**
 * Adds elements at positions along a dim: out[index[i][j]][j] += src[i][j] for dim 0.
 *
 * Elements at one position are added in order: the result is bit-identical for any number of threads.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter_add`, `Tensor.scatter_add`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The position of each element along the dim.
 * @param named.src - The elements.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).scatterAdd(0, tensor([1, 1], { dtype: "int64" }), tensor([2, 3])) // [0, 5, 0]
 */
export function scatterAdd(
  input: Tensor,
  named: { readonly dim: number; readonly index: Tensor; readonly src: Tensor },
): Tensor;
export function scatterAdd(...args: readonly unknown[]): unknown {
  return call(scatterRows.scatterAdd, undefined, args);
}

/**
 * Combines elements at positions along a dim: their sum, product, mean, largest or smallest.
 *
 * With `includeSelf: false`, the elements that are overwritten are not included. Elements that tie share the
 * gradient.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter_reduce`, `Tensor.scatter_reduce`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The position of each element along the dim.
 * @param src - The elements.
 * @param reduce - How.
 * @param options.includeSelf - Whether to include the elements that are overwritten. Default: true.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([2]).scatterReduce(0, tensor([0, 0], { dtype: 'int64' }), tensor([2, 3]), 'amax') // [3, 0]
 */
export function scatterReduce(
  input: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor,
  reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin',
  options?: ScatterReduceOptions,
): Tensor;
/**
 * Combines elements at positions along a dim: their sum, product, mean, largest or smallest.
 *
 * With `includeSelf: false`, the elements that are overwritten are not included. Elements that tie share the
 * gradient.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.scatter_reduce`, `Tensor.scatter_reduce`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The position of each element along the dim.
 * @param named.src - The elements.
 * @param named.reduce - How.
 * @param named.includeSelf - Whether to include the elements that are overwritten. Default: true.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([2]).scatterReduce(0, tensor([0, 0], { dtype: 'int64' }), tensor([2, 3]), 'amax') // [3, 0]
 */
export function scatterReduce(
  input: Tensor,
  named: {
    readonly dim: number;
    readonly index: Tensor;
    readonly src: Tensor;
    readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin';
  } & ScatterReduceOptions,
): Tensor;
export function scatterReduce(...args: readonly unknown[]): unknown {
  return call(scatterRows.scatterReduce, undefined, args);
}

/**
 * Adds slices to those at positions along a dim.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_add`, `Tensor.index_add`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The positions along the dim, in one dim.
 * @param source - The slices.
 * @param options.alpha - The factor for the slices. Default: 1.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).indexAdd(0, tensor([2, 2], { dtype: "int64" }), tensor([1, 5])) // [0, 0, 6]
 */
export function indexAdd(input: Tensor, dim: number, index: Tensor, source: Tensor, options?: IndexAddOptions): Tensor;
/**
 * Adds slices to those at positions along a dim.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_add`, `Tensor.index_add`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The positions along the dim, in one dim.
 * @param named.source - The slices.
 * @param named.alpha - The factor for the slices. Default: 1.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).indexAdd(0, tensor([2, 2], { dtype: "int64" }), tensor([1, 5])) // [0, 0, 6]
 */
export function indexAdd(
  input: Tensor,
  named: { readonly dim: number; readonly index: Tensor; readonly source: Tensor } & IndexAddOptions,
): Tensor;
export function indexAdd(...args: readonly unknown[]): unknown {
  return call(scatterRows.indexAdd, undefined, args);
}

/**
 * Replaces the slices at positions along a dim.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_copy`, `Tensor.index_copy`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The positions along the dim, in one dim.
 * @param source - The slices.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).indexCopy(0, tensor([2], { dtype: "int64" }), tensor([5])) // [0, 0, 5]
 */
export function indexCopy(input: Tensor, dim: number, index: Tensor, source: Tensor): Tensor;
/**
 * Replaces the slices at positions along a dim.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_copy`, `Tensor.index_copy`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The positions along the dim, in one dim.
 * @param named.source - The slices.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).indexCopy(0, tensor([2], { dtype: "int64" }), tensor([5])) // [0, 0, 5]
 */
export function indexCopy(
  input: Tensor,
  named: { readonly dim: number; readonly index: Tensor; readonly source: Tensor },
): Tensor;
export function indexCopy(...args: readonly unknown[]): unknown {
  return call(scatterRows.indexCopy, undefined, args);
}

/**
 * Replaces the slices at positions along a dim by a number.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_fill`, `Tensor.index_fill`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The positions along the dim, in one dim.
 * @param value - The number.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).indexFill(0, tensor([2], { dtype: "int64" }), 5) // [0, 0, 5]
 */
export function indexFill(input: Tensor, dim: number, index: Tensor, value: Scalar): Tensor;
/**
 * Replaces the slices at positions along a dim by a number.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_fill`, `Tensor.index_fill`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The positions along the dim, in one dim.
 * @param named.value - The number.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).indexFill(0, tensor([2], { dtype: "int64" }), 5) // [0, 0, 5]
 */
export function indexFill(
  input: Tensor,
  named: { readonly dim: number; readonly index: Tensor; readonly value: Scalar },
): Tensor;
export function indexFill(...args: readonly unknown[]): unknown {
  return call(scatterRows.indexFill, undefined, args);
}

/**
 * Combines slices with those at positions along a dim: by product, mean, largest or smallest.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_reduce`, `Tensor.index_reduce`.
 *
 * @param input - The tensor.
 * @param dim - The dim.
 * @param index - The positions along the dim, in one dim.
 * @param source - The slices.
 * @param reduce - How.
 * @param options.includeSelf - Whether to include the elements that are overwritten. Default: true.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * ones([2]).indexReduce(0, tensor([0], { dtype: 'int64' }), tensor([3]), 'amax') // [3, 1]
 */
export function indexReduce(
  input: Tensor,
  dim: number,
  index: Tensor,
  source: Tensor,
  reduce: 'prod' | 'mean' | 'amax' | 'amin',
  options?: IndexReduceOptions,
): Tensor;
/**
 * Combines slices with those at positions along a dim: by product, mean, largest or smallest.
 *
 * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
 * differentiable where the source is larger than the index.
 *
 * PyTorch: `torch.index_reduce`, `Tensor.index_reduce`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim.
 * @param named.index - The positions along the dim, in one dim.
 * @param named.source - The slices.
 * @param named.reduce - How.
 * @param named.includeSelf - Whether to include the elements that are overwritten. Default: true.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * ones([2]).indexReduce(0, tensor([0], { dtype: 'int64' }), tensor([3]), 'amax') // [3, 1]
 */
export function indexReduce(
  input: Tensor,
  named: {
    readonly dim: number;
    readonly index: Tensor;
    readonly source: Tensor;
    readonly reduce: 'prod' | 'mean' | 'amax' | 'amin';
  } & IndexReduceOptions,
): Tensor;
export function indexReduce(...args: readonly unknown[]): unknown {
  return call(scatterRows.indexReduce, undefined, args);
}

/**
 * Replaces the elements where a mask is true by those of a source, in order.
 *
 * Differs from PyTorch: A source that is too short repeats its last element, because compiled programs cannot
 * raise errors.
 *
 * PyTorch: `torch.masked_scatter`, `Tensor.masked_scatter`.
 *
 * @param input - The tensor.
 * @param mask - Where to write; broadcasts.
 * @param source - The elements.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Writing at positions
 * @example
 * zeros([3]).maskedScatter(tensor([true, false, true]), tensor([7, 8])) // [7, 0, 8]
 */
export function maskedScatter(input: Tensor, mask: Tensor, source: Tensor): Tensor;
export function maskedScatter(...args: readonly unknown[]): unknown {
  return call(scatterRows.maskedScatter, undefined, args);
}

/**
 * 1 with a probability given by each element, or by one number for all, else 0.
 *
 * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
 *
 * PyTorch: `torch.bernoulli`, `Tensor.bernoulli`.
 *
 * @param input - The probabilities.
 * @param options.generator - Where random numbers come from; the seed of the device by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Random numbers
 * @example
 * tensor([0, 1, 1]).bernoulli() // [0, 1, 1]
 */
export function bernoulli(input: Tensor, options?: BernoulliOptions): Tensor;
/**
 * 1 with a probability given by each element, or by one number for all, else 0.
 *
 * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
 *
 * PyTorch: `torch.bernoulli`, `Tensor.bernoulli`.
 *
 * @param input - The tensor.
 * @param p - The probability, or one for each element.
 * @param options.generator - Where random numbers come from; the seed of the device by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Random numbers
 * @example
 * tensor([0, 1, 1]).bernoulli() // [0, 1, 1]
 */
export function bernoulli(input: Tensor, p: Tensor | Scalar, options?: BernoulliOptions2): Tensor;
export function bernoulli(...args: readonly unknown[]): unknown {
  return call(randomRows.bernoulli, undefined, args);
}

/**
 * Indices sampled from the multinomial distribution given by a vector of weights, or by each row of a matrix.
 *
 * Weights need not sum to 1. A function of the seed and the step: the same on any number of threads, ranks and
 * micro-batches.
 *
 * Differs from PyTorch: Negative weights, or weights that are all 0, raise no error, because compiled programs
 * cannot raise errors.
 *
 * PyTorch: `torch.multinomial`, `Tensor.multinomial`.
 *
 * @param input - The weights.
 * @param numSamples - The number of samples.
 * @param replacement - Sample with replacement: an index may occur more than once. Default: false.
 * @param options.generator - Where random numbers come from; the seed of the device by default.
 * @returns [samples], or [rows, samples]; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @throws {OUT_OF_RANGE}
 * @category Random numbers
 * @example
 * tensor([0, 0, 1]).multinomial(2, { replacement: true }) // [2, 2]
 */
export function multinomial(
  input: Tensor,
  numSamples: number,
  replacement?: boolean | MultinomialOptions | undefined,
  options?: MultinomialOptions,
): Tensor;
/**
 * Indices sampled from the multinomial distribution given by a vector of weights, or by each row of a matrix.
 *
 * Weights need not sum to 1. A function of the seed and the step: the same on any number of threads, ranks and
 * micro-batches.
 *
 * Differs from PyTorch: Negative weights, or weights that are all 0, raise no error, because compiled programs
 * cannot raise errors.
 *
 * PyTorch: `torch.multinomial`, `Tensor.multinomial`.
 *
 * @param input - The weights.
 * @param named.numSamples - The number of samples.
 * @param named.replacement - Sample with replacement: an index may occur more than once. Default: false.
 * @param named.generator - Where random numbers come from; the seed of the device by default.
 * @returns [samples], or [rows, samples]; int64
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @throws {OUT_OF_RANGE}
 * @category Random numbers
 * @example
 * tensor([0, 0, 1]).multinomial(2, { replacement: true }) // [2, 2]
 */
export function multinomial(input: Tensor, named: { readonly numSamples: number } & MultinomialOptions): Tensor;
export function multinomial(...args: readonly unknown[]): unknown {
  return call(randomRows.multinomial, undefined, args);
}

/**
 * Samples of Poisson distributions with the rates given by the elements.
 *
 * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
 *
 * Differs from PyTorch: A negative rate gives NaN, because compiled programs cannot raise errors.
 *
 * PyTorch: `torch.poisson`.
 *
 * @param input - The rates.
 * @param generator - Where random numbers come from.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category Random numbers
 * @example
 * poisson(tensor([0, 4])).shape // [2]
 */
export function poisson(
  input: Tensor,
  generator?: import('../generator.ts').Generator | PoissonOptions | undefined,
): Tensor;
export function poisson(...args: readonly unknown[]): unknown {
  return call(randomRows.poisson, undefined, args);
}

/**
 * The number of successes in `count` trials with success probability `prob`.
 *
 * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
 *
 * PyTorch: `torch.binomial`.
 *
 * @param count - The numbers of trials, as floats.
 * @param prob - The probabilities.
 * @param generator - Where random numbers come from.
 * @returns the broadcast shape of the operands; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @category Random numbers
 * @example
 * binomial(tensor([10, 10]), tensor([0, 1])) // [0, 10]
 */
export function binomial(
  count: Tensor,
  prob: Tensor,
  generator?: import('../generator.ts').Generator | BinomialOptions | undefined,
): Tensor;
export function binomial(...args: readonly unknown[]): unknown {
  return call(randomRows.binomial, undefined, args);
}

/**
 * Whether each element is among those of another tensor.
 *
 * The test elements are sorted, then searched by bisection. NaN is not equal to NaN.
 *
 * PyTorch: `torch.isin`.
 *
 * @param elements - The elements.
 * @param testElements - The elements to search.
 * @param options.assumeUnique - Accepted for compatibility; has no effect. Default: false.
 * @param options.invert - Invert the result. Default: false.
 * @returns the shape of the elements; bool
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Counts and statistics
 * @example
 * isin(tensor([1, 2, 3]), tensor([3, 1])) // [true, false, true]
 */
export function isin(elements: Tensor, testElements: Tensor, options?: IsinOptions): Tensor;
export function isin(...args: readonly unknown[]): unknown {
  return call(countingRows.isin, undefined, args);
}

/**
 * The number of elements in each of several bins of equal width; elements outside the range are ignored.
 *
 * If min and max are both 0, the bins span the smallest to the largest element.
 *
 * PyTorch: `torch.histc`, `Tensor.histc`.
 *
 * @param input - The tensor.
 * @param bins - The number of bins. Default: 100.
 * @param min - The lower end. Default: 0.
 * @param max - The upper end. Default: 0.
 * @returns [bins]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category Counts and statistics
 * @example
 * tensor([1, 2, 1]).histc(4, 0, 3) // [0, 2, 1, 0]
 */
export function histc(
  input: Tensor,
  bins?: number | HistcOptions | undefined,
  min?: number | HistcOptions | undefined,
  max?: number | HistcOptions | undefined,
): Tensor;
export function histc(...args: readonly unknown[]): unknown {
  return call(countingRows.histc, undefined, args);
}

/**
 * The covariance matrix of variables, whose observations are rows.
 *
 * Differs from PyTorch: Weights of observations are not supported.
 *
 * PyTorch: `torch.cov`, `Tensor.cov`.
 *
 * @param input - The tensor.
 * @param options.correction - Subtracted from the number of observations. Default: 1.
 * @returns [variables, variables]; no dims for one row; the data type of the input; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * tensor([[0, 1, 2], [2, 1, 0]]).cov() // [[1, -1], [-1, 1]]
 */
export function cov(input: Tensor, options?: CovOptions): Tensor;
export function cov(...args: readonly unknown[]): unknown {
  return call(countingRows.cov, undefined, args);
}

/**
 * The correlation matrix of variables, whose observations are rows.
 *
 * PyTorch: `torch.corrcoef`, `Tensor.corrcoef`.
 *
 * @param input - The tensor.
 * @returns [variables, variables]; no dims for one row; the data type of the input; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * tensor([[0, 1, 2], [2, 1, 0]]).corrcoef() // [[1, -1], [-1, 1]]
 */
export function corrcoef(input: Tensor): Tensor;
export function corrcoef(...args: readonly unknown[]): unknown {
  return call(countingRows.corrcoef, undefined, args);
}

/**
 * The integral along a dim by the trapezoidal rule, over points x or with a constant spacing dx.
 *
 * PyTorch: `torch.trapezoid`, `torch.trapz`.
 *
 * @param y - The values.
 * @param x - The points.
 * @param dim - The dim. Default: -1.
 * @returns the shape of y without the dim; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * trapezoid(tensor([1, 2, 3])) // 4
 */
export function trapezoid(y: Tensor, x: Tensor, dim?: number | TrapezoidOptions | undefined): Tensor;
/**
 * The integral along a dim by the trapezoidal rule, over points x or with a constant spacing dx.
 *
 * PyTorch: `torch.trapezoid`, `torch.trapz`.
 *
 * @param y - The values.
 * @param options.dx - The step. Default: 1.
 * @param dim - The dim. Default: -1.
 * @returns the shape of y without the dim; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * trapezoid(tensor([1, 2, 3])) // 4
 */
export function trapezoid(y: Tensor, dim?: number | TrapezoidOptions2 | undefined, options?: TrapezoidOptions2): Tensor;
export function trapezoid(...args: readonly unknown[]): unknown {
  return call(countingRows.trapezoid, undefined, args);
}

/**
 * The integral along a dim by the trapezoidal rule, over points x or with a constant spacing dx.
 *
 * PyTorch: `torch.trapezoid`, `torch.trapz`.
 *
 * @param y - The values.
 * @param x - The points.
 * @param dim - The dim. Default: -1.
 * @returns the shape of y without the dim; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * trapezoid(tensor([1, 2, 3])) // 4
 */
export function trapz(y: Tensor, x: Tensor, dim?: number | TrapezoidOptions | undefined): Tensor;
/**
 * The integral along a dim by the trapezoidal rule, over points x or with a constant spacing dx.
 *
 * PyTorch: `torch.trapezoid`, `torch.trapz`.
 *
 * @param y - The values.
 * @param options.dx - The step. Default: 1.
 * @param dim - The dim. Default: -1.
 * @returns the shape of y without the dim; the promoted data type of the operands; float32 for integers and
 * booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * trapezoid(tensor([1, 2, 3])) // 4
 */
export function trapz(y: Tensor, dim?: number | TrapezoidOptions2 | undefined, options?: TrapezoidOptions2): Tensor;
export function trapz(...args: readonly unknown[]): unknown {
  return call(countingRows.trapezoid, undefined, args);
}

/**
 * The powers of a vector as columns (the Vandermonde matrix), in descending order by default.
 *
 * Differs from PyTorch: Differentiable for more than two columns, too; PyTorch raises an error.
 *
 * PyTorch: `torch.vander`.
 *
 * @param x - The vector.
 * @param columns - The number of columns; by default that of rows.
 * @param increasing - Ascending powers. Default: false.
 * @returns [n, columns]; the data type of the input; int64 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * vander(tensor([2, 3]), 3) // [[4, 2, 1], [9, 3, 1]]
 */
export function vander(
  x: Tensor,
  columns?: number | VanderOptions | undefined,
  increasing?: boolean | VanderOptions | undefined,
): Tensor;
export function vander(...args: readonly unknown[]): unknown {
  return call(countingRows.vander, undefined, args);
}

/**
 * The Cartesian product of vectors.
 *
 * PyTorch: `torch.cartesian_prod`.
 *
 * @param tensors - The vectors.
 * @returns [tuples, vectors]; a single vector is returned unchanged; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * cartesianProd(tensor([1, 2]), tensor([3, 4])) // [[1, 3], [1, 4], [2, 3], [2, 4]]
 */
export function cartesianProd(...tensors: readonly Tensor[] | readonly [readonly Tensor[]]): Tensor;
export function cartesianProd(...args: readonly unknown[]): unknown {
  return call(countingRows.cartesianProd, undefined, args);
}

/**
 * All combinations of `r` elements of a vector.
 *
 * PyTorch: `torch.combinations`.
 *
 * @param input - The vector.
 * @param r - The number of entries. Default: 2.
 * @param withReplacement - Whether an element may be chosen more than once. Default: false.
 * @returns [ways, r]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Counts and statistics
 * @example
 * combinations(tensor([1, 2, 3])) // [[1, 2], [1, 3], [2, 3]]
 */
export function combinations(
  input: Tensor,
  r?: number | CombinationsOptions | undefined,
  withReplacement?: boolean | CombinationsOptions | undefined,
): Tensor;
export function combinations(...args: readonly unknown[]): unknown {
  return call(countingRows.combinations, undefined, args);
}

/**
 * How often each of 0, 1, 2 … occurs in a vector of integers, or the sum of the weights there.
 *
 * The vector is read immediately, because the shape of the result depends on it. Not differentiable.
 *
 * PyTorch: `torch.bincount`, `Tensor.bincount`.
 *
 * @param input - The numbers, from 0 on.
 * @param weights - The weight of each; 1 by default.
 * @param minlength - The minimum length of the result. Default: 0.
 * @returns [the largest number + 1], or [minlength] if that is larger; the requested data type
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Counts of numbers
 * @example
 * tensor([1, 3, 1], { dtype: 'int64' }).bincount() // [0, 2, 0, 1]
 */
export function bincount(
  input: Tensor,
  weights?: Tensor | null | BincountOptions<Tensor> | undefined,
  minlength?: number | BincountOptions<Tensor> | undefined,
): Tensor;
export function bincount(...args: readonly unknown[]): unknown {
  return call(binRows.bincount, undefined, args, Tensor.prototype);
}
