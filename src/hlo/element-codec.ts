// The representation of elements in the data array of a literal: converts a number to a stored element (rounded to nearest even,
// or wrapped) and back.
import { type FloatFormat, isSmallFloat, smallFloatCodec, smallFloatFormat } from '../numerics/small-floats.ts';
import type { ElementType } from './types.ts';

const f32 = new Float32Array(1);
const bits = new Uint32Array(f32.buffer);

export function bf16ToNumber(stored: number): number {
  bits[0] = stored << 16;
  return f32[0]!;
}

/** f64 → bf16 bits with one rounding (through f32 by round-to-odd, so that no double rounding happens). */
export function toBf16(value: number): number {
  const near = Math.fround(value);
  f32[0] = near;
  if (Number.isNaN(value)) return (bits[0]! >>> 16) | 0x40;
  if (near !== value && Number.isFinite(near)) bits[0] = odd(near, value);
  const u = bits[0]!;
  return ((u + 0x7fff + ((u >>> 16) & 1)) >>> 16) & 0xffff;
}
/** The bits of `value` truncated to f32, with the last bit set if any bits were lost (a sticky bit); `near` is its rounding. */
function odd(near: number, value: number): number {
  f32[0] = near;
  const away = Math.abs(near) > Math.abs(value);
  return (away ? bits[0]! - 1 : bits[0]!) | 1;
}

/** f64 → tf32: eight exponent bits and ten of mantissa, held in an f32. */
export function toTf32(value: number): number {
  const near = Math.fround(value);
  if (!Number.isFinite(near)) return near;
  f32[0] = near;
  const u = near === value ? bits[0]! : odd(near, value);
  bits[0] = (u + 0xfff + ((u >>> 13) & 1)) & ~0x1fff;
  return f32[0]!;
}

/** The layout of a float type: bits and exponent range. */
export function floatFormat(type: ElementType): FloatFormat {
  if (isSmallFloat(type)) return smallFloatFormat(type);
  switch (type) {
    case 'f16':
      return { exponentBits: 5, mantissaBits: 10, bias: 15 };
    case 'bf16':
      return { exponentBits: 8, mantissaBits: 7, bias: 127 };
    case 'f64':
      return { exponentBits: 11, mantissaBits: 52, bias: 1023 };
    default:
      return { exponentBits: 8, mantissaBits: 23, bias: 127 };
  }
}

/** The conversion of a number before it is stored in the data array of this type; undefined if the array converts it. */
export function storageOf(type: ElementType): ((value: number) => number) | undefined {
  if (isSmallFloat(type)) return smallFloatCodec(type).encode;
  switch (type) {
    case 'bf16':
      return toBf16;
    case 'tf32':
      return toTf32;
    case 'i1':
      return v => (v ? 1 : 0);
    case 'i2':
      return v => (v << 30) >> 30;
    case 'i4':
      return v => (v << 28) >> 28;
    case 'ui2':
      return v => v & 3;
    case 'ui4':
      return v => v & 15;
    default:
      return undefined;
  }
}

/** The conversion of a stored entry to a number; undefined if the array holds the numbers themselves. */
export function numberOf(type: ElementType): ((stored: number) => number) | undefined {
  if (type === 'bf16') return bf16ToNumber;
  if (!isSmallFloat(type)) return undefined;
  const { values } = smallFloatCodec(type);
  return stored => values[stored]!;
}

/** A number rounded or wrapped to an element of `type`. For complex types, one of the two parts. */
export function rounderOf(type: ElementType): (value: number) => number {
  switch (type) {
    case 'f64':
    case 'complex<f64>':
      return v => v;
    case 'f32':
    case 'complex<f32>':
      return Math.fround;
    case 'f16':
      return Math.f16round;
    case 'i8':
      return v => (v << 24) >> 24;
    case 'i16':
      return v => (v << 16) >> 16;
    case 'i32':
      return v => v | 0;
    case 'ui8':
      return v => v & 0xff;
    case 'ui16':
      return v => v & 0xffff;
    case 'ui32':
      return v => v >>> 0;
    default: {
      const store = storageOf(type);
      const value = numberOf(type);
      if (store === undefined) return v => v;
      return value === undefined ? store : v => value(store(v));
    }
  }
}
