// A literal: the elements of a tensor as plain data, row-major. Used by constants, the interpreter and buffers.
import { availableBytes } from '../base/available-memory.ts';
import { TrenioError } from '../base/errors.ts';
import { numberOf, storageOf } from './element-codec.ts';
import { type ElementType, elementBytes, elementCount, formatType, type TensorType, tensorType } from './types.ts';

/** The typed arrays that hold elements. */
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

/** A tensor on the host: its type and elements. */
export interface Literal {
  /** The data type and shape. */
  readonly type: TensorType;
  /**
   * One entry per element: i1 and types under a byte in a Uint8Array or Int8Array, bf16 and f8 as bit patterns, tf32 as
   * f32, 64-bit integers as bigints; complex numbers take two entries, real then imaginary.
   */
  readonly data: LiteralData;
}

/**
 * The class of typed arrays that holds elements of a type.
 * @example
 * hlo.dataConstructor('f32') === Float32Array // true
 */
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

/**
 * A view of raw bytes as the elements of `type` (no copy; `bytes` must be aligned to the element).
 * @example
 * const bytes = new Uint8Array(Float32Array.of(1, 2).buffer);
 * hlo.toNumbers(hlo.literalOfBytes(hlo.tensorType('f32', [2]), bytes)) // [1, 2]
 */
export function literalOfBytes(type: TensorType, bytes: Uint8Array): Literal {
  const entries = elementCount(type.shape) * (type.elementType.startsWith('complex') ? 2 : 1);
  return {
    type,
    data: new (dataConstructor(type.elementType))(bytes.buffer as ArrayBuffer, bytes.byteOffset, entries),
  };
}
/**
 * Zeros of a type and shape.
 * @example
 * hlo.toNumbers(hlo.zeros(hlo.tensorType('f32', [2]))) // [0, 0]
 */
export function zeros(type: TensorType): Literal {
  requireMemory(type);
  const entries = elementCount(type.shape) * (type.elementType.startsWith('complex') ? 2 : 1);
  return { type, data: new (dataConstructor(type.elementType))(entries) };
}

/** Below this size, memory is allocated without checking how much is available. */
const smallBytes = 2 ** 28;
/** Elements are counted in 32-bit integers. */
const maxElements = 2 ** 31 - 1;
/**
 * Checks that the elements of a type can be allocated.
 * @throws {OUT_OF_MEMORY} if the elements of this type, with this many bytes each, cannot be allocated: an array of that size
 *   would end the process
 * @example
 * hlo.requireMemory(hlo.tensorType('f32', [1e6, 1e6])) // throws OUT_OF_MEMORY
 */
export function requireMemory(type: TensorType, perElement: number = elementBytes(type.elementType)): void {
  const elements = elementCount(type.shape);
  if (elements * perElement <= smallBytes) return;
  const available = Math.min(availableBytes(), maxElements * perElement);
  if (elements * perElement > available)
    throw new TrenioError('OUT_OF_MEMORY', { what: formatType(type), bytes: elements * perElement, available });
}
/**
 * The bytes of a literal, as in a file. They are shared with the literal where that is possible.
 * @example
 * hlo.bytesOf(hlo.literal('f32', [2], [1, 2])).length // 8
 */
export function bytesOf(literal: Literal): Uint8Array {
  const { buffer, byteOffset, byteLength } = literal.data;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/**
 * A literal from JavaScript numbers, each rounded to the element type; two per element for complex numbers.
 * @example
 * hlo.literal('i32', [2, 2], [1, 2, 3, 4]).data // [1, 2, 3, 4]
 */
export function literal(
  elementType: ElementType,
  shape: readonly number[],
  values: ArrayLike<number | bigint | boolean>,
): Literal {
  const out = zeros(tensorType(elementType, shape));
  const { data } = out;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let i = 0; i < data.length; i++) data[i] = BigInt(values[i]!);
    return out;
  }
  const store = storageOf(elementType);
  for (let i = 0; i < data.length; i++) data[i] = store === undefined ? Number(values[i]) : store(Number(values[i]));
  return out;
}
/**
 * One element; a complex one has the imaginary part 0.
 * @example
 * hlo.scalar('f32', 3).data // [3]
 */
export const scalar = (elementType: ElementType, value: number | bigint | boolean): Literal =>
  literal(elementType, [], [value, 0]);
/**
 * A literal whose elements are all `value`.
 * @example
 * hlo.splat(hlo.tensorType('f32', [3]), 7).data // [7, 7, 7]
 */
export function splat(type: TensorType, value: number | bigint | boolean): Literal {
  const out = zeros(type);
  const one = scalar(type.elementType, value).data;
  if (one.length === 1) (out.data as Float64Array).fill(one[0] as number);
  else for (let i = 0; i < out.data.length; i += 2) out.data[i] = one[0]!;
  return out;
}
/**
 * Entry i of the data as a JavaScript number (bigints are converted).
 * @example
 * hlo.numberAt(hlo.literal('bf16', [2], [1, 2]), 1) // 2
 */
export function numberAt(lit: Literal, i: number): number {
  const stored = Number(lit.data[i]!);
  return numberOf(lit.type.elementType)?.(stored) ?? stored;
}
/**
 * The elements as numbers; 64-bit integers are rounded to doubles.
 * @example
 * hlo.toNumbers(hlo.literal('bf16', [2], [1, 2])) // [1, 2]
 */
export function toNumbers(lit: Literal): number[] {
  return Array.from({ length: lit.data.length }, (_, i) => numberAt(lit, i));
}
