// The memory of a kernel's operands: single elements of typed parts of buffers, which may overlap according to the memory
// plan.
import { numberOf } from '../../../hlo/element-codec.ts';
import { literalOfBytes } from '../../../hlo/literal.ts';
import { isComplex } from '../../../hlo/ops/element-data.ts';
import { type ElementType, elementCount, type TensorType, tensorType } from '../../../hlo/types.ts';
import { type ScalarValue, scalarValueAt } from '../../ir/scalar-value.ts';
import { storeValue } from '../scalar-functions/scalar.ts';

export interface ElementMemory {
  readonly type: ElementType;
  readonly count: number;
  get(position: number): ScalarValue;
  set(position: number, value: ScalarValue): void;
}

/** The elements of a tensor that starts at the beginning of `bytes`. Accesses outside of it are bugs of the kernel. */
export function memoryOf(type: TensorType, bytes: Uint8Array): ElementMemory {
  const count = elementCount(type.shape);
  const lit = literalOfBytes(tensorType(type.elementType, [count]), bytes);
  const check = (position: number): void => {
    if (!(position >= 0 && position < count)) throw new RangeError(`element ${position} of ${count}`);
  };
  const isPlain = !isComplex(type.elementType) && numberOf(type.elementType) === undefined && type.elementType !== 'i1';
  return {
    type: type.elementType,
    count,
    get(position) {
      check(position);
      return isPlain ? lit.data[position]! : scalarValueAt(lit, position);
    },
    set(position, value) {
      check(position);
      storeValue(lit, position, value);
    },
  };
}
