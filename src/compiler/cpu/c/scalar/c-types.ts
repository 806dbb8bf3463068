// The representation of element types in C: in memory and in registers. A float narrower than f32 is an f32 in a register,
// rounded after every op; an integer smaller than a byte is a byte, wrapped after every op. So results do not depend
// on which ops were fused.
import type { Literal } from '../../../../hlo/literal.ts';
import { bitWidth } from '../../../../hlo/ops/element-data.ts';
import { type ElementType, elementBytes, isFloat, isInteger, numberKind } from '../../../../hlo/types.ts';
import { type ScalarValue, scalarValueAt } from '../../../ir/scalar-value.ts';

const registers: { readonly [T in ElementType]: string } = {
  i1: '_Bool',
  i2: 'int8_t',
  i4: 'int8_t',
  i8: 'int8_t',
  i16: 'int16_t',
  i32: 'int32_t',
  i64: 'int64_t',
  ui2: 'uint8_t',
  ui4: 'uint8_t',
  ui8: 'uint8_t',
  ui16: 'uint16_t',
  ui32: 'uint32_t',
  ui64: 'uint64_t',
  f4E2M1FN: 'float',
  f6E2M3FN: 'float',
  f6E3M2FN: 'float',
  f8E3M4: 'float',
  f8E4M3: 'float',
  f8E4M3B11FNUZ: 'float',
  f8E4M3FN: 'float',
  f8E4M3FNUZ: 'float',
  f8E5M2: 'float',
  f8E5M2FNUZ: 'float',
  f8E8M0FNU: 'float',
  bf16: 'float',
  f16: 'float',
  tf32: 'float',
  f32: 'float',
  f64: 'double',
  'complex<f32>': 'float _Complex',
  'complex<f64>': 'double _Complex',
};

/** Floats that are stored in memory as the bits of a narrower format. */
export const isEncoded = (type: ElementType): boolean => isFloat(type) && elementBytes(type) < 4;

/** The C type of a value in a register. */
export const registerType = (type: ElementType): string => registers[type];
/** The C type of an element in memory. */
export function memoryType(type: ElementType): string {
  if (type === 'i1') return 'uint8_t';
  return isEncoded(type) ? `uint${8 * elementBytes(type)}_t` : registers[type];
}

/** The register form of an element read from memory. */
export function loaded(type: ElementType, text: string): string {
  if (isEncoded(type)) return `t_from_${type}(${text})`;
  return type === 'i1' ? `(${text} != 0)` : text;
}
/** The memory form of a register. */
export function stored(type: ElementType, text: string): string {
  return isEncoded(type) ? `t_to_${type}(${text})` : text;
}
/** The same if the register already holds a value of the type, as all values of kernels do: no rounding is needed. */
export function storedExactly(type: ElementType, text: string): string {
  return type === 'bf16' ? `t_truncate_bf16(${text})` : stored(type, text);
}
/** A computed value, rounded or wrapped to its type if the register is wider. */
export function rounded(type: ElementType, text: string): string {
  if (isEncoded(type) || type === 'tf32') return `t_round_${type}(${text})`;
  return isInteger(type) && bitWidth(type) < 8 ? `t_wrap_${type}(${text})` : text;
}

/** Element i of a literal as a C expression of the register type; exact. */
export const cLiteral = (lit: Literal, i: number): string => valueText(lit.type.elementType, scalarValueAt(lit, i));

/** A constant as a C expression of the register type; exact. */
export function valueText(type: ElementType, value: ScalarValue): string {
  if (typeof value === 'object') {
    const suffix = type === 'complex<f32>' ? 'f' : '';
    return `__builtin_complex(${floatText(value[0], suffix)}, ${floatText(value[1], suffix)})`;
  }
  if (typeof value === 'bigint') {
    if (type === 'ui64') return `${value}ULL`;
    return value === -(2n ** 63n) ? '(-9223372036854775807LL - 1)' : value < 0n ? `(${value}LL)` : `${value}LL`;
  }
  switch (type) {
    case 'i32':
      return value === -2147483648 ? '(-2147483647 - 1)' : signedText(value);
    case 'ui32':
      return `${value}u`;
    default:
      return numberKind(type) === 'float' ? floatText(value, type === 'f64' ? '' : 'f') : signedText(value);
  }
}
const signedText = (v: number): string => (v < 0 ? `(${v})` : `${v}`);

/** A C floating constant with the same bits (decimal digits enough to read back exactly). */
export function floatText(value: number, suffix: 'f' | ''): string {
  if (Number.isNaN(value)) return `__builtin_nan${suffix}("")`;
  if (!Number.isFinite(value)) return value > 0 ? `__builtin_inf${suffix}()` : `(-__builtin_inf${suffix}())`;
  let text = String(Math.abs(value));
  if (!/[.e]/.test(text)) text += '.0';
  return value < 0 || Object.is(value, -0) ? `(-${text}${suffix})` : `${text}${suffix}`;
}

/** The C unsigned type in which integer arithmetic of this type may wrap. */
export const wrappingType = (type: ElementType): string => (elementBytes(type) === 8 ? 'uint64_t' : 'uint32_t');
