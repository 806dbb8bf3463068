// Elements as JavaScript numbers, in which the reference evaluation computes. Decoding widens exactly (bf16 → f32);
// encoding rounds or wraps to the element type once, to nearest even.
//
//   Literal (bits) ── decode ──▶ number[] / bigint[] ── compute in f64 or bigint ── encode ──▶ Literal (bits)
import { numberOf, storageOf } from '../element-codec.ts';
import { type Literal, zeros } from '../literal.ts';
import { type ElementType, numberKind, type TensorType } from '../types.ts';

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
/** The number of entries in a literal's data per element. */
export const entriesOf = (type: ElementType): number => (isComplex(type) ? 2 : 1);

/**
 * The width in bits of an integer type, or of any type stored in an integer type.
 * @example
 * hlo.bitWidth('i4') // 4
 */
export function bitWidth(type: ElementType): number {
  const digits = /^(?:u?i|f|bf|tf)(\d+)/.exec(type)?.[1];
  if (digits !== undefined) return Number(digits);
  return type === 'complex<f32>' ? 64 : 128;
}

/**
 * The elements as numbers; bigints for 64-bit integers; of complex numbers, both parts in turn. A view where the data
 * are numbers already: do not write.
 */
export function decode(lit: Literal): NumberData | BigData {
  const value = numberOf(lit.type.elementType);
  if (value === undefined) return lit.data;
  const out = new Float32Array(lit.data.length);
  for (let i = 0; i < out.length; i++) out[i] = value(lit.data[i] as number);
  return out;
}
export const decodeNumbers = (lit: Literal): NumberData => decode(lit) as NumberData;

/** Numbers (computed at a wider precision) as a literal; each is rounded or wrapped to the element type. */
export function encode(type: TensorType, values: ArrayLike<number>): Literal {
  const out = zeros(type);
  const data = out.data as NumberData;
  const store = storageOf(type.elementType);
  if (store === undefined) data.set(values);
  else for (let i = 0; i < data.length; i++) data[i] = store(values[i]!);
  return out;
}
