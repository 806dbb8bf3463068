// How element types live in C: in memory and in a register. bf16 and f16 are two bytes in memory and an f32 in a register
// that is rounded after every op, so that a result does not depend on which ops were fused.
import { TrenioError } from '../../base/errors.ts';
import { type Literal, numberAt } from '../../hlo/literal.ts';
import { type ElementType, elementBytes } from '../../hlo/types.ts';

const registers: { readonly [T in ElementType]?: string } = {
  i1: '_Bool',
  i8: 'int8_t',
  i16: 'int16_t',
  i32: 'int32_t',
  i64: 'int64_t',
  ui8: 'uint8_t',
  ui16: 'uint16_t',
  ui32: 'uint32_t',
  ui64: 'uint64_t',
  bf16: 'float',
  f16: 'float',
  f32: 'float',
  f64: 'double',
};
const memory: { readonly [T in ElementType]?: string } = {
  ...registers,
  i1: 'uint8_t',
  bf16: 'uint16_t',
  f16: 'uint16_t',
};

export const isSupported = (type: ElementType): boolean => registers[type] !== undefined;

function look(table: { readonly [T in ElementType]?: string }, type: ElementType): string {
  const found = table[type];
  if (found === undefined) {
    throw new TrenioError('UNSUPPORTED', {
      what: `element type ${type}`,
      where: 'the C compiler backend',
      instead: 'convert to f32, bf16 or f16, or run on the interpreter',
    });
  }
  return found;
}
/** The C type of a value in a register. */
export const registerType = (type: ElementType): string => look(registers, type);
/** The C type of an element in memory. */
export const memoryType = (type: ElementType): string => look(memory, type);

/** The register form of an element read from memory. */
export function loaded(type: ElementType, text: string): string {
  if (type === 'bf16') return `t_from_bf16(${text})`;
  if (type === 'f16') return `t_from_f16(${text})`;
  return type === 'i1' ? `(${text} != 0)` : text;
}
/** The memory form of a register. */
export function stored(type: ElementType, text: string): string {
  if (type === 'bf16') return `t_to_bf16(${text})`;
  if (type === 'f16') return `t_to_f16(${text})`;
  return text;
}
/** A computed value brought to the precision its type has: nothing but for the two-byte floats. */
export function rounded(type: ElementType, text: string): string {
  if (type === 'bf16') return `t_round_bf16(${text})`;
  return type === 'f16' ? `t_round_f16(${text})` : text;
}

/** Element i of a literal as a C expression of the register type; exact. */
export function cLiteral(lit: Literal, i: number): string {
  const type = lit.type.elementType;
  switch (type) {
    case 'i1':
      return lit.data[i] ? '1' : '0';
    case 'i64': {
      const v = BigInt.asIntN(64, BigInt(lit.data[i]!));
      return v === -(2n ** 63n) ? '(-9223372036854775807LL - 1)' : v < 0n ? `(${v}LL)` : `${v}LL`;
    }
    case 'ui64':
      return `${BigInt.asUintN(64, BigInt(lit.data[i]!))}ULL`;
    case 'i32':
      return lit.data[i] === -2147483648 ? '(-2147483647 - 1)' : signedText(Number(lit.data[i]));
    case 'ui32':
      return `${lit.data[i]}u`;
    case 'bf16':
    case 'f16':
    case 'f32':
      return floatText(numberAt(lit, i), 'f');
    case 'f64':
      return floatText(numberAt(lit, i), '');
    default:
      return signedText(Number(lit.data[i]));
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

export const isFloatRegister = (type: ElementType): boolean => type === 'f32' || type === 'bf16' || type === 'f16';
export const bitsOf = (type: ElementType): number => (type === 'i1' ? 1 : 8 * elementBytes(type));
/** The C unsigned type in which integer arithmetic of this type may wrap. */
export const wrappingType = (type: ElementType): string => (elementBytes(type) === 8 ? 'uint64_t' : 'uint32_t');
