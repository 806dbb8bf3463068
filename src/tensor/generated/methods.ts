// The methods of tensors that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call, callInPlace } from '../surface/call.ts';
import { activations } from '../surface/rows/activations.ts';
import { moreActivations } from '../surface/rows/activations-more.ts';
import { arithmetic } from '../surface/rows/arithmetic.ts';
import { binaryRows } from '../surface/rows/binary.ts';
import { binRows } from '../surface/rows/bins.ts';
import { castRows } from '../surface/rows/casts.ts';
import { comparisons } from '../surface/rows/comparison.ts';
import { complexRows } from '../surface/rows/complex.ts';
import { contractions } from '../surface/rows/contractions.ts';
import { countingRows } from '../surface/rows/counting.ts';
import { creation } from '../surface/rows/creation.ts';
import { elementaryRows } from '../surface/rows/elementary.ts';
import { moreLinear } from '../surface/rows/linear-more.ts';
import { linearSystems } from '../surface/rows/linear-systems.ts';
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
import { sortingRows } from '../surface/rows/sorting.ts';
import { specialRows } from '../surface/rows/special.ts';
import { spectra } from '../surface/rows/spectra.ts';
import { unary } from '../surface/rows/unary.ts';
import { Traced } from '../traced.ts';
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
  CauchyOptions,
  CholeskyInverseOptions,
  CholeskyOptions,
  CholeskySolveOptions,
  ChunkOptions,
  ClampOptions,
  CountNonzeroOptions,
  CovOptions,
  CrossOptions,
  CumprodOptions,
  CumsumOptions,
  DiagEmbedOptions,
  DiagflatOptions,
  DiagOptions,
  DiagonalOptions,
  DiagonalScatterOptions,
  DiffOptions,
  DistOptions,
  DivOptions,
  ExponentialOptions,
  FlattenOptions,
  GeluOptions,
  GeometricOptions,
  HardshrinkOptions,
  HistcOptions,
  IndexAddOptions,
  IndexReduceOptions,
  IscloseOptions,
  IstftOptions,
  KthvalueOptions,
  LogNormalOptions,
  LogSoftmaxOptions,
  LogsumexpOptions,
  MaxOptions,
  MeanOptions,
  MedianOptions,
  MinOptions,
  ModeOptions,
  MultinomialOptions,
  NanmeanOptions,
  NanmedianOptions,
  NanquantileOptions,
  NanquantileOptions2,
  NansumOptions,
  NanToNumOptions,
  NewEmptyOptions,
  NewFullOptions,
  NewOnesOptions,
  NewZerosOptions,
  NormalOptions,
  NormOptions,
  OrmqrOptions,
  PinverseOptions,
  ProdOptions,
  ProdOptions2,
  QrOptions,
  QuantileOptions,
  QuantileOptions2,
  RandomOptions,
  RepeatInterleaveOptions,
  RollOptions,
  Rot90Options,
  RoundOptions,
  ScatterOptions,
  ScatterOptions2,
  ScatterReduceOptions,
  SliceScatterOptions,
  SoftmaxOptions,
  SortOptions,
  SplitOptions,
  SplitWithSizesOptions,
  SqueezeOptions,
  StdOptions,
  StdOptions2,
  StftOptions,
  SubOptions,
  SumOptions,
  SvdOptions,
  TakeAlongDimOptions,
  TensorSplitOptions,
  TensorSplitOptions2,
  TopkOptions,
  TrilOptions,
  TriuOptions,
  UnbindOptions,
  UniformOptions,
  VarOptions,
  VarOptions2,
} from './options.ts';

/** Methods generated from the table; `T` is the tensor class. */
export abstract class TensorMethods<T extends Traced> extends Traced {
  /**
   * Zeros, with the data type and device of this tensor by default.
   *
   * PyTorch: `Tensor.new_zeros`.
   *
   * @param size - The sizes.
   * @returns the sizes; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category New tensors
   * @example
   * tensor([1, 2], { dtype: 'int32' }).newZeros(2, 2).dtype // 'int32'
   */
  newZeros(
    ...size:
      | readonly number[]
      | readonly [readonly number[]]
      | readonly [readonly number[], NewZerosOptions?]
      | readonly [...number[], NewZerosOptions]
  ): T;
  newZeros(...args: readonly unknown[]): unknown {
    return call(creation.newZeros, this, args);
  }

  /**
   * Ones, with the data type and device of this tensor by default.
   *
   * PyTorch: `Tensor.new_ones`.
   *
   * @param size - The sizes.
   * @returns the sizes; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category New tensors
   * @example
   * tensor([1, 2], { dtype: 'int32' }).newOnes(2, 2).dtype // 'int32'
   */
  newOnes(
    ...size:
      | readonly number[]
      | readonly [readonly number[]]
      | readonly [readonly number[], NewOnesOptions?]
      | readonly [...number[], NewOnesOptions]
  ): T;
  newOnes(...args: readonly unknown[]): unknown {
    return call(creation.newOnes, this, args);
  }

  /**
   * Zeros, as memory is never uninitialized, with the data type and device of this tensor by default.
   *
   * PyTorch: `Tensor.new_empty`.
   *
   * @param size - The sizes.
   * @returns the sizes; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category New tensors
   * @example
   * tensor([1, 2], { dtype: 'int32' }).newEmpty(2, 2).dtype // 'int32'
   */
  newEmpty(
    ...size:
      | readonly number[]
      | readonly [readonly number[]]
      | readonly [readonly number[], NewEmptyOptions?]
      | readonly [...number[], NewEmptyOptions]
  ): T;
  newEmpty(...args: readonly unknown[]): unknown {
    return call(creation.newEmpty, this, args);
  }

  /**
   * A tensor filled with one value, with the data type and device of this tensor by default.
   *
   * PyTorch: `Tensor.new_full`.
   *
   * @param size - The sizes.
   * @param fillValue - The value.
   * @param options.dtype - The data type. Default: that of the tensor.
   * @param options.device - The device. Default: that of the tensor.
   * @param options.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
   * @returns the sizes; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category New tensors
   * @example
   * tensor([1, 2], { dtype: 'int32' }).newFull([2], 7) // [7, 7]
   */
  newFull(size: readonly number[], fillValue: Scalar, options?: NewFullOptions): T;
  /**
   * A tensor filled with one value, with the data type and device of this tensor by default.
   *
   * PyTorch: `Tensor.new_full`.
   *
   * @param named.size - The sizes.
   * @param named.fillValue - The value.
   * @param named.dtype - The data type. Default: that of the tensor.
   * @param named.device - The device. Default: that of the tensor.
   * @param named.requiresGrad - Whether `backward()` accumulates its gradient. Default: false.
   * @returns the sizes; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category New tensors
   * @example
   * tensor([1, 2], { dtype: 'int32' }).newFull([2], 7) // [7, 7]
   */
  newFull(named: { readonly size: readonly number[]; readonly fillValue: Scalar } & NewFullOptions): T;
  newFull(...args: readonly unknown[]): unknown {
    return call(creation.newFull, this, args);
  }

  /**
   * Converts this tensor to the data type float32; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.float`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).float().dtype // 'float32'
   */
  float(): T;
  float(...args: readonly unknown[]): unknown {
    return call(castRows.float, this, args);
  }

  /**
   * Converts this tensor to the data type float64; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.double`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).double().dtype // 'float64'
   */
  double(): T;
  double(...args: readonly unknown[]): unknown {
    return call(castRows.double, this, args);
  }

  /**
   * Converts this tensor to the data type float16; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.half`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).half().dtype // 'float16'
   */
  half(): T;
  half(...args: readonly unknown[]): unknown {
    return call(castRows.half, this, args);
  }

  /**
   * Converts this tensor to the data type bfloat16; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.bfloat16`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).bfloat16().dtype // 'bfloat16'
   */
  bfloat16(): T;
  bfloat16(...args: readonly unknown[]): unknown {
    return call(castRows.bfloat16, this, args);
  }

  /**
   * Converts this tensor to the data type int64; returns the tensor itself if it has that type already.
   *
   * Differs from PyTorch: Floats beyond the type become its nearest number, and NaN 0; in PyTorch they are
   * undefined.
   *
   * PyTorch: `Tensor.long`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).long().dtype // 'int64'
   */
  long(): T;
  long(...args: readonly unknown[]): unknown {
    return call(castRows.long, this, args);
  }

  /**
   * Converts this tensor to the data type int32; returns the tensor itself if it has that type already.
   *
   * Differs from PyTorch: Floats beyond the type become its nearest number, and NaN 0; in PyTorch they are
   * undefined.
   *
   * PyTorch: `Tensor.int`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).int().dtype // 'int32'
   */
  int(): T;
  int(...args: readonly unknown[]): unknown {
    return call(castRows.int, this, args);
  }

  /**
   * Converts this tensor to the data type int16; returns the tensor itself if it has that type already.
   *
   * Differs from PyTorch: Floats beyond the type become its nearest number, and NaN 0; in PyTorch they are
   * undefined.
   *
   * PyTorch: `Tensor.short`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).short().dtype // 'int16'
   */
  short(): T;
  short(...args: readonly unknown[]): unknown {
    return call(castRows.short, this, args);
  }

  /**
   * Converts this tensor to the data type int8; returns the tensor itself if it has that type already.
   *
   * Differs from PyTorch: Floats beyond the type become its nearest number, and NaN 0; in PyTorch they are
   * undefined.
   *
   * PyTorch: `Tensor.char`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).char().dtype // 'int8'
   */
  char(): T;
  char(...args: readonly unknown[]): unknown {
    return call(castRows.char, this, args);
  }

  /**
   * Converts this tensor to the data type uint8; returns the tensor itself if it has that type already.
   *
   * Differs from PyTorch: Floats beyond the type become its nearest number, and NaN 0; in PyTorch they wrap.
   *
   * PyTorch: `Tensor.byte`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).byte().dtype // 'uint8'
   */
  byte(): T;
  byte(...args: readonly unknown[]): unknown {
    return call(castRows.byte, this, args);
  }

  /**
   * Converts this tensor to the data type bool; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.bool`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).bool().dtype // 'bool'
   */
  bool(): T;
  bool(...args: readonly unknown[]): unknown {
    return call(castRows.bool, this, args);
  }

  /**
   * Converts this tensor to the data type complex64; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.cfloat`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).cfloat().dtype // 'complex64'
   */
  cfloat(): T;
  cfloat(...args: readonly unknown[]): unknown {
    return call(castRows.cfloat, this, args);
  }

  /**
   * Converts this tensor to the data type complex128; returns the tensor itself if it has that type already.
   *
   * PyTorch: `Tensor.cdouble`.
   *
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 0, 3]).cdouble().dtype // 'complex128'
   */
  cdouble(): T;
  cdouble(...args: readonly unknown[]): unknown {
    return call(castRows.cdouble, this, args);
  }

  /**
   * This tensor in the data type of another one.
   *
   * PyTorch: `Tensor.type_as`.
   *
   * @param other - The tensor with the data type.
   * @returns the shape of the input; the requested data type
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 2]).typeAs(zeros(1).double()).dtype // 'float64'
   */
  typeAs(other: T): T;
  typeAs(...args: readonly unknown[]): unknown {
    return call(castRows.typeAs, this, args);
  }

  /**
   * A copy that gradients flow through.
   *
   * PyTorch: `torch.clone`, `Tensor.clone`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Data types and copies
   * @example
   * tensor([1, 2]).clone() // [1, 2]
   */
  clone(): T;
  clone(...args: readonly unknown[]): unknown {
    return call(castRows.clone, this, args);
  }

  /**
   * The elements at indices into the flattened tensor; negative ones count from the end.
   *
   * Differs from PyTorch: Where an index is out of range, the error comes when the step is read.
   *
   * PyTorch: `torch.take`, `Tensor.take`.
   *
   * @param index - The indices.
   * @returns the shape of the index; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Data types and copies
   * @example
   * tensor([[4, 3], [2, 1]]).take(tensor([0, 3])) // [4, 1]
   */
  take(index: T): T;
  take(...args: readonly unknown[]): unknown {
    return call(castRows.take, this, args);
  }

  /**
   * x = mantissa · 2 to the exponent, with a mantissa of at least 0.5 and below 1 in size.
   *
   * PyTorch: `torch.frexp`, `Tensor.frexp`.
   *
   * @returns `mantissa` and `exponent`, by name or in this order: the shape of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Data types and copies
   * @example
   * const { mantissa, exponent } = frexp(tensor([8])); // [0.5], [4]
   */
  frexp(): readonly [mantissa: T, exponent: T] & {
    /** The first result. */
    readonly mantissa: T;
    /** The second result. */
    readonly exponent: T;
  };
  frexp(...args: readonly unknown[]): unknown {
    return call(castRows.frexp, this, args);
  }

  /**
   * The sum of two tensors, or of a tensor and a number: input + alpha · other.
   *
   * PyTorch: `torch.add`, `Tensor.add`.
   *
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
  add(other: T | Scalar, options?: AddOptions): T;
  add(...args: readonly unknown[]): unknown {
    return call(arithmetic.add, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
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
  sub(other: T | Scalar, options?: SubOptions): T;
  sub(...args: readonly unknown[]): unknown {
    return call(arithmetic.sub, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
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
  subtract(other: T | Scalar, options?: SubOptions): T;
  subtract(...args: readonly unknown[]): unknown {
    return call(arithmetic.sub, this, args);
  }

  /**
   * The product of two tensors, element-wise, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  mul(other: T | Scalar): T;
  mul(...args: readonly unknown[]): unknown {
    return call(arithmetic.mul, this, args);
  }

  /**
   * The product of two tensors, element-wise, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  multiply(other: T | Scalar): T;
  multiply(...args: readonly unknown[]): unknown {
    return call(arithmetic.mul, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
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
  div(other: T | Scalar, options?: DivOptions): T;
  div(...args: readonly unknown[]): unknown {
    return call(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
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
  divide(other: T | Scalar, options?: DivOptions): T;
  divide(...args: readonly unknown[]): unknown {
    return call(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
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
  trueDivide(other: T | Scalar, options?: DivOptions): T;
  trueDivide(...args: readonly unknown[]): unknown {
    return call(arithmetic.div, this, args);
  }

  /**
   * The quotient rounded towards minus infinity; integers stay integers.
   *
   * PyTorch: `torch.floor_divide`, `Tensor.floor_divide`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([-7, 7]).floorDivide(2) // [-4, 3]
   */
  floorDivide(other: T | Scalar): T;
  floorDivide(...args: readonly unknown[]): unknown {
    return call(arithmetic.floorDivide, this, args);
  }

  /**
   * The remainder of the division, with the sign of the divisor.
   *
   * PyTorch: `torch.remainder`, `Tensor.remainder`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([-7, 7]).remainder(3) // [2, 1]
   */
  remainder(other: T | Scalar): T;
  remainder(...args: readonly unknown[]): unknown {
    return call(arithmetic.remainder, this, args);
  }

  /**
   * Each element raised to a power.
   *
   * PyTorch: `torch.pow`, `Tensor.pow`.
   *
   * @param exponent - The power.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 2, 3]).pow(2) // [1, 4, 9]
   */
  pow(exponent: T | Scalar): T;
  pow(...args: readonly unknown[]): unknown {
    return call(arithmetic.pow, this, args);
  }

  /**
   * The larger of two elements; NaN if either is NaN.
   *
   * Differs from PyTorch: Numbers are accepted as operands; PyTorch requires tensors. Where an operand is NaN, no
   * gradient flows; in PyTorch it flows to both.
   *
   * PyTorch: `torch.maximum`, `Tensor.maximum`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 5]).maximum(tensor([3, 2])) // [3, 5]
   */
  maximum(other: T | Scalar): T;
  maximum(...args: readonly unknown[]): unknown {
    return call(arithmetic.maximum, this, args);
  }

  /**
   * The smaller of two elements; NaN if either is NaN.
   *
   * Differs from PyTorch: Numbers are accepted as operands; PyTorch requires tensors. Where an operand is NaN, no
   * gradient flows; in PyTorch it flows to both.
   *
   * PyTorch: `torch.minimum`, `Tensor.minimum`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 5]).minimum(tensor([3, 2])) // [1, 2]
   */
  minimum(other: T | Scalar): T;
  minimum(...args: readonly unknown[]): unknown {
    return call(arithmetic.minimum, this, args);
  }

  /**
   * Each element clamped to [`min`, `max`]; either bound may be omitted.
   *
   * Differs from PyTorch: Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for
   * uint8, and refuses others.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
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
  clamp(
    min?: T | Scalar | null | ClampOptions<T> | undefined,
    max?: T | Scalar | null | ClampOptions<T> | undefined,
  ): T;
  clamp(...args: readonly unknown[]): unknown {
    return call(arithmetic.clamp, this, args);
  }

  /**
   * Each element clamped to [`min`, `max`]; either bound may be omitted.
   *
   * Differs from PyTorch: Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for
   * uint8, and refuses others.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
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
  clip(min?: T | Scalar | null | ClampOptions<T> | undefined, max?: T | Scalar | null | ClampOptions<T> | undefined): T;
  clip(...args: readonly unknown[]): unknown {
    return call(arithmetic.clamp, this, args);
  }

  /**
   * The elements of `input` where the condition holds, those of `other` elsewhere.
   *
   * PyTorch: `torch.where`, `Tensor.where`.
   *
   * @param condition - Where to take `input`.
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
  where(condition: T, other: T | Scalar): T;
  where(...args: readonly unknown[]): unknown {
    return call(arithmetic.where, this, args);
  }

  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
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
  maskedFill(mask: T, value: Scalar): T;
  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
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
  maskedFill(mask: T, named: { readonly value: Scalar }): T;
  maskedFill(...args: readonly unknown[]): unknown {
    return call(arithmetic.maskedFill, this, args);
  }

  /**
   * Whether the left element is equal to the right one.
   *
   * PyTorch: `torch.eq`, `Tensor.eq`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).eq(2) // [false, true]
   */
  eq(other: T | Scalar): T;
  eq(...args: readonly unknown[]): unknown {
    return call(comparisons.eq, this, args);
  }

  /**
   * Whether the left element is not equal to the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  ne(other: T | Scalar): T;
  ne(...args: readonly unknown[]): unknown {
    return call(comparisons.ne, this, args);
  }

  /**
   * Whether the left element is not equal to the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  notEqual(other: T | Scalar): T;
  notEqual(...args: readonly unknown[]): unknown {
    return call(comparisons.ne, this, args);
  }

  /**
   * Whether the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  lt(other: T | Scalar): T;
  lt(...args: readonly unknown[]): unknown {
    return call(comparisons.lt, this, args);
  }

  /**
   * Whether the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  less(other: T | Scalar): T;
  less(...args: readonly unknown[]): unknown {
    return call(comparisons.lt, this, args);
  }

  /**
   * Whether the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  le(other: T | Scalar): T;
  le(...args: readonly unknown[]): unknown {
    return call(comparisons.le, this, args);
  }

  /**
   * Whether the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  lessEqual(other: T | Scalar): T;
  lessEqual(...args: readonly unknown[]): unknown {
    return call(comparisons.le, this, args);
  }

  /**
   * Whether the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  gt(other: T | Scalar): T;
  gt(...args: readonly unknown[]): unknown {
    return call(comparisons.gt, this, args);
  }

  /**
   * Whether the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  greater(other: T | Scalar): T;
  greater(...args: readonly unknown[]): unknown {
    return call(comparisons.gt, this, args);
  }

  /**
   * Whether the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  ge(other: T | Scalar): T;
  ge(...args: readonly unknown[]): unknown {
    return call(comparisons.ge, this, args);
  }

  /**
   * Whether the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  greaterEqual(other: T | Scalar): T;
  greaterEqual(...args: readonly unknown[]): unknown {
    return call(comparisons.ge, this, args);
  }

  /**
   * Whether both elements are true; nonzero numbers are true.
   *
   * PyTorch: `torch.logical_and`, `Tensor.logical_and`.
   *
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
  logicalAnd(other: T): T;
  logicalAnd(...args: readonly unknown[]): unknown {
    return call(comparisons.logicalAnd, this, args);
  }

  /**
   * Whether one or both elements are true; nonzero numbers are true.
   *
   * PyTorch: `torch.logical_or`, `Tensor.logical_or`.
   *
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
  logicalOr(other: T): T;
  logicalOr(...args: readonly unknown[]): unknown {
    return call(comparisons.logicalOr, this, args);
  }

  /**
   * Whether exactly one of the elements are true; nonzero numbers are true.
   *
   * PyTorch: `torch.logical_xor`, `Tensor.logical_xor`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 0, 2]).logicalXor(tensor([1, 1, 0])) // [false, true, true]
   */
  logicalXor(other: T): T;
  logicalXor(...args: readonly unknown[]): unknown {
    return call(comparisons.logicalXor, this, args);
  }

  /**
   * Whether elements are false or 0.
   *
   * PyTorch: `torch.logical_not`, `Tensor.logical_not`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([true, false]).logicalNot() // [false, true]
   */
  logicalNot(): T;
  logicalNot(...args: readonly unknown[]): unknown {
    return call(comparisons.logicalNot, this, args);
  }

  /**
   * The negative of each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  neg(): T;
  neg(...args: readonly unknown[]): unknown {
    return call(unary.neg, this, args);
  }

  /**
   * The negative of each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  negative(): T;
  negative(...args: readonly unknown[]): unknown {
    return call(unary.neg, this, args);
  }

  /**
   * The absolute value of each element.
   *
   * Differs from PyTorch: The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.
   *
   * PyTorch: `torch.abs`, `Tensor.abs`, `torch.absolute`, `Tensor.absolute`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  abs(): T;
  abs(...args: readonly unknown[]): unknown {
    return call(unary.abs, this, args);
  }

  /**
   * The absolute value of each element.
   *
   * Differs from PyTorch: The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.
   *
   * PyTorch: `torch.abs`, `Tensor.abs`, `torch.absolute`, `Tensor.absolute`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  absolute(): T;
  absolute(...args: readonly unknown[]): unknown {
    return call(unary.abs, this, args);
  }

  /**
   * The sign of each element: 1, 0 or −1.
   *
   * NaN and both zeros give 0; the sign of a complex number is z / |z|.
   *
   * PyTorch: `torch.sign`, `Tensor.sign`, `torch.sgn`, `Tensor.sgn`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([3, 0, -2]).sign() // [1, 0, -1]
   */
  sign(): T;
  sign(...args: readonly unknown[]): unknown {
    return call(unary.sign, this, args);
  }

  /**
   * The sign of each element: 1, 0 or −1.
   *
   * NaN and both zeros give 0; the sign of a complex number is z / |z|.
   *
   * PyTorch: `torch.sign`, `Tensor.sign`, `torch.sgn`, `Tensor.sgn`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([3, 0, -2]).sign() // [1, 0, -1]
   */
  sgn(): T;
  sgn(...args: readonly unknown[]): unknown {
    return call(unary.sign, this, args);
  }

  /**
   * The exponential of each element.
   *
   * PyTorch: `torch.exp`, `Tensor.exp`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, 1]).exp() // [1, 2.718…]
   */
  exp(): T;
  exp(...args: readonly unknown[]): unknown {
    return call(unary.exp, this, args);
  }

  /**
   * exp(x) − 1, accurate for small x.
   *
   * PyTorch: `torch.expm1`, `Tensor.expm1`, `torch.special.expm1`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1e-6]).expm1() // [1e-6]
   */
  expm1(): T;
  expm1(...args: readonly unknown[]): unknown {
    return call(unary.expm1, this, args);
  }

  /**
   * The natural logarithm of each element.
   *
   * PyTorch: `torch.log`, `Tensor.log`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, Math.E]).log() // [0, 1]
   */
  log(): T;
  log(...args: readonly unknown[]): unknown {
    return call(unary.log, this, args);
  }

  /**
   * log(1 + x), accurate for small x.
   *
   * PyTorch: `torch.log1p`, `Tensor.log1p`, `torch.special.log1p`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1e-6]).log1p() // [1e-6]
   */
  log1p(): T;
  log1p(...args: readonly unknown[]): unknown {
    return call(unary.log1p, this, args);
  }

  /**
   * The square root of each element.
   *
   * PyTorch: `torch.sqrt`, `Tensor.sqrt`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([4, 9]).sqrt() // [2, 3]
   */
  sqrt(): T;
  sqrt(...args: readonly unknown[]): unknown {
    return call(unary.sqrt, this, args);
  }

  /**
   * The reciprocal of the square root of each element.
   *
   * PyTorch: `torch.rsqrt`, `Tensor.rsqrt`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([4]).rsqrt() // [0.5]
   */
  rsqrt(): T;
  rsqrt(...args: readonly unknown[]): unknown {
    return call(unary.rsqrt, this, args);
  }

  /**
   * The sine of each element, which is an angle in radians.
   *
   * PyTorch: `torch.sin`, `Tensor.sin`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, Math.PI / 2]).sin() // [0, 1]
   */
  sin(): T;
  sin(...args: readonly unknown[]): unknown {
    return call(unary.sin, this, args);
  }

  /**
   * The cosine of each element, which is an angle in radians.
   *
   * PyTorch: `torch.cos`, `Tensor.cos`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0]).cos() // [1]
   */
  cos(): T;
  cos(...args: readonly unknown[]): unknown {
    return call(unary.cos, this, args);
  }

  /**
   * The hyperbolic tangent of each element.
   *
   * PyTorch: `torch.tanh`, `Tensor.tanh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, 20]).tanh() // [0, 1]
   */
  tanh(): T;
  tanh(...args: readonly unknown[]): unknown {
    return call(unary.tanh, this, args);
  }

  /**
   * 1 / (1 + exp(−x)).
   *
   * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`, `torch.special.expit`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0]).sigmoid() // [0.5]
   */
  sigmoid(): T;
  sigmoid(...args: readonly unknown[]): unknown {
    return call(unary.sigmoid, this, args);
  }

  /**
   * The error function of each element.
   *
   * PyTorch: `torch.erf`, `Tensor.erf`, `torch.special.erf`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, 9]).erf() // [0, 1]
   */
  erf(): T;
  erf(...args: readonly unknown[]): unknown {
    return call(unary.erf, this, args);
  }

  /**
   * Each element rounded towards minus infinity.
   *
   * PyTorch: `torch.floor`, `Tensor.floor`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1.7]).floor() // [1]
   */
  floor(): T;
  floor(...args: readonly unknown[]): unknown {
    return call(unary.floor, this, args);
  }

  /**
   * Each element rounded towards plus infinity.
   *
   * PyTorch: `torch.ceil`, `Tensor.ceil`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1.2]).ceil() // [2]
   */
  ceil(): T;
  ceil(...args: readonly unknown[]): unknown {
    return call(unary.ceil, this, args);
  }

  /**
   * Each element rounded to the nearest integer, halves to even, or to a number of decimals.
   *
   * PyTorch: `torch.round`, `Tensor.round`.
   *
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
  round(options?: RoundOptions): T;
  round(...args: readonly unknown[]): unknown {
    return call(unary.round, this, args);
  }

  /**
   * The square of each element.
   *
   * PyTorch: `torch.square`, `Tensor.square`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([3, -4]).square() // [9, 16]
   */
  square(): T;
  square(...args: readonly unknown[]): unknown {
    return call(unary.square, this, args);
  }

  /**
   * The reciprocal of each element.
   *
   * PyTorch: `torch.reciprocal`, `Tensor.reciprocal`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([4]).reciprocal() // [0.25]
   */
  reciprocal(): T;
  reciprocal(...args: readonly unknown[]): unknown {
    return call(unary.reciprocal, this, args);
  }

  /**
   * The tangent of each element, which is an angle in radians.
   *
   * PyTorch: `torch.tan`, `Tensor.tan`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).tan() // [0]
   */
  tan(): T;
  tan(...args: readonly unknown[]): unknown {
    return call(elementaryRows.tan, this, args);
  }

  /**
   * The inverse sine, in radians.
   *
   * PyTorch: `torch.asin`, `Tensor.asin`, `torch.arcsin`, `Tensor.arcsin`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).asin() // [π/2]
   */
  asin(): T;
  asin(...args: readonly unknown[]): unknown {
    return call(elementaryRows.asin, this, args);
  }

  /**
   * The inverse sine, in radians.
   *
   * PyTorch: `torch.asin`, `Tensor.asin`, `torch.arcsin`, `Tensor.arcsin`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).asin() // [π/2]
   */
  arcsin(): T;
  arcsin(...args: readonly unknown[]): unknown {
    return call(elementaryRows.asin, this, args);
  }

  /**
   * The inverse cosine, in radians.
   *
   * PyTorch: `torch.acos`, `Tensor.acos`, `torch.arccos`, `Tensor.arccos`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acos() // [0]
   */
  acos(): T;
  acos(...args: readonly unknown[]): unknown {
    return call(elementaryRows.acos, this, args);
  }

  /**
   * The inverse cosine, in radians.
   *
   * PyTorch: `torch.acos`, `Tensor.acos`, `torch.arccos`, `Tensor.arccos`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acos() // [0]
   */
  arccos(): T;
  arccos(...args: readonly unknown[]): unknown {
    return call(elementaryRows.acos, this, args);
  }

  /**
   * The inverse tangent, in radians.
   *
   * PyTorch: `torch.atan`, `Tensor.atan`, `torch.arctan`, `Tensor.arctan`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).atan() // [π/4]
   */
  atan(): T;
  atan(...args: readonly unknown[]): unknown {
    return call(elementaryRows.atan, this, args);
  }

  /**
   * The inverse tangent, in radians.
   *
   * PyTorch: `torch.atan`, `Tensor.atan`, `torch.arctan`, `Tensor.arctan`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).atan() // [π/4]
   */
  arctan(): T;
  arctan(...args: readonly unknown[]): unknown {
    return call(elementaryRows.atan, this, args);
  }

  /**
   * The hyperbolic sine.
   *
   * PyTorch: `torch.sinh`, `Tensor.sinh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).sinh() // [0]
   */
  sinh(): T;
  sinh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.sinh, this, args);
  }

  /**
   * The hyperbolic cosine.
   *
   * PyTorch: `torch.cosh`, `Tensor.cosh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).cosh() // [1]
   */
  cosh(): T;
  cosh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.cosh, this, args);
  }

  /**
   * The inverse hyperbolic sine.
   *
   * PyTorch: `torch.asinh`, `Tensor.asinh`, `torch.arcsinh`, `Tensor.arcsinh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).asinh() // [0]
   */
  asinh(): T;
  asinh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.asinh, this, args);
  }

  /**
   * The inverse hyperbolic sine.
   *
   * PyTorch: `torch.asinh`, `Tensor.asinh`, `torch.arcsinh`, `Tensor.arcsinh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).asinh() // [0]
   */
  arcsinh(): T;
  arcsinh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.asinh, this, args);
  }

  /**
   * The inverse hyperbolic cosine.
   *
   * PyTorch: `torch.acosh`, `Tensor.acosh`, `torch.arccosh`, `Tensor.arccosh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acosh() // [0]
   */
  acosh(): T;
  acosh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.acosh, this, args);
  }

  /**
   * The inverse hyperbolic cosine.
   *
   * PyTorch: `torch.acosh`, `Tensor.acosh`, `torch.arccosh`, `Tensor.arccosh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acosh() // [0]
   */
  arccosh(): T;
  arccosh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.acosh, this, args);
  }

  /**
   * The inverse hyperbolic tangent.
   *
   * PyTorch: `torch.atanh`, `Tensor.atanh`, `torch.arctanh`, `Tensor.arctanh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).atanh() // [0]
   */
  atanh(): T;
  atanh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.atanh, this, args);
  }

  /**
   * The inverse hyperbolic tangent.
   *
   * PyTorch: `torch.atanh`, `Tensor.atanh`, `torch.arctanh`, `Tensor.arctanh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).atanh() // [0]
   */
  arctanh(): T;
  arctanh(...args: readonly unknown[]): unknown {
    return call(elementaryRows.atanh, this, args);
  }

  /**
   * 2 raised to the power of each element.
   *
   * PyTorch: `torch.exp2`, `Tensor.exp2`, `torch.special.exp2`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([3]).exp2() // [8]
   */
  exp2(): T;
  exp2(...args: readonly unknown[]): unknown {
    return call(elementaryRows.exp2, this, args);
  }

  /**
   * The logarithm to base 2.
   *
   * PyTorch: `torch.log2`, `Tensor.log2`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([8]).log2() // [3]
   */
  log2(): T;
  log2(...args: readonly unknown[]): unknown {
    return call(elementaryRows.log2, this, args);
  }

  /**
   * The logarithm to base 10.
   *
   * PyTorch: `torch.log10`, `Tensor.log10`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([100]).log10() // [2]
   */
  log10(): T;
  log10(...args: readonly unknown[]): unknown {
    return call(elementaryRows.log10, this, args);
  }

  /**
   * 1 minus the error function.
   *
   * PyTorch: `torch.erfc`, `Tensor.erfc`, `torch.special.erfc`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).erfc() // [1]
   */
  erfc(): T;
  erfc(...args: readonly unknown[]): unknown {
    return call(elementaryRows.erfc, this, args);
  }

  /**
   * The inverse of the error function.
   *
   * PyTorch: `torch.erfinv`, `Tensor.erfinv`, `torch.special.erfinv`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).erfinv() // [0]
   */
  erfinv(): T;
  erfinv(...args: readonly unknown[]): unknown {
    return call(elementaryRows.erfinv, this, args);
  }

  /**
   * The logarithm of the absolute value of the gamma function.
   *
   * PyTorch: `torch.lgamma`, `Tensor.lgamma`, `torch.special.gammaln`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([3]).lgamma() // [0.693…]
   */
  lgamma(): T;
  lgamma(...args: readonly unknown[]): unknown {
    return call(elementaryRows.lgamma, this, args);
  }

  /**
   * The derivative of `lgamma`.
   *
   * Differs from PyTorch: The gradient at the poles is infinite; PyTorch gives large numbers there.
   *
   * PyTorch: `torch.digamma`, `Tensor.digamma`, `torch.special.psi`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).digamma() // [-0.577…]
   */
  digamma(): T;
  digamma(...args: readonly unknown[]): unknown {
    return call(elementaryRows.digamma, this, args);
  }

  /**
   * sin(πx) / (πx), 1 at 0.
   *
   * PyTorch: `torch.sinc`, `Tensor.sinc`, `torch.special.sinc`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).sinc() // [1]
   */
  sinc(): T;
  sinc(...args: readonly unknown[]): unknown {
    return call(elementaryRows.sinc, this, args);
  }

  /**
   * log(x / (1 − x)).
   *
   * PyTorch: `torch.logit`, `Tensor.logit`, `torch.special.logit`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0.5]).logit() // [0]
   */
  logit(): T;
  logit(...args: readonly unknown[]): unknown {
    return call(elementaryRows.logit, this, args);
  }

  /**
   * From degrees to radians.
   *
   * PyTorch: `torch.deg2rad`, `Tensor.deg2rad`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([180]).deg2rad() // [π]
   */
  deg2rad(): T;
  deg2rad(...args: readonly unknown[]): unknown {
    return call(elementaryRows.deg2rad, this, args);
  }

  /**
   * From radians to degrees.
   *
   * PyTorch: `torch.rad2deg`, `Tensor.rad2deg`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([Math.PI]).rad2deg() // [180]
   */
  rad2deg(): T;
  rad2deg(...args: readonly unknown[]): unknown {
    return call(elementaryRows.rad2deg, this, args);
  }

  /**
   * Each element rounded towards zero.
   *
   * PyTorch: `torch.trunc`, `Tensor.trunc`, `torch.fix`, `Tensor.fix`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([-1.7, 1.7]).trunc() // [-1, 1]
   */
  trunc(): T;
  trunc(...args: readonly unknown[]): unknown {
    return call(elementaryRows.trunc, this, args);
  }

  /**
   * Each element rounded towards zero.
   *
   * PyTorch: `torch.trunc`, `Tensor.trunc`, `torch.fix`, `Tensor.fix`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([-1.7, 1.7]).trunc() // [-1, 1]
   */
  fix(): T;
  fix(...args: readonly unknown[]): unknown {
    return call(elementaryRows.trunc, this, args);
  }

  /**
   * The fractional part, with the sign of the element.
   *
   * PyTorch: `torch.frac`, `Tensor.frac`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([-1.75]).frac() // [-0.75]
   */
  frac(): T;
  frac(...args: readonly unknown[]): unknown {
    return call(elementaryRows.frac, this, args);
  }

  /**
   * NaN and infinities replaced by numbers.
   *
   * PyTorch: `torch.nan_to_num`, `Tensor.nan_to_num`.
   *
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
  nanToNum(
    nan?: number | NanToNumOptions | undefined,
    posinf?: number | NanToNumOptions | undefined,
    neginf?: number | NanToNumOptions | undefined,
  ): T;
  nanToNum(...args: readonly unknown[]): unknown {
    return call(elementaryRows.nanToNum, this, args);
  }

  /**
   * Whether elements are NaN.
   *
   * PyTorch: `torch.isnan`, `Tensor.isnan`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1, NaN]).isnan() // [false, true]
   */
  isnan(): T;
  isnan(...args: readonly unknown[]): unknown {
    return call(elementaryRows.isnan, this, args);
  }

  /**
   * Whether elements are infinite.
   *
   * PyTorch: `torch.isinf`, `Tensor.isinf`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1, -Infinity]).isinf() // [false, true]
   */
  isinf(): T;
  isinf(...args: readonly unknown[]): unknown {
    return call(elementaryRows.isinf, this, args);
  }

  /**
   * Whether elements are infinity.
   *
   * PyTorch: `torch.isposinf`, `Tensor.isposinf`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1, Infinity, -Infinity, NaN]).isposinf() // [false, true, false, false]
   */
  isposinf(): T;
  isposinf(...args: readonly unknown[]): unknown {
    return call(elementaryRows.isposinf, this, args);
  }

  /**
   * Whether elements are minus infinity.
   *
   * PyTorch: `torch.isneginf`, `Tensor.isneginf`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1, Infinity, -Infinity, NaN]).isneginf() // [false, false, true, false]
   */
  isneginf(): T;
  isneginf(...args: readonly unknown[]): unknown {
    return call(elementaryRows.isneginf, this, args);
  }

  /**
   * Whether elements are finite: neither infinite nor NaN.
   *
   * PyTorch: `torch.isfinite`, `Tensor.isfinite`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1, NaN]).isfinite() // [true, false]
   */
  isfinite(): T;
  isfinite(...args: readonly unknown[]): unknown {
    return call(elementaryRows.isfinite, this, args);
  }

  /**
   * The angle of the point (other, input), from −π to π.
   *
   * PyTorch: `torch.atan2`, `Tensor.atan2`, `torch.arctan2`, `Tensor.arctan2`.
   *
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
  atan2(other: T): T;
  atan2(...args: readonly unknown[]): unknown {
    return call(binaryRows.atan2, this, args);
  }

  /**
   * The angle of the point (other, input), from −π to π.
   *
   * PyTorch: `torch.atan2`, `Tensor.atan2`, `torch.arctan2`, `Tensor.arctan2`.
   *
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
  arctan2(other: T): T;
  arctan2(...args: readonly unknown[]): unknown {
    return call(binaryRows.atan2, this, args);
  }

  /**
   * The length of the hypotenuse: √(input² + other²).
   *
   * PyTorch: `torch.hypot`, `Tensor.hypot`.
   *
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
  hypot(other: T): T;
  hypot(...args: readonly unknown[]): unknown {
    return call(binaryRows.hypot, this, args);
  }

  /**
   * The remainder of the division, with the sign of the dividend.
   *
   * PyTorch: `torch.fmod`, `Tensor.fmod`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([-7, 7]).fmod(3) // [-1, 1]
   */
  fmod(other: T | Scalar): T;
  fmod(...args: readonly unknown[]): unknown {
    return call(binaryRows.fmod, this, args);
  }

  /**
   * log(exp(input) + exp(other)), without overflow.
   *
   * PyTorch: `torch.logaddexp`, `Tensor.logaddexp`.
   *
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
  logaddexp(other: T): T;
  logaddexp(...args: readonly unknown[]): unknown {
    return call(binaryRows.logaddexp, this, args);
  }

  /**
   * input · log(other), 0 where the input is 0.
   *
   * PyTorch: `torch.xlogy`, `Tensor.xlogy`, `torch.special.xlogy`.
   *
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
  xlogy(other: T | Scalar): T;
  xlogy(...args: readonly unknown[]): unknown {
    return call(binaryRows.xlogy, this, args);
  }

  /**
   * The larger of two elements; NaN only if both are.
   *
   * PyTorch: `torch.fmax`, `Tensor.fmax`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([NaN]).fmax(tensor([1])) // [1]
   */
  fmax(other: T | Scalar): T;
  fmax(...args: readonly unknown[]): unknown {
    return call(binaryRows.fmax, this, args);
  }

  /**
   * The smaller of two elements; NaN only if both are.
   *
   * PyTorch: `torch.fmin`, `Tensor.fmin`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([NaN]).fmin(tensor([1])) // [1]
   */
  fmin(other: T | Scalar): T;
  fmin(...args: readonly unknown[]): unknown {
    return call(binaryRows.fmin, this, args);
  }

  /**
   * Each element, at least `min`.
   *
   * PyTorch: `torch.clamp_min`, `Tensor.clamp_min`.
   *
   * @param min - The lower bound.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([-1, 2]).clampMin(0) // [0, 2]
   */
  clampMin(min: T | Scalar): T;
  clampMin(...args: readonly unknown[]): unknown {
    return call(binaryRows.clampMin, this, args);
  }

  /**
   * Each element, at most `max`.
   *
   * PyTorch: `torch.clamp_max`, `Tensor.clamp_max`.
   *
   * @param max - The upper bound.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([-1, 2]).clampMax(0) // [-1, 0]
   */
  clampMax(max: T | Scalar): T;
  clampMax(...args: readonly unknown[]): unknown {
    return call(binaryRows.clampMax, this, args);
  }

  /**
   * Bitwise and of two integers, or of booleans (&).
   *
   * PyTorch: `torch.bitwise_and`, `Tensor.bitwise_and`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseAnd(1) // [1, 0, 1]
   */
  bitwiseAnd(other: T | Scalar): T;
  bitwiseAnd(...args: readonly unknown[]): unknown {
    return call(binaryRows.bitwiseAnd, this, args);
  }

  /**
   * Bitwise or of two integers, or of booleans (|).
   *
   * PyTorch: `torch.bitwise_or`, `Tensor.bitwise_or`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseOr(1) // [1, 3, 3]
   */
  bitwiseOr(other: T | Scalar): T;
  bitwiseOr(...args: readonly unknown[]): unknown {
    return call(binaryRows.bitwiseOr, this, args);
  }

  /**
   * Bitwise xor of two integers, or of booleans (^).
   *
   * PyTorch: `torch.bitwise_xor`, `Tensor.bitwise_xor`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseXor(1) // [0, 3, 2]
   */
  bitwiseXor(other: T | Scalar): T;
  bitwiseXor(...args: readonly unknown[]): unknown {
    return call(binaryRows.bitwiseXor, this, args);
  }

  /**
   * The bits of integers shifted to the left (<<).
   *
   * PyTorch: `torch.bitwise_left_shift`, `Tensor.bitwise_left_shift`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([4], { dtype: 'int32' }).bitwiseLeftShift(1) // [8]
   */
  bitwiseLeftShift(other: T | Scalar): T;
  bitwiseLeftShift(...args: readonly unknown[]): unknown {
    return call(binaryRows.bitwiseLeftShift, this, args);
  }

  /**
   * The bits of integers shifted to the right (>>).
   *
   * PyTorch: `torch.bitwise_right_shift`, `Tensor.bitwise_right_shift`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([4], { dtype: 'int32' }).bitwiseRightShift(1) // [2]
   */
  bitwiseRightShift(other: T | Scalar): T;
  bitwiseRightShift(...args: readonly unknown[]): unknown {
    return call(binaryRows.bitwiseRightShift, this, args);
  }

  /**
   * The bits of integers, or booleans, inverted (~).
   *
   * PyTorch: `torch.bitwise_not`, `Tensor.bitwise_not`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([0], { dtype: 'int32' }).bitwiseNot() // [-1]
   */
  bitwiseNot(): T;
  bitwiseNot(...args: readonly unknown[]): unknown {
    return call(binaryRows.bitwiseNot, this, args);
  }

  /**
   * Whether two elements are nearly equal: |input − other| ≤ atol + rtol · |other|.
   *
   * PyTorch: `torch.isclose`, `Tensor.isclose`.
   *
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
  isclose(
    other: T,
    rtol?: number | IscloseOptions | undefined,
    atol?: number | IscloseOptions | undefined,
    equalNan?: boolean | IscloseOptions | undefined,
  ): T;
  isclose(...args: readonly unknown[]): unknown {
    return call(binaryRows.isclose, this, args);
  }

  /**
   * The tensor itself: +x.
   *
   * PyTorch: `torch.positive`, `Tensor.positive`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Less common functions of numbers
   * @example
   * tensor([-1]).positive() // [-1]
   */
  positive(): T;
  positive(...args: readonly unknown[]): unknown {
    return call(numberRows.positive, this, args);
  }

  /**
   * The magnitude of the input with the sign of the other operand.
   *
   * PyTorch: `torch.copysign`, `Tensor.copysign`.
   *
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
  copysign(other: T | Scalar): T;
  copysign(...args: readonly unknown[]): unknown {
    return call(numberRows.copysign, this, args);
  }

  /**
   * Whether the sign bit is set, including that of zeros.
   *
   * PyTorch: `torch.signbit`, `Tensor.signbit`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Less common functions of numbers
   * @example
   * tensor([-0, 1]).signbit() // [true, false]
   */
  signbit(): T;
  signbit(...args: readonly unknown[]): unknown {
    return call(numberRows.signbit, this, args);
  }

  /**
   * Whether the imaginary part is 0; true for all real numbers.
   *
   * PyTorch: `torch.isreal`, `Tensor.isreal`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Less common functions of numbers
   * @example
   * tensor([1]).isreal() // [true]
   */
  isreal(): T;
  isreal(...args: readonly unknown[]): unknown {
    return call(numberRows.isreal, this, args);
  }

  /**
   * The Heaviside step function: 0 where the input is negative, 1 where it is positive, `values` where it is 0.
   *
   * PyTorch: `torch.heaviside`, `Tensor.heaviside`.
   *
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
  heaviside(values: T): T;
  heaviside(...args: readonly unknown[]): unknown {
    return call(numberRows.heaviside, this, args);
  }

  /**
   * The greatest common divisor of integers.
   *
   * PyTorch: `torch.gcd`, `Tensor.gcd`.
   *
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
  gcd(other: T): T;
  gcd(...args: readonly unknown[]): unknown {
    return call(numberRows.gcd, this, args);
  }

  /**
   * The least common multiple of integers.
   *
   * PyTorch: `torch.lcm`, `Tensor.lcm`.
   *
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
  lcm(other: T): T;
  lcm(...args: readonly unknown[]): unknown {
    return call(numberRows.lcm, this, args);
  }

  /**
   * The next representable number in the direction of the other operand.
   *
   * PyTorch: `torch.nextafter`, `Tensor.nextafter`.
   *
   * @param other - The other tensor.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Less common functions of numbers
   * @example
   * tensor([1]).nextafter(tensor([2])) // [1.00000012]
   */
  nextafter(other: T): T;
  nextafter(...args: readonly unknown[]): unknown {
    return call(numberRows.nextafter, this, args);
  }

  /**
   * input · 2^other.
   *
   * Differs from PyTorch: The gradient is that of the formula also for integers as exponents, where PyTorch’s is 0
   * for negative ones.
   *
   * PyTorch: `torch.ldexp`, `Tensor.ldexp`.
   *
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
  ldexp(other: T): T;
  ldexp(...args: readonly unknown[]): unknown {
    return call(numberRows.ldexp, this, args);
  }

  /**
   * log₂(2^input + 2^other), without overflow.
   *
   * PyTorch: `torch.logaddexp2`, `Tensor.logaddexp2`.
   *
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
  logaddexp2(other: T): T;
  logaddexp2(...args: readonly unknown[]): unknown {
    return call(numberRows.logaddexp2, this, args);
  }

  /**
   * The input raised to a power, in float64.
   *
   * PyTorch: `torch.float_power`, `Tensor.float_power`.
   *
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
  floatPower(exponent: T | Scalar): T;
  floatPower(...args: readonly unknown[]): unknown {
    return call(numberRows.floatPower, this, args);
  }

  /**
   * The p-norm of the difference.
   *
   * PyTorch: `torch.dist`, `Tensor.dist`.
   *
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
  dist(other: T, p?: number | DistOptions | undefined): T;
  dist(...args: readonly unknown[]): unknown {
    return call(numberRows.dist, this, args);
  }

  /**
   * The dot product of two vectors, with the first one conjugated.
   *
   * PyTorch: `torch.vdot`, `Tensor.vdot`.
   *
   * @param other - The other tensor.
   * @returns no dims; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Less common functions of numbers
   * @example
   * tensor([1, 2]).vdot(tensor([3, 4])) // 11
   */
  vdot(other: T): T;
  vdot(...args: readonly unknown[]): unknown {
    return call(numberRows.vdot, this, args);
  }

  /**
   * The outer product of two vectors, added to a matrix: beta · input + alpha · vec1 · vec2ᵀ.
   *
   * PyTorch: `torch.addr`, `Tensor.addr`.
   *
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
  addr(vec1: T, vec2: T, options?: AddrOptions): T;
  addr(...args: readonly unknown[]): unknown {
    return call(numberRows.addr, this, args);
  }

  /**
   * beta · input + alpha · the sum of the products of two batches of matrices.
   *
   * PyTorch: `torch.addbmm`, `Tensor.addbmm`.
   *
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
  addbmm(batch1: T, batch2: T, options?: AddbmmOptions): T;
  addbmm(...args: readonly unknown[]): unknown {
    return call(numberRows.addbmm, this, args);
  }

  /**
   * The modified Bessel function of the first kind of order 0.
   *
   * PyTorch: `torch.i0`, `Tensor.i0`, `torch.special.i0`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.i0(tensor([0])) // [1]
   */
  i0(): T;
  i0(...args: readonly unknown[]): unknown {
    return call(specialRows.i0, this, args);
  }

  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  multigammaln(p: number): T;
  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param named.p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  multigammaln(named: { readonly p: number }): T;
  multigammaln(...args: readonly unknown[]): unknown {
    return call(specialRows.multigammaln, this, args);
  }

  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  mvlgamma(p: number): T;
  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param named.p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  mvlgamma(named: { readonly p: number }): T;
  mvlgamma(...args: readonly unknown[]): unknown {
    return call(specialRows.multigammaln, this, args);
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
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.polygamma(1, tensor([1])) // [1.644…]
   */
  polygamma(n: number): T;
  /**
   * The n-th derivative of `digamma`.
   *
   * Differs from PyTorch: Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it
   * does for gradients of `digamma`.
   *
   * PyTorch: `torch.polygamma`, `torch.special.polygamma`.
   *
   * @param named.n - The order of the derivative.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.polygamma(1, tensor([1])) // [1.644…]
   */
  polygamma(named: { readonly n: number }): T;
  polygamma(...args: readonly unknown[]): unknown {
    return call(specialRows.polygamma, this, args);
  }

  /**
   * The regularized lower incomplete gamma function.
   *
   * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
   *
   * PyTorch: `torch.igamma`, `Tensor.igamma`, `torch.special.gammainc`.
   *
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
  igamma(other: T): T;
  igamma(...args: readonly unknown[]): unknown {
    return call(specialRows.igamma, this, args);
  }

  /**
   * The regularized upper incomplete gamma function.
   *
   * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
   *
   * PyTorch: `torch.igammac`, `Tensor.igammac`, `torch.special.gammaincc`.
   *
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
  igammac(other: T): T;
  igammac(...args: readonly unknown[]): unknown {
    return call(specialRows.igammac, this, args);
  }

  /**
   * The sum of the elements over dims.
   *
   * PyTorch: `torch.sum`, `Tensor.sum`.
   *
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
  sum(
    dim?: number | readonly number[] | SumOptions | undefined,
    keepDim?: boolean | SumOptions | undefined,
    options?: SumOptions,
  ): T;
  sum(...args: readonly unknown[]): unknown {
    return call(reductionRows.sum, this, args);
  }

  /**
   * The mean of the elements over dims.
   *
   * Differs from PyTorch: The mean of integers and booleans is float32; PyTorch raises an error unless `dtype` is
   * given.
   *
   * PyTorch: `torch.mean`, `Tensor.mean`.
   *
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
  mean(
    dim?: number | readonly number[] | MeanOptions | undefined,
    keepDim?: boolean | MeanOptions | undefined,
    options?: MeanOptions,
  ): T;
  mean(...args: readonly unknown[]): unknown {
    return call(reductionRows.mean, this, args);
  }

  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
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
  var(dim?: number | readonly number[] | VarOptions | undefined, options?: VarOptions): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
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
  var(dim: number | readonly number[], unbiased: boolean, keepDim?: boolean | VarOptions2 | undefined): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
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
  var(named: { readonly dim: number | readonly number[]; readonly unbiased: boolean } & VarOptions2): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
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
  var(unbiased: boolean): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
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
  var(named: { readonly unbiased: boolean }): T;
  var(...args: readonly unknown[]): unknown {
    return call(reductionRows.var, this, args);
  }

  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
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
  std(dim?: number | readonly number[] | StdOptions | undefined, options?: StdOptions): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
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
  std(dim: number | readonly number[], unbiased: boolean, keepDim?: boolean | StdOptions2 | undefined): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
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
  std(named: { readonly dim: number | readonly number[]; readonly unbiased: boolean } & StdOptions2): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
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
  std(unbiased: boolean): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
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
  std(named: { readonly unbiased: boolean }): T;
  std(...args: readonly unknown[]): unknown {
    return call(reductionRows.std, this, args);
  }

  /**
   * The largest element; along a dim, with its index; or the largest of two elements.
   *
   * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
   * NaN counts as the largest.
   *
   * PyTorch: `torch.max`, `Tensor.max`.
   *
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
  max(): T;
  /**
   * The largest element; along a dim, with its index; or the largest of two elements.
   *
   * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
   * NaN counts as the largest.
   *
   * PyTorch: `torch.max`, `Tensor.max`.
   *
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
  max(
    dim: number,
    keepDim?: boolean | MaxOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The largest element; along a dim, with its index; or the largest of two elements.
   *
   * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
   * NaN counts as the largest.
   *
   * PyTorch: `torch.max`, `Tensor.max`.
   *
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
  max(named: { readonly dim: number } & MaxOptions): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The largest element; along a dim, with its index; or the largest of two elements.
   *
   * Where several elements are the largest along a dim, the index is that of the first, and the gradient goes to it.
   * NaN counts as the largest.
   *
   * PyTorch: `torch.max`, `Tensor.max`.
   *
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
  max(other: T | Scalar): T;
  max(...args: readonly unknown[]): unknown {
    return call(reductionRows.max, this, args);
  }

  /**
   * The smallest element; along a dim, with its index; or the smallest of two elements.
   *
   * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
   * it. NaN counts as the smallest.
   *
   * PyTorch: `torch.min`, `Tensor.min`.
   *
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
  min(): T;
  /**
   * The smallest element; along a dim, with its index; or the smallest of two elements.
   *
   * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
   * it. NaN counts as the smallest.
   *
   * PyTorch: `torch.min`, `Tensor.min`.
   *
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
  min(
    dim: number,
    keepDim?: boolean | MinOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The smallest element; along a dim, with its index; or the smallest of two elements.
   *
   * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
   * it. NaN counts as the smallest.
   *
   * PyTorch: `torch.min`, `Tensor.min`.
   *
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
  min(named: { readonly dim: number } & MinOptions): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The smallest element; along a dim, with its index; or the smallest of two elements.
   *
   * Where several elements are the smallest along a dim, the index is that of the first, and the gradient goes to
   * it. NaN counts as the smallest.
   *
   * PyTorch: `torch.min`, `Tensor.min`.
   *
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
  min(other: T | Scalar): T;
  min(...args: readonly unknown[]): unknown {
    return call(reductionRows.min, this, args);
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
  amax(dim?: number | readonly number[] | AmaxOptions | undefined, keepDim?: boolean | AmaxOptions | undefined): T;
  amax(...args: readonly unknown[]): unknown {
    return call(reductionRows.amax, this, args);
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
  amin(dim?: number | readonly number[] | AminOptions | undefined, keepDim?: boolean | AminOptions | undefined): T;
  amin(...args: readonly unknown[]): unknown {
    return call(reductionRows.amin, this, args);
  }

  /**
   * The index of the first largest element.
   *
   * Differs from PyTorch: Booleans are accepted; PyTorch raises an error.
   *
   * PyTorch: `torch.argmax`, `Tensor.argmax`.
   *
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
  argmax(dim?: number | ArgmaxOptions | undefined, keepDim?: boolean | ArgmaxOptions | undefined): T;
  argmax(...args: readonly unknown[]): unknown {
    return call(reductionRows.argmax, this, args);
  }

  /**
   * The index of the first smallest element.
   *
   * Differs from PyTorch: Booleans are accepted; PyTorch raises an error.
   *
   * PyTorch: `torch.argmin`, `Tensor.argmin`.
   *
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
  argmin(dim?: number | ArgminOptions | undefined, keepDim?: boolean | ArgminOptions | undefined): T;
  argmin(...args: readonly unknown[]): unknown {
    return call(reductionRows.argmin, this, args);
  }

  /**
   * Whether all elements are true; nonzero numbers are true.
   *
   * Differs from PyTorch: The result is boolean for uint8, too; PyTorch keeps uint8 for backward compatibility.
   *
   * PyTorch: `torch.all`, `Tensor.all`.
   *
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
  all(dim?: number | readonly number[] | AllOptions | undefined, keepDim?: boolean | AllOptions | undefined): T;
  all(...args: readonly unknown[]): unknown {
    return call(reductionRows.all, this, args);
  }

  /**
   * Whether any element is true; nonzero numbers are true.
   *
   * Differs from PyTorch: The result is boolean for uint8, too; PyTorch keeps uint8 for backward compatibility.
   *
   * PyTorch: `torch.any`, `Tensor.any`.
   *
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
  any(dim?: number | readonly number[] | AnyOptions | undefined, keepDim?: boolean | AnyOptions | undefined): T;
  any(...args: readonly unknown[]): unknown {
    return call(reductionRows.any, this, args);
  }

  /**
   * The product of all elements, or along a dim.
   *
   * PyTorch: `torch.prod`, `Tensor.prod`.
   *
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
  prod(options?: ProdOptions): T;
  /**
   * The product of all elements, or along a dim.
   *
   * PyTorch: `torch.prod`, `Tensor.prod`.
   *
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
  prod(dim: number, keepDim?: boolean | ProdOptions2 | undefined, options?: ProdOptions2): T;
  /**
   * The product of all elements, or along a dim.
   *
   * PyTorch: `torch.prod`, `Tensor.prod`.
   *
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
  prod(named: { readonly dim: number } & ProdOptions2): T;
  prod(...args: readonly unknown[]): unknown {
    return call(moreReductions.prod, this, args);
  }

  /**
   * The sum over dims, with NaN as 0.
   *
   * PyTorch: `torch.nansum`, `Tensor.nansum`.
   *
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
  nansum(
    dim?: number | readonly number[] | NansumOptions | undefined,
    keepDim?: boolean | NansumOptions | undefined,
    options?: NansumOptions,
  ): T;
  nansum(...args: readonly unknown[]): unknown {
    return call(moreReductions.nansum, this, args);
  }

  /**
   * The mean over dims of the elements that are not NaN.
   *
   * PyTorch: `torch.nanmean`, `Tensor.nanmean`.
   *
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
  nanmean(
    dim?: number | readonly number[] | NanmeanOptions | undefined,
    keepDim?: boolean | NanmeanOptions | undefined,
    options?: NanmeanOptions,
  ): T;
  nanmean(...args: readonly unknown[]): unknown {
    return call(moreReductions.nanmean, this, args);
  }

  /**
   * The logarithm of the sum of exponentials over dims, without overflow.
   *
   * PyTorch: `torch.logsumexp`, `Tensor.logsumexp`, `torch.special.logsumexp`.
   *
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
  logsumexp(dim: number | readonly number[], keepDim?: boolean | LogsumexpOptions | undefined): T;
  /**
   * The logarithm of the sum of exponentials over dims, without overflow.
   *
   * PyTorch: `torch.logsumexp`, `Tensor.logsumexp`, `torch.special.logsumexp`.
   *
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
  logsumexp(named: { readonly dim: number | readonly number[] } & LogsumexpOptions): T;
  logsumexp(...args: readonly unknown[]): unknown {
    return call(moreReductions.logsumexp, this, args);
  }

  /**
   * The p-norm over dims: the Euclidean norm of all elements by default.
   *
   * PyTorch: `torch.norm`, `Tensor.norm`.
   *
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
  norm(
    p?: number | 'fro' | NormOptions | undefined,
    dim?: number | readonly number[] | NormOptions | undefined,
    keepDim?: boolean | NormOptions | undefined,
    options?: NormOptions,
  ): T;
  norm(...args: readonly unknown[]): unknown {
    return call(moreReductions.norm, this, args);
  }

  /**
   * The number of nonzero elements.
   *
   * PyTorch: `torch.count_nonzero`, `Tensor.count_nonzero`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; int64
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category More reductions
   * @example
   * tensor([0, 2, 3]).countNonzero() // 2
   */
  countNonzero(dim?: number | readonly number[] | CountNonzeroOptions | undefined): T;
  countNonzero(...args: readonly unknown[]): unknown {
    return call(moreReductions.countNonzero, this, args);
  }

  /**
   * The smallest and the largest element.
   *
   * PyTorch: `torch.aminmax`, `Tensor.aminmax`.
   *
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
  aminmax(options?: AminmaxOptions): readonly [min: T, max: T] & {
    /** The first result. */
    readonly min: T;
    /** The second result. */
    readonly max: T;
  };
  aminmax(...args: readonly unknown[]): unknown {
    return call(moreReductions.aminmax, this, args);
  }

  /**
   * The differences of adjacent elements along a dim.
   *
   * PyTorch: `torch.diff`, `Tensor.diff`.
   *
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
  diff(n?: number | DiffOptions | undefined, dim?: number | DiffOptions | undefined): T;
  diff(...args: readonly unknown[]): unknown {
    return call(moreReductions.diff, this, args);
  }

  /**
   * The cross product of vectors of three elements.
   *
   * PyTorch: `torch.cross`, `Tensor.cross`.
   *
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
  cross(other: T, dim?: number | CrossOptions | undefined): T;
  cross(...args: readonly unknown[]): unknown {
    return call(moreReductions.cross, this, args);
  }

  /**
   * The matrix product over the last dim of the left operand and the last but one of the right; leading dims
   * broadcast.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.matmul`, `Tensor.matmul`.
   *
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
  matmul(other: T): T;
  matmul(...args: readonly unknown[]): unknown {
    return call(products.matmul, this, args);
  }

  /**
   * The product of two matrices.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.mm`, `Tensor.mm`.
   *
   * @param mat2 - The right operand.
   * @returns [rows, columns]; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Products of matrices
   * @example
   * tensor([[1, 2], [3, 4]]).mm(tensor([[1], [1]])) // [[3], [7]]
   */
  mm(mat2: T): T;
  mm(...args: readonly unknown[]): unknown {
    return call(products.mm, this, args);
  }

  /**
   * The products of two batches of matrices.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.bmm`, `Tensor.bmm`.
   *
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
  bmm(mat2: T): T;
  bmm(...args: readonly unknown[]): unknown {
    return call(products.bmm, this, args);
  }

  /**
   * The product of a matrix and a vector.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.mv`, `Tensor.mv`.
   *
   * @param vec - The right operand.
   * @returns [rows]; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Products of matrices
   * @example
   * tensor([[1, 2], [3, 4]]).mv(tensor([1, -1])) // [-1, -1]
   */
  mv(vec: T): T;
  mv(...args: readonly unknown[]): unknown {
    return call(products.mv, this, args);
  }

  /**
   * The inner product of two vectors.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.dot`, `Tensor.dot`.
   *
   * @param tensor - The right operand.
   * @returns []; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Products of matrices
   * @example
   * tensor([1, 2, 3]).dot(tensor([4, 5, 6])) // 32
   */
  dot(tensor: T): T;
  dot(...args: readonly unknown[]): unknown {
    return call(products.dot, this, args);
  }

  /**
   * The outer product of two vectors.
   *
   * PyTorch: `torch.outer`, `Tensor.outer`, `torch.ger`, `Tensor.ger`.
   *
   * @param vec2 - The right operand.
   * @returns [length of the left, length of the right]; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Products of matrices
   * @example
   * tensor([1, 2]).outer(tensor([3, 4, 5])) // [[3, 4, 5], [6, 8, 10]]
   */
  outer(vec2: T): T;
  outer(...args: readonly unknown[]): unknown {
    return call(products.outer, this, args);
  }

  /**
   * The outer product of two vectors.
   *
   * PyTorch: `torch.outer`, `Tensor.outer`, `torch.ger`, `Tensor.ger`.
   *
   * @param vec2 - The right operand.
   * @returns [length of the left, length of the right]; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Products of matrices
   * @example
   * tensor([1, 2]).outer(tensor([3, 4, 5])) // [[3, 4, 5], [6, 8, 10]]
   */
  ger(vec2: T): T;
  ger(...args: readonly unknown[]): unknown {
    return call(products.outer, this, args);
  }

  /**
   * A matrix product, added to a matrix: beta · input + alpha · mat1 · mat2.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.addmm`, `Tensor.addmm`.
   *
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
  addmm(mat1: T, mat2: T, options?: AddmmOptions): T;
  addmm(...args: readonly unknown[]): unknown {
    return call(products.addmm, this, args);
  }

  /**
   * A batched matrix product, added to a tensor: beta · input + alpha · batch1 · batch2.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.baddbmm`, `Tensor.baddbmm`.
   *
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
  baddbmm(batch1: T, batch2: T, options?: BaddbmmOptions): T;
  baddbmm(...args: readonly unknown[]): unknown {
    return call(products.baddbmm, this, args);
  }

  /**
   * A matrix-vector product, added to a vector: beta · input + alpha · mat · vec.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.addmv`, `Tensor.addmv`.
   *
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
  addmv(mat: T, vec: T, options?: AddmvOptions): T;
  addmv(...args: readonly unknown[]): unknown {
    return call(products.addmv, this, args);
  }

  /**
   * A product of two tensors, element-wise, added to a third: input + value · tensor1 · tensor2.
   *
   * PyTorch: `torch.addcmul`, `Tensor.addcmul`.
   *
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
  addcmul(tensor1: T, tensor2: T, options?: AddcmulOptions): T;
  addcmul(...args: readonly unknown[]): unknown {
    return call(products.addcmul, this, args);
  }

  /**
   * A quotient of two tensors, element-wise, added to a third: input + value · tensor1 / tensor2.
   *
   * PyTorch: `torch.addcdiv`, `Tensor.addcdiv`.
   *
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
  addcdiv(tensor1: T, tensor2: T, options?: AddcdivOptions): T;
  addcdiv(...args: readonly unknown[]): unknown {
    return call(products.addcdiv, this, args);
  }

  /**
   * Linear interpolation between two tensors: input + weight · (end − input).
   *
   * PyTorch: `torch.lerp`, `Tensor.lerp`.
   *
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
  lerp(end: T, weight: T | Scalar): T;
  lerp(...args: readonly unknown[]): unknown {
    return call(products.lerp, this, args);
  }

  /**
   * The sum of products over the last dims of both tensors.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.inner`, `Tensor.inner`.
   *
   * @param other - The right operand.
   * @returns the leading dims of the left operand, then those of the right; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Contractions
   * @example
   * tensor([1, 2]).inner(tensor([3, 4])) // 11
   */
  inner(other: T): T;
  inner(...args: readonly unknown[]): unknown {
    return call(contractions.inner, this, args);
  }

  /**
   * The Kronecker product: each element of the left operand times the whole right operand, in blocks.
   *
   * PyTorch: `torch.kron`, `Tensor.kron`.
   *
   * @param other - The right operand.
   * @returns for each dim, the product of the sizes; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Contractions
   * @example
   * kron(eye(2), tensor([[1, 2]])) // [[1, 2, 0, 0], [0, 0, 1, 2]]
   */
  kron(other: T): T;
  kron(...args: readonly unknown[]): unknown {
    return call(contractions.kron, this, args);
  }

  /**
   * The inverse of a square matrix.
   *
   * Differs from PyTorch: Singular matrices give infinities or NaN, because compiled programs cannot raise errors.
   *
   * PyTorch: `torch.linalg.inv`, `torch.inverse`, `Tensor.inverse`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {BAD_DTYPE}
   * @category Linear systems
   * @example
   * tensor([[2, 0], [0, 4]]).inverse() // [[0.5, 0], [0, 0.25]]
   */
  inverse(): T;
  inverse(...args: readonly unknown[]): unknown {
    return call(linearSystems.inverse, this, args);
  }

  /**
   * The determinant of a square matrix.
   *
   * PyTorch: `torch.linalg.det`, `torch.det`, `Tensor.det`.
   *
   * @returns the leading dims; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {BAD_DTYPE}
   * @category Linear systems
   * @example
   * tensor([[2, 0], [0, 4]]).det() // 8
   */
  det(): T;
  det(...args: readonly unknown[]): unknown {
    return call(linearSystems.det, this, args);
  }

  /**
   * The sign of the determinant and the logarithm of its absolute value.
   *
   * PyTorch: `torch.linalg.slogdet`, `torch.slogdet`, `Tensor.slogdet`.
   *
   * @returns `sign` and `logabsdet`, by name or in this order: the leading dims
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {BAD_DTYPE}
   * @category Linear systems
   * @example
   * const { sign, logabsdet } = tensor([[0, 2], [1, 0]]).slogdet(); // -1, 0.6931…
   */
  slogdet(): readonly [sign: T, logabsdet: T] & {
    /** The first result. */
    readonly sign: T;
    /** The second result. */
    readonly logabsdet: T;
  };
  slogdet(...args: readonly unknown[]): unknown {
    return call(linearSystems.slogdet, this, args);
  }

  /**
   * The logarithm of the determinant; NaN where that is negative.
   *
   * PyTorch: `torch.logdet`, `Tensor.logdet`.
   *
   * @returns the leading dims; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {BAD_DTYPE}
   * @category Linear systems
   * @example
   * tensor([[2, 0], [0, 3]]).logdet() // 1.7917…
   */
  logdet(): T;
  logdet(...args: readonly unknown[]): unknown {
    return call(linearSystems.logdet, this, args);
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
  cholesky(upper?: boolean | CholeskyOptions | undefined): T;
  cholesky(...args: readonly unknown[]): unknown {
    return call(linearSystems.cholesky, this, args);
  }

  /**
   * The solution of A · X = B from the Cholesky factor of A.
   *
   * PyTorch: `torch.cholesky_solve`, `Tensor.cholesky_solve`.
   *
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
  choleskySolve(L: T, upper?: boolean | CholeskySolveOptions | undefined): T;
  choleskySolve(...args: readonly unknown[]): unknown {
    return call(linearSystems.choleskySolve, this, args);
  }

  /**
   * The inverse of a matrix from the Cholesky factor.
   *
   * PyTorch: `torch.cholesky_inverse`, `Tensor.cholesky_inverse`.
   *
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
  choleskyInverse(upper?: boolean | CholeskyInverseOptions | undefined): T;
  choleskyInverse(...args: readonly unknown[]): unknown {
    return call(linearSystems.choleskyInverse, this, args);
  }

  /**
   * The QR decomposition A = Q · R: orthonormal columns and an upper triangular matrix; see `linalg.qr`.
   *
   * PyTorch: `torch.qr`, `Tensor.qr`.
   *
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
  qr(some?: boolean | QrOptions | undefined): readonly [Q: T, R: T] & {
    /** The first result. */
    readonly Q: T;
    /** The second result. */
    readonly R: T;
  };
  qr(...args: readonly unknown[]): unknown {
    return call(linearSystems.qr, this, args);
  }

  /**
   * The first columns of a product of Householder reflections: Q of what `geqrf` gives.
   *
   * PyTorch: `torch.linalg.householder_product`, `torch.orgqr`, `Tensor.orgqr`.
   *
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
  householderProduct(tau: T): T;
  householderProduct(...args: readonly unknown[]): unknown {
    return call(moreLinear.householderProduct, this, args);
  }

  /**
   * The first columns of a product of Householder reflections: Q of what `geqrf` gives.
   *
   * PyTorch: `torch.linalg.householder_product`, `torch.orgqr`, `Tensor.orgqr`.
   *
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
  orgqr(tau: T): T;
  orgqr(...args: readonly unknown[]): unknown {
    return call(moreLinear.householderProduct, this, args);
  }

  /**
   * The QR decomposition as LAPACK keeps it: R with the vectors of reflections below it, and their factors.
   *
   * Differs from PyTorch: No gradient flows: use `linalg.qr`.
   *
   * PyTorch: `torch.geqrf`, `Tensor.geqrf`.
   *
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
  geqrf(): readonly [a: T, tau: T] & {
    /** The first result. */
    readonly a: T;
    /** The second result. */
    readonly tau: T;
  };
  geqrf(...args: readonly unknown[]): unknown {
    return call(moreLinear.geqrf, this, args);
  }

  /**
   * Q · other (or other · Q), with the square Q of what `geqrf` gives, or with its transpose.
   *
   * PyTorch: `torch.ormqr`, `Tensor.ormqr`.
   *
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
  ormqr(tau: T, other: T, left?: boolean | OrmqrOptions | undefined, transpose?: boolean | OrmqrOptions | undefined): T;
  ormqr(...args: readonly unknown[]): unknown {
    return call(moreLinear.ormqr, this, args);
  }

  /**
   * Singular values, with V as columns; see `linalg.svd`.
   *
   * PyTorch: `torch.svd`, `Tensor.svd`.
   *
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
  svd(some?: boolean | SvdOptions | undefined): readonly [U: T, S: T, V: T] & {
    /** The first result. */
    readonly U: T;
    /** The second result. */
    readonly S: T;
    /** The third result. */
    readonly V: T;
  };
  svd(...args: readonly unknown[]): unknown {
    return call(spectra.svd, this, args);
  }

  /**
   * The Moore-Penrose pseudo-inverse; see `linalg.pinv`.
   *
   * PyTorch: `torch.pinverse`, `Tensor.pinverse`.
   *
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
  pinverse(rcond?: number | PinverseOptions | undefined): T;
  pinverse(...args: readonly unknown[]): unknown {
    return call(spectra.pinverse, this, args);
  }

  /**
   * An integer power of a square matrix; negative powers use the inverse.
   *
   * PyTorch: `torch.linalg.matrix_power`, `torch.matrix_power`, `Tensor.matrix_power`.
   *
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
  matrixPower(n: number): T;
  /**
   * An integer power of a square matrix; negative powers use the inverse.
   *
   * PyTorch: `torch.linalg.matrix_power`, `torch.matrix_power`, `Tensor.matrix_power`.
   *
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
  matrixPower(named: { readonly n: number }): T;
  matrixPower(...args: readonly unknown[]): unknown {
    return call(spectra.matrixPower, this, args);
  }

  /**
   * The exponential of a square matrix.
   *
   * PyTorch: `torch.linalg.matrix_exp`, `torch.matrix_exp`, `Tensor.matrix_exp`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {BAD_DTYPE}
   * @category Eigenvalues, singular values and norms
   * @example
   * tensor([[0, 1], [0, 0]]).matrixExp() // [[1, 1], [0, 1]]
   */
  matrixExp(): T;
  matrixExp(...args: readonly unknown[]): unknown {
    return call(spectra.matrixExp, this, args);
  }

  /**
   * The real parts.
   *
   * Differs from PyTorch: A method, not an attribute; the result is a copy.
   *
   * PyTorch: `torch.real`, `Tensor.real`.
   *
   * @returns the shape of the input; the real type of a complex input, or that of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Complex numbers
   * @example
   * complex(tensor([1, 2]), tensor([3, 4])).real() // [1, 2]
   */
  real(): T;
  real(...args: readonly unknown[]): unknown {
    return call(complexRows.real, this, args);
  }

  /**
   * The imaginary parts.
   *
   * Differs from PyTorch: A method, not an attribute; the result is a copy.
   *
   * PyTorch: `torch.imag`, `Tensor.imag`.
   *
   * @returns the shape of the input; the real type of a complex input, or that of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Complex numbers
   * @example
   * complex(tensor([1, 2]), tensor([3, 4])).imag() // [3, 4]
   */
  imag(): T;
  imag(...args: readonly unknown[]): unknown {
    return call(complexRows.imag, this, args);
  }

  /**
   * The complex conjugates.
   *
   * PyTorch: `torch.conj`, `Tensor.conj`, `torch.conj_physical`, `Tensor.conj_physical`, `torch.resolve_conj`,
   * `Tensor.resolve_conj`.
   *
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
  conj(): T;
  conj(...args: readonly unknown[]): unknown {
    return call(complexRows.conj, this, args);
  }

  /**
   * The complex conjugates.
   *
   * PyTorch: `torch.conj`, `Tensor.conj`, `torch.conj_physical`, `Tensor.conj_physical`, `torch.resolve_conj`,
   * `Tensor.resolve_conj`.
   *
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
  conjPhysical(): T;
  conjPhysical(...args: readonly unknown[]): unknown {
    return call(complexRows.conj, this, args);
  }

  /**
   * The complex conjugates.
   *
   * PyTorch: `torch.conj`, `Tensor.conj`, `torch.conj_physical`, `Tensor.conj_physical`, `torch.resolve_conj`,
   * `Tensor.resolve_conj`.
   *
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
  resolveConj(): T;
  resolveConj(...args: readonly unknown[]): unknown {
    return call(complexRows.conj, this, args);
  }

  /**
   * The angles to the positive real axis, in (−π, π].
   *
   * PyTorch: `torch.angle`, `Tensor.angle`.
   *
   * @returns the shape of the input; the real type of a complex input, or that of the input; float32 for integers
   * and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Complex numbers
   * @example
   * complex(tensor([0]), tensor([1])).angle() // [π / 2]
   */
  angle(): T;
  angle(...args: readonly unknown[]): unknown {
    return call(complexRows.angle, this, args);
  }

  /**
   * The short-time Fourier transform: the transform of overlapping frames, each multiplied by a window.
   *
   * Differs from PyTorch: `returnComplex` is true by default; PyTorch requires it to be given.
   *
   * PyTorch: `torch.stft`, `Tensor.stft`.
   *
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
  stft(
    nFft: number,
    hopLength?: number | StftOptions<T> | undefined,
    winLength?: number | StftOptions<T> | undefined,
    window?: T | null | StftOptions<T> | undefined,
    center?: boolean | StftOptions<T> | undefined,
    padMode?: 'reflect' | 'constant' | StftOptions<T> | undefined,
    normalized?: boolean | StftOptions<T> | undefined,
    onesided?: boolean | StftOptions<T> | undefined,
    returnComplex?: boolean | StftOptions<T> | undefined,
  ): T;
  /**
   * The short-time Fourier transform: the transform of overlapping frames, each multiplied by a window.
   *
   * Differs from PyTorch: `returnComplex` is true by default; PyTorch requires it to be given.
   *
   * PyTorch: `torch.stft`, `Tensor.stft`.
   *
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
  stft(named: { readonly nFft: number } & StftOptions<T>): T;
  stft(...args: readonly unknown[]): unknown {
    return call(shortTime.stft, this, args);
  }

  /**
   * The inverse short-time Fourier transform.
   *
   * Differs from PyTorch: Gaps between windows give NaN, because compiled programs cannot raise errors.
   *
   * PyTorch: `torch.istft`, `Tensor.istft`.
   *
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
  istft(
    nFft: number,
    hopLength?: number | IstftOptions<T> | undefined,
    winLength?: number | IstftOptions<T> | undefined,
    window?: T | null | IstftOptions<T> | undefined,
    center?: boolean | IstftOptions<T> | undefined,
    normalized?: boolean | IstftOptions<T> | undefined,
    onesided?: boolean | IstftOptions<T> | undefined,
    length?: number | IstftOptions<T> | undefined,
    returnComplex?: boolean | IstftOptions<T> | undefined,
  ): T;
  /**
   * The inverse short-time Fourier transform.
   *
   * Differs from PyTorch: Gaps between windows give NaN, because compiled programs cannot raise errors.
   *
   * PyTorch: `torch.istft`, `Tensor.istft`.
   *
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
  istft(named: { readonly nFft: number } & IstftOptions<T>): T;
  istft(...args: readonly unknown[]): unknown {
    return call(shortTime.istft, this, args);
  }

  /**
   * max(x, 0): negative elements become 0.
   *
   * PyTorch: `torch.relu`, `Tensor.relu`, `torch.nn.functional.relu`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Activations
   * @example
   * tensor([-1, 2]).relu() // [0, 2]
   */
  relu(): T;
  relu(...args: readonly unknown[]): unknown {
    return call(activations.relu, this, args);
  }

  /**
   * x · Φ(x), where Φ is the cumulative distribution function of the standard normal distribution.
   *
   * PyTorch: `torch.nn.functional.gelu`.
   *
   * @param approximate - `tanh` for the approximation of Hendrycks and Gimpel (2016). Default: "none".
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Activations
   * @example
   * tensor([-1, 0, 1]).gelu() // [-0.1586…, 0, 0.8413…]
   * tensor([-1, 0, 1]).gelu('tanh') // [-0.1588…, 0, 0.8411…]
   */
  gelu(approximate?: 'none' | 'tanh' | GeluOptions | undefined): T;
  gelu(...args: readonly unknown[]): unknown {
    return call(activations.gelu, this, args);
  }

  /**
   * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
   *
   * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
   *
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
  softmax(dim: number, options?: SoftmaxOptions): T;
  /**
   * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
   *
   * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
   *
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
  softmax(named: { readonly dim: number } & SoftmaxOptions): T;
  softmax(...args: readonly unknown[]): unknown {
    return call(activations.softmax, this, args);
  }

  /**
   * The logarithm of softmax, accurate where softmax underflows.
   *
   * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
   *
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
  logSoftmax(dim: number, options?: LogSoftmaxOptions): T;
  /**
   * The logarithm of softmax, accurate where softmax underflows.
   *
   * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
   *
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
  logSoftmax(named: { readonly dim: number } & LogSoftmaxOptions): T;
  logSoftmax(...args: readonly unknown[]): unknown {
    return call(activations.logSoftmax, this, args);
  }

  /**
   * x outside [-lambda, lambda], 0 inside.
   *
   * PyTorch: `torch.nn.functional.hardshrink`, `torch.hardshrink`, `Tensor.hardshrink`.
   *
   * @param lambda - Half the width of the gap. Default: 0.5.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category More activations
   * @example
   * nn.functional.hardshrink(tensor([0.25, 2])) // [0, 2]
   */
  hardshrink(lambda?: number | HardshrinkOptions | undefined): T;
  hardshrink(...args: readonly unknown[]): unknown {
    return call(moreActivations.hardshrink, this, args);
  }

  /**
   * The same elements in another shape.
   *
   * PyTorch: `torch.reshape`, `Tensor.reshape`.
   *
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
  reshape(...shape: readonly number[] | readonly [readonly number[]]): T;
  reshape(...args: readonly unknown[]): unknown {
    return call(shapes.reshape, this, args);
  }

  /**
   * The same elements in another shape.
   *
   * PyTorch: `Tensor.view`.
   *
   * @param size - The sizes; one may be -1 and is inferred.
   * @returns the given shape; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * arange(6).view(2, -1) // [[0, 1, 2], [3, 4, 5]]
   */
  view(...size: readonly number[] | readonly [readonly number[]]): T;
  view(...args: readonly unknown[]): unknown {
    return call(shapes.view, this, args);
  }

  /**
   * The same elements in the shape of another tensor.
   *
   * PyTorch: `Tensor.reshape_as`, `Tensor.view_as`.
   *
   * @param other - The tensor whose shape is used.
   * @returns the shape of `other`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * arange(6).reshapeAs(zeros(2, 3)).shape // [2, 3]
   */
  reshapeAs(other: T): T;
  reshapeAs(...args: readonly unknown[]): unknown {
    return call(shapes.reshapeAs, this, args);
  }

  /**
   * The same elements in the shape of another tensor.
   *
   * PyTorch: `Tensor.reshape_as`, `Tensor.view_as`.
   *
   * @param other - The tensor whose shape is used.
   * @returns the shape of `other`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * arange(6).reshapeAs(zeros(2, 3)).shape // [2, 3]
   */
  viewAs(other: T): T;
  viewAs(...args: readonly unknown[]): unknown {
    return call(shapes.reshapeAs, this, args);
  }

  /**
   * Merges adjacent dims into one.
   *
   * PyTorch: `torch.flatten`, `Tensor.flatten`.
   *
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
  flatten(startDim?: number | FlattenOptions | undefined, endDim?: number | FlattenOptions | undefined): T;
  flatten(...args: readonly unknown[]): unknown {
    return call(shapes.flatten, this, args);
  }

  /**
   * All elements in one dim.
   *
   * PyTorch: `torch.ravel`, `Tensor.ravel`.
   *
   * @returns [number of elements]; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Shapes
   * @example
   * zeros([2, 3]).ravel().shape // [6]
   */
  ravel(): T;
  ravel(...args: readonly unknown[]): unknown {
    return call(shapes.ravel, this, args);
  }

  /**
   * Splits one dim into several.
   *
   * PyTorch: `torch.unflatten`, `Tensor.unflatten`.
   *
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
  unflatten(dim: number, sizes: readonly number[]): T;
  /**
   * Splits one dim into several.
   *
   * PyTorch: `torch.unflatten`, `Tensor.unflatten`.
   *
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
  unflatten(named: { readonly dim: number; readonly sizes: readonly number[] }): T;
  unflatten(...args: readonly unknown[]): unknown {
    return call(shapes.unflatten, this, args);
  }

  /**
   * Swaps two dims.
   *
   * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
   * `Tensor.swapdims`.
   *
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
  transpose(dim0: number, dim1: number): T;
  /**
   * Swaps two dims.
   *
   * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
   * `Tensor.swapdims`.
   *
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
  transpose(named: { readonly dim0: number; readonly dim1: number }): T;
  transpose(...args: readonly unknown[]): unknown {
    return call(shapes.transpose, this, args);
  }

  /**
   * Swaps two dims.
   *
   * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
   * `Tensor.swapdims`.
   *
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
  swapaxes(dim0: number, dim1: number): T;
  /**
   * Swaps two dims.
   *
   * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
   * `Tensor.swapdims`.
   *
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
  swapaxes(named: { readonly dim0: number; readonly dim1: number }): T;
  swapaxes(...args: readonly unknown[]): unknown {
    return call(shapes.transpose, this, args);
  }

  /**
   * Swaps two dims.
   *
   * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
   * `Tensor.swapdims`.
   *
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
  swapdims(dim0: number, dim1: number): T;
  /**
   * Swaps two dims.
   *
   * PyTorch: `torch.transpose`, `Tensor.transpose`, `torch.swapaxes`, `Tensor.swapaxes`, `torch.swapdims`,
   * `Tensor.swapdims`.
   *
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
  swapdims(named: { readonly dim0: number; readonly dim1: number }): T;
  swapdims(...args: readonly unknown[]): unknown {
    return call(shapes.transpose, this, args);
  }

  /**
   * The transpose of a matrix.
   *
   * PyTorch: `torch.t`, `Tensor.t`.
   *
   * @returns the two sizes swapped; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * zeros([2, 3]).t().shape // [3, 2]
   */
  t(): T;
  t(...args: readonly unknown[]): unknown {
    return call(shapes.t, this, args);
  }

  /**
   * Permutes the dims.
   *
   * PyTorch: `torch.permute`, `Tensor.permute`.
   *
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
  permute(...dims: readonly number[] | readonly [readonly number[]]): T;
  permute(...args: readonly unknown[]): unknown {
    return call(shapes.permute, this, args);
  }

  /**
   * Moves dims to new positions; the other dims keep their order.
   *
   * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
   *
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
  movedim(source: number | readonly number[], destination: number | readonly number[]): T;
  /**
   * Moves dims to new positions; the other dims keep their order.
   *
   * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
   *
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
  movedim(named: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] }): T;
  movedim(...args: readonly unknown[]): unknown {
    return call(shapes.movedim, this, args);
  }

  /**
   * Moves dims to new positions; the other dims keep their order.
   *
   * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
   *
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
  moveaxis(source: number | readonly number[], destination: number | readonly number[]): T;
  /**
   * Moves dims to new positions; the other dims keep their order.
   *
   * PyTorch: `torch.movedim`, `Tensor.movedim`, `torch.moveaxis`, `Tensor.moveaxis`.
   *
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
  moveaxis(named: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] }): T;
  moveaxis(...args: readonly unknown[]): unknown {
    return call(shapes.movedim, this, args);
  }

  /**
   * Inserts a dim of size 1.
   *
   * PyTorch: `torch.unsqueeze`, `Tensor.unsqueeze`.
   *
   * @param dim - The position of the new dim.
   * @returns the shape of the input with a 1 at `dim`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Shapes
   * @example
   * zeros([2, 3]).unsqueeze(1).shape // [2, 1, 3]
   */
  unsqueeze(dim: number): T;
  /**
   * Inserts a dim of size 1.
   *
   * PyTorch: `torch.unsqueeze`, `Tensor.unsqueeze`.
   *
   * @param named.dim - The position of the new dim.
   * @returns the shape of the input with a 1 at `dim`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Shapes
   * @example
   * zeros([2, 3]).unsqueeze(1).shape // [2, 1, 3]
   */
  unsqueeze(named: { readonly dim: number }): T;
  unsqueeze(...args: readonly unknown[]): unknown {
    return call(shapes.unsqueeze, this, args);
  }

  /**
   * Removes dims of size 1.
   *
   * PyTorch: `torch.squeeze`, `Tensor.squeeze`.
   *
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
  squeeze(dim?: number | readonly number[] | SqueezeOptions | undefined): T;
  squeeze(...args: readonly unknown[]): unknown {
    return call(shapes.squeeze, this, args);
  }

  /**
   * Expands dims of size 1, and adds leading dims, without copying.
   *
   * PyTorch: `Tensor.expand`, `torch.broadcast_to`, `Tensor.broadcast_to`.
   *
   * @param size - The sizes; -1 keeps a size.
   * @returns the given shape; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * tensor([[1], [2]]).expand(2, 3) // [[1, 1, 1], [2, 2, 2]]
   */
  expand(...size: readonly number[] | readonly [readonly number[]]): T;
  expand(...args: readonly unknown[]): unknown {
    return call(shapes.expand, this, args);
  }

  /**
   * Expands dims of size 1, and adds leading dims, without copying.
   *
   * PyTorch: `Tensor.expand`, `torch.broadcast_to`, `Tensor.broadcast_to`.
   *
   * @param size - The sizes; -1 keeps a size.
   * @returns the given shape; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * tensor([[1], [2]]).expand(2, 3) // [[1, 1, 1], [2, 2, 2]]
   */
  broadcastTo(...size: readonly number[] | readonly [readonly number[]]): T;
  broadcastTo(...args: readonly unknown[]): unknown {
    return call(shapes.expand, this, args);
  }

  /**
   * Expands dims of size 1, and adds leading dims, to the shape of another tensor.
   *
   * PyTorch: `Tensor.expand_as`.
   *
   * @param other - The tensor whose shape is used.
   * @returns the shape of `other`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * tensor([[1], [2]]).expandAs(zeros(2, 3)) // [[1, 1, 1], [2, 2, 2]]
   */
  expandAs(other: T): T;
  expandAs(...args: readonly unknown[]): unknown {
    return call(shapes.expandAs, this, args);
  }

  /**
   * Repeats the tensor along each dim.
   *
   * PyTorch: `Tensor.repeat`.
   *
   * @param repeats - The number of repeats of each dim; additional ones add leading dims.
   * @returns each size times its number of repeats; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * tensor([1, 2]).repeat(2, 2) // [[1, 2, 1, 2], [1, 2, 1, 2]]
   */
  repeat(...repeats: readonly number[] | readonly [readonly number[]]): T;
  repeat(...args: readonly unknown[]): unknown {
    return call(shapes.repeat, this, args);
  }

  /**
   * Repeats the tensor along each dim; repeats that are not given are 1.
   *
   * PyTorch: `torch.tile`, `Tensor.tile`.
   *
   * @param dims - The number of repeats of the last dims.
   * @returns each size times its number of repeats; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * tensor([[1], [2]]).tile(2) // [[1, 1], [2, 2]]
   */
  tile(...dims: readonly number[] | readonly [readonly number[]]): T;
  tile(...args: readonly unknown[]): unknown {
    return call(shapes.tile, this, args);
  }

  /**
   * Repeats each element, with its copies next to each other.
   *
   * Differs from PyTorch: The repeats are a number: with a tensor of them, the shape of the result would depend on
   * data.
   *
   * PyTorch: `torch.repeat_interleave`, `Tensor.repeat_interleave`.
   *
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
  repeatInterleave(repeats: number, dim?: number | RepeatInterleaveOptions | undefined): T;
  /**
   * Repeats each element, with its copies next to each other.
   *
   * Differs from PyTorch: The repeats are a number: with a tensor of them, the shape of the result would depend on
   * data.
   *
   * PyTorch: `torch.repeat_interleave`, `Tensor.repeat_interleave`.
   *
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
  repeatInterleave(named: { readonly repeats: number } & RepeatInterleaveOptions): T;
  repeatInterleave(...args: readonly unknown[]): unknown {
    return call(shapes.repeatInterleave, this, args);
  }

  /**
   * The elements in reverse order along dims.
   *
   * PyTorch: `torch.flip`, `Tensor.flip`.
   *
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
  flip(...dims: readonly number[] | readonly [readonly number[]]): T;
  flip(...args: readonly unknown[]): unknown {
    return call(shapes.flip, this, args);
  }

  /**
   * The columns in reverse order.
   *
   * PyTorch: `torch.fliplr`, `Tensor.fliplr`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Shapes
   * @example
   * tensor([[1, 2]]).fliplr() // [[2, 1]]
   */
  fliplr(): T;
  fliplr(...args: readonly unknown[]): unknown {
    return call(shapes.fliplr, this, args);
  }

  /**
   * The rows in reverse order.
   *
   * PyTorch: `torch.flipud`, `Tensor.flipud`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Shapes
   * @example
   * tensor([1, 2]).flipud() // [2, 1]
   */
  flipud(): T;
  flipud(...args: readonly unknown[]): unknown {
    return call(shapes.flipud, this, args);
  }

  /**
   * Shifts elements along dims; elements shifted past the end reappear at the start.
   *
   * PyTorch: `torch.roll`, `Tensor.roll`.
   *
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
  roll(shifts: number | readonly number[], dims?: number | readonly number[] | RollOptions | undefined): T;
  /**
   * Shifts elements along dims; elements shifted past the end reappear at the start.
   *
   * PyTorch: `torch.roll`, `Tensor.roll`.
   *
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
  roll(named: { readonly shifts: number | readonly number[] } & RollOptions): T;
  roll(...args: readonly unknown[]): unknown {
    return call(shapes.roll, this, args);
  }

  /**
   * A diagonal over two dims, as the last dim.
   *
   * PyTorch: `torch.diagonal`, `Tensor.diagonal`.
   *
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
  diagonal(
    offset?: number | DiagonalOptions | undefined,
    dim1?: number | DiagonalOptions | undefined,
    dim2?: number | DiagonalOptions | undefined,
  ): T;
  diagonal(...args: readonly unknown[]): unknown {
    return call(shapes.diagonal, this, args);
  }

  /**
   * The last dim as a diagonal of two new dims, zeros elsewhere.
   *
   * PyTorch: `torch.diag_embed`, `Tensor.diag_embed`.
   *
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
  diagEmbed(
    offset?: number | DiagEmbedOptions | undefined,
    dim1?: number | DiagEmbedOptions | undefined,
    dim2?: number | DiagEmbedOptions | undefined,
  ): T;
  diagEmbed(...args: readonly unknown[]): unknown {
    return call(shapes.diagEmbed, this, args);
  }

  /**
   * The diagonal of a matrix, or the matrix with a vector as its diagonal.
   *
   * PyTorch: `torch.diag`, `Tensor.diag`.
   *
   * @param diagonal - Above (positive) or below the main diagonal. Default: 0.
   * @returns [length] for a matrix, [n, n] for a vector; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * tensor([1, 2]).diag() // [[1, 0], [0, 2]]
   */
  diag(diagonal?: number | DiagOptions | undefined): T;
  diag(...args: readonly unknown[]): unknown {
    return call(shapes.diag, this, args);
  }

  /**
   * The lower triangle of the last two dims, zeros above it.
   *
   * PyTorch: `torch.tril`, `Tensor.tril`.
   *
   * @param diagonal - The last diagonal to keep. Default: 0.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * ones([2, 2]).tril() // [[1, 0], [1, 1]]
   */
  tril(diagonal?: number | TrilOptions | undefined): T;
  tril(...args: readonly unknown[]): unknown {
    return call(shapes.tril, this, args);
  }

  /**
   * The upper triangle of the last two dims, zeros below it.
   *
   * PyTorch: `torch.triu`, `Tensor.triu`.
   *
   * @param diagonal - The first diagonal that is kept. Default: 0.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * ones([2, 2]).triu() // [[1, 1], [0, 1]]
   */
  triu(diagonal?: number | TriuOptions | undefined): T;
  triu(...args: readonly unknown[]): unknown {
    return call(shapes.triu, this, args);
  }

  /**
   * `length` entries of a dim, starting at `start`.
   *
   * PyTorch: `torch.narrow`, `Tensor.narrow`.
   *
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
  narrow(dim: number, start: number, length: number): T;
  /**
   * `length` entries of a dim, starting at `start`.
   *
   * PyTorch: `torch.narrow`, `Tensor.narrow`.
   *
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
  narrow(named: { readonly dim: number; readonly start: number; readonly length: number }): T;
  narrow(...args: readonly unknown[]): unknown {
    return call(parts.narrow, this, args);
  }

  /**
   * Selects one entry of a dim, and removes that dim.
   *
   * PyTorch: `torch.select`, `Tensor.select`.
   *
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
  select(dim: number, index: number): T;
  /**
   * Selects one entry of a dim, and removes that dim.
   *
   * PyTorch: `torch.select`, `Tensor.select`.
   *
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
  select(named: { readonly dim: number; readonly index: number }): T;
  select(...args: readonly unknown[]): unknown {
    return call(parts.select, this, args);
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
  indexSelect(dim: number, index: T): T;
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
  indexSelect(named: { readonly dim: number; readonly index: T }): T;
  indexSelect(...args: readonly unknown[]): unknown {
    return call(parts.indexSelect, this, args);
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
  gather(dim: number, index: T): T;
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
  gather(named: { readonly dim: number; readonly index: T }): T;
  gather(...args: readonly unknown[]): unknown {
    return call(parts.gather, this, args);
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
  takeAlongDim(indices: T, dim?: number | TakeAlongDimOptions | undefined): T;
  takeAlongDim(...args: readonly unknown[]): unknown {
    return call(parts.takeAlongDim, this, args);
  }

  /**
   * Splits a dim into parts of one size (the last may be smaller), or of the given sizes.
   *
   * PyTorch: `torch.split`, `Tensor.split`.
   *
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
  split(splitSize: number | readonly number[], dim?: number | SplitOptions | undefined): T[];
  /**
   * Splits a dim into parts of one size (the last may be smaller), or of the given sizes.
   *
   * PyTorch: `torch.split`, `Tensor.split`.
   *
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
  split(named: { readonly splitSize: number | readonly number[] } & SplitOptions): T[];
  split(...args: readonly unknown[]): unknown {
    return call(parts.split, this, args);
  }

  /**
   * Splits a dim into at most `chunks` parts of one size (the last may be smaller).
   *
   * PyTorch: `torch.chunk`, `Tensor.chunk`.
   *
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
  chunk(chunks: number, dim?: number | ChunkOptions | undefined): T[];
  /**
   * Splits a dim into at most `chunks` parts of one size (the last may be smaller).
   *
   * PyTorch: `torch.chunk`, `Tensor.chunk`.
   *
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
  chunk(named: { readonly chunks: number } & ChunkOptions): T[];
  chunk(...args: readonly unknown[]): unknown {
    return call(parts.chunk, this, args);
  }

  /**
   * All entries of a dim, each without that dim.
   *
   * PyTorch: `torch.unbind`, `Tensor.unbind`.
   *
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
  unbind(dim?: number | UnbindOptions | undefined): T[];
  unbind(...args: readonly unknown[]): unknown {
    return call(parts.unbind, this, args);
  }

  /**
   * Windows of a dim, one every `step` entries, as a new last dim.
   *
   * Differs from PyTorch: The result is a copy, not a view of the input.
   *
   * PyTorch: `Tensor.unfold`.
   *
   * @param dimension - The dim.
   * @param size - The length of a window.
   * @param step - The step.
   * @returns the shape of the input with the number of windows at `dim`, and [size]; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * arange(5).unfold(0, 3, 1) // [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
   */
  unfold(dimension: number, size: number, step: number): T;
  /**
   * Windows of a dim, one every `step` entries, as a new last dim.
   *
   * Differs from PyTorch: The result is a copy, not a view of the input.
   *
   * PyTorch: `Tensor.unfold`.
   *
   * @param named.dimension - The dim.
   * @param named.size - The length of a window.
   * @param named.step - The step.
   * @returns the shape of the input with the number of windows at `dim`, and [size]; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * arange(5).unfold(0, 3, 1) // [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
   */
  unfold(named: { readonly dimension: number; readonly size: number; readonly step: number }): T;
  unfold(...args: readonly unknown[]): unknown {
    return call(piecesRows.unfold, this, args);
  }

  /**
   * The conjugate transposes of matrices.
   *
   * PyTorch: `torch.adjoint`, `Tensor.adjoint`.
   *
   * @returns the shape of the input with the last two sizes swapped; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * tensor([[1, 2]]).adjoint() // [[1], [2]]
   */
  adjoint(): T;
  adjoint(...args: readonly unknown[]): unknown {
    return call(piecesRows.adjoint, this, args);
  }

  /**
   * Splits a dim into parts whose sizes differ by at most 1, or at indices.
   *
   * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
   *
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
  tensorSplit(sections: number, dim?: number | TensorSplitOptions | undefined): T[];
  /**
   * Splits a dim into parts whose sizes differ by at most 1, or at indices.
   *
   * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
   *
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
  tensorSplit(named: { readonly sections: number } & TensorSplitOptions): T[];
  /**
   * Splits a dim into parts whose sizes differ by at most 1, or at indices.
   *
   * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
   *
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
  tensorSplit(indices: readonly number[], dim?: number | TensorSplitOptions2 | undefined): T[];
  /**
   * Splits a dim into parts whose sizes differ by at most 1, or at indices.
   *
   * PyTorch: `torch.tensor_split`, `Tensor.tensor_split`.
   *
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
  tensorSplit(named: { readonly indices: readonly number[] } & TensorSplitOptions2): T[];
  tensorSplit(...args: readonly unknown[]): unknown {
    return call(piecesRows.tensorSplit, this, args);
  }

  /**
   * Splits the second (for a vector, the only) dim into equal parts, or at indices.
   *
   * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
   *
   * @param sections - The number of parts.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
   */
  hsplit(sections: number): T[];
  /**
   * Splits the second (for a vector, the only) dim into equal parts, or at indices.
   *
   * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
   *
   * @param named.sections - The number of parts.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
   */
  hsplit(named: { readonly sections: number }): T[];
  /**
   * Splits the second (for a vector, the only) dim into equal parts, or at indices.
   *
   * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
   *
   * @param indices - The start of each part but the first.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
   */
  hsplit(indices: readonly number[]): T[];
  /**
   * Splits the second (for a vector, the only) dim into equal parts, or at indices.
   *
   * PyTorch: `torch.hsplit`, `Tensor.hsplit`.
   *
   * @param named.indices - The start of each part but the first.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).hsplit(2); // [[1], [3]], [[2], [4]]
   */
  hsplit(named: { readonly indices: readonly number[] }): T[];
  hsplit(...args: readonly unknown[]): unknown {
    return call(piecesRows.hsplit, this, args);
  }

  /**
   * Splits the first dim into equal parts, or at indices.
   *
   * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
   *
   * @param sections - The number of parts.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
   */
  vsplit(sections: number): T[];
  /**
   * Splits the first dim into equal parts, or at indices.
   *
   * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
   *
   * @param named.sections - The number of parts.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
   */
  vsplit(named: { readonly sections: number }): T[];
  /**
   * Splits the first dim into equal parts, or at indices.
   *
   * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
   *
   * @param indices - The start of each part but the first.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
   */
  vsplit(indices: readonly number[]): T[];
  /**
   * Splits the first dim into equal parts, or at indices.
   *
   * PyTorch: `torch.vsplit`, `Tensor.vsplit`.
   *
   * @param named.indices - The start of each part but the first.
   * @returns A list: the shape of the input with smaller sizes of the dim; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * const [a, b] = tensor([[1, 2], [3, 4]]).vsplit(2); // [[1, 2]], [[3, 4]]
   */
  vsplit(named: { readonly indices: readonly number[] }): T[];
  vsplit(...args: readonly unknown[]): unknown {
    return call(piecesRows.vsplit, this, args);
  }

  /**
   * Splits the third dim into equal parts, or at indices.
   *
   * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
   *
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
  dsplit(sections: number): T[];
  /**
   * Splits the third dim into equal parts, or at indices.
   *
   * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
   *
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
  dsplit(named: { readonly sections: number }): T[];
  /**
   * Splits the third dim into equal parts, or at indices.
   *
   * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
   *
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
  dsplit(indices: readonly number[]): T[];
  /**
   * Splits the third dim into equal parts, or at indices.
   *
   * PyTorch: `torch.dsplit`, `Tensor.dsplit`.
   *
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
  dsplit(named: { readonly indices: readonly number[] }): T[];
  dsplit(...args: readonly unknown[]): unknown {
    return call(piecesRows.dsplit, this, args);
  }

  /**
   * Splits a dim into parts of the given sizes.
   *
   * PyTorch: `torch.split_with_sizes`, `Tensor.split_with_sizes`.
   *
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
  splitWithSizes(splitSizes: readonly number[], dim?: number | SplitWithSizesOptions | undefined): T[];
  /**
   * Splits a dim into parts of the given sizes.
   *
   * PyTorch: `torch.split_with_sizes`, `Tensor.split_with_sizes`.
   *
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
  splitWithSizes(named: { readonly splitSizes: readonly number[] } & SplitWithSizesOptions): T[];
  splitWithSizes(...args: readonly unknown[]): unknown {
    return call(piecesRows.splitWithSizes, this, args);
  }

  /**
   * Quarter turns of two dims, from the first towards the second.
   *
   * PyTorch: `torch.rot90`, `Tensor.rot90`.
   *
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
  rot90(k?: number | Rot90Options | undefined, dims?: readonly number[] | Rot90Options | undefined): T;
  rot90(...args: readonly unknown[]): unknown {
    return call(piecesRows.rot90, this, args);
  }

  /**
   * A matrix with the elements on a diagonal, and zeros elsewhere.
   *
   * PyTorch: `torch.diagflat`, `Tensor.diagflat`.
   *
   * @param offset - The diagonal: above the main one if positive, below if negative. Default: 0.
   * @returns [n, n], where n is the number of elements plus the absolute value of the offset; the data type of the
   * input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Windows, pieces and replaced parts
   * @example
   * tensor([[1, 2]]).diagflat() // [[1, 0], [0, 2]]
   */
  diagflat(offset?: number | DiagflatOptions | undefined): T;
  diagflat(...args: readonly unknown[]): unknown {
    return call(piecesRows.diagflat, this, args);
  }

  /**
   * A copy with one entry of a dim replaced.
   *
   * PyTorch: `torch.select_scatter`, `Tensor.select_scatter`.
   *
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
  selectScatter(src: T, dim: number, index: number): T;
  /**
   * A copy with one entry of a dim replaced.
   *
   * PyTorch: `torch.select_scatter`, `Tensor.select_scatter`.
   *
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
  selectScatter(src: T, named: { readonly dim: number; readonly index: number }): T;
  selectScatter(...args: readonly unknown[]): unknown {
    return call(piecesRows.selectScatter, this, args);
  }

  /**
   * A copy with the entries start, start + step, … of a dim replaced.
   *
   * PyTorch: `torch.slice_scatter`, `Tensor.slice_scatter`.
   *
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
  sliceScatter(
    src: T,
    dim?: number | SliceScatterOptions | undefined,
    start?: number | SliceScatterOptions | undefined,
    end?: number | SliceScatterOptions | undefined,
    step?: number | SliceScatterOptions | undefined,
  ): T;
  sliceScatter(...args: readonly unknown[]): unknown {
    return call(piecesRows.sliceScatter, this, args);
  }

  /**
   * A copy with a diagonal replaced.
   *
   * PyTorch: `torch.diagonal_scatter`, `Tensor.diagonal_scatter`.
   *
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
  diagonalScatter(
    src: T,
    offset?: number | DiagonalScatterOptions | undefined,
    dim1?: number | DiagonalScatterOptions | undefined,
    dim2?: number | DiagonalScatterOptions | undefined,
  ): T;
  diagonalScatter(...args: readonly unknown[]): unknown {
    return call(piecesRows.diagonalScatter, this, args);
  }

  /**
   * Sums over the dims that broadcasting from the size would add or repeat.
   *
   * PyTorch: `Tensor.sum_to_size`.
   *
   * @param size - The size.
   * @returns the size; the data type of the input; int64 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * ones([2, 3]).sumToSize(1, 3) // [[2, 2, 2]]
   */
  sumToSize(...size: readonly number[] | readonly [readonly number[]]): T;
  sumToSize(...args: readonly unknown[]): unknown {
    return call(piecesRows.sumToSize, this, args);
  }

  /**
   * The elements sorted along a dim in ascending order, and their original indices.
   *
   * NaN sorts as greater than any number, and the sort is stable.
   *
   * PyTorch: `torch.sort`, `Tensor.sort`.
   *
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
  sort(
    dim?: number | SortOptions | undefined,
    descending?: boolean | SortOptions | undefined,
    options?: SortOptions,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  sort(...args: readonly unknown[]): unknown {
    return call(sortingRows.sort, this, args);
  }

  /**
   * The indices that sort a tensor along a dim.
   *
   * PyTorch: `torch.argsort`, `Tensor.argsort`.
   *
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
  argsort(
    dim?: number | ArgsortOptions | undefined,
    descending?: boolean | ArgsortOptions | undefined,
    options?: ArgsortOptions,
  ): T;
  argsort(...args: readonly unknown[]): unknown {
    return call(sortingRows.argsort, this, args);
  }

  /**
   * The elements sorted along the first dim in ascending order.
   *
   * PyTorch: `torch.msort`, `Tensor.msort`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Order
   * @example
   * tensor([3, 1, 2]).msort() // [1, 2, 3]
   */
  msort(): T;
  msort(...args: readonly unknown[]): unknown {
    return call(sortingRows.msort, this, args);
  }

  /**
   * The `k` largest elements along a dim, in descending order, and their indices.
   *
   * With `largest: false`, the smallest in ascending order. Of equal elements, the first is taken.
   *
   * PyTorch: `torch.topk`, `Tensor.topk`.
   *
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
  topk(
    k: number,
    dim?: number | TopkOptions | undefined,
    largest?: boolean | TopkOptions | undefined,
    sorted?: boolean | TopkOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The `k` largest elements along a dim, in descending order, and their indices.
   *
   * With `largest: false`, the smallest in ascending order. Of equal elements, the first is taken.
   *
   * PyTorch: `torch.topk`, `Tensor.topk`.
   *
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
  topk(named: { readonly k: number } & TopkOptions): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  topk(...args: readonly unknown[]): unknown {
    return call(sortingRows.topk, this, args);
  }

  /**
   * The `k`-th smallest element along a dim, counted from 1, and where it is.
   *
   * PyTorch: `torch.kthvalue`, `Tensor.kthvalue`.
   *
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
  kthvalue(
    k: number,
    dim?: number | KthvalueOptions | undefined,
    keepDim?: boolean | KthvalueOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The `k`-th smallest element along a dim, counted from 1, and where it is.
   *
   * PyTorch: `torch.kthvalue`, `Tensor.kthvalue`.
   *
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
  kthvalue(named: { readonly k: number } & KthvalueOptions): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  kthvalue(...args: readonly unknown[]): unknown {
    return call(sortingRows.kthvalue, this, args);
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
   * @returns the shape of the input without the dim, which has size 1 with `keepDim`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @throws {EMPTY_REDUCTION}
   * @category Order
   * @example
   * tensor([3, 1, 2]).median() // 2
   */
  median(): T;
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
  median(
    dim: number,
    keepDim?: boolean | MedianOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
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
  median(named: { readonly dim: number } & MedianOptions): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  median(...args: readonly unknown[]): unknown {
    return call(sortingRows.median, this, args);
  }

  /**
   * The median of the elements that are not NaN, of all elements or along a dim.
   *
   * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
   * it among them.
   *
   * PyTorch: `torch.nanmedian`, `Tensor.nanmedian`.
   *
   * @returns the shape of the input without the dim, which has size 1 with `keepDim`; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @throws {EMPTY_REDUCTION}
   * @category Order
   * @example
   * tensor([3, NaN, 1]).nanmedian() // 1
   */
  nanmedian(): T;
  /**
   * The median of the elements that are not NaN, of all elements or along a dim.
   *
   * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
   * it among them.
   *
   * PyTorch: `torch.nanmedian`, `Tensor.nanmedian`.
   *
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
  nanmedian(
    dim: number,
    keepDim?: boolean | NanmedianOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The median of the elements that are not NaN, of all elements or along a dim.
   *
   * Differs from PyTorch: Where several elements equal the median of all, the gradient goes to one; PyTorch shares
   * it among them.
   *
   * PyTorch: `torch.nanmedian`, `Tensor.nanmedian`.
   *
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
  nanmedian(named: { readonly dim: number } & NanmedianOptions): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  nanmedian(...args: readonly unknown[]): unknown {
    return call(sortingRows.nanmedian, this, args);
  }

  /**
   * The most common element along a dim (the smallest if several tie), and its last index.
   *
   * PyTorch: `torch.mode`, `Tensor.mode`.
   *
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
  mode(
    dim?: number | ModeOptions | undefined,
    keepDim?: boolean | ModeOptions | undefined,
  ): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  mode(...args: readonly unknown[]): unknown {
    return call(sortingRows.mode, this, args);
  }

  /**
   * The quantiles of all elements, or along a dim: NaN if any element is NaN.
   *
   * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
   *
   * PyTorch: `torch.quantile`, `Tensor.quantile`.
   *
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
  quantile(
    q: number,
    dim?: number | QuantileOptions | undefined,
    keepDim?: boolean | QuantileOptions | undefined,
    options?: QuantileOptions,
  ): T;
  /**
   * The quantiles of all elements, or along a dim: NaN if any element is NaN.
   *
   * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
   *
   * PyTorch: `torch.quantile`, `Tensor.quantile`.
   *
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
  quantile(named: { readonly q: number } & QuantileOptions): T;
  /**
   * The quantiles of all elements, or along a dim: NaN if any element is NaN.
   *
   * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
   *
   * PyTorch: `torch.quantile`, `Tensor.quantile`.
   *
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
  quantile(
    q: T,
    dim?: number | QuantileOptions2 | undefined,
    keepDim?: boolean | QuantileOptions2 | undefined,
    options?: QuantileOptions2,
  ): T;
  quantile(...args: readonly unknown[]): unknown {
    return call(sortingRows.quantile, this, args);
  }

  /**
   * The quantiles of the elements that are not NaN, of all elements or along a dim.
   *
   * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
   *
   * PyTorch: `torch.nanquantile`, `Tensor.nanquantile`.
   *
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
  nanquantile(
    q: number,
    dim?: number | NanquantileOptions | undefined,
    keepDim?: boolean | NanquantileOptions | undefined,
    options?: NanquantileOptions,
  ): T;
  /**
   * The quantiles of the elements that are not NaN, of all elements or along a dim.
   *
   * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
   *
   * PyTorch: `torch.nanquantile`, `Tensor.nanquantile`.
   *
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
  nanquantile(named: { readonly q: number } & NanquantileOptions): T;
  /**
   * The quantiles of the elements that are not NaN, of all elements or along a dim.
   *
   * `q` is a number or a tensor of them, from 0 to 1; the quantiles of several lead the shape.
   *
   * PyTorch: `torch.nanquantile`, `Tensor.nanquantile`.
   *
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
  nanquantile(
    q: T,
    dim?: number | NanquantileOptions2 | undefined,
    keepDim?: boolean | NanquantileOptions2 | undefined,
    options?: NanquantileOptions2,
  ): T;
  nanquantile(...args: readonly unknown[]): unknown {
    return call(sortingRows.nanquantile, this, args);
  }

  /**
   * Scales down slices along a dim to a p-norm of at most `maxnorm`.
   *
   * PyTorch: `torch.renorm`, `Tensor.renorm`.
   *
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
  renorm(p: number, dim: number, maxnorm: number): T;
  /**
   * Scales down slices along a dim to a p-norm of at most `maxnorm`.
   *
   * PyTorch: `torch.renorm`, `Tensor.renorm`.
   *
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
  renorm(named: { readonly p: number; readonly dim: number; readonly maxnorm: number }): T;
  renorm(...args: readonly unknown[]): unknown {
    return call(sortingRows.renorm, this, args);
  }

  /**
   * The cumulative sum along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumsum`, `Tensor.cumsum`.
   *
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
  cumsum(dim: number, options?: CumsumOptions): T;
  /**
   * The cumulative sum along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumsum`, `Tensor.cumsum`.
   *
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
  cumsum(named: { readonly dim: number } & CumsumOptions): T;
  cumsum(...args: readonly unknown[]): unknown {
    return call(runningRows.cumsum, this, args);
  }

  /**
   * The cumulative product along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumprod`, `Tensor.cumprod`.
   *
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
  cumprod(dim: number, options?: CumprodOptions): T;
  /**
   * The cumulative product along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumprod`, `Tensor.cumprod`.
   *
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
  cumprod(named: { readonly dim: number } & CumprodOptions): T;
  cumprod(...args: readonly unknown[]): unknown {
    return call(runningRows.cumprod, this, args);
  }

  /**
   * The cumulative largest along a dim, and its index: the last one of equal elements.
   *
   * Once an element is NaN, so are all later results. The cost is linear.
   *
   * PyTorch: `torch.cummax`, `Tensor.cummax`.
   *
   * @param dim - The dim.
   * @returns `values` and `indices`, by name or in this order: the shape of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Running totals
   * @example
   * tensor([1, 3, 2]).cummax(0).values // [1, 3, 3]
   */
  cummax(dim: number): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The cumulative largest along a dim, and its index: the last one of equal elements.
   *
   * Once an element is NaN, so are all later results. The cost is linear.
   *
   * PyTorch: `torch.cummax`, `Tensor.cummax`.
   *
   * @param named.dim - The dim.
   * @returns `values` and `indices`, by name or in this order: the shape of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Running totals
   * @example
   * tensor([1, 3, 2]).cummax(0).values // [1, 3, 3]
   */
  cummax(named: { readonly dim: number }): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  cummax(...args: readonly unknown[]): unknown {
    return call(runningRows.cummax, this, args);
  }

  /**
   * The cumulative smallest along a dim, and its index: the last one of equal elements.
   *
   * Once an element is NaN, so are all later results. The cost is linear.
   *
   * PyTorch: `torch.cummin`, `Tensor.cummin`.
   *
   * @param dim - The dim.
   * @returns `values` and `indices`, by name or in this order: the shape of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Running totals
   * @example
   * tensor([3, 1, 2]).cummin(0).values // [3, 1, 1]
   */
  cummin(dim: number): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  /**
   * The cumulative smallest along a dim, and its index: the last one of equal elements.
   *
   * Once an element is NaN, so are all later results. The cost is linear.
   *
   * PyTorch: `torch.cummin`, `Tensor.cummin`.
   *
   * @param named.dim - The dim.
   * @returns `values` and `indices`, by name or in this order: the shape of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Running totals
   * @example
   * tensor([3, 1, 2]).cummin(0).values // [3, 1, 1]
   */
  cummin(named: { readonly dim: number }): readonly [values: T, indices: T] & {
    /** The first result. */
    readonly values: T;
    /** The second result. */
    readonly indices: T;
  };
  cummin(...args: readonly unknown[]): unknown {
    return call(runningRows.cummin, this, args);
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
   * @param dim - The dim.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Running totals
   * @example
   * tensor([0, 0]).logcumsumexp(0) // [0, 0.693…]
   */
  logcumsumexp(dim: number): T;
  /**
   * The logarithm of the cumulative sum of exponentials along a dim, without overflow.
   *
   * The cost is linear.
   *
   * Differs from PyTorch: The gradient of elements that are minus infinity is finite; in PyTorch it is NaN.
   *
   * PyTorch: `torch.logcumsumexp`, `Tensor.logcumsumexp`.
   *
   * @param named.dim - The dim.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @category Running totals
   * @example
   * tensor([0, 0]).logcumsumexp(0) // [0, 0.693…]
   */
  logcumsumexp(named: { readonly dim: number }): T;
  logcumsumexp(...args: readonly unknown[]): unknown {
    return call(runningRows.logcumsumexp, this, args);
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
  scatter(dim: number, index: T, src: T, options?: ScatterOptions): T;
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
  scatter(named: { readonly dim: number; readonly index: T; readonly src: T } & ScatterOptions): T;
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
  scatter(dim: number, index: T, value: Scalar, options?: ScatterOptions2): T;
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
  scatter(named: { readonly dim: number; readonly index: T; readonly value: Scalar } & ScatterOptions2): T;
  scatter(...args: readonly unknown[]): unknown {
    return call(scatterRows.scatter, this, args);
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
  scatterAdd(dim: number, index: T, src: T): T;
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
  scatterAdd(named: { readonly dim: number; readonly index: T; readonly src: T }): T;
  scatterAdd(...args: readonly unknown[]): unknown {
    return call(scatterRows.scatterAdd, this, args);
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
  scatterReduce(
    dim: number,
    index: T,
    src: T,
    reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin',
    options?: ScatterReduceOptions,
  ): T;
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
  scatterReduce(
    named: {
      readonly dim: number;
      readonly index: T;
      readonly src: T;
      readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin';
    } & ScatterReduceOptions,
  ): T;
  scatterReduce(...args: readonly unknown[]): unknown {
    return call(scatterRows.scatterReduce, this, args);
  }

  /**
   * Adds slices to those at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_add`, `Tensor.index_add`.
   *
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
  indexAdd(dim: number, index: T, source: T, options?: IndexAddOptions): T;
  /**
   * Adds slices to those at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_add`, `Tensor.index_add`.
   *
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
  indexAdd(named: { readonly dim: number; readonly index: T; readonly source: T } & IndexAddOptions): T;
  indexAdd(...args: readonly unknown[]): unknown {
    return call(scatterRows.indexAdd, this, args);
  }

  /**
   * Replaces the slices at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_copy`, `Tensor.index_copy`.
   *
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
  indexCopy(dim: number, index: T, source: T): T;
  /**
   * Replaces the slices at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_copy`, `Tensor.index_copy`.
   *
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
  indexCopy(named: { readonly dim: number; readonly index: T; readonly source: T }): T;
  indexCopy(...args: readonly unknown[]): unknown {
    return call(scatterRows.indexCopy, this, args);
  }

  /**
   * Replaces the slices at positions along a dim by a number.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_fill`, `Tensor.index_fill`.
   *
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
  indexFill(dim: number, index: T, value: Scalar): T;
  /**
   * Replaces the slices at positions along a dim by a number.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_fill`, `Tensor.index_fill`.
   *
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
  indexFill(named: { readonly dim: number; readonly index: T; readonly value: Scalar }): T;
  indexFill(...args: readonly unknown[]): unknown {
    return call(scatterRows.indexFill, this, args);
  }

  /**
   * Combines slices with those at positions along a dim: by product, mean, largest or smallest.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_reduce`, `Tensor.index_reduce`.
   *
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
  indexReduce(
    dim: number,
    index: T,
    source: T,
    reduce: 'prod' | 'mean' | 'amax' | 'amin',
    options?: IndexReduceOptions,
  ): T;
  /**
   * Combines slices with those at positions along a dim: by product, mean, largest or smallest.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_reduce`, `Tensor.index_reduce`.
   *
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
  indexReduce(
    named: {
      readonly dim: number;
      readonly index: T;
      readonly source: T;
      readonly reduce: 'prod' | 'mean' | 'amax' | 'amin';
    } & IndexReduceOptions,
  ): T;
  indexReduce(...args: readonly unknown[]): unknown {
    return call(scatterRows.indexReduce, this, args);
  }

  /**
   * Replaces the elements where a mask is true by those of a source, in order.
   *
   * Differs from PyTorch: A source that is too short repeats its last element, because compiled programs cannot
   * raise errors.
   *
   * PyTorch: `torch.masked_scatter`, `Tensor.masked_scatter`.
   *
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
  maskedScatter(mask: T, source: T): T;
  maskedScatter(...args: readonly unknown[]): unknown {
    return call(scatterRows.maskedScatter, this, args);
  }

  /**
   * 1 with a probability given by each element, or by one number for all, else 0.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `torch.bernoulli`, `Tensor.bernoulli`.
   *
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Random numbers
   * @example
   * tensor([0, 1, 1]).bernoulli() // [0, 1, 1]
   */
  bernoulli(options?: BernoulliOptions): T;
  /**
   * 1 with a probability given by each element, or by one number for all, else 0.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `torch.bernoulli`, `Tensor.bernoulli`.
   *
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
  bernoulli(p: T | Scalar, options?: BernoulliOptions2): T;
  bernoulli(...args: readonly unknown[]): unknown {
    return call(randomRows.bernoulli, this, args);
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
  multinomial(
    numSamples: number,
    replacement?: boolean | MultinomialOptions | undefined,
    options?: MultinomialOptions,
  ): T;
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
  multinomial(named: { readonly numSamples: number } & MultinomialOptions): T;
  multinomial(...args: readonly unknown[]): unknown {
    return call(randomRows.multinomial, this, args);
  }

  /**
   * The number of elements in each of several bins of equal width; elements outside the range are ignored.
   *
   * If min and max are both 0, the bins span the smallest to the largest element.
   *
   * PyTorch: `torch.histc`, `Tensor.histc`.
   *
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
  histc(
    bins?: number | HistcOptions | undefined,
    min?: number | HistcOptions | undefined,
    max?: number | HistcOptions | undefined,
  ): T;
  histc(...args: readonly unknown[]): unknown {
    return call(countingRows.histc, this, args);
  }

  /**
   * The covariance matrix of variables, whose observations are rows.
   *
   * Differs from PyTorch: Weights of observations are not supported.
   *
   * PyTorch: `torch.cov`, `Tensor.cov`.
   *
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
  cov(options?: CovOptions): T;
  cov(...args: readonly unknown[]): unknown {
    return call(countingRows.cov, this, args);
  }

  /**
   * The correlation matrix of variables, whose observations are rows.
   *
   * PyTorch: `torch.corrcoef`, `Tensor.corrcoef`.
   *
   * @returns [variables, variables]; no dims for one row; the data type of the input; float32 for integers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Counts and statistics
   * @example
   * tensor([[0, 1, 2], [2, 1, 0]]).corrcoef() // [[1, -1], [-1, 1]]
   */
  corrcoef(): T;
  corrcoef(...args: readonly unknown[]): unknown {
    return call(countingRows.corrcoef, this, args);
  }

  /**
   * How often each of 0, 1, 2 … occurs in a vector of integers, or the sum of the weights there.
   *
   * The vector is read immediately, because the shape of the result depends on it. Not differentiable.
   *
   * PyTorch: `torch.bincount`, `Tensor.bincount`.
   *
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
  bincount(weights?: T | null | BincountOptions<T> | undefined, minlength?: number | BincountOptions<T> | undefined): T;
  bincount(...args: readonly unknown[]): unknown {
    return call(binRows.bincount, this, args);
  }

  /**
   * One value in the shape and data type of the input.
   *
   * PyTorch: `torch.fill`.
   *
   * @param value - The value: a number, or a tensor without dims.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Data types and copies
   * @example
   * fill(tensor([1, 2]), 3) // [3, 3]
   */
  fill_(value: T | Scalar): this;
  fill_(...args: readonly unknown[]): this {
    return callInPlace(castRows.fill, this, args);
  }

  /**
   * The sum of two tensors, or of a tensor and a number: input + alpha · other.
   *
   * PyTorch: `torch.add`, `Tensor.add`.
   *
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
  add_(other: T | Scalar, options?: AddOptions): this;
  add_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.add, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
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
  sub_(other: T | Scalar, options?: SubOptions): this;
  sub_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.sub, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
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
  subtract_(other: T | Scalar, options?: SubOptions): this;
  subtract_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.sub, this, args);
  }

  /**
   * The product of two tensors, element-wise, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  mul_(other: T | Scalar): this;
  mul_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.mul, this, args);
  }

  /**
   * The product of two tensors, element-wise, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  multiply_(other: T | Scalar): this;
  multiply_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.mul, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
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
  div_(other: T | Scalar, options?: DivOptions): this;
  div_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
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
  divide_(other: T | Scalar, options?: DivOptions): this;
  divide_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
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
  trueDivide_(other: T | Scalar, options?: DivOptions): this;
  trueDivide_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.div, this, args);
  }

  /**
   * The quotient rounded towards minus infinity; integers stay integers.
   *
   * PyTorch: `torch.floor_divide`, `Tensor.floor_divide`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([-7, 7]).floorDivide(2) // [-4, 3]
   */
  floorDivide_(other: T | Scalar): this;
  floorDivide_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.floorDivide, this, args);
  }

  /**
   * The remainder of the division, with the sign of the divisor.
   *
   * PyTorch: `torch.remainder`, `Tensor.remainder`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([-7, 7]).remainder(3) // [2, 1]
   */
  remainder_(other: T | Scalar): this;
  remainder_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.remainder, this, args);
  }

  /**
   * Each element raised to a power.
   *
   * PyTorch: `torch.pow`, `Tensor.pow`.
   *
   * @param exponent - The power.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Arithmetic
   * @example
   * tensor([1, 2, 3]).pow(2) // [1, 4, 9]
   */
  pow_(exponent: T | Scalar): this;
  pow_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.pow, this, args);
  }

  /**
   * Each element clamped to [`min`, `max`]; either bound may be omitted.
   *
   * Differs from PyTorch: Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for
   * uint8, and refuses others.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
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
  clamp_(
    min?: T | Scalar | null | ClampOptions<T> | undefined,
    max?: T | Scalar | null | ClampOptions<T> | undefined,
  ): this;
  clamp_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.clamp, this, args);
  }

  /**
   * Each element clamped to [`min`, `max`]; either bound may be omitted.
   *
   * Differs from PyTorch: Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for
   * uint8, and refuses others.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
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
  clip_(
    min?: T | Scalar | null | ClampOptions<T> | undefined,
    max?: T | Scalar | null | ClampOptions<T> | undefined,
  ): this;
  clip_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.clamp, this, args);
  }

  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
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
  maskedFill_(mask: T, value: Scalar): this;
  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
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
  maskedFill_(mask: T, named: { readonly value: Scalar }): this;
  maskedFill_(...args: readonly unknown[]): this {
    return callInPlace(arithmetic.maskedFill, this, args);
  }

  /**
   * Whether the left element is equal to the right one.
   *
   * PyTorch: `torch.eq`, `Tensor.eq`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).eq(2) // [false, true]
   */
  eq_(other: T | Scalar): this;
  eq_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.eq, this, args);
  }

  /**
   * Whether the left element is not equal to the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  ne_(other: T | Scalar): this;
  ne_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.ne, this, args);
  }

  /**
   * Whether the left element is not equal to the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  notEqual_(other: T | Scalar): this;
  notEqual_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.ne, this, args);
  }

  /**
   * Whether the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  lt_(other: T | Scalar): this;
  lt_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.lt, this, args);
  }

  /**
   * Whether the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  less_(other: T | Scalar): this;
  less_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.lt, this, args);
  }

  /**
   * Whether the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  le_(other: T | Scalar): this;
  le_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.le, this, args);
  }

  /**
   * Whether the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  lessEqual_(other: T | Scalar): this;
  lessEqual_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.le, this, args);
  }

  /**
   * Whether the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  gt_(other: T | Scalar): this;
  gt_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.gt, this, args);
  }

  /**
   * Whether the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  greater_(other: T | Scalar): this;
  greater_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.gt, this, args);
  }

  /**
   * Whether the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  ge_(other: T | Scalar): this;
  ge_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.ge, this, args);
  }

  /**
   * Whether the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  greaterEqual_(other: T | Scalar): this;
  greaterEqual_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.ge, this, args);
  }

  /**
   * Whether both elements are true; nonzero numbers are true.
   *
   * PyTorch: `torch.logical_and`, `Tensor.logical_and`.
   *
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
  logicalAnd_(other: T): this;
  logicalAnd_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.logicalAnd, this, args);
  }

  /**
   * Whether one or both elements are true; nonzero numbers are true.
   *
   * PyTorch: `torch.logical_or`, `Tensor.logical_or`.
   *
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
  logicalOr_(other: T): this;
  logicalOr_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.logicalOr, this, args);
  }

  /**
   * Whether exactly one of the elements are true; nonzero numbers are true.
   *
   * PyTorch: `torch.logical_xor`, `Tensor.logical_xor`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([1, 0, 2]).logicalXor(tensor([1, 1, 0])) // [false, true, true]
   */
  logicalXor_(other: T): this;
  logicalXor_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.logicalXor, this, args);
  }

  /**
   * Whether elements are false or 0.
   *
   * PyTorch: `torch.logical_not`, `Tensor.logical_not`.
   *
   * @returns the shape of the input; bool
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Comparisons and logic
   * @example
   * tensor([true, false]).logicalNot() // [false, true]
   */
  logicalNot_(): this;
  logicalNot_(...args: readonly unknown[]): this {
    return callInPlace(comparisons.logicalNot, this, args);
  }

  /**
   * The negative of each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  neg_(): this;
  neg_(...args: readonly unknown[]): this {
    return callInPlace(unary.neg, this, args);
  }

  /**
   * The negative of each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  negative_(): this;
  negative_(...args: readonly unknown[]): this {
    return callInPlace(unary.neg, this, args);
  }

  /**
   * The absolute value of each element.
   *
   * Differs from PyTorch: The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.
   *
   * PyTorch: `torch.abs`, `Tensor.abs`, `torch.absolute`, `Tensor.absolute`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  abs_(): this;
  abs_(...args: readonly unknown[]): this {
    return callInPlace(unary.abs, this, args);
  }

  /**
   * The absolute value of each element.
   *
   * Differs from PyTorch: The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.
   *
   * PyTorch: `torch.abs`, `Tensor.abs`, `torch.absolute`, `Tensor.absolute`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  absolute_(): this;
  absolute_(...args: readonly unknown[]): this {
    return callInPlace(unary.abs, this, args);
  }

  /**
   * The sign of each element: 1, 0 or −1.
   *
   * NaN and both zeros give 0; the sign of a complex number is z / |z|.
   *
   * PyTorch: `torch.sign`, `Tensor.sign`, `torch.sgn`, `Tensor.sgn`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([3, 0, -2]).sign() // [1, 0, -1]
   */
  sign_(): this;
  sign_(...args: readonly unknown[]): this {
    return callInPlace(unary.sign, this, args);
  }

  /**
   * The sign of each element: 1, 0 or −1.
   *
   * NaN and both zeros give 0; the sign of a complex number is z / |z|.
   *
   * PyTorch: `torch.sign`, `Tensor.sign`, `torch.sgn`, `Tensor.sgn`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([3, 0, -2]).sign() // [1, 0, -1]
   */
  sgn_(): this;
  sgn_(...args: readonly unknown[]): this {
    return callInPlace(unary.sign, this, args);
  }

  /**
   * The exponential of each element.
   *
   * PyTorch: `torch.exp`, `Tensor.exp`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, 1]).exp() // [1, 2.718…]
   */
  exp_(): this;
  exp_(...args: readonly unknown[]): this {
    return callInPlace(unary.exp, this, args);
  }

  /**
   * exp(x) − 1, accurate for small x.
   *
   * PyTorch: `torch.expm1`, `Tensor.expm1`, `torch.special.expm1`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1e-6]).expm1() // [1e-6]
   */
  expm1_(): this;
  expm1_(...args: readonly unknown[]): this {
    return callInPlace(unary.expm1, this, args);
  }

  /**
   * The natural logarithm of each element.
   *
   * PyTorch: `torch.log`, `Tensor.log`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1, Math.E]).log() // [0, 1]
   */
  log_(): this;
  log_(...args: readonly unknown[]): this {
    return callInPlace(unary.log, this, args);
  }

  /**
   * log(1 + x), accurate for small x.
   *
   * PyTorch: `torch.log1p`, `Tensor.log1p`, `torch.special.log1p`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1e-6]).log1p() // [1e-6]
   */
  log1p_(): this;
  log1p_(...args: readonly unknown[]): this {
    return callInPlace(unary.log1p, this, args);
  }

  /**
   * The square root of each element.
   *
   * PyTorch: `torch.sqrt`, `Tensor.sqrt`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([4, 9]).sqrt() // [2, 3]
   */
  sqrt_(): this;
  sqrt_(...args: readonly unknown[]): this {
    return callInPlace(unary.sqrt, this, args);
  }

  /**
   * The reciprocal of the square root of each element.
   *
   * PyTorch: `torch.rsqrt`, `Tensor.rsqrt`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([4]).rsqrt() // [0.5]
   */
  rsqrt_(): this;
  rsqrt_(...args: readonly unknown[]): this {
    return callInPlace(unary.rsqrt, this, args);
  }

  /**
   * The sine of each element, which is an angle in radians.
   *
   * PyTorch: `torch.sin`, `Tensor.sin`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, Math.PI / 2]).sin() // [0, 1]
   */
  sin_(): this;
  sin_(...args: readonly unknown[]): this {
    return callInPlace(unary.sin, this, args);
  }

  /**
   * The cosine of each element, which is an angle in radians.
   *
   * PyTorch: `torch.cos`, `Tensor.cos`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0]).cos() // [1]
   */
  cos_(): this;
  cos_(...args: readonly unknown[]): this {
    return callInPlace(unary.cos, this, args);
  }

  /**
   * The hyperbolic tangent of each element.
   *
   * PyTorch: `torch.tanh`, `Tensor.tanh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, 20]).tanh() // [0, 1]
   */
  tanh_(): this;
  tanh_(...args: readonly unknown[]): this {
    return callInPlace(unary.tanh, this, args);
  }

  /**
   * 1 / (1 + exp(−x)).
   *
   * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`, `torch.special.expit`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0]).sigmoid() // [0.5]
   */
  sigmoid_(): this;
  sigmoid_(...args: readonly unknown[]): this {
    return callInPlace(unary.sigmoid, this, args);
  }

  /**
   * The error function of each element.
   *
   * PyTorch: `torch.erf`, `Tensor.erf`, `torch.special.erf`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([0, 9]).erf() // [0, 1]
   */
  erf_(): this;
  erf_(...args: readonly unknown[]): this {
    return callInPlace(unary.erf, this, args);
  }

  /**
   * Each element rounded towards minus infinity.
   *
   * PyTorch: `torch.floor`, `Tensor.floor`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1.7]).floor() // [1]
   */
  floor_(): this;
  floor_(...args: readonly unknown[]): this {
    return callInPlace(unary.floor, this, args);
  }

  /**
   * Each element rounded towards plus infinity.
   *
   * PyTorch: `torch.ceil`, `Tensor.ceil`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([1.2]).ceil() // [2]
   */
  ceil_(): this;
  ceil_(...args: readonly unknown[]): this {
    return callInPlace(unary.ceil, this, args);
  }

  /**
   * Each element rounded to the nearest integer, halves to even, or to a number of decimals.
   *
   * PyTorch: `torch.round`, `Tensor.round`.
   *
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
  round_(options?: RoundOptions): this;
  round_(...args: readonly unknown[]): this {
    return callInPlace(unary.round, this, args);
  }

  /**
   * The square of each element.
   *
   * PyTorch: `torch.square`, `Tensor.square`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([3, -4]).square() // [9, 16]
   */
  square_(): this;
  square_(...args: readonly unknown[]): this {
    return callInPlace(unary.square, this, args);
  }

  /**
   * The reciprocal of each element.
   *
   * PyTorch: `torch.reciprocal`, `Tensor.reciprocal`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Functions of each element
   * @example
   * tensor([4]).reciprocal() // [0.25]
   */
  reciprocal_(): this;
  reciprocal_(...args: readonly unknown[]): this {
    return callInPlace(unary.reciprocal, this, args);
  }

  /**
   * The tangent of each element, which is an angle in radians.
   *
   * PyTorch: `torch.tan`, `Tensor.tan`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).tan() // [0]
   */
  tan_(): this;
  tan_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.tan, this, args);
  }

  /**
   * The inverse sine, in radians.
   *
   * PyTorch: `torch.asin`, `Tensor.asin`, `torch.arcsin`, `Tensor.arcsin`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).asin() // [π/2]
   */
  asin_(): this;
  asin_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.asin, this, args);
  }

  /**
   * The inverse sine, in radians.
   *
   * PyTorch: `torch.asin`, `Tensor.asin`, `torch.arcsin`, `Tensor.arcsin`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).asin() // [π/2]
   */
  arcsin_(): this;
  arcsin_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.asin, this, args);
  }

  /**
   * The inverse cosine, in radians.
   *
   * PyTorch: `torch.acos`, `Tensor.acos`, `torch.arccos`, `Tensor.arccos`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acos() // [0]
   */
  acos_(): this;
  acos_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.acos, this, args);
  }

  /**
   * The inverse cosine, in radians.
   *
   * PyTorch: `torch.acos`, `Tensor.acos`, `torch.arccos`, `Tensor.arccos`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acos() // [0]
   */
  arccos_(): this;
  arccos_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.acos, this, args);
  }

  /**
   * The inverse tangent, in radians.
   *
   * PyTorch: `torch.atan`, `Tensor.atan`, `torch.arctan`, `Tensor.arctan`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).atan() // [π/4]
   */
  atan_(): this;
  atan_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.atan, this, args);
  }

  /**
   * The inverse tangent, in radians.
   *
   * PyTorch: `torch.atan`, `Tensor.atan`, `torch.arctan`, `Tensor.arctan`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).atan() // [π/4]
   */
  arctan_(): this;
  arctan_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.atan, this, args);
  }

  /**
   * The hyperbolic sine.
   *
   * PyTorch: `torch.sinh`, `Tensor.sinh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).sinh() // [0]
   */
  sinh_(): this;
  sinh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.sinh, this, args);
  }

  /**
   * The hyperbolic cosine.
   *
   * PyTorch: `torch.cosh`, `Tensor.cosh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).cosh() // [1]
   */
  cosh_(): this;
  cosh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.cosh, this, args);
  }

  /**
   * The inverse hyperbolic sine.
   *
   * PyTorch: `torch.asinh`, `Tensor.asinh`, `torch.arcsinh`, `Tensor.arcsinh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).asinh() // [0]
   */
  asinh_(): this;
  asinh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.asinh, this, args);
  }

  /**
   * The inverse hyperbolic sine.
   *
   * PyTorch: `torch.asinh`, `Tensor.asinh`, `torch.arcsinh`, `Tensor.arcsinh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).asinh() // [0]
   */
  arcsinh_(): this;
  arcsinh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.asinh, this, args);
  }

  /**
   * The inverse hyperbolic cosine.
   *
   * PyTorch: `torch.acosh`, `Tensor.acosh`, `torch.arccosh`, `Tensor.arccosh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acosh() // [0]
   */
  acosh_(): this;
  acosh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.acosh, this, args);
  }

  /**
   * The inverse hyperbolic cosine.
   *
   * PyTorch: `torch.acosh`, `Tensor.acosh`, `torch.arccosh`, `Tensor.arccosh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).acosh() // [0]
   */
  arccosh_(): this;
  arccosh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.acosh, this, args);
  }

  /**
   * The inverse hyperbolic tangent.
   *
   * PyTorch: `torch.atanh`, `Tensor.atanh`, `torch.arctanh`, `Tensor.arctanh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).atanh() // [0]
   */
  atanh_(): this;
  atanh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.atanh, this, args);
  }

  /**
   * The inverse hyperbolic tangent.
   *
   * PyTorch: `torch.atanh`, `Tensor.atanh`, `torch.arctanh`, `Tensor.arctanh`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).atanh() // [0]
   */
  arctanh_(): this;
  arctanh_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.atanh, this, args);
  }

  /**
   * 2 raised to the power of each element.
   *
   * PyTorch: `torch.exp2`, `Tensor.exp2`, `torch.special.exp2`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([3]).exp2() // [8]
   */
  exp2_(): this;
  exp2_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.exp2, this, args);
  }

  /**
   * The logarithm to base 2.
   *
   * PyTorch: `torch.log2`, `Tensor.log2`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([8]).log2() // [3]
   */
  log2_(): this;
  log2_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.log2, this, args);
  }

  /**
   * The logarithm to base 10.
   *
   * PyTorch: `torch.log10`, `Tensor.log10`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([100]).log10() // [2]
   */
  log10_(): this;
  log10_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.log10, this, args);
  }

  /**
   * 1 minus the error function.
   *
   * PyTorch: `torch.erfc`, `Tensor.erfc`, `torch.special.erfc`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).erfc() // [1]
   */
  erfc_(): this;
  erfc_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.erfc, this, args);
  }

  /**
   * The inverse of the error function.
   *
   * PyTorch: `torch.erfinv`, `Tensor.erfinv`, `torch.special.erfinv`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).erfinv() // [0]
   */
  erfinv_(): this;
  erfinv_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.erfinv, this, args);
  }

  /**
   * The logarithm of the absolute value of the gamma function.
   *
   * PyTorch: `torch.lgamma`, `Tensor.lgamma`, `torch.special.gammaln`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([3]).lgamma() // [0.693…]
   */
  lgamma_(): this;
  lgamma_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.lgamma, this, args);
  }

  /**
   * The derivative of `lgamma`.
   *
   * Differs from PyTorch: The gradient at the poles is infinite; PyTorch gives large numbers there.
   *
   * PyTorch: `torch.digamma`, `Tensor.digamma`, `torch.special.psi`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([1]).digamma() // [-0.577…]
   */
  digamma_(): this;
  digamma_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.digamma, this, args);
  }

  /**
   * sin(πx) / (πx), 1 at 0.
   *
   * PyTorch: `torch.sinc`, `Tensor.sinc`, `torch.special.sinc`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0]).sinc() // [1]
   */
  sinc_(): this;
  sinc_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.sinc, this, args);
  }

  /**
   * log(x / (1 − x)).
   *
   * PyTorch: `torch.logit`, `Tensor.logit`, `torch.special.logit`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([0.5]).logit() // [0]
   */
  logit_(): this;
  logit_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.logit, this, args);
  }

  /**
   * From degrees to radians.
   *
   * PyTorch: `torch.deg2rad`, `Tensor.deg2rad`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([180]).deg2rad() // [π]
   */
  deg2rad_(): this;
  deg2rad_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.deg2rad, this, args);
  }

  /**
   * From radians to degrees.
   *
   * PyTorch: `torch.rad2deg`, `Tensor.rad2deg`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([Math.PI]).rad2deg() // [180]
   */
  rad2deg_(): this;
  rad2deg_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.rad2deg, this, args);
  }

  /**
   * Each element rounded towards zero.
   *
   * PyTorch: `torch.trunc`, `Tensor.trunc`, `torch.fix`, `Tensor.fix`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([-1.7, 1.7]).trunc() // [-1, 1]
   */
  trunc_(): this;
  trunc_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.trunc, this, args);
  }

  /**
   * Each element rounded towards zero.
   *
   * PyTorch: `torch.trunc`, `Tensor.trunc`, `torch.fix`, `Tensor.fix`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([-1.7, 1.7]).trunc() // [-1, 1]
   */
  fix_(): this;
  fix_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.trunc, this, args);
  }

  /**
   * The fractional part, with the sign of the element.
   *
   * PyTorch: `torch.frac`, `Tensor.frac`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Elementary functions
   * @example
   * tensor([-1.75]).frac() // [-0.75]
   */
  frac_(): this;
  frac_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.frac, this, args);
  }

  /**
   * NaN and infinities replaced by numbers.
   *
   * PyTorch: `torch.nan_to_num`, `Tensor.nan_to_num`.
   *
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
  nanToNum_(
    nan?: number | NanToNumOptions | undefined,
    posinf?: number | NanToNumOptions | undefined,
    neginf?: number | NanToNumOptions | undefined,
  ): this;
  nanToNum_(...args: readonly unknown[]): this {
    return callInPlace(elementaryRows.nanToNum, this, args);
  }

  /**
   * The angle of the point (other, input), from −π to π.
   *
   * PyTorch: `torch.atan2`, `Tensor.atan2`, `torch.arctan2`, `Tensor.arctan2`.
   *
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
  atan2_(other: T): this;
  atan2_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.atan2, this, args);
  }

  /**
   * The angle of the point (other, input), from −π to π.
   *
   * PyTorch: `torch.atan2`, `Tensor.atan2`, `torch.arctan2`, `Tensor.arctan2`.
   *
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
  arctan2_(other: T): this;
  arctan2_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.atan2, this, args);
  }

  /**
   * The length of the hypotenuse: √(input² + other²).
   *
   * PyTorch: `torch.hypot`, `Tensor.hypot`.
   *
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
  hypot_(other: T): this;
  hypot_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.hypot, this, args);
  }

  /**
   * The remainder of the division, with the sign of the dividend.
   *
   * PyTorch: `torch.fmod`, `Tensor.fmod`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([-7, 7]).fmod(3) // [-1, 1]
   */
  fmod_(other: T | Scalar): this;
  fmod_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.fmod, this, args);
  }

  /**
   * input · log(other), 0 where the input is 0.
   *
   * PyTorch: `torch.xlogy`, `Tensor.xlogy`, `torch.special.xlogy`.
   *
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
  xlogy_(other: T | Scalar): this;
  xlogy_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.xlogy, this, args);
  }

  /**
   * Each element, at least `min`.
   *
   * PyTorch: `torch.clamp_min`, `Tensor.clamp_min`.
   *
   * @param min - The lower bound.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([-1, 2]).clampMin(0) // [0, 2]
   */
  clampMin_(min: T | Scalar): this;
  clampMin_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.clampMin, this, args);
  }

  /**
   * Each element, at most `max`.
   *
   * PyTorch: `torch.clamp_max`, `Tensor.clamp_max`.
   *
   * @param max - The upper bound.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([-1, 2]).clampMax(0) // [-1, 0]
   */
  clampMax_(max: T | Scalar): this;
  clampMax_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.clampMax, this, args);
  }

  /**
   * Bitwise and of two integers, or of booleans (&).
   *
   * PyTorch: `torch.bitwise_and`, `Tensor.bitwise_and`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseAnd(1) // [1, 0, 1]
   */
  bitwiseAnd_(other: T | Scalar): this;
  bitwiseAnd_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.bitwiseAnd, this, args);
  }

  /**
   * Bitwise or of two integers, or of booleans (|).
   *
   * PyTorch: `torch.bitwise_or`, `Tensor.bitwise_or`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseOr(1) // [1, 3, 3]
   */
  bitwiseOr_(other: T | Scalar): this;
  bitwiseOr_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.bitwiseOr, this, args);
  }

  /**
   * Bitwise xor of two integers, or of booleans (^).
   *
   * PyTorch: `torch.bitwise_xor`, `Tensor.bitwise_xor`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([1, 2, 3], { dtype: 'int32' }).bitwiseXor(1) // [0, 3, 2]
   */
  bitwiseXor_(other: T | Scalar): this;
  bitwiseXor_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.bitwiseXor, this, args);
  }

  /**
   * The bits of integers shifted to the left (<<).
   *
   * PyTorch: `torch.bitwise_left_shift`, `Tensor.bitwise_left_shift`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([4], { dtype: 'int32' }).bitwiseLeftShift(1) // [8]
   */
  bitwiseLeftShift_(other: T | Scalar): this;
  bitwiseLeftShift_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.bitwiseLeftShift, this, args);
  }

  /**
   * The bits of integers shifted to the right (>>).
   *
   * PyTorch: `torch.bitwise_right_shift`, `Tensor.bitwise_right_shift`.
   *
   * @param other - The right operand.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([4], { dtype: 'int32' }).bitwiseRightShift(1) // [2]
   */
  bitwiseRightShift_(other: T | Scalar): this;
  bitwiseRightShift_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.bitwiseRightShift, this, args);
  }

  /**
   * The bits of integers, or booleans, inverted (~).
   *
   * PyTorch: `torch.bitwise_not`, `Tensor.bitwise_not`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Functions of two operands, bits
   * @example
   * tensor([0], { dtype: 'int32' }).bitwiseNot() // [-1]
   */
  bitwiseNot_(): this;
  bitwiseNot_(...args: readonly unknown[]): this {
    return callInPlace(binaryRows.bitwiseNot, this, args);
  }

  /**
   * The magnitude of the input with the sign of the other operand.
   *
   * PyTorch: `torch.copysign`, `Tensor.copysign`.
   *
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
  copysign_(other: T | Scalar): this;
  copysign_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.copysign, this, args);
  }

  /**
   * The Heaviside step function: 0 where the input is negative, 1 where it is positive, `values` where it is 0.
   *
   * PyTorch: `torch.heaviside`, `Tensor.heaviside`.
   *
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
  heaviside_(values: T): this;
  heaviside_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.heaviside, this, args);
  }

  /**
   * The greatest common divisor of integers.
   *
   * PyTorch: `torch.gcd`, `Tensor.gcd`.
   *
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
  gcd_(other: T): this;
  gcd_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.gcd, this, args);
  }

  /**
   * The least common multiple of integers.
   *
   * PyTorch: `torch.lcm`, `Tensor.lcm`.
   *
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
  lcm_(other: T): this;
  lcm_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.lcm, this, args);
  }

  /**
   * The next representable number in the direction of the other operand.
   *
   * PyTorch: `torch.nextafter`, `Tensor.nextafter`.
   *
   * @param other - The other tensor.
   * @returns the broadcast shape of the operands; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Less common functions of numbers
   * @example
   * tensor([1]).nextafter(tensor([2])) // [1.00000012]
   */
  nextafter_(other: T): this;
  nextafter_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.nextafter, this, args);
  }

  /**
   * input · 2^other.
   *
   * Differs from PyTorch: The gradient is that of the formula also for integers as exponents, where PyTorch’s is 0
   * for negative ones.
   *
   * PyTorch: `torch.ldexp`, `Tensor.ldexp`.
   *
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
  ldexp_(other: T): this;
  ldexp_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.ldexp, this, args);
  }

  /**
   * The outer product of two vectors, added to a matrix: beta · input + alpha · vec1 · vec2ᵀ.
   *
   * PyTorch: `torch.addr`, `Tensor.addr`.
   *
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
  addr_(vec1: T, vec2: T, options?: AddrOptions): this;
  addr_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.addr, this, args);
  }

  /**
   * beta · input + alpha · the sum of the products of two batches of matrices.
   *
   * PyTorch: `torch.addbmm`, `Tensor.addbmm`.
   *
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
  addbmm_(batch1: T, batch2: T, options?: AddbmmOptions): this;
  addbmm_(...args: readonly unknown[]): this {
    return callInPlace(numberRows.addbmm, this, args);
  }

  /**
   * The modified Bessel function of the first kind of order 0.
   *
   * PyTorch: `torch.i0`, `Tensor.i0`, `torch.special.i0`.
   *
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.i0(tensor([0])) // [1]
   */
  i0_(): this;
  i0_(...args: readonly unknown[]): this {
    return callInPlace(specialRows.i0, this, args);
  }

  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  multigammaln_(p: number): this;
  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param named.p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  multigammaln_(named: { readonly p: number }): this;
  multigammaln_(...args: readonly unknown[]): this {
    return callInPlace(specialRows.multigammaln, this, args);
  }

  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  mvlgamma_(p: number): this;
  /**
   * The logarithm of the gamma function of p variables.
   *
   * PyTorch: `torch.mvlgamma`, `Tensor.mvlgamma`, `torch.special.multigammaln`.
   *
   * @param named.p - The number of variables.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.multigammaln(tensor([3]), 2) // [1.55…]
   */
  mvlgamma_(named: { readonly p: number }): this;
  mvlgamma_(...args: readonly unknown[]): this {
    return callInPlace(specialRows.multigammaln, this, args);
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
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.polygamma(1, tensor([1])) // [1.644…]
   */
  polygamma_(n: number): this;
  /**
   * The n-th derivative of `digamma`.
   *
   * Differs from PyTorch: Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it
   * does for gradients of `digamma`.
   *
   * PyTorch: `torch.polygamma`, `torch.special.polygamma`.
   *
   * @param named.n - The order of the derivative.
   * @returns the shape of the input; the data type of the input; float32 for integers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Special functions
   * @example
   * special.polygamma(1, tensor([1])) // [1.644…]
   */
  polygamma_(named: { readonly n: number }): this;
  polygamma_(...args: readonly unknown[]): this {
    return callInPlace(specialRows.polygamma, this, args);
  }

  /**
   * The regularized lower incomplete gamma function.
   *
   * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
   *
   * PyTorch: `torch.igamma`, `Tensor.igamma`, `torch.special.gammainc`.
   *
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
  igamma_(other: T): this;
  igamma_(...args: readonly unknown[]): this {
    return callInPlace(specialRows.igamma, this, args);
  }

  /**
   * The regularized upper incomplete gamma function.
   *
   * Differs from PyTorch: Not differentiable; `distributions.Gamma.cdf` is, with respect to the value.
   *
   * PyTorch: `torch.igammac`, `Tensor.igammac`, `torch.special.gammaincc`.
   *
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
  igammac_(other: T): this;
  igammac_(...args: readonly unknown[]): this {
    return callInPlace(specialRows.igammac, this, args);
  }

  /**
   * A matrix product, added to a matrix: beta · input + alpha · mat1 · mat2.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.addmm`, `Tensor.addmm`.
   *
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
  addmm_(mat1: T, mat2: T, options?: AddmmOptions): this;
  addmm_(...args: readonly unknown[]): this {
    return callInPlace(products.addmm, this, args);
  }

  /**
   * A batched matrix product, added to a tensor: beta · input + alpha · batch1 · batch2.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.baddbmm`, `Tensor.baddbmm`.
   *
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
  baddbmm_(batch1: T, batch2: T, options?: BaddbmmOptions): this;
  baddbmm_(...args: readonly unknown[]): this {
    return callInPlace(products.baddbmm, this, args);
  }

  /**
   * A matrix-vector product, added to a vector: beta · input + alpha · mat · vec.
   *
   * Differs from PyTorch: Operands of different data types are promoted; PyTorch raises an error.
   *
   * PyTorch: `torch.addmv`, `Tensor.addmv`.
   *
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
  addmv_(mat: T, vec: T, options?: AddmvOptions): this;
  addmv_(...args: readonly unknown[]): this {
    return callInPlace(products.addmv, this, args);
  }

  /**
   * A product of two tensors, element-wise, added to a third: input + value · tensor1 · tensor2.
   *
   * PyTorch: `torch.addcmul`, `Tensor.addcmul`.
   *
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
  addcmul_(tensor1: T, tensor2: T, options?: AddcmulOptions): this;
  addcmul_(...args: readonly unknown[]): this {
    return callInPlace(products.addcmul, this, args);
  }

  /**
   * A quotient of two tensors, element-wise, added to a third: input + value · tensor1 / tensor2.
   *
   * PyTorch: `torch.addcdiv`, `Tensor.addcdiv`.
   *
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
  addcdiv_(tensor1: T, tensor2: T, options?: AddcdivOptions): this;
  addcdiv_(...args: readonly unknown[]): this {
    return callInPlace(products.addcdiv, this, args);
  }

  /**
   * Linear interpolation between two tensors: input + weight · (end − input).
   *
   * PyTorch: `torch.lerp`, `Tensor.lerp`.
   *
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
  lerp_(end: T, weight: T | Scalar): this;
  lerp_(...args: readonly unknown[]): this {
    return callInPlace(products.lerp, this, args);
  }

  /**
   * max(x, 0): negative elements become 0.
   *
   * PyTorch: `torch.relu`, `Tensor.relu`, `torch.nn.functional.relu`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @category Activations
   * @example
   * tensor([-1, 2]).relu() // [0, 2]
   */
  relu_(): this;
  relu_(...args: readonly unknown[]): this {
    return callInPlace(activations.relu, this, args);
  }

  /**
   * The lower triangle of the last two dims, zeros above it.
   *
   * PyTorch: `torch.tril`, `Tensor.tril`.
   *
   * @param diagonal - The last diagonal to keep. Default: 0.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * ones([2, 2]).tril() // [[1, 0], [1, 1]]
   */
  tril_(diagonal?: number | TrilOptions | undefined): this;
  tril_(...args: readonly unknown[]): this {
    return callInPlace(shapes.tril, this, args);
  }

  /**
   * The upper triangle of the last two dims, zeros below it.
   *
   * PyTorch: `torch.triu`, `Tensor.triu`.
   *
   * @param diagonal - The first diagonal that is kept. Default: 0.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Shapes
   * @example
   * ones([2, 2]).triu() // [[1, 1], [0, 1]]
   */
  triu_(diagonal?: number | TriuOptions | undefined): this;
  triu_(...args: readonly unknown[]): this {
    return callInPlace(shapes.triu, this, args);
  }

  /**
   * Fills the main diagonal of a matrix with a number.
   *
   * Differs from PyTorch: For matrices only, and without `wrap`.
   *
   * PyTorch: `Tensor.fill_diagonal_`.
   *
   * @param fillValue - The number.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * zeros(2, 2).fillDiagonal_(-Infinity) // [[-Infinity, 0], [0, -Infinity]]
   */
  fillDiagonal_(fillValue: number): this;
  /**
   * Fills the main diagonal of a matrix with a number.
   *
   * Differs from PyTorch: For matrices only, and without `wrap`.
   *
   * PyTorch: `Tensor.fill_diagonal_`.
   *
   * @param named.fillValue - The number.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @category Windows, pieces and replaced parts
   * @example
   * zeros(2, 2).fillDiagonal_(-Infinity) // [[-Infinity, 0], [0, -Infinity]]
   */
  fillDiagonal_(named: { readonly fillValue: number }): this;
  fillDiagonal_(...args: readonly unknown[]): this {
    return callInPlace(piecesRows.fillDiagonal, this, args);
  }

  /**
   * Scales down slices along a dim to a p-norm of at most `maxnorm`.
   *
   * PyTorch: `torch.renorm`, `Tensor.renorm`.
   *
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
  renorm_(p: number, dim: number, maxnorm: number): this;
  /**
   * Scales down slices along a dim to a p-norm of at most `maxnorm`.
   *
   * PyTorch: `torch.renorm`, `Tensor.renorm`.
   *
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
  renorm_(named: { readonly p: number; readonly dim: number; readonly maxnorm: number }): this;
  renorm_(...args: readonly unknown[]): this {
    return callInPlace(sortingRows.renorm, this, args);
  }

  /**
   * The cumulative sum along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumsum`, `Tensor.cumsum`.
   *
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
  cumsum_(dim: number, options?: CumsumOptions): this;
  /**
   * The cumulative sum along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumsum`, `Tensor.cumsum`.
   *
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
  cumsum_(named: { readonly dim: number } & CumsumOptions): this;
  cumsum_(...args: readonly unknown[]): this {
    return callInPlace(runningRows.cumsum, this, args);
  }

  /**
   * The cumulative product along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumprod`, `Tensor.cumprod`.
   *
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
  cumprod_(dim: number, options?: CumprodOptions): this;
  /**
   * The cumulative product along a dim.
   *
   * The cost is linear.
   *
   * PyTorch: `torch.cumprod`, `Tensor.cumprod`.
   *
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
  cumprod_(named: { readonly dim: number } & CumprodOptions): this;
  cumprod_(...args: readonly unknown[]): this {
    return callInPlace(runningRows.cumprod, this, args);
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
  scatter_(dim: number, index: T, src: T, options?: ScatterOptions): this;
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
  scatter_(named: { readonly dim: number; readonly index: T; readonly src: T } & ScatterOptions): this;
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
  scatter_(dim: number, index: T, value: Scalar, options?: ScatterOptions2): this;
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
  scatter_(named: { readonly dim: number; readonly index: T; readonly value: Scalar } & ScatterOptions2): this;
  scatter_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.scatter, this, args);
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
  scatterAdd_(dim: number, index: T, src: T): this;
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
  scatterAdd_(named: { readonly dim: number; readonly index: T; readonly src: T }): this;
  scatterAdd_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.scatterAdd, this, args);
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
  scatterReduce_(
    dim: number,
    index: T,
    src: T,
    reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin',
    options?: ScatterReduceOptions,
  ): this;
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
  scatterReduce_(
    named: {
      readonly dim: number;
      readonly index: T;
      readonly src: T;
      readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin';
    } & ScatterReduceOptions,
  ): this;
  scatterReduce_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.scatterReduce, this, args);
  }

  /**
   * Adds slices to those at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_add`, `Tensor.index_add`.
   *
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
  indexAdd_(dim: number, index: T, source: T, options?: IndexAddOptions): this;
  /**
   * Adds slices to those at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_add`, `Tensor.index_add`.
   *
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
  indexAdd_(named: { readonly dim: number; readonly index: T; readonly source: T } & IndexAddOptions): this;
  indexAdd_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.indexAdd, this, args);
  }

  /**
   * Replaces the slices at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_copy`, `Tensor.index_copy`.
   *
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
  indexCopy_(dim: number, index: T, source: T): this;
  /**
   * Replaces the slices at positions along a dim.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_copy`, `Tensor.index_copy`.
   *
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
  indexCopy_(named: { readonly dim: number; readonly index: T; readonly source: T }): this;
  indexCopy_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.indexCopy, this, args);
  }

  /**
   * Replaces the slices at positions along a dim by a number.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_fill`, `Tensor.index_fill`.
   *
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
  indexFill_(dim: number, index: T, value: Scalar): this;
  /**
   * Replaces the slices at positions along a dim by a number.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_fill`, `Tensor.index_fill`.
   *
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
  indexFill_(named: { readonly dim: number; readonly index: T; readonly value: Scalar }): this;
  indexFill_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.indexFill, this, args);
  }

  /**
   * Combines slices with those at positions along a dim: by product, mean, largest or smallest.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_reduce`, `Tensor.index_reduce`.
   *
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
  indexReduce_(
    dim: number,
    index: T,
    source: T,
    reduce: 'prod' | 'mean' | 'amax' | 'amin',
    options?: IndexReduceOptions,
  ): this;
  /**
   * Combines slices with those at positions along a dim: by product, mean, largest or smallest.
   *
   * Differs from PyTorch: An index that is out of range raises an error when a value of the step is read. Also
   * differentiable where the source is larger than the index.
   *
   * PyTorch: `torch.index_reduce`, `Tensor.index_reduce`.
   *
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
  indexReduce_(
    named: {
      readonly dim: number;
      readonly index: T;
      readonly source: T;
      readonly reduce: 'prod' | 'mean' | 'amax' | 'amin';
    } & IndexReduceOptions,
  ): this;
  indexReduce_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.indexReduce, this, args);
  }

  /**
   * Replaces the elements where a mask is true by those of a source, in order.
   *
   * Differs from PyTorch: A source that is too short repeats its last element, because compiled programs cannot
   * raise errors.
   *
   * PyTorch: `torch.masked_scatter`, `Tensor.masked_scatter`.
   *
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
  maskedScatter_(mask: T, source: T): this;
  maskedScatter_(...args: readonly unknown[]): this {
    return callInPlace(scatterRows.maskedScatter, this, args);
  }

  /**
   * Samples of a normal distribution with this mean and standard deviation.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.normal_`.
   *
   * @param mean - The mean. Default: 0.
   * @param std - The standard deviation. Default: 1.
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).normal_(5, 2).mean().round() // 5
   */
  normal_(
    mean?: number | NormalOptions | undefined,
    std?: number | NormalOptions | undefined,
    options?: NormalOptions,
  ): this;
  normal_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.normal, this, args);
  }

  /**
   * Random numbers, uniform in [from, to).
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.uniform_`.
   *
   * @param from - The lower bound. Default: 0.
   * @param to - The upper bound. Default: 1.
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).uniform_(2, 4).mean().round() // 3
   */
  uniform_(
    from?: number | UniformOptions | undefined,
    to?: number | UniformOptions | undefined,
    options?: UniformOptions,
  ): this;
  uniform_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.uniform, this, args);
  }

  /**
   * Samples of an exponential distribution.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.exponential_`.
   *
   * @param lambd - The rate. Default: 1.
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).exponential_(0.5).mean().round() // 2
   */
  exponential_(lambd?: number | ExponentialOptions | undefined, options?: ExponentialOptions): this;
  exponential_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.exponential, this, args);
  }

  /**
   * Random numbers of trials up to the first success, from 1.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.geometric_`.
   *
   * @param p - The probability of success.
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).geometric_(0.5).mean().round() // 2
   */
  geometric_(p: number, options?: GeometricOptions): this;
  /**
   * Random numbers of trials up to the first success, from 1.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.geometric_`.
   *
   * @param named.p - The probability of success.
   * @param named.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).geometric_(0.5).mean().round() // 2
   */
  geometric_(named: { readonly p: number } & GeometricOptions): this;
  geometric_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.geometric, this, args);
  }

  /**
   * Samples of a Cauchy distribution.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.cauchy_`.
   *
   * @param median - The median. Default: 0.
   * @param sigma - Half the width at half the maximum. Default: 1.
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).cauchy_(3).median().round() // 3
   */
  cauchy_(
    median?: number | CauchyOptions | undefined,
    sigma?: number | CauchyOptions | undefined,
    options?: CauchyOptions,
  ): this;
  cauchy_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.cauchy, this, args);
  }

  /**
   * Samples of a log-normal distribution: their logarithms are normal with this mean and standard deviation.
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * PyTorch: `Tensor.log_normal_`.
   *
   * @param mean - The mean of the logarithms. Default: 1.
   * @param std - Their standard deviation. Default: 2.
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DTYPE}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * manualSeed(0);
   * empty(1000).logNormal_(0, 0.25).median().round() // 1
   */
  logNormal_(
    mean?: number | LogNormalOptions | undefined,
    std?: number | LogNormalOptions | undefined,
    options?: LogNormalOptions,
  ): this;
  logNormal_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.logNormal, this, args);
  }

  /**
   * Random integers in [from, to).
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * Differs from PyTorch: Both bounds must be given, at most 2³² apart.
   *
   * PyTorch: `Tensor.random_`.
   *
   * @param from - The lower bound.
   * @param to - The upper bound (exclusive).
   * @param options.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * empty(100).random_(0, 10).lt(10).all() // true
   */
  random_(from: number, to: number, options?: RandomOptions): this;
  /**
   * Random integers in [from, to).
   *
   * A function of the seed and the step: the same on any number of threads, ranks and micro-batches.
   *
   * Differs from PyTorch: Both bounds must be given, at most 2³² apart.
   *
   * PyTorch: `Tensor.random_`.
   *
   * @param named.from - The lower bound.
   * @param named.to - The upper bound (exclusive).
   * @param named.generator - Where random numbers come from; the seed of the device by default.
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {WRONG_ARGUMENT}
   * @category Random numbers
   * @example
   * empty(100).random_(0, 10).lt(10).all() // true
   */
  random_(named: { readonly from: number; readonly to: number } & RandomOptions): this;
  random_(...args: readonly unknown[]): this {
    return callInPlace(randomRows.random, this, args);
  }

  /** @deprecated There is no `Tensor.cuda` here: leave it out: programs run on the cores of this machine; to(device) moves a tensor. */
  declare readonly cuda: never;
  /** @deprecated There is no `Tensor.xpu` here: leave it out: programs run on the cores of this machine; to(device) moves a tensor. */
  declare readonly xpu: never;
  /** @deprecated There is no `Tensor.is_cuda` here: use x.device.name. */
  declare readonly isCuda: never;
  /** @deprecated There is no `Tensor.is_mps` here: use x.device.name. */
  declare readonly isMps: never;
  /** @deprecated There is no `Tensor.get_device` here: use x.device. */
  declare readonly getDevice: never;
  /** @deprecated There is no `Tensor.pin_memory` here: leave it out: uploads are asynchronous already. */
  declare readonly pinMemory: never;
  /** @deprecated There is no `Tensor.is_pinned` here: leave it out: uploads are asynchronous already. */
  declare readonly isPinned: never;
  /** @deprecated There is no `Tensor.share_memory_` here: leave it out: ranks exchange data through collectives. */
  declare readonly shareMemory_: never;
  /** @deprecated There is no `Tensor.data_ptr` here: compare the tensors themselves: memory is planned by the compiler and has no fixed address. */
  declare readonly dataPtr: never;
  /** @deprecated There is no `Tensor.storage` here: use x.data for the elements in a typed array. */
  declare readonly storage: never;
  /** @deprecated There is no `Tensor.untyped_storage` here: use x.data for the elements in a typed array. */
  declare readonly untypedStorage: never;
  /** @deprecated There is no `Tensor.as_strided` here: use reshape, permute, narrow or slice. */
  declare readonly asStrided: never;
  /** @deprecated There is no `Tensor.set_` here: use copy_ or assign_. */
  declare readonly set_: never;
  /** @deprecated There is no `Tensor.resize_` here: make a new tensor: the shape of a tensor does not change. */
  declare readonly resize_: never;
  /** @deprecated There is no `Tensor.resize_as_` here: make a new tensor: the shape of a tensor does not change. */
  declare readonly resizeAs_: never;
  /** @deprecated There is no `Tensor.element_size` here: use finfo(x.dtype).bits / 8, or iinfo for integers. */
  declare readonly elementSize: never;
  /** @deprecated There is no `Tensor.itemsize` here: use finfo(x.dtype).bits / 8, or iinfo for integers. */
  declare readonly itemsize: never;
  /** @deprecated There is no `Tensor.is_sparse` here: leave it out: all tensors are dense. */
  declare readonly isSparse: never;
  /** @deprecated There is no `Tensor.to_sparse` here: leave it out: all tensors are dense. */
  declare readonly toSparse: never;
  /** @deprecated There is no `Tensor.to_dense` here: leave it out: all tensors are dense. */
  declare readonly toDense: never;
  /** @deprecated There is no `Tensor.coalesce` here: leave it out: all tensors are dense. */
  declare readonly coalesce: never;
  /** @deprecated There is no `Tensor.is_quantized` here: use x.roundTo(format) for other number formats. */
  declare readonly isQuantized: never;
  /** @deprecated There is no `Tensor.dequantize` here: use x.float(). */
  declare readonly dequantize: never;
  /** @deprecated There is no `Tensor.names` here: name dims in your own variables: tensors have no named dims. */
  declare readonly names: never;
  /** @deprecated There is no `Tensor.align_to` here: use permute: tensors have no named dims. */
  declare readonly alignTo: never;
  /** @deprecated There is no `Tensor.numpy_` here: use x.data. */
  declare readonly numpy_: never;
  /** @deprecated There is no `Tensor.map_` here: use methods of tensors: JavaScript functions of elements cannot be compiled. */
  declare readonly map_: never;
  /** @deprecated There is no `Tensor.apply_` here: use methods of tensors: JavaScript functions of elements cannot be compiled. */
  declare readonly apply_: never;
  /** @deprecated There is no `Tensor.is_inference` here: use x.requiresGrad. */
  declare readonly isInference: never;
  /** @deprecated There is no `Tensor.new_tensor` here: use tensor(data, { device: x.device, dtype: x.dtype }). */
  declare readonly newTensor: never;
  /** @deprecated There is no `Tensor.nbytes` here: use x.numel() times the bytes of the data type. */
  declare readonly nbytes: never;
  /** @deprecated There is no `Tensor.is_signed` here: compare x.dtype. */
  declare readonly isSigned: never;
  /** @deprecated There is no `Tensor.is_nonzero` here: use Boolean(x.item()). */
  declare readonly isNonzero: never;
  /** @deprecated There is no `Tensor.nonzero_static` here: use nonzero, or where with a mask. */
  declare readonly nonzeroStatic: never;
  /** @deprecated There is no `Tensor.split_with_sizes_copy` here: use splitWithSizes. */
  declare readonly splitWithSizesCopy: never;
  /** @deprecated There is no `Tensor.narrow_copy` here: use narrow, then clone. */
  declare readonly narrowCopy: never;
  /** @deprecated There is no `Tensor.lu` here: use linalg.lu or linalg.luFactor. */
  declare readonly lu: never;
  /** @deprecated There is no `Tensor.lu_solve` here: use linalg.luSolve. */
  declare readonly luSolve: never;
  /** @deprecated There is no `Tensor.lstsq` here: use linalg.lstsq. */
  declare readonly lstsq: never;
  /** @deprecated There is no `Tensor.put` here: use clone, then put_. */
  declare readonly put: never;
  /** @deprecated There is no `Tensor.new` here: use newZeros, newOnes or newFull. */
  declare readonly new: never;
  /** @deprecated There is no `Tensor.sparse_mask` here: leave it out: all tensors are dense. */
  declare readonly sparseMask: never;
  /** @deprecated There is no `Tensor.squeeze_` here: use squeeze, and its result: the shape of a tensor does not change. */
  declare readonly squeeze_: never;
  /** @deprecated There is no `Tensor.unsqueeze_` here: use unsqueeze, and its result: the shape of a tensor does not change. */
  declare readonly unsqueeze_: never;
  /** @deprecated There is no `Tensor.t_` here: use t, and its result: the shape of a tensor does not change. */
  declare readonly t_: never;
  /** @deprecated There is no `Tensor.transpose_` here: use transpose, and its result: the shape of a tensor does not change. */
  declare readonly transpose_: never;
  /** @deprecated There is no `Tensor.swapaxes_` here: use swapaxes, and its result: the shape of a tensor does not change. */
  declare readonly swapaxes_: never;
  /** @deprecated There is no `Tensor.swapdims_` here: use swapdims, and its result: the shape of a tensor does not change. */
  declare readonly swapdims_: never;
  /** @deprecated There is no `Tensor.float_power_` here: use x.copy_(x.floatPower(exponent)). */
  declare readonly floatPower_: never;
  /** @deprecated There is no `Tensor.unique` here: use unique(x). */
  declare readonly unique: never;
  /** @deprecated There is no `Tensor.unique_consecutive` here: use uniqueConsecutive(x). */
  declare readonly uniqueConsecutive: never;
  /** @deprecated There is no `Tensor.histogram` here: use histc, or bucketize and bincount. */
  declare readonly histogram: never;
  /** @deprecated There is no `Tensor.prelu` here: use nn.functional.prelu. */
  declare readonly prelu: never;
  /** @deprecated There is no `Tensor.ndimension` here: use x.ndim. */
  declare readonly ndimension: never;
  /** @deprecated There is no `Tensor.is_same_size` here: use isSameSize(x, y). */
  declare readonly isSameSize: never;
  /** @deprecated There is no `Tensor.retains_grad` here: use retainGrad: then x.grad is there after backward. */
  declare readonly retainsGrad: never;
  /** @deprecated There is no `Tensor.is_cpu` here: use x.device.name. */
  declare readonly isCpu: never;
  /** @deprecated There is no `Tensor.is_meta` here: leave it out: tensors without elements do not exist. */
  declare readonly isMeta: never;
  /** @deprecated There is no `Tensor.is_conj` here: leave it out: numbers are conjugated at once. */
  declare readonly isConj: never;
  /** @deprecated There is no `Tensor.is_neg` here: leave it out: numbers are negated at once. */
  declare readonly isNeg: never;
  /** @deprecated There is no `Tensor.resolve_neg` here: leave it out: numbers are negated at once. */
  declare readonly resolveNeg: never;
  /** @deprecated There is no `Tensor.is_shared` here: leave it out: ranks exchange data through collectives. */
  declare readonly isShared: never;
  /** @deprecated There is no `Tensor.is_sparse_csr` here: leave it out: all tensors are dense. */
  declare readonly isSparseCsr: never;
  /** @deprecated There is no `Tensor.is_coalesced` here: leave it out: all tensors are dense. */
  declare readonly isCoalesced: never;
  /** @deprecated There is no `Tensor.sparse_dim` here: leave it out: all tensors are dense. */
  declare readonly sparseDim: never;
  /** @deprecated There is no `Tensor.dense_dim` here: leave it out: all tensors are dense. */
  declare readonly denseDim: never;
  /** @deprecated There is no `Tensor.layout` here: leave it out: all tensors are dense. */
  declare readonly layout: never;
  /** @deprecated There is no `Tensor.to_sparse_csr` here: leave it out: all tensors are dense. */
  declare readonly toSparseCsr: never;
  /** @deprecated There is no `Tensor.to_sparse_coo` here: leave it out: all tensors are dense. */
  declare readonly toSparseCoo: never;
  /** @deprecated There is no `Tensor.eig` here: use linalg.eig. */
  declare readonly eig: never;
  /** @deprecated There is no `Tensor.symeig` here: use linalg.eigh. */
  declare readonly symeig: never;
  /** @deprecated There is no `Tensor.solve` here: use linalg.solve. */
  declare readonly solve: never;
  /** @deprecated There is no `Tensor.triangular_solve` here: use linalg.solveTriangular. */
  declare readonly triangularSolve: never;
  /** @deprecated There is no `Tensor.unsafe_chunk` here: use chunk. */
  declare readonly unsafeChunk: never;
  /** @deprecated There is no `Tensor.unsafe_split` here: use split. */
  declare readonly unsafeSplit: never;
  /** @deprecated There is no `Tensor.as_strided_` here: use reshape, permute, narrow or slice. */
  declare readonly asStrided_: never;
  /** @deprecated There is no `Tensor.as_strided_scatter` here: use selectScatter, sliceScatter or indexPut. */
  declare readonly asStridedScatter: never;
  /** @deprecated There is no `Tensor.new_empty_strided` here: use newEmpty: memory is laid out by the compiler. */
  declare readonly newEmptyStrided: never;
  /** @deprecated There is no `Tensor.record_stream` here: leave it out: the runtime orders its own work. */
  declare readonly recordStream: never;
}
