// PyTorch's functions that query tensors, data types and shapes without computing anything.
import { numberKind, sameShape } from '../../hlo/types.ts';
import { checkTensors, wrongArgument } from '../check-arguments.ts';
import { userLocation } from '../location.ts';
import { type Scalar, typeTogether } from '../lower/elementwise.ts';
import * as shapes from '../lower/shapes.ts';
import { Tensor } from '../tensor.ts';
import { type DType, type DTypeName, dtypeName, elementTypeOf, promote } from '../types/dtype.ts';

/**
 * The number of elements. PyTorch: `torch.numel`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * numel(tensor([[1, 2], [3, 4]])) // 4
 */
export function numel(input: Tensor): number {
  checkTensors('numel', { input });
  return input.numel();
}
/**
 * Whether the data type is a floating-point one. PyTorch: `torch.is_floating_point`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * isFloatingPoint(tensor([1, 2])) // true
 */
export function isFloatingPoint(input: Tensor): boolean {
  checkTensors('isFloatingPoint', { input });
  return input.isFloatingPoint();
}
/**
 * Whether the elements are complex numbers. PyTorch: `torch.is_complex`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * isComplex(tensor([1, 2])) // false
 */
export function isComplex(input: Tensor): boolean {
  checkTensors('isComplex', { input });
  return input.isComplex();
}
/**
 * Whether the data type has negative numbers. PyTorch: `torch.is_signed`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * isSigned(tensor([1, 2])) // true
 */
export function isSigned(input: Tensor): boolean {
  checkTensors('isSigned', { input });
  return !['boolean', 'unsigned'].includes(numberKind(input.type.elementType));
}
/**
 * Whether the only element is not 0; reads it. PyTorch: `torch.is_nonzero`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * isNonzero(tensor([3])) // true
 */
export function isNonzero(input: Tensor): boolean {
  checkTensors('isNonzero', { input });
  if (input.numel() !== 1)
    throw wrongArgument({ call: 'isNonzero', argument: 'input' }, input, 'a tensor of one element');
  return Boolean(input.bool().item());
}
/**
 * Whether two tensors have the same shape. PyTorch: `torch.is_same_size`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * isSameSize(tensor([1, 2]), tensor([3, 4])) // true
 */
export function isSameSize(input: Tensor, other: Tensor): boolean {
  checkTensors('isSameSize', { input, other });
  return sameShape(input.shape, other.shape);
}
/**
 * The data type of the result of an operation on tensors of two data types. PyTorch: `torch.promote_types`.
 * @throws {UNKNOWN_DTYPE}
 * @example
 * promoteTypes('int64', 'bfloat16') // 'bfloat16'
 */
export const promoteTypes = (type1: DType, type2: DType): DTypeName =>
  dtypeName(promote(elementTypeOf(type1), elementTypeOf(type2)));
/**
 * The data type of the result of an operation on two operands: numbers and tensors without dims count less than tensors with
 * dims. PyTorch: `torch.result_type`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * resultType(tensor([1, 2], { dtype: 'int32' }), 1.5) // 'float32'
 */
export function resultType(tensor1: Tensor | Scalar, tensor2: Tensor | Scalar): DTypeName {
  const of = (argument: string, x: unknown) => {
    if (x instanceof Tensor) return x.type;
    if (typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean') return x;
    throw wrongArgument({ call: 'resultType', argument }, x, 'a tensor or a number');
  };
  return dtypeName(typeTogether(of('tensor1', tensor1), of('tensor2', tensor2)));
}
/**
 * Whether numbers of a data type may become those of another one by assignment: to a kind that is not lower. PyTorch:
 * `torch.can_cast`.
 * @throws {UNKNOWN_DTYPE}
 * @example
 * canCast('float64', 'float16') // true
 * canCast('float32', 'int64') // false
 */
export function canCast(from: DType, to: DType): boolean {
  const order = { boolean: 0, unsigned: 1, signed: 1, float: 2, complex: 3 } as const;
  return order[numberKind(elementTypeOf(from))] <= order[numberKind(elementTypeOf(to))];
}
/**
 * The shape of tensors of these shapes together, by the rules of broadcasting. PyTorch: `torch.broadcast_shapes`.
 * @throws {SHAPE_MISMATCH}
 * @example
 * broadcastShapes([2, 1], [3]) // [2, 3]
 */
export const broadcastShapes = (...given: readonly (readonly number[])[]): readonly number[] =>
  given.reduce<readonly number[]>(
    (all, shape) => shapes.broadcastShapes({ location: userLocation() }, 'broadcastShapes', all, shape),
    [],
  );
