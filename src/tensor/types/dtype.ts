// Data types under PyTorch's names, which users see, and under those of the program language, and type promotion.
import { TrenioError } from '../../base/errors.ts';
import type { LiteralData } from '../../hlo/literal.ts';
import { type ElementType, elementBytes, elementTypes, isFloat, numberKind } from '../../hlo/types.ts';
import { userLocation } from '../location.ts';

/** PyTorch's names, and the corresponding element types of programs; types that PyTorch does not have keep their name. */
const elementTypesByName = {
  float64: 'f64',
  float32: 'f32',
  float16: 'f16',
  bfloat16: 'bf16',
  float8_e4m3fn: 'f8E4M3FN',
  float8_e4m3fnuz: 'f8E4M3FNUZ',
  float8_e5m2: 'f8E5M2',
  float8_e5m2fnuz: 'f8E5M2FNUZ',
  float8_e8m0fnu: 'f8E8M0FNU',
  int64: 'i64',
  int32: 'i32',
  int16: 'i16',
  int8: 'i8',
  int4: 'i4',
  int2: 'i2',
  uint64: 'ui64',
  uint32: 'ui32',
  uint16: 'ui16',
  uint8: 'ui8',
  uint4: 'ui4',
  uint2: 'ui2',
  bool: 'i1',
  complex64: 'complex<f32>',
  complex128: 'complex<f64>',
  tf32: 'tf32',
  f8E3M4: 'f8E3M4',
  f8E4M3: 'f8E4M3',
  f8E4M3B11FNUZ: 'f8E4M3B11FNUZ',
  f6E2M3FN: 'f6E2M3FN',
  f6E3M2FN: 'f6E3M2FN',
  f4E2M1FN: 'f4E2M1FN',
} as const satisfies Record<string, ElementType>;

/** PyTorch's aliases. */
const aliases = {
  double: 'float64',
  float: 'float32',
  half: 'float16',
  long: 'int64',
  int: 'int32',
  short: 'int16',
  cfloat: 'complex64',
  cdouble: 'complex128',
} as const satisfies Record<string, keyof typeof elementTypesByName>;

/**
 * The name of a data type, as `x.dtype` gives it: PyTorch's ('float32', 'bfloat16', 'int64', 'bool' …); or the program
 * language's for the few types that PyTorch does not have ('tf32' …).
 */
export type DTypeName = keyof typeof elementTypesByName;
/**
 * A data type as an argument: PyTorch's name ('float32', 'long', 'bool' …) or the program language's ('f32', 'i64', 'i1'
 * …).
 */
export type DType = DTypeName | keyof typeof aliases | ElementType;

const namesByElementType: ReadonlyMap<ElementType, DTypeName> = new Map(
  Object.entries(elementTypesByName).map(([name, type]) => [type, name as DTypeName]),
);
const knownTypes: ReadonlyMap<string, ElementType> = new Map<string, ElementType>([
  ...Object.entries(elementTypesByName),
  ...Object.entries(aliases).map(([name, of]) => [name, elementTypesByName[of]] as const),
  ...elementTypes.map(type => [type, type] as const),
]);

/** The name of an element type, as `x.dtype` gives it. */
export const dtypeName = (type: ElementType): DTypeName => namesByElementType.get(type)!;

/** The element type of a name. @throws {UNKNOWN_DTYPE} */
export function elementTypeOf(dtype: DType): ElementType {
  const type = knownTypes.get(dtype);
  if (type !== undefined) return type;
  throw new TrenioError(
    'UNKNOWN_DTYPE',
    { name: String(dtype), known: [...knownTypes.keys()].join(', ') },
    { location: userLocation() },
  );
}
export const isDType = (name: string): name is DType => knownTypes.has(name);

/** The element type with the same representation as a typed array. */
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

/** The result type of an op on two tensors, by PyTorch's rules: the higher kind wins; within a kind, the wider type. */
export function promote(a: ElementType, b: ElementType): ElementType {
  if (a === b) return a;
  const [ka, kb] = [kindOrder[numberKind(a)], kindOrder[numberKind(b)]];
  if (ka !== kb) {
    // An unsigned type with a signed one of the same or a smaller width is promoted to the next signed type.
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

/** The data type of a JavaScript number combined with a tensor of type `other`. */
export function scalarType(value: number | bigint | boolean, other: ElementType): ElementType {
  if (typeof value === 'boolean') return other;
  const kind = numberKind(other);
  if (kind === 'float' || kind === 'complex') return other;
  if (typeof value === 'bigint' || Number.isInteger(value)) return kind === 'boolean' ? 'i64' : other;
  return 'f32';
}
