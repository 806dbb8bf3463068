// Data types under the names of the program language, and under PyTorch's; and what two of them make together.
import { TrenioError } from '../base/errors.ts';
import type { LiteralData } from '../hlo/literal.ts';
import { type ElementType, elementBytes, elementTypes, isFloat, numberKind } from '../hlo/types.ts';
import { userLocation } from './location.ts';

const aliases = {
  float64: 'f64',
  double: 'f64',
  float32: 'f32',
  float: 'f32',
  float16: 'f16',
  half: 'f16',
  bfloat16: 'bf16',
  int64: 'i64',
  long: 'i64',
  int32: 'i32',
  int: 'i32',
  int16: 'i16',
  short: 'i16',
  int8: 'i8',
  uint8: 'ui8',
  uint16: 'ui16',
  uint32: 'ui32',
  uint64: 'ui64',
  bool: 'i1',
  complex64: 'complex<f32>',
  cfloat: 'complex<f32>',
  complex128: 'complex<f64>',
  cdouble: 'complex<f64>',
} as const satisfies Record<string, ElementType>;

/** A data type: the program language's name ('f32', 'bf16', 'i32', 'i1' …) or PyTorch's ('float32', 'long', 'bool' …). */
export type DType = ElementType | keyof typeof aliases;

/** The element type of a name. @throws {UNKNOWN_DTYPE} */
export function elementTypeOf(dtype: DType): ElementType {
  const alias = aliases[dtype as keyof typeof aliases] as ElementType | undefined;
  if (alias !== undefined) return alias;
  if ((elementTypes as readonly string[]).includes(dtype)) return dtype as ElementType;
  throw new TrenioError(
    'UNKNOWN_DTYPE',
    { name: String(dtype), known: [...elementTypes, ...Object.keys(aliases)].join(', ') },
    { location: userLocation() },
  );
}
export const isDType = (name: string): name is DType =>
  name in aliases || (elementTypes as readonly string[]).includes(name);

/** The element type whose numbers a typed array holds as they are. */
export function elementTypeOfArray(data: LiteralData | Uint8ClampedArray): ElementType {
  if (data instanceof Float32Array) return 'f32';
  if (data instanceof Float64Array) return 'f64';
  if (data instanceof Float16Array) return 'f16';
  if (data instanceof Int32Array) return 'i32';
  if (data instanceof BigInt64Array) return 'i64';
  if (data instanceof BigUint64Array) return 'ui64';
  if (data instanceof Int16Array) return 'i16';
  if (data instanceof Int8Array) return 'i8';
  if (data instanceof Uint16Array) return 'ui16';
  if (data instanceof Uint32Array) return 'ui32';
  return 'ui8';
}

const kindOrder = { boolean: 0, unsigned: 1, signed: 2, float: 3, complex: 4 } as const;

/** The type of a result of two tensors, as PyTorch has it: the higher kind wins; within a kind, the wider type. */
export function promote(a: ElementType, b: ElementType): ElementType {
  if (a === b) return a;
  const [ka, kb] = [kindOrder[numberKind(a)], kindOrder[numberKind(b)]];
  if (ka !== kb) {
    // An unsigned type beside a signed one that is no wider needs the next signed type.
    if (ka + kb === 3 && ka !== 0 && kb !== 0) {
      const [unsigned, signed] = ka === 1 ? [a, b] : [b, a];
      if (elementBytes(signed) > elementBytes(unsigned)) return signed;
      return ({ 1: 'i16', 2: 'i32', 4: 'i64', 8: 'i64' } as const)[elementBytes(unsigned) as 1 | 2 | 4 | 8];
    }
    // the parts of the complex type hold the float
    if (Math.max(ka, kb) === kindOrder.complex && (a === 'f64' || b === 'f64')) return 'complex<f64>';
    return ka > kb ? a : b;
  }
  const [wa, wb] = [elementBytes(a), elementBytes(b)];
  if (wa !== wb) return wa > wb ? a : b;
  return isFloat(a) ? 'f32' : a; // bf16 with f16
}

/** The type a JavaScript number takes beside a tensor of type `beside`. */
export function scalarType(value: number | bigint | boolean, beside: ElementType): ElementType {
  if (typeof value === 'boolean') return beside;
  const kind = numberKind(beside);
  if (kind === 'float' || kind === 'complex') return beside;
  if (typeof value === 'bigint' || Number.isInteger(value)) return kind === 'boolean' ? 'i64' : beside;
  return 'f32';
}
