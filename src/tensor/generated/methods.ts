// The methods of tensors that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call, callInPlace } from '../surface/call.ts';
import { arithmetic } from '../surface/rows/arithmetic.ts';
import { comparisons } from '../surface/rows/comparison.ts';
import { reductionRows } from '../surface/rows/reductions.ts';
import { unary } from '../surface/rows/unary.ts';
import { Traced } from '../traced.ts';
import type {
  AddOptions,
  AllOptions,
  AmaxOptions,
  AminOptions,
  AnyOptions,
  ArgmaxOptions,
  ArgminOptions,
  ClampOptions,
  DivOptions,
  MaxOptions,
  MeanOptions,
  MinOptions,
  StdOptions,
  StdOptions2,
  SubOptions,
  SumOptions,
  VarOptions,
  VarOptions2,
} from './options.ts';

/** Methods that are rows of the table; `T` is the class of tensors. */
export abstract class TensorMethods<T extends Traced> extends Traced {
  /**
   * The sum of two tensors, or of a tensor and a number: input + alpha · other.
   *
   * PyTorch: `torch.add`, `Tensor.add`.
   *
   * @param other - The right operand.
   * @param alpha - What `other` is multiplied with first. Default: 1.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).add(tensor([10, 20])) // [11, 22]
   */
  add(other: T | Scalar, options?: AddOptions): T;
  add(...args: unknown[]): unknown {
    return call(arithmetic.add, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
   * @param other - The right operand.
   * @param alpha - What `other` is multiplied with first. Default: 1.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([5, 7]).sub(2) // [3, 5]
   */
  sub(other: T | Scalar, options?: SubOptions): T;
  sub(...args: unknown[]): unknown {
    return call(arithmetic.sub, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
   * @param other - The right operand.
   * @param alpha - What `other` is multiplied with first. Default: 1.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([5, 7]).sub(2) // [3, 5]
   */
  subtract(other: T | Scalar, options?: SubOptions): T;
  subtract(...args: unknown[]): unknown {
    return call(arithmetic.sub, this, args);
  }

  /**
   * The product of two tensors, element by element, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  mul(other: T | Scalar): T;
  mul(...args: unknown[]): unknown {
    return call(arithmetic.mul, this, args);
  }

  /**
   * The product of two tensors, element by element, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  multiply(other: T | Scalar): T;
  multiply(...args: unknown[]): unknown {
    return call(arithmetic.mul, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
   * @param other - The right operand.
   * @param roundingMode - How the quotient is rounded.
   * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
   */
  div(other: T | Scalar, options?: DivOptions): T;
  div(...args: unknown[]): unknown {
    return call(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
   * @param other - The right operand.
   * @param roundingMode - How the quotient is rounded.
   * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
   */
  divide(other: T | Scalar, options?: DivOptions): T;
  divide(...args: unknown[]): unknown {
    return call(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
   * @param other - The right operand.
   * @param roundingMode - How the quotient is rounded.
   * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
   */
  trueDivide(other: T | Scalar, options?: DivOptions): T;
  trueDivide(...args: unknown[]): unknown {
    return call(arithmetic.div, this, args);
  }

  /**
   * The quotient rounded towards minus infinity; whole numbers stay whole.
   *
   * PyTorch: `torch.floor_divide`, `Tensor.floor_divide`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-7, 7]).floorDivide(2) // [-4, 3]
   */
  floorDivide(other: T | Scalar): T;
  floorDivide(...args: unknown[]): unknown {
    return call(arithmetic.floorDivide, this, args);
  }

  /**
   * The remainder of the division, with the sign of the divisor.
   *
   * PyTorch: `torch.remainder`, `Tensor.remainder`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-7, 7]).remainder(3) // [2, 1]
   */
  remainder(other: T | Scalar): T;
  remainder(...args: unknown[]): unknown {
    return call(arithmetic.remainder, this, args);
  }

  /**
   * Each element to a power.
   *
   * PyTorch: `torch.pow`, `Tensor.pow`.
   *
   * @param exponent - The power.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).pow(2) // [1, 4, 9]
   */
  pow(exponent: T | Scalar): T;
  pow(...args: unknown[]): unknown {
    return call(arithmetic.pow, this, args);
  }

  /**
   * The larger of two elements; NaN where one is NaN.
   *
   * Differs from PyTorch: Numbers are accepted as operands; PyTorch wants tensors, which is stricter than its own
   * arithmetic.
   *
   * PyTorch: `torch.maximum`, `Tensor.maximum`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 5]).maximum(tensor([3, 2])) // [3, 5]
   */
  maximum(other: T | Scalar): T;
  maximum(...args: unknown[]): unknown {
    return call(arithmetic.maximum, this, args);
  }

  /**
   * The smaller of two elements; NaN where one is NaN.
   *
   * Differs from PyTorch: Numbers are accepted as operands; PyTorch wants tensors, which is stricter than its own
   * arithmetic.
   *
   * PyTorch: `torch.minimum`, `Tensor.minimum`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 5]).minimum(tensor([3, 2])) // [1, 2]
   */
  minimum(other: T | Scalar): T;
  minimum(...args: unknown[]): unknown {
    return call(arithmetic.minimum, this, args);
  }

  /**
   * Each element, but not below `min` and not above `max`; one of the two may be left out.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
   * @param min - The lower bound.
   * @param max - The upper bound.
   * @returns the shape of the input, and of bounds that are tensors; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
   */
  clamp(min?: T | Scalar | ClampOptions<T> | undefined, max?: T | Scalar | ClampOptions<T> | undefined): T;
  clamp(...args: unknown[]): unknown {
    return call(arithmetic.clamp, this, args);
  }

  /**
   * Each element, but not below `min` and not above `max`; one of the two may be left out.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
   * @param min - The lower bound.
   * @param max - The upper bound.
   * @returns the shape of the input, and of bounds that are tensors; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
   */
  clip(min?: T | Scalar | ClampOptions<T> | undefined, max?: T | Scalar | ClampOptions<T> | undefined): T;
  clip(...args: unknown[]): unknown {
    return call(arithmetic.clamp, this, args);
  }

  /**
   * The elements of `input` where the condition holds, those of `other` elsewhere.
   *
   * PyTorch: `torch.where`, `Tensor.where`.
   *
   * @param condition - Where `input` is taken.
   * @param other - The elements elsewhere.
   * @returns the shape of all three together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * where(x.gt(0), x, 0) // as relu
   */
  where(condition: T, other: T | Scalar): T;
  where(...args: unknown[]): unknown {
    return call(arithmetic.where, this, args);
  }

  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
   * @param mask - Where the value goes, of type i1.
   * @param value - The value.
   * @returns the shape of the input and the mask together; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * scores.maskedFill(mask, -Infinity)
   */
  maskedFill(mask: T, value: Scalar): T;
  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
   * @param mask - Where the value goes, of type i1.
   * @param value - The value.
   * @returns the shape of the input and the mask together; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * scores.maskedFill(mask, -Infinity)
   */
  maskedFill(mask: T, named: { readonly value: Scalar }): T;
  maskedFill(...args: unknown[]): unknown {
    return call(arithmetic.maskedFill, this, args);
  }

  /**
   * Where the left element is equal to the right one.
   *
   * PyTorch: `torch.eq`, `Tensor.eq`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).eq(2) // [false, true]
   */
  eq(other: T | Scalar): T;
  eq(...args: unknown[]): unknown {
    return call(comparisons.eq, this, args);
  }

  /**
   * Where the left element is other than the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  ne(other: T | Scalar): T;
  ne(...args: unknown[]): unknown {
    return call(comparisons.ne, this, args);
  }

  /**
   * Where the left element is other than the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  notEqual(other: T | Scalar): T;
  notEqual(...args: unknown[]): unknown {
    return call(comparisons.ne, this, args);
  }

  /**
   * Where the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  lt(other: T | Scalar): T;
  lt(...args: unknown[]): unknown {
    return call(comparisons.lt, this, args);
  }

  /**
   * Where the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  less(other: T | Scalar): T;
  less(...args: unknown[]): unknown {
    return call(comparisons.lt, this, args);
  }

  /**
   * Where the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  le(other: T | Scalar): T;
  le(...args: unknown[]): unknown {
    return call(comparisons.le, this, args);
  }

  /**
   * Where the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  lessEqual(other: T | Scalar): T;
  lessEqual(...args: unknown[]): unknown {
    return call(comparisons.le, this, args);
  }

  /**
   * Where the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  gt(other: T | Scalar): T;
  gt(...args: unknown[]): unknown {
    return call(comparisons.gt, this, args);
  }

  /**
   * Where the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  greater(other: T | Scalar): T;
  greater(...args: unknown[]): unknown {
    return call(comparisons.gt, this, args);
  }

  /**
   * Where the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  ge(other: T | Scalar): T;
  ge(...args: unknown[]): unknown {
    return call(comparisons.ge, this, args);
  }

  /**
   * Where the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  greaterEqual(other: T | Scalar): T;
  greaterEqual(...args: unknown[]): unknown {
    return call(comparisons.ge, this, args);
  }

  /**
   * Where both elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.logical_and`, `Tensor.logical_and`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * x.gt(0).logicalAnd(x.lt(1))
   */
  logicalAnd(other: T): T;
  logicalAnd(...args: unknown[]): unknown {
    return call(comparisons.logicalAnd, this, args);
  }

  /**
   * Where one or both elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.logical_or`, `Tensor.logical_or`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * x.lt(0).logicalOr(x.gt(1))
   */
  logicalOr(other: T): T;
  logicalOr(...args: unknown[]): unknown {
    return call(comparisons.logicalOr, this, args);
  }

  /**
   * Where exactly one of the elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.logical_xor`, `Tensor.logical_xor`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * x.gt(0).logicalXor(y.gt(0))
   */
  logicalXor(other: T): T;
  logicalXor(...args: unknown[]): unknown {
    return call(comparisons.logicalXor, this, args);
  }

  /**
   * Where elements are false or 0.
   *
   * PyTorch: `torch.logical_not`, `Tensor.logical_not`.
   *
   * @returns the shape of the input; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([true, false]).logicalNot() // [false, true]
   */
  logicalNot(): T;
  logicalNot(...args: unknown[]): unknown {
    return call(comparisons.logicalNot, this, args);
  }

  /**
   * Minus each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  neg(): T;
  neg(...args: unknown[]): unknown {
    return call(unary.neg, this, args);
  }

  /**
   * Minus each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  negative(): T;
  negative(...args: unknown[]): unknown {
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
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  abs(): T;
  abs(...args: unknown[]): unknown {
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
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  absolute(): T;
  absolute(...args: unknown[]): unknown {
    return call(unary.abs, this, args);
  }

  /**
   * 1, 0 or −1: the sign of each element.
   *
   * Differs from PyTorch: The sign of NaN is NaN, not 0, so that errors are not hidden.
   *
   * PyTorch: `torch.sign`, `Tensor.sign`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([3, 0, -2]).sign() // [1, 0, -1]
   */
  sign(): T;
  sign(...args: unknown[]): unknown {
    return call(unary.sign, this, args);
  }

  /**
   * e to the power of each element.
   *
   * PyTorch: `torch.exp`, `Tensor.exp`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, 1]).exp() // [1, 2.718…]
   */
  exp(): T;
  exp(...args: unknown[]): unknown {
    return call(unary.exp, this, args);
  }

  /**
   * exp(x) − 1, exact for small x.
   *
   * PyTorch: `torch.expm1`, `Tensor.expm1`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1e-6]).expm1() // [1e-6]
   */
  expm1(): T;
  expm1(...args: unknown[]): unknown {
    return call(unary.expm1, this, args);
  }

  /**
   * The natural logarithm of each element.
   *
   * PyTorch: `torch.log`, `Tensor.log`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1, Math.E]).log() // [0, 1]
   */
  log(): T;
  log(...args: unknown[]): unknown {
    return call(unary.log, this, args);
  }

  /**
   * log(1 + x), exact for small x.
   *
   * PyTorch: `torch.log1p`, `Tensor.log1p`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1e-6]).log1p() // [1e-6]
   */
  log1p(): T;
  log1p(...args: unknown[]): unknown {
    return call(unary.log1p, this, args);
  }

  /**
   * The square root of each element.
   *
   * PyTorch: `torch.sqrt`, `Tensor.sqrt`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([4, 9]).sqrt() // [2, 3]
   */
  sqrt(): T;
  sqrt(...args: unknown[]): unknown {
    return call(unary.sqrt, this, args);
  }

  /**
   * 1 over the square root of each element.
   *
   * PyTorch: `torch.rsqrt`, `Tensor.rsqrt`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([4]).rsqrt() // [0.5]
   */
  rsqrt(): T;
  rsqrt(...args: unknown[]): unknown {
    return call(unary.rsqrt, this, args);
  }

  /**
   * The sine of each element, in radians.
   *
   * PyTorch: `torch.sin`, `Tensor.sin`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, Math.PI / 2]).sin() // [0, 1]
   */
  sin(): T;
  sin(...args: unknown[]): unknown {
    return call(unary.sin, this, args);
  }

  /**
   * The cosine of each element, in radians.
   *
   * PyTorch: `torch.cos`, `Tensor.cos`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0]).cos() // [1]
   */
  cos(): T;
  cos(...args: unknown[]): unknown {
    return call(unary.cos, this, args);
  }

  /**
   * The hyperbolic tangent of each element.
   *
   * PyTorch: `torch.tanh`, `Tensor.tanh`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, 20]).tanh() // [0, 1]
   */
  tanh(): T;
  tanh(...args: unknown[]): unknown {
    return call(unary.tanh, this, args);
  }

  /**
   * 1 / (1 + exp(−x)).
   *
   * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0]).sigmoid() // [0.5]
   */
  sigmoid(): T;
  sigmoid(...args: unknown[]): unknown {
    return call(unary.sigmoid, this, args);
  }

  /**
   * The error function of each element.
   *
   * PyTorch: `torch.erf`, `Tensor.erf`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, 9]).erf() // [0, 1]
   */
  erf(): T;
  erf(...args: unknown[]): unknown {
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
   * @example
   * tensor([1.7]).floor() // [1]
   */
  floor(): T;
  floor(...args: unknown[]): unknown {
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
   * @example
   * tensor([1.2]).ceil() // [2]
   */
  ceil(): T;
  ceil(...args: unknown[]): unknown {
    return call(unary.ceil, this, args);
  }

  /**
   * Each element rounded to the nearest whole number, halves to the even one.
   *
   * PyTorch: `torch.round`, `Tensor.round`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0.5, 1.5]).round() // [0, 2]
   */
  round(): T;
  round(...args: unknown[]): unknown {
    return call(unary.round, this, args);
  }

  /**
   * Each element times itself.
   *
   * PyTorch: `torch.square`, `Tensor.square`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([3, -4]).square() // [9, 16]
   */
  square(): T;
  square(...args: unknown[]): unknown {
    return call(unary.square, this, args);
  }

  /**
   * 1 over each element.
   *
   * PyTorch: `torch.reciprocal`, `Tensor.reciprocal`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([4]).reciprocal() // [0.25]
   */
  reciprocal(): T;
  reciprocal(...args: unknown[]): unknown {
    return call(unary.reciprocal, this, args);
  }

  /**
   * The sum of the elements over dims.
   *
   * PyTorch: `torch.sum`, `Tensor.sum`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @param dtype - What the elements are converted to first.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; i64 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([[1, 2], [3, 4]]).sum(1) // [3, 7]
   */
  sum(
    dim?: number | readonly number[] | SumOptions | undefined,
    keepDim?: boolean | SumOptions | undefined,
    options?: SumOptions,
  ): T;
  sum(...args: unknown[]): unknown {
    return call(reductionRows.sum, this, args);
  }

  /**
   * The mean of the elements over dims.
   *
   * Differs from PyTorch: Whole numbers and booleans have a mean in f32; PyTorch raises an error unless `dtype` is
   * given.
   *
   * PyTorch: `torch.mean`, `Tensor.mean`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @param dtype - What the elements are converted to first.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([[1, 2], [3, 4]]).mean(0) // [2, 3]
   */
  mean(
    dim?: number | readonly number[] | MeanOptions | undefined,
    keepDim?: boolean | MeanOptions | undefined,
    options?: MeanOptions,
  ): T;
  mean(...args: unknown[]): unknown {
    return call(reductionRows.mean, this, args);
  }

  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @param correction - What is taken off the count of elements. Default: 1.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
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
   * @param unbiased - Take 1 off the count of elements.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).var() // 1
   */
  var(dim: number | readonly number[], unbiased: boolean, keepDim?: boolean | VarOptions2 | undefined): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
   * @param dim - The dim or dims to reduce.
   * @param unbiased - Take 1 off the count of elements.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).var() // 1
   */
  var(named: { readonly dim: number | readonly number[]; readonly unbiased: boolean } & VarOptions2): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
   * @param unbiased - Take 1 off the count of elements.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).var() // 1
   */
  var(unbiased: boolean): T;
  /**
   * The variance over dims.
   *
   * PyTorch: `torch.var`, `Tensor.var`.
   *
   * @param unbiased - Take 1 off the count of elements.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).var() // 1
   */
  var(named: { readonly unbiased: boolean }): T;
  var(...args: unknown[]): unknown {
    return call(reductionRows.var, this, args);
  }

  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @param correction - What is taken off the count of elements. Default: 1.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
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
   * @param unbiased - Take 1 off the count of elements.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).std() // 1
   */
  std(dim: number | readonly number[], unbiased: boolean, keepDim?: boolean | StdOptions2 | undefined): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
   * @param dim - The dim or dims to reduce.
   * @param unbiased - Take 1 off the count of elements.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).std() // 1
   */
  std(named: { readonly dim: number | readonly number[]; readonly unbiased: boolean } & StdOptions2): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
   * @param unbiased - Take 1 off the count of elements.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).std() // 1
   */
  std(unbiased: boolean): T;
  /**
   * The standard deviation over dims.
   *
   * PyTorch: `torch.std`, `Tensor.std`.
   *
   * @param unbiased - Take 1 off the count of elements.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
   * input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([1, 2, 3]).std() // 1
   */
  std(named: { readonly unbiased: boolean }): T;
  std(...args: unknown[]): unknown {
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
   * @example
   * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
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
   * @example
   * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
   */
  max(
    dim: number,
    keepDim?: boolean | MaxOptions | undefined,
  ): readonly [values: T, indices: T] & { readonly values: T; readonly indices: T };
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
   * @example
   * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
   */
  max(
    named: { readonly dim: number } & MaxOptions,
  ): readonly [values: T, indices: T] & { readonly values: T; readonly indices: T };
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
   * @example
   * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
   */
  max(other: T | Scalar): T;
  max(...args: unknown[]): unknown {
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
   * @example
   * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
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
   * @example
   * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
   */
  min(
    dim: number,
    keepDim?: boolean | MinOptions | undefined,
  ): readonly [values: T, indices: T] & { readonly values: T; readonly indices: T };
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
   * @example
   * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
   */
  min(
    named: { readonly dim: number } & MinOptions,
  ): readonly [values: T, indices: T] & { readonly values: T; readonly indices: T };
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
   * @example
   * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
   */
  min(other: T | Scalar): T;
  min(...args: unknown[]): unknown {
    return call(reductionRows.min, this, args);
  }

  /**
   * The largest element over dims, without its place.
   *
   * Elements that are equally extreme share the gradient.
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
   * @example
   * tensor([[1, 5], [7, 2]]).amax(1) // [5, 7]
   */
  amax(dim?: number | readonly number[] | AmaxOptions | undefined, keepDim?: boolean | AmaxOptions | undefined): T;
  amax(...args: unknown[]): unknown {
    return call(reductionRows.amax, this, args);
  }

  /**
   * The smallest element over dims, without its place.
   *
   * Elements that are equally extreme share the gradient.
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
   * @example
   * tensor([[1, 5], [7, 2]]).amin(1) // [1, 2]
   */
  amin(dim?: number | readonly number[] | AminOptions | undefined, keepDim?: boolean | AminOptions | undefined): T;
  amin(...args: unknown[]): unknown {
    return call(reductionRows.amin, this, args);
  }

  /**
   * The index of the first largest element.
   *
   * PyTorch: `torch.argmax`, `Tensor.argmax`.
   *
   * @param dim - The dim to reduce; the flattened tensor by default.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; i64
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @throws {EMPTY_REDUCTION}
   * @example
   * tensor([[1, 5], [7, 2]]).argmax(1) // [1, 0]
   */
  argmax(dim?: number | ArgmaxOptions | undefined, keepDim?: boolean | ArgmaxOptions | undefined): T;
  argmax(...args: unknown[]): unknown {
    return call(reductionRows.argmax, this, args);
  }

  /**
   * The index of the first smallest element.
   *
   * PyTorch: `torch.argmin`, `Tensor.argmin`.
   *
   * @param dim - The dim to reduce; the flattened tensor by default.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; i64
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @throws {EMPTY_REDUCTION}
   * @example
   * tensor([[1, 5], [7, 2]]).argmin(1) // [0, 1]
   */
  argmin(dim?: number | ArgminOptions | undefined, keepDim?: boolean | ArgminOptions | undefined): T;
  argmin(...args: unknown[]): unknown {
    return call(reductionRows.argmin, this, args);
  }

  /**
   * Whether all elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.all`, `Tensor.all`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([true, false]).all() // false
   */
  all(dim?: number | readonly number[] | AllOptions | undefined, keepDim?: boolean | AllOptions | undefined): T;
  all(...args: unknown[]): unknown {
    return call(reductionRows.all, this, args);
  }

  /**
   * Whether any element is true, which numbers other than 0 are.
   *
   * PyTorch: `torch.any`, `Tensor.any`.
   *
   * @param dim - The dim or dims to reduce; all of them by default.
   * @param keepDim - Keep the reduced dims, with size 1. Default: false.
   * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {BAD_DIM}
   * @example
   * tensor([true, false]).any() // true
   */
  any(dim?: number | readonly number[] | AnyOptions | undefined, keepDim?: boolean | AnyOptions | undefined): T;
  any(...args: unknown[]): unknown {
    return call(reductionRows.any, this, args);
  }

  /**
   * The sum of two tensors, or of a tensor and a number: input + alpha · other.
   *
   * PyTorch: `torch.add`, `Tensor.add`.
   *
   * @param other - The right operand.
   * @param alpha - What `other` is multiplied with first. Default: 1.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).add(tensor([10, 20])) // [11, 22]
   */
  add_(other: T | Scalar, options?: AddOptions): this;
  add_(...args: unknown[]): this {
    return callInPlace(arithmetic.add, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
   * @param other - The right operand.
   * @param alpha - What `other` is multiplied with first. Default: 1.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([5, 7]).sub(2) // [3, 5]
   */
  sub_(other: T | Scalar, options?: SubOptions): this;
  sub_(...args: unknown[]): this {
    return callInPlace(arithmetic.sub, this, args);
  }

  /**
   * The difference of two tensors, or of a tensor and a number: input − alpha · other.
   *
   * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
   *
   * @param other - The right operand.
   * @param alpha - What `other` is multiplied with first. Default: 1.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([5, 7]).sub(2) // [3, 5]
   */
  subtract_(other: T | Scalar, options?: SubOptions): this;
  subtract_(...args: unknown[]): this {
    return callInPlace(arithmetic.sub, this, args);
  }

  /**
   * The product of two tensors, element by element, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  mul_(other: T | Scalar): this;
  mul_(...args: unknown[]): this {
    return callInPlace(arithmetic.mul, this, args);
  }

  /**
   * The product of two tensors, element by element, or of a tensor and a number.
   *
   * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
   */
  multiply_(other: T | Scalar): this;
  multiply_(...args: unknown[]): this {
    return callInPlace(arithmetic.mul, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
   * @param other - The right operand.
   * @param roundingMode - How the quotient is rounded.
   * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
   */
  div_(other: T | Scalar, options?: DivOptions): this;
  div_(...args: unknown[]): this {
    return callInPlace(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
   * @param other - The right operand.
   * @param roundingMode - How the quotient is rounded.
   * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
   */
  divide_(other: T | Scalar, options?: DivOptions): this;
  divide_(...args: unknown[]): this {
    return callInPlace(arithmetic.div, this, args);
  }

  /**
   * The quotient of two tensors, or of a tensor and a number.
   *
   * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
   *
   * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
   *
   * @param other - The right operand.
   * @param roundingMode - How the quotient is rounded.
   * @returns the shape of the operands together; the promoted data type of the operands; f32 for whole numbers and
   * booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]
   */
  trueDivide_(other: T | Scalar, options?: DivOptions): this;
  trueDivide_(...args: unknown[]): this {
    return callInPlace(arithmetic.div, this, args);
  }

  /**
   * The quotient rounded towards minus infinity; whole numbers stay whole.
   *
   * PyTorch: `torch.floor_divide`, `Tensor.floor_divide`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-7, 7]).floorDivide(2) // [-4, 3]
   */
  floorDivide_(other: T | Scalar): this;
  floorDivide_(...args: unknown[]): this {
    return callInPlace(arithmetic.floorDivide, this, args);
  }

  /**
   * The remainder of the division, with the sign of the divisor.
   *
   * PyTorch: `torch.remainder`, `Tensor.remainder`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-7, 7]).remainder(3) // [2, 1]
   */
  remainder_(other: T | Scalar): this;
  remainder_(...args: unknown[]): this {
    return callInPlace(arithmetic.remainder, this, args);
  }

  /**
   * Each element to a power.
   *
   * PyTorch: `torch.pow`, `Tensor.pow`.
   *
   * @param exponent - The power.
   * @returns the shape of the operands together; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2, 3]).pow(2) // [1, 4, 9]
   */
  pow_(exponent: T | Scalar): this;
  pow_(...args: unknown[]): this {
    return callInPlace(arithmetic.pow, this, args);
  }

  /**
   * Each element, but not below `min` and not above `max`; one of the two may be left out.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
   * @param min - The lower bound.
   * @param max - The upper bound.
   * @returns the shape of the input, and of bounds that are tensors; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
   */
  clamp_(min?: T | Scalar | ClampOptions<T> | undefined, max?: T | Scalar | ClampOptions<T> | undefined): this;
  clamp_(...args: unknown[]): this {
    return callInPlace(arithmetic.clamp, this, args);
  }

  /**
   * Each element, but not below `min` and not above `max`; one of the two may be left out.
   *
   * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
   *
   * @param min - The lower bound.
   * @param max - The upper bound.
   * @returns the shape of the input, and of bounds that are tensors; the promoted data type of the operands
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
   */
  clip_(min?: T | Scalar | ClampOptions<T> | undefined, max?: T | Scalar | ClampOptions<T> | undefined): this;
  clip_(...args: unknown[]): this {
    return callInPlace(arithmetic.clamp, this, args);
  }

  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
   * @param mask - Where the value goes, of type i1.
   * @param value - The value.
   * @returns the shape of the input and the mask together; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * scores.maskedFill(mask, -Infinity)
   */
  maskedFill_(mask: T, value: Scalar): this;
  /**
   * The input with `value` where the mask is true.
   *
   * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
   *
   * @param mask - Where the value goes, of type i1.
   * @param value - The value.
   * @returns the shape of the input and the mask together; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * scores.maskedFill(mask, -Infinity)
   */
  maskedFill_(mask: T, named: { readonly value: Scalar }): this;
  maskedFill_(...args: unknown[]): this {
    return callInPlace(arithmetic.maskedFill, this, args);
  }

  /**
   * Where the left element is equal to the right one.
   *
   * PyTorch: `torch.eq`, `Tensor.eq`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).eq(2) // [false, true]
   */
  eq_(other: T | Scalar): this;
  eq_(...args: unknown[]): this {
    return callInPlace(comparisons.eq, this, args);
  }

  /**
   * Where the left element is other than the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  ne_(other: T | Scalar): this;
  ne_(...args: unknown[]): this {
    return callInPlace(comparisons.ne, this, args);
  }

  /**
   * Where the left element is other than the right one.
   *
   * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ne(2) // [true, false]
   */
  notEqual_(other: T | Scalar): this;
  notEqual_(...args: unknown[]): this {
    return callInPlace(comparisons.ne, this, args);
  }

  /**
   * Where the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  lt_(other: T | Scalar): this;
  lt_(...args: unknown[]): this {
    return callInPlace(comparisons.lt, this, args);
  }

  /**
   * Where the left element is less than the right one.
   *
   * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).lt(2) // [true, false]
   */
  less_(other: T | Scalar): this;
  less_(...args: unknown[]): this {
    return callInPlace(comparisons.lt, this, args);
  }

  /**
   * Where the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  le_(other: T | Scalar): this;
  le_(...args: unknown[]): this {
    return callInPlace(comparisons.le, this, args);
  }

  /**
   * Where the left element is less than or equal to the right one.
   *
   * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).le(1) // [true, false]
   */
  lessEqual_(other: T | Scalar): this;
  lessEqual_(...args: unknown[]): this {
    return callInPlace(comparisons.le, this, args);
  }

  /**
   * Where the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  gt_(other: T | Scalar): this;
  gt_(...args: unknown[]): this {
    return callInPlace(comparisons.gt, this, args);
  }

  /**
   * Where the left element is greater than the right one.
   *
   * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).gt(1) // [false, true]
   */
  greater_(other: T | Scalar): this;
  greater_(...args: unknown[]): this {
    return callInPlace(comparisons.gt, this, args);
  }

  /**
   * Where the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  ge_(other: T | Scalar): this;
  ge_(...args: unknown[]): this {
    return callInPlace(comparisons.ge, this, args);
  }

  /**
   * Where the left element is greater than or equal to the right one.
   *
   * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([1, 2]).ge(2) // [false, true]
   */
  greaterEqual_(other: T | Scalar): this;
  greaterEqual_(...args: unknown[]): this {
    return callInPlace(comparisons.ge, this, args);
  }

  /**
   * Where both elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.logical_and`, `Tensor.logical_and`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * x.gt(0).logicalAnd(x.lt(1))
   */
  logicalAnd_(other: T): this;
  logicalAnd_(...args: unknown[]): this {
    return callInPlace(comparisons.logicalAnd, this, args);
  }

  /**
   * Where one or both elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.logical_or`, `Tensor.logical_or`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * x.lt(0).logicalOr(x.gt(1))
   */
  logicalOr_(other: T): this;
  logicalOr_(...args: unknown[]): this {
    return callInPlace(comparisons.logicalOr, this, args);
  }

  /**
   * Where exactly one of the elements are true, which numbers other than 0 are.
   *
   * PyTorch: `torch.logical_xor`, `Tensor.logical_xor`.
   *
   * @param other - The right operand.
   * @returns the shape of the operands together; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * x.gt(0).logicalXor(y.gt(0))
   */
  logicalXor_(other: T): this;
  logicalXor_(...args: unknown[]): this {
    return callInPlace(comparisons.logicalXor, this, args);
  }

  /**
   * Where elements are false or 0.
   *
   * PyTorch: `torch.logical_not`, `Tensor.logical_not`.
   *
   * @returns the shape of the input; i1
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @example
   * tensor([true, false]).logicalNot() // [false, true]
   */
  logicalNot_(): this;
  logicalNot_(...args: unknown[]): this {
    return callInPlace(comparisons.logicalNot, this, args);
  }

  /**
   * Minus each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  neg_(): this;
  neg_(...args: unknown[]): this {
    return callInPlace(unary.neg, this, args);
  }

  /**
   * Minus each element.
   *
   * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1, -2]).neg() // [-1, 2]
   */
  negative_(): this;
  negative_(...args: unknown[]): this {
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
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  abs_(): this;
  abs_(...args: unknown[]): this {
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
   * @example
   * tensor([1, -2]).abs() // [1, 2]
   */
  absolute_(): this;
  absolute_(...args: unknown[]): this {
    return callInPlace(unary.abs, this, args);
  }

  /**
   * 1, 0 or −1: the sign of each element.
   *
   * Differs from PyTorch: The sign of NaN is NaN, not 0, so that errors are not hidden.
   *
   * PyTorch: `torch.sign`, `Tensor.sign`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([3, 0, -2]).sign() // [1, 0, -1]
   */
  sign_(): this;
  sign_(...args: unknown[]): this {
    return callInPlace(unary.sign, this, args);
  }

  /**
   * e to the power of each element.
   *
   * PyTorch: `torch.exp`, `Tensor.exp`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, 1]).exp() // [1, 2.718…]
   */
  exp_(): this;
  exp_(...args: unknown[]): this {
    return callInPlace(unary.exp, this, args);
  }

  /**
   * exp(x) − 1, exact for small x.
   *
   * PyTorch: `torch.expm1`, `Tensor.expm1`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1e-6]).expm1() // [1e-6]
   */
  expm1_(): this;
  expm1_(...args: unknown[]): this {
    return callInPlace(unary.expm1, this, args);
  }

  /**
   * The natural logarithm of each element.
   *
   * PyTorch: `torch.log`, `Tensor.log`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1, Math.E]).log() // [0, 1]
   */
  log_(): this;
  log_(...args: unknown[]): this {
    return callInPlace(unary.log, this, args);
  }

  /**
   * log(1 + x), exact for small x.
   *
   * PyTorch: `torch.log1p`, `Tensor.log1p`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([1e-6]).log1p() // [1e-6]
   */
  log1p_(): this;
  log1p_(...args: unknown[]): this {
    return callInPlace(unary.log1p, this, args);
  }

  /**
   * The square root of each element.
   *
   * PyTorch: `torch.sqrt`, `Tensor.sqrt`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([4, 9]).sqrt() // [2, 3]
   */
  sqrt_(): this;
  sqrt_(...args: unknown[]): this {
    return callInPlace(unary.sqrt, this, args);
  }

  /**
   * 1 over the square root of each element.
   *
   * PyTorch: `torch.rsqrt`, `Tensor.rsqrt`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([4]).rsqrt() // [0.5]
   */
  rsqrt_(): this;
  rsqrt_(...args: unknown[]): this {
    return callInPlace(unary.rsqrt, this, args);
  }

  /**
   * The sine of each element, in radians.
   *
   * PyTorch: `torch.sin`, `Tensor.sin`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, Math.PI / 2]).sin() // [0, 1]
   */
  sin_(): this;
  sin_(...args: unknown[]): this {
    return callInPlace(unary.sin, this, args);
  }

  /**
   * The cosine of each element, in radians.
   *
   * PyTorch: `torch.cos`, `Tensor.cos`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0]).cos() // [1]
   */
  cos_(): this;
  cos_(...args: unknown[]): this {
    return callInPlace(unary.cos, this, args);
  }

  /**
   * The hyperbolic tangent of each element.
   *
   * PyTorch: `torch.tanh`, `Tensor.tanh`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, 20]).tanh() // [0, 1]
   */
  tanh_(): this;
  tanh_(...args: unknown[]): this {
    return callInPlace(unary.tanh, this, args);
  }

  /**
   * 1 / (1 + exp(−x)).
   *
   * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0]).sigmoid() // [0.5]
   */
  sigmoid_(): this;
  sigmoid_(...args: unknown[]): this {
    return callInPlace(unary.sigmoid, this, args);
  }

  /**
   * The error function of each element.
   *
   * PyTorch: `torch.erf`, `Tensor.erf`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0, 9]).erf() // [0, 1]
   */
  erf_(): this;
  erf_(...args: unknown[]): this {
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
   * @example
   * tensor([1.7]).floor() // [1]
   */
  floor_(): this;
  floor_(...args: unknown[]): this {
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
   * @example
   * tensor([1.2]).ceil() // [2]
   */
  ceil_(): this;
  ceil_(...args: unknown[]): this {
    return callInPlace(unary.ceil, this, args);
  }

  /**
   * Each element rounded to the nearest whole number, halves to the even one.
   *
   * PyTorch: `torch.round`, `Tensor.round`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([0.5, 1.5]).round() // [0, 2]
   */
  round_(): this;
  round_(...args: unknown[]): this {
    return callInPlace(unary.round, this, args);
  }

  /**
   * Each element times itself.
   *
   * PyTorch: `torch.square`, `Tensor.square`.
   *
   * @returns the shape of the input; the data type of the input
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([3, -4]).square() // [9, 16]
   */
  square_(): this;
  square_(...args: unknown[]): this {
    return callInPlace(unary.square, this, args);
  }

  /**
   * 1 over each element.
   *
   * PyTorch: `torch.reciprocal`, `Tensor.reciprocal`.
   *
   * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   * @example
   * tensor([4]).reciprocal() // [0.25]
   */
  reciprocal_(): this;
  reciprocal_(...args: unknown[]): this {
    return callInPlace(unary.reciprocal, this, args);
  }
}
