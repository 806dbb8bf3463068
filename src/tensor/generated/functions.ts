// The free functions that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call } from '../surface/call.ts';
import { arithmetic } from '../surface/rows/arithmetic.ts';
import { comparisons } from '../surface/rows/comparison.ts';
import { reductionRows } from '../surface/rows/reductions.ts';
import { unary } from '../surface/rows/unary.ts';
import type { Tensor } from '../tensor.ts';
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

/**
 * The sum of two tensors, or of a tensor and a number: input + alpha · other.
 *
 * PyTorch: `torch.add`, `Tensor.add`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param alpha - What `other` is multiplied with first. Default: 1.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).add(tensor([10, 20])) // [11, 22]
 */
export function add(input: Tensor | Scalar, other: Tensor | Scalar, options?: AddOptions): Tensor;
export function add(...args: unknown[]): unknown {
  return call(arithmetic.add, undefined, args);
}

/**
 * The difference of two tensors, or of a tensor and a number: input − alpha · other.
 *
 * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param alpha - What `other` is multiplied with first. Default: 1.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([5, 7]).sub(2) // [3, 5]
 */
export function sub(input: Tensor | Scalar, other: Tensor | Scalar, options?: SubOptions): Tensor;
export function sub(...args: unknown[]): unknown {
  return call(arithmetic.sub, undefined, args);
}

/**
 * The difference of two tensors, or of a tensor and a number: input − alpha · other.
 *
 * PyTorch: `torch.sub`, `Tensor.sub`, `torch.subtract`, `Tensor.subtract`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @param alpha - What `other` is multiplied with first. Default: 1.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([5, 7]).sub(2) // [3, 5]
 */
export function subtract(input: Tensor | Scalar, other: Tensor | Scalar, options?: SubOptions): Tensor;
export function subtract(...args: unknown[]): unknown {
  return call(arithmetic.sub, undefined, args);
}

/**
 * The product of two tensors, element by element, or of a tensor and a number.
 *
 * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
 */
export function mul(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function mul(...args: unknown[]): unknown {
  return call(arithmetic.mul, undefined, args);
}

/**
 * The product of two tensors, element by element, or of a tensor and a number.
 *
 * PyTorch: `torch.mul`, `Tensor.mul`, `torch.multiply`, `Tensor.multiply`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2, 3]).mul(2) // [2, 4, 6]
 */
export function multiply(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function multiply(...args: unknown[]): unknown {
  return call(arithmetic.mul, undefined, args);
}

/**
 * The quotient of two tensors, or of a tensor and a number.
 *
 * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
 *
 * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
 *
 * @param input - The left operand.
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
export function div(input: Tensor | Scalar, other: Tensor | Scalar, options?: DivOptions): Tensor;
export function div(...args: unknown[]): unknown {
  return call(arithmetic.div, undefined, args);
}

/**
 * The quotient of two tensors, or of a tensor and a number.
 *
 * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
 *
 * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
 *
 * @param input - The left operand.
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
export function divide(input: Tensor | Scalar, other: Tensor | Scalar, options?: DivOptions): Tensor;
export function divide(...args: unknown[]): unknown {
  return call(arithmetic.div, undefined, args);
}

/**
 * The quotient of two tensors, or of a tensor and a number.
 *
 * With `roundingMode`, whole numbers stay whole: 'trunc' rounds towards zero, 'floor' towards minus infinity.
 *
 * PyTorch: `torch.div`, `Tensor.div`, `torch.divide`, `Tensor.divide`, `torch.true_divide`, `Tensor.true_divide`.
 *
 * @param input - The left operand.
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
export function trueDivide(input: Tensor | Scalar, other: Tensor | Scalar, options?: DivOptions): Tensor;
export function trueDivide(...args: unknown[]): unknown {
  return call(arithmetic.div, undefined, args);
}

/**
 * The quotient rounded towards minus infinity; whole numbers stay whole.
 *
 * PyTorch: `torch.floor_divide`, `Tensor.floor_divide`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([-7, 7]).floorDivide(2) // [-4, 3]
 */
export function floorDivide(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function floorDivide(...args: unknown[]): unknown {
  return call(arithmetic.floorDivide, undefined, args);
}

/**
 * The remainder of the division, with the sign of the divisor.
 *
 * PyTorch: `torch.remainder`, `Tensor.remainder`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([-7, 7]).remainder(3) // [2, 1]
 */
export function remainder(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function remainder(...args: unknown[]): unknown {
  return call(arithmetic.remainder, undefined, args);
}

/**
 * Each element to a power.
 *
 * PyTorch: `torch.pow`, `Tensor.pow`.
 *
 * @param input - The left operand.
 * @param exponent - The power.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2, 3]).pow(2) // [1, 4, 9]
 */
export function pow(input: Tensor | Scalar, exponent: Tensor | Scalar): Tensor;
export function pow(...args: unknown[]): unknown {
  return call(arithmetic.pow, undefined, args);
}

/**
 * The larger of two elements; NaN where one is NaN.
 *
 * Differs from PyTorch: Numbers are accepted as operands; PyTorch wants tensors, which is stricter than its own
 * arithmetic.
 *
 * PyTorch: `torch.maximum`, `Tensor.maximum`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 5]).maximum(tensor([3, 2])) // [3, 5]
 */
export function maximum(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function maximum(...args: unknown[]): unknown {
  return call(arithmetic.maximum, undefined, args);
}

/**
 * The smaller of two elements; NaN where one is NaN.
 *
 * Differs from PyTorch: Numbers are accepted as operands; PyTorch wants tensors, which is stricter than its own
 * arithmetic.
 *
 * PyTorch: `torch.minimum`, `Tensor.minimum`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 5]).minimum(tensor([3, 2])) // [1, 2]
 */
export function minimum(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function minimum(...args: unknown[]): unknown {
  return call(arithmetic.minimum, undefined, args);
}

/**
 * Each element, but not below `min` and not above `max`; one of the two may be left out.
 *
 * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
 *
 * @param input - The tensor.
 * @param min - The lower bound.
 * @param max - The upper bound.
 * @returns the shape of the input, and of bounds that are tensors; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
 */
export function clamp(
  input: Tensor,
  min?: Tensor | Scalar | ClampOptions<Tensor> | undefined,
  max?: Tensor | Scalar | ClampOptions<Tensor> | undefined,
): Tensor;
export function clamp(...args: unknown[]): unknown {
  return call(arithmetic.clamp, undefined, args);
}

/**
 * Each element, but not below `min` and not above `max`; one of the two may be left out.
 *
 * PyTorch: `torch.clamp`, `Tensor.clamp`, `torch.clip`, `Tensor.clip`.
 *
 * @param input - The tensor.
 * @param min - The lower bound.
 * @param max - The upper bound.
 * @returns the shape of the input, and of bounds that are tensors; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]
 */
export function clip(
  input: Tensor,
  min?: Tensor | Scalar | ClampOptions<Tensor> | undefined,
  max?: Tensor | Scalar | ClampOptions<Tensor> | undefined,
): Tensor;
export function clip(...args: unknown[]): unknown {
  return call(arithmetic.clamp, undefined, args);
}

/**
 * The elements of `input` where the condition holds, those of `other` elsewhere.
 *
 * PyTorch: `torch.where`, `Tensor.where`.
 *
 * @param condition - Where `input` is taken.
 * @param input - The elements where the condition holds.
 * @param other - The elements elsewhere.
 * @returns the shape of all three together; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * where(x.gt(0), x, 0) // as relu
 */
export function where(condition: Tensor, input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function where(...args: unknown[]): unknown {
  return call(arithmetic.where, undefined, args);
}

/**
 * The input with `value` where the mask is true.
 *
 * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
 *
 * @param input - The tensor.
 * @param mask - Where the value goes, of type i1.
 * @param value - The value.
 * @returns the shape of the input and the mask together; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * scores.maskedFill(mask, -Infinity)
 */
export function maskedFill(input: Tensor, mask: Tensor, value: Scalar): Tensor;
/**
 * The input with `value` where the mask is true.
 *
 * PyTorch: `Tensor.masked_fill`, `torch.masked_fill`.
 *
 * @param input - The tensor.
 * @param mask - Where the value goes, of type i1.
 * @param value - The value.
 * @returns the shape of the input and the mask together; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * scores.maskedFill(mask, -Infinity)
 */
export function maskedFill(input: Tensor, mask: Tensor, named: { readonly value: Scalar }): Tensor;
export function maskedFill(...args: unknown[]): unknown {
  return call(arithmetic.maskedFill, undefined, args);
}

/**
 * Where the left element is equal to the right one.
 *
 * PyTorch: `torch.eq`, `Tensor.eq`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).eq(2) // [false, true]
 */
export function eq(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function eq(...args: unknown[]): unknown {
  return call(comparisons.eq, undefined, args);
}

/**
 * Where the left element is other than the right one.
 *
 * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).ne(2) // [true, false]
 */
export function ne(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function ne(...args: unknown[]): unknown {
  return call(comparisons.ne, undefined, args);
}

/**
 * Where the left element is other than the right one.
 *
 * PyTorch: `torch.ne`, `Tensor.ne`, `torch.not_equal`, `Tensor.not_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).ne(2) // [true, false]
 */
export function notEqual(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function notEqual(...args: unknown[]): unknown {
  return call(comparisons.ne, undefined, args);
}

/**
 * Where the left element is less than the right one.
 *
 * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).lt(2) // [true, false]
 */
export function lt(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function lt(...args: unknown[]): unknown {
  return call(comparisons.lt, undefined, args);
}

/**
 * Where the left element is less than the right one.
 *
 * PyTorch: `torch.lt`, `Tensor.lt`, `torch.less`, `Tensor.less`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).lt(2) // [true, false]
 */
export function less(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function less(...args: unknown[]): unknown {
  return call(comparisons.lt, undefined, args);
}

/**
 * Where the left element is less than or equal to the right one.
 *
 * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).le(1) // [true, false]
 */
export function le(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function le(...args: unknown[]): unknown {
  return call(comparisons.le, undefined, args);
}

/**
 * Where the left element is less than or equal to the right one.
 *
 * PyTorch: `torch.le`, `Tensor.le`, `torch.less_equal`, `Tensor.less_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).le(1) // [true, false]
 */
export function lessEqual(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function lessEqual(...args: unknown[]): unknown {
  return call(comparisons.le, undefined, args);
}

/**
 * Where the left element is greater than the right one.
 *
 * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).gt(1) // [false, true]
 */
export function gt(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function gt(...args: unknown[]): unknown {
  return call(comparisons.gt, undefined, args);
}

/**
 * Where the left element is greater than the right one.
 *
 * PyTorch: `torch.gt`, `Tensor.gt`, `torch.greater`, `Tensor.greater`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).gt(1) // [false, true]
 */
export function greater(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function greater(...args: unknown[]): unknown {
  return call(comparisons.gt, undefined, args);
}

/**
 * Where the left element is greater than or equal to the right one.
 *
 * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).ge(2) // [false, true]
 */
export function ge(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function ge(...args: unknown[]): unknown {
  return call(comparisons.ge, undefined, args);
}

/**
 * Where the left element is greater than or equal to the right one.
 *
 * PyTorch: `torch.ge`, `Tensor.ge`, `torch.greater_equal`, `Tensor.greater_equal`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([1, 2]).ge(2) // [false, true]
 */
export function greaterEqual(input: Tensor | Scalar, other: Tensor | Scalar): Tensor;
export function greaterEqual(...args: unknown[]): unknown {
  return call(comparisons.ge, undefined, args);
}

/**
 * Where both elements are true, which numbers other than 0 are.
 *
 * PyTorch: `torch.logical_and`, `Tensor.logical_and`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * x.gt(0).logicalAnd(x.lt(1))
 */
export function logicalAnd(input: Tensor, other: Tensor): Tensor;
export function logicalAnd(...args: unknown[]): unknown {
  return call(comparisons.logicalAnd, undefined, args);
}

/**
 * Where one or both elements are true, which numbers other than 0 are.
 *
 * PyTorch: `torch.logical_or`, `Tensor.logical_or`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * x.lt(0).logicalOr(x.gt(1))
 */
export function logicalOr(input: Tensor, other: Tensor): Tensor;
export function logicalOr(...args: unknown[]): unknown {
  return call(comparisons.logicalOr, undefined, args);
}

/**
 * Where exactly one of the elements are true, which numbers other than 0 are.
 *
 * PyTorch: `torch.logical_xor`, `Tensor.logical_xor`.
 *
 * @param input - The left operand.
 * @param other - The right operand.
 * @returns the shape of the operands together; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * x.gt(0).logicalXor(y.gt(0))
 */
export function logicalXor(input: Tensor, other: Tensor): Tensor;
export function logicalXor(...args: unknown[]): unknown {
  return call(comparisons.logicalXor, undefined, args);
}

/**
 * Where elements are false or 0.
 *
 * PyTorch: `torch.logical_not`, `Tensor.logical_not`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @example
 * tensor([true, false]).logicalNot() // [false, true]
 */
export function logicalNot(input: Tensor): Tensor;
export function logicalNot(...args: unknown[]): unknown {
  return call(comparisons.logicalNot, undefined, args);
}

/**
 * Minus each element.
 *
 * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([1, -2]).neg() // [-1, 2]
 */
export function neg(input: Tensor): Tensor;
export function neg(...args: unknown[]): unknown {
  return call(unary.neg, undefined, args);
}

/**
 * Minus each element.
 *
 * PyTorch: `torch.neg`, `Tensor.neg`, `torch.negative`, `Tensor.negative`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([1, -2]).neg() // [-1, 2]
 */
export function negative(input: Tensor): Tensor;
export function negative(...args: unknown[]): unknown {
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
 * @example
 * tensor([1, -2]).abs() // [1, 2]
 */
export function abs(input: Tensor): Tensor;
export function abs(...args: unknown[]): unknown {
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
 * @example
 * tensor([1, -2]).abs() // [1, 2]
 */
export function absolute(input: Tensor): Tensor;
export function absolute(...args: unknown[]): unknown {
  return call(unary.abs, undefined, args);
}

/**
 * 1, 0 or −1: the sign of each element.
 *
 * Differs from PyTorch: The sign of NaN is NaN, not 0, so that errors are not hidden.
 *
 * PyTorch: `torch.sign`, `Tensor.sign`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([3, 0, -2]).sign() // [1, 0, -1]
 */
export function sign(input: Tensor): Tensor;
export function sign(...args: unknown[]): unknown {
  return call(unary.sign, undefined, args);
}

/**
 * e to the power of each element.
 *
 * PyTorch: `torch.exp`, `Tensor.exp`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0, 1]).exp() // [1, 2.718…]
 */
export function exp(input: Tensor): Tensor;
export function exp(...args: unknown[]): unknown {
  return call(unary.exp, undefined, args);
}

/**
 * exp(x) − 1, exact for small x.
 *
 * PyTorch: `torch.expm1`, `Tensor.expm1`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([1e-6]).expm1() // [1e-6]
 */
export function expm1(input: Tensor): Tensor;
export function expm1(...args: unknown[]): unknown {
  return call(unary.expm1, undefined, args);
}

/**
 * The natural logarithm of each element.
 *
 * PyTorch: `torch.log`, `Tensor.log`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([1, Math.E]).log() // [0, 1]
 */
export function log(input: Tensor): Tensor;
export function log(...args: unknown[]): unknown {
  return call(unary.log, undefined, args);
}

/**
 * log(1 + x), exact for small x.
 *
 * PyTorch: `torch.log1p`, `Tensor.log1p`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([1e-6]).log1p() // [1e-6]
 */
export function log1p(input: Tensor): Tensor;
export function log1p(...args: unknown[]): unknown {
  return call(unary.log1p, undefined, args);
}

/**
 * The square root of each element.
 *
 * PyTorch: `torch.sqrt`, `Tensor.sqrt`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([4, 9]).sqrt() // [2, 3]
 */
export function sqrt(input: Tensor): Tensor;
export function sqrt(...args: unknown[]): unknown {
  return call(unary.sqrt, undefined, args);
}

/**
 * 1 over the square root of each element.
 *
 * PyTorch: `torch.rsqrt`, `Tensor.rsqrt`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([4]).rsqrt() // [0.5]
 */
export function rsqrt(input: Tensor): Tensor;
export function rsqrt(...args: unknown[]): unknown {
  return call(unary.rsqrt, undefined, args);
}

/**
 * The sine of each element, in radians.
 *
 * PyTorch: `torch.sin`, `Tensor.sin`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0, Math.PI / 2]).sin() // [0, 1]
 */
export function sin(input: Tensor): Tensor;
export function sin(...args: unknown[]): unknown {
  return call(unary.sin, undefined, args);
}

/**
 * The cosine of each element, in radians.
 *
 * PyTorch: `torch.cos`, `Tensor.cos`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0]).cos() // [1]
 */
export function cos(input: Tensor): Tensor;
export function cos(...args: unknown[]): unknown {
  return call(unary.cos, undefined, args);
}

/**
 * The hyperbolic tangent of each element.
 *
 * PyTorch: `torch.tanh`, `Tensor.tanh`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0, 20]).tanh() // [0, 1]
 */
export function tanh(input: Tensor): Tensor;
export function tanh(...args: unknown[]): unknown {
  return call(unary.tanh, undefined, args);
}

/**
 * 1 / (1 + exp(−x)).
 *
 * PyTorch: `torch.sigmoid`, `Tensor.sigmoid`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0]).sigmoid() // [0.5]
 */
export function sigmoid(input: Tensor): Tensor;
export function sigmoid(...args: unknown[]): unknown {
  return call(unary.sigmoid, undefined, args);
}

/**
 * The error function of each element.
 *
 * PyTorch: `torch.erf`, `Tensor.erf`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0, 9]).erf() // [0, 1]
 */
export function erf(input: Tensor): Tensor;
export function erf(...args: unknown[]): unknown {
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
 * @example
 * tensor([1.7]).floor() // [1]
 */
export function floor(input: Tensor): Tensor;
export function floor(...args: unknown[]): unknown {
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
 * @example
 * tensor([1.2]).ceil() // [2]
 */
export function ceil(input: Tensor): Tensor;
export function ceil(...args: unknown[]): unknown {
  return call(unary.ceil, undefined, args);
}

/**
 * Each element rounded to the nearest whole number, halves to the even one.
 *
 * PyTorch: `torch.round`, `Tensor.round`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([0.5, 1.5]).round() // [0, 2]
 */
export function round(input: Tensor): Tensor;
export function round(...args: unknown[]): unknown {
  return call(unary.round, undefined, args);
}

/**
 * Each element times itself.
 *
 * PyTorch: `torch.square`, `Tensor.square`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([3, -4]).square() // [9, 16]
 */
export function square(input: Tensor): Tensor;
export function square(...args: unknown[]): unknown {
  return call(unary.square, undefined, args);
}

/**
 * 1 over each element.
 *
 * PyTorch: `torch.reciprocal`, `Tensor.reciprocal`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * tensor([4]).reciprocal() // [0.25]
 */
export function reciprocal(input: Tensor): Tensor;
export function reciprocal(...args: unknown[]): unknown {
  return call(unary.reciprocal, undefined, args);
}

/**
 * The sum of the elements over dims.
 *
 * PyTorch: `torch.sum`, `Tensor.sum`.
 *
 * @param input - The tensor.
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
export function sum(
  input: Tensor,
  dim?: number | readonly number[] | SumOptions | undefined,
  keepDim?: boolean | SumOptions | undefined,
  options?: SumOptions,
): Tensor;
export function sum(...args: unknown[]): unknown {
  return call(reductionRows.sum, undefined, args);
}

/**
 * The mean of the elements over dims.
 *
 * Differs from PyTorch: Whole numbers and booleans have a mean in f32; PyTorch raises an error unless `dtype` is
 * given.
 *
 * PyTorch: `torch.mean`, `Tensor.mean`.
 *
 * @param input - The tensor.
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
export function mean(
  input: Tensor,
  dim?: number | readonly number[] | MeanOptions | undefined,
  keepDim?: boolean | MeanOptions | undefined,
  options?: MeanOptions,
): Tensor;
export function mean(...args: unknown[]): unknown {
  return call(reductionRows.mean, undefined, args);
}

/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
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
function var_(input: Tensor, dim?: number | readonly number[] | VarOptions | undefined, options?: VarOptions): Tensor;
/**
 * The variance over dims.
 *
 * PyTorch: `torch.var`, `Tensor.var`.
 *
 * @param input - The tensor.
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
 * @param unbiased - Take 1 off the count of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
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
 * @param unbiased - Take 1 off the count of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * tensor([1, 2, 3]).var() // 1
 */
function var_(input: Tensor, named: { readonly unbiased: boolean }): Tensor;
function var_(...args: unknown[]): unknown {
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
 * @param unbiased - Take 1 off the count of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
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
 * @param unbiased - Take 1 off the count of elements.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; the data type of the
 * input; f32 for whole numbers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * tensor([1, 2, 3]).std() // 1
 */
export function std(input: Tensor, named: { readonly unbiased: boolean }): Tensor;
export function std(...args: unknown[]): unknown {
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
 * @example
 * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
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
 * @example
 * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
 */
export function max(
  input: Tensor,
  dim: number,
  keepDim?: boolean | MaxOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & { readonly values: Tensor; readonly indices: Tensor };
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
 * @example
 * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
 */
export function max(
  input: Tensor,
  named: { readonly dim: number } & MaxOptions,
): readonly [values: Tensor, indices: Tensor] & { readonly values: Tensor; readonly indices: Tensor };
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
 * @example
 * const { values, indices } = x.max(1) // or: const [values, indices] = x.max(1)
 */
export function max(input: Tensor, other: Tensor | Scalar): Tensor;
export function max(...args: unknown[]): unknown {
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
 * @example
 * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
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
 * @example
 * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
 */
export function min(
  input: Tensor,
  dim: number,
  keepDim?: boolean | MinOptions | undefined,
): readonly [values: Tensor, indices: Tensor] & { readonly values: Tensor; readonly indices: Tensor };
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
 * @example
 * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
 */
export function min(
  input: Tensor,
  named: { readonly dim: number } & MinOptions,
): readonly [values: Tensor, indices: Tensor] & { readonly values: Tensor; readonly indices: Tensor };
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
 * @example
 * const { values, indices } = x.min(1) // or: const [values, indices] = x.min(1)
 */
export function min(input: Tensor, other: Tensor | Scalar): Tensor;
export function min(...args: unknown[]): unknown {
  return call(reductionRows.min, undefined, args);
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
 * @param input - The tensor.
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
export function amax(
  input: Tensor,
  dim?: number | readonly number[] | AmaxOptions | undefined,
  keepDim?: boolean | AmaxOptions | undefined,
): Tensor;
export function amax(...args: unknown[]): unknown {
  return call(reductionRows.amax, undefined, args);
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
 * @param input - The tensor.
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
export function amin(
  input: Tensor,
  dim?: number | readonly number[] | AminOptions | undefined,
  keepDim?: boolean | AminOptions | undefined,
): Tensor;
export function amin(...args: unknown[]): unknown {
  return call(reductionRows.amin, undefined, args);
}

/**
 * The index of the first largest element.
 *
 * PyTorch: `torch.argmax`, `Tensor.argmax`.
 *
 * @param input - The tensor.
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
export function argmax(
  input: Tensor,
  dim?: number | ArgmaxOptions | undefined,
  keepDim?: boolean | ArgmaxOptions | undefined,
): Tensor;
export function argmax(...args: unknown[]): unknown {
  return call(reductionRows.argmax, undefined, args);
}

/**
 * The index of the first smallest element.
 *
 * PyTorch: `torch.argmin`, `Tensor.argmin`.
 *
 * @param input - The tensor.
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
export function argmin(
  input: Tensor,
  dim?: number | ArgminOptions | undefined,
  keepDim?: boolean | ArgminOptions | undefined,
): Tensor;
export function argmin(...args: unknown[]): unknown {
  return call(reductionRows.argmin, undefined, args);
}

/**
 * Whether all elements are true, which numbers other than 0 are.
 *
 * PyTorch: `torch.all`, `Tensor.all`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * tensor([true, false]).all() // false
 */
export function all(
  input: Tensor,
  dim?: number | readonly number[] | AllOptions | undefined,
  keepDim?: boolean | AllOptions | undefined,
): Tensor;
export function all(...args: unknown[]): unknown {
  return call(reductionRows.all, undefined, args);
}

/**
 * Whether any element is true, which numbers other than 0 are.
 *
 * PyTorch: `torch.any`, `Tensor.any`.
 *
 * @param input - The tensor.
 * @param dim - The dim or dims to reduce; all of them by default.
 * @param keepDim - Keep the reduced dims, with size 1. Default: false.
 * @returns the shape of the input without the reduced dims, which have size 1 with `keepDim`; i1
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @example
 * tensor([true, false]).any() // true
 */
export function any(
  input: Tensor,
  dim?: number | readonly number[] | AnyOptions | undefined,
  keepDim?: boolean | AnyOptions | undefined,
): Tensor;
export function any(...args: unknown[]): unknown {
  return call(reductionRows.any, undefined, args);
}
