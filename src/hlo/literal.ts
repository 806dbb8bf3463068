// A literal: the elements of a tensor as plain data, row-major. What constants, the interpreter and buffers hold.
import { type ElementType, elementCount, type TensorType, tensorType } from './types.ts';

export type LiteralData =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float16Array
  | Float32Array
  | Float64Array;

export interface Literal {
  readonly type: TensorType;
  /**
   * One entry an element: i1 and types under a byte in a Uint8Array or Int8Array, bf16 and f8 as their bits, tf32 as
   * f32, 64-bit integers as bigints; complex numbers take two entries, real then imaginary.
   */
  readonly data: LiteralData;
}

export function dataConstructor(type: ElementType) {
  switch (type) {
    case 'i2':
    case 'i4':
    case 'i8':
      return Int8Array;
    case 'i16':
      return Int16Array;
    case 'i32':
      return Int32Array;
    case 'i64':
      return BigInt64Array;
    case 'ui16':
    case 'bf16':
      return Uint16Array;
    case 'ui32':
      return Uint32Array;
    case 'ui64':
      return BigUint64Array;
    case 'f16':
      return Float16Array;
    case 'f32':
    case 'tf32':
    case 'complex<f32>':
      return Float32Array;
    case 'f64':
    case 'complex<f64>':
      return Float64Array;
    default:
      return Uint8Array;
  }
}

/** A view of raw bytes as the elements of `type` (no copy; `bytes` must be aligned to the element). */
export function literalOfBytes(type: TensorType, bytes: Uint8Array): Literal {
  const entries = elementCount(type.shape) * (type.elementType.startsWith('complex') ? 2 : 1);
  return {
    type,
    data: new (dataConstructor(type.elementType))(bytes.buffer as ArrayBuffer, bytes.byteOffset, entries),
  };
}
export function zeros(type: TensorType): Literal {
  const entries = elementCount(type.shape) * (type.elementType.startsWith('complex') ? 2 : 1);
  return { type, data: new (dataConstructor(type.elementType))(entries) };
}
export function bytesOf(literal: Literal): Uint8Array {
  const { buffer, byteOffset, byteLength } = literal.data;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** bf16 bits ↔ number. Rounds to nearest even; NaN stays NaN. */
const f32Scratch = new Float32Array(1);
const u32Scratch = new Uint32Array(f32Scratch.buffer);
export function bf16ToNumber(bits: number): number {
  u32Scratch[0] = bits << 16;
  return f32Scratch[0]!;
}
export function numberToBf16(value: number): number {
  f32Scratch[0] = value;
  const u = u32Scratch[0]!;
  if (Number.isNaN(value)) return (u >>> 16) | 0x40;
  return ((u + 0x7fff + ((u >>> 16) & 1)) >>> 16) & 0xffff;
}

/** A literal from JavaScript numbers, each rounded to the element type. */
export function literal(
  elementType: ElementType,
  shape: readonly number[],
  values: ArrayLike<number | bigint | boolean>,
): Literal {
  const out = zeros(tensorType(elementType, shape));
  const big = out.data instanceof BigInt64Array || out.data instanceof BigUint64Array;
  for (let i = 0; i < out.data.length; i++) {
    const v = values[i]!;
    if (big) (out.data as BigInt64Array)[i] = BigInt(v);
    else
      (out.data as Float64Array)[i] =
        elementType === 'bf16' ? numberToBf16(Number(v)) : elementType === 'i1' ? (v ? 1 : 0) : Number(v);
  }
  return out;
}
export const scalar = (elementType: ElementType, value: number | bigint | boolean): Literal =>
  literal(elementType, [], [value]);
/** A literal whose elements are all `value`. */
export function splat(type: TensorType, value: number | bigint | boolean): Literal {
  const out = zeros(type);
  const one = scalar(type.elementType, value).data[0]!;
  (out.data as Float64Array).fill(one as number);
  return out;
}
/** Element i as a JavaScript number (bigints are converted). */
export function numberAt(lit: Literal, i: number): number {
  const v = lit.data[i]!;
  return lit.type.elementType === 'bf16' ? bf16ToNumber(v as number) : Number(v);
}
export function toNumbers(lit: Literal): number[] {
  return Array.from({ length: lit.data.length }, (_, i) => numberAt(lit, i));
}
