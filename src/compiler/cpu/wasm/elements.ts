// Elements in memory and in variables: integers of up to 32 bits are an i32 with the value of their type, floats below f32 an
// f32 that holds a number of their type.
import { isBig, isComplex } from '../../../hlo/ops/element-data.ts';
import { type ElementType, elementBytes, isFloat, numberKind } from '../../../hlo/types.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import {
  access,
  apply,
  type Expr,
  type FunctionBuilder,
  f32Const,
  f64Const,
  i32Const,
  i64Const,
  type ValueType,
} from './encoder.ts';
import type { SharedFunctions } from './shared-functions.ts';

/** Thrown for kernels that have no function: with complex numbers, for instance. */
export class NotPrinted extends Error {}

/** The type of a variable. */
export function valueTypeOf(type: ElementType): Exclude<ValueType, 'v128'> {
  if (isComplex(type)) throw new NotPrinted(`elements of ${type}`);
  if (type === 'f64') return 'f64';
  if (isFloat(type)) return 'f32';
  return isBig(type) ? 'i64' : 'i32';
}

export function literal(type: ElementType, value: ScalarValue): Expr {
  switch (valueTypeOf(type)) {
    case 'i32':
      return i32Const(Number(value));
    case 'i64':
      return i64Const(BigInt(value as bigint));
    case 'f64':
      return f64Const(Number(value));
    default:
      return f32Const(Number(value));
  }
}

/** How elements are in memory: the instructions that load and store them, as a value of this type. */
function memoryForm(type: ElementType): { readonly value: ValueType; readonly load: number; readonly store: number } {
  const value = valueTypeOf(type);
  if (elementBytes(type) >= 4) {
    const at = { i32: 0, i64: 1, f32: 2, f64: 3 }[value];
    return { value, load: 0x28 + at, store: 0x36 + at };
  }
  const isSigned = numberKind(type) === 'signed';
  if (elementBytes(type) === 2) return { value: 'i32', load: isSigned ? 0x2e : 0x2f, store: 0x3b };
  return { value: 'i32', load: isSigned ? 0x2c : 0x2d, store: 0x3a };
}

/** The element at an address. */
export function load(type: ElementType, address: Expr, shared: SharedFunctions, offset = 0): Expr {
  const form = memoryForm(type);
  const stored = apply(form.value, [form.load, ...access(offset)], address);
  if (type === 'bf16') return apply('f32', [0xbe], apply('i32', [0x74], stored, i32Const(16)));
  if (type === 'f16') return shared.fromHalf(stored);
  return form.value === valueTypeOf(type) ? stored : shared.decoded(type, stored);
}
export function store(
  f: FunctionBuilder,
  type: ElementType,
  address: Expr,
  value: Expr,
  shared: SharedFunctions,
  offset = 0,
): void {
  const form = memoryForm(type);
  const stored = ((): Expr => {
    if (type === 'bf16') return apply('i32', [0x76], apply('i32', [0xbc], value), i32Const(16));
    if (type === 'f16') return shared.toHalf(value);
    return form.value === valueTypeOf(type) ? value : shared.encoded(type, value);
  })();
  f.store([form.store], address, stored, offset);
}
