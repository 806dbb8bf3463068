// Elements as JavaScript numbers: what the reference evaluation computes in. Decoding widens exactly (bf16 → f32);
// encoding rounds or wraps to the element type once, to nearest even.
//
//   Literal (bits) ── decode ──▶ number[] / bigint[] ── compute in f64 or bigint ── encode ──▶ Literal (bits)
import { TrenioError } from '../../base/errors.ts';
import { bf16ToNumber, type Literal, numberToBf16, zeros } from '../literal.ts';
import { type ElementType, elementTypes, numberKind, type TensorType } from '../types.ts';

export type NumberData =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float16Array
  | Float32Array
  | Float64Array;
export type BigData = BigInt64Array | BigUint64Array;

export const isBig = (type: ElementType): boolean => type === 'i64' || type === 'ui64';
export const isComplex = (type: ElementType): boolean => numberKind(type) === 'complex';
/** Entries of a literal's data that one element takes. */
export const entriesOf = (type: ElementType): number => (isComplex(type) ? 2 : 1);

const computable = new Set<ElementType>(
  elementTypes.filter(
    t => !t.startsWith('f4') && !t.startsWith('f6E') && !t.startsWith('f8') && !t.startsWith('complex'),
  ),
);
/** True for the types that `decode` and `encode` know: all but f4, f6, f8 and complex numbers. */
export const isComputable = (type: ElementType): boolean => computable.has(type);
export function requireComputable(op: string, type: ElementType): void {
  if (isComputable(type)) return;
  throw new TrenioError('UNSUPPORTED', {
    what: `${op} on ${type}`,
    where: 'the interpreter',
    instead: 'convert to f32 first',
  });
}

/** Bits of an integer type, or of any type with a whole number of bytes. */
export function bitWidth(type: ElementType): number {
  const digits = /^(?:u?i|f|bf|tf)(\d+)/.exec(type)?.[1];
  if (digits !== undefined) return Number(digits);
  return type === 'complex<f32>' ? 64 : 128;
}

/** The elements as numbers; bigints for 64-bit integers. A view where the data are numbers already: do not write. */
export function decode(lit: Literal): NumberData | BigData {
  if (lit.type.elementType !== 'bf16') return lit.data;
  const out = new Float32Array(lit.data.length);
  for (let i = 0; i < out.length; i++) out[i] = bf16ToNumber(lit.data[i] as number);
  return out;
}
export const decodeNumbers = (lit: Literal): NumberData => decode(lit) as NumberData;

/** f64 → bf16 bits with one rounding (through f32 by round-to-odd, so that no double rounding happens). */
export function toBf16(value: number): number {
  const near = Math.fround(value);
  if (near === value || Number.isNaN(value) || !Number.isFinite(near)) return numberToBf16(near);
  return numberToBf16(roundToOdd(value, near));
}
const oddF32 = new Float32Array(1);
const oddBits = new Uint32Array(oddF32.buffer);
function roundToOdd(value: number, near: number): number {
  oddF32[0] = near;
  const away = Math.abs(near) > Math.abs(value);
  const truncated = away ? oddBits[0]! - 1 : oddBits[0]!;
  oddBits[0] = truncated | 1;
  return oddF32[0]!;
}

/** f64 → tf32: eight exponent bits and ten of mantissa, held in an f32. */
export function toTf32(value: number): number {
  oddF32[0] = value;
  if (!Number.isFinite(oddF32[0]!)) return oddF32[0]!;
  const u = oddBits[0]!;
  oddBits[0] = (u + 0xfff + ((u >>> 13) & 1)) & ~0x1fff;
  return oddF32[0]!;
}

/** What must be done to a number before it is stored in the data array of this type; undefined when the array does it. */
export function storageOf(type: ElementType): ((value: number) => number) | undefined {
  switch (type) {
    case 'bf16':
      return toBf16;
    case 'tf32':
      return toTf32;
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

/** A number as an element of `type` has it: rounded or wrapped, and back. */
export function rounderOf(type: ElementType): (value: number) => number {
  switch (type) {
    case 'f64':
      return v => v;
    case 'f32':
      return Math.fround;
    case 'f16':
      return Math.f16round;
    case 'bf16':
      return v => bf16ToNumber(toBf16(v));
    case 'i1':
      return v => (v ? 1 : 0);
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
    default:
      return storageOf(type) ?? (v => v);
  }
}

/** Numbers (computed at a wider precision) as a literal; each is rounded or wrapped to the element type. */
export function encode(type: TensorType, values: ArrayLike<number>): Literal {
  const out = zeros(type);
  const data = out.data as NumberData;
  const store = storageOf(type.elementType);
  if (store === undefined) data.set(values);
  else for (let i = 0; i < data.length; i++) data[i] = store(values[i]!);
  return out;
}
