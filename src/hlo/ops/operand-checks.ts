// Checks of operands beyond their shapes, shared by rows: the element types that an op accepts, and operand values if the
// program defines them as constants.
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import type { OpName } from '../attributes.ts';
import type { Value } from '../program.ts';
import { dynamicDim, formatType, type NumberKind, numberKind, type TensorType, type Type } from '../types.ts';
import { type Checker, shapesAgree } from './shape-checks.ts';

export type ElementKind = NumberKind | 'quantized' | 'per-axis quantized';

function elementKind({ elementType, quantization }: TensorType): ElementKind {
  if (quantization === undefined) return numberKind(elementType);
  return quantization.axis === undefined ? 'quantized' : 'per-axis quantized';
}

/** The operands that most ops accept: everything except per-axis quantized tensors. */
export const anyElement: readonly ElementKind[] = ['boolean', 'signed', 'unsigned', 'float', 'complex', 'quantized'];
export const integers: readonly ElementKind[] = ['signed', 'unsigned'];

export function checkElements(
  require: Checker,
  constraint: number | string,
  types: readonly TensorType[],
  kinds: readonly ElementKind[],
): void {
  for (const type of types)
    require(kinds.includes(elementKind(type)), constraint, () =>
      `takes elements that are ${kinds.join(', ')}; got ${formatType(type)}`);
}

/** The type of the represented numbers: of quantized elements, the expressed type. */
export const baselineElement = (type: TensorType): TensorType['elementType'] =>
  type.quantization?.expressedType ?? type.elementType;

/** Checks that an operand holds one integer for each of some dims: a tensor of rank 1 and known size. */
export function checkSizes(require: Checker, constraint: number | string, type: TensorType): void {
  require(type.shape.length === 1 && !type.shape.includes(dynamicDim), constraint, () =>
    `sizes must come in a tensor of one dim of known size, got ${formatType(type)}`);
  checkElements(require, constraint, [type], integers);
}

/** The integers in an operand, if it is a constant. */
export function constantNumbers({ op }: Value): readonly number[] | undefined {
  return op?.name === 'constant' ? Array.from(op.attributes.value.data, Number) : undefined;
}

/** Checks that a shape computed from known values agrees with the type of the result. */
export function checkAgrees(
  require: Checker,
  constraint: number | string,
  shape: readonly number[],
  type: TensorType,
): void {
  require(shapesAgree(shape, type.shape), constraint, () =>
    `the result is ${formatType(type)}, it must be ${formatType({ ...type, shape })}`);
}
/** Checks the constant sizes of an operand that gives a result's shape: known, and consistent with the type. */
export function checkGiven(
  require: Checker,
  constraint: number | string,
  sizes: readonly number[] | undefined,
  type: TensorType,
): void {
  if (sizes === undefined) return;
  require(sizes.every(size => size >= 0) && shapesAgree(sizes, type.shape), constraint, () =>
    `the shape is given as [${sizes.join(', ')}], the result is ${formatType(type)}`);
}

export const isStatic = ({ shape }: TensorType): boolean => !shape.includes(dynamicDim);

/** The types inferred by another op with the same constraints; its errors are reported as those of this op. */
export function inferAs(name: OpName, other: OpName, infer: () => readonly Type[]): readonly Type[] {
  try {
    return infer();
  } catch (error) {
    if (!isTrenioError(error, 'INVALID_OP')) throw error;
    const { constraint, detail } = error.data;
    throw new TrenioError('INVALID_OP', { op: name, constraint: constraint.replace(other, name), detail });
  }
}
